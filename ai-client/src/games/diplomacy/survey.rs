//! Analysis of a view: the pieces of every power, and the places they can reach.

use std::sync::LazyLock;

use heliopause_diplomacy::{
    Insight, Kind, Named, Node, Nodes, Order, PROVINCES, Place, Position, Province, Provinces,
    Sheet, Table, Unit, Variant, View,
};
use heliopause_kernel::{Seat, SeatSet};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) kind: Kind,
    pub(super) at: Option<Node>,
}

impl Piece {
    pub(super) fn named(self) -> Named {
        self.at.map_or(Named::ORBITING, |at| Named { kind: Some(self.kind), at: Place::Earth(at) })
    }

    pub(super) fn province(self) -> Option<Province> {
        self.at.map(Node::province)
    }

    pub(super) fn reach(self) -> Nodes {
        self.at.map_or(Nodes::EMPTY, |at| reach(self.kind, at))
    }

    pub(super) fn can_enter(self, to: Province) -> bool {
        self.at.is_some_and(|at| entered(self.kind, at).contains(to))
    }
}

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

pub(super) fn entered(kind: Kind, at: Node) -> Provinces {
    match kind {
        Kind::Army => at.province().by_army(),
        Kind::Fleet => at.fleet_provinces(),
    }
}

pub(super) fn stands(kind: Kind) -> &'static [Node] {
    static PLACES: LazyLock<[Vec<Node>; 2]> = LazyLock::new(|| {
        [Kind::Army, Kind::Fleet]
            .map(|kind| Node::ALL.into_iter().filter(|&at| kind.can_stand(at)).collect())
    });
    &PLACES[kind as usize]
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Forces {
    pub(super) seat: Seat,
    pub(super) pieces: Vec<Piece>,
}

impl Forces {
    pub(super) fn of(position: &Position, seat: Seat) -> Self {
        let units =
            position.units_of(seat).map(|Unit { kind, at, .. }| Piece { kind, at: Some(at) });
        let orbit = (0..position.orbit(seat)).map(|_| Piece { kind: Kind::Army, at: None });
        Self { seat, pieces: units.chain(orbit).collect() }
    }
}

pub(super) struct Survey<'a> {
    pub(super) table: &'a Table,
    pub(super) position: &'a Position,
    pub(super) me: Seat,
    pub(super) sheet: &'a [Order],
    /// The powers that give orders. The units of all other powers hold.
    pub(super) active: SeatSet,
    /// Provinces that the viewer has agreed to stay out of.
    pub(super) closed: Provinces,
    /// The power that the viewer attacks first.
    pub(super) victim: Option<Seat>,
    /// Number of units that can enter without a convoy, by power and province.
    coming: Vec<[u8; PROVINCES]>,
}

impl<'a> Survey<'a> {
    pub(super) fn new(view: &'a View) -> Option<Self> {
        let Insight::Seat(me, Sheet { orders: sheet, .. }) = &view.insight else { return None };
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
        let (table, victim) = (&view.table, None);
        Some(Self { table, position, me: *me, sheet, active, closed, victim, coming })
    }

    /// Returns the power with the most centers that the viewer's units can reach in two moves.
    pub(super) fn nearest_power(&self) -> Option<Seat> {
        let reached = self.reached_soon();
        let near = |seat: &Seat| self.position.centers_of(*seat).intersection(reached).len();
        let others = self.active.without(self.me).iter();
        others.max_by_key(|seat| (near(seat), std::cmp::Reverse(*seat)))
    }

    /// Returns the provinces that the viewer's units can enter in two moves.
    pub(super) fn reached_soon(&self) -> Provinces {
        let units = self.position.units_of(self.me);
        let near = units.flat_map(|unit| {
            let places = reach(unit.kind, unit.at).iter();
            places.flat_map(move |at| entered(unit.kind, at).iter().chain([at.province()]))
        });
        near.collect()
    }

    pub(super) fn in_space(&self) -> bool {
        self.position.variant == Variant::OuterSpace
    }

    pub(super) fn is_fall(&self) -> bool {
        self.table.phase.is_fall()
    }

    pub(super) fn coming(&self, seat: Seat, to: Province) -> usize {
        usize::from(self.coming[seat.index()][to.index()])
    }

    pub(super) fn can_land(&self, seat: Seat, to: Province) -> bool {
        self.in_space()
            && to.is_land()
            && self.position.colonies[to.index()].is_none_or(|owner| owner == seat)
    }

    /// Returns the maximum number of units that another power can use against a province. Counts at
    /// most one army in orbit per power, because landing places are unknown. Includes powers at
    /// peace, because they may break their promises.
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

    pub(super) fn is_closed(&self, seat: Seat, to: Province) -> bool {
        seat == self.me && self.closed.contains(to)
    }

    pub(super) fn forces(&self, seat: Seat) -> Forces {
        Forces::of(self.position, seat)
    }
}
