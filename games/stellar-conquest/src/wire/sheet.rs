//! Sheets of setup and production in wire format.

use heliopause_kernel::wire::{Kind, Read, Result, Write, field, kind};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::Sheet;

impl Read<Option<proto::Sheet>> for Sheet {
    fn read(message: &Option<proto::Sheet>) -> Result<Self> {
        use proto::sheet::Kind as Given;
        let given = message.as_ref().and_then(|message| message.kind.as_ref());
        match given {
            None => Ok(Self::None),
            Some(Given::SpendBonus(_) | Given::Commission(_)) => kind(given).map(Self::Outfit),
            Some(Given::Produce(sheet)) => field("produce", sheet).map(Self::Production),
            Some(Given::Decree(sheet)) => field("decree", sheet).map(Self::Decree),
        }
    }
}

impl Write<Option<proto::Sheet>> for Sheet {
    fn write(&self) -> Option<proto::Sheet> {
        let kind = match self {
            Self::None => return None,
            Self::Outfit(outfit) => outfit.write_kind(),
            Self::Production(sheet) => proto::sheet::Kind::Produce(sheet.write()),
            Self::Decree(sheet) => proto::sheet::Kind::Decree(sheet.write()),
        };
        Some(proto::Sheet { kind: Some(kind) })
    }
}
