//! Ends what goes on under a token when the token is revoked or its owner banned.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heliopause_proto::v1::AccountRole;
use tokio::sync::watch;

use crate::bounded::Generations;

/// How many ended tokens are remembered at least: enough for the moment between a call's
/// authentication and its watch.
const ENDED: usize = 4_096;

/// Who waits for the end of which token.
#[derive(Clone, Debug)]
pub struct Sessions(Arc<Mutex<Tokens>>);

#[derive(Debug)]
struct Tokens {
    /// Each token that is watched: the role under which, and a sender. It never sends: dropping it
    /// is the signal.
    watched: HashMap<Arc<str>, (AccountRole, watch::Sender<()>)>,
    ended: Generations<Arc<str>, ()>,
}

impl Default for Sessions {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Tokens {
            watched: HashMap::new(),
            ended: Generations::new(ENDED),
        })))
    }
}

impl Sessions {
    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Resolves when a token is revoked or its owner banned; at once if that has just happened.
    pub fn watch(
        &self,
        token_id: &Arc<str>,
        role: AccountRole,
    ) -> impl Future<Output = ()> + Send + use<> {
        let watch = Watch::begin(self, token_id, role);
        async move {
            if let Some(mut watch) = watch {
                // The only thing that ever changes is that the sender goes.
                let _ = watch.end.changed().await;
            }
        }
    }

    /// Ends tokens that are valid no longer.
    pub(super) fn end<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.watched.remove(token_id);
            tokens.ended.insert(token_id.into(), ());
        }
    }

    /// The tokens that are watched, and the roles under which they were let in.
    pub(super) fn watched(&self) -> Vec<(Arc<str>, AccountRole)> {
        self.tokens()
            .watched
            .iter()
            .map(|(token_id, (role, _))| (token_id.clone(), *role))
            .collect()
    }

    /// Cuts off whoever watches these tokens now. They may be valid again later.
    pub(super) fn cut<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.watched.remove(token_id);
        }
    }

    /// Takes back the end of tokens that are valid again. What was cut stays cut.
    pub(super) fn revive<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.ended.remove(token_id);
        }
    }
}

/// One who waits; leaves no trace when it is dropped.
struct Watch {
    sessions: Sessions,
    token_id: Arc<str>,
    end: watch::Receiver<()>,
}

impl Watch {
    /// `None` if the token has ended.
    fn begin(sessions: &Sessions, token_id: &Arc<str>, role: AccountRole) -> Option<Self> {
        let mut tokens = sessions.tokens();
        if tokens.ended.get_mut(&**token_id).is_some() {
            return None;
        }
        let entry = tokens.watched.entry(Arc::clone(token_id));
        let (_, sender) = entry.or_insert_with(|| (role, watch::Sender::new(())));
        Some(Self {
            sessions: sessions.clone(),
            token_id: Arc::clone(token_id),
            end: sender.subscribe(),
        })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut tokens = self.sessions.tokens();
        // This watch is still counted.
        if tokens
            .watched
            .get(&*self.token_id)
            .is_some_and(|(_, sender)| sender.receiver_count() <= 1)
        {
            tokens.watched.remove(&*self.token_id);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heliopause_proto::v1::AccountRole;

    use super::Sessions;

    #[tokio::test]
    async fn watches_end_with_their_token_only() {
        let sessions = Sessions::default();
        let (one, other): (Arc<str>, Arc<str>) = ("one".into(), "other".into());
        let (first, second, third) = (
            sessions.watch(&one, AccountRole::Player),
            sessions.watch(&one, AccountRole::Player),
            sessions.watch(&other, AccountRole::Player),
        );
        sessions.end(["one"].into_iter());
        first.await;
        second.await;
        let mut third = std::pin::pin!(third);
        let undecided = tokio::select! { biased; () = &mut third => false, () = std::future::ready(()) => true };
        assert!(undecided, "another token's watch has ended");
        sessions.watch(&one, AccountRole::Player).await;
        sessions.end(["other"].into_iter());
        third.await;
    }

    #[tokio::test]
    async fn what_is_no_longer_watched_is_forgotten() {
        let sessions = Sessions::default();
        let token: Arc<str> = "token".into();
        let (first, second) = (
            sessions.watch(&token, AccountRole::Player),
            sessions.watch(&token, AccountRole::Player),
        );
        drop(first);
        assert_eq!(sessions.tokens().watched.len(), 1);
        drop(second);
        assert_eq!(sessions.tokens().watched.len(), 0);
    }

    #[tokio::test]
    async fn a_revived_token_can_be_watched_again() {
        let sessions = Sessions::default();
        let token: Arc<str> = "token".into();
        sessions.end(["token"].into_iter());
        sessions.revive(["token"].into_iter());
        let watch = sessions.watch(&token, AccountRole::Player);
        assert_eq!(sessions.tokens().watched.len(), 1);
        drop(watch);
    }
}
