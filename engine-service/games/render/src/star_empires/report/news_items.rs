//! What else happened, by chapter of the turn: one sentence each in the words of the rules, equal
//! ones together.

use heliopause_star_empires::{Item, News, Ships, Siege, deed_words, news_sentence};

use super::{Briefing, battles};
use crate::document::{Block, Tone, Words};

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
        let of_chapter = |news: &&News| {
            news.section.as_str().starts_with(number) && !battles::tells(briefing, news)
        };
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
    match (left.item, right.item) {
        (
            Item::Ship { ship, deed, amount: None, .. },
            Item::Ship { ship: other, deed: another, amount: None, .. },
        ) => {
            (left.at, left.section, ship.owner, deed)
                == (right.at, right.section, other.owner, another)
        }
        _ => false,
    }
}

/// Items of the news that are alike, as a sentence.
fn sentence(briefing: &Briefing<'_>, run: &[&News]) -> Words {
    let Some(news) = run.last() else { return Words::default() };
    let told = if let Item::Ship { deed, amount, permille, .. } = news.item {
        let number = if run.len() > 1 { Ships::Several } else { Ships::One { amount, permille } };
        let place = news.at.map(|at| Words::new(" in ", Tone::Faint).with(briefing.sector(at)));
        ships(briefing, run)
            .and(format!(" {}", deed_words(deed, number)), Tone::Plain)
            .with(place.unwrap_or_default())
            .and(".", Tone::Plain)
    } else {
        let told = news_sentence(news, &|seat| briefing.atlas.name(seat));
        Words::new(told, tone(briefing, news.item))
    };
    told.and(format!("  {}", news.section), Tone::Faint)
}

/// The ships of alike items: "Lion, Eye and Mule".
fn ships(briefing: &Briefing<'_>, run: &[&News]) -> Words {
    let mut words = Words::default();
    for (index, news) in run.iter().enumerate() {
        let Item::Ship { ship, .. } = news.item else { continue };
        let between = match index {
            0 => "",
            last if last + 1 == run.len() => " and ",
            _ => ", ",
        };
        words = words.and(between, Tone::Plain).with(briefing.ship(ship));
    }
    words
}

/// How an item of the news is to be taken.
fn tone(briefing: &Briefing<'_>, item: Item) -> Tone {
    match item {
        Item::Owner { from, .. } if from == briefing.atlas.seat => Tone::Bad,
        Item::Siege { siege: Siege::Blockaded | Siege::Interdicted, .. }
        | Item::Homeworld { world: None } => Tone::Bad,
        Item::Siege { siege: Siege::None, .. } | Item::Contact { .. } => Tone::Good,
        Item::Ship { .. }
        | Item::Owner { .. }
        | Item::Portal { .. }
        | Item::Homeworld { .. }
        | Item::Navigation { .. }
        | Item::Class { .. }
        | Item::Delivery { .. }
        | Item::Production { .. } => Tone::Plain,
    }
}
