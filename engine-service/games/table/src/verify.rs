//! The proof of a journal: its chain, its dice, and a replay that comes out the same.

use bytes::Bytes;
use heliopause_kernel::Dice;
use heliopause_proto::store::v1::{Entry, TableState, step};
use heliopause_proto::v1::RulesStretch;
use prost::Message as _;

use crate::chain::{self, Hash};
use crate::registry::{self, Kind};
use crate::table::Table;
use crate::unhashed;

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

/// Checks a journal, entry by entry in order, with or without the texts of its messages. A text that
/// is there must be the one that was sent.
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
    /// The game, if this version has it.
    kind: Option<&'static Kind>,
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
            kind: None,
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
        if entry.hash != chain::entry_hash(&self.secret, &self.report.head, entry).as_slice() {
            return Err(format!(
                "the hash of entry {number} does not fit: it or an earlier entry was changed"
            ));
        }
        unhashed::check_texts(entry)?;
        self.report.head = entry.hash.clone();
        self.report.entries = number;
        if number == 1 {
            self.check_first(entry)?;
        }
        self.prove_rolls(entry)?;
        self.replay(entry)
    }

    /// The first entry lays a table, for which its seed was committed to.
    fn check_first(&mut self, entry: &Entry) -> Result<(), String> {
        let kind = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        let Some(step::Kind::Created(created)) = kind else {
            return Err("the first entry does not lay a table".to_owned());
        };
        if created.seed_commitment != chain::commitment(&self.secret).as_slice() {
            return Err("the seed is not the one that was committed to".to_owned());
        }
        self.kind = registry::kind(&created.kind);
        Ok(())
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

    /// Follows the players of seats (places, where lots are drawn later) and their revealed entropy,
    /// in that order: both make the seed of the dice.
    fn follow_entropy(&mut self, entry: &Entry) {
        let Some(step) = &entry.step else { return };
        // Before the events: the last reveal starts the game, and lots may then move its player.
        if let Some(step::Kind::EntropyRevealed(revealed)) = &step.kind
            && let Some(seat) =
                self.seats.iter().position(|player| !player.is_empty() && *player == step.by)
        {
            self.entropy.insert(seat as u32, revealed.entropy.clone());
            self.dice_seed =
                chain::dice_seed(&self.secret, self.entropy.values().map(AsRef::as_ref));
        }
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
        self.kind.is_some_and(|kind| kind.rules_version() == entry.rules_version)
    }

    /// The table as it enters this version's rules, with the step that says so.
    fn enter(&self, entry: &Entry) -> Result<Table, String> {
        let Some(step::Kind::RulesChanged(changed)) =
            unhashed::whole_step(entry).and_then(|step| step.kind)
        else {
            return Err(format!("entry {} changes the rules without saying so", entry.number));
        };
        let state: TableState = changed.state.ok_or("a change of rules has no state")?;
        let mut table = Table::from_state(state, self.secret)?;
        table.replay(entry)?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::{
        Created, HeldMessage, Person, PlannedSeat, Step, Taken, Ticked, planned_seat,
    };
    use heliopause_proto::v1::Message;
    use prost::Message as _;

    use super::*;

    const SECRET: Hash = [4; 32];

    /// A game of two people that has begun, and its journal.
    fn begun() -> (Table, Vec<Entry>) {
        let seat = |id: &str| {
            let player = Some(Person { player_id: id.to_owned(), name: id.to_owned() });
            let plan = planned_seat::Plan::Taken(Taken { player, ..Taken::default() });
            PlannedSeat { plan: Some(plan) }
        };
        let created = Created {
            kind: "starships-at-large".to_owned(),
            seats: ["ann", "bob"].map(seat).into(),
            seed_commitment: chain::commitment(&SECRET).to_vec().into(),
            game_id: "table".to_owned(),
            start_when_full: true,
            ..Created::default()
        };
        let (table, taken) = Table::lay(created, SECRET, "ann", 0).expect("a table");
        (table, vec![taken.entry])
    }

    fn tick(table: &mut Table) -> Entry {
        let kind = Some(step::Kind::Ticked(Ticked {}));
        table.take(Step { kind, ..Step::default() }, 1_000).expect("time passes").entry
    }

    /// Makes the hashes fit again after entries were changed.
    fn sealed(entries: &[Entry]) -> Vec<Entry> {
        let mut last = Bytes::new();
        let seal = |entry: &Entry| {
            last = chain::entry_hash(&SECRET, &last, entry).to_vec().into();
            Entry { hash: last.clone(), ..entry.clone() }
        };
        entries.iter().map(seal).collect()
    }

    fn verified(entries: &[Entry]) -> Report {
        let mut verifier = Verifier::new(SECRET);
        for entry in entries {
            verifier.entry(&entry.encode_to_vec());
        }
        verifier.finish()
    }

    #[test]
    fn a_seed_that_was_not_committed_to_is_found_out() {
        let (_, mut entries) = begun();
        let report = verified(&entries);
        assert_eq!((report.fault, report.rolls), (None, entries[0].rolls.len() as u64));
        let step = entries[0].step.as_mut().expect("it has one");
        if let Some(step::Kind::Created(created)) = &mut step.kind {
            created.seed_commitment = chain::commitment(&[5; 32]).to_vec().into();
        }
        let fault = verified(&sealed(&entries)).fault.expect("it is found out");
        assert_eq!(fault, "the seed is not the one that was committed to");
    }

    #[test]
    fn entries_of_other_rules_are_proved_and_not_replayed() {
        let (mut table, mut entries) = begun();
        entries.push(tick(&mut table));
        let ours = entries[0].rules_version;
        for entry in &mut entries {
            entry.rules_version = ours + 1;
        }
        let report = verified(&sealed(&entries));
        assert_eq!((report.fault, report.entries, report.replayed), (None, 2, 0));
        let [stretch] = &report.stretches[..] else { panic!("{:?}", report.stretches) };
        let RulesStretch { rules_version, first, last, replayed } = *stretch;
        assert_eq!((rules_version, first, last, replayed), (ours + 1, 1, 2, false));
    }

    #[test]
    fn rules_change_by_a_step_that_says_so_and_by_no_other() {
        let (mut table, mut entries) = begun();
        assert!(table.rules_changed().is_none());
        let ours = entries[0].rules_version;
        entries[0].rules_version = ours + 1;
        let mut entries = sealed(&entries);
        table.state.rules_version = ours + 1;
        table.state.hash = entries[0].hash.clone();
        let (salt, text) = (Bytes::from_static(&[1; 16]), "a letter".to_owned());
        table.state.held.push(HeldMessage {
            message: Some(Message { from_game_master: true, ..Message::default() }),
            waiting: 1,
            text_commitment: chain::text_commitment(&salt, &text).to_vec().into(),
            salt,
            text,
            ..HeldMessage::default()
        });
        table.state.seats[0].memo = Bytes::from_static(b"a memo");
        let mut silent = entries.clone();
        silent.push(tick(&mut table.clone()));
        let fault = verified(&sealed(&silent)).fault.expect("it is found out");
        assert_eq!(fault, "entry 2 changes the rules without saying so");
        let step = table.rules_changed().expect("it was played by other rules");
        match &step.kind {
            Some(step::Kind::RulesChanged(changed)) => {
                let state = changed.state.as_ref().expect("it has one");
                assert!(state.dice_seed.is_empty(), "the journal does not tell the seed");
                assert!(state.position.is_some());
                let held = [&state.held[0].salt, state.held[0].text.as_bytes()];
                assert_eq!((held, state.seats[0].memo.as_ref()), ([&b""[..]; 2], &b""[..]));
            }
            other => panic!("{other:?}"),
        }
        entries.push(table.take(step, 500).expect("it says so").entry);
        assert!(table.rules_changed().is_none());
        entries.push(tick(&mut table));
        let report = verified(&entries);
        assert_eq!((report.fault, report.replayed), (None, 2));
        let stretches: Vec<_> = report
            .stretches
            .iter()
            .map(|stretch| (stretch.rules_version, stretch.first, stretch.last, stretch.replayed))
            .collect();
        assert_eq!(stretches, [(ours + 1, 1, 1, false), (ours, 2, 3, true)]);
    }

    #[test]
    fn a_journal_begins_with_the_step_that_lays_the_table() {
        let (mut table, _) = begun();
        let entry = Entry { number: 1, ..tick(&mut table) };
        let fault = verified(&sealed(&[entry])).fault.expect("it is found out");
        assert_eq!(fault, "the first entry does not lay a table");
    }
}
