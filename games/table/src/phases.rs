//! The phases of a game so far, shared between copies of its table.

use std::sync::Arc;

use heliopause_proto::store::v1::PlayedPhase;

/// The number of phases between stored positions. The position at the start of the first phase is
/// stored.
const KEPT_EVERY: usize = 8;

#[derive(Clone, Debug, Default)]
pub(crate) struct Phases(pub(crate) Arc<Vec<PlayedPhase>>);

impl Phases {
    pub(crate) fn from_stored(phases: Vec<PlayedPhase>) -> Self {
        Self(Arc::new(phases))
    }

    pub(crate) fn to_stored(&self) -> Vec<PlayedPhase> {
        self.0.to_vec()
    }

    pub(crate) fn wants_position(&self) -> bool {
        let since = self.0.iter().rev().take_while(|phase| phase.kept_entry == 0).count();
        !self.0.is_empty() && (since >= KEPT_EVERY || since == self.0.len())
    }
}
