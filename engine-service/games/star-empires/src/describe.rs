//! Sentences for people: about events, about each item of a turn report, and about what became of
//! each line.
//!
//! Ships, worlds, portals and classes go by the names that the message tells; empires by the names
//! that the caller gives.

use std::fmt::Write as _;

use heliopause_kernel::{Seat, SeatSet, named};

use crate::class::Class;
use crate::event::Event;
use crate::objects::Siege;
use crate::reason::{Check, Fate, Reason, Remark, Verdict};
use crate::report::{Deed, Item, LineResult, News, Report, ShipNamed, Source};
use crate::rulebook::title;
use crate::view::KnownChange;

/// What empires are called.
type Names<'a> = &'a dyn Fn(Seat) -> String;

/// The sentence and the rule. A turn report is several lines, by phase.
pub(crate) fn describe(event: &Event, names: Names<'_>) -> (String, &'static str) {
    match event {
        Event::Updated { turn } => (format!("Turn {turn} was run; this is map {turn}."), "6"),
        Event::Reported { report: told, .. } => (report(told, names), "6"),
        Event::SheetStored { sheet, checks } => (stored(sheet.lines.len(), checks), "6"),
        Event::Learned { change } => (learned(change, names), "5"),
        Event::GalaxyChanged(change) => {
            let (ships, gone) = (counted(change.ships.len(), "ship"), change.gone.len());
            (format!("The galaxy changed: {ships} new or different, {gone} gone."), "6.1")
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
            let who = named(*empires, names);
            (
                format!(
                    "Half of the galaxy is in one hand: {who} with {production} of {total} \
                     production."
                ),
                "R65",
            )
        }
        Event::MasterResults { results } => {
            let lines: Vec<String> = results
                .iter()
                .map(|result| {
                    format!("{}: {}", result.order, outcome(result.fate, &result.remarks))
                })
                .collect();
            (headed("What became of the game master's orders", &lines), "6.1")
        }
        Event::Ended { ending } => {
            let why = if ending.last_turn {
                "the last turn is over"
            } else {
                "half of the production decides"
            };
            let who = if ending.winners.is_empty() {
                "nobody wins".to_owned()
            } else {
                named(ending.winners, names) + " won"
            };
            (format!("The game has ended, for {why}: {who}."), "1")
        }
    }
}

fn headed(head: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        format!("{head}: nothing.")
    } else {
        format!("{head}:\n{}", lines.join("\n"))
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn stored(lines: usize, checks: &[Check]) -> String {
    let mut text = format!("Your sheet is stored with {}.", counted(lines, "line"));
    for check in checks.iter().filter(|check| check.verdict != Verdict::Accepted) {
        let _ = write!(text, "\n{}", check_sentence(check));
    }
    text
}

/// What became of a line at submission.
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

/// What a class costs and weighs.
pub fn size_sentence(class: &Class) -> String {
    let Class { name, cost, tonnage, .. } = class;
    let fee =
        if class.fee() == 0 { "no fee".to_owned() } else { format!("a fee of {} RU", class.fee()) };
    format!(
        "A {name} costs {cost} RU, after {fee}, and weighs {}.",
        counted(*tonnage as usize, "tonne")
    )
}

fn learned(change: &KnownChange, names: Names<'_>) -> String {
    let mut parts = Vec::new();
    let met: SeatSet =
        change.empires.iter().filter(|seen| seen.contact).map(|seen| seen.seat).collect();
    if !met.is_empty() {
        parts.push(format!("You can exchange messages with {}.", named(met, names)));
    }
    if !change.chart.changed.is_empty() {
        parts.push(format!(
            "Your map changed in {}.",
            counted(change.chart.changed.len(), "sector")
        ));
    }
    let ships = change.ships.len() + change.ships_gone.len();
    if ships > 0 {
        parts.push(format!("Your list of ships changed: {}.", counted(ships, "ship")));
    }
    if !(change.classes.is_empty() && change.classes_gone.is_empty()) {
        parts.push("Your list of classes changed.".to_owned());
    }
    if change.navigation.is_some() {
        parts.push("Your navigation data changed.".to_owned());
    }
    match &change.status {
        Some(status) if status.abandoned_turns > 0 => {
            parts.push("Your empire is abandoned.".to_owned());
        }
        Some(_) => parts.push("The standing of your empire changed.".to_owned()),
        None => {}
    }
    if parts.is_empty() { "Nothing that you know changed.".to_owned() } else { parts.join(" ") }
}

/// A turn report for reading: what became of the orders, then the news by phase.
pub fn report(report: &Report, names: Names<'_>) -> String {
    let mut text = format!("Report of turn {}.", report.turn);
    let count = |fate: Fate| report.results.iter().filter(|result| result.fate == fate).count();
    let (done, partly, refused) = (count(Fate::Done), count(Fate::Partly), count(Fate::Refused));
    if !report.results.is_empty() {
        let _ = write!(text, " Orders: {done} done, {partly} partly done, {refused} refused.");
    }
    for result in report.results.iter().filter(|result| !result.remarks.is_empty()) {
        let _ = write!(text, "\n  {}", result_sentence(result));
    }
    for news in report.news.chunk_by(|one, other| one.section == other.section) {
        let number = news[0].section.as_str();
        let _ = write!(text, "\n{number} {}", title(number).unwrap_or_default());
        for item in news {
            let _ = write!(text, "\n  {}", news_sentence(item, names));
        }
    }
    for picture in &report.pictures {
        let place =
            picture.seen.sectors.first().map(|row| format!(" of {}", row.at)).unwrap_or_default();
        let ships = counted(picture.seen.ships.len(), "foreign ship");
        let number = picture.section.as_str();
        let _ = write!(
            text,
            "\n{number} The last picture{place} by a ship that was lost shows {ships}."
        );
    }
    text
}

/// What became of a line in the update.
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

/// Why a line or a part of it failed.
pub fn explain(remark: Remark) -> String {
    let why = because(remark);
    if remark.item.is_none() {
        let mut letters = why.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        return first.into_iter().chain(letters).chain(['.']).collect();
    }
    format!("{}: {why}.", remark.item)
}

/// Why a line or a part of it failed, as the end of a sentence.
pub fn because(remark: Remark) -> &'static str {
    match remark.reason {
        Reason::Syntax => "the line names nothing, or a number is 0",
        Reason::UnknownName => "you know nothing of this name",
        Reason::NotYours => "this ship is another empire's",
        Reason::Vanished if remark.item.is_none() => "what this line is about is not there",
        Reason::Vanished => "it is no longer there",
        Reason::Destroyed => "the ship was destroyed",
        Reason::Loaded => "the ship is aboard a carrier",
        Reason::NotLoaded => "the ship is aboard no carrier",
        Reason::AlreadyLoaded => "the ship is aboard a carrier already",
        Reason::WrongSector => "it is in another sector",
        Reason::NoRacks => "the carrier has too few free racks",
        Reason::NestedLoad => "a ship with cargo cannot be cargo itself",
        Reason::SelfLoad => "a ship cannot carry itself",
        Reason::IsStarbase => "a starbase cannot do that",
        Reason::SelfDestructing => "the ship destroys itself this turn",
        Reason::NoGuns => "no gun is left to fire",
        Reason::MissileNotReady => "the missile was not on a rack",
        Reason::NoTargets => "there is nothing to shoot at",
        Reason::OwnEmpire => "this is your own empire",
        Reason::NotNeeded => "it was not needed",
        Reason::Fired => "the ship fires this turn and stays",
        Reason::NoEngines => "the ship has no working engine",
        Reason::TooFar => "it is farther than the engines reach",
        Reason::AlreadyMoved => "another order moves this ship first",
        Reason::NotAtPortal => "the ship does not end at the portal",
        Reason::AlreadyTraversed => "the ship has been through a portal this turn",
        Reason::NoExit => "the portal leads nowhere now",
        Reason::NotConnected => "the two portals are not connected",
        Reason::Collapsed => "the portal is collapsed",
        Reason::NoNavData => "you hold no navigation data for it",
        Reason::NavDataNew => "its navigation data came only this turn",
        Reason::NoContact => "you are not in contact with this empire",
        Reason::UnknownClass => "you do not know this class",
        Reason::NotBuildable => "nobody can build this class",
        Reason::BadRating => "the hull does not allow these ratings",
        Reason::TooBig => "the design is too big",
        Reason::BadName => "this name is not allowed here",
        Reason::NameTaken => "the name is taken",
        Reason::WorldNotOwned => "the world is not yours",
        Reason::JustTaken => "the world was taken only this turn",
        Reason::Interdicted => "the world is interdicted",
        Reason::SectorInterdicted => "the ship is at an interdicted world of yours",
        Reason::Blockaded => "the world is blockaded",
        Reason::NoFunds => "there are too few RU",
        Reason::NoDamage => "the ship is not damaged",
        Reason::TransponderPublic => "its transponder is in public mode",
        Reason::AllAccess => "it still has access to everything",
        Reason::NoGrant => "it has no such access",
        Reason::RecipientNotOwner => "the recipient does not own the world",
        Reason::LaneCancelled => "a world at one end of the lane was lost this turn",
        Reason::SameWorld => "origin and destination are the same world",
        Reason::MasterOnly => "only the game master may do that",
    }
}

/// One item of the news.
pub fn news_sentence(news: &News, names: Names<'_>) -> String {
    let place = news.at.map(|at| format!(" in {at}")).unwrap_or_default();
    let owner = |seat: Option<Seat>| seat.map_or_else(|| "nobody".to_owned(), names);
    match news.item {
        Item::Ship { ship, deed, amount, permille } => {
            ship_sentence(ship, deed, amount, permille, &place, names)
        }
        Item::Owner { world, from: None, to } => {
            format!("{} takes the unowned world {world}{place}.", owner(to))
        }
        Item::Owner { world, from: Some(from), to: None } => {
            format!("{} loses {world}{place}, which nobody owns now.", names(from))
        }
        Item::Owner { world, from, to } => {
            format!("{} takes {world}{place} from {}.", owner(to), owner(from))
        }
        Item::Siege { world, siege } => match siege {
            Siege::None => format!("{world}{place} is free again."),
            Siege::Blockaded => format!("{world}{place} is blockaded: no RU leave it."),
            Siege::Interdicted => {
                format!("{world}{place} is interdicted: no RU leave it and its yards stand still.")
            }
        },
        Item::Portal { portal, collapsed: true } => {
            format!("The portal {portal}{place} collapses.")
        }
        Item::Portal { portal, collapsed: false } => {
            format!("The portal {portal}{place} is open again.")
        }
        Item::Homeworld { world: Some(world) } => format!("{world}{place} is your homeworld now."),
        Item::Homeworld { world: None } => "You own no world and are homeless.".to_owned(),
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
    format!("{which} {}{place}.", deed_words(deed, Ships::One { amount, permille }))
}

/// Thousandths as a percentage.
pub fn percent(permille: u16) -> String {
    format!("{}.{} %", permille / 10, permille % 10)
}

/// The ships of which a deed is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ships {
    /// One, with what is told of it alone.
    One {
        /// The deed's amount, if it has one and the reader may know it.
        amount: Option<u32>,
        /// The ship's operational rating afterwards, in thousandths.
        permille: u16,
    },
    /// Several, to which the same happened.
    Several,
}

/// What ships did or what happened to them, as the end of a sentence that begins with them.
pub fn deed_words(deed: Deed, ships: Ships) -> String {
    let several = ships == Ships::Several;
    let amount = if let Ships::One { amount, .. } = ships { amount } else { None };
    let does = |verb: &str| if several { verb.to_owned() } else { format!("{verb}s") };
    let (is, its) = if several { ("are", "their") } else { ("is", "its") };
    let rating = match ships {
        Ships::One { permille, .. } => format!(" and is at {}", percent(permille)),
        Ships::Several => String::new(),
    };
    let harm = |cause: &str| match amount {
        Some(amount) => format!("takes {amount} damage{cause}{rating}"),
        None => format!("{is} damaged{cause}{rating}"),
    };
    match (deed, amount) {
        (Deed::Unloaded, _) => format!("{} {its} carrier", does("leave")),
        (Deed::UnloadedCargo, _) => format!("{} cargo", does("unload")),
        (Deed::Loaded, _) if several => "go aboard a carrier".to_owned(),
        (Deed::Loaded, _) => "goes aboard a carrier".to_owned(),
        (Deed::LoadedCargo, _) => format!("{} cargo aboard", does("take")),
        (Deed::Fired, Some(1)) => "fires 1 gun".to_owned(),
        (Deed::Fired, Some(amount)) => format!("fires {amount} guns"),
        (Deed::Fired, None) => does("fire"),
        (Deed::Hit, _) => harm(" in combat"),
        (Deed::Collateral, _) => harm(" from self-destructions"),
        (Deed::Destroyed, _) => format!("{is} destroyed"),
        (Deed::SelfDestructed, _) if several => "destroy themselves".to_owned(),
        (Deed::SelfDestructed, _) => "destroys itself".to_owned(),
        (Deed::AutoRepaired, Some(amount)) => format!("repairs {amount} damage points{rating}"),
        (Deed::AutoRepaired, None) => format!("{} damage{rating}", does("repair")),
        (Deed::Departed, _) => does("depart"),
        (Deed::Arrived, _) => does("arrive"),
        (Deed::EnteredPortal, _) => format!("{} a portal", does("enter")),
        (Deed::LeftPortal, _) => format!("{} out of a portal", does("come")),
        (Deed::StormDamage, _) => harm(" from ion storms"),
        (Deed::DestroyedByStorm, _) => format!("{is} destroyed by ion storms"),
        (Deed::Built, _) => format!("{is} built"),
        (Deed::Repaired, Some(amount)) => format!("is repaired by {amount} damage points{rating}"),
        (Deed::Repaired, None) => format!("{is} repaired{rating}"),
        (Deed::Toggled, _) if several => "switch their transponders".to_owned(),
        (Deed::Toggled, _) => "switches its transponder".to_owned(),
        (Deed::Removed, _) => format!("{} the game at the game master's word", does("leave")),
        (Deed::Added, _) => format!("{} at the game master's word", does("join")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::Coord;
    use crate::name::Name;
    use crate::order::Line;
    use crate::ship::Serial;

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
    fn a_report_reads_by_phase_with_what_failed_first() {
        let ship = ShipNamed {
            owner: Seat::at(1),
            serial: "CU5f09d".parse::<Serial>().unwrap(),
            name: name("Lion"),
            class: name("frigate"),
        };
        let hit = Item::Ship { ship, deed: Deed::Hit, amount: Some(10), permille: 577 };
        let fired = Item::Ship { ship, deed: Deed::Fired, amount: None, permille: 1000 };
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
            pictures: Vec::new(),
        };
        let expected = "Report of turn 4. Orders: 0 done, 0 partly done, 1 refused.
  UNLOAD Dove: not done. Dove: the ship is aboard no carrier.
6.3.2 Fire guns
  Culture's frigate Lion [CU5f09d] fires in (2,-1).
6.3.3 Apply combat damage
  Culture's frigate Lion [CU5f09d] takes 10 damage in combat and is at 57.7 % in (2,-1).
6.3.6 Determine ownership I
  Culture takes Ember in (2,-1) from Kratos.
6.7.1 Produce resource units
  Your worlds produce 31 RU.";
        assert_eq!(report(&told, &called), expected);
    }

    #[test]
    fn a_design_that_is_accepted_tells_what_it_costs() {
        let frigate = Class::sized(
            name("frigate"),
            crate::hull::Hull::Gunship,
            crate::hull::Ratings::new(20, 15, 4, 2, 0),
        );
        let check = Check {
            line: 0,
            verdict: Verdict::Accepted,
            remarks: Vec::new(),
            design: frigate,
            fault: None,
        };
        let expected = "Line 1 is accepted. A frigate costs 24 RU, after a fee of 12 RU, and \
            weighs 16 tonnes.";
        assert_eq!(check_sentence(&check), expected);
        let nuke = Class::missile(name("dart"), 8, 1);
        let told = check_sentence(&Check { design: nuke, ..check });
        assert_eq!(
            told,
            "Line 1 is accepted. A dart costs 1 RU, after no fee, and weighs 1 tonne."
        );
    }

    #[test]
    fn deeds_tell_amounts_of_one_ship_and_go_by_several() {
        let one = |deed, amount| deed_words(deed, Ships::One { amount, permille: 866 });
        assert_eq!(one(Deed::Hit, Some(12)), "takes 12 damage in combat and is at 86.6 %");
        assert_eq!(one(Deed::Hit, None), "is damaged in combat and is at 86.6 %");
        assert_eq!(one(Deed::Built, None), "is built");
        let several = |deed| deed_words(deed, Ships::Several);
        assert_eq!(several(Deed::Built), "are built");
        assert_eq!(several(Deed::Arrived), "arrive");
        assert_eq!(several(Deed::Unloaded), "leave their carrier");
        assert_eq!(several(Deed::SelfDestructed), "destroy themselves");
        assert_eq!(several(Deed::Toggled), "switch their transponders");
    }

    #[test]
    fn what_is_not_there_has_not_left_the_game() {
        let told = |item| because(Remark { item, reason: Reason::Vanished });
        assert_eq!(told(name("Lion")), "it is no longer there");
        assert_eq!(told(Name::NONE), "what this line is about is not there");
    }

    #[test]
    fn the_game_masters_list_is_told_order_by_order() {
        let collapse =
            crate::master::Astronomics::CollapsePortal { portal: name("Styx"), turns: 2 };
        let (text, _) = describe(&Event::MasterOrders { orders: vec![collapse] }, &called);
        assert_eq!(text, "The game master's orders for the next update:\n1: COLLAPSE Styx 2");
        let (text, _) = describe(&Event::MasterOrders { orders: Vec::new() }, &called);
        assert_eq!(text, "The game master's orders for the next update: nothing.");
    }

    #[test]
    fn every_reason_and_deed_has_a_sentence_of_its_own() {
        let reasons: std::collections::BTreeSet<&str> = Reason::ALL
            .into_iter()
            .map(|reason| because(Remark { item: Name::NONE, reason }))
            .collect();
        assert_eq!(reasons.len(), Reason::ALL.len());
        let remark = Remark { item: Name::NONE, reason: Reason::NoTargets };
        assert_eq!(explain(remark), "There is nothing to shoot at.");
    }

    #[test]
    fn every_event_has_a_sentence_and_a_rule_that_the_rulebook_has() {
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
            let (sentence, rule) = describe(&event, &called);
            assert!(sentence.ends_with('.') && sentence.len() > 10, "{sentence}");
            assert!(crate::rulebook::rule(rule).is_some(), "{rule}");
        }
    }
}
