//! The board: 37 hexes around Earth.

use heliopause_starships::{PLACES, Place};

use super::scene::middle;
use crate::board::{Board, BoardPlace, mover};
use crate::scene::unit;

pub(super) fn board() -> Board {
    let all: Vec<Place> = Place::all().collect();
    let indexes = |places: heliopause_starships::Places| {
        places.iter().map(Place::index).collect::<Vec<usize>>()
    };
    Board {
        movers: vec![
            mover("ship", PLACES, |at| indexes(all[at].neighbors())),
            mover("warp", PLACES, |at| indexes(all[at].two_away())),
        ],
        places: all.iter().map(|at| place(*at)).collect(),
        partial: false,
    }
}

fn place(at: Place) -> BoardPlace {
    let (x, y) = middle(at);
    BoardPlace {
        name: at.to_string(),
        kind: if at == Place::EARTH { "earth" } else { "hex" }.into(),
        x: unit(x),
        y: unit(y),
        q: at.hex().q.into(),
        r: at.hex().r.into(),
        ..BoardPlace::default()
    }
}
