//! The board: provinces, coasts and borders, and the orbit in "...It Came From Outer Space!".

use heliopause_diplomacy::{NODES, Node, PROVINCES, Place, Province, Variant};

use super::geography::EUROPE;
use super::scene::{ORBIT, coast_name};
use crate::board::{Board, BoardPlace, index, mover};
use crate::scene::unit;

pub(super) fn board(variant: Variant) -> Board {
    let mut places: Vec<BoardPlace> = Node::ALL.into_iter().map(place).collect();
    let is_in_space = variant == Variant::OuterSpace;
    if is_in_space {
        places.push(orbit());
    } else {
        for (place, province) in places.iter_mut().zip(Province::ALL) {
            place.home = province.home().map(|power| index(power) + 1);
        }
    }
    let province = |at: usize| (at < PROVINCES).then(|| Province::at(at));
    let army = |at| {
        let reached = province(at).map(Province::by_army);
        reached.into_iter().flat_map(|reached| reached.iter().map(Province::index))
    };
    let fleet = |at| {
        let reached = Node::at(at).map(Node::by_fleet);
        reached.into_iter().flat_map(|reached| reached.iter().map(Node::index))
    };
    let mut movers = vec![mover("army", places.len(), army), mover("fleet", places.len(), fleet)];
    if is_in_space {
        movers.push(mover("beam", places.len(), beam));
    }
    Board { places, movers, partial: false }
}

fn place(node: Node) -> BoardPlace {
    let (province, coast) = (node.province(), node.coast());
    let (x, y) = EUROPE.middle(node);
    let full_name = match coast {
        None => province.name().to_owned(),
        Some(coast) => format!("{} ({} coast)", province.name(), coast_name(coast)),
    };
    let kind = match coast {
        Some(_) => "coast",
        None if province.is_land() => "land",
        None => "sea",
    };
    BoardPlace {
        name: node.to_string(),
        full_name,
        kind: kind.into(),
        area: coast.map(|_| index(province.index())),
        x: unit(x),
        y: unit(y),
        value: i32::from(coast.is_none() && province.is_center()),
        ..BoardPlace::default()
    }
}

fn orbit() -> BoardPlace {
    BoardPlace {
        name: Place::Orbit.to_string(),
        full_name: "Orbit".into(),
        kind: "orbit".into(),
        x: unit(ORBIT.0),
        y: unit(ORBIT.1),
        ..BoardPlace::default()
    }
}

/// Returns the steps of armies between the orbit, which is the last place, and the land (2).
fn beam(at: usize) -> Vec<usize> {
    let land = Province::ALL.into_iter().filter(|province| province.is_land());
    let mut land = land.map(Province::index);
    if at == NODES {
        return land.collect();
    }
    land.find(|&province| province == at).map(|_| NODES).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use heliopause_diplomacy::{Code, Ground, Kind, Order, Position, Task, Unit};
    use heliopause_kernel::Seat;

    use super::*;

    fn reached(kind: Kind, at: Node, variant: Variant) -> Vec<usize> {
        let code: Code = "ANN".parse().unwrap();
        let mut position = Position::empty(variant, [code]);
        let unit = Unit { kind, at, owner: Seat::at(0) };
        position.put(unit);
        let ground = Ground::new(&position);
        let to = Node::ALL.into_iter().map(Place::Earth).chain([Place::Orbit]);
        let legal = to.filter_map(|to| {
            let order = Order::Move { unit: unit.into(), to, via_convoy: false };
            let task = ground.judge(Seat::at(0), &order).ok()?;
            Some(if let Task::Move { to, .. } = task { to.index() } else { NODES })
        });
        let mut legal: Vec<usize> = legal.collect();
        legal.sort_unstable();
        legal.dedup();
        legal
    }

    #[test]
    fn the_steps_are_the_legal_moves_of_a_lone_unit() {
        for variant in [Variant::Standard, Variant::OuterSpace] {
            let board = board(variant);
            for (kind, movers) in [(Kind::Army, ["army", "beam"]), (Kind::Fleet, ["fleet"; 2])] {
                for at in Node::ALL.into_iter().filter(|at| kind.can_stand(*at)) {
                    let steps = board
                        .movers
                        .iter()
                        .filter(|mover| movers.contains(&mover.kind.as_str()))
                        .flat_map(|mover| &mover.steps[at.index()].places);
                    let mut steps: Vec<usize> = steps.map(|&to| to as usize).collect();
                    steps.sort_unstable();
                    assert_eq!(steps, reached(kind, at, variant), "{kind:?} {at}");
                }
            }
        }
    }

    #[test]
    fn homes_belong_to_the_seats_of_the_powers() {
        let homes = |seat| {
            let board = board(Variant::Standard);
            let own = board.places.into_iter().filter(|place| place.home == Some(seat));
            own.map(|place| place.name).collect::<Vec<_>>()
        };
        assert_eq!(homes(1), ["Bud", "Tri", "Vie"], "Austria");
        assert_eq!(homes(7), ["Ank", "Con", "Smy"], "Turkey");
        let centers = board(Variant::Standard).places.into_iter().map(|place| place.value);
        assert_eq!(centers.sum::<i32>(), 34);
        assert!(board(Variant::OuterSpace).places.iter().all(|place| place.home.is_none()));
    }
}
