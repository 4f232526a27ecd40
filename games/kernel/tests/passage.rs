//! The derived conversions, and errors that name their field.

use std::sync::Arc;

use heliopause_kernel::wire::{self, Kind, Part, Read, Wire, Write};
use heliopause_kernel::{Seat, SeatSet};

mod proto {
    #![allow(unreachable_pub)]

    /// Defines messages as the code generator does.
    macro_rules! messages {
        ($($name:ident { $($field:ident: $type:ty),* })+) => {$(
            #[derive(Clone, Default, PartialEq, Debug)]
            pub struct $name {
                $(pub $field: $type),*
            }
        )+};
    }

    /// Defines oneofs as the code generator does, each in the module of its message.
    macro_rules! oneofs {
        ($($module:ident::$name:ident { $($kind:ident($message:ty)),+ })+) => {$(
            pub mod $module {
                #[derive(Clone, PartialEq, Debug)]
                pub enum $name {
                    $($kind($message)),+
                }
            }
        )+};
    }

    messages! {
        Order { kind: Option<order::Kind> }
        Pass {}
        MoveShips { fleet: Option<Fleet>, to: String, stage: i32, waiting: Vec<u32> }
        Fire { at: u32 }
        Roll { die: u32, count: u32, rest: Vec<u32> }
        Meet { pair: Vec<u32>, here: String, there: String }
        Fleet { version: u32, ships: Vec<u32>, note: String }
        Duel { one: u32, other: u32 }
        Crew { all: bool, ships: Vec<u32>, place: String, but: Vec<u32> }
        Build { count: u32, names: Vec<String>, base: String }
        Report { shots: Vec<u32>, hits: Vec<u32>, damage: u32 }
        Turn { owner: u32, ally: u32, step: Option<turn::Step>, last: Option<turn::Step> }
        Rest { kind: Option<rest::Kind> }
    }

    oneofs! {
        order::Kind {
            Pass(super::Pass), MoveShips(super::MoveShips), Fire(super::Fire), Meet(super::Meet),
            Roll(super::Roll), Later(super::Pass)
        }
        sheet::Kind { Fire(super::Fire) }
        turn::Step { Shot(u32), Rest(super::Rest) }
        rest::Kind { Asleep(super::Pass), Awake(super::Pass) }
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

fn fault_of<T: Read<M> + std::fmt::Debug, M>(message: &M) -> String {
    T::read(message).expect_err("it is wrong").to_string()
}

fn fault(message: &proto::Order) -> String {
    fault_of::<Order, _>(message)
}

/// Checks that a message is read, and written back the same.
fn round_trips<T: Read<M> + Write<M> + std::fmt::Debug, M: PartialEq + std::fmt::Debug>(
    message: &M,
) {
    let read = T::read(message).expect("it is right");
    assert_eq!(read.write(), *message, "{read:?}");
}

#[test]
fn messages_round_trip() {
    let fire = |at| proto::Order { kind: Some(proto::order::Kind::Fire(proto::Fire { at })) };
    let pass = proto::Order { kind: Some(proto::order::Kind::Pass(proto::Pass {})) };
    for message in [order(a_move()), fire(2), fire(0), pass, meeting(&[2, 1], "P4"), roll(6)] {
        round_trips::<Order, _>(&message);
    }
    assert_eq!(Order::read(&fire(0)), Ok(Order::Battle(Battle::Fire { at: None })));
}

#[test]
fn an_error_names_its_field_relative_to_the_message() {
    type Change = fn(&mut proto::MoveShips);
    fn ships(message: &mut proto::MoveShips) -> &mut Vec<u32> {
        &mut message.fleet.as_mut().expect("a fleet").ships
    }
    let faults: [(Change, &str); 7] = [
        (|it| ships(it)[1] = 256, "fleet.ships[1]: 256 is out of range; the range is 0 to 255"),
        (|it| ships(it).push(5), "fleet.ships: 3 items are too many; the maximum is 2"),
        (|it| ships(it).clear(), "fleet.ships: name a ship"),
        (|it| it.fleet = None, "fleet: the value is missing"),
        (|it| it.to = "Q".into(), "to: there is no such place"),
        (|it| it.stage = 7, "stage: the value is missing or unknown"),
        (|it| it.waiting = vec![0], "waiting[0]: seat 0 does not exist"),
    ];
    for (change, expected) in faults {
        let mut message = a_move();
        change(&mut message);
        assert_eq!(fault(&order(message)), format!("move_ships.{expected}"));
    }
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
    round_trips::<Turn, _>(&shot(1, 0, 2));
    round_trips::<Turn, _>(&shot(2, 1, 1));
    for (message, fault) in [
        (shot(3, 0, 1), "owner: two play"),
        (shot(1, 3, 1), "ally: two play"),
        (shot(1, 0, 3), "shot: two play"),
        (proto::Turn { step: None, ..shot(1, 0, 1) }, "step: the value is missing"),
    ] {
        assert_eq!(fault_of::<Turn, _>(&message), fault);
    }
    round_trips::<Duel, _>(&proto::Duel { one: 2, other: 1 });
    let duel = proto::Duel { one: 1, other: 3 };
    assert_eq!(fault_of::<Duel, _>(&duel), "other: two play");
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
    round_trips::<Report, _>(&message);
    let written: proto::Report = Report { damage: u64::MAX, ..report }.write();
    assert_eq!(written.damage, u32::MAX, "the value is limited to the maximum of the field");
    let fault = fault_of::<Report, _>(&proto::Report { hits: vec![4, 5, 6], ..message });
    assert_eq!(fault, "hits: 3 items are too many; the maximum is 2");
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
        round_trips::<Crew, _>(&message);
    }
    for (message, fault) in [
        (crew(false, &[], "", &[]), "name all, some, or a place"),
        (crew(true, &[1], "", &[]), "name all, some, or a place"),
        (crew(false, &[1], "P4", &[]), "name all, some, or a place"),
        (crew(false, &[1, 2, 3], "", &[]), "ships: 3 items are too many; the maximum is 2"),
        (crew(false, &[300], "", &[]), "ships[0]: 300 is out of range; the range is 0 to 255"),
        (crew(false, &[], "P4", &[1, 2, 3]), "but: 3 items are too many; the maximum is 2"),
        (crew(false, &[], "", &[1]), "place: there is no such place"),
    ] {
        assert_eq!(fault_of::<Crew, _>(&message), fault);
    }
}

#[test]
fn a_choice_can_use_some_fields_of_a_message() {
    let build = |names: &[&str], base: &str| {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        proto::Build { count: 3, names, base: base.into() }
    };
    for message in [build(&["a", "b"], ""), build(&[], "fox"), build(&[], "")] {
        round_trips::<Build, _>(&message);
    }
    assert_eq!(fault_of::<Build, _>(&build(&["a"], "fox")), "give names or a base");
}
