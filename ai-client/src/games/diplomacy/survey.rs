//! What a bot makes of its view: the pieces of every power, and who can come where.

use std::sync::LazyLock;

use heliopause_diplomacy::{
    Insight, Kind, Named, Node, Nodes, Order, PROVINCES, Place, Position, Province, Provinces,
    Table, Unit, Variant, View,
};
use heliopause_kernel::{Seat, SeatSet};

/// A unit on the map or an army in orbit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    /// Where it stands; none in orbit.
    pub(super) at: Option<Node>,
}

impl Piece {
    /// As orders name it.
    pub(super) fn named(self) -> Named {
        self.at.map_or(Named::ORBITING, |at| Named { kind: Some(self.kind), at: Place::Earth(at) })
    }

    /// The province where it stands.
    pub(super) fn province(self) -> Option<Province> {
        self.at.map(Node::province)
    }

    /// Where it can walk or sail to.
    pub(super) fn reach(self) -> Nodes {
        self.at.map_or(Nodes::EMPTY, |at| reach(self.kind, at))
    }

    /// Whether it can go to a province by itself, and so support there.
    pub(super) fn can_enter(self, to: Province) -> bool {
        self.at.is_some_and(|at| entered(self.kind, at).contains(to))
    }
}

/// Where a unit can go from a place by itself.
pub(super) fn reach(kind: Kind, at: Node) -> Nodes {
    static BY_ARMY: LazyLock<[Nodes; PROVINCES]> = LazyLock::new(|| {
        std::array::from_fn(|index| {
            Province::at(index).by_army().iter().map(Province::node).collect()
        })
    });
    match kind {
        Kind::Army => BY_ARMY[at.province().index()],
        Kind::Fleet => at.by_fleet(),
    }
}

/// The provinces that a unit can go to from a place by itself.
pub(super) fn entered(kind: Kind, at: Node) -> Provinces {
    match kind {
        Kind::Army => at.province().by_army(),
        Kind::Fleet => at.fleet_provinces(),
    }
}

/// Every place where a kind of unit can stand.
pub(super) fn stands(kind: Kind) -> &'static [Node] {
    static PLACES: LazyLock<[Vec<Node>; 2]> = LazyLock::new(|| {
        [Kind::Army, Kind::Fleet]
            .map(|kind| Node::ALL.into_iter().filter(|&at| kind.can_stand(at)).collect())
    });
    &PLACES[kind as usize]
}

/// All pieces of a power: units by province, then armies in orbit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Corps {
    pub(super) seat: Seat,
    pub(super) pieces: Vec<Piece>,
}

impl Corps {
    pub(super) fn of(position: &Position, seat: Seat) -> Self {
        let units =
            position.units_of(seat).map(|Unit { kind, at, .. }| Piece { kind, at: Some(at) });
        let orbit = (0..position.orbit(seat)).map(|_| Piece { kind: Kind::Army, at: None });
        Self { seat, pieces: units.chain(orbit).collect() }
    }
}

/// What a bot makes of its view.
pub(super) struct Survey<'a> {
    pub(super) table: &'a Table,
    pub(super) position: &'a Position,
    pub(super) me: Seat,
    /// The orders that were given already.
    pub(super) sheet: &'a [Order],
    /// The powers that give orders; the others stand still.
    pub(super) active: SeatSet,
    /// Provinces that own units stay out of, as was agreed.
    pub(super) closed: Provinces,
    /// By power and province: how many units can come there on foot or by sea.
    coming: Vec<[u8; PROVINCES]>,
}

impl<'a> Survey<'a> {
    /// `None` for a view that is not a seat's.
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let Insight::Seat(me, sheet) = &view.insight else { return None };
        let position = &view.table.position;
        if me.index() >= position.powers.len() {
            return None;
        }
        let mut coming = vec![[0; PROVINCES]; position.powers.len()];
        for unit in position.units() {
            for to in entered(unit.kind, unit.at).iter() {
                coming[unit.owner.index()][to.index()] += 1;
            }
        }
        let active = view.table.alive();
        let closed = Provinces::EMPTY;
        Some(Self { table: &view.table, position, me: *me, sheet, active, closed, coming })
    }

    pub(super) fn in_space(&self) -> bool {
        self.position.variant == Variant::OuterSpace
    }

    pub(super) fn is_fall(&self) -> bool {
        self.table.phase.is_fall()
    }

    /// How many units of a power can come into a province on foot or by sea.
    pub(super) fn coming(&self, seat: Seat, to: Province) -> usize {
        usize::from(self.coming[seat.index()][to.index()])
    }

    /// Whether a power's colonies, or nobody's, let another one's armies land in a province.
    pub(super) fn can_land(&self, seat: Seat, to: Province) -> bool {
        self.in_space()
            && to.is_land()
            && self.position.colonies[to.index()].is_none_or(|owner| owner == seat)
    }

    /// The strength with which others can contest a province: of the strongest power, with what
    /// stands there. A landing army counts, but not three of them: nobody knows where they come
    /// down. Peace changes nothing: a promise guards no center.
    pub(super) fn threat(&self, seat: Seat, at: Province) -> usize {
        let standing = self.position.unit(at).map(|unit| unit.owner);
        let strength = |other: Seat| {
            let stands = usize::from(standing == Some(other));
            if !self.active.contains(other) {
                return stands;
            }
            let lands = self.position.orbit(other) > 0 && self.can_land(other, at) && stands == 0;
            self.coming(other, at) + stands + usize::from(lands && at.is_center())
        };
        let others = self.position.seats().filter(|&other| other != seat);
        others.map(strength).max().unwrap_or(0)
    }

    /// Whether a power leaves a province alone, as was agreed.
    pub(super) fn is_closed(&self, seat: Seat, to: Province) -> bool {
        seat == self.me && self.closed.contains(to)
    }

    /// The own pieces.
    pub(super) fn corps(&self, seat: Seat) -> Corps {
        Corps::of(self.position, seat)
    }
}
