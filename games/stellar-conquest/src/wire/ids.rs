//! Types that are numbers both in the rules and in wire format.

use heliopause_kernel::wire::{Read, Write};

use crate::state::{Marker, ShipNumber};
use crate::tables::numbers::{below, numbered};
use crate::tables::{CardId, Direction};

numbered!(CardId, Self::numbered, Self::number, "expected a card from 1 to 78");
numbered!(Marker, Self::numbered, Self::number, "expected a task force from 1 to 15");
numbered!(
    ShipNumber,
    |it| (it > 0).then_some(Self(it)),
    |it: Self| it.0,
    "expected a ship number of 1 or more"
);
numbered!(
    Direction,
    |die| below(die, 6).map(|it| Self::ALL[usize::from(it)]),
    |it| it as u32 + 1,
    "expected a die roll from 1 to 6"
);
