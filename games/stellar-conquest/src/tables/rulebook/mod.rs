//! The rules in the project's own words, by number. Numbers look like `12.4` or `BR-7` in the base
//! game, and like `fate-7.2`, `FR-8`, `space-6.2` or `DR-7` in the articles.

mod base;
mod fate;
mod rule;
mod rulings;
mod space;
mod tables;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use heliopause_kernel::headings;

use crate::state::options::Variant;
use crate::tables::rulebook::rule::Rule;

const CHAPTERS: [&[Rule]; 6] =
    [base::SECTIONS, rulings::BASE, fate::SECTIONS, rulings::FATE, space::SECTIONS, space::RULINGS];

static TEXTS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let whole = |&(number, text): &Rule| {
        let table = tables::table(number)
            .map_or_else(String::new, |table| format!("\n\n{}", table.trim_end()));
        (number.to_lowercase(), format!("{text}{table}"))
    };
    CHAPTERS.into_iter().flatten().map(whole).collect()
});

pub(crate) fn rule(number: &str) -> Option<&'static str> {
    TEXTS.get(&number.to_lowercase()).map(String::as_str)
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

pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    CHAPTERS.into_iter().flat_map(headings).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_sections(prefix: &str, chapters: &[(u32, u32)]) {
        for &(chapter, sections) in chapters {
            assert!(rule(&format!("{prefix}{chapter}")).is_some(), "{prefix}{chapter}");
            for section in 1..=sections {
                assert!(
                    rule(&format!("{prefix}{chapter}.{section}")).is_some(),
                    "{prefix}{chapter}.{section}"
                );
            }
            assert!(
                rule(&format!("{prefix}{chapter}.{}", sections + 1)).is_none(),
                "{prefix}{chapter}"
            );
        }
    }

    #[test]
    fn every_section_of_both_pages_has_a_text() {
        let base = [
            (0, 0),
            (1, 0),
            (2, 7),
            (3, 4),
            (4, 0),
            (5, 4),
            (6, 3),
            (7, 7),
            (8, 6),
            (9, 0),
            (10, 0),
            (11, 6),
            (12, 9),
            (13, 7),
            (14, 0),
            (15, 10),
            (16, 7),
            (17, 11),
            (18, 5),
            (19, 2),
            (20, 0),
        ];
        has_sections("", &base);
        let fate = [
            (1, 0),
            (2, 5),
            (3, 0),
            (4, 4),
            (5, 6),
            (6, 6),
            (7, 8),
            (8, 8),
            (9, 0),
            (10, 0),
            (11, 0),
            (12, 0),
        ];
        has_sections("fate-", &fate);
        let space = [
            (1, 3),
            (2, 0),
            (3, 0),
            (4, 0),
            (5, 0),
            (6, 4),
            (7, 2),
            (8, 5),
            (9, 2),
            (10, 6),
            (11, 0),
            (12, 0),
        ];
        has_sections("space-", &space);
    }

    #[test]
    fn every_ruling_of_both_pages_has_a_text() {
        assert!((1..=31).chain(50..=51).all(|number| rule(&format!("BR-{number}")).is_some()));
        assert!((1..=28).all(|number| rule(&format!("FR-{number}")).is_some()));
        assert!((1..=44).chain(47..=51).all(|number| rule(&format!("DR-{number}")).is_some()));
        assert_eq!((rulings::BASE.len(), rulings::FATE.len(), space::RULINGS.len()), (33, 28, 49));
        assert_eq!(rule("br-7"), rule("BR-7"));
        assert_eq!((rule("BR-32"), rule("FR-29"), rule("DR-45")), (None, None, None));
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
    fn texts_are_sentences_and_numbers_differ() {
        let all: Vec<&Rule> = CHAPTERS.into_iter().flatten().collect();
        for (nth, (number, text)) in all.iter().enumerate() {
            assert!(text.ends_with('.') && text.len() > 20, "{number}");
            assert!(all[..nth].iter().all(|(other, _)| other != number), "{number}");
        }
    }
}
