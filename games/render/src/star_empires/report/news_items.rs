//! The news other than battles, by part of the turn. One sentence covers ships with the same event.

use heliopause_star_empires::{Item, News, Ships, Siege, deed_phrase, news_sentence};

use super::{ReportContext, battles};
use crate::document::{Block, Tone, Words};

/// The parts of the turn, by phase number.
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

pub(super) fn section(context: &ReportContext<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (number, title) in CHAPTERS {
        let of_chapter = |news: &&News| {
            news.section.as_str().starts_with(number) && !battles::tells(context, news)
        };
        let chapter: Vec<&News> = context.report.news.iter().filter(of_chapter).collect();
        let runs = chapter.chunk_by(|left, right| is_alike(left, right));
        let items: Vec<Words> = runs.map(|run| sentence(context, run)).collect();
        if !items.is_empty() {
            blocks.push(Block::Heading(Words::plain(title)));
            blocks.push(Block::List(items));
        }
    }
    blocks
}

/// Returns whether one sentence can cover both items, because two ships had the same event.
fn is_alike(left: &News, right: &News) -> bool {
    match (left.item, right.item) {
        (
            Item::Ship { ship, kind: deed, amount: None, .. },
            Item::Ship { ship: other, kind: another, amount: None, .. },
        ) => {
            (left.at, left.section, ship.owner, deed)
                == (right.at, right.section, other.owner, another)
        }
        _ => false,
    }
}

fn sentence(context: &ReportContext<'_>, run: &[&News]) -> Words {
    let Some(news) = run.last() else { return Words::default() };
    let told = if let Item::Ship { kind: deed, amount, permille, .. } = news.item {
        let number = if run.len() > 1 { Ships::Several } else { Ships::One { amount, permille } };
        let place = news.at.map(|at| Words::new(" in ", Tone::Faint).with(context.sector(at)));
        ships(context, run)
            .and(format!(" {}", deed_phrase(deed, number)), Tone::Plain)
            .with(place.unwrap_or_default())
            .and(".", Tone::Plain)
    } else {
        let told = news_sentence(news, &|seat| context.atlas.name(seat));
        Words::new(told, tone(context, news.item))
    };
    told.and(format!("  {}", news.section), Tone::Faint)
}

fn ships(context: &ReportContext<'_>, run: &[&News]) -> Words {
    let mut words = Words::default();
    for (index, news) in run.iter().enumerate() {
        let Item::Ship { ship, .. } = news.item else { continue };
        let between = match index {
            0 => "",
            last if last + 1 == run.len() => " and ",
            _ => ", ",
        };
        words = words.and(between, Tone::Plain).with(context.ship(ship));
    }
    words
}

fn tone(context: &ReportContext<'_>, item: Item) -> Tone {
    let is_lost = matches!(item, Item::Owner { from, .. } if from == context.atlas.seat);
    let is_hostile = matches!(item, Item::Siege { siege, .. } if siege != Siege::None);
    let is_homeless = matches!(item, Item::Homeworld { world: None });
    if is_lost || is_hostile || is_homeless {
        Tone::Bad
    } else if matches!(item, Item::Siege { .. } | Item::Contact { .. }) {
        Tone::Good
    } else {
        Tone::Plain
    }
}
