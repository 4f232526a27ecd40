//! Boards: what is fixed of a game's map, as data to plan with.

use std::collections::VecDeque;

pub use heliopause_proto::v1::{Board, BoardMover, BoardPlace, BoardSteps};

/// The maximum number of places of a board with distances. The table has a byte for each pair.
pub const MEASURED_MAX: usize = 1_024;
/// The distance to a place that cannot be reached.
const UNREACHABLE: u8 = u8::MAX;

/// Returns a mover that reaches the places `steps(i)` from the place at index `i`.
pub fn mover<S>(kind: &str, places: usize, steps: impl Fn(usize) -> S) -> BoardMover
where
    S: IntoIterator<Item = usize>,
{
    let row = |from| {
        let mut places: Vec<u32> = steps(from).into_iter().map(index).collect();
        places.sort_unstable();
        BoardSteps { places }
    };
    let steps = (0..places).map(row).collect();
    BoardMover { kind: kind.to_owned(), steps, ..BoardMover::default() }
}

/// Converts a position in the list of places.
pub fn index(place: usize) -> u32 {
    u32::try_from(place).expect("a board has fewer places than fit 32 bits")
}

/// Adds the distances of each mover. Returns false if the board has too many places.
pub fn measure(board: &mut Board) -> bool {
    if board.places.len() > MEASURED_MAX {
        return false;
    }
    for mover in &mut board.movers {
        mover.distances = distances(&board.places, mover).into();
    }
    true
}

fn distances(places: &[BoardPlace], mover: &BoardMover) -> Vec<u8> {
    let count = places.len();
    let reached: Vec<Vec<u8>> = (0..count).map(|from| steps_from(from, mover)).collect();
    let stations = stations(places, mover);
    let mut all = Vec::with_capacity(count * count);
    for from in 0..count {
        for to in 0..count {
            let pairs = stations[from]
                .iter()
                .flat_map(|&one| stations[to].iter().map(move |&other| (one, other)));
            let nearest = pairs.map(|(one, other)| reached[one][other]).min();
            all.push(if from == to { 0 } else { nearest.unwrap_or(UNREACHABLE) });
        }
    }
    all
}

fn steps_from(from: usize, mover: &BoardMover) -> Vec<u8> {
    let mut steps = vec![UNREACHABLE; mover.steps.len()];
    steps[from] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let further = steps[at].saturating_add(1);
        for &to in &mover.steps[at].places {
            let to = to as usize;
            if further < steps[to] {
                steps[to] = further;
                queue.push_back(to);
            }
        }
    }
    steps
}

/// Returns the places at which a piece in each place stops: the place itself, or else its area, or
/// else the places that it contains.
fn stations(places: &[BoardPlace], mover: &BoardMover) -> Vec<Vec<usize>> {
    let mut on_way: Vec<bool> = mover.steps.iter().map(|steps| !steps.places.is_empty()).collect();
    for &to in mover.steps.iter().flat_map(|steps| &steps.places) {
        on_way[to as usize] = true;
    }
    let area = |place: usize| places[place].area.map(|area| area as usize);
    let of = |place: usize| {
        if on_way[place] {
            return vec![place];
        }
        if let Some(area) = area(place).filter(|&area| on_way[area]) {
            return vec![area];
        }
        (0..places.len()).filter(|&part| area(part) == Some(place) && on_way[part]).collect()
    };
    (0..places.len()).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of one-way steps from 0 to 3, a place inside 1, and a place that contains 2 and 3.
    fn ring() -> Board {
        let within = |area| BoardPlace { area: Some(area), ..BoardPlace::default() };
        let free = BoardPlace::default;
        let places = vec![free(), free(), within(5), within(5), within(1), free()];
        let steps = |from: usize| (from < 4).then_some((from + 1) % 4);
        Board { movers: vec![mover("ship", places.len(), steps)], places, partial: false }
    }

    #[test]
    fn distances_count_steps_between_places_and_what_they_contain() {
        let mut board = ring();
        assert!(measure(&mut board));
        let rows: Vec<&[u8]> = board.movers[0].distances.chunks(6).collect();
        assert_eq!(rows[0], [0, 1, 2, 3, 1, 2]);
        assert_eq!(rows[4], [3, 0, 1, 2, 0, 1], "like its area");
        assert_eq!(rows[5], [1, 2, 0, 0, 2, 0], "from the nearest of its parts");
    }

    #[test]
    fn boards_without_ways_and_large_boards_have_no_distances() {
        let mut board = ring();
        board.movers = vec![mover("none", 6, |_| None)];
        assert!(measure(&mut board));
        assert_eq!(board.movers[0].distances[..3], [0, UNREACHABLE, UNREACHABLE]);
        let mut large = Board::default();
        large.places.resize(MEASURED_MAX + 1, BoardPlace::default());
        assert!(!measure(&mut large));
    }
}
