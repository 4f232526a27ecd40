//! Ships of other seats: as many groups as the hexes show, based on the last sightings there.

use heliopause_kernel::Seat;

use super::battle::HiddenBattle;
use crate::client::sample::sampler::Sampler;
use crate::rules::arrivals::hull;
use crate::rules::campaign::fate::commission;
use crate::rules::setup::STARTING_FLEET;
use crate::state::{Fate, Load, Marker, Ship, ShipNumber, Unit};
use crate::tables::{Fleet, Place, ShipKind, StarId};

impl Sampler<'_> {
    pub(super) fn launch(&mut self, hidden: Option<HiddenBattle>) {
        for seat in self.others() {
            let mut markers = 1..=u32::from(Marker::COUNT);
            let shown: Vec<(Place, u8)> = self.table.groups[seat.index()].iter().collect();
            for &(at, groups) in &shown {
                let kinds = self.kinds(seat, at, usize::from(groups), hidden);
                for (nth, kind) in kinds.into_iter().enumerate() {
                    // The first ships form one task force each. The other ships are loose (BR-30).
                    let forms = nth + 1 < usize::from(groups);
                    let marker =
                        if forms { markers.next().and_then(Marker::numbered) } else { None };
                    self.add(seat, kind, Some(at), marker);
                }
                self.explore(seat, at);
            }
            if shown.is_empty() && self.waits(seat) {
                for kind in ShipKind::ALL {
                    for _ in 0..self.starting_fleet().count(kind) {
                        self.add(seat, kind, None, None);
                    }
                }
            }
            self.engage(seat);
        }
    }

    fn starting_fleet(&self) -> Fleet {
        match self.table.campaign.fate() {
            Some(_) => Fleet::new([10, commission::TRANSPORTS, 10, 0, 0]),
            None => STARTING_FLEET,
        }
    }

    fn waits(&self, seat: Seat) -> bool {
        let nth = |seat: Seat| self.table.order.iter().position(|&other| other == seat);
        self.table.turn == 1 && nth(seat).is_some() && nth(seat) >= nth(self.table.active)
    }

    fn kinds(
        &mut self,
        seat: Seat,
        at: Place,
        groups: usize,
        hidden: Option<HiddenBattle>,
    ) -> Vec<ShipKind> {
        let mut kinds = self.fighting(seat, at);
        if kinds.is_empty() {
            let seen = self
                .own
                .and_then(|own| own.sightings.iter().find(|seen| (seen.at, seen.of) == (at, seat)));
            let fleet = seen.map_or(Fleet::NONE, |seen| seen.fleet);
            for kind in ShipKind::ALL {
                kinds.extend((0..fleet.count(kind)).map(|_| kind));
            }
        }
        if kinds.is_empty() {
            let likely = self.likely(seat);
            for _ in 0..=self.below(3) {
                kinds.push(likely[self.below(likely.len())]);
            }
        }
        let attacks = hidden.is_some_and(|hidden| hidden.at == at && hidden.attacker == seat);
        if attacks && !kinds.iter().any(|&kind| self.table.options.is_warship(kind)) {
            kinds.push(ShipKind::Corvette);
        }
        while kinds.len() < groups {
            kinds.push(ShipKind::Scout);
        }
        kinds
    }

    fn likely(&self, seat: Seat) -> &'static [ShipKind] {
        if self.table.campaign.fate().is_some() && seat == Fate::pirates() {
            return &[ShipKind::Corvette, ShipKind::Scout];
        }
        &[ShipKind::Scout, ShipKind::Transport, ShipKind::Transport, ShipKind::Corvette]
    }

    fn line(&self, seat: Seat) -> Vec<Unit> {
        let units = self.table.battle.as_deref().map_or(&[][..], |battle| &battle.units);
        units.iter().copied().filter(|unit| unit.owner == seat && unit.planet.is_none()).collect()
    }

    fn fighting(&self, seat: Seat, at: Place) -> Vec<ShipKind> {
        if self.table.battle.as_deref().is_none_or(|battle| battle.at != at) {
            return Vec::new();
        }
        self.line(seat).iter().filter(|unit| unit.is_fighting()).filter_map(Unit::ship).collect()
    }

    /// Maps units to ship numbers: fighting units to the ships in the hex, in order, and the other
    /// units to unused numbers.
    fn engage(&mut self, seat: Seat) {
        let Some(at) = self.table.battle.as_deref().map(|battle| battle.at) else { return };
        let mut there: Vec<ShipNumber> =
            self.powers[seat.index()].ships_at(at).map(|ship| ship.number).collect();
        there.reverse();
        for unit in self.line(seat) {
            let power = &mut self.powers[seat.index()];
            let number = if unit.is_fighting() { there.pop() } else { None };
            let number = number.unwrap_or_else(|| {
                let gone = power.next_ship;
                power.next_ship = ShipNumber(gone.0 + 1);
                gone
            });
            power.engaged.push(number);
        }
    }

    fn add(&mut self, seat: Seat, kind: ShipKind, at: Option<Place>, marker: Option<Marker>) {
        let destination = at.filter(|&at| StarId::in_hex(at).is_none()).map(|at| self.nearest(at));
        let power = &mut self.powers[seat.index()];
        let hull = hull(kind, Load::default());
        power.ships.push(Ship { marker, destination, ..Ship::new(power.next_ship, hull, at) });
        power.next_ship = ShipNumber(power.next_ship.0 + 1);
    }

    fn nearest(&mut self, at: Place) -> StarId {
        let mut stars: Vec<StarId> = StarId::ALL.into_iter().collect();
        stars.sort_by_key(|star| star.at().distance(at));
        stars[self.below(3)]
    }

    fn explore(&mut self, seat: Seat, at: Place) {
        if let Some(star) = StarId::in_hex(at) {
            let card = self.secrets.cards[star.index()];
            self.powers[seat.index()].charts[star.index()].card = card;
        }
    }
}
