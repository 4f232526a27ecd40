//! Completion of orders: stars, the viewer's ships by hex, planets, technologies, and keywords.

use heliopause_stellar_conquest::{Place, PlanetId, Power, ShipNumber, StarId, Tech, View};

use super::{notation, words};
use crate::Lexicon;

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    ships: Vec<String>,
    colonies: Vec<String>,
    settled: Vec<String>,
    prizes: Vec<String>,
    fights: Vec<String>,
}

impl Names {
    pub(super) fn new(view: &View) -> Self {
        let Some(power) = view.power() else { return Self::default() };
        let mut places: Vec<Option<Place>> = power.ships.iter().map(|ship| ship.at).collect();
        places.sort_unstable();
        places.dedup();
        let name = |planet: PlanetId| words::planet(planet);
        let mut settled: Vec<String> =
            power.colonies.iter().map(|colony| colony.planet.star.to_string()).collect();
        settled.dedup();
        Self {
            ships: places.iter().flat_map(|at| fleets(power, *at)).collect(),
            colonies: power.colonies.iter().map(|colony| name(colony.planet)).collect(),
            settled,
            prizes: power
                .conquered_colonies
                .iter()
                .map(|prize| name(prize.colony.planet))
                .collect(),
            fights: power
                .sightings
                .iter()
                .filter_map(|seen| StarId::in_hex(seen.at))
                .map(|star| star.to_string())
                .collect(),
        }
    }

    fn allowed(&self, before: &[String]) -> Vec<String> {
        let Some(verb) = before.first() else {
            return notation::verbs().map(str::to_owned).collect();
        };
        let last = before.last().map_or("", String::as_str);
        let words =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
        match (verb.as_str(), before.len(), last) {
            ("move" | "form" | "recall" | "land", 1, _) => self.ships.clone(),
            ("move", _, "to" | "avoid")
            | ("withdraw", _, "to")
            | ("attack", 1, _)
            | ("land", 2, _) => stars(),
            ("move", 2, _) => words(&["to", "via"]),
            ("move", _, _) => words(&["to", "stop", "avoid", "clouds", "lose"]),
            ("form", 2, _) => words(&["loose"]),
            ("withdraw", _, _) => words(&["to", "stay", ";"]),
            ("post" | "unpost", 1, _) | ("produce", _, "posts") => self.settled.clone(),
            ("fight", 1, _) => self.fights.clone(),
            ("watch" | "scuttle", 1, _) => self.colonies.clone(),
            ("watch", 3, _) => words(&["never", "always", "ask"]),
            ("raze" | "kill", 1, _) => self.prizes.clone(),
            ("end", 1, _) => words(&["movement", "turn"]),
            ("standing", _, "fire") => words(&["ask", "spread", "focus", "hold"]),
            ("standing", _, "stay") => {
                words(&["ask", "always", "while-more", "while-no-fewer", "never"])
            }
            ("standing", _, "scouts" | "transports") => words(&["stay", "leave"]),
            ("standing", _, "refuge") => words(&["ask", "away"]),
            ("standing", _, "scuttle") => words(&["ask", "never", "when-lost"]),
            ("standing", _, _) => {
                words(&["fire", "stay", "scouts", "transports", "refuge", "scuttle"])
            }
            ("produce" | "setup" | "commission", _, "into") => codes(),
            ("produce", 1, _) | ("produce", _, "|") => {
                [self.colonies.clone(), self.prizes.clone(), words(&["posts", "grant"])].concat()
            }
            ("commission", _, _) => [words(&["corvettes", "scouts"]), codes()].concat(),
            ("produce" | "setup", _, _) => words(&[
                "emigrate",
                "evacuate",
                "scouts",
                "scout-pairs",
                "corvettes",
                "fighters",
                "death-stars",
                "factories",
                "missile-bases",
                "advanced-bases",
                "shield",
                "into",
            ]),
            _ => Vec::new(),
        }
    }
}

/// Returns the ships of a hex as lists of numbers, all together and by kind.
fn fleets(power: &Power, at: Option<Place>) -> Vec<String> {
    let here: Vec<_> = power.ships.iter().filter(|ship| ship.at == at).collect();
    let all: Vec<ShipNumber> = here.iter().map(|ship| ship.number).collect();
    let mut lists = vec![words::numbers(&all)];
    for kind in heliopause_stellar_conquest::ShipKind::ALL {
        let some: Vec<ShipNumber> =
            here.iter().filter(|ship| ship.kind() == kind).map(|ship| ship.number).collect();
        if !some.is_empty() && some.len() < all.len() {
            lists.push(words::numbers(&some));
        }
    }
    lists
}

fn stars() -> Vec<String> {
    StarId::ALL.into_iter().map(|star| star.to_string()).collect()
}

fn codes() -> Vec<String> {
    Tech::ALL.into_iter().map(|tech| tech.title().code.to_owned()).collect()
}

impl Lexicon for Names {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let before: Vec<String> =
            typed[..start].split_whitespace().map(str::to_lowercase).collect();
        let part = typed[start..].to_lowercase();
        let mut candidates = self.allowed(&before);
        candidates.retain(|word| word.to_lowercase().starts_with(&part));
        (start, candidates)
    }
}
