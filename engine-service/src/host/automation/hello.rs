//! Validation of a worker's profiles. A worker with only unknown profiles would never get a lease.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_proto::v1::{GameKind, Hello, WorkerProfile};
use heliopause_table::Fault;
use heliopause_table::registry::{KINDS, Kind, LEVELS};

use crate::store::shared::Profile;

const CAPACITY_MAX: u32 = 256;

/// Returns the profiles of a worker whose account has registered bots.
pub(super) fn checked(
    hello: &Hello,
    registered: &BTreeSet<Profile>,
) -> Result<BTreeSet<Profile>, Fault> {
    if hello.capacity == 0 || hello.capacity > CAPACITY_MAX {
        return Err(Fault::field(
            "hello.capacity",
            format!("The capacity must be 1 to {CAPACITY_MAX} decisions, not {}.", hello.capacity),
        ));
    }
    if hello.profiles.is_empty() {
        return Err(Fault::field("hello.profiles", "Give at least one profile."));
    }
    let mut profiles = BTreeSet::new();
    for (index, profile) in hello.profiles.iter().enumerate() {
        let field = |name: &str| format!("hello.profiles[{index}].{name}");
        let kind = known_kind(profile).ok_or_else(|| {
            let known = KINDS.iter().map(|kind| kind.id).collect::<Vec<_>>().join(", ");
            Fault::field(
                field("kind"),
                format!("Unknown game {:?}; expected one of {known}.", profile.kind),
            )
        })?;
        if !kind.profiles.contains(&profile.profile) {
            let known = kind.profiles.join(", ");
            let text = format!(
                "{} has no profile {:?}; expected one of {known}.",
                kind.name, profile.profile
            );
            return Err(Fault::field(field("profile"), text));
        }
        let known = || LEVELS.join(", ");
        if profile.levels.is_empty() {
            let text = format!("Give at least one level: {}.", known());
            return Err(Fault::field(field("levels"), text));
        }
        for (place, level) in profile.levels.iter().enumerate() {
            let (kind, name) = (profile.kind.clone(), profile.profile.clone());
            let played = Profile { kind, name, level: level.clone() };
            if !LEVELS.contains(&level.as_str()) && !registered.contains(&played) {
                let text = format!(
                    "Unknown level {level:?}; expected one of {}, or a bot that this account has \
                     registered with this game and profile.",
                    known()
                );
                return Err(Fault::field(field(&format!("levels[{place}]")), text));
            }
            profiles.insert(played);
        }
    }
    Ok(profiles)
}

fn known_kind(profile: &WorkerProfile) -> Option<GameKind> {
    KINDS.iter().find(|kind| kind.id == profile.kind).map(Kind::describe)
}

/// Groups profiles by kind and name. Lists the levels of each group from weakest to strongest, then
/// the registered bots.
pub(super) fn told(profiles: &BTreeSet<Profile>) -> Vec<WorkerProfile> {
    let mut told: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    let rank = |profile: &&Profile| {
        LEVELS.iter().position(|level| *level == profile.level).unwrap_or(LEVELS.len())
    };
    let mut sorted: Vec<&Profile> = profiles.iter().collect();
    sorted.sort_by_key(rank);
    for profile in sorted {
        let levels = told.entry((&profile.kind, &profile.name)).or_default();
        levels.push(profile.level.clone());
    }
    told.into_iter()
        .map(|((kind, profile), levels)| WorkerProfile {
            kind: kind.to_owned(),
            profile: profile.to_owned(),
            levels,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(kind: &str, profile: &str, levels: &[&str], capacity: u32) -> Hello {
        let levels = levels.iter().map(|&level| level.to_owned()).collect();
        let profile = WorkerProfile { kind: kind.to_owned(), profile: profile.to_owned(), levels };
        Hello { worker: "w".to_owned(), profiles: vec![profile], capacity }
    }

    fn refused(hello: &Hello) -> (String, String) {
        let fault = checked(hello, &BTreeSet::new()).expect_err("the hello is rejected");
        (fault.field.expect("the fault names a field"), fault.message)
    }

    #[test]
    fn unknown_profiles_are_rejected_with_the_known_ones() {
        let (field, message) = refused(&hello("chess", "captain", &["standard"], 1));
        assert_eq!(field, "hello.profiles[0].kind");
        assert!(KINDS.iter().all(|kind| message.contains(kind.id)), "{message}");
        let (field, message) = refused(&hello("starships-at-large", "emperor", &["standard"], 1));
        assert_eq!(field, "hello.profiles[0].profile");
        assert!(message.contains("captain") && message.contains("death-star"), "{message}");
        let (field, message) =
            refused(&hello("starships-at-large", "captain", &["standard", "godlike"], 1));
        assert_eq!(field, "hello.profiles[0].levels[1]");
        assert!(message.contains("random, standard, strong"), "{message}");
        assert_eq!(
            refused(&hello("starships-at-large", "captain", &[], 1)).0,
            "hello.profiles[0].levels"
        );
        for capacity in [0, CAPACITY_MAX + 1] {
            let hello = hello("starships-at-large", "captain", &["standard"], capacity);
            assert_eq!(refused(&hello).0, "hello.capacity");
        }
        assert_eq!(refused(&Hello { capacity: 1, ..Hello::default() }).0, "hello.profiles");
    }

    #[test]
    fn every_profile_of_every_game_is_known() {
        for kind in KINDS.iter() {
            let described = kind.describe();
            for profile in &described.profiles {
                let all = LEVELS.to_vec();
                let profiles = checked(&hello(kind.id, profile, &all, 1), &BTreeSet::new())
                    .expect("ListKinds lists the profile");
                assert_eq!(
                    (profiles.len(), told(&profiles)[0].levels.len()),
                    (LEVELS.len(), LEVELS.len())
                );
            }
        }
    }

    #[test]
    fn registered_bots_are_levels_of_their_profile() {
        let named = |name: &str| Profile {
            kind: "starships-at-large".to_owned(),
            name: name.to_owned(),
            level: "@hal".to_owned(),
        };
        let registered = BTreeSet::from([named("captain")]);
        let hello = |profile| hello("starships-at-large", profile, &["@hal", "strong"], 1);
        let profiles = checked(&hello("captain"), &registered).expect("it is registered");
        assert_eq!(told(&profiles)[0].levels, ["strong", "@hal"]);
        let fault = checked(&hello("death-star"), &registered).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("hello.profiles[0].levels[0]"));
        assert!(checked(&hello("captain"), &BTreeSet::from([named("caretaker")])).is_err());
    }

    #[test]
    fn duplicate_profiles_are_merged() {
        let mut twice = hello("starships-at-large", "captain", &["strong", "random", "strong"], 2);
        twice.profiles.push(twice.profiles[0].clone());
        let told = told(&checked(&twice, &BTreeSet::new()).unwrap());
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].levels, ["random", "strong"]);
    }
}
