//! What else happened, by chapter of the turn: one sentence each, equal ones together.

use heliopause_proto::star_empires::v1::{ClassNews, News, Siege, Source, news};

use super::{Briefing, at, battles, joined};
use crate::document::{Block, Tone, Words};
use crate::star_empires::words;
use crate::text::harmless;

/// The chapters of the turn, by the number of their phases.
const CHAPTERS: [(&str, &str); 8] = [
    ("6.1.", "Astronomics"),
    ("6.2.", "Logistics"),
    ("6.3.", "After the battles"),
    ("6.4.", "Movement"),
    ("6.5.", "Research"),
    ("6.6.", "Maintenance"),
    ("6.7.", "Income"),
    ("6.8.", "Scanning"),
];

/// The news but for the battles.
pub(super) fn section(briefing: &Briefing<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (number, title) in CHAPTERS {
        let of_chapter = |news: &&News| news.phase.starts_with(number) && !battles::tells(briefing, news);
        let chapter: Vec<&News> = briefing.report.news.iter().filter(of_chapter).collect();
        let runs = chapter.chunk_by(|left, right| is_alike(left, right));
        let items: Vec<Words> = runs.map(|run| sentence(briefing, run)).collect();
        if !items.is_empty() {
            blocks.push(Block::Heading(Words::plain(title)));
            blocks.push(Block::List(items));
        }
    }
    blocks
}

/// Whether the same happened to two ships, so that one sentence tells both.
fn is_alike(left: &News, right: &News) -> bool {
    match (Briefing::deed(left), Briefing::deed(right)) {
        (Some((ship, item)), Some((other, another))) => {
            (left.at, &left.phase, ship.owner) == (right.at, &right.phase, other.owner)
                && (item.deed, item.amount, another.amount) == (another.deed, None, None)
        }
        _ => false,
    }
}

/// Items of the news that are alike, as a sentence.
fn sentence(briefing: &Briefing<'_>, run: &[&News]) -> Words {
    let Some((news, more)) = run.split_last() else { return Words::default() };
    let place = at(news.at.as_ref());
    let others = more.iter().filter_map(|news| Briefing::deed(news)).map(|(ship, _)| briefing.ship(ship));
    let others = joined(Words::default(), others, ", ");
    let others = if more.is_empty() { others } else { others.and(" and ", Tone::Plain) };
    let told = others.with(told(briefing, news, run.len()));
    let told = match place {
        Some(place) if Briefing::deed(news).is_some() => told.and(" at ", Tone::Faint).with(briefing.sector(place)),
        Some(place) => told.and(format!(" {}", words::sector(place)), Tone::Faint),
        None => told,
    };
    told.and(format!("  {}", news.phase), Tone::Faint)
}

/// What happened, to so many ships if it is about ships; the last of them is named.
fn told(briefing: &Briefing<'_>, news: &News, ships: usize) -> Words {
    use news::Kind;
    match &news.kind {
        Some(Kind::Ship(item)) => {
            let ship = item.ship.clone().unwrap_or_default();
            let deed = words::deed(item.deed(), item.amount);
            let deed = if ships > 1 { words::of_several(&deed) } else { deed };
            briefing.ship(&ship).and(format!(" {deed}"), Tone::Plain)
        }
        Some(Kind::Owner(item)) => {
            let world = Words::new(harmless(&item.world), Tone::Strong);
            let change = if item.new_owner == 0 {
                world.and(" is nobody's any more, after ", Tone::Plain).with(briefing.empire(item.former_owner))
            } else {
                let taken = world.and(" goes to ", Tone::Plain).with(briefing.empire(item.new_owner));
                if item.former_owner == 0 {
                    taken
                } else {
                    taken.and(" from ", Tone::Plain).with(briefing.empire(item.former_owner))
                }
            };
            let is_loss = item.former_owner == briefing.atlas.seat;
            if is_loss { Words::new("Lost: ", Tone::Bad).with(change) } else { change }
        }
        Some(Kind::Siege(item)) => match item.siege() {
            Siege::None | Siege::Unspecified => {
                Words::new(harmless(&item.world), Tone::Strong).and(" is free again", Tone::Good)
            }
            siege => Words::new(harmless(&item.world), Tone::Strong)
                .and(" is ", Tone::Plain)
                .and(words::siege(siege), Tone::Bad),
        },
        Some(Kind::Portal(item)) => {
            let state = if item.collapsed { "collapsed" } else { "formed anew" };
            Words::plain(format!("Portal {} {state}", harmless(&item.portal)))
        }
        Some(Kind::Homeworld(item)) if item.world.is_empty() => Words::new("You are homeless now", Tone::Bad),
        Some(Kind::Homeworld(item)) => Words::plain("Your homeworld is ")
            .and(harmless(&item.world), Tone::Strong)
            .and(" now, and produced double", Tone::Plain),
        Some(Kind::Navigation(item)) => {
            let told = Words::plain(format!("Navigation data of portal {}", harmless(&item.portal)));
            if item.from_empire == 0 {
                told.and(", by your own ships", Tone::Plain)
            } else {
                told.and(", from ", Tone::Plain).with(briefing.empire(item.from_empire))
            }
        }
        Some(Kind::ShipClass(item)) => class_told(briefing, item),
        Some(Kind::Delivery(item)) => {
            Words::plain(format!("{} RU came to {} from ", item.amount, harmless(&item.world)))
                .with(briefing.empire(item.from_empire))
        }
        Some(Kind::Production(item)) => Words::plain(format!("Your worlds produced {} RU", item.amount)),
        Some(Kind::Contact(item)) => briefing.empire(item.empire).and(" is a contact of yours now", Tone::Good),
        None => Words::plain("Something happened"),
    }
}

/// How a class became known.
fn class_told(briefing: &Briefing<'_>, item: &ClassNews) -> Words {
    let class = Words::plain("Class ").and(harmless(&item.ship_class), Tone::Strong);
    match item.source() {
        Source::Salvaged => class.and(" was salvaged from wrecks", Tone::Plain),
        Source::Designed => class.and(" was designed", Tone::Plain),
        Source::Given => class.and(" was given by ", Tone::Plain).with(briefing.empire(item.from_empire)),
        Source::Master => class.and(" was given by the game master", Tone::Plain),
        Source::Unspecified => class.and(" became known", Tone::Plain),
    }
}
