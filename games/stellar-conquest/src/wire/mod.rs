//! Positions and views in wire format, and trait implementations that cannot be derived.

mod battle;
mod board;
pub(crate) mod campaign;
mod ids;
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

use crate::state::{Options, StellarConquest};

heliopause_kernel::passage!(StellarConquest, proto, {
    fn read_options_of(
        edition: &Edition<Options>,
        message: &proto::Options,
    ) -> Result<Options, Malformed> {
        // The edition determines the variant, so the message may omit the variant.
        let variant = edition.options.variant.write();
        match message.variant {
            0 => Read::read(&proto::Options { variant, ..*message }),
            given if given == variant => Read::read(message),
            _ => {
                let text = format!("the game {} has a fixed variant; omit this field", edition.id);
                wrong_field("variant", text)
            }
        }
    }
});
