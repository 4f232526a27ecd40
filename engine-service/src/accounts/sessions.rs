//! The open streams of each token. They end when the token is revoked, or when its owner is banned
//! or gets another role.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use heliopause_proto::v1::AccountRole;
use tokio::sync::watch;

use crate::bounded::Generations;

/// The number of ended tokens to remember. A token may end between authentication and `watch`.
const ENDED: usize = 4_096;

#[derive(Clone, Debug)]
pub struct Sessions(Arc<Mutex<Tokens>>);

#[derive(Debug)]
struct Tokens {
    /// The role at authentication, and a sender. Dropping the sender ends the streams.
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

    /// Waits until a token is revoked, or until its owner is banned or gets another role.
    pub fn watch(
        &self,
        token_id: &Arc<str>,
        role: AccountRole,
    ) -> impl Future<Output = ()> + Send + use<> {
        let watch = Watch::begin(self, token_id, role);
        async move {
            if let Some(mut watch) = watch {
                // This resolves when the sender is dropped. The sender never sends a value.
                let _ = watch.end.changed().await;
            }
        }
    }

    pub(super) fn end<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.watched.remove(token_id);
            tokens.ended.insert(token_id.into(), ());
        }
    }

    pub(super) fn watched(&self) -> Vec<(Arc<str>, AccountRole)> {
        self.tokens()
            .watched
            .iter()
            .map(|(token_id, (role, _))| (token_id.clone(), *role))
            .collect()
    }

    /// Ends the current watches of tokens that may become valid again.
    pub(super) fn cut<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.watched.remove(token_id);
        }
    }

    /// Allows tokens that are valid again to be watched. Ended watches stay ended.
    pub(super) fn revive<'a>(&self, token_ids: impl Iterator<Item = &'a str>) {
        let mut tokens = self.tokens();
        for token_id in token_ids {
            tokens.ended.remove(token_id);
        }
    }
}

/// A watch of a token. Dropping the last watch of a token removes the token from the map.
struct Watch {
    sessions: Sessions,
    token_id: Arc<str>,
    end: watch::Receiver<()>,
}

impl Watch {
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
        // The receiver count still includes this watch.
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
    async fn unwatched_tokens_are_removed() {
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
