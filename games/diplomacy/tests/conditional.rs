//! Tests of conditional orders (D3.8).

use heliopause_diplomacy::{Conditional, Diplomacy, Event, Insight, Phase, Sheet};
use heliopause_kernel::{Actor, CloseCause, Dice, Emitted, Game, Refusal, Seat, Viewer, Wire};
use serde_json::{Value, json};

const FRANCE: usize = 3;
const GERMANY: usize = 4;

/// Returns a game with units such as `A Bur, F MAO` and centers such as `Par Mar`.
fn game(phase: &str, powers: &[(usize, &str, &str)]) -> Diplomacy {
    let unit = |text: &str| {
        let (letter, at) = text.split_once(' ').unwrap();
        json!({ "kind": if letter == "A" { "UNIT_KIND_ARMY" } else { "UNIT_KIND_FLEET" }, "at": at })
    };
    let power = |&(seat, units, centers): &(usize, &str, &str)| {
        let units: Vec<Value> = units.split(", ").map(unit).collect();
        json!({ "seat": seat, "units": units, "centers": centers.split_whitespace().collect::<Vec<_>>() })
    };
    let powers: Vec<Value> = powers.iter().map(power).collect();
    let options = json!({ "variant": "VARIANT_STANDARD" });
    let table = json!({ "options": options, "players": 7, "phase": phase, "powers": powers });
    let position = json!({ "table": table });
    Diplomacy::read_position(&heliopause_proto::json::from_value(&position).unwrap()).unwrap()
}

fn seat(power: usize) -> Seat {
    Seat::at(power - 1)
}

fn give(game: &mut Diplomacy, power: usize, text: &str) -> Result<(), Refusal> {
    let view = game.view(Viewer::Seat(seat(power)));
    for command in Diplomacy::parse(&view, text).unwrap() {
        game.submit(Actor::Seat(seat(power)), command, &mut Dice::new([0; 32]))?;
    }
    Ok(())
}

fn close(game: &mut Diplomacy) -> Emitted<Event> {
    game.close(CloseCause::Deadline, &mut Dice::new([0; 32]))
}

fn orders(game: &Diplomacy, power: usize) -> Vec<String> {
    game.standing_orders(seat(power)).iter().map(Diplomacy::notate).collect()
}

/// Returns the game after Germany has dislodged the army in Burgundy, for which France has given
/// these orders.
fn dislodged(phase: &str, text: &str) -> (Diplomacy, Emitted<Event>) {
    let units = "A Mun, A Ruh";
    let mut game = game(phase, &[(FRANCE, "A Bur", "Par Mar"), (GERMANY, units, "Mun Kie")]);
    give(&mut game, FRANCE, text).unwrap();
    give(&mut game, GERMANY, "A Mun - Bur\nA Ruh S A Mun - Bur").unwrap();
    let told = close(&mut game);
    (game, told)
}

const SPRING: &str = "PHASE_SPRING_MOVEMENT";
const FALL: &str = "PHASE_FALL_MOVEMENT";

#[test]
fn d3_8_the_first_legal_retreat_is_ordered_and_the_power_is_ready() {
    let (mut game, told) = dislodged(SPRING, "IF A Bur DISLODGED: Mun, Gas, D");
    assert_eq!(game.table().phase, Phase::SpringRetreat);
    assert_eq!(orders(&game, FRANCE), ["A Bur R Gas"], "the attacker came from Munich");
    assert!(game.opens_ready(seat(FRANCE)) && !game.opens_ready(seat(GERMANY)));
    let ordered =
        |viewer| told.to(viewer).filter(|event| matches!(event, Event::Ordered { .. })).count();
    assert_eq!(ordered(Viewer::Seat(seat(FRANCE))), 1);
    for other in [Viewer::Seat(seat(GERMANY)), Viewer::Spectator] {
        assert_eq!(ordered(other), 0, "{other:?}");
    }
    give(&mut game, FRANCE, "A Bur R Pic").unwrap();
    assert_eq!(orders(&game, FRANCE), ["A Bur R Pic"], "it can change until the phase closes");
    game.take_back(seat(FRANCE)).unwrap();
    assert!(orders(&game, FRANCE).is_empty() && !game.opens_ready(seat(FRANCE)));
}

#[test]
fn d3_8_a_unit_is_disbanded_only_if_the_order_says_so() {
    let (disbanded, _) = dislodged(SPRING, "IF A Bur DISLODGED: Mun, D");
    assert_eq!(orders(&disbanded, FRANCE), ["A Bur D"]);
    assert!(disbanded.opens_ready(seat(FRANCE)));
    let (asked, _) = dislodged(SPRING, "IF A Bur DISLODGED: Mun");
    assert!(orders(&asked, FRANCE).is_empty() && !asked.opens_ready(seat(FRANCE)));
}

#[test]
fn d3_8_two_units_do_not_retreat_to_one_province() {
    let german = "A Mun, A Ruh, A Bel, F ENG";
    let french = "A Bur, A Pic";
    let mut game = game(SPRING, &[(FRANCE, french, "Par Mar"), (GERMANY, german, "Mun Kie")]);
    let attack = "A Mun - Bur\nA Ruh S A Mun - Bur\nA Bel - Pic\nF ENG S A Bel - Pic";
    give(&mut game, GERMANY, attack).unwrap();
    let retreats = "IF A Bur DISLODGED: Par, Gas\nIF A Pic DISLODGED: Par, Bre";
    give(&mut game, FRANCE, retreats).unwrap();
    close(&mut game);
    let mut orders = orders(&game, FRANCE);
    orders.sort();
    assert_eq!(orders, ["A Bur R Par", "A Pic R Bre"]);
    assert!(game.opens_ready(seat(FRANCE)));
}

#[test]
fn d3_8_builds_are_ordered_in_sequence() {
    let start = game(FALL, &[(FRANCE, "A Bur", "Par Mar Bre"), (GERMANY, "A Ber", "Mun Kie")]);
    let cases = [
        ("IF BUILDING: F Mar, A Mar, A Par, F Bre", &["BUILD F Mar", "BUILD A Par"][..], true),
        ("IF BUILDING: F Bre, WAIVE", &["BUILD F Bre", "WAIVE"], true),
        ("IF BUILDING: WAIVE", &["WAIVE", "WAIVE"], true),
        ("IF BUILDING: F Bre", &["BUILD F Bre"], false),
        ("IF REMOVING: Bur", &[], false),
    ];
    for (text, expected, is_ready) in cases {
        let mut game = start.clone();
        give(&mut game, FRANCE, text).unwrap();
        close(&mut game);
        assert_eq!(game.table().phase, Phase::Winter);
        assert_eq!(orders(&game, FRANCE), expected, "{text}");
        assert_eq!(game.opens_ready(seat(FRANCE)), is_ready, "{text}");
    }
}

#[test]
fn d3_8_removals_name_where_the_units_are_in_winter() {
    let french = "A Bur, A Gas, F MAO";
    let start = game(FALL, &[(FRANCE, french, "Par"), (GERMANY, "A Ber", "Ber")]);
    for (text, expected, is_ready) in [
        ("IF REMOVING: Pic, Mun, ENG", &["REMOVE A Pic", "REMOVE F ENG"][..], true),
        ("IF REMOVING: Bur, A Pic", &["REMOVE A Pic"], false),
    ] {
        let mut game = start.clone();
        give(&mut game, FRANCE, &format!("A Bur - Pic\nF MAO - ENG\n{text}")).unwrap();
        close(&mut game);
        assert_eq!(orders(&game, FRANCE), expected, "{text}");
        assert_eq!(game.opens_ready(seat(FRANCE)), is_ready, "{text}");
    }
}

#[test]
fn d3_8_adjustments_are_kept_through_the_retreats_of_fall() {
    let given = "IF A Bur DISLODGED: Gas\nIF BUILDING: A Par";
    let (mut game, _) = dislodged(FALL, given);
    assert_eq!(game.table().phase, Phase::FallRetreat);
    assert_eq!(orders(&game, FRANCE), ["A Bur R Gas", "IF BUILDING: A Par"]);
    let mut other = game.clone();
    close(&mut game);
    assert_eq!(orders(&game, FRANCE), ["BUILD A Par"]);
    give(&mut other, FRANCE, "IF BUILDING: A Mar").unwrap();
    close(&mut other);
    assert_eq!(orders(&other, FRANCE), ["BUILD A Mar"]);
    close(&mut other);
    assert_eq!(other.table().phase, Phase::SpringMovement);
    assert!(orders(&other, FRANCE).is_empty());
}

#[test]
fn d3_8_conditional_orders_end_with_the_turn_and_can_be_withdrawn() {
    let start = game(SPRING, &[(FRANCE, "A Bur", "Par"), (GERMANY, "A Ber", "Ber")]);
    let mut kept = start.clone();
    give(&mut kept, FRANCE, "IF A Bur DISLODGED: Gas\nIF Bur DISLODGED: Mar, Par").unwrap();
    assert_eq!(orders(&kept, FRANCE), ["IF Bur DISLODGED: Mar, Par"], "the later order counts");
    let own = kept.view(Viewer::Seat(seat(FRANCE))).insight;
    let shown = |sheet: &Sheet| {
        matches!(sheet.conditionals[..], [Conditional::Dislodged { disband: false, .. }])
    };
    assert!(matches!(&own, Insight::Seat(_, sheet) if shown(sheet)), "{own:?}");
    let mut withdrawn = kept.clone();
    give(&mut withdrawn, FRANCE, "CLEAR").unwrap();
    assert!(withdrawn == start);
    close(&mut kept);
    assert_eq!(kept.table().phase, Phase::FallMovement);
    assert!(orders(&kept, FRANCE).is_empty());
}

#[test]
fn d3_8_impossible_choices_are_refused_by_field() {
    let at = |phase| game(phase, &[(FRANCE, "A Bur, F Gas", "Par"), (GERMANY, "A Ber", "Ber")]);
    let (spring, fall) = (at(SPRING), at(FALL));
    let cases = [
        (&spring, "IF BUILDING: A Par", "wrong-phase", "order"),
        (&spring, "IF A Ber DISLODGED: Pru", "not-yours", "order.unit"),
        (&spring, "IF A Par DISLODGED: D", "no-such-unit", "order.unit"),
        (&spring, "IF A ORB DISLODGED: D", "no-such-unit", "order.unit"),
        (&spring, "IF A Bur DISLODGED: Gas, Ber", "no-retreat", "order.retreats"),
        (&spring, "IF A Bur DISLODGED: ORB", "no-retreat", "order.retreats"),
        (&spring, "IF F Gas DISLODGED: Par", "wrong-terrain", "order.retreats"),
        (&spring, "IF A Bur DISLODGED: Gas, Gas", "bad-choices", "order.retreats"),
        (&spring, "IF A Bur DISLODGED:", "bad-choices", "order.retreats"),
        (&fall, "IF BUILDING: A Par, A Ber", "not-a-home", "order.builds"),
        (&fall, "IF BUILDING: F Par", "wrong-terrain", "order.builds"),
        (&fall, "IF REMOVING: ORB", "not-in-this-game", "order.removals"),
    ];
    for (game, text, reason, field) in cases {
        let mut game = game.clone();
        let refusal = give(&mut game, FRANCE, text).expect_err(text);
        assert_eq!((refusal.reason.as_ref(), refusal.field.as_ref()), (reason, field), "{text}");
    }
    let (mut retreat, _) = dislodged(SPRING, "A Bur H");
    let refusal = give(&mut retreat, FRANCE, "IF A Bur DISLODGED: Gas").unwrap_err();
    assert_eq!(refusal.reason, "wrong-phase");
}
