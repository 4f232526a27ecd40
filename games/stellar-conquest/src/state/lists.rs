//! Wire modules for lists whose type in the game differs from that in the messages.

use heliopause_kernel::Seat;
use heliopause_kernel::wire::{Read, Result, Wire, Write, rows, wrong};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::tables::outer_space::POWERS_MAX;
use crate::tables::{STAR_COUNT, StarId};

/// The claimant of each star, in wire format. Each star is listed at most once.
pub(crate) mod claims {
    use super::*;

    type Claims = Box<[Option<Seat>; STAR_COUNT]>;

    #[derive(Wire)]
    #[wire(message = proto::Claim, with(Seat = crate::tables::numbers::seat))]
    struct Claim {
        star: StarId,
        seat: Seat,
    }

    pub(crate) fn read(message: &[proto::Claim]) -> Result<Claims> {
        let mut claims: Claims = Box::new([None; STAR_COUNT]);
        for Claim { star, seat } in rows(message, STAR_COUNT)? {
            if claims[star.index()].replace(seat).is_some() {
                return wrong(format!("{star} is claimed twice"));
            }
        }
        Ok(claims)
    }

    pub(crate) fn write(claims: &Claims) -> Vec<proto::Claim> {
        StarId::ALL
            .into_iter()
            .filter_map(|star| claims[star.index()].map(|seat| Claim { star, seat }.write()))
            .collect()
    }
}

/// A value for each power, by seat. Powers missing from the message have the default value.
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

/// A list that is sorted when read.
pub(crate) mod sorted {
    use super::*;

    pub(crate) fn read<T: Read<M> + Ord, M>(message: &Vec<M>) -> Result<Vec<T>> {
        let mut list: Vec<T> = Read::read(message)?;
        list.sort_unstable();
        Ok(list)
    }

    pub(crate) fn write<T: Write<M>, M>(list: &Vec<T>) -> Vec<M> {
        list.write()
    }
}
