//! The words of Star Empires: what reasons, deeds and standings are called in a report.

use heliopause_proto::star_empires::v1::{Deed, Hull, Reason, Siege};

/// What a reason means, as the end of "Lion: ...".
pub(super) fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Unspecified => "no reason is told",
        Reason::Syntax => "this cannot be read",
        Reason::UnknownName => "nothing of that name is known to you",
        Reason::NotYours => "not one of your ships",
        Reason::Vanished => "it has left the game",
        Reason::Destroyed => "it was destroyed",
        Reason::Loaded => "it is loaded on a carrier",
        Reason::NotLoaded => "it is not loaded",
        Reason::AlreadyLoaded => "it is loaded already",
        Reason::WrongSector => "it is in another sector",
        Reason::NoRacks => "the carrier's free racks are too few",
        Reason::NestedLoad => "carriers with cargo cannot be carried, nor carry while they are",
        Reason::SelfLoad => "a ship cannot carry itself",
        Reason::IsStarbase => "a starbase cannot do that",
        Reason::SelfDestructing => "it destroys itself this turn",
        Reason::NoGuns => "it has no guns left to fire",
        Reason::MissileNotReady => "the missile was not loaded",
        Reason::NoTargets => "there was nothing to shoot at",
        Reason::OwnEmpire => "that is your own empire",
        Reason::NotNeeded => "it was not needed",
        Reason::Fired => "it fired and so could not move",
        Reason::NoEngines => "it has no working engines",
        Reason::TooFar => "its engines do not reach so far",
        Reason::AlreadyMoved => "it had moved already",
        Reason::NotAtPortal => "it was not at the portal",
        Reason::AlreadyTraversed => "it had been through a portal already",
        Reason::NoExit => "the portal leads nowhere now",
        Reason::NotConnected => "the two portals are not connected",
        Reason::Collapsed => "the portal is collapsed",
        Reason::NoNavdata => "you hold no navigation data for it",
        Reason::NavdataNew => "its navigation data came only this turn",
        Reason::NoContact => "that empire is not a contact of yours",
        Reason::UnknownClass => "the class is not known to you, or not yet",
        Reason::NotBuildable => "that class cannot be built",
        Reason::BadRating => "a rating is not allowed for the hull",
        Reason::TooBig => "a number is too big",
        Reason::BadName => "the name is not allowed",
        Reason::NameTaken => "the name is taken",
        Reason::WorldNotOwned => "the world is not yours",
        Reason::JustTaken => "the world was taken only this turn",
        Reason::Interdicted => "the world is interdicted",
        Reason::SectorInterdicted => "it is at an interdicted world of yours",
        Reason::Blockaded => "the world is blockaded",
        Reason::NoFunds => "there are too few RU",
        Reason::NoDamage => "it is not damaged",
        Reason::TransponderPublic => "its transponder is in public mode",
        Reason::AllAccess => "they may see everything, so a part cannot be denied",
        Reason::NoGrant => "they had no such access",
        Reason::RecipientNotOwner => "the world is not the recipient's",
        Reason::LaneCancelled => "a world at one end of the lane was lost this turn",
        Reason::SameWorld => "that is the same world",
        Reason::GmOnly => "only the game master may do that",
    }
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
    use super::*;

    #[test]
    fn every_reason_has_words_of_its_own() {
        let all: Vec<Reason> = (0..=51).filter_map(|number| Reason::try_from(number).ok()).collect();
        assert_eq!(all.len(), 52, "a reason was added to the contract");
        let mut words: Vec<&str> = all.iter().map(|&it| reason(it)).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all.len());
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
