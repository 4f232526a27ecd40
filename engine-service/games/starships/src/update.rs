//! How an event changes what its audience knows. The game changes itself by the same three functions, so a view that
//! follows its own events cannot drift from the game.

use heliopause_kernel::{Seat, SeatSet};

use crate::board::{Place, Places};
use crate::event::Event;
use crate::knowledge::{Offers, Owed, Own, Secrets};
use crate::markers::Marker;
use crate::pieces::{Condition, Done, Piece, Ship, ShipId, Station};
use crate::table::{Breach, DeathStar, HiddenRoll, Note, Purpose, Stage, Status, Table, Tokens};
use crate::view::{Insight, View};

impl View {
    /// Brings the view up to date by one event of its own audience.
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
    /// Changes the truth, and what all seats know, by an event that has changed the table already.
    pub(crate) fn apply(&mut self, table: &Table, event: &Event) {
        self.rolls.extend(hidden_roll(table, event));
        match *event {
            Event::Owned { at, owner } => self.owners[at.index()] = owner,
            Event::DeathStarDestroyed { at, .. } => self.markers[at.index()] = Marker::Destroyed,
            Event::ZoneStruck { at, die } if die <= 3 => {
                self.markers[at.index()] = Marker::Destroyed;
                self.owners[at.index()] = None;
            }
            Event::Eliminated { seat } => {
                for owner in self.owners.iter_mut().filter(|owner| **owner == Some(seat)) {
                    *owner = None;
                }
            }
            Event::RollRevealed { roll } => {
                if let Some(index) = self.rolls.iter().position(|other| *other == roll) {
                    self.rolls.remove(index);
                }
            }
            _ => {}
        }
        match private_to(event) {
            Reader::One(seat) => self.apply_to(seat, event),
            Reader::Two(one, other) => {
                self.apply_to(one, event);
                self.apply_to(other, event);
            }
            Reader::Everyone => {
                for (index, own) in self.own.iter_mut().enumerate() {
                    own.apply(Seat::at(index), event);
                }
            }
            Reader::Nobody => {}
        }
    }

    fn apply_to(&mut self, seat: Seat, event: &Event) {
        if let Some(own) = self.own.get_mut(seat.index()) {
            own.apply(seat, event);
        }
    }
}

/// The roll of an event that not everybody is told of (R25).
fn hidden_roll(table: &Table, event: &Event) -> Option<HiddenRoll> {
    let (piece, purpose, dice) = match *event {
        Event::AsteroidsRolled { ship, die } => (Piece::Ship(ship), Purpose::Asteroids, (die, None)),
        Event::Ambushed { piece, die } => (piece, Purpose::Ambush, (die, None)),
        Event::FiredAtDeathStar { piece, die } => (piece, Purpose::Fire, (die?, None)),
        Event::Attempted { piece, means, dice, .. } => (piece, Purpose::Attempt(means), dice),
        _ => return None,
    };
    Some(HiddenRoll { round: table.round, piece, at: table.place_of(piece)?, purpose, dice })
}

/// Whose own knowledge an event can change.
enum Reader {
    One(Seat),
    Two(Seat, Seat),
    Everyone,
    Nobody,
}

fn private_to(event: &Event) -> Reader {
    match *event {
        Event::ArrivalsOpened { seat, .. }
        | Event::ArrivalsClosed { seat }
        | Event::Noted { seat, .. }
        | Event::Gained { seat, .. }
        | Event::Forfeited { seat, .. }
        | Event::Asked { seat, .. } => Reader::One(seat),
        Event::Built { ship, .. } => Reader::One(ship.owner),
        Event::Attempted { piece, .. } => Reader::One(piece.owner()),
        Event::Offered { from, to, .. } => Reader::Two(from, to),
        Event::ActOfWar { attacker, defender } => Reader::Two(attacker, defender),
        Event::PeaceMade { first, second } => Reader::Two(first, second),
        Event::Pledged { pledge }
        | Event::PledgeEnded { pledge }
        | Event::PledgeStrayed { pledge }
        | Event::PledgeBroken { pledge } => Reader::Two(pledge.giver, pledge.receiver),
        Event::TurnBegan { .. }
        | Event::Ended { .. }
        | Event::SourceSpent { .. }
        | Event::ZoneBlocked { .. }
        | Event::FacedUp { .. }
        | Event::DeathStarActivated { .. }
        | Event::DeathStarDestroyed { .. }
        | Event::ZoneStruck { .. }
        | Event::Eliminated { .. }
        | Event::StatusChanged { .. }
        | Event::PartnershipMade { .. }
        | Event::Lost { .. }
        | Event::Transferred { .. } => Reader::Everyone,
        _ => Reader::Nobody,
    }
}

impl Own {
    /// Changes what a seat alone knows by an event told to it.
    pub(crate) fn apply(&mut self, seat: Seat, event: &Event) {
        match *event {
            Event::TurnBegan { .. } => self.attempted.clear(),
            Event::ArrivalsOpened { allowance, .. } => {
                self.arrivals = (allowance > 0).then_some(allowance);
                self.gained = Places::NONE;
            }
            Event::ArrivalsClosed { .. } => self.arrivals = None,
            Event::Built { ship, .. } if ship.owner == seat => {
                self.arrivals = self.arrivals.and_then(|left| left.checked_sub(1)).filter(|&left| left > 0);
            }
            Event::Noted { at, marker, owner, .. } => self.notes[at.index()] = Some(Note { marker, owner }),
            Event::Gained { at, .. } => {
                self.planets.insert(at);
                self.gained.insert(at);
            }
            Event::Forfeited { at, .. } => {
                self.planets.remove(at);
                self.gained.remove(at);
            }
            Event::Attempted { piece, .. } if piece.owner() == seat => {
                let index = self.attempted.partition_point(|other| *other < piece);
                self.attempted.insert(index, piece);
            }
            Event::FacedUp { at, .. } | Event::DeathStarActivated { at, .. } | Event::DeathStarDestroyed { at, .. } => {
                self.notes[at.index()] = None;
            }
            Event::ZoneStruck { at, die } if die <= 3 => {
                self.notes[at.index()] = None;
                self.planets.remove(at);
                self.gained.remove(at);
            }
            Event::Lost { piece, .. } => self.attempted.retain(|other| *other != piece),
            Event::Transferred { from, .. } => self.attempted.retain(|other| *other != Piece::Ship(from)),
            Event::SourceSpent { from, to } => self.spend_source(from, to),
            Event::ZoneBlocked { at } => self.bar(at),
            Event::Asked { owes, .. } => self.owes = owes,
            Event::Ended { .. } => self.owes = None,
            _ => self.apply_agreement(seat, event),
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

    /// Offers and pledges (R7, R13, R22, R41).
    fn apply_agreement(&mut self, seat: Seat, event: &Event) {
        match *event {
            Event::Offered { from, to, agreement, retracted } => {
                let offers = self.offers_mut(agreement);
                let (set, other) = if from == seat { (&mut offers.made, to) } else { (&mut offers.got, from) };
                if retracted {
                    set.remove(other);
                } else {
                    set.insert(other);
                }
            }
            Event::ActOfWar { attacker: one, defender: other } | Event::PeaceMade { first: one, second: other }
                if one == seat || other == seat =>
            {
                drop_offers(&mut self.peace, if one == seat { other } else { one });
            }
            Event::PartnershipMade { first, second } => {
                if first == seat || second == seat {
                    self.partnership = Offers::default();
                }
                drop_offers(&mut self.partnership, first);
                drop_offers(&mut self.partnership, second);
            }
            Event::Pledged { pledge } if self.pledges.iter().all(|other| !other.is_same(pledge)) => {
                let index = self.pledges.partition_point(|other| *other < pledge);
                self.pledges.insert(index, pledge);
            }
            Event::PledgeEnded { pledge } | Event::PledgeBroken { pledge } => {
                self.pledges.retain(|other| !other.is_same(pledge));
            }
            Event::PledgeStrayed { pledge } => {
                for own in self.pledges.iter_mut().filter(|own| own.is_same(pledge)) {
                    own.strayed = true;
                }
            }
            Event::Eliminated { seat: out } => self.forget(seat, out),
            _ => {}
        }
    }

    /// R22: what was with a player who is out is removed, and everything of their own knowledge but what they saw.
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
    /// Changes what is public by an event.
    pub(crate) fn apply(&mut self, event: &Event) {
        match *event {
            Event::TurnBegan { round, seat } => self.begin_turn(round, seat),
            Event::Built { ship, at } => {
                self.build(ship.owner, at);
            }
            Event::Moved { piece, from, to, .. } => self.move_piece(piece, from, to),
            Event::ZoneCleared { at } => {
                self.zones.remove(at);
            }
            Event::Disrupted { ship } => {
                if let Some(ship) = self.ship_mut(ship) {
                    ship.condition = Condition::JustDisrupted;
                }
            }
            Event::Lost { piece, .. } => self.remove(piece),
            Event::FacedUp { at, marker, owner, .. } => self.shown[at.index()] = Some(Note { marker, owner }),
            Event::Owned { at, owner } => {
                if let Some(note) = &mut self.shown[at.index()] {
                    note.owner = owner;
                }
            }
            Event::Marked { seat, at } => self.tokens[at.index()].put(seat),
            Event::Unmarked { seat, at } => self.tokens[at.index()].take(seat),
            Event::Settled { base, .. } => {
                if let Some(base) = self.base_mut(base) {
                    base.station = Station::Settled;
                }
            }
            Event::BattleRolled { .. } => self.battle_rounds = self.battle_rounds.saturating_add(1),
            Event::Withdrew { piece, to } => self.withdraw(piece, to),
            Event::Transferred { from, to } => self.transfer(from, to),
            Event::StageChanged { stage } => self.stage = stage,
            Event::TurnEnded { seat } => self.end_turn(seat),
            Event::Ended { ending } => self.stage = Stage::Over(ending),
            Event::RollRevealed { roll } => self.revealed.push(roll),
            Event::DeathStarActivated { .. }
            | Event::DeathStarDestroyed { .. }
            | Event::ZonePlaced { .. }
            | Event::ZoneStruck { .. } => self.apply_death_star(event),
            _ => self.apply_standing(event),
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
        match piece {
            Piece::Ship(id) => {
                if let Some(ship) = self.ship_mut(id) {
                    ship.at = to;
                    ship.done.moved_from = Some(from);
                }
            }
            Piece::Base(id) => {
                if let Some(base) = self.base_mut(id) {
                    base.at = to;
                    base.done.moved_from = Some(from);
                    if base.station == Station::Settled {
                        base.station = Station::Out(0);
                    }
                }
            }
        }
    }

    fn withdraw(&mut self, piece: Piece, to: Place) {
        match piece {
            Piece::Ship(id) => {
                if let Some(ship) = self.ship_mut(id) {
                    ship.at = to;
                }
            }
            Piece::Base(id) => {
                if let Some(base) = self.base_mut(id) {
                    base.at = to;
                }
            }
        }
        if let Some(done) = self.done_mut(piece) {
            done.withdrew = true;
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
        // For its new owner the Disruption is not of their own turn: it lasts to the end of their next one.
        let condition = if ship.condition.is_disrupted() { Condition::Disrupted } else { Condition::Fit };
        self.ships.insert(index, Ship { id: to, condition, ..ship });
        self.next_serial[to.owner.index()] = to.serial.0.saturating_add(1);
    }

    /// 3.3: starships that were Disrupted before the turn recover, and bases out have been out one turn more (R32).
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

    fn apply_death_star(&mut self, event: &Event) {
        match *event {
            Event::DeathStarActivated { at, provoker } => {
                self.death_star = DeathStar::Active { provoker, just_now: true };
                self.shown[at.index()] = Some(Note { marker: Marker::DeathStar, owner: None });
            }
            Event::DeathStarDestroyed { at, .. } => {
                self.death_star = DeathStar::Gone;
                self.shown[at.index()] = Some(Note { marker: Marker::Destroyed, owner: None });
            }
            Event::ZonePlaced { at } => self.zones.insert(at),
            Event::ZoneStruck { at, die } if die <= 3 => {
                self.shown[at.index()] = Some(Note { marker: Marker::Destroyed, owner: None });
                self.tokens[at.index()] = Tokens::default();
                self.zones.insert(at);
            }
            _ => {}
        }
    }

    /// Wars, votes, partnerships, words and standing (7).
    fn apply_standing(&mut self, event: &Event) {
        match *event {
            Event::ActOfWar { attacker, defender } => {
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
            Event::PeaceMade { first, second } => {
                self.wars[first.index()].remove(second);
                self.wars[second.index()].remove(first);
                self.provoked_by[first.index()].remove(second);
                self.provoked_by[second.index()].remove(first);
            }
            Event::AxisNamed { .. } => self.axis = true,
            Event::StatusChanged { seat, status } => {
                self.status[seat.index()] = status;
                self.withdraw_votes(seat);
            }
            Event::Eliminated { seat } => self.eliminate(seat),
            Event::Voted { seat, against, withdrawn } => {
                let votes = &mut self.votes[against.index()];
                if withdrawn {
                    votes.remove(seat);
                } else {
                    votes.insert(seat);
                }
            }
            Event::PartnershipMade { first, second } => {
                self.partner[first.index()] = Some(second);
                self.partner[second.index()] = Some(first);
            }
            Event::PartnershipEnded { first, second } => {
                self.partner[first.index()] = None;
                self.partner[second.index()] = None;
            }
            Event::PledgeBroken { pledge } => {
                self.broken.push(Breach { breaker: pledge.giver, offended: pledge.receiver });
            }
            Event::BreachSettled { breach } => {
                if let Some(index) = self.broken.iter().position(|other| *other == breach) {
                    self.broken.remove(index);
                }
            }
            _ => {}
        }
    }

    /// Who is no member has no vote, and none is held against them (R36).
    fn withdraw_votes(&mut self, seat: Seat) {
        self.votes[seat.index()] = SeatSet::EMPTY;
        for votes in &mut self.votes {
            votes.remove(seat);
        }
    }

    /// R22: everything of a player who is out leaves the board.
    fn eliminate(&mut self, seat: Seat) {
        self.status[seat.index()] = Status::Eliminated;
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
        self.pass_provocation_on(seat);
    }

    /// R14: the Death Star of a provoker who is out answers to the next living player in order.
    fn pass_provocation_on(&mut self, seat: Seat) {
        let DeathStar::Active { provoker, just_now } = self.death_star else { return };
        let next = self.order_after(seat).find(|&next| self.is_alive(next));
        if let Some(next) = next.filter(|_| provoker == seat) {
            self.death_star = DeathStar::Active { provoker: next, just_now };
        }
    }
}
