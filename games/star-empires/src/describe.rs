//! Sentences for players about events, turn report items and results of lines.
//!
//! Ships, worlds, portals and classes have the names given in the event. The caller provides the
//! names of empires.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use heliopause_kernel::{Game as _, Seat, SeatSet, count, named};

use crate::class::Class;
use crate::event::{Event, MasterResult};
use crate::objects::Siege;
use crate::position::StarEmpires;
use crate::reason::{Check, Fate, Reason, Remark, Verdict};
use crate::report::{Deed, Item, LineResult, News, Report, ShipNamed, Source};
use crate::view::KnownChange;

type Names<'a> = &'a dyn Fn(Seat) -> String;

static DEEDS: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| phrases(include_str!("deeds.txt")));
static REASONS: LazyLock<BTreeMap<&str, &str>> =
    LazyLock::new(|| phrases(include_str!("reasons.txt")));

pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Updated { turn } => (format!("Turn {turn} is complete; this is map {turn}."), "6"),
        Event::Reported { report: told, .. } => (report(told, names), "6"),
        Event::SheetStored { sheet, checks } => (stored(sheet.lines.len(), checks), "6"),
        Event::Learned { change } => (learned(change, names), "5"),
        Event::GalaxyChanged(change) => {
            let (ships, gone) = (count(change.ships.len(), "ship"), change.gone.len());
            (format!("The galaxy changed: {ships} added or changed, {gone} removed."), "6.1")
        }
        Event::MasterOrders { orders } => {
            let lines: Vec<String> =
                (1..).zip(orders).map(|(number, order)| format!("{number}: {order}")).collect();
            (headed("The game master's orders for the next update", &lines), "6.1")
        }
        Event::Alliances { alliances } if alliances.is_empty() => {
            ("No alliances are recorded.".to_owned(), "R66")
        }
        Event::Alliances { alliances } => {
            let sides: Vec<String> = alliances.iter().map(|&side| named(side, names)).collect();
            (format!("Alliances are recorded: {}.", sides.join("; ")), "R66")
        }
        Event::HalfReached { empires, production, total } => {
            let (who, part) = (named(*empires, names), format!("{production} of {total}"));
            (format!("{who} reached half of the galaxy's production: {part}."), "R65")
        }
        Event::MasterResults { results } => {
            let told = |MasterResult { order, fate, remarks }: &MasterResult| {
                format!("{order}: {}", outcome(*fate, remarks))
            };
            let lines: Vec<String> = results.iter().map(told).collect();
            (headed("Results of the game master's orders", &lines), "6.1")
        }
        Event::Ended { ending } => {
            let why = if ending.last_turn {
                "the last turn is over"
            } else {
                "half of the galaxy's production was reached"
            };
            let who = if ending.winners.is_empty() {
                "no empire won".to_owned()
            } else {
                named(ending.winners, names) + " won"
            };
            (format!("The game has ended because {why}: {who}."), "1")
        }
    }
}

fn headed(head: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        format!("{head}: none.")
    } else {
        format!("{head}:\n{}", lines.join("\n"))
    }
}

fn stored(lines: usize, checks: &[Check]) -> String {
    let mut text = format!("Your sheet is stored with {}.", count(lines, "line"));
    for check in checks.iter().filter(|check| check.verdict != Verdict::Accepted) {
        let _ = write!(text, "\n{}", check_sentence(check));
    }
    text
}

pub fn check_sentence(check: &Check) -> String {
    let verdict = match check.verdict {
        Verdict::Accepted => {
            let design =
                check.design.map(|class| format!(" {}", size_sentence(&class))).unwrap_or_default();
            return format!("Line {} is accepted.{design}", check.line + 1);
        }
        Verdict::Warned => "is accepted, but may fail",
        Verdict::Rejected => "is rejected",
    };
    if let Some(fault) = &check.fault {
        return format!("Line {} {verdict}: {fault}", check.line + 1);
    }
    let reasons: Vec<String> = check.remarks.iter().copied().map(explain).collect();
    format!("Line {} {verdict}: {}", check.line + 1, reasons.join(" "))
}

pub fn size_sentence(class: &Class) -> String {
    let Class { name, cost, tonnage, .. } = class;
    let fee = match class.fee() {
        0 => "There is no design fee.".to_owned(),
        fee => format!("The design fee is {fee} RU."),
    };
    format!("Each {name} costs {cost} RU and weighs {}. {fee}", count(*tonnage as usize, "tonne"))
}

fn learned(change: &KnownChange, names: Names<'_>) -> String {
    let mut parts = Vec::new();
    let met: SeatSet =
        change.empires.iter().filter(|seen| seen.contact).map(|seen| seen.seat).collect();
    if !met.is_empty() {
        parts.push(format!("You can exchange messages with {}.", named(met, names)));
    } else if !change.empires.is_empty() {
        parts.push("Your list of empires changed.".to_owned());
    }
    if !change.chart.changed.is_empty() {
        parts.push(format!("Your map changed in {}.", count(change.chart.changed.len(), "sector")));
    }
    let ships = change.ships.len() + change.ships_gone.len();
    if ships > 0 {
        parts.push(format!("Your list of ships changed: {}.", count(ships, "ship")));
    }
    let unknown = change.unknown_own_classes.is_some();
    if unknown || !(change.classes.is_empty() && change.classes_gone.is_empty()) {
        parts.push("Your list of classes changed.".to_owned());
    }
    if change.navigation.is_some() {
        parts.push("Your navigation data changed.".to_owned());
    }
    match &change.status {
        Some(status) if status.abandoned_turns > 0 => {
            parts.push("Your empire is abandoned.".to_owned());
        }
        Some(_) => parts.push("The status of your empire changed.".to_owned()),
        None => {}
    }
    if parts.is_empty() { "Nothing that you know changed.".to_owned() } else { parts.join(" ") }
}

/// Formats a turn report: results of the orders, then the news by phase.
pub fn report(report: &Report, names: Names<'_>) -> String {
    let mut text = format!("Report of turn {}.", report.turn);
    let with = |fate: Fate| report.results.iter().filter(|result| result.fate == fate).count();
    let (done, partly, refused) = (with(Fate::Done), with(Fate::Partly), with(Fate::Refused));
    if !report.results.is_empty() {
        let _ = write!(text, " Orders: {done} done, {partly} partly done, {refused} not done.");
    }
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
        let place =
            picture.seen.sectors.first().map(|row| format!(" of {}", row.at)).unwrap_or_default();
        let ships = count(picture.seen.ships.len(), "foreign ship");
        let number = picture.section.as_str();
        let _ = write!(text, "\n{number} The last scan{place} by a lost ship shows {ships}.");
    }
    text
}

pub fn result_sentence(result: &LineResult) -> String {
    format!("{}: {}", result.line, outcome(result.fate, &result.remarks))
}

fn outcome(fate: Fate, remarks: &[Remark]) -> String {
    let fate = match fate {
        Fate::Done => "done.",
        Fate::Partly => "partly done.",
        Fate::Refused => "not done.",
    };
    let mut text = fate.to_owned();
    for &remark in remarks {
        text.push(' ');
        text.push_str(&explain(remark));
    }
    text
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
    let place = news.at.map(|at| format!(" in {at}")).unwrap_or_default();
    let owner = |seat: Option<Seat>| seat.map_or_else(|| "nobody".to_owned(), names);
    match news.item {
        Item::Ship { ship, kind: deed, amount, permille } => {
            ship_sentence(ship, deed, amount, permille, &place, names)
        }
        Item::Owner { world, from: None, to } => {
            format!("{} takes the unowned world {world}{place}.", owner(to))
        }
        Item::Owner { world, from: Some(from), to: None } => {
            format!("{} loses {world}{place}, which is now unowned.", names(from))
        }
        Item::Owner { world, from, to } => {
            format!("{} takes {world}{place} from {}.", owner(to), owner(from))
        }
        Item::Siege { world, siege } => match siege {
            Siege::None => format!("{world}{place} is free again."),
            Siege::Blockaded => format!("{world}{place} is blockaded: no RU can leave it."),
            Siege::Interdicted => {
                let why = "no RU can leave it, and its yards are idle";
                format!("{world}{place} is interdicted: {why}.")
            }
        },
        Item::Portal { portal, collapsed: true } => {
            format!("The portal {portal}{place} collapses.")
        }
        Item::Portal { portal, collapsed: false } => {
            format!("The portal {portal}{place} is open again.")
        }
        Item::Homeworld { world: Some(world) } => format!("{world}{place} is now your homeworld."),
        Item::Homeworld { world: None } => "You own no worlds and are homeless.".to_owned(),
        Item::Navigation { portal, from: Some(from) } => {
            format!("{} transmits navigation data for {portal}{place}.", names(from))
        }
        Item::Navigation { portal, from: None } => {
            format!("Your ships bring navigation data for {portal}{place}.")
        }
        Item::Class { class, source } => match source {
            Source::Salvaged => format!("Wreckage{place} gives you the design of the {class}."),
            Source::Designed => format!("Your yards{place} have designed the {class}."),
            Source::Given(from) => format!("{} gives you the design of the {class}.", names(from)),
            Source::Master => format!("The game master shows you the design of the {class}."),
        },
        Item::Delivery { from, world, amount } => {
            format!("{} sends {amount} RU to {world}{place}.", names(from))
        }
        Item::Production { amount } => format!("Your worlds produce {amount} RU."),
        Item::Contact { empire } => format!("You make contact with {}.", names(empire)),
    }
}

fn ship_sentence(
    ship: ShipNamed,
    deed: Deed,
    amount: Option<u32>,
    permille: u16,
    place: &str,
    names: Names<'_>,
) -> String {
    let owner = names(ship.owner);
    let which = if ship.name.is_none() {
        format!("{owner}'s {} {}", ship.class, ship.serial)
    } else {
        format!("{owner}'s {} {} [{}]", ship.class, ship.name, ship.serial)
    };
    format!("{which} {}{place}.", deed_phrase(deed, Ships::One { amount, permille }))
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

/// Returns what ships did or what happened to them, as the predicate of a sentence. `deeds.txt` has
/// the phrases for several ships, for one ship, and for one ship with an amount.
pub fn deed_phrase(deed: Deed, ships: Ships) -> String {
    let mut phrases = DEEDS.get(deed.as_str()).copied().unwrap_or_default().split(" | ");
    let several = phrases.next().unwrap_or_default();
    let Ships::One { amount, permille } = ships else { return several.to_owned() };
    let one = phrases.next().unwrap_or_default();
    let one = if amount.is_some() { phrases.next().unwrap_or(one) } else { one };
    if !one.contains('{') {
        return one.to_owned();
    }
    let amount = amount.unwrap_or(0);
    one.replace("{amount}", &amount.to_string())
        .replace("{guns}", &count(amount as usize, "gun"))
        .replace("{points}", &count(amount as usize, "damage point"))
        .replace("{rating}", &percent(permille))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::Coord;
    use crate::name::Name;
    use crate::order::Line;
    use crate::position::StarEmpires;
    use crate::ship::Serial;
    use heliopause_kernel::Wire as _;

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
                news("6.7.1", None, Item::Production { amount: 31 }),
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
    fn every_reason_and_deed_has_a_sentence_of_its_own() {
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
