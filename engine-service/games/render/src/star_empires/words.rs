//! The words of Star Empires: what deeds and standings are called in a report.

use heliopause_proto::star_empires::v1::{Deed, Hull, Remark, Siege};
use heliopause_star_empires::{self as rules, Name, Reason};

/// Why something is remarked, as the end of "Lion: ...": in the words of the rules.
pub(super) fn because(remark: &Remark) -> &'static str {
    let name = remark.reason().as_str_name().trim_start_matches("REASON_");
    let reason = Reason::with_code(&name.to_lowercase().replace('_', "-"));
    let item = Name::new(&remark.item).unwrap_or_default();
    reason.map_or("no reason is told", |reason| heliopause_star_empires::because(rules::Remark { item, reason }))
}

/// What a ship did, or what happened to it, with its amount if there is one.
pub(super) fn deed(deed: Deed, amount: Option<u32>) -> String {
    let (what, unit) = match deed {
        Deed::Unspecified => ("did something", ""),
        Deed::Unloaded => ("was unloaded", ""),
        Deed::UnloadedCargo => ("unloaded cargo", ""),
        Deed::Loaded => ("was loaded", ""),
        Deed::LoadedCargo => ("loaded cargo", ""),
        Deed::Fired => ("fired", "guns"),
        Deed::Hit => ("was hit", "DP"),
        Deed::Collateral => ("was caught in an explosion", "DP"),
        Deed::Destroyed => ("was destroyed", ""),
        Deed::SelfDestructed => ("destroyed itself", ""),
        Deed::AutoRepaired => ("repaired itself", "DP"),
        Deed::Departed => ("left", ""),
        Deed::Arrived => ("arrived", ""),
        Deed::EnteredPortal => ("entered a portal", ""),
        Deed::LeftPortal => ("came out of a portal", ""),
        Deed::StormDamage => ("was damaged by the storm", "DP"),
        Deed::DestroyedByStorm => ("was destroyed by the storm", ""),
        Deed::Built => ("was built", ""),
        Deed::Repaired => ("was repaired", "DP"),
        Deed::Toggled => ("set its transponder", ""),
        Deed::Removed => ("was taken out of the game by the game master", ""),
        Deed::Added => ("was put into the game by the game master", ""),
    };
    amount.map_or_else(|| what.to_owned(), |amount| format!("{what} ({amount} {unit})"))
}

/// The same deed of several ships.
pub(super) fn of_several(deed: &str) -> String {
    deed.replacen("was ", "were ", 1).replacen("itself", "themselves", 1).replacen(" its ", " their ", 1)
}

/// A hull as orders name it.
pub(super) fn hull(hull: Hull) -> &'static str {
    match hull {
        Hull::Unspecified => "unknown",
        Hull::CapitalShip => "capital_ship",
        Hull::Gunship => "gunship",
        Hull::Orbital => "orbital",
        Hull::Transport => "transport",
        Hull::Scout => "scout",
        Hull::Wing => "wing",
        Hull::Missile => "missile",
    }
}

/// How a world's traffic is hindered; empty if it is not.
pub(super) fn siege(siege: Siege) -> &'static str {
    match siege {
        Siege::Unspecified | Siege::None => "",
        Siege::Blockaded => "blockaded",
        Siege::Interdicted => "interdicted",
    }
}

/// A sector as orders name it.
pub(super) fn sector((oblique, y): super::atlas::Place) -> String {
    format!("({oblique},{y})")
}

/// Thousandths as a percentage with one decimal.
pub(super) fn percent(permille: u32) -> String {
    format!("{}.{}%", permille / 10, permille % 10)
}

#[cfg(test)]
mod tests {
    use heliopause_proto::star_empires::v1 as proto;

    use super::*;

    #[test]
    fn every_reason_of_the_contract_has_the_words_of_the_rules() {
        let reasons = (1..).map_while(|number| proto::Reason::try_from(number).ok());
        let remark = |reason: proto::Reason| Remark { item: "Lion".into(), reason: reason.into() };
        let mut words: Vec<&str> = reasons.map(|reason| because(&remark(reason))).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        assert!(!words.contains(&because(&remark(proto::Reason::Unspecified))));
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), Reason::ALL.len());
    }

    #[test]
    fn what_is_not_there_has_not_left_the_game() {
        let remark = |item: &str| Remark { item: item.into(), reason: proto::Reason::Vanished.into() };
        assert_eq!(because(&remark("Lion")), "it is no longer there");
        assert_eq!(because(&remark("")), "what this line is about is not there");
    }

    #[test]
    fn deeds_tell_their_amounts() {
        assert_eq!(deed(Deed::Hit, Some(12)), "was hit (12 DP)");
        assert_eq!(deed(Deed::Hit, None), "was hit");
        assert_eq!(of_several(&deed(Deed::Built, None)), "were built");
        assert_eq!(of_several(&deed(Deed::SelfDestructed, None)), "destroyed themselves");
        assert_eq!(of_several(&deed(Deed::Toggled, None)), "set their transponder");
        assert_eq!(percent(707), "70.7%");
    }
}
