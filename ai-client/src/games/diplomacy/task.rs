//! What a piece does. A task tells support by whom it is for and not by what he does, so that a piece that changes its mind
//! takes its supporters along.

use heliopause_diplomacy::{Kind, Node, Order, Place, Province, Provinces, centers};

use super::survey::{Corps, Piece, Survey};

/// What a piece does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Stays. In space it makes a colony of where it stands, or of a place beside.
    Stay,
    /// Goes there, or lands there.
    Go(Node),
    /// Goes there by convoy.
    Ship(Node),
    /// Supports a fellow piece in whatever it does.
    Back(u8),
    /// Convoys a fellow piece.
    Carry(u8),
    /// Beams up.
    Up,
}

impl Task {
    /// Where it goes on the map.
    pub(super) fn goes_to(self) -> Option<Province> {
        match self {
            Self::Go(to) | Self::Ship(to) => Some(to.province()),
            _ => None,
        }
    }

    pub(super) fn leaves(self) -> bool {
        matches!(self, Self::Go(_) | Self::Ship(_) | Self::Up)
    }
}

/// The tasks of all pieces as orders, one a piece, in their order.
pub(super) fn orders(survey: &Survey<'_>, corps: &Corps, tasks: &[Task]) -> Vec<Order> {
    (0..tasks.len()).map(|index| order(survey, corps, tasks, index)).collect()
}

fn order(survey: &Survey<'_>, corps: &Corps, tasks: &[Task], index: usize) -> Order {
    let piece = corps.pieces[index];
    let unit = piece.named();
    match tasks[index] {
        Task::Stay => stay(survey, corps, piece),
        Task::Go(to) => Order::Move { unit, to: Place::Earth(to), via_convoy: false },
        Task::Ship(to) => Order::Move { unit, to: Place::Earth(to), via_convoy: true },
        Task::Up => Order::Move { unit, to: Place::Orbit, via_convoy: false },
        Task::Carry(army) => {
            let other = usize::from(army);
            match (tasks[other], corps.pieces[other]) {
                (Task::Ship(to), army) => Order::Convoy { unit, army: army.named(), to },
                _ => stay(survey, corps, piece),
            }
        }
        Task::Back(other) => {
            let other = usize::from(other);
            back(piece, corps.pieces[other], tasks[other]).unwrap_or_else(|| stay(survey, corps, piece))
        }
    }
}

/// The support of a fellow piece, if there is one to give.
fn back(piece: Piece, other: Piece, task: Task) -> Option<Order> {
    let (unit, at) = (piece.named(), other.province());
    match task.goes_to() {
        Some(to) => {
            let to_node = Place::Earth(to.node());
            let order = Order::SupportMove { unit, other: other.named(), of: None, to: to_node };
            (piece.can_enter(to) && piece.province() != Some(to)).then_some(order)
        }
        None if task.leaves() => None,
        None => at.filter(|&at| piece.can_enter(at)).map(|_| Order::SupportHold { unit, other: other.named() }),
    }
}

/// Staying costs nothing, so in space colonies are made meanwhile.
fn stay(survey: &Survey<'_>, corps: &Corps, piece: Piece) -> Order {
    let unit = piece.named();
    let Some(at) = piece.province().filter(|_| survey.in_space()) else { return Order::Hold { unit } };
    let colonies = &survey.position.colonies;
    if at.is_land() && colonies[at.index()] != Some(corps.seat) {
        return Order::Colonize { unit, target: None };
    }
    let empty =
        |to: &Province| to.is_land() && colonies[to.index()] != Some(corps.seat) && survey.position.unit(*to).is_none();
    let beside = reached(piece).iter().filter(empty);
    let closed = |to: &Province| survey.is_closed(corps.seat, *to);
    let best = beside.filter(|to| !closed(to)).max_by_key(|&to| {
        let owner = survey.position.centers[to.index()];
        (owner == Some(corps.seat), centers().contains(to), colonies[to.index()].is_some(), std::cmp::Reverse(to))
    });
    best.map_or(Order::Hold { unit }, |target| Order::Colonize { unit, target: Some(target) })
}

fn reached(piece: Piece) -> Provinces {
    piece.at.map_or(Provinces::EMPTY, |at| super::survey::entered(piece.kind, at))
}

/// Where an army can be convoyed by one fleet of its own: the places, and the fleets.
pub(super) fn passages(corps: &Corps, army: usize) -> Vec<(Node, u8)> {
    let piece = corps.pieces[army];
    let (Kind::Army, Some(from)) = (piece.kind, piece.province()) else { return Vec::new() };
    let mut passages = Vec::new();
    for (index, fleet) in corps.pieces.iter().enumerate() {
        let Some(sea) = fleet.province().filter(|sea| !sea.is_land() && fleet.kind == Kind::Fleet) else { continue };
        if !from.by_sea().contains(sea) {
            continue;
        }
        let coasts = sea.by_sea().iter().filter(|&to| to.is_land() && to != from && !from.by_army().contains(to));
        passages.extend(coasts.map(|to| (to.node(), index as u8)));
    }
    passages
}
