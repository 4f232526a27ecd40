//! The board: hexes, and the stars in them.

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{PLACES, Place, StarId};

use super::scene::middle;
use crate::board::{Board, BoardPlace, index, mover};
use crate::scene::{number, unit};

/// Returns the board. `entries` are the entry hexes of the players, in seat order, if known.
pub(super) fn board(entries: &[Place]) -> Board {
    let hexes = Place::all().map(|at| {
        let entry = entries.iter().position(|entry| *entry == at).map(Seat::at);
        BoardPlace {
            name: at.to_string(),
            kind: if at.is_cloud() { "cloud" } else { "hex" }.into(),
            home: number(entry),
            ..located(at)
        }
    });
    let stars = StarId::ALL.into_iter().map(|star| BoardPlace {
        name: star.to_string(),
        kind: "star".into(),
        area: Some(index(star.at().index())),
        color: star.color().as_str().into(),
        ..located(star.at())
    });
    let places: Vec<BoardPlace> = hexes.chain(stars).collect();
    let steps = |at: usize| {
        let hex = Place::of_index(at).filter(|_| at < PLACES);
        hex.into_iter().flat_map(|hex| hex.neighbors().map(Place::index))
    };
    Board { movers: vec![mover("ship", places.len(), steps)], places, partial: false }
}

fn located(at: Place) -> BoardPlace {
    let (x, y) = middle(at);
    let (q, row) = (i32::from(at.column()) - 1, i32::from(at.row()) - 1);
    BoardPlace { x: unit(x), y: unit(y), q, r: row - q / 2, ..BoardPlace::default() }
}

#[cfg(test)]
mod tests {
    use heliopause_stellar_conquest::ENTRY_HEXES;

    use super::*;

    #[test]
    fn ships_step_to_the_hexes_at_distance_one() {
        let board = board(&ENTRY_HEXES);
        let steps = &board.movers[0].steps;
        for (from, row) in Place::all().zip(steps) {
            let near =
                Place::all().filter(|to| from.distance(*to) == 1).map(|to| index(to.index()));
            assert_eq!(row.places, near.collect::<Vec<_>>(), "{from}");
        }
        assert!(steps[PLACES..].iter().all(|row| row.places.is_empty()));
        for (one, other) in Place::all().zip(Place::all().skip(40)) {
            let (a, b) = (&board.places[one.index()], &board.places[other.index()]);
            let (q, r) = (a.q - b.q, a.r - b.r);
            let distance = q.abs().max(r.abs()).max((q + r).abs());
            assert_eq!(distance, i32::from(one.distance(other)), "{one} {other}");
        }
        let entry = &board.places[ENTRY_HEXES[1].index()];
        assert_eq!((entry.name.as_str(), entry.home), ("A21", Some(2)));
    }
}
