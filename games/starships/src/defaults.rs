//! Rule 12: the defaults for decisions that players do not make in time.

use heliopause_kernel::Seat;

use crate::knowledge::Owed;
use crate::pieces::{BaseId, BaseNumber, ShipId};
use crate::referee::Referee;
use crate::table::Stage;

impl Referee<'_> {
    pub(crate) fn take_default(&mut self, seat: Seat) {
        match (self.game.secrets.own[seat.index()].owes, self.table().stage) {
            (Some(owed), _) => self.take_default_for(seat, owed),
            (None, Stage::Battle(battle)) => self.withdraw(battle.attacker),
            (None, _) => self.end_turn_by_default(seat),
        }
    }

    fn take_default_for(&mut self, seat: Seat, owed: Owed) {
        match owed {
            Owed::Fire(_) => self.answer_ambush(true),
            Owed::Sacrifice(count) => self.sacrifice_highest(seat, count),
            Owed::ChooseShip(breaker) => match self.highest_ship(breaker) {
                Some(ship) => self.choose_ship(seat, ship),
                None => self.choose_planet(seat, None),
            },
            Owed::ChoosePlanet(owner) => self.choose_lowest_planet(seat, owner),
            Owed::CedePlanet(_) => self.choose_lowest_planet(seat, seat),
            Owed::Zones { .. } => self.put_zones_by_default(),
            Owed::Growth { .. } => self.grow_by_default(seat),
        }
    }

    fn highest_ship(&self, owner: Seat) -> Option<ShipId> {
        self.table().ships_of(owner).next_back().map(|ship| ship.id)
    }

    fn sacrifice_highest(&mut self, seat: Seat, count: u8) {
        for _ in 0..count {
            match self.highest_ship(seat) {
                Some(ship) => self.sacrifice(seat, ship),
                None => return,
            }
        }
    }

    fn choose_lowest_planet(&mut self, chooser: Seat, owner: Seat) {
        let lowest = self.game.seat_view(chooser).transferable(owner).iter().next();
        self.choose_planet(chooser, lowest);
    }

    fn put_zones_by_default(&mut self) {
        let seat = self.table().death_star_seat();
        while let Some(Owed::Zones { entered, .. }) = self.game.secrets.own[seat.index()].owes {
            let nearest = self.table().first_zone_hexes(entered).iter().next();
            self.put_first_zone(nearest);
        }
    }

    fn grow_by_default(&mut self, seat: Seat) {
        while let Some(Owed::Growth { sources, entered, barred }) =
            self.game.secrets.own[seat.index()].owes
        {
            let step = self.game.default_growth(sources, entered.or(barred));
            self.grow(step);
        }
    }

    /// Ends the turn. If R12 requires an Exile's base to leave, first moves the base towards the
    /// nearest planet, and settles it on arrival.
    fn end_turn_by_default(&mut self, seat: Seat) {
        self.close_arrivals();
        let duty = self.game.seat_view(seat).must_leave_for();
        let Some((via, to)) = self.game.seat_view(seat).default_way_out() else {
            return self.end_turn();
        };
        let base = BaseId { owner: seat, number: BaseNumber::First };
        self.move_base(base, via, to);
        let seat_view = self.game.seat_view(seat);
        let arrived = self.table().base(base).is_some_and(|base| duty.contains(base.at));
        if arrived && seat_view.judge_settle(BaseNumber::First).is_ok() {
            self.settle_base(base);
        }
        if self.has_ended() {
            return;
        }
        if is_free_to_end(self, seat) {
            self.end_turn();
        }
    }
}

fn is_free_to_end(referee: &Referee<'_>, seat: Seat) -> bool {
    referee.table().stage == Stage::Turn
        && referee.table().active == seat
        && referee.table().is_alive(seat)
        && referee.game.secrets.own[seat.index()].owes.is_none()
}
