//! The phases of a game, and the places in its journal from which its past can be looked up.
//!
//! The past is not stored: a view of then is an older view and the events since. So that nobody
//! must fold a whole game, the position is kept in an entry of its own from time to time.

use std::sync::Arc;

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{Entry, PlayedPhase, PositionKept, Step, step};
use heliopause_proto::v1::{self as v1, ErrorReason, GamePosition, GameStatus, GameView};
use prost::Message as _;

use crate::registry::{AnyTransform, Kind};
use crate::time::{Millis, stamp};
use crate::{Fault, Table};

/// The position is kept at the beginning of every so manieth phase, from the first on.
const KEPT_EVERY: usize = 8;

/// The phases so far. Copies of a table share them until one has another phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Phases(Arc<Vec<PlayedPhase>>);

/// A stretch of the past, as the journal holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The entry that keeps the position from which to go on.
    pub kept: u64,
    /// The stretch follows this entry.
    pub after: u64,
    /// Its last entry.
    pub last: u64,
}

impl Phases {
    pub(crate) fn from_stored(phases: Vec<PlayedPhase>) -> Self {
        Self(Arc::new(phases))
    }

    pub(crate) fn to_stored(&self) -> Vec<PlayedPhase> {
        self.0.to_vec()
    }

    /// Whether the position of now should be kept.
    fn wants_position(&self) -> bool {
        let since = self.0.iter().rev().take_while(|phase| phase.kept_entry == 0).count();
        !self.0.is_empty() && (since >= KEPT_EVERY || since == self.0.len())
    }
}

impl Table {
    /// Notes a phase that begins with the entry that is being made. What everybody sees tells one
    /// phase from the next: the game's progress, and whose turn it is.
    pub(crate) fn note_phase(&mut self, now: Millis) {
        let Some(game) = self.game.as_ref().filter(|_| self.is_in_play()) else { return };
        let (title, on_turn) = (game.progress(), game.on_turn().map_or(0, Seat::number));
        let is_same = |last: &PlayedPhase| last.title == title && last.on_turn == on_turn;
        if self.phases.0.last().is_some_and(is_same) {
            return;
        }
        let (entry, start_time) = (self.state.entry + 1, Some(stamp(now)));
        let phase = PlayedPhase { entry, title, on_turn, start_time, kept_entry: 0 };
        Arc::make_mut(&mut self.phases.0).push(phase);
    }

    fn is_in_play(&self) -> bool {
        matches!(self.status(), GameStatus::Running | GameStatus::Paused)
    }

    /// The step that keeps the position, when the next entry should do so.
    pub fn position_to_keep(&self) -> Option<Step> {
        let game = self.game.as_ref().filter(|_| self.is_in_play())?;
        let newest = self.phases.0.last()?;
        // Later in a phase the position is no longer that of its beginning.
        if newest.entry != self.state.entry || !self.phases.wants_position() {
            return None;
        }
        let position = game.position().encode_to_vec().into();
        let kind = Some(step::Kind::PositionKept(PositionKept { position }));
        Some(Step { kind, ..Step::default() })
    }

    pub(crate) fn keep_position(&mut self, kept: &PositionKept) -> Result<(), Fault> {
        let own = self.game.as_ref().map(|game| game.position().encode_to_vec());
        if own.is_none_or(|own| own != kept.position) {
            return Err(Fault::field("position", "This is not the position of the game."));
        }
        let entry = self.state.entry + 1;
        if let Some(newest) = Arc::make_mut(&mut self.phases.0).last_mut() {
            newest.kept_entry = entry;
        }
        Ok(())
    }

    /// The phases of the game so far, oldest first, from number 1 on.
    pub fn phases(&self) -> impl ExactSizeIterator<Item = v1::Phase> {
        let phases = &self.phases.0;
        phases.iter().enumerate().map(|(index, phase)| v1::Phase {
            number: index as u64 + 1,
            title: phase.title.clone(),
            on_turn: Some(phase.on_turn).filter(|&seat| seat > 0),
            start_time: phase.start_time,
            end_time: phases.get(index + 1).map_or(self.state.ended_at, |next| next.start_time),
        })
    }

    /// Where the journal holds a phase; `None` if what was at its end is what is now: it is the newest,
    /// or nothing has happened since and no position was kept yet.
    pub fn stretch(&self, phase: u64) -> Result<Option<Stretch>, Fault> {
        let (after, last) = self.entries_of(phase)?;
        // The phase ends as the next begins, whose position may be kept.
        let phases = &self.phases.0;
        let Some(until) = phases.get(..=phase as usize) else { return Ok(None) };
        let mut kept = until.iter().rev().map(|phase| phase.kept_entry);
        match kept.find(|&entry| entry > 0) {
            Some(kept) => Ok(Some(Stretch { kept, after, last })),
            None if last == self.state.entry => Ok(None),
            None => {
                Err(not_found("The beginning of this game was not kept; look at a later phase."))
            }
        }
    }

    /// Whether a phase is over: another has begun.
    pub fn is_past(&self, phase: u64) -> bool {
        phase < self.phases.0.len() as u64
    }

    /// The entries of a phase: it follows the first of these, and ends with the second.
    pub fn entries_of(&self, phase: u64) -> Result<(u64, u64), Fault> {
        let phases = &self.phases.0;
        let count = phases.len();
        let number = usize::try_from(phase).ok().filter(|&number| number <= count);
        let number = number.ok_or_else(|| {
            not_found(format!("There is no phase {phase}; the phases are 0 to {count}."))
        })?;
        let after = number.checked_sub(1).map_or(0, |before| phases[before].entry);
        Ok((after, phases.get(number).map_or(self.state.entry, |next| next.entry)))
    }

    /// The viewer that a player looks back as: as at any time, or with `revealed` as the game
    /// master, from whom nothing is hidden, once the game is over.
    pub fn onlooker(
        &self,
        player_id: &str,
        seat: Option<u32>,
        as_spectator: bool,
        revealed: bool,
    ) -> Result<Viewer, Fault> {
        if !revealed {
            return self.viewer(player_id, seat, as_spectator);
        }
        if self.status() != GameStatus::Ended && !self.leads_alone(player_id) {
            let text = "Everything can be seen once the game is over.";
            return Err(Fault {
                field: Some("revealed".into()),
                ..Fault::new(ErrorReason::SeesTooMuch, text)
            });
        }
        Ok(Viewer::GameMaster)
    }

    /// How a player who holds a seat is shown what is revealed: in the coordinates of the seat.
    pub fn transform_for(
        &self,
        player_id: &str,
        seat: Option<u32>,
        as_spectator: bool,
        revealed: bool,
    ) -> Option<Box<dyn AnyTransform>> {
        let game = self.game.as_ref().filter(|_| revealed)?;
        let Ok(Viewer::Seat(seat)) = self.viewer(player_id, seat, as_spectator) else {
            return None;
        };
        let names = self.all_names();
        let named = |seat: Seat| names[seat.index()].clone();
        game.transform_for(seat, &named)
    }

    /// Whether a player reads the letters of others: whoever leads the game does. What is revealed
    /// when it is over is the game; what its players wrote to each other only if it says so.
    pub fn reads_letters(&self, player_id: &str) -> bool {
        let is_open = self.created().open_letters && self.status() == GameStatus::Ended;
        is_open || self.leads_alone(player_id)
    }

    /// What a viewer could know when a position was kept.
    pub fn view_kept(kind: &Kind, entry: &Entry, viewer: Viewer) -> Result<GameView, Fault> {
        let fault = |text| Fault::new(ErrorReason::Internal, text);
        let kind_of_step = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        let Some(step::Kind::PositionKept(kept)) = kind_of_step else {
            return Err(fault("An entry keeps no position."));
        };
        let position = GamePosition::decode(kept.position.clone())
            .map_err(|_| fault("A kept position cannot be read."))?;
        Ok(kind.rules.read_position(&position)?.view(viewer))
    }
}

fn not_found(text: impl Into<String>) -> Fault {
    Fault { field: Some("at_phase".into()), ..Fault::new(ErrorReason::NotFound, text) }
}
