//! Completion of order lines with the words and names that the grammar allows.

use heliopause_star_empires::{EmpireView, Hull, handle};

use super::grammar;
use crate::Lexicon;

/// Keywords that change the words that may follow.
const CLAUSE_KEYWORDS: [&str; 7] = ["TO", "AT", "FROM", "ONTO", "THROUGH", "EXCEPT", "CLASS"];

#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    ships: Vec<String>,
    own_worlds: Vec<String>,
    worlds: Vec<String>,
    portals: Vec<String>,
    storms: Vec<String>,
    classes: Vec<String>,
    empires: Vec<String>,
}

impl Names {
    pub(super) fn new(own: &EmpireView) -> Self {
        let (seat, chart) = (own.status.seat, &own.chart);
        let owned = chart.worlds.iter().filter(|world| world.owner == Some(seat));
        let others = own.empires.iter().filter(|empire| empire.seat != seat);
        Self {
            ships: own
                .ships
                .iter()
                .map(|ship| handle(ship.name, ship.serial).to_string())
                .collect(),
            own_worlds: owned.map(|world| world.name.to_string()).collect(),
            worlds: chart.worlds.iter().map(|world| world.name.to_string()).collect(),
            portals: chart.portals.iter().map(|portal| portal.name.to_string()).collect(),
            storms: chart.storms.iter().map(|storm| storm.name.to_string()).collect(),
            classes: own.classes.iter().map(|class| class.name.to_string()).collect(),
            empires: others.map(|empire| empire.name.to_string()).collect(),
        }
    }

    fn allowed(&self, before: &[String]) -> Vec<String> {
        let Some(verb) = before.first() else { return words(grammar::keywords()) };
        let turn = before
            .iter()
            .skip(1)
            .rev()
            .find(|word| CLAUSE_KEYWORDS.contains(&word.as_str()))
            .map(String::as_str);
        let place = before.len();
        match (verb.as_str(), turn) {
            (_, Some("EXCEPT")) if verb == "POOL" => self.own_worlds.clone(),
            (_, Some("EXCEPT")) => [self.ships.clone(), after_selection(verb)].concat(),
            (_, Some("ONTO")) | ("UNLOAD", _) => self.ships.clone(),
            (_, Some("THROUGH")) => self.portals.clone(),
            ("MOVE", Some("TO")) => self.objects(""),
            (_, Some("TO" | "AT" | "FROM")) => self.empires.clone(),
            (_, Some("CLASS")) | ("GIVE", _) => [self.classes.clone(), words(["TO"])].concat(),
            ("LOAD", _) => [self.ships.clone(), words(["ONTO"])].concat(),
            ("FIRE", _) if place == 1 => [words(["ASC", "DESC"]), self.selection()].concat(),
            ("FIRE" | "MOVE" | "TRAVERSE" | "DESTRUCT", _) => {
                [self.selection(), words(["EXCEPT"]), after_selection(verb)].concat()
            }
            ("TRANSMIT", _) => [self.portals.clone(), words(["TO"])].concat(),
            ("DESIGN", _) => match place {
                1 => self.own_worlds.clone(),
                3 => words(Hull::ALL.map(Hull::as_str)),
                _ => Vec::new(),
            },
            ("BUILD", _) => match place {
                1 => self.own_worlds.clone(),
                2 => words(["MAX"]),
                3 => self.classes.clone(),
                _ => Vec::new(),
            },
            ("REPAIR", _) => match place {
                1 => self.ships.clone(),
                2 => words(["MAX"]),
                _ => self.own_worlds.clone(),
            },
            ("POOL", _) => [self.own_worlds.clone(), words(["EXCEPT"])].concat(),
            ("TRANSFER", _) => match place {
                1 => self.own_worlds.clone(),
                2 => words(["MAX"]),
                3 => self.worlds.clone(),
                _ => self.empires.clone(),
            },
            ("TOGGLE", _) if place == 1 => words(["PUBLIC", "PRIVATE"]),
            ("TOGGLE", _) => self.crews(&[]),
            ("CONCEAL", _) => self.crews(&["FROM"]),
            ("IDENTIFY", _) => self.crews(&["TO"]),
            ("DENY" | "AUTHORIZE", _) => {
                [words(["ALL", "CLASS", "TO"]), self.objects("@"), self.ships.clone()].concat()
            }
            _ => Vec::new(),
        }
    }

    fn objects(&self, mark: &str) -> Vec<String> {
        let all = self.worlds.iter().chain(&self.portals).chain(&self.storms);
        all.map(|name| format!("{mark}{name}")).collect()
    }

    fn selection(&self) -> Vec<String> {
        [self.ships.clone(), self.objects("@")].concat()
    }

    fn crews(&self, after: &[&str]) -> Vec<String> {
        let classes = self.classes.iter().map(|class| format!("@{class}")).collect();
        [words(["ALL"]), self.ships.clone(), classes, words(after.iter().copied())].concat()
    }
}

fn after_selection(verb: &str) -> Vec<String> {
    match verb {
        "FIRE" => words(["AT"]),
        "MOVE" => words(["TO"]),
        "TRAVERSE" => words(["THROUGH"]),
        _ => Vec::new(),
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

impl Lexicon for Names {
    fn complete(&self, typed: &str) -> (usize, Vec<String>) {
        let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let before: Vec<String> =
            typed[..start].split_whitespace().map(str::to_uppercase).collect();
        let part = typed[start..].to_lowercase();
        let mut fitting: Vec<String> = self
            .allowed(&before)
            .into_iter()
            .filter(|word| word.to_lowercase().starts_with(&part))
            .collect();
        // A word other than a keyword is rarely repeated within an order.
        fitting.retain(|word| {
            !before.contains(&word.to_uppercase()) || CLAUSE_KEYWORDS.contains(&word.as_str())
        });
        (start, fitting)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn names() -> Names {
        Names::new(sample::view().own().expect("the sample is that of an empire"))
    }

    fn complete(typed: &str) -> Vec<String> {
        names().complete(typed).1
    }

    #[test]
    fn the_first_word_is_an_order() {
        assert_eq!(complete("tra"), ["TRANSMIT", "TRAVERSE", "TRANSFER"]);
        assert_eq!(complete("").len(), 18);
    }

    #[test]
    fn names_fit_their_place() {
        assert_eq!(complete("move li"), ["Lion"]);
        assert_eq!(complete("MOVE @e"), ["@Ember"]);
        assert_eq!(complete("MOVE Lion T"), ["TO"]);
        assert_eq!(complete("MOVE Lion TO Q"), ["Quay"]);
        assert_eq!(complete("FIRE Lion AT k"), ["KRATOS"]);
        assert_eq!(complete("LOAD Hawk1 ONTO m"), ["Mule"]);
        assert_eq!(complete("TRAVERSE Eye THROUGH "), ["Charon", "Lethe", "Styx"]);
        assert_eq!(complete("BUILD "), ["Alpha", "Beta"]);
        assert_eq!(complete("BUILD Alpha 1 p"), ["probe"]);
        assert_eq!(complete("DESIGN Alpha frigate gun"), ["gunship"]);
        assert_eq!(complete("TOGGLE public @pr"), ["@probe"]);
        assert_eq!(complete("POOL Alpha EXCEPT "), ["Beta"]);
        assert_eq!(complete("TRANSFER Alpha 6 Thr"), ["Throne"]);
        assert_eq!(complete("AUTHORIZE CLASS b"), ["battleship"]);
        assert_eq!(complete("DANCE "), Vec::<String>::new());
    }

    #[test]
    fn completion_returns_the_start_of_the_word() {
        assert_eq!(names().complete("MOVE Lion TO Qu").0, 13);
    }
}
