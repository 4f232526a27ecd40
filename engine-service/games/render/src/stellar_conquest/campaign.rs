//! What The Fate of Empire adds to the record sheet: the campaign, its score, dominions and
//! sectors.

use heliopause_stellar_conquest::fate::tables::Sector;
use heliopause_stellar_conquest::{Fate, Level, Power, StarId};

use super::atlas::Atlas;
use super::words;
use crate::document::{Block, Section, Tone, Words};

/// The campaign; none in the base game.
pub(super) fn section(atlas: &Atlas, power: &Power) -> Option<Section> {
    let fate = atlas.view.table.campaign.fate()?;
    let mut blocks = vec![
        Block::List(state(fate, power)),
        Block::Table(vec!["for", "points", ""], score(fate, power)),
    ];
    blocks.push(Block::Table(
        vec!["sector", "held", "needed", "points", "your systems"],
        sectors(power),
    ));
    if !fate.found.is_empty() {
        blocks.push(Block::Heading(Words::plain("Independent worlds found")));
        blocks.push(Block::List(
            fate.found.iter().map(|one| found(fate, power, one.planet, one.turn)).collect(),
        ));
    }
    Section::new("The campaign", blocks)
}

fn found(
    fate: &Fate,
    power: &Power,
    planet: heliopause_stellar_conquest::PlanetId,
    turn: u8,
) -> Words {
    let prime = if fate.is_prime(planet) { " (a Prime)" } else { "" };
    let now = if power.colony(planet).is_some_and(heliopause_stellar_conquest::Colony::is_dominion)
    {
        Words::new("your dominion", Tone::Good)
    } else if power.colony(planet).is_some() {
        Words::new("your colony", Tone::Good)
    } else if let Some(prize) = power.prize(planet) {
        Words::new(
            format!("conquered, {}M; land a garrison there", prize.colony.workers()),
            Tone::Notice,
        )
    } else {
        match power.chart(planet.star).colonies[usize::from(planet.nth)] {
            Some(seen) => Words::plain(format!("independent{}", words::found_there(&seen))),
            None => Words::new("gone", Tone::Faint),
        }
    };
    Words::plain(format!("{}{prime}, found in turn {turn}: ", words::planet(planet))).with(now)
}

fn state(fate: &Fate, power: &Power) -> Vec<Words> {
    let war = if fate.war {
        Words::new("Full-scale war: events A to F do nothing until peace (event H).", Tone::Bad)
    } else {
        Words::plain("The Empire is at peace.")
    };
    let rank = match fate.sub_province {
        Some(turn) => format!(
            "A Sub-Province since turn {turn}: a corvette comes on every later even turn, in peace."
        ),
        None => "A Captaincy-General; event D makes it a Sub-Province.".to_owned(),
    };
    let debt = match fate.debt {
        0 => Words::plain("Nothing is owed to the Empire."),
        debt => Words::new(
            format!("{} ship points are owed to the Empire.", words::halves(debt)),
            Tone::Bad,
        ),
    };
    let grant = match power.grant {
        0 => Words::default(),
        points => Words::new(
            format!("{points} i.p. for research wait for the next production turn."),
            Tone::Good,
        ),
    };
    let losses = format!(
        "Pirates destroyed: {}. Own ships lost: {}.",
        words::fleet(fate.destroyed),
        words::fleet(fate.lost)
    );
    let all = [war, Words::plain(rank), debt, grant, Words::plain(losses)];
    all.into_iter().filter(|words| !words.is_empty()).collect()
}

fn score(fate: &Fate, power: &Power) -> Vec<Vec<Words>> {
    let score = fate.score(power);
    let planets = "B 5, MT 7, ST 10, T 15 each";
    let mut rows: Vec<Vec<Words>> = [
        ("pirates destroyed", score.pirates, "S 1, C 3"),
        ("colonies and dominions", score.planets, planets),
        ("Prime dominions", score.primes, "ST 35, T 50"),
        ("sectors", score.sectors, "see below"),
        ("ships lost", score.losses, "S -2, C -5, F -10, DS -20"),
    ]
    .into_iter()
    .map(|(what, points, note)| {
        vec![Words::plain(what), Words::plain(points.to_string()), Words::new(note, Tone::Faint)]
    })
    .collect();
    let total = score.total();
    let level = match Level::of(total) {
        Level::Defeat => "a defeat; 100 make a marginal victory",
        Level::Marginal => "a marginal victory; 200 make a substantial one",
        Level::Substantial => "a substantial victory; 300 make a decisive one",
        Level::Decisive => "a decisive victory",
    };
    rows.push(vec![
        Words::new("running score", Tone::Strong),
        Words::new(total.to_string(), Tone::Strong),
        Words::plain(level),
    ]);
    rows
}

/// The name of a sector.
pub(super) fn sector_name(sector: Sector) -> &'static str {
    match sector {
        Sector::One => "1 (bottom right)",
        Sector::Two => "2 (bottom left)",
        Sector::Three => "3 (top left)",
        Sector::Four => "4 (top right)",
        Sector::Central => "Central",
    }
}

/// The stars of a sector that have a colony or dominion.
pub(super) fn held_in(power: &Power, sector: Sector) -> impl Iterator<Item = &'static StarId> {
    sector.stars().iter().filter(|star| power.colonies_of(**star).next().is_some())
}

fn sectors(power: &Power) -> Vec<Vec<Words>> {
    let row = |sector: Sector| {
        let held: Vec<String> = held_in(power, sector).map(ToString::to_string).collect();
        let tone = if held.len() >= sector.systems() { Tone::Good } else { Tone::Plain };
        vec![
            Words::plain(sector_name(sector)),
            Words::new(held.len().to_string(), tone),
            Words::plain(sector.systems().to_string()),
            Words::plain(sector.points().to_string()),
            Words::new(held.join(", "), Tone::Faint),
        ]
    };
    Sector::ALL.into_iter().map(row).collect()
}
