//! Verification of a journal: its hash chain, its dice, and a replay with the same result.

use bytes::Bytes;
use heliopause_kernel::Dice;
use heliopause_proto::store::v1::{Entry, TableState, step};
use heliopause_proto::v1::RulesStretch;
use prost::Message as _;

use crate::chain::{self, Hash};
use crate::registry::{self, Kind};
use crate::table::Table;
use crate::unhashed;

/// The result of checking a journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    pub entries: u64,
    pub replayed: u64,
    pub rolls: u64,
    pub fault: Option<String>,
    /// Ranges of entries made under the same version of the rules.
    pub stretches: Vec<RulesStretch>,
    pub head: Bytes,
}

/// A verifier that checks a journal entry by entry, with or without the texts of its messages.
/// Texts that are present must match their commitments.
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
    /// `None` if this version does not support the kind of game.
    kind: Option<&'static Kind>,
    table: Option<Table>,
    entropy: std::collections::BTreeMap<u32, Bytes>,
    dice_seed: Hash,
    seats: Vec<String>,
}

impl Verifier {
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

    /// Checks the next stored entry. After a fault, later entries are ignored.
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

    pub fn finish(self) -> Report {
        self.report
    }

    fn check(&mut self, entry: &Entry) -> Result<(), String> {
        let number = entry.number;
        let expected = self.report.entries + 1;
        if number != expected {
            return Err(format!("expected entry {expected}, found entry {number}"));
        }
        if entry.hash != chain::entry_hash(&self.secret, &self.report.head, entry).as_slice() {
            return Err(format!(
                "the hash of entry {number} does not match: it or an earlier entry was changed"
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

    fn check_first(&mut self, entry: &Entry) -> Result<(), String> {
        let kind = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        let Some(step::Kind::Created(created)) = kind else {
            return Err("the first entry does not create a table".to_owned());
        };
        if created.seed_commitment != chain::commitment(&self.secret).as_slice() {
            return Err("the seed does not match its commitment".to_owned());
        }
        self.kind = registry::kind(&created.kind);
        Ok(())
    }

    /// Verifies every roll with the seed alone, under any version of the rules.
    fn prove_rolls(&mut self, entry: &Entry) -> Result<(), String> {
        self.track_entropy(entry);
        for roll in entry.rolls.iter().filter(|roll| !roll.scripted) {
            if Dice::prove(&self.dice_seed, &roll.draw, roll.sides) != Some(roll.value) {
                return Err(format!(
                    "the roll {} of entry {} does not follow from the seed",
                    roll.draw, entry.number
                ));
            }
            self.report.rolls += 1;
        }
        Ok(())
    }

    /// Tracks the players of seats and the entropy that they reveal. Before lots are drawn, seats
    /// are places.
    fn track_entropy(&mut self, entry: &Entry) {
        let Some(step) = &entry.step else { return };
        // Handle the reveal before the events: the last reveal starts the game, and lots may then
        // move the player.
        if let Some(step::Kind::EntropyRevealed(revealed)) = &step.kind
            && let Some(seat) =
                self.seats.iter().position(|player| !player.is_empty() && *player == step.by)
        {
            self.entropy.insert(seat as u32, revealed.entropy.clone());
            self.dice_seed =
                chain::dice_seed(&self.secret, self.entropy.values().map(AsRef::as_ref));
        }
        for published in &entry.events {
            use heliopause_proto::v1::event::Body;
            if let Some(Body::SeatChanged(changed)) =
                published.event.as_ref().and_then(|event| event.body.as_ref())
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

    fn replay(&mut self, entry: &Entry) -> Result<(), String> {
        let ours = self.has_current_rules(entry);
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

    fn has_current_rules(&self, entry: &Entry) -> bool {
        self.kind.is_some_and(|kind| kind.rules_version() == entry.rules_version)
    }

    fn enter(&self, entry: &Entry) -> Result<Table, String> {
        let Some(step::Kind::RulesChanged(changed)) =
            unhashed::restored_step(entry).and_then(|step| step.kind)
        else {
            return Err(format!(
                "entry {} has a different rules version, but does not record the change",
                entry.number
            ));
        };
        let state: TableState = changed
            .state
            .ok_or_else(|| format!("entry {} changes the rules, but has no state", entry.number))?;
        let mut table = Table::from_state(state, self.secret)?;
        table.replay(entry)?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::store::v1::{HeldMessage, RequestRecord, Step, Ticked};
    use heliopause_proto::v1::Message;
    use prost::Message as _;

    use super::*;
    use crate::requests::Requests;
    use crate::sample::{self, SECRET};

    fn begun() -> (Table, Vec<Entry>) {
        let (table, entry) = sample::begun("starships-at-large", None);
        (table, vec![entry])
    }

    fn tick(table: &mut Table) -> Entry {
        let kind = Some(step::Kind::Ticked(Ticked {}));
        table.apply(Step { kind, ..Step::default() }, 1_000).expect("time passes").entry
    }

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
    fn seeds_without_a_commitment_are_detected() {
        let (_, mut entries) = begun();
        let report = verified(&entries);
        assert_eq!((report.fault, report.rolls), (None, entries[0].rolls.len() as u64));
        let step = entries[0].step.as_mut().expect("it has one");
        if let Some(step::Kind::Created(created)) = &mut step.kind {
            created.seed_commitment = chain::commitment(&[5; 32]).to_vec().into();
        }
        let fault = verified(&sealed(&entries)).fault.expect("it is found out");
        assert_eq!(fault, "the seed does not match its commitment");
    }

    #[test]
    fn entries_of_other_rules_are_proved_but_not_replayed() {
        let (mut table, mut entries) = begun();
        entries.push(tick(&mut table));
        let ours = entries[0].rules_version;
        for entry in &mut entries {
            entry.rules_version = ours + 1;
        }
        let report = verified(&sealed(&entries));
        assert_eq!((report.fault, report.entries, report.replayed), (None, 2, 0));
        let expected = RulesStretch { rules_version: ours + 1, first: 1, last: 2, replayed: false };
        assert_eq!(report.stretches, [expected]);
    }

    #[test]
    fn rules_change_only_with_a_rules_changed_step() {
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
        table.requests = Requests::from_stored(vec![RequestRecord::default()]);
        let created = table.state.created.as_mut().expect("it was created");
        created.invite_code = "a code".to_owned();
        let mut silent = entries.clone();
        silent.push(tick(&mut table.clone()));
        let fault = verified(&sealed(&silent)).fault.expect("it is found out");
        assert_eq!(fault, "entry 2 has a different rules version, but does not record the change");
        let step = table.rules_changed().expect("it was played by other rules");
        match &step.kind {
            Some(step::Kind::RulesChanged(changed)) => {
                let state = changed.state.as_ref().expect("it has one");
                assert!(state.dice_seed.is_empty(), "the journal does not tell the seed");
                assert!(state.position.is_some() && state.requests.is_empty());
                let held = [&state.held[0].salt, state.held[0].text.as_bytes()];
                assert_eq!((held, state.seats[0].memo.as_ref()), ([&b""[..]; 2], &b""[..]));
            }
            other => panic!("{other:?}"),
        }
        entries.push(table.apply(step, 500).expect("it says so").entry);
        assert!(table.rules_changed().is_none());
        let apart = entries[1].unhashed.as_ref().expect("the code is not hashed");
        assert_eq!(apart.invite_code, "a code");
        entries.push(tick(&mut table));
        let report = verified(&entries);
        assert_eq!((report.fault, report.replayed), (None, 2));
        let stretch = |rules_version, first, last, replayed| RulesStretch {
            rules_version,
            first,
            last,
            replayed,
        };
        assert_eq!(report.stretches, [stretch(ours + 1, 1, 1, false), stretch(ours, 2, 3, true)]);
    }

    #[test]
    fn journals_start_with_a_created_step() {
        let (mut table, _) = begun();
        let entry = Entry { number: 1, ..tick(&mut table) };
        let fault = verified(&sealed(&[entry])).fault.expect("it is found out");
        assert_eq!(fault, "the first entry does not create a table");
    }
}
