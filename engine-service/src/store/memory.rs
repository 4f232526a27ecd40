//! The in-memory store for tests and `--data :memory:`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::quota::Usage;
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Quota, Result, Size, Store, StoreError, TokenRow, folded, tags_differ,
};

#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    games: BTreeMap<String, Game>,
    accounts: BTreeMap<String, Account>,
    tokens: HashMap<[u8; 32], TokenRow>,
    invitations: HashMap<[u8; 32], u32>,
    blocks: BTreeSet<(String, String)>,
    books: BTreeMap<String, NoticeBook>,
    outgoing: BTreeMap<(String, String), Outgoing>,
}

#[derive(Clone, Debug)]
struct Game {
    secret: [u8; 32],
    entries: Vec<Bytes>,
    tag: Option<i64>,
    snapshot: Option<(u64, Bytes)>,
    row: GameRow,
}

impl Game {
    fn last(&self) -> u64 {
        self.entries.len() as u64
    }

    fn end(&self) -> End {
        End { last: self.last(), tag: self.tag }
    }

    fn loaded(&self) -> Loaded {
        Loaded { secret: self.secret, last: self.last(), snapshot: self.snapshot.clone() }
    }

    fn size(&self) -> Size {
        let bytes = self.entries.iter().map(|entry| entry.len() as u64).sum();
        Size { entries: self.last(), bytes }
    }

    fn entries(&self, after: u64, limit: usize, bytes_max: usize) -> Vec<Bytes> {
        let mut bytes = 0;
        let fits = |(index, entry): &(usize, &Bytes)| {
            bytes += entry.len();
            *index == 0 || bytes <= bytes_max
        };
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        let page = self.entries.iter().skip(after).take(limit).enumerate().take_while(fits);
        page.map(|(_, entry)| entry.clone()).collect()
    }

    fn put_snapshot(&mut self, number: u64, snapshot: Bytes) {
        if self.snapshot.as_ref().is_none_or(|(newest, _)| *newest < number) {
            self.snapshot = Some((number, snapshot));
        }
    }
}

impl State {
    fn append(&mut self, append: Append) -> Result<()> {
        self.check_place(&append)?;
        for quota in &append.quotas {
            quota.judge(&append.row, &self.usage(quota, &append.row))?;
        }
        self.create(&append);
        for notice in append.notices {
            if self.books.get(&notice.player_id).is_some_and(|book| book.listens) {
                self.put_outgoing(notice);
            }
        }
        let game = self.games.get_mut(&append.row.game_id).ok_or(StoreError::NotFound)?;
        game.entries.extend(append.entries);
        game.tag = append.tags.after;
        if let Some(snapshot) = append.snapshot {
            game.put_snapshot(game.last(), snapshot);
        }
        game.row = append.row;
        game.row
            .members
            .sort_by(|one, other| (one.seat, &one.player_id).cmp(&(other.seat, &other.player_id)));
        for (player_id, change) in append.ratings {
            if let Some(account) = self.accounts.get_mut(&player_id) {
                account.dedication += change;
            }
        }
        Ok(())
    }

    fn check_place(&self, append: &Append) -> Result<()> {
        let lost = |actual| Err(StoreError::LostRace { expected: append.expected, actual });
        match (self.games.get(&append.row.game_id), append.secret) {
            (Some(game), None)
                if game.last() == append.expected && !tags_differ(game.tag, append.tags.before) =>
            {
                Ok(())
            }
            (Some(game), _) => lost(game.last()),
            (None, Some(_)) if append.expected == 0 => Ok(()),
            (None, Some(_)) => lost(0),
            (None, None) => Err(StoreError::NotFound),
        }
    }

    fn create(&mut self, append: &Append) {
        if let Some(secret) = append.secret {
            let (entries, row) = (Vec::new(), append.row.clone());
            let game = Game { secret, entries, tag: None, snapshot: None, row };
            self.games.insert(append.row.game_id.clone(), game);
        }
    }

    fn usage(&self, quota: &Quota, row: &GameRow) -> Usage {
        let others = || {
            self.games.values().map(|game| &game.row).filter(|other| other.game_id != row.game_id)
        };
        let going_on = || others().filter(|other| !other.has_ended());
        let own = |other: &&GameRow| other.host == quota.player_id;
        let open =
            |other: &GameRow| other.members.iter().filter(|member| member.invited).count() as u32;
        let of = |player: &str| {
            let to_them = || going_on().filter(|other| is_invited(other, player));
            (to_them().filter(own).count() as u32, to_them().count() as u32)
        };
        Usage {
            games: others().filter(|other| other.counts_for(&quota.player_id)).count() as u32,
            sent: going_on().filter(own).map(open).sum(),
            invited: quota.invited(row).map(of).collect(),
        }
    }

    fn put_outgoing(&mut self, notice: Outgoing) {
        self.outgoing.insert((notice.id.clone(), notice.channel_id.clone()), notice);
    }

    fn put_book(&mut self, player_id: &str, expected: u64, book: Option<NoticeBook>) -> Result<()> {
        let actual = self.books.get(player_id).map_or(0, |book| book.version);
        if actual != expected {
            return Err(StoreError::LostRace { expected, actual });
        }
        if let Some(book) = book {
            self.books.insert(player_id.to_owned(), book);
        } else {
            self.books.remove(player_id);
            self.outgoing.retain(|_, notice| notice.player_id != player_id);
        }
        Ok(())
    }

    fn claim_outgoing(&mut self, now: Millis, until: Millis, limit: usize) -> Vec<Outgoing> {
        let mut due: Vec<&mut Outgoing> =
            self.outgoing.values_mut().filter(|notice| notice.due <= now).collect();
        due.sort_by_key(|notice| notice.due);
        let claim = |notice: &mut Outgoing| {
            notice.due = until;
            notice.clone()
        };
        due.into_iter().take(limit).map(claim).collect()
    }

    fn game(&self, game_id: &str) -> Result<&Game> {
        self.games.get(game_id).ok_or(StoreError::NotFound)
    }

    fn put_snapshot(&mut self, game_id: &str, at: End, snapshot: Bytes) -> Result<()> {
        let game = self.games.get_mut(game_id).ok_or(StoreError::NotFound)?;
        let is_elsewhere =
            at.tag.is_some() && (at.last != game.last() || tags_differ(at.tag, game.tag));
        if at.last > game.last() || is_elsewhere {
            return Err(StoreError::LostRace { expected: at.last, actual: game.last() });
        }
        game.put_snapshot(at.last, snapshot);
        Ok(())
    }

    fn games(&self, query: &GameQuery) -> Vec<GameRow> {
        let mut rows: Vec<_> =
            self.games.values().map(|game| &game.row).filter(|row| wanted(row, query)).collect();
        rows.sort_by(|one, other| {
            other.created.cmp(&one.created).then_with(|| one.game_id.cmp(&other.game_id))
        });
        rows.into_iter().take(query.limit).cloned().collect()
    }

    fn ids(&self, after: &str, limit: usize, wanted: impl Fn(&Game) -> bool) -> Vec<String> {
        let later = self.games.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        later.filter(|(_, game)| wanted(game)).take(limit).map(|(id, _)| id.clone()).collect()
    }

    fn account(&self, id_or_name: &str) -> Result<&Account> {
        let by_name = || self.accounts.values().find(|account| has_name(account, id_or_name));
        self.accounts.get(id_or_name).or_else(by_name).ok_or(StoreError::NotFound)
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Vec<Account> {
        let (after, search) = (folded(after), folded(search));
        let mut accounts: Vec<_> = self
            .accounts
            .values()
            .filter(|account| !account.name.is_empty())
            .map(|account| (folded(&account.name), account))
            .filter(|(name, _)| *name > after && name.contains(&search))
            .collect();
        accounts.sort_by(|one, other| one.0.cmp(&other.0));
        accounts.into_iter().take(limit).map(|(_, account)| account.clone()).collect()
    }

    fn open(&mut self, account: Account, token: TokenRow) -> Result<()> {
        let name_taken = self.accounts.values().any(|other| claims(other, &account));
        if name_taken || self.accounts.contains_key(&account.player_id) || self.token_taken(&token)
        {
            return Err(StoreError::Taken);
        }
        self.accounts.insert(account.player_id.clone(), account);
        self.tokens.insert(token.hash, token);
        Ok(())
    }

    fn open_invited(
        &mut self,
        account: Account,
        token: TokenRow,
        invitation: [u8; 32],
    ) -> Result<()> {
        let uses = *self.invitations.get(&invitation).ok_or(StoreError::NotFound)?;
        self.open(account, token)?;
        self.put_invitation(invitation, uses - 1);
        Ok(())
    }

    fn put_invitation(&mut self, invitation: [u8; 32], uses: u32) {
        match uses {
            0 => self.invitations.remove(&invitation),
            uses => self.invitations.insert(invitation, uses),
        };
    }

    fn put_account(&mut self, account: Account) -> Result<()> {
        let mut others =
            self.accounts.values().filter(|other| other.player_id != account.player_id);
        let name_taken = others.any(|other| claims(other, &account));
        let old = self.accounts.get_mut(&account.player_id).ok_or(StoreError::NotFound)?;
        if name_taken {
            return Err(StoreError::Taken);
        }
        *old = Account { created: old.created, dedication: old.dedication, ..account };
        Ok(())
    }

    fn token_taken(&self, token: &TokenRow) -> bool {
        self.tokens.contains_key(&token.hash)
            || self.tokens.values().any(|other| other.token_id == token.token_id)
    }

    fn put_token(&mut self, token: TokenRow) -> Result<()> {
        if !self.accounts.contains_key(&token.player_id) {
            return Err(StoreError::NotFound);
        }
        if self.token_taken(&token) {
            return Err(StoreError::Taken);
        }
        self.tokens.insert(token.hash, token);
        Ok(())
    }

    fn token(&self, hash: &[u8; 32]) -> Result<(TokenRow, Account)> {
        let token = self.tokens.get(hash).ok_or(StoreError::NotFound)?;
        let account = self.accounts.get(&token.player_id).ok_or(StoreError::NotFound)?;
        Ok((token.clone(), account.clone()))
    }

    fn tokens(&self, player_id: &str) -> Vec<TokenRow> {
        let mut tokens: Vec<_> =
            self.tokens.values().filter(|token| token.player_id == player_id).cloned().collect();
        tokens.sort_by(|one, other| {
            (one.created, &one.token_id).cmp(&(other.created, &other.token_id))
        });
        tokens
    }

    fn revoke(&mut self, player_id: &str, token_id: Option<&str>) -> Vec<TokenRow> {
        let mut revoked = self.tokens(player_id);
        revoked.retain(|token| token_id.is_none_or(|wanted| wanted == token.token_id));
        for token in &revoked {
            self.tokens.remove(&token.hash);
        }
        revoked
    }
}

fn has_name(account: &Account, name: &str) -> bool {
    !account.name.is_empty() && folded(&account.name) == folded(name)
}

fn claims(account: &Account, other: &Account) -> bool {
    has_name(account, &other.name) || (!other.looks.is_empty() && account.looks == other.looks)
}

fn is_member(row: &GameRow, player_id: &str) -> bool {
    row.members.iter().any(|member| member.player_id == player_id)
}

fn is_invited(row: &GameRow, player_id: &str) -> bool {
    row.members.iter().any(|member| member.invited && member.player_id == player_id)
}

fn wanted(row: &GameRow, query: &GameQuery) -> bool {
    let visible_to = query.visible_to.as_deref();
    query.kind.as_ref().is_none_or(|kind| *kind == row.kind)
        && query.status.is_none_or(|status| status == row.status)
        && (!query.running_only || !row.has_ended())
        && (!query.joinable
            || row.open_seats > 0
            || visible_to.is_some_and(|player| is_invited(row, player)))
        && visible_to.is_none_or(|player| !row.private || is_member(row, player))
        && query.member.as_ref().is_none_or(|player| is_member(row, player))
        && query.host.as_ref().is_none_or(|host| *host == row.host)
        && query.search.as_ref().is_none_or(|search| matches(row, search, visible_to.is_none()))
        && query.after.as_ref().is_none_or(|after| comes_after(row, after))
}

fn matches(row: &GameRow, search: &str, ids_too: bool) -> bool {
    let search = search.to_ascii_lowercase();
    let holds = |text: &str| text.to_ascii_lowercase().contains(&search);
    holds(&row.name) || (ids_too && holds(&row.game_id))
}

fn comes_after(row: &GameRow, (created, game_id): &(Millis, String)) -> bool {
    row.created < *created || (row.created == *created && row.game_id > *game_id)
}

impl MemoryStore {
    #[must_use]
    pub fn copy(&self) -> Self {
        Self { state: Mutex::new(self.state().clone()) }
    }

    pub fn restore(&self, copy: &Self) {
        let state = copy.state().clone();
        *self.state() = state;
    }

    pub fn end(&self, game_id: &str) -> Result<End> {
        self.state().game(game_id).map(Game::end)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Defines methods that run `work` on the state.
macro_rules! on_state {
    ($(fn $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty = |$state:ident| $work:expr;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> Answer<'_, $answer> {
            let $state = &mut *self.state();
            let result: Result<$answer> = $work;
            Box::pin(std::future::ready(result))
        })*
    };
}

impl Store for MemoryStore {
    on_state! {
        fn append(append: Append) -> () = |state| state.append(append);
        fn entries(game_id: &str, after: u64, limit: usize, bytes_max: usize) -> Vec<Bytes> =
            |state| state.game(game_id).map(|game| game.entries(after, limit, bytes_max));
        fn load(game_id: &str) -> Loaded = |state| state.game(game_id).map(Game::loaded);
        fn put_snapshot(game_id: &str, at: End, snapshot: Bytes) -> () =
            |state| state.put_snapshot(game_id, at, snapshot);
        fn game(game_id: &str) -> GameRow =
            |state| state.game(game_id).map(|game| game.row.clone());
        fn games(query: GameQuery) -> Vec<GameRow> = |state| Ok(state.games(&query));
        fn due(limit: usize) -> Vec<(String, Millis)> = |state| {
            let rows = state.games.values().map(|game| &game.row);
            let mut due: Vec<_> = rows.filter_map(|row| Some((row.due?, &row.game_id))).collect();
            due.sort_unstable();
            Ok(due.into_iter().take(limit).map(|(due, id)| (id.clone(), due)).collect())
        };
        fn waiting_for_automation(after: &str, limit: usize) -> Vec<String> =
            |state| Ok(state.ids(after, limit, |game| game.row.wants_automation));
        fn games_without_snapshot(after: &str, limit: usize) -> Vec<String> = |state| {
            let settled = |game: &Game| game.snapshot.as_ref().map_or(0, |(number, _)| *number);
            Ok(state.ids(after, limit, |game| settled(game) < game.last()))
        };
        fn sandboxes_before(time: Millis, limit: usize) -> Vec<String> = |state| {
            let rows = state.games.values().map(|game| &game.row);
            let old = rows.filter(|row| row.sandbox && row.created < time);
            let mut old: Vec<_> = old.map(|row| (row.created, &row.game_id)).collect();
            old.sort();
            Ok(old.into_iter().take(limit).map(|(_, id)| id.clone()).collect())
        };
        fn games_counted(player_id: &str) -> u32 = |state| {
            let counts = |game: &&Game| game.row.counts_for(player_id);
            Ok(state.games.values().filter(counts).count() as u32)
        };
        fn sizes(game_ids: Vec<String>) -> Vec<Size> = |state| {
            let size = |id| state.games.get(id).map_or_else(Size::default, Game::size);
            Ok(game_ids.iter().map(size).collect())
        };
        fn remove_games(game_ids: Vec<String>) -> () = |state| {
            for id in &game_ids {
                state.games.remove(id);
            }
            Ok(())
        };
        fn game_ids(after: &str, limit: usize) -> Vec<String> =
            |state| Ok(state.ids(after, limit, |_| true));
        fn counts() -> Counts = |state| {
            let players = state.accounts.values().filter(|account| !account.name.is_empty());
            Ok(Counts { games: state.games.len() as u64, players: players.count() as u64 })
        };
        fn open_account(account: Account, token: TokenRow) -> () =
            |state| state.open(account, token);
        fn open_invited(account: Account, token: TokenRow, invitation: [u8; 32]) -> () =
            |state| state.open_invited(account, token, invitation);
        fn account(id_or_name: &str) -> Account = |state| state.account(id_or_name).cloned();
        fn accounts(after: &str, search: &str, limit: usize) -> Vec<Account> =
            |state| Ok(state.accounts(after, search, limit));
        fn put_account(account: Account) -> () = |state| state.put_account(account);
        fn put_token(token: TokenRow) -> () = |state| state.put_token(token);
        fn token(hash: [u8; 32]) -> (TokenRow, Account) = |state| state.token(&hash);
        fn tokens(player_id: &str) -> Vec<TokenRow> = |state| Ok(state.tokens(player_id));
        fn revoke(player_id: &str, token_id: Option<&str>) -> Vec<TokenRow> =
            |state| Ok(state.revoke(player_id, token_id));
        fn put_invitation(hash: [u8; 32], uses: u32) -> () = |state| {
            state.put_invitation(hash, uses);
            Ok(())
        };
        fn put_block(player_id: &str, other_id: &str, blocked: bool) -> () = |state| {
            let pair = (player_id.to_owned(), other_id.to_owned());
            if blocked { state.blocks.insert(pair) } else { state.blocks.remove(&pair) };
            Ok(())
        };
        fn blocked_by(player_id: &str) -> Vec<String> = |state| {
            let blocked = state.blocks.iter().filter(|(player, _)| player == player_id);
            Ok(blocked.map(|(_, other)| other.clone()).collect())
        };
        fn notice_book(player_id: &str) -> Option<NoticeBook> =
            |state| Ok(state.books.get(player_id).cloned());
        fn put_notice_book(player_id: &str, expected: u64, book: Option<NoticeBook>) -> () =
            |state| state.put_book(player_id, expected, book);
        fn claim_outgoing(now: Millis, until: Millis, limit: usize) -> Vec<Outgoing> =
            |state| Ok(state.claim_outgoing(now, until, limit));
        fn update_outgoing(gone: Vec<(String, String)>, put: Vec<Outgoing>) -> () = |state| {
            for key in &gone {
                state.outgoing.remove(key);
            }
            for notice in put {
                state.put_outgoing(notice);
            }
            Ok(())
        };
        fn outgoing() -> (u64, Option<Millis>) = |state| {
            let next = state.outgoing.values().map(|notice| notice.due).min();
            Ok((state.outgoing.len() as u64, next))
        };
    }
}
