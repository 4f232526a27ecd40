//! The proof of a journal: its chain, its dice, and a replay that comes out the same.

use bytes::Bytes;
use heliopause_kernel::Dice;
use heliopause_proto::store::v1::{Entry, TableState, step};
use heliopause_proto::v1::RulesStretch;
use prost::Message as _;

use crate::chain::{self, Hash};
use crate::registry;
use crate::table::Table;

/// The result of a check of a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How many entries the chain has.
    pub entries: u64,
    /// How many were replayed.
    pub replayed: u64,
    /// How many rolls were proved by the seed.
    pub rolls: u64,
    /// The first fault and its place; `None` if everything held.
    pub fault: Option<String>,
    /// The stretches by rules version.
    pub stretches: Vec<RulesStretch>,
    /// The hash of the last entry.
    pub head: Bytes,
}

/// Checks a journal, entry by entry in order.
///
/// ```
/// use heliopause_table::verify::Verifier;
///
/// let mut verifier = Verifier::new([7; 32]);
/// verifier.entry(b"no entry");
/// assert!(verifier.finish().fault.is_some());
/// ```
pub struct Verifier {
    secret: Hash,
    report: Report,
    table: Option<Table>,
    /// The entropy revealed so far, by seat, and the seed of the dice that follows from it.
    entropy: std::collections::BTreeMap<u32, Bytes>,
    dice_seed: Hash,
    seats: Vec<String>,
}

impl Verifier {
    /// A check of a game with this secret seed.
    pub fn new(secret: Hash) -> Self {
        let dice_seed = chain::dice_seed(&secret, std::iter::empty());
        Self {
            secret,
            report: Report::default(),
            table: None,
            entropy: std::collections::BTreeMap::new(),
            dice_seed,
            seats: Vec::new(),
        }
    }

    /// Checks the next entry, as stored. After a fault nothing more is checked.
    pub fn entry(&mut self, encoded: &[u8]) {
        if self.report.fault.is_some() {
            return;
        }
        let checked =
            Entry::decode(encoded).map_err(|error| format!("an entry cannot be read: {error}"));
        if let Err(fault) = checked.and_then(|entry| self.check(&entry)) {
            self.report.fault = Some(fault);
        }
    }

    /// The result.
    pub fn finish(self) -> Report {
        self.report
    }

    fn check(&mut self, entry: &Entry) -> Result<(), String> {
        let number = entry.number;
        if number != self.report.entries + 1 {
            return Err(format!("entry {number} follows entry {}", self.report.entries));
        }
        let bare = Entry { hash: Bytes::new(), ..entry.clone() };
        if entry.hash != chain::entry_hash(&self.secret, &self.report.head, &bare).as_slice() {
            return Err(format!(
                "the hash of entry {number} does not fit: it or an earlier entry was changed"
            ));
        }
        self.report.head = entry.hash.clone();
        self.report.entries = number;
        self.check_commitment(entry)?;
        self.prove_rolls(entry)?;
        self.replay(entry)
    }

    fn check_commitment(&self, entry: &Entry) -> Result<(), String> {
        let kind = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        match kind {
            Some(step::Kind::Created(created))
                if created.seed_commitment != chain::commitment(&self.secret).as_slice() =>
            {
                Err("the seed is not the one that was committed to".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// Proves every roll by the seed alone, under any rules.
    fn prove_rolls(&mut self, entry: &Entry) -> Result<(), String> {
        self.follow_entropy(entry);
        for roll in entry.rolls.iter().filter(|roll| !roll.scripted) {
            if Dice::prove(&self.dice_seed, &roll.draw, roll.sides) != Some(roll.value) {
                return Err(format!(
                    "the roll {} of entry {} is not what the seed says",
                    roll.draw, entry.number
                ));
            }
            self.report.rolls += 1;
        }
        Ok(())
    }

    /// Follows the seats' players and their revealed entropy, in seat order: both make the seed of
    /// the dice.
    fn follow_entropy(&mut self, entry: &Entry) {
        let Some(step) = &entry.step else { return };
        for told in &entry.events {
            use heliopause_proto::v1::event::Body;
            if let Some(Body::SeatChanged(changed)) =
                told.event.as_ref().and_then(|event| event.body.as_ref())
                && let Some(seat) = &changed.seat
                && !seat.player_id.is_empty()
            {
                let index = seat.number as usize;
                self.seats.resize(self.seats.len().max(index + 1), String::new());
                self.seats[index].clone_from(&seat.player_id);
            }
        }
        if let Some(step::Kind::Created(created)) = &step.kind {
            use heliopause_proto::store::v1::planned_seat::Plan;
            for (index, planned) in created.seats.iter().enumerate() {
                let taken = match &planned.plan {
                    Some(Plan::Taken(taken)) => taken.player.as_ref(),
                    _ => None,
                };
                self.seats.resize(self.seats.len().max(index + 2), String::new());
                self.seats[index + 1] =
                    taken.map(|person| person.player_id.clone()).unwrap_or_default();
            }
        }
        if let Some(step::Kind::EntropyRevealed(revealed)) = &step.kind
            && let Some(seat) =
                self.seats.iter().position(|player| !player.is_empty() && *player == step.by)
        {
            self.entropy.insert(seat as u32, revealed.entropy.clone());
            self.dice_seed =
                chain::dice_seed(&self.secret, self.entropy.values().map(AsRef::as_ref));
        }
    }

    /// Replays the entry if this version's rules made it.
    fn replay(&mut self, entry: &Entry) -> Result<(), String> {
        let ours = self.is_ours(entry);
        match self.report.stretches.last_mut() {
            Some(stretch) if stretch.rules_version == entry.rules_version => {
                stretch.last = entry.number;
            }
            _ => self.report.stretches.push(RulesStretch {
                rules_version: entry.rules_version,
                first: entry.number,
                last: entry.number,
                replayed: ours,
            }),
        }
        if !ours {
            self.table = None;
            return Ok(());
        }
        match &mut self.table {
            Some(table) => table.replay(entry)?,
            None if entry.number == 1 => {
                self.table = Some(Table::replay_first(entry, self.secret)?);
            }
            None => self.table = Some(self.enter(entry)?),
        }
        self.report.replayed += 1;
        Ok(())
    }

    fn is_ours(&self, entry: &Entry) -> bool {
        let kind = match (&self.table, entry.step.as_ref().and_then(|step| step.kind.as_ref())) {
            (Some(table), _) => Some(table.kind()),
            (None, Some(step::Kind::Created(created))) => registry::kind(&created.kind),
            (None, Some(step::Kind::RulesChanged(changed))) => changed
                .state
                .as_ref()
                .and_then(|state| state.created.as_ref())
                .and_then(|created| registry::kind(&created.kind)),
            _ => None,
        };
        kind.is_some_and(|kind| kind.rules_version() == entry.rules_version)
    }

    /// The table as it enters this version's rules, with the step that says so.
    fn enter(&self, entry: &Entry) -> Result<Table, String> {
        let Some(step::Kind::RulesChanged(changed)) =
            entry.step.as_ref().and_then(|step| step.kind.as_ref())
        else {
            return Err(format!("entry {} changes the rules without saying so", entry.number));
        };
        let state: TableState = changed.state.clone().ok_or("a change of rules has no state")?;
        let mut table = Table::from_state(state, self.secret)?;
        table.replay(entry)?;
        Ok(table)
    }
}
