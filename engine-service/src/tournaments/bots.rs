//! Registered bots: levels of automation that only the workers of one account can play.

use std::collections::BTreeSet;

use heliopause_proto::store::v1::StoredBot;
use heliopause_proto::v1::{AccountRole, AutomatedSeat, ErrorReason, RegisterBotRequest};
use heliopause_table::registry;

use super::{REGISTERED, Tournaments, changed, retried};
use crate::caller::Caller;
use crate::failure::{Failure, Result};
use crate::store::shared::Profile;
use crate::store::{Record, RecordQuery, StoreError};

const BOT: &str = "bot";

const BOTS_MAX: usize = 256;
const OWN_MAX: usize = 8;
const NAME_CHARS: std::ops::RangeInclusive<usize> = 2..=24;

impl Tournaments {
    /// Reads a registered bot by its level. Returns `NOT_FOUND` if there is none.
    pub(super) async fn bot(&self, level: &str) -> Result<(Record, StoredBot)> {
        let is_plausible = (1..=1 + NAME_CHARS.end()).contains(&level.len());
        let found = if is_plausible { self.store.record(BOT, level).await? } else { None };
        let Some(found) = found else {
            let text = format!("The bot {level:?} was not found.");
            return Err(Failure::new(ErrorReason::NotFound, text).with("what", "bot"));
        };
        let bot = found.message()?;
        Ok((found, bot))
    }

    pub(crate) async fn registered(&self, level: &str) -> Result<StoredBot> {
        Ok(self.bot(level).await?.1)
    }

    /// Returns the registered bots after a level, in the order of levels.
    pub(crate) async fn bots(&self, after: &str, limit: usize) -> Result<Vec<(String, StoredBot)>> {
        let query = RecordQuery {
            space: BOT.to_owned(),
            // A level is both the key and the id of its record.
            after: (after.to_owned(), after.to_owned()),
            limit,
            ..RecordQuery::default()
        };
        let found = self.store.records(query).await?;
        let read = |record: Record| Ok((record.id.clone(), record.message()?));
        found.into_iter().map(read).collect()
    }

    /// Returns the profiles of the bots that an account has registered.
    pub(crate) async fn profiles_of(&self, player_id: &str) -> Result<BTreeSet<Profile>> {
        let own = self.bots("", BOTS_MAX).await?.into_iter();
        let own = own.filter(|(_, bot)| bot.owner == player_id);
        let profile = |(level, bot): (String, StoredBot)| Profile {
            kind: bot.kind,
            name: bot.profile,
            level,
        };
        Ok(own.map(profile).collect())
    }

    /// Registers a bot of the caller, or changes its description. Returns its level.
    pub(crate) async fn register(
        &self,
        caller: &Caller,
        request: RegisterBotRequest,
    ) -> Result<String> {
        check_name(&request.name)?;
        let kind = registry::kind_or_fault(&request.kind)?.describe();
        let profile =
            if request.profile.is_empty() { kind.profiles[0].clone() } else { request.profile };
        if !kind.profiles.contains(&profile) {
            let known = kind.profiles.join(", ");
            let text =
                format!("{} has no profile {profile:?}; expected one of {known}.", kind.name);
            return Err(Failure::field("profile", text));
        }
        let level = format!("{REGISTERED}{}", request.name);
        let owner = caller.player_id.to_string();
        loop {
            let found = self.store.record(BOT, &level).await?;
            let created = if let Some(found) = &found {
                let known: StoredBot = found.message()?;
                if known.owner != owner {
                    let text = "Another account has registered a bot with this name.";
                    return Err(Failure::new(ErrorReason::NameTaken, text));
                }
                if known.kind != request.kind || known.profile != profile {
                    let text = "A bot keeps its game and profile; unregister it first.";
                    return Err(Failure::field("kind", text));
                }
                known.created
            } else {
                self.check_number(&owner).await?;
                self.time.now()
            };
            let bot = StoredBot {
                owner: owner.clone(),
                kind: request.kind.clone(),
                profile: profile.clone(),
                description: request.description.clone(),
                created,
            };
            let change = changed(BOT, &level, &level, found.as_ref(), &bot);
            if retried(self.store.change_records(vec![change]).await)? {
                return Ok(level);
            }
        }
    }

    async fn check_number(&self, owner: &str) -> Result<()> {
        let all = self.bots("", BOTS_MAX).await?;
        let own = all.iter().filter(|(_, bot)| bot.owner == owner).count();
        let (limit, whose) = if own >= OWN_MAX {
            (OWN_MAX, "You have")
        } else if all.len() >= BOTS_MAX {
            (BOTS_MAX, "This server has")
        } else {
            return Ok(());
        };
        let text = format!("{whose} {limit} registered bots, which is the limit.");
        let failure = Failure::new(ErrorReason::QuotaExceeded, text);
        Err(failure.with("quota", "bots").with("limit", limit))
    }

    /// Removes a bot of the caller. Admins can remove every bot.
    pub(crate) async fn unregister(&self, caller: &Caller, level: &str) -> Result<()> {
        let (found, bot) = self.bot(level).await?;
        if bot.owner != *caller.player_id && caller.role != AccountRole::Admin {
            let text = "Only the account that registered the bot can remove it.";
            return Err(Failure::new(ErrorReason::RoleRequired, text).with("role", "worker"));
        }
        match self.store.change_records(vec![found.removed()]).await {
            // Another call has removed or changed it.
            Err(StoreError::LostRace { .. }) => Ok(()),
            removed => Ok(removed?),
        }
    }

    pub(crate) fn is_connected(&self, kind: &str, profile: &str, level: &str) -> bool {
        let (profile, level) = (profile.to_owned(), level.to_owned());
        let by = AutomatedSeat { profile, level, end_time: None };
        self.host.upgrade().is_some_and(|host| host.automation().is_played(kind, &by))
    }
}

fn check_name(name: &str) -> Result<()> {
    let letters = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if NAME_CHARS.contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(letters)
    {
        return Ok(());
    }
    let (least, most) = (NAME_CHARS.start(), NAME_CHARS.end());
    let text = format!(
        "The name must have {least} to {most} lower-case letters, digits and hyphens, and start \
         with a letter."
    );
    Err(Failure::field("name", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bots_are_short_and_plain() {
        for name in ["hal", "hal-9000", "r2", &"x".repeat(24)] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        for name in ["", "h", "9000", "-hal", "Hal", "h l", "hal/9", "häl", &"x".repeat(25)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
