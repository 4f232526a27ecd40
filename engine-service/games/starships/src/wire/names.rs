//! Hexes, seats, pieces and dice.

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
        place.map_or_else(|| wire::wrong("the hex is not on the board"), Ok)
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

/// 0 is the first.
impl Read<u32> for BaseNumber {
    fn read(message: &u32) -> Result<Self> {
        match message {
            0 | 1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => wire::wrong("a base has the number 1 or 2"),
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
            Piece::Base(_) => wire::wrong("name a starship"),
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
            Piece::Ship(_) => wire::wrong("name a base"),
        }
    }
}

impl Write<proto::Piece> for BaseId {
    fn write(&self) -> proto::Piece {
        Piece::Base(*self).write()
    }
}

message!(BaseId, proto::Piece);

/// A module for some of the seats: below a number, and what is wrong with others.
macro_rules! seats {
    ($(#[$about:meta])* $module:ident: $count:expr, $fault:literal) => {
        $(#[$about])*
        pub(crate) mod $module {
            use heliopause_kernel::Seat;
            use heliopause_kernel::wire::{Result, wrong};

            use crate::table::MOST_PLAYERS;

            pub(crate) fn read(message: &u32) -> Result<Seat> {
                let seat = Seat::numbered(*message).filter(|seat| seat.index() < $count);
                seat.map_or_else(|| wrong($fault), Ok)
            }

            pub(crate) fn write(seat: &Seat) -> u32 {
                seat.number()
            }
        }
    };
}
seats! {
    /// The seats of players.
    player: MOST_PLAYERS, "there is no such player"
}
seats! {
    /// The seats of players and the Death Star's.
    seat: MOST_PLAYERS + 1, "there is no such seat"
}

/// What a die shows.
pub(crate) mod die {
    use heliopause_kernel::wire::{Read, Result, wrong};

    use crate::table::Die;

    pub(crate) fn read(message: &u32) -> Result<Die> {
        if (1..=6).contains(message) { Die::read(message) } else { wrong("a die shows 1 to 6") }
    }

    pub(crate) fn write(die: &Die) -> u32 {
        u32::from(*die)
    }
}

/// One or two dice.
pub(crate) mod dice {
    use heliopause_kernel::wire::{Result, inside, wrong};

    use super::die;
    use crate::table::Die;

    pub(crate) fn read(message: &[u32]) -> Result<(Die, Option<Die>)> {
        let die = |index: usize| inside(&format!("[{index}]"), die::read(&message[index]));
        match message.len() {
            1 => Ok((die(0)?, None)),
            2 => Ok((die(0)?, Some(die(1)?))),
            _ => wrong("there are one or two dice"),
        }
    }

    pub(crate) fn write(&(first, second): &(Die, Option<Die>)) -> Vec<u32> {
        [Some(first), second].into_iter().flatten().map(u32::from).collect()
    }
}
