//! Help on orders, and their completion with the words and names that the grammar allows.

use std::collections::HashMap;

use heliopause_star_empires::{EmpireView, Hull, Phase, handle};

use crate::manual::Completion;

pub(super) const NOTATION: &str = include_str!("notation.txt").trim_ascii_end();
pub(super) const ORDERS: &str = include_str!("orders.txt");

pub(super) fn completion(own: &EmpireView) -> Completion {
    let (seat, chart) = (own.status.seat, &own.chart);
    let owned = chart.worlds.iter().filter(|world| world.owner == Some(seat));
    let others = own.empires.iter().filter(|empire| empire.seat != seat);
    let worlds: Vec<String> = chart.worlds.iter().map(|world| world.name.to_string()).collect();
    let portals: Vec<String> = chart.portals.iter().map(|it| it.name.to_string()).collect();
    let storms: Vec<String> = chart.storms.iter().map(|storm| storm.name.to_string()).collect();
    let classes: Vec<String> = own.classes.iter().map(|class| class.name.to_string()).collect();
    let marked = |names: &[String]| names.iter().map(|name| format!("@{name}")).collect();
    let ships = own.ships.iter().map(|ship| handle(ship.name, ship.serial).to_string());
    let objects = [worlds.as_slice(), &portals, &storms].concat();
    Completion {
        rules: include_str!("completions.txt"),
        verbs: Phase::ALL.map(|phase| phase.as_str().to_owned()).into(),
        keywords: &["TO", "AT", "FROM", "ONTO", "THROUGH", "EXCEPT", "CLASS"],
        lists: HashMap::from([
            ("ships", ships.collect()),
            ("own-worlds", owned.map(|world| world.name.to_string()).collect()),
            ("empires", others.map(|empire| empire.name.to_string()).collect()),
            ("hulls", Hull::ALL.map(|hull| hull.as_str().to_owned()).into()),
            ("selections", marked(&objects)),
            ("crews", marked(&classes)),
            ("worlds", worlds),
            ("portals", portals),
            ("classes", classes),
            ("objects", objects),
        ]),
    }
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game as _;
    use heliopause_star_empires::StarEmpires;

    use super::super::sample;
    use super::*;
    use crate::{Lexicon as _, manual};

    fn complete(typed: &str) -> (usize, Vec<String>) {
        completion(sample::view().own().expect("the sample is that of an empire")).complete(typed)
    }

    #[test]
    fn names_and_keywords_fit_their_place() {
        assert_eq!(complete("").1.len(), 18);
        assert_eq!(complete("MOVE Lion TO Qu").0, 13);
        for (typed, words) in [
            ("tra", "TRANSMIT TRAVERSE TRANSFER"),
            ("move li", "Lion"),
            ("MOVE @e", "@Ember"),
            ("MOVE Lion T", "TO"),
            ("MOVE Lion TO Q", "Quay"),
            ("FIRE Lion AT k", "KRATOS"),
            ("LOAD Hawk1 ONTO m", "Mule"),
            ("TRAVERSE Eye THROUGH ", "Charon Lethe Styx"),
            ("BUILD ", "Alpha Beta"),
            ("BUILD Alpha 1 p", "probe"),
            ("DESIGN Alpha frigate gun", "gunship"),
            ("TOGGLE public @pr", "@probe"),
            ("POOL Alpha EXCEPT ", "Beta"),
            ("TRANSFER Alpha 6 Thr", "Throne"),
            ("AUTHORIZE CLASS b", "battleship"),
            ("DANCE ", ""),
        ] {
            assert_eq!(complete(typed).1.join(" "), words, "{typed}");
        }
    }

    #[test]
    fn every_order_has_help_with_an_example() {
        for phase in Phase::ALL {
            let (word, section) = (phase.as_str(), phase.number());
            let text = manual::help(ORDERS, &word.to_lowercase()).unwrap_or_default();
            assert!(text.contains(&format!("(rule {section})")), "{text}");
            let (_, examples) = text.split_once("\n\nFor example\n").expect("there are examples");
            for example in examples.lines().filter_map(|line| line.strip_prefix("  ")) {
                let read = StarEmpires::parse(&sample::view(), example);
                assert!(example.starts_with(word) && read.is_ok(), "{example}: {read:?}");
            }
            assert!(NOTATION.contains(word), "{word}");
        }
        assert!(manual::help(ORDERS, "ships").is_some_and(|text| text.contains("EXCEPT")));
        assert_eq!(manual::help(ORDERS, "DANCE"), None);
    }
}
