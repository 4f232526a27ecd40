//! Conversion of hexes, seats, pieces and dice.

use heliopause_kernel::wire::{self, Read, Result, Write};
use heliopause_kernel::{Hex, message, set};
use heliopause_proto::starships_at_large::v1 as proto;
use proto::piece::Kind;

use crate::board::{Place, Places};
use crate::pieces::{BaseId, BaseNumber, Piece, ShipId};

impl Read<proto::Hex> for Place {
    fn read(message: &proto::Hex) -> Result<Self> {
        let place = match (i16::try_from(message.q), i16::try_from(message.r)) {
            (Ok(q), Ok(r)) => Self::new(Hex::new(q, r)),
            _ => None,
        };
        place.map_or_else(
            || {
                let (q, r) = (message.q, message.r);
                wire::wrong(format!("expected a hex at most 3 steps from Earth, found ({q},{r})"))
            },
            Ok,
        )
    }
}

impl Write<proto::Hex> for Place {
    fn write(&self) -> proto::Hex {
        let hex = self.hex();
        proto::Hex { q: hex.q.write(), r: hex.r.write() }
    }
}

message!(Place, proto::Hex);

set!(Places: Place = proto::Hex, wire::ROWS_MAX);

/// 0 means the first base, so that messages may omit the number.
impl Read<u32> for BaseNumber {
    fn read(message: &u32) -> Result<Self> {
        match message {
            0 | 1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => wire::wrong(format!("expected base number 1 or 2, found {message}")),
        }
    }
}

impl Write<u32> for BaseNumber {
    fn write(&self) -> u32 {
        self.number().into()
    }
}

impl Read<proto::Piece> for Piece {
    fn read(message: &proto::Piece) -> Result<Self> {
        let owner = wire::inside("owner", player::read(&message.owner))?;
        match &message.kind {
            Some(Kind::Starship(serial)) => {
                Ok(Self::Ship(ShipId { owner, serial: wire::field("starship", serial)? }))
            }
            Some(Kind::Base(number)) => {
                Ok(Self::Base(BaseId { owner, number: wire::field("base", number)? }))
            }
            None => wire::inside("kind", wire::missing()),
        }
    }
}

impl Write<proto::Piece> for Piece {
    fn write(&self) -> proto::Piece {
        let kind = match self {
            Self::Ship(id) => Kind::Starship(id.serial.write()),
            Self::Base(id) => Kind::Base(id.number.write()),
        };
        proto::Piece { owner: self.owner().write(), kind: Some(kind) }
    }
}

message!(Piece, proto::Piece);

impl Read<proto::Piece> for ShipId {
    fn read(message: &proto::Piece) -> Result<Self> {
        match Piece::read(message)? {
            Piece::Ship(ship) => Ok(ship),
            Piece::Base(_) => wire::wrong("expected a starship, found a base"),
        }
    }
}

impl Write<proto::Piece> for ShipId {
    fn write(&self) -> proto::Piece {
        Piece::Ship(*self).write()
    }
}

message!(ShipId, proto::Piece);

impl Read<proto::Piece> for BaseId {
    fn read(message: &proto::Piece) -> Result<Self> {
        match Piece::read(message)? {
            Piece::Base(base) => Ok(base),
            Piece::Ship(_) => wire::wrong("expected a base, found a starship"),
        }
    }
}

impl Write<proto::Piece> for BaseId {
    fn write(&self) -> proto::Piece {
        Piece::Base(*self).write()
    }
}

message!(BaseId, proto::Piece);

/// Defines a module that converts the numbers of the first `$count` seats. Other numbers are
/// errors.
macro_rules! seats {
    ($(#[$about:meta])* $module:ident: $count:expr, $fault:literal) => {
        $(#[$about])*
        pub(crate) mod $module {
            use heliopause_kernel::Seat;
            use heliopause_kernel::wire::{Result, wrong};

            use crate::table::MAX_PLAYERS;

            pub(crate) fn read(message: &u32) -> Result<Seat> {
                let seat = Seat::numbered(*message).filter(|seat| seat.index() < $count);
                seat.map_or_else(|| wrong(format!(concat!($fault, ", found {}"), message)), Ok)
            }

            pub(crate) fn write(seat: &Seat) -> u32 {
                seat.number()
            }
        }
    };
}
seats! {
    player: MAX_PLAYERS, "expected a player from 1 to 6"
}
seats! {
    seat: MAX_PLAYERS + 1, "expected a seat from 1 to 7"
}

pub(crate) mod die {
    use heliopause_kernel::wire::{Read, Result, wrong};

    use crate::table::Die;

    pub(crate) fn read(message: &u32) -> Result<Die> {
        if (1..=6).contains(message) {
            Die::read(message)
        } else {
            wrong(format!("expected a die roll from 1 to 6, found {message}"))
        }
    }

    pub(crate) fn write(die: &Die) -> u32 {
        u32::from(*die)
    }
}

pub(crate) mod dice {
    use heliopause_kernel::wire::{Result, inside, wrong};

    use super::die;
    use crate::table::Die;

    pub(crate) fn read(message: &[u32]) -> Result<(Die, Option<Die>)> {
        let die = |index: usize| inside(&format!("[{index}]"), die::read(&message[index]));
        match message.len() {
            1 => Ok((die(0)?, None)),
            2 => Ok((die(0)?, Some(die(1)?))),
            found => wrong(format!("expected one or two dice, found {found}")),
        }
    }

    pub(crate) fn write(&(first, second): &(Die, Option<Die>)) -> Vec<u32> {
        [Some(first), second].into_iter().flatten().map(u32::from).collect()
    }
}
