//! Lists whose rows stand in any order, or each in a message of its own.

use heliopause_kernel::SeatSet;
use heliopause_kernel::wire::{Read, Result, Write, inside, rows, rows_by};
use heliopause_proto::star_empires::v1 as proto;

use super::seats;
use crate::chart::Row;
use crate::geometry::Coord;
use crate::options::EMPIRES;

/// The most rows of a list that has no limit of its own: more than the largest galaxy ever needs.
pub(crate) const LIST_MAX: usize = 1_000_000;

/// The rows of a table of a map, which come in any order of sectors.
pub(crate) mod table {
    use super::*;

    pub(crate) fn read<R: Row + Read<M>, M>(message: &[M]) -> Result<Vec<R>> {
        let mut table: Vec<R> = rows(message, LIST_MAX)?;
        // Stable, so that rows of one sector keep their order.
        table.sort_by_key(R::key);
        Ok(table)
    }

    pub(crate) fn write<R: Write<M>, M>(table: &[R]) -> Vec<M> {
        table.iter().map(R::write).collect()
    }
}

/// Sectors, which come in any order.
pub(crate) mod sectors {
    use super::*;

    pub(crate) use super::table::write;

    pub(crate) fn read(message: &[proto::Sector]) -> Result<Vec<Coord>> {
        let mut sectors: Vec<Coord> = rows(message, LIST_MAX)?;
        sectors.sort_unstable();
        sectors.dedup();
        Ok(sectors)
    }
}

/// The members of alliances.
pub(crate) mod alliances {
    use super::*;

    pub(crate) fn read(message: &[proto::Alliance]) -> Result<Vec<SeatSet>> {
        rows_by(message, *EMPIRES.end(), |alliance| {
            inside("members", seats::read(&alliance.members))
        })
    }

    pub(crate) fn write(alliances: &[SeatSet]) -> Vec<proto::Alliance> {
        alliances.iter().map(|alliance| proto::Alliance { members: alliance.write() }).collect()
    }
}
