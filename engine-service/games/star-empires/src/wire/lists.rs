//! Lists whose rows stand in any order, or in a message of their own.

use heliopause_kernel::SeatSet;
use heliopause_kernel::wire::{Result, Write, inside, rows, rows_by};
use heliopause_proto::star_empires::v1 as proto;

use super::{seats, some_names};
use crate::class::Class;
use crate::options::EMPIRES;
use crate::order::Names;
use crate::view::Navigation;

/// The most rows of a list that has no limit of its own: more than the largest galaxy ever needs.
pub(crate) const LIST_MAX: usize = 1_000_000;

/// The rows of a table of a map, which come in any order of sectors.
pub(crate) mod table {
    use heliopause_kernel::wire::{Read, Result, Write, rows};

    use super::LIST_MAX;
    use crate::chart::Row;

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
    use heliopause_kernel::wire::{Result, rows};
    use heliopause_proto::star_empires::v1 as proto;

    use super::LIST_MAX;
    use crate::geometry::Coord;

    pub(crate) use super::table::write;

    pub(crate) fn read(message: &[proto::Sector]) -> Result<Vec<Coord>> {
        let mut sectors: Vec<Coord> = rows(message, LIST_MAX)?;
        sectors.sort_unstable();
        sectors.dedup();
        Ok(sectors)
    }
}

/// A module for a list of alliances, each of which is a message of one list.
macro_rules! alliances {
    ($module:ident: $type:ty as $message:ident { $field:ident } by $with:ident) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn read(message: &[proto::$message]) -> Result<Vec<$type>> {
                let members = |it: &proto::$message| inside(stringify!($field), $with::read(&it.$field));
                rows_by(message, *EMPIRES.end(), members)
            }

            pub(crate) fn write(alliances: &[$type]) -> Vec<proto::$message> {
                alliances.iter().map(|it| proto::$message { $field: $with::write(it) }).collect()
            }
        }
    };
}
alliances!(alliances: SeatSet as Alliance { members } by seats);
alliances!(alliance_names: Names as AllianceNames { empires } by some_names);

/// A module for a list that is told whole, or not at all: it is the only field of a message.
macro_rules! told_whole {
    ($module:ident: $type:ty as $message:ident { $field:ident }) => {
        pub(crate) mod $module {
            use super::*;

            pub(crate) fn read(message: &Option<proto::$message>) -> Result<Option<Vec<$type>>> {
                message.as_ref().map(|it| inside(stringify!($field), rows(&it.$field, LIST_MAX))).transpose()
            }

            pub(crate) fn write(list: &Option<Vec<$type>>) -> Option<proto::$message> {
                list.as_ref().map(|it| proto::$message { $field: it.write() })
            }
        }
    };
}
told_whole!(navigation_table: Navigation as NavigationTable { portals });
told_whole!(class_table: Class as ClassTable { classes });
