//! What is numbered in the rules as well.

use heliopause_kernel::wire::{Read, Write};

use crate::state::ship::{Marker, ShipNumber};
use crate::tables::board::Direction;
use crate::tables::cards::CardId;
use crate::wire::numbers::{below, numbered};

numbered!(CardId, Self::numbered, Self::number, "cards are numbered from 1 to 78");
numbered!(Marker, Self::numbered, Self::number, "task forces are numbered from 1 to 15");
numbered!(
    ShipNumber,
    |it| (it > 0).then_some(Self(it)),
    |it: Self| it.0,
    "ships are numbered from 1"
);
numbered!(
    Direction,
    |die| below(die, 6).map(|it| Self::ALL[usize::from(it)]),
    |it| it as u32 + 1,
    "a die shows 1 to 6"
);
