//! The game as a whole. It stands apart from the small parts, which the types of the rules name.

use heliopause_kernel::written_as;
use heliopause_proto::starships_at_large::v1 as proto;

use crate::game::Starships;
use crate::sheet::{Sheet, Sight};
use crate::view::View;

written_as!(View = proto::View, Sight: of, view);
written_as!(Starships = proto::Position, Sheet: of_game, game);
heliopause_kernel::passage!(Starships, proto, {});
