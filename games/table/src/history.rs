//! The phases of a game, and the journal entries from which past views are computed.
//!
//! Past views are not stored. A past view is an older view updated by later events. To avoid
//! replaying a whole game, the journal stores the position every eighth phase (`PositionKept`), so
//! a past view needs at most eight phases. A replay verifies the stored positions.
//!
//! A phase starts when the game's progress or the seat on turn changes. A past view shows only what
//! the same viewer could see at the time. After the end every reader may see what the game master
//! sees, in the coordinates of the reader's seat. Messages between seats stay private.

use std::sync::Arc;

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{Entry, PlayedPhase, PositionKept, Step, step};
use heliopause_proto::v1::{self as v1, ErrorReason, GamePosition, GameStatus, GameView};
use prost::Message as _;

use crate::registry::{AnyTransform, Kind};
use crate::time::{Millis, stamp};
use crate::{Fault, Table};

/// A range of journal entries from which a past view is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalRange {
    /// The entry with the position from which to start.
    pub kept: u64,
    /// The entry before the range.
    pub after: u64,
    pub last: u64,
}

impl Table {
    /// Records a new phase if the game's progress or the seat on turn has changed. Both are public.
    pub(crate) fn record_phase(&mut self, now: Millis) {
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

    pub fn position_to_keep(&self) -> Option<Step> {
        let game = self.game.as_ref().filter(|_| self.is_in_play())?;
        let newest = self.phases.0.last()?;
        // After further entries, the position is no longer the one at the phase's start.
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
            let text = "The stored position differs from the position of the game.";
            return Err(Fault::field("position", text));
        }
        let entry = self.state.entry + 1;
        if let Some(newest) = Arc::make_mut(&mut self.phases.0).last_mut() {
            newest.kept_entry = entry;
        }
        Ok(())
    }

    /// Returns the phases so far, oldest first. Their numbers start at 1.
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

    /// Returns the journal entries from which to compute the view at the end of a phase. Returns
    /// `None` if the view is the current one: in the newest phase, or if no position is stored yet
    /// and no entry has followed.
    pub fn journal_range(&self, phase: u64) -> Result<Option<JournalRange>, Fault> {
        let (after, last) = self.entries_of(phase)?;
        // The next phase starts where this one ends, so its stored position can be used.
        let phases = &self.phases.0;
        let Some(until) = phases.get(..=phase as usize) else { return Ok(None) };
        let mut kept = until.iter().rev().map(|phase| phase.kept_entry);
        match kept.find(|&entry| entry > 0) {
            Some(kept) => Ok(Some(JournalRange { kept, after, last })),
            None if last == self.state.entry => Ok(None),
            None => Err(not_found("The start of this game was not stored; choose a later phase.")),
        }
    }

    pub fn is_past(&self, phase: u64) -> bool {
        phase < self.phases.0.len() as u64
    }

    /// Returns the numbers of the entry before a phase and of the phase's last entry.
    pub fn entries_of(&self, phase: u64) -> Result<(u64, u64), Fault> {
        let phases = &self.phases.0;
        let count = phases.len();
        let number = usize::try_from(phase).ok().filter(|&number| number <= count);
        let number = number.ok_or_else(|| {
            not_found(format!("Phase {phase} does not exist; choose 0 to {count}."))
        })?;
        let after = number.checked_sub(1).map_or(0, |before| phases[before].entry);
        Ok((after, phases.get(number).map_or(self.state.entry, |next| next.entry)))
    }

    /// Returns the viewer for past views: the player's own, or the game master if `revealed` is
    /// set. Before the end of the game, only leaders who do not play may set `revealed`.
    pub fn past_viewer(
        &self,
        player_id: &str,
        seat: Option<u32>,
        as_spectator: bool,
        revealed: bool,
    ) -> Result<Viewer, Fault> {
        if !revealed {
            return self.viewer(player_id, seat, as_spectator);
        }
        if self.status() != GameStatus::Ended && !self.leads_without_playing(player_id) {
            let text = "Players can read the revealed view only after the end of the game.";
            return Err(Fault {
                field: Some("revealed".into()),
                ..Fault::new(ErrorReason::RoleConflict, text)
            });
        }
        Ok(Viewer::GameMaster)
    }

    /// Returns the conversion of revealed data to the coordinates of the player's seat. Returns
    /// `None` for data that is not revealed, and for viewers other than seats.
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
        game.transform_for(seat, &self.all_names())
    }

    /// Returns whether a player may read the messages of other players. Leaders who do not play
    /// always may. All players may after the end if the option `open_messages` is set.
    pub fn may_read_messages(&self, player_id: &str) -> bool {
        let is_open = self.created().open_messages && self.status() == GameStatus::Ended;
        is_open || self.leads_without_playing(player_id)
    }

    pub fn stored_view(kind: &Kind, entry: &Entry, viewer: Viewer) -> Result<GameView, Fault> {
        let fault = |text| Fault::new(ErrorReason::Internal, text);
        let kind_of_step = entry.step.as_ref().and_then(|step| step.kind.as_ref());
        let Some(step::Kind::PositionKept(kept)) = kind_of_step else {
            return Err(fault("The entry has no position."));
        };
        let position = GamePosition::decode(kept.position.clone())
            .map_err(|_| fault("The stored position cannot be read."))?;
        Ok(kind.rules.read_position(&position)?.view(viewer))
    }
}

fn not_found(text: impl Into<String>) -> Fault {
    Fault { field: Some("at_phase".into()), ..Fault::new(ErrorReason::NotFound, text) }
}
