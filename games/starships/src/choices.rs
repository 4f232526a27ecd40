//! The legal choices of a seat. Pledges are not listed one by one, because there are too many.

use heliopause_kernel::Seat;

use crate::board::{Place, Places};
use crate::knowledge::{Owed, SeatView};
use crate::markers::Marker;
use crate::order::{Agreement, Means, Order, Promise};
use crate::pieces::{Base, Piece, Ship, Target};

/// The legal pledges, which combine every promise with every receiver and last round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PledgeChoices {
    pub receivers: Vec<Seat>,
    pub first_round: u8,
    pub last_round: u8,
    pub planets: Places,
    /// The hexes that a pledge can promise to keep out of.
    pub hexes: Places,
}

/// The legal choices of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// The legal orders except pledges. Clients number them from 1.
    pub list: Vec<Order>,
    pub pledges: Option<PledgeChoices>,
}

impl SeatView<'_> {
    pub(crate) fn choices(&self) -> Choices {
        let mut list = Vec::new();
        self.moves(&mut list);
        Choices { list, pledges: self.pledge_choices() }
    }

    /// Appends every legal order except pledges to `orders`.
    pub(crate) fn moves(&self, orders: &mut Vec<Order>) {
        if self.table.is_over() {
            return;
        }
        match self.own.owes {
            Some(owed) => self.answers(owed, orders),
            None if self.judge_battle().is_ok() => orders.extend([Order::FightOn, Order::Withdraw]),
            None if self.may_act().is_ok() => self.actions(orders),
            None => self.negotiations(orders),
        }
        if self.own.owes.is_some() && self.table.active != self.seat {
            self.negotiations(orders);
        }
    }

    fn answers(&self, owed: Owed, orders: &mut Vec<Order>) {
        match owed {
            Owed::Fire(_) => orders.extend([Order::Fire, Order::HoldFire]),
            Owed::Sacrifice(_) => {
                orders.extend(
                    self.table.ships_of(self.seat).map(|ship| Order::Sacrifice { ship: ship.id }),
                );
            }
            Owed::ChooseShip(breaker) => {
                orders.extend(
                    self.table.ships_of(breaker).map(|ship| Order::ChooseShip { ship: ship.id }),
                );
            }
            Owed::ChoosePlanet(breaker) => {
                orders
                    .extend(self.transferable(breaker).iter().map(|at| Order::ChoosePlanet { at }));
            }
            Owed::CedePlanet(_) => {
                orders.extend(
                    self.transferable(self.seat).iter().map(|at| Order::ChoosePlanet { at }),
                );
            }
            Owed::Zones { entered, .. } => {
                orders.extend(
                    self.table.first_zone_hexes(entered).iter().map(|at| Order::Zone { at }),
                );
                orders.push(Order::Stop);
            }
            Owed::Growth { sources, entered, barred } => {
                for from in sources.iter() {
                    orders.extend(
                        self.table
                            .growth_hexes(from, entered.or(barred))
                            .iter()
                            .map(|to| Order::Grow { from, to }),
                    );
                }
                orders.push(Order::Stop);
            }
        }
    }

    fn actions(&self, orders: &mut Vec<Order>) {
        self.builds(orders);
        for ship in self.table.ships_of(self.seat) {
            self.ship_orders(ship, orders);
        }
        for base in self.table.bases_of(self.seat) {
            self.base_orders(*base, orders);
        }
        self.marker_orders(orders);
        if self.judge_end().is_ok() {
            orders.push(Order::End);
        }
    }

    fn builds(&self, orders: &mut Vec<Order>) {
        for base in self.table.bases_of(self.seat) {
            let counts = 1..=self.arrivals_left() as u8;
            orders.extend(counts.map(|count| Order::Build { count, base: base.id.number }));
        }
    }

    /// Returns the number of starships that can still be built this turn.
    pub(crate) fn arrivals_left(&self) -> usize {
        let room = self.sponsor_limit().saturating_sub(self.starships());
        room.min(self.own.arrivals.unwrap_or(0).into())
    }

    fn ship_orders(&self, ship: &Ship, orders: &mut Vec<Order>) {
        if ship.done.withdrew {
            return;
        }
        if ship.done.moved_from.is_none() && !ship.condition.is_disrupted() {
            for first in ship.at.neighbors().iter() {
                orders.push(Order::Move { ship: ship.id, to: first });
                let ends = first.neighbors().and(ship.at.two_away());
                orders.extend(ends.iter().map(|to| Order::Warp { ship: ship.id, via: first, to }));
            }
        }
        self.piece_orders(Piece::Ship(ship.id), ship.at, orders);
    }

    fn base_orders(&self, base: Base, orders: &mut Vec<Order>) {
        let number = base.id.number;
        if base.done.withdrew {
            return;
        }
        if base.done.moved_from.is_none() {
            for first in base.at.neighbors().without(self.table.zones).iter() {
                orders.push(Order::MoveBase { base: number, via: None, to: first });
                let ends =
                    first.neighbors().without(self.table.zones).iter().filter(|&to| to != base.at);
                orders.extend(ends.map(|to| Order::MoveBase {
                    base: number,
                    via: Some(first),
                    to,
                }));
            }
        }
        if base.is_out() {
            if self.judge_settle(number).is_ok() {
                orders.push(Order::Settle { base: number });
            }
            self.piece_orders(Piece::Base(base.id), base.at, orders);
        }
    }

    fn piece_orders(&self, piece: Piece, at: Place, orders: &mut Vec<Order>) {
        if self.marker(at).is_some_and(Marker::is_planet) && !self.own.planets.contains(at) {
            let attempts =
                [Means::Diplomacy, Means::Force].map(|means| Order::Attempt { piece, means });
            orders.extend(attempts.into_iter().filter(|order| self.judge(order).is_ok()));
        }
        if self.table.is_disrupted(piece) {
            return;
        }
        if self.marker(at) == Some(Marker::DeathStar) {
            orders.push(Order::Attack { piece, target: Target::DeathStar });
        }
        let others = self.table.living().filter(|&owner| owner != self.seat);
        for owner in others
            .filter(|&owner| self.table.is_present(owner, at) && self.may_attack(owner).is_ok())
        {
            self.attacks_on(owner, piece, at, orders);
        }
    }

    fn attacks_on(&self, owner: Seat, piece: Piece, at: Place, orders: &mut Vec<Order>) {
        if let Some(foe) = self.table.defender(owner, at) {
            orders.push(Order::Attack { piece, target: Target::Piece(foe) });
        }
        if self.table.fit_defender(owner, at).is_none() {
            let settled = self.table.bases_of(owner).filter(|base| base.at == at && !base.is_out());
            orders.extend(
                settled.map(|base| Order::Attack {
                    piece,
                    target: Target::Piece(Piece::Base(base.id)),
                }),
            );
        }
    }

    fn marker_orders(&self, orders: &mut Vec<Order>) {
        let pieces = self.table.ships_of(self.seat).map(|ship| (ship.at, ship.done));
        let pieces = pieces.chain(self.table.bases_of(self.seat).map(|base| (base.at, base.done)));
        let here: Places = pieces.filter(|(_, done)| !done.withdrew).map(|(at, _)| at).collect();
        for at in here.without(self.own.planets).iter() {
            if !self.table.tokens[at.index()].contains(self.seat) || self.would_colonize(at) {
                orders.push(Order::Mark { at });
            }
        }
        for at in Place::all() {
            if self.table.shown[at.index()].is_none() && self.own.notes[at.index()].is_some() {
                orders.push(Order::FaceUp { at });
            }
            if self.table.tokens[at.index()].contains(self.seat) && !self.own.planets.contains(at) {
                orders.push(Order::Unmark { at });
            }
        }
        for at in self.own.planets.iter().filter(|&at| !self.table.has_settled_base(at)) {
            let others = self.table.living().filter(|&to| to != self.seat);
            orders.extend(others.map(|to| Order::Give { at, to }));
        }
    }

    fn negotiations(&self, orders: &mut Vec<Order>) {
        if self.may_negotiate().is_err() {
            return;
        }
        for other in self.table.living().filter(|&other| other != self.seat) {
            let votes = [false, true].map(|withdrawn| Order::Vote { against: other, withdrawn });
            orders.extend(votes.into_iter().filter(|order| self.judge(order).is_ok()));
            for agreement in [Agreement::Peace, Agreement::Partnership] {
                let offers = [
                    Order::Offer { to: other, agreement },
                    Order::Accept { from: other, agreement },
                    Order::Retract { to: other, agreement },
                ];
                orders.extend(offers.into_iter().filter(|order| self.judge(order).is_ok()));
            }
        }
        if self.judge_end_partnership().is_ok() {
            orders.push(Order::EndPartnership);
        }
    }

    fn pledge_choices(&self) -> Option<PledgeChoices> {
        let may = !self.table.is_over()
            && self.may_negotiate().is_ok()
            && self.table.is_member(self.seat);
        let others =
            self.table.living().filter(|&seat| seat != self.seat && self.table.is_member(seat));
        let receivers: Vec<Seat> = others.collect();
        (may && !receivers.is_empty()).then(|| PledgeChoices {
            receivers,
            first_round: self.table.round,
            last_round: self.table.options.last_round_with_death_star,
            planets: self.own.planets,
            hexes: Places::all(),
        })
    }

    pub(crate) fn known(&self, at: Place) -> String {
        let zone = if self.table.zones.contains(at) { ", a Death Zone" } else { "" };
        match self.marker(at) {
            Some(marker) => format!(" ({}{zone})", marker.as_str()),
            None => zone.to_owned(),
        }
    }
}

impl Agreement {
    pub fn rule(self) -> &'static str {
        match self {
            Self::Peace => "R7",
            Self::Partnership => "R41",
        }
    }
}

impl PledgeChoices {
    /// Returns a pledge of every promise to every receiver, until the end of this round.
    pub fn orders(&self, until: u8) -> impl Iterator<Item = Order> + '_ {
        let promises = [Promise::NoAttack, Promise::NoExileVote].into_iter();
        let promises = promises.chain(self.planets.iter().map(Promise::GivePlanet));
        let promises: Vec<Promise> =
            promises.chain(self.hexes.iter().map(Promise::KeepOut)).collect();
        let receivers = self.receivers.iter().copied();
        receivers.flat_map(move |to| {
            promises.clone().into_iter().map(move |promise| Order::Pledge { to, promise, until })
        })
    }
}
