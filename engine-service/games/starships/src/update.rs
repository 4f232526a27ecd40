//! How an event changes what its audience knows. The game changes itself by the same three
//! functions, so a view that follows its own events cannot drift from the game.

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
        self.apply_truth(event);
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
            Event::Turn(
                TurnEvent::OrderRolled { .. }
                | TurnEvent::TurnBegan { .. }
                | TurnEvent::ArrivalsOpened { .. }
                | TurnEvent::ArrivalsClosed { .. }
                | TurnEvent::Built { .. }
                | TurnEvent::StageChanged { .. }
                | TurnEvent::TurnEnded { .. }
                | TurnEvent::Asked { .. }
                | TurnEvent::Ended { .. },
            )
            | Event::Planet(
                PlanetEvent::Noted { .. }
                | PlanetEvent::FacedUp { .. }
                | PlanetEvent::Gained { .. }
                | PlanetEvent::Forfeited { .. }
                | PlanetEvent::Marked { .. }
                | PlanetEvent::Unmarked { .. }
                | PlanetEvent::Given { .. }
                | PlanetEvent::Attempted { .. },
            )
            | Event::DeathStar(
                DeathStarEvent::Ambushed { .. }
                | DeathStarEvent::FiredAtDeathStar { .. }
                | DeathStarEvent::DeathStarActivated { .. }
                | DeathStarEvent::ZonePlaced { .. }
                | DeathStarEvent::ZoneStruck { .. }
                | DeathStarEvent::ZoneBlocked { .. }
                | DeathStarEvent::SourceSpent { .. },
            )
            | Event::Standing(
                StandingEvent::StatusChanged { .. }
                | StandingEvent::Voted { .. }
                | StandingEvent::Offered { .. }
                | StandingEvent::PartnershipMade { .. }
                | StandingEvent::PartnershipEnded { .. },
            )
            | Event::Move(_)
            | Event::Battle(_)
            | Event::Word(_) => {}
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
        Event::Move(
            MoveEvent::Moved { .. }
            | MoveEvent::ZoneCleared { .. }
            | MoveEvent::WarpRolled { .. }
            | MoveEvent::Disrupted { .. }
            | MoveEvent::Lost { .. }
            | MoveEvent::Settled { .. },
        )
        | Event::Planet(
            PlanetEvent::Noted { .. }
            | PlanetEvent::FacedUp { .. }
            | PlanetEvent::Owned { .. }
            | PlanetEvent::Gained { .. }
            | PlanetEvent::Forfeited { .. }
            | PlanetEvent::Marked { .. }
            | PlanetEvent::Unmarked { .. }
            | PlanetEvent::Given { .. },
        )
        | Event::DeathStar(
            DeathStarEvent::DeathStarActivated { .. }
            | DeathStarEvent::DeathStarDestroyed { .. }
            | DeathStarEvent::ZonePlaced { .. }
            | DeathStarEvent::ZoneStruck { .. }
            | DeathStarEvent::ZoneBlocked { .. }
            | DeathStarEvent::SourceSpent { .. },
        )
        | Event::Turn(_)
        | Event::Battle(_)
        | Event::Standing(_)
        | Event::Word(_) => return None,
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
        Event::Turn(event) => match event {
            TurnEvent::ArrivalsOpened { seat, .. }
            | TurnEvent::ArrivalsClosed { seat }
            | TurnEvent::Asked { seat, .. } => Reader::One(seat),
            TurnEvent::Built { ship, .. } => Reader::One(ship.owner),
            TurnEvent::TurnBegan { .. } | TurnEvent::Ended { .. } => Reader::Everyone,
            TurnEvent::OrderRolled { .. }
            | TurnEvent::StageChanged { .. }
            | TurnEvent::TurnEnded { .. }
            | TurnEvent::RollRevealed { .. } => Reader::Nobody,
        },
        Event::Move(event) => match event {
            MoveEvent::Lost { .. } => Reader::Everyone,
            MoveEvent::Moved { .. }
            | MoveEvent::ZoneCleared { .. }
            | MoveEvent::AsteroidsRolled { .. }
            | MoveEvent::WarpRolled { .. }
            | MoveEvent::Disrupted { .. }
            | MoveEvent::Settled { .. } => Reader::Nobody,
        },
        Event::Planet(event) => match event {
            PlanetEvent::Noted { seat, .. }
            | PlanetEvent::Gained { seat, .. }
            | PlanetEvent::Forfeited { seat, .. } => Reader::One(seat),
            PlanetEvent::Attempted { piece, .. } => Reader::One(piece.owner()),
            PlanetEvent::FacedUp { .. } => Reader::Everyone,
            PlanetEvent::Owned { .. }
            | PlanetEvent::Marked { .. }
            | PlanetEvent::Unmarked { .. }
            | PlanetEvent::Given { .. } => Reader::Nobody,
        },
        Event::Battle(event) => match event {
            BattleEvent::ActOfWar { attacker, defender } => Reader::Two(attacker, defender),
            BattleEvent::PeaceMade { first, second } => Reader::Two(first, second),
            BattleEvent::BattleRolled { .. }
            | BattleEvent::Withdrew { .. }
            | BattleEvent::AxisNamed { .. } => Reader::Nobody,
        },
        Event::DeathStar(event) => match event {
            DeathStarEvent::SourceSpent { .. }
            | DeathStarEvent::ZoneBlocked { .. }
            | DeathStarEvent::DeathStarActivated { .. }
            | DeathStarEvent::DeathStarDestroyed { .. }
            | DeathStarEvent::ZoneStruck { .. } => Reader::Everyone,
            DeathStarEvent::Ambushed { .. }
            | DeathStarEvent::FiredAtDeathStar { .. }
            | DeathStarEvent::ZonePlaced { .. } => Reader::Nobody,
        },
        Event::Standing(event) => match event {
            StandingEvent::Offered { offer, .. } => Reader::Two(offer.from, offer.to),
            StandingEvent::Eliminated { .. }
            | StandingEvent::StatusChanged { .. }
            | StandingEvent::PartnershipMade { .. } => Reader::Everyone,
            StandingEvent::Voted { .. } | StandingEvent::PartnershipEnded { .. } => Reader::Nobody,
        },
        Event::Word(event) => match event {
            WordEvent::Pledged { pledge }
            | WordEvent::PledgeEnded { pledge }
            | WordEvent::PledgeStrayed { pledge }
            | WordEvent::PledgeBroken { pledge } => Reader::Two(pledge.giver, pledge.receiver),
            WordEvent::Transferred { .. } => Reader::Everyone,
            WordEvent::BreachSettled { .. } => Reader::Nobody,
        },
    }
}

impl Own {
    /// Changes what a seat alone knows by an event told to it.
    pub(crate) fn apply(&mut self, seat: Seat, event: &Event) {
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
            TurnEvent::Built { ship, .. } => {
                if ship.owner == seat {
                    self.arrivals =
                        self.arrivals.and_then(|left| left.checked_sub(1)).filter(|&left| left > 0);
                }
            }
            TurnEvent::Asked { owes, .. } => self.owes = owes,
            TurnEvent::Ended { .. } => self.owes = None,
            TurnEvent::OrderRolled { .. }
            | TurnEvent::StageChanged { .. }
            | TurnEvent::TurnEnded { .. }
            | TurnEvent::RollRevealed { .. } => {}
        }
    }

    fn apply_move(&mut self, event: MoveEvent) {
        match event {
            MoveEvent::Lost { piece, .. } => self.attempted.retain(|other| *other != piece),
            MoveEvent::Moved { .. }
            | MoveEvent::ZoneCleared { .. }
            | MoveEvent::AsteroidsRolled { .. }
            | MoveEvent::WarpRolled { .. }
            | MoveEvent::Disrupted { .. }
            | MoveEvent::Settled { .. } => {}
        }
    }

    fn apply_planet(&mut self, seat: Seat, event: PlanetEvent) {
        match event {
            PlanetEvent::Noted { at, marker, owner, .. } => {
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
            PlanetEvent::Attempted { piece, .. } => {
                if piece.owner() == seat {
                    let index = self.attempted.partition_point(|other| *other < piece);
                    self.attempted.insert(index, piece);
                }
            }
            PlanetEvent::Owned { .. }
            | PlanetEvent::Marked { .. }
            | PlanetEvent::Unmarked { .. }
            | PlanetEvent::Given { .. } => {}
        }
    }

    fn apply_battle(&mut self, seat: Seat, event: BattleEvent) {
        match event {
            BattleEvent::ActOfWar { attacker: one, defender: other }
            | BattleEvent::PeaceMade { first: one, second: other } => {
                if one == seat || other == seat {
                    drop_offers(&mut self.peace, if one == seat { other } else { one });
                }
            }
            BattleEvent::BattleRolled { .. }
            | BattleEvent::Withdrew { .. }
            | BattleEvent::AxisNamed { .. } => {}
        }
    }

    fn apply_death_star(&mut self, event: DeathStarEvent) {
        match event {
            DeathStarEvent::DeathStarActivated { at, .. }
            | DeathStarEvent::DeathStarDestroyed { at, .. } => {
                self.notes[at.index()] = None;
            }
            DeathStarEvent::ZoneStruck { at, die } => {
                if die <= 3 {
                    self.notes[at.index()] = None;
                    self.planets.remove(at);
                    self.gained.remove(at);
                }
            }
            DeathStarEvent::SourceSpent { from, to } => self.spend_source(from, to),
            DeathStarEvent::ZoneBlocked { at } => self.bar(at),
            DeathStarEvent::Ambushed { .. }
            | DeathStarEvent::FiredAtDeathStar { .. }
            | DeathStarEvent::ZonePlaced { .. } => {}
        }
    }

    /// Offers, and players who are out (R7, R22, R41).
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
            StandingEvent::StatusChanged { .. }
            | StandingEvent::Voted { .. }
            | StandingEvent::PartnershipEnded { .. } => {}
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
            WordEvent::PledgeStrayed { pledge } => {
                for own in self.pledges.iter_mut().filter(|own| own.is_same(pledge)) {
                    own.strayed = true;
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

    /// R22: what was with a player who is out is removed, and everything of their own knowledge but
    /// what they saw.
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
            TurnEvent::OrderRolled { .. }
            | TurnEvent::ArrivalsOpened { .. }
            | TurnEvent::ArrivalsClosed { .. }
            | TurnEvent::Asked { .. } => {}
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
            PlanetEvent::Noted { .. }
            | PlanetEvent::Gained { .. }
            | PlanetEvent::Forfeited { .. }
            | PlanetEvent::Given { .. }
            | PlanetEvent::Attempted { .. } => {}
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
        // For its new owner the Disruption is not of their own turn: it lasts to the end of their
        // next one.
        let condition =
            if ship.condition.is_disrupted() { Condition::Disrupted } else { Condition::Fit };
        self.ships.insert(index, Ship { id: to, condition, ..ship });
        self.next_serial[to.owner.index()] = to.serial.0.saturating_add(1);
    }

    /// 3.3: starships that were Disrupted before the turn recover, and bases out have been out one
    /// turn more (R32).
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
            DeathStarEvent::ZoneStruck { at, die } => {
                if die <= 3 {
                    self.shown[at.index()] = Some(Note { marker: Marker::Destroyed, owner: None });
                    self.tokens[at.index()] = Tokens::default();
                    self.zones.insert(at);
                }
            }
            DeathStarEvent::Ambushed { .. }
            | DeathStarEvent::FiredAtDeathStar { .. }
            | DeathStarEvent::ZoneBlocked { .. }
            | DeathStarEvent::SourceSpent { .. } => {}
        }
    }

    /// Battles, and wars (6, 7).
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

    /// Votes, partnerships and standing (7).
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

    /// Words (R13).
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
            WordEvent::Pledged { .. }
            | WordEvent::PledgeEnded { .. }
            | WordEvent::PledgeStrayed { .. } => {}
        }
    }

    fn set_status(&mut self, seat: Seat, status: Status) {
        if let Some(own) = self.status.get_mut(seat.index()) {
            *own = status;
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
