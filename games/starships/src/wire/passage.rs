//! Conversion of the whole game and of views.

use heliopause_kernel::written_as;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::game::Starships;
use crate::sheet::{PositionSheet, ViewSheet};
use crate::view::View;

written_as!(View = proto::View, ViewSheet: of, view);
written_as!(Starships = proto::Position, PositionSheet: of_game, game);
heliopause_kernel::passage!(Starships, proto, {});
