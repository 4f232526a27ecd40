//! The worked situations of "...It Came From Outer Space!": each is a test of its own number.

use crate::common;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use common::{Lines, read_lines, sorted, sorted_list, unit};
use heliopause_diplomacy::{
    Adjusted, Aftermath, Attempt, Code, ColonizeReport, Colonizing, Fate, Fault, Given, Movement,
    Outcome, Position, Province, Variant, adjust, colonize, free_colonies, read_orders,
    resolve_retreats, take_centers,
};
use heliopause_kernel::Seat;
use serde::Deserialize;

#[derive(Deserialize)]
struct Scenario {
    id: String,
    title: String,
    empires: Vec<String>,
    start: Start,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Start {
    season: String,
    #[serde(default)]
    units: Lines,
    #[serde(default)]
    orbit: BTreeMap<String, u8>,
    #[serde(default)]
    colonies: BTreeMap<String, String>,
    #[serde(default)]
    centers: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Step {
    phase: String,
    #[serde(default)]
    orders: Lines,
    expect: Expected,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Expected {
    units: Lines,
    orbit: BTreeMap<String, u8>,
    dislodged: Vec<Driven>,
    results: Vec<Line>,
    disbanded: Vec<Gone>,
    colonize: Vec<Line>,
    colonies: BTreeMap<String, String>,
    centers: BTreeMap<String, String>,
    eliminated: Vec<String>,
}

#[derive(Deserialize)]
struct Driven {
    empire: String,
    unit: String,
    by: By,
    retreats: Vec<String>,
}

#[derive(Deserialize)]
struct By {
    empire: String,
    from: String,
}

#[derive(Deserialize)]
struct Gone {
    empire: String,
    unit: String,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Line {
    empire: String,
    order: String,
    result: String,
    reason: Option<String>,
}

static SCENARIOS: LazyLock<Vec<Scenario>> =
    LazyLock::new(|| read_lines(include_str!("data/worked.jsonl")));

/// A scenario as it is played.
struct Play<'s> {
    empires: &'s [String],
    position: Position,
    orders: Vec<Given>,
    attempts: Vec<Attempt>,
    after: Option<Aftermath>,
    /// Who is not out.
    alive: Vec<Seat>,
    title: String,
}

fn check(id: &str) {
    let scenario = SCENARIOS.iter().find(|scenario| scenario.id == id).expect("a worked situation");
    let mut play = Play::new(scenario);
    for step in &scenario.steps {
        play.title = format!("{id} {}: {}", scenario.title, step.phase);
        match step.phase.as_str() {
            "movement" => play.movement(step),
            "retreat" => play.retreat(step),
            "end_of_turn" => play.end_turn(step, scenario.start.season == "fall"),
            _ => play.adjustment(step),
        }
    }
}

impl<'s> Play<'s> {
    fn new(scenario: &'s Scenario) -> Self {
        let codes = scenario.empires.iter().map(|code| code.parse::<Code>().expect("a code"));
        let mut play = Self {
            empires: &scenario.empires,
            position: Position::empty(Variant::OuterSpace, codes),
            orders: Vec::new(),
            attempts: Vec::new(),
            after: None,
            alive: Vec::new(),
            title: String::new(),
        };
        for (empire, units) in &scenario.start.units {
            for text in units {
                play.position.put(unit(play.seat(empire), text));
            }
        }
        for (empire, &armies) in &scenario.start.orbit {
            let seat = play.seat(empire);
            *play.position.orbit_mut(seat) = armies;
        }
        for (province, empire) in &scenario.start.colonies {
            play.position.colonies[index(province)] = Some(play.seat(empire));
        }
        for (province, empire) in &scenario.start.centers {
            play.position.centers[index(province)] = Some(play.seat(empire));
        }
        play.alive =
            play.position.seats().filter(|&seat| !play.position.is_eliminated(seat)).collect();
        play
    }

    fn seat(&self, empire: &str) -> Seat {
        Seat::at(self.empires.iter().position(|code| code == empire).expect("an empire"))
    }

    fn code(&self, seat: Seat) -> String {
        self.empires[seat.index()].clone()
    }

    /// The orders of a step. Empires are taken in their own order, as the results are listed.
    fn read(&self, lines: &Lines) -> Vec<Given> {
        let mut orders = Vec::new();
        for empire in self.empires {
            for line in lines.get(empire).into_iter().flatten() {
                orders.push(Given {
                    seat: self.seat(empire),
                    order: read_orders(line).expect("notation")[0],
                });
            }
        }
        orders
    }

    fn texts<'a>(&self, lines: &'a Lines) -> Vec<&'a String> {
        self.empires.iter().flat_map(|empire| lines.get(empire).into_iter().flatten()).collect()
    }

    fn compare_units(&self, expected: &Expected) {
        let mut found = Lines::new();
        for unit in self.position.units() {
            found.entry(self.code(unit.owner)).or_default().push(unit.to_string());
        }
        assert_eq!(sorted(found), sorted(expected.units.clone()), "{}", self.title);
        let orbit = self.position.seats().map(|seat| (self.code(seat), self.position.orbit(seat)));
        let orbit: BTreeMap<String, u8> = orbit.filter(|&(_, armies)| armies > 0).collect();
        assert_eq!(orbit, expected.orbit, "{}", self.title);
    }

    fn movement(&mut self, step: &Step) {
        self.orders = self.read(&step.orders);
        let before = self.position.clone();
        let movement = Movement::resolve(&before, &self.orders);
        let after = movement.aftermath();
        let reports = movement.reports(&self.orders);
        assert_eq!(reports.len(), step.expect.results.len(), "{}", self.title);
        for ((report, text), line) in
            reports.iter().zip(self.texts(&step.orders)).zip(&step.expect.results)
        {
            assert_eq!(
                (&self.code(report.given.seat), text),
                (&line.empire, &line.order),
                "{}",
                self.title
            );
            let (found, expected) = (report.outcome.name(), line.result.as_str());
            let alike = ["void", "illegal"];
            let same = found == expected
                || text.contains(" S ") && alike.contains(&found) && alike.contains(&expected);
            assert!(same, "{}: {text}: {:?} instead of {expected}", self.title, report.outcome);
            let jammed = report.outcome == Outcome::Illegal(Fault::Jammed);
            assert_eq!(jammed, line.reason.as_deref() == Some("jammed"), "{}: {text}", self.title);
        }
        self.compare_dislodged(&after, &step.expect);
        self.position = after.position.clone();
        self.attempts = movement.attempts(&self.orders);
        self.compare_units(&step.expect);
        self.after = Some(after);
    }

    fn compare_dislodged(&self, after: &Aftermath, expected: &Expected) {
        let mut found: Vec<_> = after
            .dislodged
            .iter()
            .map(|one| {
                let from = one.from.map_or_else(|| "ORB".to_owned(), |from| from.to_string());
                let retreats: Vec<String> = one.retreats.iter().map(ToString::to_string).collect();
                (
                    self.code(one.unit.owner),
                    one.unit.to_string(),
                    self.code(one.by),
                    from,
                    sorted_list(&retreats),
                )
            })
            .collect();
        let mut expected: Vec<_> = expected
            .dislodged
            .iter()
            .map(|one| {
                (
                    one.empire.clone(),
                    one.unit.clone(),
                    one.by.empire.clone(),
                    one.by.from.clone(),
                    sorted_list(&one.retreats),
                )
            })
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", self.title);
    }

    fn retreat(&mut self, step: &Step) {
        let after = self.after.take().expect("movement comes first");
        let orders = self.read(&step.orders);
        let fates = resolve_retreats(&mut self.position, &after.dislodged, &orders);
        let gone = after
            .dislodged
            .iter()
            .zip(&fates)
            .filter(|(_, fate)| !matches!(fate, Fate::Retreated(_)));
        let gone: Vec<String> =
            gone.map(|(one, _)| format!("{} {}", self.code(one.unit.owner), one.unit)).collect();
        let expected: Vec<String> = step
            .expect
            .disbanded
            .iter()
            .map(|one| format!("{} {}", one.empire, one.unit))
            .collect();
        assert_eq!(sorted_list(&gone), sorted_list(&expected), "{}", self.title);
        self.compare_units(&step.expect);
    }

    fn end_turn(&mut self, step: &Step, fall: bool) {
        let results = colonize(&mut self.position, &self.attempts);
        let found: Vec<Line> = results
            .iter()
            .map(|ColonizeReport { attempt, result }| Line {
                empire: self.code(attempt.seat),
                order: attempt.order.to_string(),
                result: if *result == Colonizing::Colonized { "colonized" } else { "fails" }
                    .to_owned(),
                reason: None,
            })
            .collect();
        assert_eq!(found, step.expect.colonize, "{}", self.title);
        if fall {
            take_centers(&mut self.position);
        }
        self.eliminate(&step.expect);
        assert_eq!(self.owners(&self.position.centers), step.expect.centers, "{}", self.title);
    }

    fn eliminate(&mut self, expected: &Expected) {
        let alive = std::mem::take(&mut self.alive);
        let out: Vec<Seat> =
            alive.iter().copied().filter(|&seat| self.position.is_eliminated(seat)).collect();
        self.alive = alive.into_iter().filter(|seat| !out.contains(seat)).collect();
        for &seat in &out {
            free_colonies(&mut self.position, seat);
        }
        let out: Vec<String> = out.into_iter().map(|seat| self.code(seat)).collect();
        assert_eq!(sorted_list(&out), sorted_list(&expected.eliminated), "{}", self.title);
        assert_eq!(self.owners(&self.position.colonies), expected.colonies, "{}", self.title);
    }

    fn owners(&self, of: &[Option<Seat>]) -> BTreeMap<String, String> {
        let owned = Province::ALL
            .into_iter()
            .filter_map(|province| Some((province, of[province.index()]?)));
        owned.map(|(province, seat)| (province.to_string(), self.code(seat))).collect()
    }

    fn adjustment(&mut self, step: &Step) {
        let mut lines = Vec::new();
        for empire in self.empires {
            let texts: Vec<String> = step.orders.get(empire).cloned().unwrap_or_default();
            let given = self.read(&Lines::from([(empire.clone(), texts.clone())]));
            let seat = self.seat(empire);
            let (results, automatic) = adjust(&mut self.position, seat, &given);
            let line = |order: &str, result: String| Line {
                empire: empire.clone(),
                order: order.to_owned(),
                result,
                reason: None,
            };
            lines.extend(
                texts
                    .iter()
                    .zip(&results)
                    .map(|(text, result)| line(text, name(*result).to_owned())),
            );
            lines.extend(automatic.iter().map(|result| match result {
                Adjusted::Removed(kind, at) => {
                    line("(civil disorder)", format!("removed {} {at}", kind.as_str()))
                }
                other => panic!("{}: {other:?}", self.title),
            }));
        }
        assert_eq!(lines, step.expect.results, "{}", self.title);
        self.compare_units(&step.expect);
        self.eliminate(&step.expect);
    }
}

fn index(province: &str) -> usize {
    province.parse::<Province>().expect("a province").index()
}

fn name(result: Adjusted) -> &'static str {
    match result {
        Adjusted::Built(_) => "built",
        Adjusted::Removed(..) => "removed",
        Adjusted::Waived => "waived",
        Adjusted::Fails(_) => "fails",
    }
}

/// One test a situation.
macro_rules! situations {
    ($($test:ident: $id:literal;)+) => {
        $(#[test]
        fn $test() {
            check($id);
        })+

        #[test]
        fn every_situation_is_a_test() {
            let known: Vec<&str> = SCENARIOS.iter().map(|scenario| scenario.id.as_str()).collect();
            assert_eq!(known, [$($id),+]);
        }
    };
}

situations! {
    w01_opening_landings_on_different_provinces: "W01";
    w02_two_landings_on_one_empty_province_tie: "W02";
    w03_the_landing_with_most_uncut_support_gets_in: "W03";
    w04_two_armies_of_one_empire_sent_to_the_same_province_bounce_each_other: "W04";
    w05_support_for_one_of_two_identical_landings: "W05";
    w06_orders_an_orbiting_army_cannot_take: "W06";
    w07_a_supported_landing_dislodges_a_unit: "W07";
    w08_an_unsupported_landing_cuts_support: "W08";
    w09_jamming_protects_the_supporter: "W09";
    w10_a_jammed_order_is_no_attempt_at_all: "W10";
    w11_only_the_owner_may_land_on_its_occupied_colony: "W11";
    w12_foreign_support_for_a_landing_names_the_empire: "W12";
    w13_landing_against_a_ground_move: "W13";
    w14_no_head_to_head_battle_with_orbit: "W14";
    w15_beam_up_with_room: "W15";
    w16_beam_up_to_a_full_spacecraft_fails: "W16";
    w17_one_down_one_up_with_a_full_spacecraft: "W17";
    w18_a_bounced_landing_frees_no_place: "W18";
    w19_relief_of_a_garrison_with_a_full_spacecraft: "W19";
    w20_two_beam_ups_one_place: "W20";
    w21_a_failed_beam_up_cannot_be_supported_in_place: "W21";
    w22_leaving_an_enemy_colony_by_beam_up: "W22";
    w23_fleets_are_never_beamed: "W23";
    w24_a_ring_through_the_spacecraft: "W24";
    w25_colonizing_the_own_province_under_attack: "W25";
    w26_colonizing_fails_with_the_loss_of_the_province: "W26";
    w27_colonizing_an_empty_neighbour_without_moving: "W27";
    w28_a_bounced_foreign_move_spoils_colonizing_at_a_distance: "W28";
    w29_two_empires_colonize_the_same_empty_province: "W29";
    w30_arrive_and_colonize_in_one_turn_with_two_units: "W30";
    w31_colonizing_a_province_that_its_garrison_leaves: "W31";
    w32_a_new_colony_replaces_the_old_one: "W32";
    w33_own_moves_never_spoil_own_colonizing: "W33";
    w34_fleets_colonize_coasts_in_reach: "W34";
    w35_the_attempt_of_a_dislodged_unit_still_counts: "W35";
    w36_what_is_no_attempt_a_convoy_that_does_not_run: "W36";
    w37_where_a_dislodged_army_may_go: "W37";
    w38_two_retreats_for_one_place_in_the_spacecraft: "W38";
    w39_fleet_retreats: "W39";
    w40_builds_need_ownership_and_a_colony: "W40";
    w41_first_winter_three_armies_one_center: "W41";
    w42_civil_disorder_removes_orbiting_armies_first: "W42";
    w43_elimination_frees_the_colonies: "W43";
    w44_victory_with_eighteen_centers: "W44";
    w45_nobody_holds_a_center_after_the_first_year: "W45";
    w46_the_last_empire_wins: "W46";
    w47_convoys_ignore_jamming_orbit_cannot_be_convoyed: "W47";
    w48_two_rings_share_the_places_of_one_spacecraft: "W48";
    w49_relief_with_two_landings_one_of_them_supported: "W49";
}
