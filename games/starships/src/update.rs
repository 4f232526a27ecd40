//! Application of events. Games and views use the same functions, so a view always matches its
//! game.

#![expect(clippy::wildcard_enum_match_arm, reason = "most events change little")]

use heliopause_kernel::{Seat, SeatSet};

use crate::board::{Place, Places};
use crate::event::{
    BattleEvent, DeathStarEvent, Event, MoveEvent, PlanetEvent, StandingEvent, TurnEvent, WordEvent,
};
use crate::knowledge::{Offer, Offers, Owed, Own, Secrets};
use crate::markers::Marker;
use crate::pieces::{Condition, Done, Piece, Ship, ShipId, Station};
use crate::table::{Breach, DeathStar, HiddenRoll, Note, Purpose, Stage, Status, Table, Tokens};
use crate::view::{Insight, View};

impl View {
    pub fn apply(&mut self, event: &Event) {
        self.table.apply(event);
        match &mut self.insight {
            Insight::Seat(seat, own) => own.apply(*seat, event),
            Insight::Spectator => {}
            Insight::GameMaster(secrets) => secrets.apply(&self.table, event),
        }
    }
}

impl Secrets {
    /// Applies an event to the hidden information. The table must already include the event.
    pub(crate) fn apply(&mut self, table: &Table, event: &Event) {
        self.rolls.extend(hidden_roll(table, event));
        self.apply_truth(event);
        for (index, own) in self.own.iter_mut().enumerate() {
            own.apply(Seat::at(index), event);
        }
    }

    fn apply_truth(&mut self, event: &Event) {
        match *event {
            Event::Turn(TurnEvent::RollRevealed { roll }) => {
                if let Some(index) = self.rolls.iter().position(|other| *other == roll) {
                    self.rolls.remove(index);
                }
            }
            Event::Planet(PlanetEvent::Owned { at, owner }) => self.owners[at.index()] = owner,
            Event::DeathStar(DeathStarEvent::DeathStarDestroyed { at, .. }) => {
                self.markers[at.index()] = Marker::Destroyed;
            }
            Event::DeathStar(DeathStarEvent::ZoneStruck { at, die }) if die <= 3 => {
                self.markers[at.index()] = Marker::Destroyed;
                self.owners[at.index()] = None;
            }
            Event::Standing(StandingEvent::Eliminated { seat }) => {
                for owner in self.owners.iter_mut().filter(|owner| **owner == Some(seat)) {
                    *owner = None;
                }
            }
            _ => {}
        }
    }
}

fn hidden_roll(table: &Table, event: &Event) -> Option<HiddenRoll> {
    let (piece, purpose, dice) = match *event {
        Event::Move(MoveEvent::AsteroidsRolled { ship, die }) => {
            (Piece::Ship(ship), Purpose::Asteroids, (die, None))
        }
        Event::Planet(PlanetEvent::Attempted { piece, means, dice, .. }) => {
            (piece, Purpose::Attempt(means), dice)
        }
        Event::DeathStar(DeathStarEvent::Ambushed { piece, die }) => {
            (piece, Purpose::Ambush, (die, None))
        }
        Event::DeathStar(DeathStarEvent::FiredAtDeathStar { piece, die }) => {
            (piece, Purpose::Fire, (die?, None))
        }
        _ => return None,
    };
    Some(HiddenRoll { round: table.round, piece, at: table.place_of(piece)?, purpose, dice })
}

/// Returns whether an event may change the private information of a seat.
fn concerns(event: &Event, own: Seat) -> bool {
    match *event {
        Event::Turn(
            TurnEvent::ArrivalsOpened { seat, .. }
            | TurnEvent::ArrivalsClosed { seat }
            | TurnEvent::Asked { seat, .. },
        )
        | Event::Planet(
            PlanetEvent::HexRevealed { seat, .. }
            | PlanetEvent::Gained { seat, .. }
            | PlanetEvent::Forfeited { seat, .. },
        ) => seat == own,
        Event::Standing(StandingEvent::Offered { offer, .. }) => {
            offer.from == own || offer.to == own
        }
        Event::Word(WordEvent::Pledged { pledge }) => pledge.giver == own || pledge.receiver == own,
        _ => true,
    }
}

impl Own {
    pub(crate) fn apply(&mut self, seat: Seat, event: &Event) {
        if !concerns(event, seat) {
            return;
        }
        match *event {
            Event::Turn(event) => self.apply_turn(seat, event),
            Event::Move(event) => self.apply_move(event),
            Event::Planet(event) => self.apply_planet(seat, event),
            Event::Battle(event) => self.apply_battle(seat, event),
            Event::DeathStar(event) => self.apply_death_star(event),
            Event::Standing(event) => self.apply_standing(seat, event),
            Event::Word(event) => self.apply_word(event),
        }
    }

    fn apply_turn(&mut self, seat: Seat, event: TurnEvent) {
        match event {
            TurnEvent::TurnBegan { .. } => self.attempted.clear(),
            TurnEvent::ArrivalsOpened { allowance, .. } => {
                self.arrivals = (allowance > 0).then_some(allowance);
                self.gained = Places::NONE;
            }
            TurnEvent::ArrivalsClosed { .. } => self.arrivals = None,
            TurnEvent::Built { ship, .. } if ship.owner == seat => {
                self.arrivals =
                    self.arrivals.and_then(|left| left.checked_sub(1)).filter(|&left| left > 0);
            }
            TurnEvent::Asked { pending_decision: owes, .. } => self.owes = owes,
            TurnEvent::Ended { .. } => self.owes = None,
            _ => {}
        }
    }

    fn apply_move(&mut self, event: MoveEvent) {
        if let MoveEvent::Lost { piece, .. } = event {
            self.attempted.retain(|other| *other != piece);
        }
    }

    fn apply_planet(&mut self, seat: Seat, event: PlanetEvent) {
        match event {
            PlanetEvent::HexRevealed { at, marker, owner, .. } => {
                self.notes[at.index()] = Some(Note { marker, owner });
            }
            PlanetEvent::FacedUp { at, .. } => self.notes[at.index()] = None,
            PlanetEvent::Gained { at, .. } => {
                self.planets.insert(at);
                self.gained.insert(at);
            }
            PlanetEvent::Forfeited { at, .. } => {
                self.planets.remove(at);
                self.gained.remove(at);
            }
            PlanetEvent::Attempted { piece, .. } if piece.owner() == seat => {
                let index = self.attempted.partition_point(|other| *other < piece);
                self.attempted.insert(index, piece);
            }
            _ => {}
        }
    }

    fn apply_battle(&mut self, seat: Seat, event: BattleEvent) {
        match event {
            BattleEvent::ActOfWar { attacker: one, defender: other }
            | BattleEvent::PeaceMade { first: one, second: other }
                if one == seat || other == seat =>
            {
                drop_offers(&mut self.peace, if one == seat { other } else { one });
            }
            _ => {}
        }
    }

    fn apply_death_star(&mut self, event: DeathStarEvent) {
        match event {
            DeathStarEvent::DeathStarActivated { at, .. }
            | DeathStarEvent::DeathStarDestroyed { at, .. } => {
                self.notes[at.index()] = None;
            }
            DeathStarEvent::ZoneStruck { at, die } if die <= 3 => {
                self.notes[at.index()] = None;
                self.planets.remove(at);
                self.gained.remove(at);
            }
            DeathStarEvent::SourceSpent { from, to } => self.spend_source(from, to),
            DeathStarEvent::ZoneBlocked { at } => self.bar(at),
            _ => {}
        }
    }

    fn apply_standing(&mut self, seat: Seat, event: StandingEvent) {
        match event {
            StandingEvent::Offered { offer: Offer { from, to, agreement }, retracted } => {
                let offers = self.offers_mut(agreement);
                let (set, other) =
                    if from == seat { (&mut offers.made, to) } else { (&mut offers.got, from) };
                if retracted {
                    set.remove(other);
                } else {
                    set.insert(other);
                }
            }
            StandingEvent::PartnershipMade { first, second } => {
                if first == seat || second == seat {
                    self.partnership = Offers::default();
                }
                drop_offers(&mut self.partnership, first);
                drop_offers(&mut self.partnership, second);
            }
            StandingEvent::Eliminated { seat: out } => self.forget(seat, out),
            _ => {}
        }
    }

    fn apply_word(&mut self, event: WordEvent) {
        match event {
            WordEvent::Pledged { pledge } => {
                if self.pledges.iter().all(|other| !other.is_same(pledge)) {
                    let index = self.pledges.partition_point(|other| *other < pledge);
                    self.pledges.insert(index, pledge);
                }
            }
            WordEvent::PledgeEnded { pledge } | WordEvent::PledgeBroken { pledge } => {
                self.pledges.retain(|other| !other.is_same(pledge));
            }
            WordEvent::PledgedPlanetGiven { pledge } => {
                for own in self.pledges.iter_mut().filter(|own| own.is_same(pledge)) {
                    own.planet_given = true;
                }
            }
            WordEvent::Transferred { from, .. } => {
                self.attempted.retain(|other| *other != Piece::Ship(from));
            }
            WordEvent::BreachSettled { .. } => {}
        }
    }

    fn spend_source(&mut self, from: Place, to: Place) {
        if let Some(Owed::Growth { sources, entered, .. }) = &mut self.owes {
            sources.remove(from);
            entered.insert(to);
        }
    }

    fn bar(&mut self, at: Place) {
        if let Some(Owed::Growth { barred, .. }) = &mut self.owes {
            barred.insert(at);
        }
    }

    /// Removes everything about a player who is out, who keeps only their notes (R22).
    fn forget(&mut self, seat: Seat, out: Seat) {
        for note in self.notes.iter_mut().flatten().filter(|note| note.owner == Some(out)) {
            note.owner = None;
        }
        drop_offers(&mut self.peace, out);
        drop_offers(&mut self.partnership, out);
        self.pledges.retain(|pledge| pledge.giver != out && pledge.receiver != out);
        if seat == out {
            *self = Self { notes: self.notes, ..Self::new() };
        }
    }
}

fn drop_offers(offers: &mut Offers, with: Seat) {
    offers.made.remove(with);
    offers.got.remove(with);
}

impl Table {
    pub(crate) fn apply(&mut self, event: &Event) {
        match *event {
            Event::Turn(event) => self.apply_turn(event),
            Event::Move(event) => self.apply_move(event),
            Event::Planet(event) => self.apply_planet(event),
            Event::Battle(event) => self.apply_battle(event),
            Event::DeathStar(event) => self.apply_death_star(event),
            Event::Standing(event) => self.apply_standing(event),
            Event::Word(event) => self.apply_word(event),
        }
    }

    fn apply_turn(&mut self, event: TurnEvent) {
        match event {
            TurnEvent::TurnBegan { round, seat } => self.begin_turn(round, seat),
            TurnEvent::Built { ship, at } => {
                self.build(ship.owner, at);
            }
            TurnEvent::StageChanged { stage } => self.stage = stage,
            TurnEvent::TurnEnded { seat } => self.end_turn(seat),
            TurnEvent::Ended { ending } => self.stage = Stage::Over(ending),
            TurnEvent::RollRevealed { roll } => self.revealed.push(roll),
            _ => {}
        }
    }

    fn apply_move(&mut self, event: MoveEvent) {
        match event {
            MoveEvent::Moved { piece, from, to, .. } => self.move_piece(piece, from, to),
            MoveEvent::ZoneCleared { at } => {
                self.zones.remove(at);
            }
            MoveEvent::Disrupted { ship } => {
                if let Some(ship) = self.ship_mut(ship) {
                    ship.condition = Condition::JustDisrupted;
                }
            }
            MoveEvent::Lost { piece, .. } => self.remove(piece),
            MoveEvent::Settled { base, .. } => {
                if let Some(base) = self.base_mut(base) {
                    base.station = Station::Settled;
                }
            }
            MoveEvent::AsteroidsRolled { .. } | MoveEvent::WarpRolled { .. } => {}
        }
    }

    fn apply_planet(&mut self, event: PlanetEvent) {
        match event {
            PlanetEvent::FacedUp { at, marker, owner, .. } => {
                self.shown[at.index()] = Some(Note { marker, owner });
            }
            PlanetEvent::Owned { at, owner } => {
                if let Some(note) = &mut self.shown[at.index()] {
                    note.owner = owner;
                }
            }
            PlanetEvent::Marked { seat, at } => self.tokens[at.index()].put(seat),
            PlanetEvent::Unmarked { seat, at } => self.tokens[at.index()].take(seat),
            _ => {}
        }
    }

    fn begin_turn(&mut self, round: u8, seat: Seat) {
        self.round = round;
        self.active = seat;
        self.stage = Stage::Turn;
        self.battle_rounds = 0;
        for ship in &mut self.ships {
            ship.done = Done::default();
        }
        for base in &mut self.bases {
            base.done = Done::default();
        }
    }

    fn move_piece(&mut self, piece: Piece, from: Place, to: Place) {
        self.put(piece, to);
        if let Some(done) = self.done_mut(piece) {
            done.moved_from = Some(from);
        }
        if let Piece::Base(id) = piece
            && let Some(base) = self.base_mut(id)
            && base.station == Station::Settled
        {
            base.station = Station::Out(0);
        }
    }

    fn withdraw(&mut self, piece: Piece, to: Place) {
        self.put(piece, to);
        if let Some(done) = self.done_mut(piece) {
            done.withdrew = true;
        }
    }

    fn put(&mut self, piece: Piece, to: Place) {
        let place = match piece {
            Piece::Ship(id) => self.ship_mut(id).map(|ship| &mut ship.at),
            Piece::Base(id) => self.base_mut(id).map(|base| &mut base.at),
        };
        if let Some(place) = place {
            *place = to;
        }
    }

    fn remove(&mut self, piece: Piece) {
        match piece {
            Piece::Ship(id) => self.ships.retain(|ship| ship.id != id),
            Piece::Base(id) => self.bases.retain(|base| base.id != id),
        }
    }

    fn transfer(&mut self, from: ShipId, to: ShipId) {
        let Some(ship) = self.ship(from).copied() else { return };
        self.remove(Piece::Ship(from));
        let index = self.ships.partition_point(|other| other.id < to);
        // Never `JustDisrupted`: the starship recovers at the end of the new owner's current or
        // next turn.
        let condition =
            if ship.condition.is_disrupted() { Condition::Disrupted } else { Condition::Fit };
        self.ships.insert(index, Ship { id: to, condition, ..ship });
        self.next_serial[to.owner.index()] = to.serial.0.saturating_add(1);
    }

    /// Lets Disrupted starships recover, and counts a turn for bases that are out (rule 3.3, R32).
    fn end_turn(&mut self, seat: Seat) {
        for ship in self.ships.iter_mut().filter(|ship| ship.id.owner == seat) {
            ship.condition = match ship.condition {
                Condition::JustDisrupted => Condition::Disrupted,
                Condition::Disrupted | Condition::Fit => Condition::Fit,
            };
        }
        for base in self.bases.iter_mut().filter(|base| base.id.owner == seat) {
            if let Station::Out(turns) = &mut base.station {
                *turns = turns.saturating_add(1);
            }
        }
        if let DeathStar::Active { just_now, .. } = &mut self.death_star {
            *just_now = false;
        }
    }

    fn apply_death_star(&mut self, event: DeathStarEvent) {
        match event {
            DeathStarEvent::DeathStarActivated { at, provoker } => {
                self.death_star = DeathStar::Active { provoker, just_now: true };
                self.shown[at.index()] = Some(Note { marker: Marker::DeathStar, owner: None });
            }
            DeathStarEvent::DeathStarDestroyed { at, .. } => {
                self.death_star = DeathStar::Gone;
                self.shown[at.index()] = Some(Note { marker: Marker::Destroyed, owner: None });
            }
            DeathStarEvent::ZonePlaced { at } => self.zones.insert(at),
            DeathStarEvent::ZoneStruck { at, die } if die <= 3 => {
                self.shown[at.index()] = Some(Note { marker: Marker::Destroyed, owner: None });
                self.tokens[at.index()] = Tokens::default();
                self.zones.insert(at);
            }
            _ => {}
        }
    }

    fn apply_battle(&mut self, event: BattleEvent) {
        match event {
            BattleEvent::BattleRolled { .. } => {
                self.battle_rounds = self.battle_rounds.saturating_add(1);
            }
            BattleEvent::Withdrew { piece, to } => self.withdraw(piece, to),
            BattleEvent::ActOfWar { attacker, defender } => {
                self.wars[attacker.index()].insert(defender);
                self.wars[defender.index()].insert(attacker);
                if self.is_member(defender) {
                    for seat in self.seats().filter(|&seat| seat != attacker) {
                        if self.is_alive(seat) {
                            self.provoked_by[seat.index()].insert(attacker);
                        }
                    }
                }
            }
            BattleEvent::PeaceMade { first, second } => {
                self.wars[first.index()].remove(second);
                self.wars[second.index()].remove(first);
                self.provoked_by[first.index()].remove(second);
                self.provoked_by[second.index()].remove(first);
            }
            BattleEvent::AxisNamed { .. } => self.axis = true,
        }
    }

    fn apply_standing(&mut self, event: StandingEvent) {
        match event {
            StandingEvent::StatusChanged { seat, status } => {
                self.set_status(seat, status);
                self.withdraw_votes(seat);
            }
            StandingEvent::Eliminated { seat } => self.eliminate(seat),
            StandingEvent::Voted { seat, against, withdrawn } => {
                let votes = &mut self.votes[against.index()];
                if withdrawn {
                    votes.remove(seat);
                } else {
                    votes.insert(seat);
                }
            }
            StandingEvent::PartnershipMade { first, second } => {
                self.partner[first.index()] = Some(second);
                self.partner[second.index()] = Some(first);
            }
            StandingEvent::PartnershipEnded { first, second } => {
                self.partner[first.index()] = None;
                self.partner[second.index()] = None;
            }
            StandingEvent::Offered { .. } => {}
        }
    }

    fn apply_word(&mut self, event: WordEvent) {
        match event {
            WordEvent::PledgeBroken { pledge } => {
                self.broken.push(Breach { breaker: pledge.giver, offended: pledge.receiver });
            }
            WordEvent::BreachSettled { breaker, offended } => {
                let breach = Breach { breaker, offended };
                if let Some(index) = self.broken.iter().position(|other| *other == breach) {
                    self.broken.remove(index);
                }
            }
            WordEvent::Transferred { from, to } => self.transfer(from, to),
            _ => {}
        }
    }

    fn set_status(&mut self, seat: Seat, status: Status) {
        if let Some(own) = self.status.get_mut(seat.index()) {
            *own = status;
        }
    }

    /// Removes the votes of a player whose status changed, and the votes against that player (R36).
    fn withdraw_votes(&mut self, seat: Seat) {
        self.votes[seat.index()] = SeatSet::EMPTY;
        for votes in &mut self.votes {
            votes.remove(seat);
        }
    }

    /// Removes a player who is out from the public state (R22).
    fn eliminate(&mut self, seat: Seat) {
        self.set_status(seat, Status::Eliminated);
        self.withdraw_votes(seat);
        self.ships.retain(|ship| ship.id.owner != seat);
        self.bases.retain(|base| base.id.owner != seat);
        for note in self.shown.iter_mut().flatten().filter(|note| note.owner == Some(seat)) {
            note.owner = None;
        }
        for tokens in &mut self.tokens {
            tokens.take(seat);
        }
        for index in 0..self.wars.len() {
            self.wars[index].remove(seat);
            self.provoked_by[index].remove(seat);
            if self.partner[index] == Some(seat) {
                self.partner[index] = None;
            }
        }
        self.wars[seat.index()] = SeatSet::EMPTY;
        self.provoked_by[seat.index()] = SeatSet::EMPTY;
        self.partner[seat.index()] = None;
        self.broken.retain(|breach| breach.breaker != seat && breach.offended != seat);
        self.pass_provoker_on(seat);
    }

    /// Makes the next living player in order the provoker, if the provoker is out (R14).
    fn pass_provoker_on(&mut self, seat: Seat) {
        let DeathStar::Active { provoker, just_now } = self.death_star else { return };
        let next = self.order_after(seat).find(|&next| self.is_alive(next));
        if let Some(next) = next.filter(|_| provoker == seat) {
            self.death_star = DeathStar::Active { provoker: next, just_now };
        }
    }
}
