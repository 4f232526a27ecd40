//! Ships, fleets, colonies and research in wire format.

use heliopause_kernel::wire;
use heliopause_kernel::wire::{Part, Read, Result, Write, field, inside, optional, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::{Hold, Hull, Load, Occupation, Payment, Research};
use crate::tables::numbers::seat;
use crate::tables::{Arm, Planet, ShipKind, Tech, TechSet};

heliopause_kernel::words!(
    Arm,
    [
        (Self::Ship(ShipKind::Scout), proto::Arm::Scout),
        (Self::Ship(ShipKind::Transport), proto::Arm::ColonyTransport),
        (Self::Ship(ShipKind::Corvette), proto::Arm::Corvette),
        (Self::Ship(ShipKind::Fighter), proto::Arm::Fighter),
        (Self::Ship(ShipKind::DeathStar), proto::Arm::DeathStar),
        (Self::MissileBase, proto::Arm::MissileBase),
        (Self::AdvancedMissileBase, proto::Arm::AdvancedMissileBase),
        (Self::Shield, proto::Arm::PlanetShield),
    ]
);

impl Part<proto::Ship> for Hull {
    fn read_part(message: &proto::Ship) -> Result<Self> {
        let (kind, load): (ShipKind, Option<Load>) =
            (field("kind", &message.kind)?, field("load", &message.load)?);
        Ok(match (kind, load) {
            (ShipKind::Scout, None) => Self::Scout,
            (ShipKind::Transport, load) => Self::Transport(load.unwrap_or_default()),
            (ShipKind::Corvette, None) => Self::Corvette,
            (ShipKind::Fighter, None) => Self::Fighter,
            (ShipKind::DeathStar, None) => Self::DeathStar,
            (_, Some(_)) => return wrong_field("load", "only colony transports can carry people"),
        })
    }

    fn write_part(&self, message: &mut proto::Ship) {
        message.kind = self.kind().write();
        message.load = if let Self::Transport(load) = self { load.write() } else { None };
    }
}

impl Part<proto::Colony> for Hold {
    fn read_part(message: &proto::Colony) -> Result<Self> {
        let conqueror = inside("conqueror", optional(&message.conqueror, seat::read))?;
        match (proto::Control::try_from(message.control), conqueror) {
            (Ok(proto::Control::Free | proto::Control::Unspecified), None) => Ok(Self::Free),
            (Ok(proto::Control::Besieged), None) => Ok(Self::Besieged),
            (Ok(proto::Control::Occupied), Some(by)) => {
                Ok(Self::Occupied(Occupation { by, waits: message.first_production_pending }))
            }
            _ => wrong_field(
                "control",
                "expected a colony that is free, besieged, or occupied by a conqueror",
            ),
        }
    }

    fn write_part(&self, message: &mut proto::Colony) {
        let hold = match self {
            Self::Free => proto::Control::Free,
            Self::Besieged => proto::Control::Besieged,
            Self::Occupied(Occupation { by, waits }) => {
                (message.conqueror, message.first_production_pending) = (by.number(), *waits);
                proto::Control::Occupied
            }
        };
        message.control = hold.into();
    }
}

impl Part<proto::Colony> for Planet {
    fn read_part(message: &proto::Colony) -> Result<Self> {
        Ok(Self {
            orbit: field("orbit", &message.orbit)?,
            kind: field("planet_type", &message.planet_type)?,
            capacity: field("capacity", &message.capacity)?,
            mineral_rich: message.mineral_rich,
        })
    }

    fn write_part(&self, message: &mut proto::Colony) {
        let proto::CardPlanet { orbit, r#type, capacity, mineral_rich } = self.write();
        (message.orbit, message.planet_type) = (orbit, r#type);
        (message.capacity, message.mineral_rich) = (capacity, mineral_rich);
    }
}

heliopause_kernel::set!(TechSet: Tech = i32, Tech::COUNT);

impl Read<Option<proto::Research>> for Research {
    fn read(message: &Option<proto::Research>) -> Result<Self> {
        let Some(message) = message else { return Ok(Self::default()) };
        let owned = field("owned", &message.owned)?;
        let payments: Vec<Payment> =
            inside("payments", wire::rows(&message.payments, Tech::COUNT))?;
        let payments = payments.into_iter().map(|payment| (payment.tech, payment.points));
        let why = "expected payments into different technologies not owned, each below its cost";
        Self::restore(owned, payments).map_or_else(|| wrong_field("payments", why), Ok)
    }
}

impl Write<Option<proto::Research>> for Research {
    fn write(&self) -> Option<proto::Research> {
        let payments = self.payments().map(|(tech, points)| Payment { tech, points }.write());
        Some(proto::Research { owned: self.owned.write(), payments: payments.collect() })
    }
}
