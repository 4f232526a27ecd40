//! Passage over the wire, where it is more than what `#[wire(..)]` says on the types of the state.
//!
//! `numbers` and `lists` stand below the state, whose types name them; all others stand above it.

mod battle;
mod board;
pub(crate) mod campaign;
mod ids;
pub(crate) mod lists;
pub(crate) mod numbers;
pub(crate) mod options;
mod position;
pub(crate) mod power;
pub(crate) mod sheet;
pub(crate) mod table;
#[cfg(test)]
pub(crate) mod tests;
mod view;

use heliopause_kernel::wire::{Read, Write, wrong_field};
use heliopause_kernel::{Edition, Malformed};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::options::Options;
use crate::state::position::StellarConquest;

heliopause_kernel::passage!(StellarConquest, proto, {
    fn read_options_of(
        edition: &Edition<Options>,
        message: &proto::Options,
    ) -> Result<Options, Malformed> {
        // The id of the game says which variant is played.
        let variant = edition.options.variant.write();
        match message.variant {
            0 => Read::read(&proto::Options { variant, ..*message }),
            given if given == variant => Read::read(message),
            _ => {
                let text =
                    format!("The game {} has a variant of its own; leave it out.", edition.id);
                wrong_field("variant", text)
            }
        }
    }
});
