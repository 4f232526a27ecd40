//! What a stream does with an entry that it hears of. Apart from all that a stream needs besides,
//! so that the models of the hand-over (`tests/models`) decide by the same code.

/// Where an entry that is heard of stands to what a stream has told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// It was told already, by the table or the journal.
    Told,
    /// It is the next one.
    Next,
    /// Others come before it, which were not heard of. Nothing is told out of turn: the journal has
    /// what was not heard.
    Later,
}

impl Turn {
    /// The turn of an entry, if everything up to another was told.
    pub(crate) fn of(heard: u64, told: u64) -> Self {
        if heard <= told {
            Self::Told
        } else if heard == told + 1 {
            Self::Next
        } else {
            Self::Later
        }
    }
}
