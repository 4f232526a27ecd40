//! The test cases of the DATC, and a few more: each is a test of its own number.

use crate::common;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use common::{Lines, POWERS, orders, read_lines, seat, sorted, sorted_list, written};
use heliopause_diplomacy::{
    Adjusted, Aftermath, Fate, Given, Movement, Order, Outcome, Position, Province, adjust,
    resolve_retreats,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    id: String,
    title: String,
    units: Lines,
    centers: Option<Lines>,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    phase: String,
    orders: Lines,
    expect: Expected,
}

#[derive(Deserialize)]
struct Expected {
    units: Lines,
    #[serde(default)]
    dislodged: Vec<common::Driven>,
    #[serde(default)]
    moves: BTreeMap<String, bool>,
    #[serde(default)]
    info: BTreeMap<String, String>,
    #[serde(default)]
    disbanded: Vec<String>,
    #[serde(default)]
    results: Vec<Line>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Line {
    power: String,
    order: String,
    result: String,
}

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| read_lines(include_str!("data/cases.jsonl")));

/// Plays a case through and compares every step.
fn check(id: &str) {
    let case = CASES.iter().find(|case| case.id == id).expect("a recorded case");
    let mut position = common::position(&case.units);
    for (power, centers) in case.centers.iter().flatten() {
        for center in centers {
            position.centers[center.parse::<Province>().expect("a center").index()] =
                Some(seat(power));
        }
    }
    let mut after = None;
    for step in &case.steps {
        let title = format!("{id} {}: {}", case.title, step.phase);
        match step.phase.as_str() {
            "movement" => after = Some(movement(&mut position, step, &title)),
            "retreat" => {
                retreat(&mut position, &after.take().expect("movement comes first"), step, &title);
            }
            _ => adjustment(&mut position, step, &title),
        }
        assert_eq!(written(&position), sorted(step.expect.units.clone()), "{title}");
    }
}

fn movement(position: &mut Position, step: &Step, title: &str) -> Aftermath {
    let orders = orders(&step.orders);
    let before = position.clone();
    let movement = Movement::resolve(&before, &orders);
    let after = movement.aftermath();
    let texts: Vec<&String> = step.orders.values().flatten().collect();
    for (report, text) in movement.reports(&orders).iter().zip(texts) {
        if let Order::Move { .. } = report.given.order {
            let succeeds = matches!(report.outcome, Outcome::Succeeds { .. });
            assert_eq!(succeeds, step.expect.moves[text], "{title}: {text} {:?}", report.outcome);
        }
        let expected = step.expect.info[text].as_str();
        let found = report.outcome.name();
        // Of supports and convoys it does not matter whether they are called void or illegal.
        let alike = ["void", "illegal"];
        assert!(
            found == expected || alike.contains(&found) && alike.contains(&expected),
            "{title}: {text} {found}"
        );
    }
    let mut found: Vec<_> = after
        .dislodged
        .iter()
        .map(|one| {
            let retreats: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
            (
                POWERS[one.unit.owner.index()].to_owned(),
                one.unit.to_string(),
                one.from.map(|from| from.to_string()),
                sorted_list(&retreats),
            )
        })
        .collect();
    let mut expected: Vec<_> = step
        .expect
        .dislodged
        .iter()
        .map(|one| {
            let by = one.by.split('/').next().map(str::to_owned);
            (one.power.clone(), one.unit.clone(), by, sorted_list(&one.retreats))
        })
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{title}");
    *position = after.position.clone();
    after
}

fn retreat(position: &mut Position, after: &Aftermath, step: &Step, title: &str) {
    let fates = resolve_retreats(position, &after.dislodged, &orders(&step.orders));
    let gone =
        after.dislodged.iter().zip(&fates).filter(|(_, fate)| !matches!(fate, Fate::Retreated(_)));
    let gone: Vec<String> =
        gone.map(|(one, _)| format!("{} {}", POWERS[one.unit.owner.index()], one.unit)).collect();
    assert_eq!(sorted_list(&gone), sorted_list(&step.expect.disbanded), "{title}");
}

fn adjustment(position: &mut Position, step: &Step, title: &str) {
    let mut lines = Vec::new();
    let empty = Vec::new();
    for power in POWERS {
        let texts = step.orders.get(power).unwrap_or(&empty);
        let one = Lines::from([(power.to_owned(), texts.clone())]);
        let given: Vec<Given> = orders(&one);
        let (results, automatic) = adjust(position, seat(power), &given);
        let line = |order: &str, result: String| Line {
            power: power.to_owned(),
            order: order.to_owned(),
            result,
        };
        lines.extend(texts.iter().zip(&results).map(|(text, result)| line(text, name(*result))));
        lines.extend(automatic.iter().map(|result| match result {
            Adjusted::Removed(kind, at) => {
                line("(civil disorder)", format!("removed {} {at}", kind.as_str()))
            }
            other => panic!("{title}: {other:?}"),
        }));
    }
    assert_eq!(lines, step.expect.results, "{title}");
}

fn name(result: Adjusted) -> String {
    match result {
        Adjusted::Built(_) => "built",
        Adjusted::Removed(..) => "removed",
        Adjusted::Waived => "waived",
        Adjusted::Fails(_) => "fails",
    }
    .to_owned()
}

/// One test a case.
macro_rules! cases {
    ($($test:ident: $id:literal;)+) => {
        $(#[test]
        fn $test() {
            check($id);
        })+

        #[test]
        fn every_case_is_a_test() {
            let known: Vec<&str> = CASES.iter().map(|case| case.id.as_str()).collect();
            assert_eq!(known, [$($id),+]);
        }
    };
}

cases! {
    datc_6_a_1_moving_to_an_area_that_is_not_a_neighbour: "6.A.1";
    datc_6_a_2_move_army_to_sea: "6.A.2";
    datc_6_a_3_move_fleet_to_land: "6.A.3";
    datc_6_a_4_move_to_own_sector: "6.A.4";
    datc_6_a_5_move_to_own_sector_with_convoy: "6.A.5";
    datc_6_a_6_ordering_a_unit_of_another_country: "6.A.6";
    datc_6_a_7_only_armies_can_be_convoyed: "6.A.7";
    datc_6_a_8_support_to_hold_yourself_is_not_possible: "6.A.8";
    datc_6_a_9_fleets_must_follow_coast_if_not_on_sea: "6.A.9";
    datc_6_a_10_support_on_unreachable_destination_not_possible: "6.A.10";
    datc_6_a_11_simple_bounce: "6.A.11";
    datc_6_a_12_bounce_of_three_units: "6.A.12";
    datc_6_b_1_moving_with_unspecified_coast_when_coast_is_necessary: "6.B.1";
    datc_6_b_2_moving_with_unspecified_coast_when_coast_is_not_necessary: "6.B.2";
    datc_6_b_3_moving_with_wrong_coast_when_coast_is_not_necessary: "6.B.3";
    datc_6_b_5_support_from_unreachable_coast_not_allowed: "6.B.5";
    datc_6_b_7_supporting_own_unit_with_unspecified_coast: "6.B.7";
    datc_6_b_8_supporting_with_unspecified_coast_when_only_one_coast_is_possible: "6.B.8";
    datc_6_b_10_unit_ordered_with_wrong_coast: "6.B.10";
    datc_6_b_12_army_movement_with_coastal_specification: "6.B.12";
    datc_6_b_14_building_with_unspecified_coast: "6.B.14";
    datc_6_c_1_three_army_circular_movement: "6.C.1";
    datc_6_c_2_three_army_circular_movement_with_support: "6.C.2";
    datc_6_c_3_a_disrupted_three_army_circular_movement: "6.C.3";
    datc_6_c_5_a_disrupted_circular_movement_due_to_dislodged_convoy: "6.C.5";
    datc_6_c_6_two_armies_with_two_convoys: "6.C.6";
    datc_6_c_8_no_self_dislodgement_in_disrupted_circular_movement: "6.C.8";
    datc_6_d_1_supported_hold_can_prevent_dislodgement: "6.D.1";
    datc_6_d_2_a_move_cuts_support_on_hold: "6.D.2";
    datc_6_d_4_support_to_hold_on_unit_supporting_a_hold_allowed: "6.D.4";
    datc_6_d_5_support_to_hold_on_unit_supporting_a_move_allowed: "6.D.5";
    datc_6_d_6_support_to_hold_on_convoying_unit_allowed: "6.D.6";
    datc_6_d_9_support_to_move_on_holding_unit_not_allowed: "6.D.9";
    datc_6_d_10_self_dislodgment_prohibited: "6.D.10";
    datc_6_d_11_no_self_dislodgment_of_returning_unit: "6.D.11";
    datc_6_d_12_supporting_a_foreign_unit_to_dislodge_own_unit_prohibited: "6.D.12";
    datc_6_d_14_supporting_a_foreign_unit_is_not_enough_to_prevent_dislodgement: "6.D.14";
    datc_6_d_15_defender_cannot_cut_support_for_attack_on_itself: "6.D.15";
    datc_6_d_18_a_surviving_unit_will_sustain_support: "6.D.18";
    datc_6_d_22_impossible_fleet_move_cannot_be_supported: "6.D.22";
    datc_6_d_24_impossible_army_move_cannot_be_supported: "6.D.24";
    datc_6_d_25_failing_hold_support_can_be_supported: "6.D.25";
    datc_6_d_27_failing_convoy_can_be_supported: "6.D.27";
    datc_6_d_28_impossible_move_and_support: "6.D.28";
    datc_6_d_30_move_without_coast_and_support: "6.D.30";
    datc_6_d_33_unwanted_support_allowed: "6.D.33";
    datc_6_e_1_dislodged_unit_has_no_effect_on_attacker_s_area: "6.E.1";
    datc_6_e_2_no_self_dislodgement_in_head_to_head_battle: "6.E.2";
    datc_6_e_4_non_dislodged_loser_still_has_effect: "6.E.4";
    datc_6_e_6_not_dislodge_because_of_own_support_still_has_effect: "6.E.6";
    datc_6_e_7_no_self_dislodgement_with_beleaguered_garrison: "6.E.7";
    datc_6_e_9_almost_self_dislodgement_with_beleaguered_garrison: "6.E.9";
    datc_6_e_12_support_on_attack_on_own_unit_can_be_used_for_other_means: "6.E.12";
    datc_6_e_13_three_way_beleaguered_garrison: "6.E.13";
    datc_6_e_14_illegal_head_to_head_battle_can_still_defend: "6.E.14";
    datc_6_f_1_no_convoy_in_coastal_areas: "6.F.1";
    datc_6_f_2_an_army_being_convoyed_can_bounce_as_normal: "6.F.2";
    datc_6_f_3_an_army_being_convoyed_can_receive_support: "6.F.3";
    datc_6_f_4_an_attacked_convoy_is_not_disrupted: "6.F.4";
    datc_6_f_7_dislodged_convoy_does_not_cause_contested_area: "6.F.7";
    datc_6_f_9_dislodge_of_multi_route_convoy: "6.F.9";
    datc_6_f_10_dislodge_of_multi_route_convoy_with_foreign_fleet: "6.F.10";
    datc_6_f_12_dislodged_convoying_fleet_not_on_route: "6.F.12";
    datc_6_f_14_simple_convoy_paradox: "6.F.14";
    datc_6_f_16_pandin_s_paradox: "6.F.16";
    datc_6_f_19_multi_route_convoy_disruption_paradox: "6.F.19";
    datc_6_f_20_unwanted_multi_route_convoy_paradox: "6.F.20";
    datc_6_f_22_second_order_paradox_with_two_resolutions: "6.F.22";
    datc_6_g_1_two_units_can_swap_provinces_by_convoy: "6.G.1";
    datc_6_g_3_an_unwanted_disrupted_convoy_to_adjacent_province: "6.G.3";
    datc_6_g_5_swapping_with_multiple_fleets_with_one_own_fleet: "6.G.5";
    datc_6_g_7_swapping_with_illegal_intent: "6.G.7";
    datc_6_g_9_swapped_or_dislodged: "6.G.9";
    datc_6_g_11_a_convoy_to_an_adjacent_province_with_a_paradox: "6.G.11";
    datc_6_g_12_swapping_two_units_with_two_convoys: "6.G.12";
    datc_6_g_14_bounce_by_convoy_to_adjacent_province: "6.G.14";
    datc_6_g_16_the_two_unit_in_one_area_bug_moving_by_convoy: "6.G.16";
    datc_6_g_18_the_two_unit_in_one_area_bug_with_double_convoy: "6.G.18";
    datc_6_g_20_explicit_convoy_to_adjacent_province_disrupted: "6.G.20";
    datc_6_h_1_no_supports_during_retreat: "6.H.1";
    datc_6_h_2_no_supports_from_retreating_unit: "6.H.2";
    datc_6_h_4_no_other_moves_during_retreat: "6.H.4";
    datc_6_h_6_unit_may_not_retreat_to_a_contested_area: "6.H.6";
    datc_6_h_8_triple_retreat_to_same_area_will_disband_units: "6.H.8";
    datc_6_h_9_dislodged_unit_will_not_make_attackers_area_contested: "6.H.9";
    datc_6_h_11_retreat_when_dislodged_by_adjacent_convoy: "6.H.11";
    datc_6_h_13_no_retreat_with_convoy_in_movement_phase: "6.H.13";
    datc_6_h_15_no_coastal_crawl_in_retreat: "6.H.15";
    datc_6_i_1_too_many_build_orders: "6.I.1";
    datc_6_i_2_fleets_cannot_be_build_in_land_areas: "6.I.2";
    datc_6_i_3_supply_center_must_be_empty_for_building: "6.I.3";
    datc_6_i_6_building_in_owned_supply_center_that_is_not_a_home_supply_center: "6.I.6";
    datc_6_j_1_too_many_disband_orders: "6.J.1";
    datc_6_j_3_civil_disorder_two_armies_with_different_distance: "6.J.3";
    datc_6_j_4_civil_disorder_two_armies_with_equal_distance: "6.J.4";
    datc_6_j_5_civil_disorder_two_fleets_with_different_distance: "6.J.5";
    datc_6_j_8_civil_disorder_a_fleet_with_shorter_distance_than_the_army: "6.J.8";
    datc_6_j_9_a_civil_disorder_must_be_counted_from_both_coasts: "6.J.9#a";
    datc_6_j_10_civil_disorder_counting_convoying_distance: "6.J.10";
    datc_x_2_own_fleet_attacking_an_army_ordered_to_its_own_province: "X.2";
    datc_x_4_army_supports_a_fleet_move_that_is_impossible_for_the_fleet: "X.4";
    datc_x_5_second_order_paradox_with_a_convoy_outside_the_core: "X.5";
    datc_x_6_head_to_head_when_the_foreign_convoy_is_not_asked_for: "X.6";
    datc_x_8_explicit_convoy_without_a_possible_route: "X.8";
    datc_x_10_unconvoyed_army_order_does_not_cut_support: "X.10";
    datc_x_12_a_fleet_on_a_coast_cannot_convoy: "X.12";
    datc_x_13_recorded_game_phase_1: "X.13";
    datc_x_15_recorded_game_phase_3: "X.15";
    datc_x_17_recorded_test_game_movement_phase_1: "X.17";
    datc_x_19_recorded_test_game_movement_phase_3: "X.19";
    datc_x_22_a_power_may_not_help_a_convoyed_attack_to_dislodge_its_own_unit: "X.22";
    datc_x_23_civil_disorder_completes_a_partial_removal_list: "X.23";
}
