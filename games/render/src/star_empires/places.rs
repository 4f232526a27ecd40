//! The board: the sectors that a viewer knows, and the objects in them.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_star_empires::{Coord, STEPS};

use super::atlas::{Atlas, Cell};
use super::scene::{middle, value};
use crate::board::{Board, BoardPlace, index, mover};
use crate::scene::{number, unit};

pub(super) fn board(atlas: &Atlas) -> Board {
    let indexes: BTreeMap<Coord, usize> = atlas.cells.keys().copied().zip(0..).collect();
    let sectors: Vec<Coord> = indexes.keys().copied().collect();
    let hexes = sectors.iter().map(|at| BoardPlace {
        name: at.to_string(),
        kind: "sector".into(),
        ..located(*at)
    });
    let objects = atlas.cells.iter().zip(0..).flat_map(|((at, cell), sector)| {
        let place = BoardPlace { area: Some(index(sector)), ..located(*at) };
        objects(cell, &place)
    });
    let places: Vec<BoardPlace> = hexes.chain(objects).collect();
    let neighbors = |sector: usize| {
        let at = sectors.get(sector).copied();
        let next = at.into_iter().flat_map(|at| STEPS.map(|(o, y)| (at.o + o, at.y + y)));
        let next = next.filter_map(|(o, y)| indexes.get(&Coord::new(o, y)));
        next.copied().collect::<Vec<usize>>()
    };
    let exits: BTreeSet<(Coord, Coord)> = atlas.exits.iter().copied().collect();
    let portals = |sector: usize| {
        let exits = exits.iter().filter(|(from, _)| sectors.get(sector) == Some(from));
        exits.filter_map(|(_, to)| indexes.get(to)).copied().collect::<Vec<usize>>()
    };
    let movers =
        vec![mover("ship", places.len(), neighbors), mover("portal", places.len(), portals)];
    Board { movers, places, partial: !atlas.is_whole() }
}

fn located(at: Coord) -> BoardPlace {
    let (x, y) = middle(at);
    let (q, r) = (i32::from(at.o), -i32::from(at.y));
    BoardPlace { x: unit(x), y: unit(y), q, r, ..BoardPlace::default() }
}

fn objects(cell: &Cell, place: &BoardPlace) -> Vec<BoardPlace> {
    let object = |name: String, kind: &str| BoardPlace { name, kind: kind.into(), ..place.clone() };
    let worlds = cell.world.iter().map(|world| BoardPlace {
        value: value(world.production),
        home: number(world.owner.filter(|_| world.homeworld)),
        ..object(world.name.to_string(), if world.homeworld { "homeworld" } else { "world" })
    });
    let portals = cell.portals.iter().map(|portal| object(portal.name.to_string(), "portal"));
    let storms = cell.storms.iter().map(|storm| {
        object(storm.name.to_string(), if storm.rating == 0 { "nebula" } else { "storm" })
    });
    worlds.chain(portals).chain(storms).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn ships_and_portals_step_between_known_sectors() {
        let atlas = sample::atlas();
        let board = board(&atlas);
        let at: Vec<Coord> = atlas.cells.keys().copied().collect();
        assert!(board.partial && board.places[at.len()..].iter().all(|place| place.area.is_some()));
        for (mover, is_step) in board.movers.iter().zip([
            (|_, from: Coord, to| from.distance(to) == 1) as fn(&Atlas, Coord, Coord) -> bool,
            |atlas, from, to| atlas.exits.contains(&(from, to)),
        ]) {
            for (from, row) in at.iter().zip(&mover.steps) {
                let to = at.iter().zip(0..).filter(|(to, _)| is_step(&atlas, *from, **to));
                let to: Vec<u32> = to.map(|(_, index)| index).collect();
                assert_eq!(row.places, to, "{} from {from}", mover.kind);
            }
        }
        assert!(board.movers[1].steps.iter().any(|row| !row.places.is_empty()));
    }

    #[test]
    fn a_homeworld_has_its_owner_and_production() {
        let board = board(&sample::atlas());
        let world = board.places.iter().find(|place| place.kind == "homeworld");
        assert!(world.is_some_and(|world| world.home.is_some() && world.value > 0));
    }
}
