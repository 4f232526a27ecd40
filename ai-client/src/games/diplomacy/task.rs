//! Tasks of pieces. A support task names the supported piece, not its move, so the support remains
//! valid if that piece gets another task.

use heliopause_diplomacy::{Kind, Node, Order, Place, Province, Provinces, centers};

use super::survey::{Forces, Piece, Survey};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// Holds. In space, colonizes the piece's own province or a neighboring one.
    Stay,
    Go(Node),
    MoveByConvoy(Node),
    SupportPiece(u8),
    ConvoyPiece(u8),
    BeamUp,
}

impl Task {
    pub(super) fn goes_to(self) -> Option<Province> {
        match self {
            Self::Go(to) | Self::MoveByConvoy(to) => Some(to.province()),
            _ => None,
        }
    }

    pub(super) fn leaves(self) -> bool {
        matches!(self, Self::Go(_) | Self::MoveByConvoy(_) | Self::BeamUp)
    }
}

pub(super) fn orders(survey: &Survey<'_>, forces: &Forces, tasks: &[Task]) -> Vec<Order> {
    (0..tasks.len()).map(|index| order(survey, forces, tasks, index)).collect()
}

fn order(survey: &Survey<'_>, forces: &Forces, tasks: &[Task], index: usize) -> Order {
    let piece = forces.pieces[index];
    let unit = piece.named();
    match tasks[index] {
        Task::Stay => stay(survey, forces, piece),
        Task::Go(to) => Order::Move { unit, to: Place::Earth(to), via_convoy: false },
        Task::MoveByConvoy(to) => Order::Move { unit, to: Place::Earth(to), via_convoy: true },
        Task::BeamUp => Order::Move { unit, to: Place::Orbit, via_convoy: false },
        Task::ConvoyPiece(army) => {
            let other = usize::from(army);
            match (tasks[other], forces.pieces[other]) {
                (Task::MoveByConvoy(to), army) => Order::Convoy { unit, army: army.named(), to },
                _ => stay(survey, forces, piece),
            }
        }
        Task::SupportPiece(other) => {
            let other = usize::from(other);
            back(piece, forces.pieces[other], tasks[other])
                .unwrap_or_else(|| stay(survey, forces, piece))
        }
    }
}

fn back(piece: Piece, other: Piece, task: Task) -> Option<Order> {
    let (unit, at) = (piece.named(), other.province());
    match task.goes_to() {
        Some(to) => {
            let to_node = Place::Earth(to.node());
            let order = Order::SupportMove { unit, other: other.named(), of: None, to: to_node };
            (piece.can_enter(to) && piece.province() != Some(to)).then_some(order)
        }
        None if task.leaves() => None,
        None => at
            .filter(|&at| piece.can_enter(at))
            .map(|_| Order::SupportHold { unit, other: other.named() }),
    }
}

fn stay(survey: &Survey<'_>, forces: &Forces, piece: Piece) -> Order {
    let unit = piece.named();
    let Some(at) = piece.province().filter(|_| survey.in_space()) else {
        return Order::Hold { unit };
    };
    let colonies = &survey.position.colonies;
    if at.is_land() && colonies[at.index()] != Some(forces.seat) {
        return Order::Colonize { unit, target: None };
    }
    let empty = |to: &Province| {
        to.is_land()
            && colonies[to.index()] != Some(forces.seat)
            && survey.position.unit(*to).is_none()
    };
    let beside = reached(piece).iter().filter(empty);
    let closed = |to: &Province| survey.is_closed(forces.seat, *to);
    let best = beside.filter(|to| !closed(to)).max_by_key(|&to| {
        let owner = survey.position.centers[to.index()];
        (
            owner == Some(forces.seat),
            centers().contains(to),
            colonies[to.index()].is_some(),
            std::cmp::Reverse(to),
        )
    });
    best.map_or(Order::Hold { unit }, |target| Order::Colonize { unit, target: Some(target) })
}

fn reached(piece: Piece) -> Provinces {
    piece.at.map_or(Provinces::EMPTY, |at| super::survey::entered(piece.kind, at))
}

/// Returns the destinations that an army can reach by the convoy of one fleet, with the index of
/// the fleet.
pub(super) fn passages(forces: &Forces, army: usize) -> Vec<(Node, u8)> {
    let piece = forces.pieces[army];
    let (Kind::Army, Some(from)) = (piece.kind, piece.province()) else { return Vec::new() };
    let mut passages = Vec::new();
    for (index, fleet) in forces.pieces.iter().enumerate() {
        let Some(sea) = fleet.province().filter(|sea| !sea.is_land() && fleet.kind == Kind::Fleet)
        else {
            continue;
        };
        if !from.by_sea().contains(sea) {
            continue;
        }
        let coasts = sea
            .by_sea()
            .iter()
            .filter(|&to| to.is_land() && to != from && !from.by_army().contains(to));
        passages.extend(coasts.map(|to| (to.node(), index as u8)));
    }
    passages
}

#[cfg(test)]
mod tests {
    use heliopause_diplomacy::{Insight, Options, Position, Sheet, Table, Unit, Variant, View};
    use heliopause_kernel::Seat;

    use super::*;

    fn me() -> Seat {
        Seat::at(0)
    }

    fn view(variant: Variant, units: &[&str]) -> View {
        let mut table = Table::start(&Options::of(variant), 7);
        table.position =
            Position::empty(variant, table.position.powers.iter().map(|power| power.code));
        for text in units {
            table.position.put(Unit::read(me(), text).unwrap());
        }
        View { table, insight: Insight::Seat(me(), Sheet::default()) }
    }

    fn node(text: &str) -> Node {
        text.parse::<Node>().unwrap()
    }

    fn written(view: &View, tasks: &[Task]) -> Vec<String> {
        let survey = Survey::new(view).unwrap();
        orders(&survey, &survey.forces(me()), tasks).iter().map(Order::to_string).collect()
    }

    #[test]
    fn support_follows_the_supported_piece() {
        let view = view(Variant::Standard, &["A Bur", "A Mun"]);
        assert_eq!(
            written(&view, &[Task::Stay, Task::SupportPiece(0)]),
            ["A Bur H", "A Mun S A Bur"]
        );
        assert_eq!(
            written(&view, &[Task::Go(node("Ruh")), Task::SupportPiece(0)]),
            ["A Bur - Ruh", "A Mun S A Bur - Ruh"]
        );
        let gone = written(&view, &[Task::Go(node("Par")), Task::SupportPiece(0)]);
        assert_eq!(gone, ["A Bur - Par", "A Mun H"], "Munich does not touch Paris");
    }

    #[test]
    fn an_army_crosses_by_convoy_of_an_own_fleet() {
        let view = view(Variant::Standard, &["A Lon", "F NTH"]);
        let survey = Survey::new(&view).unwrap();
        let forces = survey.forces(me());
        assert!(
            passages(&forces, 0).contains(&(node("Nwy"), 1))
                && !passages(&forces, 0).contains(&(node("Yor"), 1))
        );
        assert!(passages(&forces, 1).is_empty(), "fleets sail by themselves");
        let orders = written(&view, &[Task::MoveByConvoy(node("Nwy")), Task::ConvoyPiece(0)]);
        assert_eq!(orders, ["A Lon - Nwy via convoy", "F NTH C A Lon - Nwy"]);
        assert_eq!(written(&view, &[Task::Stay, Task::ConvoyPiece(0)]), ["A Lon H", "F NTH H"]);
    }

    #[test]
    fn staying_pieces_make_colonies() {
        let mut view = view(Variant::OuterSpace, &["A Par"]);
        assert_eq!(written(&view, &[Task::Stay]), ["A Par COL"]);
        let position = &mut view.table.position;
        for (province, owned) in [("Par", true), ("Bre", true), ("Bur", false)] {
            let at = node(province).province().index();
            position.centers[at] = owned.then_some(me());
        }
        position.colonies[node("Par").province().index()] = Some(me());
        assert_eq!(written(&view, &[Task::Stay]), ["A Par COL Bre"], "an own center first");
    }
}
