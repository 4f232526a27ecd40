//! A worker's profiles: they must be known, or nothing would ever be leased to it.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_proto::v1::{GameKind, Hello, WorkerProfile};
use heliopause_table::Fault;
use heliopause_table::registry::{KINDS, Kind, LEVELS};

use crate::store::shared::Profile;

/// How many decisions one worker may take at once.
const CAPACITY_MAX: u32 = 256;

/// A worker's profiles, if all are known.
pub(super) fn checked(hello: &Hello) -> Result<BTreeSet<Profile>, Fault> {
    if hello.capacity == 0 || hello.capacity > CAPACITY_MAX {
        return Err(Fault::field(
            "hello.capacity",
            format!("A worker takes 1 to {CAPACITY_MAX} decisions at once."),
        ));
    }
    if hello.profiles.is_empty() {
        return Err(Fault::field("hello.profiles", "Name at least one profile."));
    }
    let mut profiles = BTreeSet::new();
    for (index, profile) in hello.profiles.iter().enumerate() {
        let field = |name: &str| format!("hello.profiles[{index}].{name}");
        let kind = known_kind(profile).ok_or_else(|| {
            let known = KINDS.iter().map(|kind| kind.id).collect::<Vec<_>>().join(", ");
            Fault::field(field("kind"), format!("There is no such game; there are {known}."))
        })?;
        if !kind.profiles.contains(&profile.profile) {
            let known = kind.profiles.join(", ");
            let text = format!("{} has no such profile; it has {known}.", kind.name);
            return Err(Fault::field(field("profile"), text));
        }
        let known = || LEVELS.join(", ");
        if profile.levels.is_empty() {
            let text = format!("Name at least one level, of {}.", known());
            return Err(Fault::field(field("levels"), text));
        }
        for (place, level) in profile.levels.iter().enumerate() {
            if !LEVELS.contains(&level.as_str()) {
                let text = format!("There is no such level; there are {}.", known());
                return Err(Fault::field(field(&format!("levels[{place}]")), text));
            }
            let (kind, name) = (profile.kind.clone(), profile.profile.clone());
            profiles.insert(Profile { kind, name, level: level.clone() });
        }
    }
    Ok(profiles)
}

fn known_kind(profile: &WorkerProfile) -> Option<GameKind> {
    KINDS.iter().find(|kind| kind.id == profile.kind).map(Kind::describe)
}

/// The profiles leased to a worker: each once, with its levels from the weakest on.
pub(super) fn told(profiles: &BTreeSet<Profile>) -> Vec<WorkerProfile> {
    let mut told: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for level in LEVELS {
        for profile in profiles.iter().filter(|profile| profile.level == level) {
            told.entry((&profile.kind, &profile.name)).or_default().push(level.to_owned());
        }
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
        let fault = checked(hello).expect_err("it is refused");
        (fault.field.expect("it names a field"), fault.message)
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is() {
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
                let profiles =
                    checked(&hello(kind.id, profile, &all, 1)).expect("ListKinds tells of it");
                assert_eq!(
                    (profiles.len(), told(&profiles)[0].levels.len()),
                    (LEVELS.len(), LEVELS.len())
                );
            }
        }
    }

    #[test]
    fn what_is_said_twice_is_told_once() {
        let mut twice = hello("starships-at-large", "captain", &["strong", "random", "strong"], 2);
        twice.profiles.push(twice.profiles[0].clone());
        let told = told(&checked(&twice).unwrap());
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].levels, ["random", "strong"]);
    }
}
