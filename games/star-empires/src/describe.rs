//! Sentences for players about events, turn report items and results of lines. `sentences.txt` has
//! the sentences.
//!
//! Ships, worlds, portals and classes have the names given in the event. The caller provides the
//! names of empires.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::sync::LazyLock;

use heliopause_kernel::sentence::{FactList, Facts, Names, Sentences};
use heliopause_kernel::{Game as _, SeatSet, facts_as_text, named};

use crate::class::Class;
use crate::event::{Event, MasterResult};
use crate::geometry::Coord;
use crate::name::Name;
use crate::position::StarEmpires;
use crate::reason::{Check, Fate, Reason, Remark, Verdict};
use crate::report::{Deed, Item, LineResult, News, Report, Ru, ShipNamed};
use crate::view::KnownChange;

static SENTENCES: LazyLock<Sentences> =
    LazyLock::new(|| Sentences::read(include_str!("sentences.txt")));
static REASONS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| phrases(include_str!("reasons.txt")));

/// The names for sentences that name no empire.
const UNNAMED: Names<'_> = &|_| String::new();

/// Returns the sentence of this kind with the given values, and its rule.
fn told(kind: &str, values: &[(&str, &dyn Display)]) -> (String, &'static str) {
    let mut facts = FactList::new(kind, UNNAMED);
    for (name, value) in values {
        facts.add(name, value.to_string());
    }
    SENTENCES.describe(&facts)
}

pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Updated { turn } => told("Updated", &[("turn", turn)]),
        Event::Reported { report: told, .. } => (report(told, names), "6"),
        Event::SheetStored { sheet, checks } => {
            let checks = checks.iter().filter(|check| check.verdict != Verdict::Accepted);
            let checks =
                checks.fold(String::new(), |text, check| text + "\n" + &check_sentence(check));
            told("SheetStored", &[("lines", &sheet.lines.len()), ("checks", &checks)])
        }
        Event::Learned { change } => (learned(change, names), "5"),
        Event::GalaxyChanged(change) => {
            told("GalaxyChanged", &[("ships", &change.ships.len()), ("gone", &change.gone.len())])
        }
        Event::MasterOrders { orders } => {
            let lines = (1..).zip(orders).map(|(number, order)| format!("\n{number}: {order}"));
            told("MasterOrders", &[("orders", &lines.collect::<String>())])
        }
        Event::Alliances { alliances } => {
            let sides: Vec<String> = alliances.iter().map(|&side| named(side, names)).collect();
            told("Alliances", &[("alliances", &sides.join("; "))])
        }
        Event::HalfReached { empires, production, total } => {
            let empires = named(*empires, names);
            let values: [(&str, &dyn Display); 3] =
                [("empires", &empires), ("production", production), ("total", total)];
            told("HalfReached", &values)
        }
        Event::MasterResults { results } => {
            let line =
                |it: &MasterResult| format!("\n{}: {}", it.order, outcome(it.fate, &it.remarks));
            let lines: String = results.iter().map(line).collect();
            told("MasterResults", &[("results", &lines)])
        }
        Event::Ended { ending } => {
            let is_won = !ending.winners.is_empty();
            let winners = if is_won { named(ending.winners, names) } else { String::new() };
            told("Ended", &[("winners", &winners), ("last_turn", &ending.last_turn)])
        }
    }
}

pub fn check_sentence(check: &Check) -> String {
    let mut facts = FactList::of(&check.verdict, UNNAMED);
    facts.add("line", (check.line + 1).to_string());
    facts.add("size", check.design.as_ref().map(size_sentence).unwrap_or_default());
    let fault = check.fault.as_ref().map(ToString::to_string);
    facts.add("why", fault.unwrap_or_else(|| explained(&check.remarks)));
    SENTENCES.describe(&facts).0
}

pub fn size_sentence(class: &Class) -> String {
    let Class { name, cost, tonnage, .. } = class;
    let fee = class.fee();
    told("Size", &[("name", name), ("cost", cost), ("tonnage", tonnage), ("fee", &fee)]).0
}

fn learned(change: &KnownChange, names: Names<'_>) -> String {
    let met: SeatSet =
        change.empires.iter().filter(|seen| seen.contact).map(|seen| seen.seat).collect();
    let classes = change.classes.len() + change.classes_gone.len();
    let has_new_classes = classes > 0 || change.unknown_own_classes.is_some();
    let abandoned = change.status.as_ref().map(|status| status.abandoned_turns > 0);
    let changes = [
        ("ContactsChanged", met.len()),
        ("EmpiresChanged", if met.is_empty() { change.empires.len() } else { 0 }),
        ("MapChanged", change.chart.changed.len()),
        ("ShipsChanged", change.ships.len() + change.ships_gone.len()),
        ("ClassesChanged", has_new_classes.into()),
        ("NavigationChanged", change.navigation.is_some().into()),
        ("Abandoned", (abandoned == Some(true)).into()),
        ("StatusChanged", (abandoned == Some(false)).into()),
    ];
    let met = named(met, names);
    let changes = changes.iter().filter(|(_, count)| *count > 0);
    let parts: Vec<String> =
        changes.map(|(kind, count)| told(kind, &[("count", count), ("met", &met)]).0).collect();
    if parts.is_empty() { "Nothing that you know changed.".to_owned() } else { parts.join(" ") }
}

/// Formats a turn report: results of the orders, then the news by phase.
pub fn report(report: &Report, names: Names<'_>) -> String {
    let with = |fate: Fate| report.results.iter().filter(|result| result.fate == fate).count();
    let (done, partly, refused) = (with(Fate::Done), with(Fate::Partly), with(Fate::Refused));
    let results: [(&str, &dyn Display); 4] =
        [("turn", &report.turn), ("done", &done), ("partly", &partly), ("refused", &refused)];
    let mut text = told("Report", &results).0;
    for result in report.results.iter().filter(|result| !result.remarks.is_empty()) {
        let _ = write!(text, "\n  {}", result_sentence(result));
    }
    for news in report.news.chunk_by(|one, other| one.section == other.section) {
        let number = news[0].section.as_str();
        let title = StarEmpires::rulebook().heading(number).unwrap_or_default();
        let _ = write!(text, "\n{number} {title}");
        for item in news {
            let _ = write!(text, "\n  {}", news_sentence(item, names));
        }
    }
    for picture in &report.last_scans {
        let at = picture.seen.sectors.first().map(|row| row.at.to_string()).unwrap_or_default();
        let ships = picture.seen.ships.len();
        let scan = told("LastScan", &[("at", &at), ("ships", &ships)]).0;
        let _ = write!(text, "\n{} {scan}", picture.section);
    }
    text
}

pub fn result_sentence(result: &LineResult) -> String {
    format!("{}: {}", result.line, outcome(result.fate, &result.remarks))
}

fn outcome(fate: Fate, remarks: &[Remark]) -> String {
    let mut facts = FactList::of(&fate, UNNAMED);
    facts.add("remarks", explained(remarks));
    SENTENCES.describe(&facts).0
}

fn explained(remarks: &[Remark]) -> String {
    remarks.iter().copied().map(explain).collect::<Vec<_>>().join(" ")
}

/// Returns a sentence that explains why a line or one of its items failed.
pub fn explain(remark: Remark) -> String {
    let why = reason_phrase(remark);
    if remark.item.is_none() {
        let mut letters = why.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        return first.into_iter().chain(letters).chain(['.']).collect();
    }
    format!("{}: {why}.", remark.item)
}

/// Returns why a line or one of its items failed, worded as the end of a sentence. The file
/// `reasons.txt` has the phrases.
pub fn reason_phrase(remark: Remark) -> &'static str {
    if remark.item.is_none() && remark.reason == Reason::Vanished {
        return "the place was not found, or no ship there can obey";
    }
    let code = remark.reason.as_str();
    REASONS.get(code).copied().unwrap_or(code)
}

/// Reads lines such as `name: phrase`.
pub(crate) fn phrases(text: &'static str) -> BTreeMap<&'static str, &'static str> {
    text.lines().filter_map(|line| line.split_once(": ")).collect()
}

pub fn news_sentence(news: &News, names: Names<'_>) -> String {
    let mut facts = FactList::of(&news.item, names);
    facts.add_field("", "at", &news.at);
    if let Item::Ship { kind, amount, permille, .. } = news.item {
        facts.add("deed", deed_phrase(kind, Ships::One { amount, permille }));
    }
    SENTENCES.describe(&facts).0
}

facts_as_text!(Coord, Deed, Name, Ru);

impl Facts for ShipNamed {
    fn add_to(&self, list: &mut FactList<'_>, name: &str) {
        let Self { owner, serial, name: called, class } = self;
        let owner = list.name_of(*owner);
        let called =
            if called.is_none() { format!("{serial}") } else { format!("{called} [{serial}]") };
        list.add(name, format!("{owner}'s {class} {called}"));
    }
}

pub fn percent(permille: u16) -> String {
    format!("{}.{}%", permille / 10, permille % 10)
}

/// The ships that are the subject of a sentence about a deed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ships {
    One { amount: Option<u32>, permille: u16 },
    Several,
}

/// Returns what ships did or what happened to them, as the predicate of a sentence.
pub fn deed_phrase(deed: Deed, ships: Ships) -> String {
    let mut facts = FactList::new(deed.as_str(), UNNAMED);
    if let Ships::One { amount, permille } = ships {
        facts.add("rating", percent(permille));
        facts.add_field("", "amount", &amount);
    }
    SENTENCES.describe(&facts).0
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::order::Line;
    use crate::ship::Serial;
    use heliopause_kernel::{Seat, Wire as _};

    fn name(text: &str) -> Name {
        Name::new(text).unwrap()
    }

    fn called(seat: Seat) -> String {
        ["Kratos", "Culture"][seat.index()].to_owned()
    }

    fn news(section: &str, at: Option<(i16, i16)>, item: Item) -> News {
        let at = at.map(|(o, y)| Coord::new(o, y));
        News { section: section.parse().unwrap(), at, item }
    }

    #[test]
    fn a_report_lists_failures_first_then_news_by_phase() {
        let ship = ShipNamed {
            owner: Seat::at(1),
            serial: "CU5f09d".parse::<Serial>().unwrap(),
            name: name("Lion"),
            class: name("frigate"),
        };
        let hit = Item::Ship { ship, kind: Deed::Hit, amount: Some(10), permille: 577 };
        let fired = Item::Ship { ship, kind: Deed::Fired, amount: None, permille: 1000 };
        let owner =
            Item::Owner { world: name("Ember"), from: Some(Seat::at(0)), to: Some(Seat::at(1)) };
        let remarks = vec![Remark { item: name("Dove"), reason: Reason::NotLoaded }];
        let line = Line::Unload { ships: vec![name("Dove")] };
        let told = Report {
            turn: 4,
            results: vec![LineResult { line, fate: Fate::Refused, remarks }],
            news: vec![
                news("6.3.2", Some((2, -1)), fired),
                news("6.3.3", Some((2, -1)), hit),
                news("6.3.6", Some((2, -1)), owner),
                news("6.7.1", None, Item::Production { amount: Ru(31) }),
            ],
            last_scans: Vec::new(),
        };
        let expected = "Report of turn 4. Orders: 0 done, 0 partly done, 1 not done.
  UNLOAD Dove: not done. Dove: the ship is not aboard a carrier.
6.3.2 Fire guns
  Culture's frigate Lion [CU5f09d] fires in (2,-1).
6.3.3 Apply combat damage
  Culture's frigate Lion [CU5f09d] takes 10 damage in combat and is at 57.7% in (2,-1).
6.3.6 Determine ownership I
  Culture takes Ember in (2,-1) from Kratos.
6.7.1 Produce resource units
  Your worlds produce 31 RU.";
        assert_eq!(report(&told, &called), expected);
    }

    #[test]
    fn an_accepted_design_shows_its_cost() {
        let ratings = crate::hull::Ratings::new(20, 15, 4, 2, 0);
        let design = Class::sized(name("frigate"), crate::hull::Hull::Gunship, ratings);
        let (verdict, remarks) = (Verdict::Accepted, Vec::new());
        let check = Check { line: 0, verdict, remarks, design, fault: None };
        let expected = "Line 1 is accepted. Each frigate costs 24 RU and weighs 16 tonnes. The \
            design fee is 12 RU.";
        assert_eq!(check_sentence(&check), expected);
        let nuke = Class::missile(name("dart"), 8, 1);
        let expected = "Line 1 is accepted. Each dart costs 1 RU and weighs 1 tonne. There is no \
            design fee.";
        assert_eq!(check_sentence(&Check { design: nuke, ..check }), expected);
    }

    #[test]
    fn deeds_have_amounts_for_one_ship_and_plurals_for_several() {
        let one = |deed, amount| deed_phrase(deed, Ships::One { amount, permille: 866 });
        assert_eq!(one(Deed::Hit, Some(12)), "takes 12 damage in combat and is at 86.6%");
        assert_eq!(one(Deed::Hit, None), "is damaged in combat and is at 86.6%");
        assert_eq!(one(Deed::Built, None), "is built");
        let several = |deed| deed_phrase(deed, Ships::Several);
        assert_eq!(several(Deed::Built), "are built");
        assert_eq!(several(Deed::Arrived), "arrive");
        assert_eq!(several(Deed::Unloaded), "leave their carrier");
        assert_eq!(several(Deed::SelfDestructed), "destroy themselves");
        assert_eq!(several(Deed::Toggled), "switch their transponders");
    }

    #[test]
    fn a_missing_ship_is_not_described_as_having_left_the_game() {
        let told = |item| reason_phrase(Remark { item, reason: Reason::Vanished });
        assert_eq!(told(name("Lion")), "nothing with this name was found");
        assert_eq!(told(Name::NONE), "the place was not found, or no ship there can obey");
    }

    #[test]
    fn sentences_state_the_limits() {
        let told = |reason| explain(Remark { item: Name::NONE, reason });
        for (reason, limit) in [
            (Reason::TooBig, crate::class::SIZE_MAX),
            (Reason::TooManyShips, crate::ship::SHIPS_MAX),
            (Reason::TooManyClasses, u16::MAX.into()),
        ] {
            assert!(told(reason).contains(&limit.to_string()), "{}", told(reason));
        }
    }

    #[test]
    fn game_master_results_are_listed_order_by_order() {
        let collapse =
            crate::master::Astronomics::CollapsePortal { portal: name("Styx"), turns: 2 };
        let (text, _) = describe(&Event::MasterOrders { orders: vec![collapse] }, &called);
        assert_eq!(text, "The game master's orders for the next update:\n1: COLLAPSE Styx 2");
        let (text, _) = describe(&Event::MasterOrders { orders: Vec::new() }, &called);
        assert_eq!(text, "The game master's orders for the next update: none.");
    }

    #[test]
    fn every_reason_deed_and_news_has_a_sentence_of_its_own() {
        assert!(SENTENCES.missing::<Item>().is_empty());
        assert!(
            SENTENCES.missing::<Fate>().is_empty() && SENTENCES.missing::<Verdict>().is_empty()
        );
        let reasons: std::collections::BTreeSet<&str> = Reason::ALL
            .into_iter()
            .map(|reason| reason_phrase(Remark { item: Name::NONE, reason }))
            .collect();
        assert_eq!(reasons.len(), Reason::ALL.len());
        assert!(reasons.iter().all(|phrase| phrase.contains(' ')), "{reasons:?}");
        let remark = Remark { item: Name::NONE, reason: Reason::NoTargets };
        assert_eq!(explain(remark), "No targets were found.");
        let deeds = Deed::ALL.map(|deed| deed_phrase(deed, Ships::Several));
        assert_eq!(std::collections::BTreeSet::from(deeds.clone()).len(), Deed::ALL.len());
        assert!(deeds.iter().all(|phrase| !phrase.is_empty()), "{deeds:?}");
    }

    #[test]
    fn every_event_has_a_sentence_and_an_existing_rule() {
        let events = [
            Event::Updated { turn: 3 },
            Event::Reported { report: Arc::default(), change: Box::default() },
            Event::SheetStored { sheet: crate::order::Sheet::default(), checks: Vec::new() },
            Event::Learned { change: Box::default() },
            Event::MasterOrders { orders: Vec::new() },
            Event::Alliances { alliances: vec![SeatSet::first(2)] },
            Event::Alliances { alliances: Vec::new() },
            Event::HalfReached { empires: SeatSet::first(1), production: 20, total: 40 },
            Event::MasterResults { results: Vec::new() },
            Event::Ended {
                ending: crate::position::Ending { winners: SeatSet::first(2), last_turn: false },
            },
        ];
        for event in events {
            assert_eq!(
                StarEmpires::read_event(&StarEmpires::write_event(&event)).as_ref(),
                Ok(&event)
            );
            let (sentence, rule) = describe(&event, &called);
            assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence}");
            assert!(StarEmpires::rule(rule).is_some(), "{rule}");
        }
    }

    #[test]
    fn every_phase_and_every_ruling_has_a_text() {
        let phases = crate::section::Section::ALL.map(|section| section.to_string());
        let rulings = (1..=80).map(|number| format!("R{number}"));
        let others = ["2.1", "2.5", "4.2.1", "4.2.4", "4.2.4a", "4.2.4b", "4.2.6", "8", "7.0"];
        for number in phases.into_iter().chain(rulings).chain(others.map(str::to_owned)) {
            assert!(StarEmpires::rule(&number).is_some(), "{number}");
        }
        for number in ["R81", "6.9", ""] {
            assert_eq!(StarEmpires::rule(number), None, "{number}");
        }
    }
}
