//! Rule 11.3: a seat's knowledge of the stars.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Read, Result, Wire, Write, field, inside, rows};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::colony::Bases;
use crate::tables::numbers::nth;
use crate::tables::{CardId, PLANETS_MAX, STAR_COUNT, StarId};

/// The inhabitants of a planet.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::People)]
pub struct People {
    pub millions: u16,
    pub factories: u32,
}

/// A seat's knowledge of another seat's colony.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::ColonySeen, without(number), with(Seat = crate::tables::numbers::seat))]
pub struct ColonySeen {
    pub owner: Seat,
    pub conqueror: Option<Seat>,
    pub shield: bool,
    /// The bases, if an attack has revealed them.
    pub bases: Option<Bases>,
    /// The inhabitants, for independent worlds only (fate 6.2).
    pub people: Option<People>,
    pub turn: u8,
}

/// A seat's knowledge of a star.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[wire(message = proto::Chart, without(star, planets))]
pub struct Chart {
    /// The star's card, once the seat has explored it successfully (rule 11.3).
    pub card: Option<CardId>,
    /// Colonies of others as last seen, by their position on the card.
    #[wire(with = survey)]
    pub colonies: [Option<ColonySeen>; PLANETS_MAX],
}

struct Seen(u8, ColonySeen);

impl Read<proto::ColonySeen> for Seen {
    fn read(message: &proto::ColonySeen) -> Result<Self> {
        Ok(Self(inside("number", nth::read(&message.number))?, Read::read(message)?))
    }
}

/// Wire format of the colonies of others at one star. Each row names its position on the card.
pub(crate) mod survey {
    use super::*;

    pub(crate) fn read(message: &[proto::ColonySeen]) -> Result<[Option<ColonySeen>; PLANETS_MAX]> {
        let mut colonies = [None; PLANETS_MAX];
        for Seen(nth, seen) in rows(message, PLANETS_MAX)? {
            colonies[usize::from(nth)] = Some(seen);
        }
        Ok(colonies)
    }

    pub(crate) fn write(colonies: &[Option<ColonySeen>; PLANETS_MAX]) -> Vec<proto::ColonySeen> {
        let seen = |(number, seen): (u32, &Option<ColonySeen>)| -> Option<proto::ColonySeen> {
            Some(proto::ColonySeen { number, ..seen.as_ref()?.write() })
        };
        (1..).zip(colonies).filter_map(seen).collect()
    }
}

/// Wire format of charts. Only stars about which something is known have a row.
pub(crate) mod charts {
    use super::*;

    type Charts = Box<[Chart; STAR_COUNT]>;

    struct Row(StarId, Chart);

    impl Read<proto::Chart> for Row {
        fn read(message: &proto::Chart) -> Result<Self> {
            Ok(Self(field("star", &message.star)?, Read::read(message)?))
        }
    }

    pub(crate) fn read(message: &[proto::Chart]) -> Result<Charts> {
        let mut charts = Box::new([Chart::default(); STAR_COUNT]);
        rows(message, STAR_COUNT)?
            .into_iter()
            .for_each(|Row(star, chart)| charts[star.index()] = chart);
        Ok(charts)
    }

    pub(crate) fn write(charts: &Charts) -> Vec<proto::Chart> {
        let known = StarId::ALL
            .into_iter()
            .zip(charts.iter())
            .filter(|&(_, chart)| *chart != Chart::default());
        let write = |(star, chart): (StarId, &Chart)| {
            let planets =
                chart.card.map_or(&[][..], CardId::planets).iter().map(Write::write).collect();
            proto::Chart { star: star.write(), planets, ..chart.write() }
        };
        known.map(write).collect()
    }
}
