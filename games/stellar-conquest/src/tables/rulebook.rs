//! The rules in the project's own words, by number. Numbers look like `12.4` or `BR-7` in the base
//! game, and like `fate-7.2`, `FR-8`, `space-6.2` or `DR-7` in the articles.
//!
//! The game reads the clouds, the research chart and the tables of The Fate of Empire from the
//! rules. A test compares all other tables of the rules with the game.

use std::fmt::Debug;
use std::str::FromStr;
use std::sync::LazyLock;

use heliopause_kernel::Rulebook;

use crate::state::options::Variant;

pub(crate) static RULEBOOK: LazyLock<Rulebook> =
    LazyLock::new(|| Rulebook::new(include_str!("../../rules.md")));

/// Returns the cells of the table of a rule. Two spaces separate them, and empty cells are left
/// out.
pub(crate) fn rows(number: &str) -> Vec<Vec<&'static str>> {
    let lines = RULEBOOK.text(number).expect("the rule has a table").lines();
    let cells =
        |line: &'static str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
    lines.filter(|line| line.contains("  ")).map(|line| cells(line).collect()).collect()
}

/// Reads a number in a table of the rules.
pub(crate) fn number<T: FromStr<Err: Debug>>(cell: &str) -> T {
    cell.parse().unwrap_or_else(|fault| panic!("{cell} in a table of the rules: {fault:?}"))
}

/// Returns whether a rule belongs to a variant. The variations of Alone in Outer Space also belong
/// to the base game, as options.
pub(crate) fn is_of(variant: Variant, number: &str) -> bool {
    let number = number.to_lowercase();
    let is_variation = number == "space-1"
        || number.starts_with("space-1.")
        || matches!(number.as_str(), "dr-1" | "dr-2" | "dr-3" | "dr-25");
    match number.split_once('-').map(|(article, _)| article) {
        Some("fate" | "fr") => variant == Variant::FateOfEmpire,
        Some("space" | "dr") if is_variation => variant != Variant::FateOfEmpire,
        Some("space" | "dr") => variant == Variant::OuterSpace,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::attack_table::{Arm, Odds, odds};
    use crate::tables::board::{ENTRY_HEXES, Place};
    use crate::tables::cards::{CardId, PlanetType};
    use crate::tables::fate::{
        STOPPED_BY_ADVANCED_BASE, STOPPED_BY_MISSILE_BASE, disengagement_number, half_points,
        loss_points, pirate_points, planet_points, prime_points, stopped_by, swarm_factors,
    };
    use crate::tables::prices::Item;
    use crate::tables::ships::ShipKind;
    use crate::tables::stars::{StarColor, StarId};
    use crate::tables::technology::{Tech, TechSet};

    #[test]
    fn every_section_and_every_ruling_has_a_text() {
        // The number of sections in each chapter.
        let pages: [(&str, u32, &[u32]); 3] = [
            ("", 0, &[0, 0, 7, 4, 0, 4, 3, 7, 6, 0, 0, 6, 9, 7, 0, 10, 7, 11, 5, 2, 0]),
            ("fate-", 1, &[0, 5, 0, 4, 6, 6, 8, 8, 0, 0, 0, 0]),
            ("space-", 1, &[3, 0, 0, 0, 0, 4, 2, 5, 2, 6, 0, 0, 0]),
        ];
        let mut numbers = Vec::new();
        for (page, first, chapters) in pages {
            for (chapter, &sections) in (first..).zip(chapters) {
                let section = |section| format!("{page}{chapter}.{section}");
                numbers.push(format!("{page}{chapter}"));
                numbers.extend((1..=sections).map(section));
            }
        }
        numbers.extend((1..=31).chain(50..=51).map(|ruling| format!("BR-{ruling}")));
        numbers.extend((1..=28).map(|ruling| format!("FR-{ruling}")));
        numbers.extend((1..=44).chain(47..=51).map(|ruling| format!("DR-{ruling}")));
        let mut own: Vec<&str> = RULEBOOK.rules().iter().map(|rule| rule.number).collect();
        own.sort_unstable();
        numbers.sort_unstable();
        assert_eq!(own, numbers);
    }

    #[test]
    fn each_variant_has_its_own_rules() {
        let has = |number: &str| Variant::ALL.map(|variant| is_of(variant, number));
        let numbers =
            ["12.4", "BR-7", "fate-7.2", "FATE-7.2", "FR-8", "space-6.2", "DR-7", "space-1.2"];
        assert_eq!(
            numbers.map(has),
            [
                [true, true, true],
                [true, true, true],
                [false, true, false],
                [false, true, false],
                [false, true, false],
                [false, false, true],
                [false, false, true],
                [true, false, true],
            ]
        );
    }

    #[test]
    fn rule_1_the_table_of_planets_counts_the_cards() {
        let rows = rows("1");
        for (color, row) in StarColor::ALL.into_iter().zip(&rows[1..]) {
            let cards: Vec<CardId> = CardId::deck(color).collect();
            let planets: Vec<_> = cards.iter().flat_map(|card| card.planets()).collect();
            let of = |kind| planets.iter().filter(|planet| planet.kind == kind).count();
            let stars = StarId::ALL.into_iter().filter(|star| star.color() == color).count();
            let rich = planets.iter().filter(|planet| planet.mineral_rich).count();
            let empty = cards.iter().filter(|card| card.planets().is_empty()).count();
            let [terran, sub_terran, minimal, barren] = PlanetType::ALL.map(of);
            let counts = [stars, cards.len(), terran, sub_terran, minimal, barren, rich, empty];
            assert_eq!(row[0], color.as_str());
            assert_eq!(row[1..], counts.map(|count| count.to_string()), "{color}");
        }
    }

    #[test]
    fn rule_2_7_the_entry_hexes_are_listed() {
        let own: Vec<Place> = rows("2.7").iter().map(|row| row[1].parse().unwrap()).collect();
        assert_eq!(own, ENTRY_HEXES);
    }

    #[test]
    fn rule_12_4_the_attack_table_has_the_odds() {
        let rows = rows("12.4");
        assert_eq!(rows[0][1..], Arm::ALL.map(Arm::letters));
        for by in Arm::ALL {
            let row = rows.iter().find(|row| row[0] == by.letters());
            for (nth, at) in Arm::ALL.into_iter().enumerate() {
                let cell = row.map_or("-", |row| row[nth + 1]);
                let printed = match cell {
                    "-" => Odds::Never,
                    "10*" => Odds::SumOfTen,
                    "sure" => Odds::Always,
                    range => Odds::UpTo(number(range.trim_start_matches("1-"))),
                };
                assert_eq!(odds(by, at), printed, "{by:?} at {at:?}");
            }
        }
    }

    #[test]
    fn rules_17_5_and_17_6_the_prices_are_listed() {
        let rows = rows("17.5");
        assert_eq!(rows.len(), 1 + Item::ALL.len());
        for (item, row) in Item::ALL.into_iter().zip(&rows[1..]) {
            let robotic = TechSet::NONE.with(Tech::RoboticIndustry);
            let price = item.price(1, TechSet::NONE);
            let printed = match item {
                Item::Scout => format!("{price}, two for {}", item.price(2, TechSet::NONE)),
                Item::Factory => format!("{price}, or {} with robotic", item.price(1, robotic)),
                _ => price.to_string(),
            };
            assert_eq!(row[..2], [item.as_str(), &printed]);
            let allows = |tech: &Tech| item.is_allowed(TechSet::NONE.with(*tech));
            let needs: Vec<&str> =
                Tech::ALL.into_iter().filter(allows).map(|tech| tech.title().code).collect();
            let is_free = item.is_allowed(TechSet::NONE);
            assert_eq!(row[2], if is_free { "nothing".to_owned() } else { needs.join(" or ") });
        }
    }

    #[test]
    fn fate_7_6_the_numbers_for_disengagement_are_listed() {
        for row in &rows("fate-7.6")[1..] {
            let differences = row[0].split(['-', ' ']).filter_map(|word| word.parse().ok());
            let most = row[1].trim_start_matches("1-");
            for difference in differences {
                assert_eq!(disengagement_number(difference).to_string(), most, "{difference}");
            }
        }
    }

    fn list<K: Copy>(
        kinds: impl IntoIterator<Item = K>,
        letters: impl Fn(K) -> &'static str,
        value: impl Fn(K) -> i64,
    ) -> String {
        let item = |kind| match value(kind) {
            0 => None,
            value => Some(format!("{} {value}", letters(kind))),
        };
        kinds.into_iter().filter_map(item).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn fate_5_3_7_6_and_11_the_values_of_ships_and_planets_are_listed() {
        let ships = |value: fn(ShipKind) -> i64| list(ShipKind::ALL, ShipKind::letters, value);
        let planets =
            |value: fn(PlanetType) -> i64| list(PlanetType::ALL, PlanetType::letters, value);
        let stopped = ships(|kind| stopped_by(kind).into());
        let (pirates, lost) = (ships(pirate_points), ships(loss_points));
        let (colonies, primes) = (planets(planet_points), planets(prime_points));
        assert_eq!(ShipKind::ALL.map(half_points), [1, 0, 2, 4, 10]);
        for (rule, sentence) in [
            ("fate-5.3", format!("Factors stopped by each ship: {stopped} (twice")),
            (
                "fate-5.3",
                format!("base: MB {STOPPED_BY_MISSILE_BASE}, AMB {STOPPED_BY_ADVANCED_BASE}."),
            ),
            ("fate-7.6", "Ship points: S ½, CT 0, C 1, F 2, DS 5;".to_owned()),
            ("fate-11", format!("Pirates destroyed: {pirates}. Ships lost: {lost}.")),
            ("fate-11", format!("Colonies and dominions: {colonies}. Prime dominions: {primes}.")),
        ] {
            let text = RULEBOOK.text(rule).unwrap();
            assert!(text.contains(&sentence), "{sentence}\n{text}");
        }
        let strengths: Vec<String> = (1..=6).map(|die| swarm_factors(die).to_string()).collect();
        assert_eq!(rows("fate-5.3")[1][1..], strengths);
    }
}
