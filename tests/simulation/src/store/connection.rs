//! The connection of one engine to the store.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use heliopause_engine::store::shared::{Hint, OpenDecision, Profile, ValidToken};
use heliopause_engine::store::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Record, RecordChange, RecordQuery, Shared, Size, Store, StoreError, TokenRow,
};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, sleep, timeout};

use super::{SimulatedStore, block_on};
use crate::net::{Node, STORE};
use crate::traced;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(4);
const HEALTH_CHECK_INTERVAL: Duration = Duration::from_secs(1);
const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(2);
/// An engine's connection to the simulated store, for the lifetime of the engine.
pub struct StoreConnection {
    world: Arc<SimulatedStore>,
    node: Node,
    alive: Arc<AtomicBool>,
    available: watch::Sender<Result<(), String>>,
    hints: broadcast::Sender<Hint>,
}

impl StoreConnection {
    pub fn by(world: &Arc<SimulatedStore>, node: Node, alive: Arc<AtomicBool>) -> Arc<Self> {
        let hints = broadcast::Sender::new(256);
        let connection = Arc::new(Self {
            world: Arc::clone(world),
            node,
            alive,
            available: watch::Sender::new(Ok(())),
            hints: hints.clone(),
        });
        if world.is_shared {
            world.state().hint_receivers.insert(node, hints);
            let weak = Arc::downgrade(&connection);
            tokio::spawn(async move {
                let mut was_deaf = false;
                while let Some(connection) = weak.upgrade() {
                    if !connection.alive.load(Ordering::Relaxed) {
                        return;
                    }
                    let world = &connection.world;
                    let ways = async {
                        world.net.passable(connection.node, STORE).await;
                        world.net.passable(STORE, connection.node).await;
                    };
                    let passable = timeout(HEALTH_CHECK_TIMEOUT, ways).await.is_ok();
                    let there = passable && world.dead_until().is_none();
                    if !there {
                        world.note_trouble();
                    }
                    let now = there.then_some(()).ok_or_else(|| "it does not answer".to_owned());
                    let changed = connection
                        .available
                        .send_if_modified(|was| std::mem::replace(was, now).is_ok() != there);
                    if changed {
                        traced!("store of {} there {there}", connection.node);
                    }
                    let deaf = !there || world.state().is_deaf(connection.node);
                    if was_deaf && !deaf {
                        let _ = connection.hints.send(Hint::Everything);
                    }
                    was_deaf = deaf;
                    drop(connection);
                    sleep(HEALTH_CHECK_INTERVAL).await;
                }
            });
        }
        connection
    }

    async fn ask<T: Send>(
        &self,
        what: &'static str,
        work: impl FnOnce(&SimulatedStore) -> Result<T, StoreError> + Send,
    ) -> Result<T, StoreError> {
        let world = &*self.world;
        let (mut there, back, lost, fails) = {
            let mut state = world.state();
            let (mut there, back) = (state.chance.millis(0..4), state.chance.millis(0..4));
            let now = Instant::now();
            if let Some((until, millis)) = state.slow_until
                && until > now
            {
                there += state.chance.millis(0..millis);
            }
            let lost = match state.lossy_until {
                Some((until, times)) if until > now && world.is_shared => {
                    state.chance.in_1000(times).then(|| state.chance.in_1000(500))
                }
                _ => None,
            };
            let fails = match state.fails_until {
                Some((until, times)) if until > now => state.chance.in_1000(times),
                _ => false,
            };
            (there, back, lost, fails)
        };
        let refused = || {
            world.note_trouble();
            let why = if fails { "the disk neither reads nor writes" } else { "the line broke" };
            Err(StoreError::Unavailable(why.to_owned()))
        };
        if fails || world.dead_until().is_some() {
            sleep(back).await;
            self.live().await;
            return refused();
        }
        let asked = async {
            world.net.passable(self.node, STORE).await;
            if lost == Some(true) {
                std::future::pending::<()>().await;
            }
            sleep(std::mem::take(&mut there)).await;
            self.live().await;
            let done = work(world);
            traced!("store {} {what} {}", self.node, done.is_ok());
            if lost == Some(false) {
                std::future::pending::<()>().await;
            }
            world.net.passable(STORE, self.node).await;
            sleep(back).await;
            done
        };
        let answered = if world.is_shared {
            tokio::select! {
                biased;
                () = world.cut.notified() => refused(),
                answered = timeout(REQUEST_TIMEOUT, asked) => answered.unwrap_or_else(|_| refused()),
            }
        } else {
            asked.await
        };
        self.live().await;
        answered
    }

    async fn live(&self) {
        if !self.alive.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
    }
}

/// Defines methods that ask the store over the network. Strings in brackets are copied, so that the
/// work owns them. Without work, the method asks the stored data.
macro_rules! asked {
    ($(fn $name:ident[$($text:ident),*]($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        asked! { $(fn $name[$($text),*]($($argument: $kind),*) -> $answer =
            |world, _| block_on(world.data().$name($(&$text,)* $($argument),*));)* }
    };
    ($(fn $name:ident[$($text:ident),*]($($argument:ident: $kind:ty),*) -> $answer:ty =
        |$world:ident, $node:tt| $work:expr;)*) => {
        $(fn $name(&self, $($text: &str,)* $($argument: $kind),*) -> Answer<'_, $answer> {
            $(let $text = $text.to_owned();)*
            let $node = self.node;
            Box::pin(self.ask(stringify!($name), move |$world| $work))
        })*
    };
}

impl Store for StoreConnection {
    fn shared(&self) -> Option<&dyn Shared> {
        self.world.is_shared.then_some(self)
    }

    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(async move {
            let (game_id, last) =
                (append.row.game_id.clone(), append.expected + append.entries.len() as u64);
            let done = self.ask("append", move |world| world.append(&append)).await;
            if done.is_ok() {
                self.world.hint(self.node, &Hint::Game(game_id, last));
            }
            done
        })
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        let (id, token_id) = (player_id.to_owned(), token_id.map(str::to_owned));
        Box::pin(self.ask("revoke", move |world| {
            let gone = block_on(world.data().revoke(&id, token_id.as_deref()))?;
            let mut state = world.state();
            for row in &gone {
                state.tokens.remove(&row.token_id);
            }
            Ok(gone)
        }))
    }

    asked! {
        fn put_snapshot[game_id](at: End, snapshot: Bytes) -> () =
            |world, _| world.put_snapshot(&game_id, at, snapshot);
        fn open_account[](account: Account, token: TokenRow) -> () =
            |world, _| world.open_account(account, token);
        fn open_account_with[](
            account: Account, token: TokenRow, changes: Vec<RecordChange>) -> () =
            |world, _| world.with_token(token.clone(), |store| {
                block_on(store.open_account_with(account, token, changes))
            });
        fn put_token[](token: TokenRow) -> () =
            |world, _| world.with_token(token.clone(), |store| block_on(store.put_token(token)));
    }

    asked! {
        fn entries[game_id](after: u64, limit: usize, bytes_max: usize) -> Vec<Bytes>;
        fn load[game_id]() -> Loaded;
        fn game[game_id]() -> GameRow;
        fn games[](query: GameQuery) -> Vec<GameRow>;
        fn due[](limit: usize) -> Vec<(String, Millis)>;
        fn games_without_snapshot[after](limit: usize) -> Vec<String>;
        fn waiting_for_automation[after](limit: usize) -> Vec<String>;
        fn games_counted[player_id]() -> u32;
        fn game_ids[after](limit: usize) -> Vec<String>;
        fn sizes[](game_ids: Vec<String>) -> Vec<Size>;
        fn sandboxes_before[](time: Millis, limit: usize) -> Vec<String>;
        fn remove_games[](game_ids: Vec<String>) -> ();
        fn counts[]() -> Counts;
        fn account[id_or_name]() -> Account;
        fn accounts[after, search](limit: usize) -> Vec<Account>;
        fn change_account[](before: Account, after: Account) -> ();
        fn token[](hash: [u8; 32]) -> (TokenRow, Account);
        fn tokens[player_id]() -> Vec<TokenRow>;
        fn record[space, id]() -> Option<Record>;
        fn records[](query: RecordQuery) -> Vec<Record>;
        fn change_records[](changes: Vec<RecordChange>) -> ();
        fn notice_book[player_id]() -> Option<NoticeBook>;
        fn put_notice_book[player_id](expected: u64, book: Option<NoticeBook>) -> ();
        fn claim_outgoing[](now: Millis, until: Millis, limit: usize) -> Vec<Outgoing>;
        fn update_outgoing[](gone: Vec<(String, String)>, put: Vec<Outgoing>) -> ();
        fn outgoing[]() -> (u64, Option<Millis>);
    }
}

impl Shared for StoreConnection {
    fn hints(&self) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }

    fn tell(&self, hint: Hint) {
        if self.alive.load(Ordering::Relaxed) {
            self.world.hint(self.node, &hint);
        }
    }

    fn receives_hints(&self) -> bool {
        self.is_available() && !self.world.state().is_deaf(self.node)
    }

    fn available(&self) -> watch::Receiver<Result<(), String>> {
        self.available.subscribe()
    }

    asked! {
        fn time[]() -> Millis = |world, _| Ok(world.now());
        fn head[game_id]() -> End = |world, _| world.end(&game_id);
        fn heads[](games: Vec<String>, players: Vec<String>) -> Vec<(String, End)> = |world, _| {
            let mut all = games;
            all.extend(players.iter().flat_map(|player| world.running_of(player)));
            all.sort();
            all.dedup();
            let head = |id: String| world.end(&id).ok().map(|end| (id, end));
            Ok(all.into_iter().filter_map(head).collect())
        };
        fn heads_among[](games: Vec<String>, players: Vec<String>) -> Vec<(String, End)> =
            |world, _| {
                let mine = |id: &String| {
                    let row = block_on(world.data().game(id));
                    row.is_ok_and(|row| {
                        row.members.iter().any(|one| players.contains(&one.player_id))
                    })
                };
                let head = |id: String| world.end(&id).ok().map(|end| (id, end));
                Ok(games.into_iter().filter(mine).filter_map(head).collect())
            };
        fn claim[](due: Vec<(String, Millis)>, duration: Duration) -> Vec<String> =
            |world, _| Ok(world.claim(&due, duration));
        fn lease[](decisions: Vec<OpenDecision>, duration: Duration) -> Vec<Option<u64>> =
            |world, node| Ok(world.lease(node, decisions, duration));
        fn renew[](fences: Vec<u64>, duration: Duration) -> Vec<u64> =
            |world, node| Ok(world.renew(node, &fences, duration));
        fn give_back[](fences: Vec<u64>) -> () = |world, node| {
            world.give_back(node, &fences);
            Ok(())
        };
        fn forget_leases[game_id]() -> () = |world, _| {
            world.forget_leases(&game_id);
            Ok(())
        };
        fn announce[](profiles: Vec<Profile>, duration: Duration) -> Vec<Profile> =
            |world, node| Ok(world.announce(node, profiles, duration));
        fn report[](record: Vec<u8>, duration: Duration) -> Vec<Vec<u8>> =
            |world, node| Ok(world.report(node, record, duration));
        fn valid[](token_ids: Vec<String>) -> Vec<ValidToken> =
            |world, _| Ok(world.valid(token_ids));
    }
}
