//! What The Fate of Empire and Alone in Outer Space add.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Part, Read, Result, Wire, Write, field, rows, wrong, wrong_field};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::campaign::Grade;
use crate::state::campaign::fate::{Level, RecallStep};
use crate::state::campaign::politics::Quarrel;
use crate::state::campaign::war::{POWERS_MAX, WarKind};
use crate::tables::stars::{STAR_COUNT, StarId};

/// One of two, which is a flag in the contract.
macro_rules! flag {
    ($type:ty, $unset:expr, $set:expr) => {
        impl Read<bool> for $type {
            fn read(message: &bool) -> Result<Self> {
                Ok(if *message { $set } else { $unset })
            }
        }
        impl Write<bool> for $type {
            fn write(&self) -> bool {
                *self == $set
            }
        }
    };
}
flag!(RecallStep, Self::Event, Self::Debt);
flag!(WarKind, Self::Limited, Self::Total);

heliopause_kernel::words!(Grade, Level::ALL.map(|level| (Self::Fate(level), Write::<i32>::write(&level))));

/// Who claims each star; each is claimed once.
pub(crate) mod claims {
    use super::*;

    type Claims = Box<[Option<Seat>; STAR_COUNT]>;

    #[derive(Wire)]
    #[wire(message = proto::Claim, with(Seat = crate::wire::numbers::seat))]
    struct Claim {
        star: StarId,
        seat: Seat,
    }

    pub(crate) fn read(message: &[proto::Claim]) -> Result<Claims> {
        let mut claims: Claims = Box::new([None; STAR_COUNT]);
        for Claim { star, seat } in rows(message, STAR_COUNT)? {
            if claims[star.index()].replace(seat).is_some() {
                return wrong("a star is claimed twice");
            }
        }
        Ok(claims)
    }

    pub(crate) fn write(claims: &Claims) -> Vec<proto::Claim> {
        StarId::all().filter_map(|star| claims[star.index()].map(|seat| Claim { star, seat }.write())).collect()
    }
}

/// Something of each power, by seat; those that are left out have nothing.
pub(crate) mod by_power {
    use super::*;

    pub(crate) fn read<T: Read<u32> + Copy + Default>(message: &[u32]) -> Result<[T; POWERS_MAX]> {
        let mut all = [T::default(); POWERS_MAX];
        for (one, given) in all.iter_mut().zip(rows(message, POWERS_MAX)?) {
            *one = given;
        }
        Ok(all)
    }

    pub(crate) fn write(all: &[impl Write<u32>; POWERS_MAX]) -> Vec<u32> {
        all.iter().map(Write::write).collect()
    }
}

impl Part<proto::Incident> for Quarrel {
    fn read_part(message: &proto::Incident) -> Result<Self> {
        match (field("star", &message.star)?, message.tension) {
            (None, tension) => Ok(Self::Clash { tension }),
            (Some(star), 0) => Ok(Self::Dispute { star }),
            (Some(_), _) => wrong_field("tension", "a dispute has none"),
        }
    }

    fn write_part(&self, message: &mut proto::Incident) {
        match self {
            Self::Clash { tension } => message.tension = *tension,
            Self::Dispute { star } => message.star = star.write(),
        }
    }
}
