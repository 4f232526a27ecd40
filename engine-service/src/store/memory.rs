//! The in-memory store for tests and `--data :memory:`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::quota::Usage;
use super::{
    Account, Answer, Append, Counts, End, GameQuery, GameRow, Loaded, Millis, NoticeBook, Outgoing,
    Quota, Size, Store, StoreError, TokenRow, folded, tags_differ,
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

    fn put_snapshot(&mut self, number: u64, snapshot: Bytes) {
        if self.snapshot.as_ref().is_none_or(|(newest, _)| *newest < number) {
            self.snapshot = Some((number, snapshot));
        }
    }
}

impl State {
    fn append(&mut self, append: Append) -> Result<(), StoreError> {
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

    fn check_place(&self, append: &Append) -> Result<(), StoreError> {
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

    fn put_book(
        &mut self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Result<(), StoreError> {
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

    fn game(&self, game_id: &str) -> Result<&Game, StoreError> {
        self.games.get(game_id).ok_or(StoreError::NotFound)
    }

    fn put_snapshot(&mut self, game_id: &str, at: End, snapshot: Bytes) -> Result<(), StoreError> {
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

    fn account(&self, id_or_name: &str) -> Result<&Account, StoreError> {
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

    fn open(&mut self, account: Account, token: TokenRow) -> Result<(), StoreError> {
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
    ) -> Result<(), StoreError> {
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

    fn put_account(&mut self, account: Account) -> Result<(), StoreError> {
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

    fn put_token(&mut self, token: TokenRow) -> Result<(), StoreError> {
        if !self.accounts.contains_key(&token.player_id) {
            return Err(StoreError::NotFound);
        }
        if self.token_taken(&token) {
            return Err(StoreError::Taken);
        }
        self.tokens.insert(token.hash, token);
        Ok(())
    }

    fn token(&self, hash: &[u8; 32]) -> Result<(TokenRow, Account), StoreError> {
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

    pub fn end(&self, game_id: &str) -> Result<End, StoreError> {
        self.state().game(game_id).map(Game::end)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ready<'a, T: Send + 'a>(result: Result<T, StoreError>) -> Answer<'a, T> {
    Box::pin(std::future::ready(result))
}

impl Store for MemoryStore {
    fn append(&self, append: Append) -> Answer<'_, ()> {
        ready(self.state().append(append))
    }

    fn entries(
        &self,
        game_id: &str,
        after: u64,
        limit: usize,
        bytes_max: usize,
    ) -> Answer<'_, Vec<Bytes>> {
        let state = self.state();
        let game = match state.game(game_id) {
            Ok(game) => game,
            Err(error) => return ready(Err(error)),
        };
        let mut bytes = 0;
        let fits = |(index, entry): &(usize, &Bytes)| {
            bytes += entry.len();
            *index == 0 || bytes <= bytes_max
        };
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        let page = game.entries.iter().skip(after).take(limit).enumerate().take_while(fits);
        ready(Ok(page.map(|(_, entry)| entry.clone()).collect()))
    }

    fn load(&self, game_id: &str) -> Answer<'_, Loaded> {
        let loaded = |game: &Game| Loaded {
            secret: game.secret,
            last: game.last(),
            snapshot: game.snapshot.clone(),
        };
        ready(self.state().game(game_id).map(loaded))
    }

    fn put_snapshot(&self, game_id: &str, at: End, snapshot: Bytes) -> Answer<'_, ()> {
        ready(self.state().put_snapshot(game_id, at, snapshot))
    }

    fn game(&self, game_id: &str) -> Answer<'_, GameRow> {
        ready(self.state().game(game_id).map(|game| game.row.clone()))
    }

    fn games(&self, query: GameQuery) -> Answer<'_, Vec<GameRow>> {
        ready(Ok(self.state().games(&query)))
    }

    fn due(&self, limit: usize) -> Answer<'_, Vec<(String, Millis)>> {
        let state = self.state();
        let mut due: Vec<_> =
            state.games.iter().filter_map(|(id, game)| Some((game.row.due?, id))).collect();
        due.sort_unstable();
        ready(Ok(due.into_iter().take(limit).map(|(due, id)| (id.clone(), due)).collect()))
    }

    fn waiting_for_automation(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let state = self.state();
        let waiting_for_automation = state
            .games
            .iter()
            .filter(|(id, game)| game.row.wants_automation && id.as_str() > after);
        ready(Ok(waiting_for_automation.take(limit).map(|(id, _)| id.clone()).collect()))
    }

    fn games_without_snapshot(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let state = self.state();
        let games_without_snapshot = state.games.iter().filter(|(id, game)| {
            let settled = game.snapshot.as_ref().map_or(0, |(number, _)| *number);
            id.as_str() > after && settled < game.last()
        });
        ready(Ok(games_without_snapshot.take(limit).map(|(id, _)| id.clone()).collect()))
    }

    fn sandboxes_before(&self, time: Millis, limit: usize) -> Answer<'_, Vec<String>> {
        let state = self.state();
        let rows = state
            .games
            .values()
            .map(|game| &game.row)
            .filter(|row| row.sandbox && row.created < time);
        let mut old: Vec<(Millis, String)> =
            rows.map(|row| (row.created, row.game_id.clone())).collect();
        old.sort();
        ready(Ok(old.into_iter().take(limit).map(|(_, id)| id).collect()))
    }

    fn games_counted(&self, player_id: &str) -> Answer<'_, u32> {
        let counts = |game: &&Game| game.row.counts_for(player_id);
        ready(Ok(self.state().games.values().filter(counts).count() as u32))
    }

    fn sizes(&self, game_ids: Vec<String>) -> Answer<'_, Vec<Size>> {
        let state = self.state();
        let size = |game: &Game| Size {
            entries: game.last(),
            bytes: game.entries.iter().map(|entry| entry.len() as u64).sum(),
        };
        ready(Ok(game_ids
            .iter()
            .map(|game_id| state.games.get(game_id).map_or_else(Size::default, size))
            .collect()))
    }

    fn remove_games(&self, game_ids: Vec<String>) -> Answer<'_, ()> {
        let mut state = self.state();
        for game_id in game_ids {
            state.games.remove(&game_id);
        }
        ready(Ok(()))
    }

    fn game_ids(&self, after: &str, limit: usize) -> Answer<'_, Vec<String>> {
        let state = self.state();
        ready(Ok(state
            .games
            .keys()
            .filter(|id| id.as_str() > after)
            .take(limit)
            .cloned()
            .collect()))
    }

    fn counts(&self) -> Answer<'_, Counts> {
        let state = self.state();
        let players =
            state.accounts.values().filter(|account| !account.name.is_empty()).count() as u64;
        ready(Ok(Counts { games: state.games.len() as u64, players }))
    }

    fn open_account(&self, account: Account, token: TokenRow) -> Answer<'_, ()> {
        ready(self.state().open(account, token))
    }

    fn open_invited(
        &self,
        account: Account,
        token: TokenRow,
        invitation: [u8; 32],
    ) -> Answer<'_, ()> {
        ready(self.state().open_invited(account, token, invitation))
    }

    fn account(&self, id_or_name: &str) -> Answer<'_, Account> {
        ready(self.state().account(id_or_name).cloned())
    }

    fn accounts(&self, after: &str, search: &str, limit: usize) -> Answer<'_, Vec<Account>> {
        ready(Ok(self.state().accounts(after, search, limit)))
    }

    fn put_account(&self, account: Account) -> Answer<'_, ()> {
        ready(self.state().put_account(account))
    }

    fn put_token(&self, token: TokenRow) -> Answer<'_, ()> {
        ready(self.state().put_token(token))
    }

    fn token(&self, hash: [u8; 32]) -> Answer<'_, (TokenRow, Account)> {
        ready(self.state().token(&hash))
    }

    fn tokens(&self, player_id: &str) -> Answer<'_, Vec<TokenRow>> {
        ready(Ok(self.state().tokens(player_id)))
    }

    fn revoke(&self, player_id: &str, token_id: Option<&str>) -> Answer<'_, Vec<TokenRow>> {
        ready(Ok(self.state().revoke(player_id, token_id)))
    }

    fn put_invitation(&self, hash: [u8; 32], uses: u32) -> Answer<'_, ()> {
        self.state().put_invitation(hash, uses);
        ready(Ok(()))
    }

    fn put_block(&self, player_id: &str, other_id: &str, blocked: bool) -> Answer<'_, ()> {
        let (blocks, pair) =
            (&mut self.state().blocks, (player_id.to_owned(), other_id.to_owned()));
        if blocked {
            blocks.insert(pair)
        } else {
            blocks.remove(&pair)
        };
        ready(Ok(()))
    }

    fn blocked_by(&self, player_id: &str) -> Answer<'_, Vec<String>> {
        let state = self.state();
        let blocked = state.blocks.iter().filter(|(player, _)| player == player_id);
        ready(Ok(blocked.map(|(_, other)| other.clone()).collect()))
    }

    fn notice_book(&self, player_id: &str) -> Answer<'_, Option<NoticeBook>> {
        ready(Ok(self.state().books.get(player_id).cloned()))
    }

    fn put_notice_book(
        &self,
        player_id: &str,
        expected: u64,
        book: Option<NoticeBook>,
    ) -> Answer<'_, ()> {
        ready(self.state().put_book(player_id, expected, book))
    }

    fn claim_outgoing(
        &self,
        now: Millis,
        until: Millis,
        limit: usize,
    ) -> Answer<'_, Vec<Outgoing>> {
        ready(Ok(self.state().claim_outgoing(now, until, limit)))
    }

    fn update_outgoing(&self, gone: Vec<(String, String)>, put: Vec<Outgoing>) -> Answer<'_, ()> {
        let mut state = self.state();
        for key in gone {
            state.outgoing.remove(&key);
        }
        for notice in put {
            state.put_outgoing(notice);
        }
        ready(Ok(()))
    }

    fn outgoing(&self) -> Answer<'_, (u64, Option<Millis>)> {
        let state = self.state();
        let next = state.outgoing.values().map(|notice| notice.due).min();
        ready(Ok((state.outgoing.len() as u64, next)))
    }
}
