//! Paraphrased rules by number, for the `?` command and `Explain` calls.
//!
//! Sections have the numbers of the rules. The rules use 4.2.4 twice: here orbitals are `4.2.4a`,
//! transports `4.2.4b`, and `4.2.4` is both. Rulings are `R1` to `R80`.

mod rulings;
mod sections;

use heliopause_kernel::headings;
use rulings::RULINGS;
use sections::SECTIONS;

pub(crate) fn rule(number: &str) -> Option<&'static str> {
    let number = number.strip_suffix(".0").unwrap_or(number);
    let section = SECTIONS
        .iter()
        .find(|section| section.0.eq_ignore_ascii_case(number))
        .map(|section| section.2);
    let ruling = || {
        RULINGS.iter().find(|ruling| ruling.0.eq_ignore_ascii_case(number)).map(|ruling| ruling.1)
    };
    section.or_else(ruling)
}

pub(crate) fn rules() -> Vec<(&'static str, &'static str)> {
    let sections = SECTIONS.iter().map(|&(number, title, _)| (number, title));
    sections.chain(headings(RULINGS)).collect()
}

pub(crate) fn title(number: &str) -> Option<&'static str> {
    SECTIONS.iter().find(|section| section.0 == number).map(|section| section.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_every_ruling_has_a_text() {
        for number in 1..=80 {
            assert!(rule(&format!("R{number}")).is_some(), "R{number}");
        }
        assert_eq!(RULINGS.len(), 80);
        let sections = [
            "1", "2", "2.1", "2.5", "3", "4", "4.1", "4.2.1", "4.2.4", "4.2.4a", "4.2.4b", "4.2.6",
            "4.3", "4.4", "4.5", "5", "6", "6.1", "6.8", "7", "8",
        ];
        assert!(sections.iter().all(|number| rule(number).is_some()));
        assert_eq!(rule("7.0"), rule("7"));
        assert_eq!(rule("r12"), rule("R12"));
        assert_eq!((rule("R81"), rule("6.9"), rule("")), (None, None, None));
    }

    #[test]
    fn every_phase_of_the_turn_and_of_the_orders_is_in_the_rulebook() {
        let mut found = 0;
        for chapter in 1..=8 {
            for number in 1..=10 {
                let number = format!("6.{chapter}.{number}");
                if let Ok(section) = number.parse::<crate::section::Section>() {
                    assert!(
                        rule(section.as_str()).is_some() && title(section.as_str()).is_some(),
                        "{number}"
                    );
                    found += 1;
                }
            }
        }
        assert_eq!(found, 43);
    }

    #[test]
    fn numbers_are_unique_and_texts_are_complete() {
        let texts =
            SECTIONS.iter().map(|section| (section.0, section.2)).chain(RULINGS.iter().copied());
        let mut numbers: Vec<&str> = texts.clone().map(|(number, _)| number).collect();
        numbers.sort_unstable();
        assert!(numbers.windows(2).all(|pair| pair[0] != pair[1]));
        assert!(texts.into_iter().all(|(_, text)| text.ends_with('.') && text.len() > 30));
    }
}
