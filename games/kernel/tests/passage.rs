//! The derived conversions, and errors that name their field.

use std::sync::Arc;

use heliopause_kernel::wire::{self, Kind, Part, Read, Wire, Write};
use heliopause_kernel::{Seat, SeatSet};

mod proto {
    #![allow(unreachable_pub)]

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Order {
        pub kind: Option<order::Kind>,
    }

    pub mod order {
        #[derive(Clone, PartialEq, Debug)]
        pub enum Kind {
            Pass(super::Pass),
            MoveShips(super::MoveShips),
            Fire(super::Fire),
            Meet(super::Meet),
            Roll(super::Roll),
            Later(super::Pass),
        }
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Pass {}

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct MoveShips {
        pub fleet: Option<Fleet>,
        pub to: String,
        pub stage: i32,
        pub waiting: Vec<u32>,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Fire {
        pub at: u32,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Roll {
        pub die: u32,
        pub count: u32,
        pub rest: Vec<u32>,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Meet {
        pub pair: Vec<u32>,
        pub here: String,
        pub there: String,
    }

    pub mod sheet {
        #[derive(Clone, PartialEq, Debug)]
        pub enum Kind {
            Fire(super::Fire),
        }
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Fleet {
        pub version: u32,
        pub ships: Vec<u32>,
        pub note: String,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Duel {
        pub one: u32,
        pub other: u32,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Crew {
        pub all: bool,
        pub ships: Vec<u32>,
        pub place: String,
        pub but: Vec<u32>,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Build {
        pub count: u32,
        pub names: Vec<String>,
        pub base: String,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Report {
        pub shots: Vec<u32>,
        pub hits: Vec<u32>,
        pub damage: u32,
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Turn {
        pub owner: u32,
        pub ally: u32,
        pub step: Option<turn::Step>,
        pub last: Option<turn::Step>,
    }

    pub mod turn {
        #[derive(Clone, PartialEq, Debug)]
        pub enum Step {
            Shot(u32),
            Rest(super::Rest),
        }
    }

    #[derive(Clone, Default, PartialEq, Debug)]
    pub struct Rest {
        pub kind: Option<rest::Kind>,
    }

    pub mod rest {
        #[derive(Clone, PartialEq, Debug)]
        pub enum Kind {
            Asleep(super::Pass),
            Awake(super::Pass),
        }
    }

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Side {
        Unspecified = 0,
        Attacker = 1,
        Defender = 2,
    }

    impl TryFrom<i32> for Side {
        type Error = ();
        fn try_from(number: i32) -> Result<Self, ()> {
            [Self::Unspecified, Self::Attacker, Self::Defender]
                .get(number as usize)
                .copied()
                .ok_or(())
        }
    }

    impl From<Side> for i32 {
        fn from(side: Side) -> i32 {
            side as i32
        }
    }
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::order::Kind, message = proto::Order)]
enum Order {
    Pass,
    #[wire(name = MoveShips)]
    Move {
        fleet: Fleet,
        #[wire(or_default)]
        to: Place,
        #[wire(part(stage, waiting))]
        stage: Stage,
    },
    #[wire(nested)]
    Battle(Battle),
    Meet {
        pair: [Seat; 2],
        #[wire(each(here, there))]
        places: [Place; 2],
    },
    Roll {
        #[wire(check = one_to_six)]
        die: u8,
        #[wire(part(count, rest), with = counted)]
        all: Vec<u32>,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "every check has this shape")]
fn one_to_six(die: &u8) -> wire::Result<()> {
    if (1..=6).contains(die) { Ok(()) } else { wire::wrong("a die shows 1 to 6") }
}

mod counted {
    use super::{proto, wire};

    #[expect(clippy::unnecessary_wraps, reason = "every part has this shape")]
    pub(crate) fn read_part(message: &proto::Roll) -> wire::Result<Vec<u32>> {
        let mut all = message.rest.clone();
        all.resize(message.count as usize, 0);
        Ok(all)
    }

    pub(crate) fn write_part(all: &[u32], message: &mut proto::Roll) {
        message.count = all.len() as u32;
        message.rest = all.iter().copied().filter(|&number| number > 0).collect();
    }
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::order::Kind, kinds = proto::sheet::Kind)]
enum Battle {
    Fire { at: Option<Seat> },
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(message = proto::Fleet, without(note), always(version = 1), check = some_ship)]
struct Fleet {
    #[wire(most = 2)]
    ships: Vec<ShipNumber>,
}

fn some_ship(fleet: &Fleet) -> wire::Result<()> {
    if fleet.ships.is_empty() { wire::wrong_field("ships", "name a ship") } else { Ok(()) }
}

#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(transparent)]
struct ShipNumber(u8);

#[derive(Wire, Clone, Copy, Default, PartialEq, Debug)]
#[wire(text)]
struct Place(u8);

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "P{}", self.0)
    }
}

impl std::str::FromStr for Place {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, &'static str> {
        text.strip_prefix('P')
            .and_then(|number| number.parse().ok())
            .map(Self)
            .ok_or("there is no such place")
    }
}

#[derive(Wire, Clone, Copy, PartialEq, Debug)]
#[wire(words = proto::Side)]
enum Side {
    #[wire(absent)]
    Attacker,
    Defender,
    #[wire(skip)]
    Nobody,
}

#[derive(Clone, PartialEq, Debug)]
struct Stage {
    side: Side,
    waiting: SeatSet,
}

impl Part<proto::MoveShips> for Stage {
    fn read_part(message: &proto::MoveShips) -> wire::Result<Self> {
        Ok(Self {
            side: wire::field("stage", &message.stage)?,
            waiting: wire::field("waiting", &message.waiting)?,
        })
    }

    fn write_part(&self, message: &mut proto::MoveShips) {
        message.stage = self.side.write();
        message.waiting = self.waiting.write();
    }
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(message = proto::Duel, with(Seat = one_of_two))]
struct Duel {
    #[wire(each(one, other))]
    seats: [Seat; 2],
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(message = proto::Turn, with(Seat = one_of_two))]
struct Turn {
    owner: Seat,
    ally: Option<Seat>,
    #[wire(oneof)]
    step: Step,
    #[wire(oneof)]
    last: Option<Step>,
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::turn::Step, with(Seat = one_of_two))]
enum Step {
    Shot(Seat),
    Rest(Rest),
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(kinds = proto::rest::Kind, message = proto::Rest)]
enum Rest {
    #[wire(absent, message = proto::Pass)]
    Asleep,
    #[wire(message = proto::Pass)]
    Awake,
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(message = proto::Report, most = 2)]
struct Report {
    shots: Arc<Vec<u8>>,
    hits: Vec<u8>,
    damage: u64,
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(choice = proto::Crew, fault = "name all, some, or a place", most = 2)]
enum Crew {
    All,
    Ships(Vec<u8>),
    At {
        place: Place,
        #[wire(name = but)]
        except: Vec<u8>,
    },
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(message = proto::Build)]
struct Build {
    count: u8,
    #[wire(part(names, base))]
    naming: Naming,
}

#[derive(Wire, Clone, PartialEq, Debug)]
#[wire(choice_in = proto::Build, fault = "give names or a base")]
enum Naming {
    #[wire(absent, name = names)]
    Listed(Vec<String>),
    #[wire(name = base)]
    Numbered(String),
}

#[allow(clippy::trivially_copy_pass_by_ref)]
mod one_of_two {
    use heliopause_kernel::Seat;
    use heliopause_kernel::wire::{self, Read};

    pub(crate) fn read(message: &u32) -> wire::Result<Seat> {
        let seat = Seat::read(message)?;
        if seat.index() < 2 { Ok(seat) } else { wire::wrong("two play") }
    }

    pub(crate) fn write(seat: &Seat) -> u32 {
        seat.number()
    }
}

fn a_move() -> proto::MoveShips {
    proto::MoveShips {
        fleet: Some(proto::Fleet { version: 1, ships: vec![3, 4], note: String::new() }),
        to: "P9".into(),
        stage: 2,
        waiting: vec![1, 3],
    }
}

fn order(message: proto::MoveShips) -> proto::Order {
    proto::Order { kind: Some(proto::order::Kind::MoveShips(message)) }
}

fn meeting(pair: &[u32], there: &str) -> proto::Order {
    let meet = proto::Meet { pair: pair.to_vec(), here: "P3".into(), there: there.into() };
    proto::Order { kind: Some(proto::order::Kind::Meet(meet)) }
}

fn roll(die: u32) -> proto::Order {
    proto::Order {
        kind: Some(proto::order::Kind::Roll(proto::Roll { die, count: 3, rest: vec![4, 5] })),
    }
}

fn fault(message: &proto::Order) -> String {
    Order::read(message).expect_err("it is wrong").to_string()
}

#[test]
fn messages_round_trip() {
    let fire = |at| proto::Order { kind: Some(proto::order::Kind::Fire(proto::Fire { at })) };
    let pass = proto::Order { kind: Some(proto::order::Kind::Pass(proto::Pass {})) };
    for message in [order(a_move()), fire(2), fire(0), pass, meeting(&[2, 1], "P4"), roll(6)] {
        let order = Order::read(&message).expect("it is right");
        let written: proto::Order = order.write();
        assert_eq!(written, message, "{order:?}");
    }
    assert_eq!(Order::read(&fire(0)), Ok(Order::Battle(Battle::Fire { at: None })));
}

#[test]
fn an_error_names_its_field_relative_to_the_message() {
    let with = |change: fn(&mut proto::MoveShips)| {
        let mut message = a_move();
        change(&mut message);
        fault(&order(message))
    };
    assert_eq!(
        with(|it| it.fleet.as_mut().unwrap().ships[1] = 256),
        "move_ships.fleet.ships[1]: 256 is out of range; the range is 0 to 255"
    );
    assert_eq!(
        with(|it| it.fleet.as_mut().unwrap().ships.push(5)),
        "move_ships.fleet.ships: 3 items are too many; the maximum is 2"
    );
    assert_eq!(
        with(|it| it.fleet.as_mut().unwrap().ships.clear()),
        "move_ships.fleet.ships: name a ship"
    );
    assert_eq!(with(|it| it.fleet = None), "move_ships.fleet: the value is missing");
    assert_eq!(with(|it| it.to = "Q".into()), "move_ships.to: there is no such place");
    assert_eq!(with(|it| it.stage = 7), "move_ships.stage: the value is missing or unknown");
    assert_eq!(with(|it| it.waiting = vec![0]), "move_ships.waiting[0]: seat 0 does not exist");
}

#[test]
fn an_array_has_exactly_its_items() {
    assert_eq!(fault(&meeting(&[1], "P4")), "meet.pair: expected 2 items");
    assert_eq!(
        fault(&meeting(&[1, 2, 3], "P4")),
        "meet.pair: 3 items are too many; the maximum is 2"
    );
    assert_eq!(fault(&meeting(&[1, 0], "P4")), "meet.pair[1]: seat 0 does not exist");
    assert_eq!(fault(&meeting(&[1, 2], "Q")), "meet.there: there is no such place");
}

#[test]
fn check_functions_reject_values_after_reading() {
    assert_eq!(fault(&roll(7)), "roll.die: a die shows 1 to 6");
    assert_eq!(fault(&roll(300)), "roll.die: 300 is out of range; the range is 0 to 255");
    let Ok(Order::Roll { all, .. }) = Order::read(&roll(1)) else { panic!("it is right") };
    assert_eq!(all, [4, 5, 0]);
}

#[test]
fn skipped_variants_are_written_as_unspecified() {
    assert_eq!([Side::Attacker, Side::Nobody].map(|side| Write::<i32>::write(&side)), [1, 0]);
    assert_eq!(Side::read(&0), Ok(Side::Attacker));
}

#[test]
fn absent_values_are_errors_or_defaults() {
    assert_eq!(fault(&proto::Order::default()), "kind: the value is missing");
    let later = proto::Order { kind: Some(proto::order::Kind::Later(proto::Pass {})) };
    assert_eq!(fault(&later), "kind: the value is missing or unknown");
    let mut message = a_move();
    (message.to, message.stage) = (String::new(), 0);
    let Ok(Order::Move { to, stage, .. }) = Order::read(&order(message)) else {
        panic!("it is right")
    };
    assert_eq!((to, stage.side), (Place(0), Side::Attacker));
}

#[test]
fn nested_kinds_are_those_of_the_same_message() {
    let pass = proto::order::Kind::Pass(proto::Pass {});
    assert_eq!(Battle::read_kind(&pass), None);
    let fire = Battle::Fire { at: Some(Seat::at(1)) };
    let (order, sheet): (proto::order::Kind, proto::sheet::Kind) =
        (fire.write_kind(), fire.write_kind());
    assert_eq!(order, proto::order::Kind::Fire(proto::Fire { at: 2 }));
    assert_eq!(sheet, proto::sheet::Kind::Fire(proto::Fire { at: 2 }));
}

#[test]
fn a_module_reads_all_fields_of_a_type() {
    let shot = |owner, ally, at| {
        let step = Some(proto::turn::Step::Shot(at));
        proto::Turn { owner, ally, last: step.clone().filter(|_| ally > 0), step }
    };
    for message in [shot(1, 0, 2), shot(2, 1, 1)] {
        let turn = Turn::read(&message).expect("it is right");
        let written: proto::Turn = turn.write();
        assert_eq!(written, message, "{turn:?}");
    }
    let fault = |message: proto::Turn| Turn::read(&message).expect_err("it is wrong").to_string();
    assert_eq!(fault(shot(3, 0, 1)), "owner: two play");
    assert_eq!(fault(shot(1, 3, 1)), "ally: two play");
    assert_eq!(fault(shot(1, 0, 3)), "shot: two play");
    assert_eq!(fault(proto::Turn { step: None, ..shot(1, 0, 1) }), "step: the value is missing");
    let duel = proto::Duel { one: 2, other: 1 };
    let written: proto::Duel = Duel::read(&duel).expect("it is right").write();
    assert_eq!(written, duel);
    let fault = Duel::read(&proto::Duel { one: 1, other: 3 }).expect_err("it is wrong").to_string();
    assert_eq!(fault, "other: two play");
}

#[test]
fn an_absent_kind_can_have_a_meaning() {
    assert_eq!(Rest::read(&proto::Rest { kind: None }), Ok(Rest::Asleep));
    let awake: proto::Rest = Rest::Awake.write();
    assert_eq!(Rest::read(&awake), Ok(Rest::Awake));
}

#[test]
fn a_type_can_limit_all_its_lists() {
    let message = proto::Report { shots: vec![1, 2, 3], hits: vec![4, 5], damage: 6 };
    let report = Report::read(&message).expect("it is right");
    assert_eq!(report, Report { shots: vec![1, 2, 3].into(), hits: vec![4, 5], damage: 6 });
    let written: proto::Report = report.write();
    assert_eq!(written, message);
    let written: proto::Report = Report { damage: u64::MAX, ..report }.write();
    assert_eq!(written.damage, u32::MAX, "the value is limited to the maximum of the field");
    let fault =
        Report::read(&proto::Report { hits: vec![4, 5, 6], ..message }).expect_err("it is wrong");
    assert_eq!(fault.to_string(), "hits: 3 items are too many; the maximum is 2");
}

fn crew(all: bool, ships: &[u32], place: &str, but: &[u32]) -> proto::Crew {
    proto::Crew { all, ships: ships.to_vec(), place: place.into(), but: but.to_vec() }
}

#[test]
fn exactly_one_of_several_choices_of_fields_is_given() {
    let given = [
        (crew(true, &[], "", &[]), Crew::All),
        (crew(false, &[1, 2], "", &[]), Crew::Ships(vec![1, 2])),
        (crew(false, &[], "P4", &[]), Crew::At { place: Place(4), except: vec![] }),
        (crew(false, &[], "P4", &[1]), Crew::At { place: Place(4), except: vec![1] }),
    ];
    for (message, crew) in given {
        assert_eq!(Crew::read(&message).as_ref(), Ok(&crew));
        let written: proto::Crew = crew.write();
        assert_eq!(written, message);
    }
    let fault = |message: proto::Crew| Crew::read(&message).expect_err("it is wrong").to_string();
    for message in
        [crew(false, &[], "", &[]), crew(true, &[1], "", &[]), crew(false, &[1], "P4", &[])]
    {
        assert_eq!(fault(message), "name all, some, or a place");
    }
    assert_eq!(
        fault(crew(false, &[1, 2, 3], "", &[])),
        "ships: 3 items are too many; the maximum is 2"
    );
    assert_eq!(
        fault(crew(false, &[300], "", &[])),
        "ships[0]: 300 is out of range; the range is 0 to 255"
    );
    assert_eq!(
        fault(crew(false, &[], "P4", &[1, 2, 3])),
        "but: 3 items are too many; the maximum is 2"
    );
    assert_eq!(fault(crew(false, &[], "", &[1])), "place: there is no such place");
}

#[test]
fn a_choice_can_use_some_fields_of_a_message() {
    let build = |names: &[&str], base: &str| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        proto::Build { count: 3, names, base: base.into() }
    };
    for message in [build(&["a", "b"], ""), build(&[], "fox"), build(&[], "")] {
        let read = Build::read(&message).expect("it is right");
        let written: proto::Build = read.write();
        assert_eq!(written, message, "{read:?}");
    }
    assert_eq!(
        Build::read(&build(&["a"], "fox")).expect_err("it is wrong").to_string(),
        "give names or a base"
    );
}
