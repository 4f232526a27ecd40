//! Encoding of provinces and units.

use heliopause_kernel::wire::{self, Read, Result, Write};
use heliopause_kernel::{message, set};
use heliopause_proto::diplomacy::v1 as proto;

use crate::board::{Province, Provinces};
use crate::order::Named;
use crate::position::Unit;

set!(Provinces: Province = String, wire::ROWS_MAX);

impl Read<proto::OwnedUnit> for Unit {
    fn read(message: &proto::OwnedUnit) -> Result<Self> {
        let owner = wire::field("seat", &message.seat)?;
        let unit: Named = wire::field("unit", &message.unit)?;
        wire::inside("unit", unit.of(owner))
    }
}

impl Write<proto::OwnedUnit> for Unit {
    fn write(&self) -> proto::OwnedUnit {
        proto::OwnedUnit { seat: self.owner.write(), unit: Named::from(*self).write() }
    }
}

message!(Unit, proto::OwnedUnit);
