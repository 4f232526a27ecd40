//! The panels and the section of the record sheet that The Fate of Empire adds.

use heliopause_stellar_conquest::fate::Found;
use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Colony, Fate, Level, Power, StarId};

use super::atlas::Atlas;
use super::words;
use crate::document::{Block, Section, Tone, Words};
use crate::scene::{ScenePanel, SceneRow, panel, row, states};

pub(super) fn section(atlas: &Atlas) -> Option<Section> {
    let fate = atlas.view.table.campaign.fate()?;
    Section::new("The campaign", vec![Block::List(state(fate))])
}

pub(super) fn found(fate: &Fate, power: &Power) -> ScenePanel {
    panel(
        "worlds",
        "Independent worlds found",
        "planet | found | now",
        fate.found.iter().map(|found| world(fate, power, *found)).collect(),
    )
}

fn world(fate: &Fate, power: &Power, Found { planet, turn }: Found) -> SceneRow {
    let is_own = power.colony(planet).is_some();
    let now = if power.colony(planet).is_some_and(Colony::is_dominion) {
        "your dominion".to_owned()
    } else if is_own {
        "your colony".to_owned()
    } else if let Some(prize) = power.prize(planet) {
        format!("conquered, {}M; land a garrison there", prize.colony.workers())
    } else {
        match power.chart(planet.star).colonies[usize::from(planet.nth)] {
            Some(seen) => format!("independent{}", words::found_there(&seen)),
            None => "gone".to_owned(),
        }
    };
    let prime = if fate.is_prime(planet) { ", a Prime" } else { "" };
    let name = words::planet(planet);
    SceneRow {
        places: vec![planet.star.to_string()],
        states: states([(is_own, "good"), (now == "gone", "out")]),
        ..row([format!("{name}{prime}"), format!("turn {turn}"), now])
    }
}

fn state(fate: &Fate) -> Vec<Words> {
    let war = if fate.war {
        Words::new("Full-scale war: events A to F do nothing until peace (event H).", Tone::Bad)
    } else {
        Words::plain("The Empire is at peace.")
    };
    let rank = match fate.sub_province {
        Some(turn) => format!(
            "A Sub-Province since turn {turn}: a corvette arrives on every later even turn, in \
             peace."
        ),
        None => "A Captaincy-General; event D makes it a Sub-Province.".to_owned(),
    };
    let losses = format!(
        "Pirates destroyed: {}. Own ships lost: {}.",
        words::fleet(fate.destroyed),
        words::fleet(fate.lost)
    );
    vec![war, Words::plain(rank), Words::plain(losses)]
}

/// Describes the level of victory for a number of victory points, and the next level.
pub(super) const fn level(points: i64) -> &'static str {
    match Level::of(points) {
        Level::Defeat => "a defeat; a marginal victory starts at 100",
        Level::Marginal => "a marginal victory; a substantial one starts at 200",
        Level::Substantial => "a substantial victory; a decisive one starts at 300",
        Level::Decisive => "a decisive victory",
    }
}

pub(super) fn score(fate: &Fate, power: &Power) -> ScenePanel {
    let score = fate.score(power);
    let rows = [
        ("pirates destroyed", score.pirates, "S 1, C 3"),
        ("colonies and dominions", score.planets, "B 5, MT 7, ST 10, T 15 each"),
        ("Prime dominions", score.primes, "ST 35, T 50"),
        ("sectors", score.sectors, ""),
        ("ships lost", score.losses, "S -2, C -5, F -10, DS -20"),
        ("running score", score.total(), level(score.total())),
    ];
    let rows = rows
        .map(|(what, points, note)| row([what.to_owned(), points.to_string(), note.to_owned()]));
    panel("goals", "Victory points", "for | #points | ", rows.into())
}

pub(super) fn sector_name(sector: Sector) -> &'static str {
    match sector {
        Sector::One => "1 (bottom right)",
        Sector::Two => "2 (bottom left)",
        Sector::Three => "3 (top left)",
        Sector::Four => "4 (top right)",
        Sector::Central => "Central",
    }
}

pub(super) fn sectors(power: &Power) -> ScenePanel {
    let held = |star: &&StarId| power.colonies_of(**star).next().is_some();
    let row = |sector: Sector| {
        let held: Vec<String> =
            sector.stars().iter().filter(held).map(ToString::to_string).collect();
        let all = held.len() >= sector.systems();
        let cells = [
            sector_name(sector).to_owned(),
            held.len().to_string(),
            sector.systems().to_string(),
            sector.points().to_string(),
            held.join(", "),
        ];
        SceneRow { places: held, states: states([(all, "good")]), ..row(cells) }
    };
    panel(
        "sectors",
        "Sectors",
        "sector | #held | #needed | #points | your systems",
        Sector::ALL.map(row).into(),
    )
}
