//! Tests of adjudication without a game: accepted and rejected requests, and their results.

use heliopause_diplomacy::{LINES_MAX, SITUATIONS_MAX, adjudicate};
use heliopause_proto::diplomacy::v1 as proto;
use proto::situation::Phase;

fn unit(text: &str) -> proto::Unit {
    let (letter, at) = text.split_once(' ').expect("a unit");
    let kind = if letter == "A" { proto::UnitKind::Army } else { proto::UnitKind::Fleet };
    proto::Unit { kind: kind.into(), at: at.to_owned() }
}

fn power(seat: u32, units: &[&str]) -> proto::Power {
    proto::Power {
        seat,
        units: units.iter().map(|text| unit(text)).collect(),
        ..proto::Power::default()
    }
}

fn orders(seat: u32, lines: &[&str]) -> proto::PowerOrders {
    proto::PowerOrders { seat, lines: lines.iter().map(ToString::to_string).collect() }
}

fn movement(powers: Vec<proto::Power>, orders: Vec<proto::PowerOrders>) -> proto::Situation {
    let phase = Some(Phase::Movement(proto::MovementPhase { orders }));
    proto::Situation { variant: proto::Variant::Standard.into(), powers, phase }
}

fn in_space(mut situation: proto::Situation) -> proto::Situation {
    situation.variant = proto::Variant::OuterSpace.into();
    situation
}

fn resolve(situation: proto::Situation) -> proto::Resolution {
    let response = adjudicate(&proto::AdjudicateRequest { situations: vec![situation] });
    response.unwrap_or_else(|fault| panic!("{fault}")).resolutions.remove(0)
}

fn refused(situation: proto::Situation) -> String {
    let good = movement(vec![power(3, &["A Par"])], Vec::new());
    let request = proto::AdjudicateRequest { situations: vec![good, situation] };
    adjudicate(&request).expect_err("it is refused").field.into_owned()
}

#[test]
fn results_come_with_their_reasons() {
    let powers = vec![power(3, &["A Par"]), power(4, &["A Mun"])];
    let found =
        resolve(movement(powers, vec![orders(3, &["A Par - Bur"]), orders(4, &["A Mun - Bur"])]));
    let line = &found.lines[0];
    assert_eq!(
        (line.result.as_str(), line.text.as_str()),
        ("bounced", "bounced: 1 against 1 from Mun")
    );
    assert_eq!((line.seat, line.notation.as_str(), line.rule.as_str()), (3, "A Par - Bur", "D4.6"));
    assert!(line.report.is_some());
    assert_eq!(found.contested, ["Bur"]);
    assert_eq!(found.powers.len(), 7, "all powers are told");
}

#[test]
fn d4_e_1_invalid_lines_do_not_affect_others() {
    let powers = vec![power(3, &["A Par", "F Bre"])];
    let lines = ["A Par - Xyz", "A Par - Bur", "F Bre - Par", "what is this", "A Mun H"];
    let found = resolve(movement(powers, vec![orders(3, &lines)]));
    let told: Vec<(&str, &str)> =
        found.lines.iter().map(|line| (line.result.as_str(), line.reason.as_str())).collect();
    let illegal = |reason| ("illegal", reason);
    let expected = [
        illegal("unreadable"),
        ("succeeds", ""),
        illegal("wrong-terrain"),
        illegal("unreadable"),
        illegal("no-such-unit"),
    ];
    assert_eq!(told, expected);
    assert_eq!(found.powers[2].units, [unit("F Bre"), unit("A Bur")]);
}

#[test]
fn r2_an_unreadable_line_keeps_its_army_in_orbit() {
    let empire = proto::Power { orbit: 2, ..power(1, &[]) };
    let lines = ["A ORB - Nowhere", "A ORB - Par", "A ORB - Mun"];
    let found = resolve(in_space(movement(vec![empire], vec![orders(1, &lines)])));
    let told: Vec<&str> = found.lines.iter().map(|line| line.reason.as_str()).collect();
    assert_eq!(told, ["unreadable", "", "too-many-lines"]);
    assert_eq!((found.powers[0].orbit, &found.powers[0].units), (1, &vec![unit("A Par")]));
}

#[test]
fn turns_are_adjudicated_phase_by_phase() {
    let colonies = vec!["Pic".to_owned()];
    let zor = proto::Power { orbit: 2, ..power(1, &["A Bur"]) };
    let vel = proto::Power { colonies, code: "XQ1".into(), ..power(2, &["A Par"]) };
    let lines = ["A ORB - Par", "A Bur S A ORB - Par"];
    let given = vec![orders(1, &lines), orders(2, &["A Par COL"])];
    let moved = resolve(in_space(movement(vec![zor, vel], given)));
    assert_eq!(moved.dislodged[0].retreats, ["Pic", "ORB"]);
    assert_eq!(moved.lines[2].result, "pending");

    let retreats = proto::RetreatPhase {
        dislodged: moved.dislodged.clone(),
        orders: vec![orders(2, &["A Par R Pic"]), orders(1, &["A Par D"])],
    };
    let after = |phase, powers: &[proto::Power]| {
        let variant = proto::Variant::OuterSpace.into();
        proto::Situation { variant, powers: powers.to_vec(), phase: Some(phase) }
    };
    let retreated = resolve(after(Phase::Retreats(retreats), &moved.powers));
    let told: Vec<(&str, &str)> =
        retreated.lines.iter().map(|line| (line.result.as_str(), line.reason.as_str())).collect();
    assert_eq!(told, [("retreats", ""), ("illegal", "not-dislodged")]);
    assert_eq!(retreated.powers[1].units, [unit("A Pic")]);
    assert_eq!(retreated.powers[1].code, "XQ1", "codes are kept");

    let end = proto::TurnEnd { fall: true, attempts: moved.attempts, victory_centers: 1 };
    let ended = resolve(after(Phase::TurnEnd(end), &retreated.powers));
    let report = &ended.turn_ended.as_ref().expect("a turn ended").colonizing[0];
    assert_eq!((report.fault(), report.by), (proto::ColonizeFault::Occupied, 1));
    assert_eq!(ended.powers[0].centers, ["Par"]);
    let ending = ended.ending.expect("one center wins");
    assert_eq!((ending.reason(), ending.winners), (proto::EndReason::Centers, vec![1]));

    let winter =
        proto::AdjustmentPhase { orders: vec![orders(1, &["REMOVE A ORB", "WAIVE", "REMOVE"])] };
    let adjusted = resolve(after(Phase::Adjustments(winter), &ended.powers));
    let told: Vec<(u32, &str)> =
        adjusted.lines.iter().map(|line| (line.seat, line.result.as_str())).collect();
    assert_eq!(
        told,
        [(1, "removed"), (1, "fails"), (1, "illegal"), (1, "removed"), (2, "removed")]
    );
    assert_eq!((adjusted.lines[3].line.as_str(), adjusted.lines[3].rule.as_str()), ("", "4.D.8"));
    assert_eq!(adjusted.eliminated, [2]);
    assert_eq!(adjusted.ending.expect("one is left").winners, [1]);
}

#[test]
fn invalid_situations_are_rejected_by_field() {
    let good = || movement(vec![power(3, &["A Par"])], vec![orders(3, &["A Par H"])]);
    let wrong = |change: fn(&mut proto::Situation)| {
        let mut situation = good();
        change(&mut situation);
        let field = refused(situation);
        field.strip_prefix("situations[1].").unwrap_or_else(|| panic!("{field}")).to_owned()
    };
    assert_eq!(wrong(|s| s.phase = None), "phase");
    assert_eq!(wrong(|s| s.variant = 9), "variant");
    assert_eq!(wrong(|s| s.powers[0].seat = 8), "powers[0].seat");
    assert_eq!(wrong(|s| s.powers.push(power(3, &[]))), "powers[1].seat");
    assert_eq!(wrong(|s| s.powers[0].units.push(unit("A Par"))), "powers[0].units[1].at");
    assert_eq!(wrong(|s| s.powers[0].units[0].at = "NTH".into()), "powers[0].units[0].at");
    assert_eq!(wrong(|s| s.powers[0].units[0].kind = 0), "powers[0].units[0].kind");
    assert_eq!(wrong(|s| s.powers[0].centers.push("Bur".into())), "powers[0].centers");
    assert_eq!(wrong(|s| s.powers[0].colonies.push("Bur".into())), "powers[0].colonies");
    assert_eq!(wrong(|s| s.powers[0].orbit = 1), "powers[0].orbit");
    assert_eq!(wrong(|s| s.powers[0].code = "4".into()), "powers[0].code");
    assert_eq!(wrong(|s| s.powers[0].code = "GER".into()), "powers");
    assert_eq!(wrong(|s| s.powers[0].eliminated = true), "powers");
    let lines = |change: fn(&mut proto::PowerOrders)| {
        let mut given = orders(3, &["A Par H"]);
        change(&mut given);
        refused(movement(vec![power(3, &["A Par"])], vec![orders(4, &[]), given]))
    };
    assert_eq!(lines(|o| o.seat = 0), "situations[1].movement.orders[1].seat");
    assert_eq!(lines(|o| o.seat = 4), "situations[1].movement.orders[1].seat");
    assert_eq!(
        lines(|o| o.lines = vec![String::new(); LINES_MAX + 1]),
        "situations[1].movement.orders[1].lines"
    );
    assert_eq!(
        lines(|o| o.lines.push("x".repeat(201))),
        "situations[1].movement.orders[1].lines[1]"
    );
    let end = proto::TurnEnd { victory_centers: 35, ..proto::TurnEnd::default() };
    let situation = proto::Situation { phase: Some(Phase::TurnEnd(end)), ..good() };
    assert_eq!(refused(situation), "situations[1].turn_end.victory_centers");
    assert_eq!(refused(in_space(movement(Vec::new(), Vec::new()))), "situations[1].powers");
}

#[test]
fn calls_have_a_size_limit() {
    let one = movement(vec![power(3, &["A Par"])], Vec::new());
    let count = |count: usize| {
        adjudicate(&proto::AdjudicateRequest { situations: vec![one.clone(); count] })
    };
    assert_eq!(count(0).expect_err("none").field, "situations");
    assert_eq!(count(SITUATIONS_MAX + 1).expect_err("too many").field, "situations");
    assert_eq!(
        count(SITUATIONS_MAX).expect("as many as are taken").resolutions.len(),
        SITUATIONS_MAX
    );
}

#[test]
fn dislodged_units_are_checked() {
    let dislodged = |to: &str| proto::Dislodged {
        unit: Some(proto::OwnedUnit { seat: 3, unit: Some(unit("A Par")) }),
        by: 4,
        attacked_from: "Bur".into(),
        retreats: vec![to.to_owned()],
        ..proto::Dislodged::default()
    };
    let situation = |to: &str| proto::Situation {
        phase: Some(Phase::Retreats(proto::RetreatPhase {
            dislodged: vec![dislodged(to)],
            orders: Vec::new(),
        })),
        ..movement(vec![power(4, &["A Par"])], Vec::new())
    };
    assert_eq!(refused(situation("Mos")), "situations[1].retreats.dislodged");
    assert_eq!(refused(situation("ORB")), "situations[1].retreats.dislodged");
    assert_eq!(resolve(situation("Pic")).retreats.len(), 1);
}
