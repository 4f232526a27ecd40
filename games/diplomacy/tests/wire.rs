//! Tests of untrusted messages. Impossible values are rejected with the field, without a panic.

use heliopause_diplomacy::{Command, Diplomacy, Options, Order, Variant};
use heliopause_kernel::{Actor, CloseCause, Dice, Game, Seat, Setup, Viewer, Wire};
use heliopause_proto::diplomacy::v1 as proto;

fn game(variant: Variant, players: usize) -> Diplomacy {
    Diplomacy::new(&Setup { options: Options::of(variant), players }, &mut Dice::new([1; 32]))
        .unwrap()
        .0
}

fn orders(game: &Diplomacy, seat: Seat) -> Vec<Order> {
    game.choices(seat).groups.into_iter().flat_map(|group| group.orders).collect()
}

fn fault(variant: Variant, change: impl FnOnce(&mut proto::Table)) -> String {
    let mut message = game(variant, 3).write_position();
    change(message.table.as_mut().unwrap());
    Diplomacy::read_position(&message).unwrap_err().field.into_owned()
}

fn unit(kind: proto::UnitKind, at: &str) -> proto::Unit {
    proto::Unit { kind: kind.into(), at: at.to_owned() }
}

#[test]
fn invalid_positions_are_rejected_by_field() {
    use Variant::{OuterSpace, Standard};
    type Change = fn(&mut proto::Table);
    fn add(table: &mut proto::Table, kind: proto::UnitKind, at: &str) {
        table.powers[0].units.push(unit(kind, at));
    }
    let (colonies, winter) = ("table.powers[0].colonies", proto::Phase::Winter);
    assert_eq!(fault(Standard, |table| table.phase = winter.into()), "", "nobody has to decide");
    let cases: [(Variant, Change, &str); 14] = [
        (Standard, |it| it.players = 8, "table.players"),
        (Standard, |it| add(it, proto::UnitKind::Army, "Bud"), "table.powers[0].units[3].at"),
        (Standard, |it| add(it, proto::UnitKind::Army, "NTH"), "table.powers[0].units[3].at"),
        (Standard, |it| add(it, proto::UnitKind::Fleet, "Spa"), "table.powers[0].units[3].at"),
        (Standard, |it| it.powers[1].seat = 9, "table.powers[1].seat"),
        (Standard, |it| it.powers[1].centers.push("Vie".into()), "table.powers[1].centers"),
        (Standard, |it| it.powers[1].centers.push("Vienna".into()), "table.powers[1].centers[3]"),
        // The standard game has no spacecraft.
        (Standard, |it| it.powers[0].orbit = 1, "table.powers[0].orbit"),
        (Standard, |it| it.powers[0].colonies.push("Vie".into()), colonies),
        (Standard, |it| it.powers[0].eliminated = true, ""),
        (Standard, |it| it.phase = 17, "table.phase"),
        (OuterSpace, |it| it.powers[0].orbit = 4, "table.powers[0].orbit"),
        (OuterSpace, |it| it.powers[0].colonies.push("NTH".into()), colonies),
        (
            OuterSpace,
            |it| it.options.as_mut().expect("options").last_year = Some(7),
            "table.options.last_year",
        ),
    ];
    for (variant, change, field) in cases {
        assert_eq!(fault(variant, change), field);
    }
    assert_eq!(Diplomacy::read_position(&proto::Position::default()).unwrap_err().field, "table");
}

#[test]
fn handwritten_positions_are_accepted() {
    let power = |seat, units: &[&str]| proto::Power {
        seat,
        units: units.iter().map(|at| unit(proto::UnitKind::Army, at)).collect(),
        ..proto::Power::default()
    };
    let options =
        proto::Options { variant: proto::Variant::OuterSpace.into(), ..proto::Options::default() };
    let table = proto::Table {
        options: Some(options),
        powers: vec![power(1, &["Par"]), power(2, &["Mun", "Ber"])],
        ..proto::Table::default()
    };
    let game =
        Diplomacy::read_position(&proto::Position { table: Some(table), sheets: Vec::new() })
            .unwrap();
    assert_eq!((game.table().players, game.progress().as_str()), (2, "Spring 1901, movement"));
    assert_eq!(game.pending().len(), 2);
}

#[test]
fn options_of_another_game_are_rejected_by_field() {
    for edition in &Diplomacy::editions() {
        let message = Diplomacy::write_options(&edition.options);
        let editions = Diplomacy::editions();
        let other = editions.iter().find(|other| other.id != edition.id).unwrap();
        assert_eq!(Diplomacy::read_options_of(other, &message).unwrap_err().field, "variant");
    }
    let large = proto::Options { victory_centers: Some(300), ..proto::Options::default() };
    assert_eq!(Diplomacy::read_options(&large).unwrap_err().field, "victory_centers");
}

#[test]
fn invalid_orders_are_rejected_by_field() {
    use proto::order::Kind;
    let fault =
        |kind| Diplomacy::read_order(&proto::Order { kind }).unwrap_err().field.into_owned();
    assert_eq!(fault(None), "kind");
    assert_eq!(fault(Some(Kind::Hold(proto::Hold { unit: None }))), "hold.unit");
    let wrong = Some(proto::Unit { kind: 9, at: "Par".into() });
    assert_eq!(fault(Some(Kind::Hold(proto::Hold { unit: wrong }))), "hold.unit.kind");
    let case = |unit, retreats: &[&str]| {
        let retreats = retreats.iter().map(|&to| to.to_owned()).collect();
        Some(Kind::IfDislodged(proto::IfDislodged { unit, retreats, disband: false }))
    };
    assert_eq!(fault(case(None, &["Par"])), "if_dislodged.unit");
    let unit = Some(unit(proto::UnitKind::Army, "Bur"));
    assert_eq!(fault(case(unit, &["Par", "Xyz"])), "if_dislodged.retreats[1]");
    let order = proto::Move {
        unit: Some(proto::Unit { kind: 0, at: "Par".into() }),
        to: "Xyz".into(),
        via_convoy: false,
    };
    assert_eq!(fault(Some(Kind::Move(order))), "move.to");
}

#[test]
fn untrusted_events_do_not_panic() {
    let space = game(Variant::OuterSpace, 64);
    let mut crowd = space.clone();
    let mut dice = Dice::new([1; 32]);
    for seat in Seat::first(64) {
        let orders = orders(&crowd, seat);
        crowd
            .submit(Actor::Seat(seat), Command::Order(orders[1 + seat.index() % 50]), &mut dice)
            .unwrap();
    }
    for variant in [Variant::Standard, Variant::OuterSpace] {
        let mut view = game(variant, 2).view(Viewer::Spectator);
        for told in &crowd.clone().close(CloseCause::AllReady, &mut dice) {
            Diplomacy::update(&mut view, &told.event);
        }
        assert_eq!(view.table.year, 1901);
    }
}
