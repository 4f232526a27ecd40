//! The rules of both games, for the `?` command and `Explain` calls. They are numbered as in the
//! crate documentation.

use std::sync::LazyLock;

use heliopause_kernel::Rulebook;

pub(crate) static RULEBOOK: LazyLock<Rulebook> =
    LazyLock::new(|| Rulebook::new(include_str!("../rules.md")));

/// Returns whether a rule applies only to the game with spacecraft. The rulings in `SHARED` apply
/// to both games.
pub(crate) fn is_of_outer_space(number: &str) -> bool {
    const SHARED: [&str; 5] = ["R1", "R16", "R17", "R21", "R22"];
    let is_own = number.bytes().all(|byte| byte.is_ascii_digit())
        || number.get(..1).is_some_and(|first| first.eq_ignore_ascii_case("R"));
    is_own && !SHARED.iter().any(|shared| shared.eq_ignore_ascii_case(number))
}

#[cfg(test)]
mod tests {
    use heliopause_kernel::Game as _;

    use super::*;
    use crate::Diplomacy;
    use crate::fault::Fault;

    #[test]
    fn faults_name_existing_rules() {
        for fault in Fault::ALL {
            assert!(RULEBOOK.text(fault.rule()).is_some(), "{fault:?}: {}", fault.rule());
        }
    }

    #[test]
    fn editions_have_their_own_rules() {
        let of = |edition: &str, number: &str| Diplomacy::rule_of(edition, number).is_some();
        for number in ["4", "7", "R2", "r9", "R23"] {
            assert!(!of("diplomacy", number), "{number} is not a rule of Diplomacy");
            assert!(of("it-came-from-outer-space", number), "{number}");
        }
        for number in ["D4", "4.A.1", "r16", "R17", "R21", "R22"] {
            assert!(of("diplomacy", number) && of("it-came-from-outer-space", number), "{number}");
        }
    }
}
