//! Tests that every result has a reason and a rule.

use crate::common;

use common::{Lines, orders, position};
use heliopause_diplomacy::{
    Against, Barred, Fault, Movement, Origin, Outcome, Place, Province, Report,
};

fn lines(of: &[(&str, &[&str])]) -> Lines {
    of.iter()
        .map(|(power, lines)| {
            ((*power).to_owned(), lines.iter().map(|&line| line.to_owned()).collect())
        })
        .collect()
}

/// Returns the results of orders. Each unit is at the place that its order names.
fn reports(of: &[(&str, &[&str])]) -> Vec<Report> {
    let unit = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let units: Lines = lines(of)
        .into_iter()
        .map(|(power, lines)| (power, lines.iter().map(|line| unit(line)).collect()))
        .collect();
    let (position, orders) = (position(&units), orders(&lines(of)));
    Movement::resolve(&position, &orders).reports(&orders)
}

fn province(text: &str) -> Province {
    text.parse::<Province>().unwrap()
}

fn from(text: &str) -> Origin {
    Origin::Earth(province(text))
}

#[test]
fn d4_4_bounces_off_the_holder() {
    let reports = reports(&[
        ("France", &["A Par - Bur", "A Mar S A Par - Bur"]),
        ("Germany", &["A Bur H", "A Mun S A Bur"]),
    ]);
    assert_eq!(reports[0].outcome, Outcome::Bounced { attack: 2, against: Against::Holder(2) });
    assert_eq!(reports[0].helpers.counted.len(), 1);
    assert_eq!((reports[0].outcome.rule(), reports[2].outcome), ("D4.4", Outcome::Holds));
}

#[test]
fn d4_6_bounces_off_a_rival() {
    let reports = reports(&[
        ("France", &["A Par - Bur"]),
        ("Germany", &["A Mun - Bur", "A Ruh S A Mun - Bur"]),
    ]);
    let against = Against::Rival { origin: from("Mun"), strength: 2 };
    assert_eq!(
        (reports[0].outcome, reports[0].outcome.rule()),
        (Outcome::Bounced { attack: 1, against }, "D4.6")
    );
    assert_eq!(reports[1].outcome, Outcome::Succeeds { in_a_ring: false });
}

#[test]
fn d4_2_bounces_head_to_head() {
    let reports = reports(&[("France", &["A Par - Bur"]), ("Germany", &["A Bur - Par"])]);
    let outcome = Outcome::Bounced { attack: 1, against: Against::HeadToHead(1) };
    assert_eq!(
        (reports[0].outcome, reports[1].outcome, outcome.rule()),
        (outcome, outcome, "D4.2")
    );
}

#[test]
fn d4_5_own_units_are_not_dislodged() {
    let own = reports(&[("France", &["A Par - Bur", "A Mar S A Par - Bur", "A Bur H"])]);
    assert_eq!(own[0].outcome, Outcome::Bounced { attack: 0, against: Against::OwnUnit });
    let foreign =
        reports(&[("France", &["A Par - Bur"]), ("Germany", &["A Mun S A Par - Bur", "A Bur H"])]);
    assert_eq!(foreign[0].outcome, Outcome::Bounced { attack: 1, against: Against::Holder(1) });
    assert!(foreign[0].helpers.barred.contains(province("Mun")));
    assert_eq!(foreign[1].outcome, Outcome::Given);
}

#[test]
fn d4_7_cut_supports_name_the_attacker() {
    let reports = reports(&[
        ("France", &["A Par - Bur", "A Mar S A Par - Bur"]),
        ("Germany", &["A Bur H"]),
        ("Italy", &["A Pie - Mar"]),
    ]);
    assert_eq!(reports[1].outcome, Outcome::Cut { by: from("Pie"), dislodged: false });
    assert!(reports[0].helpers.cut.contains(province("Mar")));
}

#[test]
fn d3_7_void_supports_say_what_happened_instead() {
    let reports = reports(&[("France", &["A Par S A Mar - Bur", "A Mar - Gas"])]);
    let instead = Some(Place::Earth(province("Gas").node()));
    assert_eq!(
        (reports[0].outcome, reports[0].outcome.rule()),
        (Outcome::Void { instead }, "D3.7")
    );
}

#[test]
fn d4_8_a_broken_convoy_names_its_fleet() {
    let reports = reports(&[
        ("England", &["A Lon - Bel", "F NTH C A Lon - Bel"]),
        ("Germany", &["F HEL - NTH", "F Den S F HEL - NTH"]),
    ]);
    assert_eq!(reports[0].outcome, Outcome::NoConvoy { lost: Some(province("NTH")) });
    assert_eq!(reports[1].outcome, Outcome::Disrupted { by: from("HEL") });
    assert!(reports[1].dislodged);
}

#[test]
fn d4_9_rings_are_reported() {
    let reports = reports(&[("Turkey", &["F Ank - Con", "A Con - Smy", "A Smy - Ank"])]);
    assert!(reports.iter().all(|report| report.outcome == Outcome::Succeeds { in_a_ring: true }));
}

#[test]
fn datc_4_a_2_paradoxes_are_reported() {
    // 6.F.14: the convoyed army would cut the support and thus save the fleet.
    let reports = reports(&[
        ("England", &["F Lon S F Wal - ENG", "F Wal - ENG"]),
        ("France", &["A Bre - Lon", "F ENG C A Bre - Lon"]),
    ]);
    assert_eq!(reports[2].outcome.name(), "no-convoy");
    assert_eq!(reports[3].outcome, Outcome::Disrupted { by: from("Wal") });
    assert_eq!(Outcome::Paradox.rule(), "4.A.2");
}

#[test]
fn datc_4_e_1_illegal_orders_name_their_fault() {
    let reports = reports(&[(
        "France",
        &["A Par - Mun", "F Bre - Par", "A Mar S A Par - Pic", "F MAO - Spa"],
    )]);
    let faults: Vec<Outcome> = reports.iter().map(|report| report.outcome).collect();
    let expected =
        [Fault::NotAdjacent, Fault::WrongTerrain, Fault::CannotReachSupported, Fault::CoastMissing]
            .map(Outcome::Illegal);
    assert_eq!(faults, expected);
}

#[test]
fn d7_barred_retreats_have_a_reason() {
    let of: &[(&str, &[&str])] = &[
        ("Austria", &["A Vie H", "A Bud H"]),
        ("Germany", &["A Boh - Vie", "A Tyr S A Boh - Vie"]),
        ("Russia", &["A War - Gal", "A Ukr - Gal"]),
    ];
    let unit = |line: &str| line.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let units: Lines = lines(of)
        .into_iter()
        .map(|(power, lines)| (power, lines.iter().map(|line| unit(line)).collect()))
        .collect();
    let (position, orders) = (position(&units), orders(&lines(of)));
    let after = Movement::resolve(&position, &orders).aftermath();
    let [dislodged] = &after.dislodged[..] else { panic!("one unit is dislodged") };
    let bar = |text: &str| after.bar(dislodged, province(text));
    assert_eq!(bar("Bud"), Some(Barred::Occupied));
    assert_eq!(bar("Boh"), Some(Barred::AttackersOrigin));
    assert_eq!(bar("Gal"), Some(Barred::Contested));
    assert_eq!(bar("Tri"), None);
}

/// 4.B.4 to 4.B.6: a coast matters only if the support is for a fleet's move.
#[test]
fn datc_4b_support_of_a_fleet_names_a_coast_that_the_fleet_can_reach() {
    let outcomes = |support: &str, supported: &str| {
        let of = reports(&[("France", &[support, supported]), ("Italy", &["F WES - Spa/sc"])]);
        (of[0].outcome, of[1].outcome)
    };
    let goes = |outcome| matches!(outcome, Outcome::Succeeds { .. });
    let (support, fleet) = outcomes("A Mar S F Gas - Spa/nc", "F Gas - Spa/nc");
    assert!(support == Outcome::Given && goes(fleet), "{support:?} {fleet:?}");
    let (support, fleet) = outcomes("A Mar S F Gas - Spa/sc", "F Gas - Spa/nc");
    let illegal = Outcome::Illegal(Fault::SupportedMoveImpossible);
    assert!(support == illegal && !goes(fleet), "{support:?} {fleet:?}");
    let (support, army) = outcomes("F Por S A Gas - Spa/nc", "A Gas - Spa");
    assert!(support == Outcome::Given && goes(army), "{support:?} {army:?}");
    let (support, fleet) = outcomes("A Mar S F Por - Spa/nc", "F Por - Spa/sc");
    assert!(support != Outcome::Given && !goes(fleet), "{support:?} {fleet:?}");
}
