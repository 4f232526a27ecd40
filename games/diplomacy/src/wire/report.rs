//! Encoding of the results of orders.

use heliopause_kernel::wire::{self, Kind, Part, Read, Result, Write};
use heliopause_proto::diplomacy::v1 as proto;

use crate::adjustment::Adjusted;
use crate::event::AdjustedLine;
use crate::fault::Fault;
use crate::movement::{Given, Helpers};
use crate::order::{Named, Order};
use crate::retreat::Fate;
use crate::turn_end::Colonizing;

impl Part<proto::OrderReport> for Given {
    fn read_part(message: &proto::OrderReport) -> Result<Self> {
        Ok(Self {
            seat: wire::field("seat", &message.seat)?,
            order: wire::field("order", &message.order)?,
        })
    }

    fn write_part(&self, message: &mut proto::OrderReport) {
        (message.seat, message.order) = (self.seat.write(), self.order.write());
    }
}

impl Part<proto::OrderReport> for Helpers {
    fn read_part(message: &proto::OrderReport) -> Result<Self> {
        Ok(Self {
            counted: wire::field("supported_from", &message.supported_from)?,
            cut: wire::field("supports_cut", &message.supports_cut)?,
            barred: wire::field("supports_barred", &message.supports_barred)?,
        })
    }

    fn write_part(&self, message: &mut proto::OrderReport) {
        message.supported_from = self.counted.write();
        message.supports_cut = self.cut.write();
        message.supports_barred = self.barred.write();
    }
}

impl Read<String> for Fault {
    fn read(message: &String) -> Result<Self> {
        message.parse().or_else(|_| wire::unknown())
    }
}

impl Write<String> for Fault {
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Read<proto::Illegal> for Fault {
    fn read(message: &proto::Illegal) -> Result<Self> {
        wire::field("reason", &message.reason)
    }
}

impl Write<proto::Illegal> for Fault {
    fn write(&self) -> proto::Illegal {
        proto::Illegal { reason: self.write() }
    }
}

impl Kind<proto::retreat_report::Fate> for Fate {
    fn read_kind(kind: &proto::retreat_report::Fate) -> Option<Result<Self>> {
        use proto::DisbandReason as Reason;
        Some(match kind {
            proto::retreat_report::Fate::To(place) => wire::field("to", place).map(Self::Retreated),
            proto::retreat_report::Fate::Disbanded(reason) => match Reason::try_from(*reason) {
                Ok(Reason::Ordered) => Ok(Self::Disbanded),
                Ok(Reason::NoOrder) => Ok(Self::NoOrder),
                Ok(Reason::NoRetreat) => Ok(Self::NoRetreat),
                Ok(Reason::Collided) => Ok(Self::Collided),
                Ok(Reason::NoRoom) => Ok(Self::NoRoom),
                Ok(Reason::Unspecified) | Err(_) => wire::inside("disbanded", wire::unknown()),
            },
        })
    }

    fn write_kind(&self) -> proto::retreat_report::Fate {
        use proto::DisbandReason as Reason;
        let reason = match self {
            Self::Retreated(place) => return proto::retreat_report::Fate::To(place.write()),
            Self::Disbanded => Reason::Ordered,
            Self::NoOrder => Reason::NoOrder,
            Self::NoRetreat => Reason::NoRetreat,
            Self::Collided => Reason::Collided,
            Self::NoRoom => Reason::NoRoom,
        };
        proto::retreat_report::Fate::Disbanded(reason.into())
    }
}

impl Part<proto::ColonizeReport> for Colonizing {
    fn read_part(message: &proto::ColonizeReport) -> Result<Self> {
        use proto::ColonizeFault as Reason;
        let by = || wire::field("by", &message.by);
        Ok(match Reason::try_from(message.fault) {
            Ok(Reason::Unspecified) => Self::Colonized,
            Ok(Reason::Occupied) => Self::Occupied(by()?),
            Ok(Reason::Contested) => Self::Spoiled(by()?),
            Err(_) => return wire::inside("fault", wire::unknown()),
        })
    }

    fn write_part(&self, message: &mut proto::ColonizeReport) {
        use proto::ColonizeFault as Reason;
        let (fault, by) = match *self {
            Self::Colonized => (Reason::Unspecified, None),
            Self::Occupied(seat) => (Reason::Occupied, Some(seat)),
            Self::Spoiled(seat) => (Reason::Contested, Some(seat)),
        };
        (message.fault, message.by) = (fault.into(), by.write());
    }
}

impl Read<proto::AdjustmentReport> for AdjustedLine {
    fn read(message: &proto::AdjustmentReport) -> Result<Self> {
        use proto::adjustment_report::Result as Message;
        let seat = wire::field("seat", &message.seat)?;
        let order: Option<Order> = wire::field("order", &message.order)?;
        let result = match &message.result {
            None => return wire::inside("result", wire::missing()),
            Some(Message::Built(unit)) => {
                let unit: Named = wire::field("built", unit)?;
                Adjusted::Built(wire::inside("built", unit.of(seat))?)
            }
            Some(Message::Removed(unit)) => {
                let unit: Named = wire::field("removed", unit)?;
                Adjusted::Removed(wire::inside("removed", unit.needed_kind())?, unit.at)
            }
            Some(Message::Waived(_)) => Adjusted::Waived,
            Some(Message::Fails(reason)) => Adjusted::Fails(wire::field("fails", reason)?),
        };
        Ok(Self { seat, order, result })
    }
}

impl Write<proto::AdjustmentReport> for AdjustedLine {
    fn write(&self) -> proto::AdjustmentReport {
        use proto::adjustment_report::Result as Message;
        let result = match self.result {
            Adjusted::Built(unit) => Message::Built(Named::from(unit).write()),
            Adjusted::Removed(kind, at) => Message::Removed(Named { kind: Some(kind), at }.write()),
            Adjusted::Waived => Message::Waived(proto::Waive {}),
            Adjusted::Fails(fault) => Message::Fails(fault.write()),
        };
        proto::AdjustmentReport {
            seat: self.seat.write(),
            order: self.order.write(),
            result: Some(result),
        }
    }
}
