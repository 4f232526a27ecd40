//! Public information (3.6). Only public events change the table, so it is the same for all
//! viewers.

use heliopause_kernel::sentence::Facts;
use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet};
use heliopause_proto::starships_at_large::v1 as proto;

use crate::board::{PLACES, Place, Places};
use crate::markers::Marker;
use crate::options::Options;
use crate::order::Means;
use crate::pieces::{
    Base, BaseId, BaseNumber, Condition, Done, Piece, Serial, Ship, ShipId, Target,
};
use crate::wire;

/// The maximum number of players.
pub const MAX_PLAYERS: usize = 6;

/// A die roll, 1 to 6.
pub type Die = u8;

/// A player's status (2).
#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// A member of the Alliance, with a base on Earth.
    Alliance,
    /// A player whom the Alliance exiled in round `round` (7). Their base is still on Earth.
    Exiled {
        round: u8,
    },
    /// A player without a base on Earth, also called a Viking.
    Independent,
    Eliminated,
}

/// A player's status without the round of exile.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Status)]
pub(crate) enum Standing {
    Alliance,
    Exiled,
    Independent,
    Eliminated,
}

impl Status {
    pub(crate) fn of(standing: Standing, round: u8) -> Self {
        match standing {
            Standing::Alliance => Self::Alliance,
            Standing::Exiled => Self::Exiled { round },
            Standing::Independent => Self::Independent,
            Standing::Eliminated => Self::Eliminated,
        }
    }

    pub(crate) fn standing(self) -> (Standing, u8) {
        match self {
            Self::Alliance => (Standing::Alliance, 0),
            Self::Exiled { round } => (Standing::Exiled, round),
            Self::Independent => (Standing::Independent, 0),
            Self::Eliminated => (Standing::Eliminated, 0),
        }
    }
}

/// The contents and owner of a hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    pub marker: Marker,
    /// The owner of the planet. In the notes of a seat, the owner when the seat last saw the hex.
    pub owner: Option<Seat>,
}

/// The ownership markers in a hex, in order of placement (3.7). Seats are stored as numbers from 1
/// and empty slots as zeros, so equal lists compare equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tokens([u8; MAX_PLAYERS]);

impl Tokens {
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        self.0.into_iter().filter_map(|number| Seat::numbered(u32::from(number)))
    }

    pub fn contains(self, seat: Seat) -> bool {
        self.0.contains(&(seat.number() as u8))
    }

    pub fn has_others(self, seat: Seat) -> bool {
        self.iter().any(|other| other != seat)
    }

    pub(crate) fn put(&mut self, seat: Seat) {
        if self.contains(seat) {
            return;
        }
        if let Some(free) = self.0.iter_mut().find(|slot| **slot == 0) {
            *free = seat.number() as u8;
        }
    }

    pub(crate) fn take(&mut self, seat: Seat) {
        if let Some(index) = self.0.iter().position(|&slot| u32::from(slot) == seat.number()) {
            self.0[index..].rotate_left(1);
            self.0[MAX_PLAYERS - 1] = 0;
        }
    }
}

/// The state of the Death Star (8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeathStar {
    /// The Death Star has not been activated. Its marker is face down, unless a player turned it
    /// up.
    Undisturbed,
    Active {
        /// The player after whose turns the Death Star grows.
        provoker: Seat,
        /// Whether the Death Star was activated this turn. No zones grow at the end of that turn.
        just_now: bool,
    },
    Gone,
}

/// A battle that waits for the attacker's decision (6).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Battle)]
pub struct Battle {
    pub attacker: Piece,
    pub target: Target,
    /// Whether the battle started with a move. After a victory, the attacker then fights the next
    /// enemy in the hex (R29).
    pub met: bool,
}

/// The point at which play resumes after broken pledges are settled.
#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resume {
    Turn,
    EndOfRound,
}

/// A reason for the end of a game (9).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::EndReason)]
pub enum EndReason {
    LivePlanets,
    /// An Independent was at least two planets ahead at the end of the last round.
    MostPlanets,
    NoWinner,
    AllOut,
    /// The Death Star was still active at the end of the extended game (R40).
    DeathStar,
}

/// The end of a game.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Ending)]
pub struct Ending {
    pub reason: EndReason,
    pub credits: Credits,
}

/// The players' credits (9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Credits {
    by_seat: [u8; MAX_PLAYERS],
    players: u8,
}

impl Credits {
    pub(crate) fn none(players: usize) -> Self {
        assert!(players <= MAX_PLAYERS, "a game has at most {MAX_PLAYERS} players, not {players}");
        Self { by_seat: [0; MAX_PLAYERS], players: players as u8 }
    }

    pub(crate) fn give(&mut self, seat: Seat, credits: u8) {
        self.by_seat[seat.index()] = credits;
    }

    pub fn of(&self, seat: Seat) -> u8 {
        self.by_seat.get(seat.index()).copied().unwrap_or(0)
    }

    pub fn all(&self) -> &[u8] {
        &self.by_seat[..usize::from(self.players)]
    }
}

/// The purpose of a hidden roll (R25).
#[derive(Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    Asteroids,
    Ambush,
    Fire,
    Attempt(Means),
}

/// A roll that was not public when it was made (R25).
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::HiddenRoll)]
pub struct HiddenRoll {
    pub round: u8,
    pub piece: Piece,
    pub at: Place,
    pub purpose: Purpose,
    #[wire(with = wire::dice)]
    pub dice: (Die, Option<Die>),
}

/// The public state of the turn: the decision that the game is waiting for.
#[derive(Wire, Facts, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[wire(kinds = proto::stage::Kind, message = proto::Stage)]
pub enum Stage {
    /// The player on turn acts, or has a private decision.
    #[default]
    #[wire(absent, message = proto::TurnStage)]
    Turn,
    Battle(Battle),
    #[wire(message = proto::ZonesStage)]
    Zones {
        met_by: Piece,
    },
    #[wire(message = proto::GrowthStage)]
    Growth,
    /// A player chooses the penalty for a broken pledge, first a starship and then a planet.
    #[wire(message = proto::BreachStage)]
    Breach {
        /// Whether the player chooses a planet, not a starship.
        planet: bool,
        #[wire(name = at_end_of_round)]
        resume: Resume,
    },
    Over(Ending),
}

/// A broken pledge that is not settled yet (R13).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Breach, with(Seat = wire::player))]
pub struct Breach {
    pub breaker: Seat,
    pub offended: Seat,
}

/// The public information about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub options: Options,
    pub order: Vec<Seat>,
    pub round: u8,
    pub active: Seat,
    pub stage: Stage,
    pub status: Vec<Status>,
    pub ships: Vec<Ship>,
    pub bases: Vec<Base>,
    pub next_serial: [u16; MAX_PLAYERS],
    pub shown: [Option<Note>; PLACES],
    pub zones: Places,
    pub tokens: [Tokens; PLACES],
    pub wars: [SeatSet; MAX_PLAYERS],
    /// For each player, the players that have provoked them since the two last made peace (R35).
    pub provoked_by: [SeatSet; MAX_PLAYERS],
    /// For each player, the players that vote for their exile (R36).
    pub votes: [SeatSet; MAX_PLAYERS],
    pub partner: [Option<Seat>; MAX_PLAYERS],
    /// Whether the Alliance is the Aggressor Axis (R2).
    pub axis: bool,
    pub death_star: DeathStar,
    pub broken: Vec<Breach>,
    /// The number of battle rounds so far in this turn.
    pub battle_rounds: u16,
    /// The rolls that were hidden during the game. Empty until the game is over.
    pub revealed: Vec<HiddenRoll>,
}

impl Table {
    pub(crate) fn start(options: Options, players: usize) -> Self {
        let bases_each = if players == 1 { usize::from(options.bases_in_solitaire) } else { 1 };
        let mut table = Self {
            options,
            order: Seat::first(players).collect(),
            round: 1,
            active: Seat::at(0),
            stage: Stage::Turn,
            status: vec![Status::Alliance; players],
            ships: Vec::new(),
            bases: Vec::new(),
            next_serial: [1; MAX_PLAYERS],
            shown: [None; PLACES],
            zones: Places::NONE,
            tokens: [Tokens::default(); PLACES],
            wars: [SeatSet::EMPTY; MAX_PLAYERS],
            provoked_by: [SeatSet::EMPTY; MAX_PLAYERS],
            votes: [SeatSet::EMPTY; MAX_PLAYERS],
            partner: [None; MAX_PLAYERS],
            axis: false,
            death_star: DeathStar::Undisturbed,
            broken: Vec::new(),
            battle_rounds: 0,
            revealed: Vec::new(),
        };
        table.shown[Place::EARTH.index()] = Some(Note { marker: Marker::Earth, owner: None });
        for seat in Seat::first(players) {
            for number in BaseNumber::ALL.into_iter().take(bases_each) {
                table.bases.push(Base::on_earth(BaseId { owner: seat, number }));
                table.build(seat, Place::EARTH);
            }
        }
        table
    }

    pub(crate) fn build(&mut self, owner: Seat, at: Place) -> ShipId {
        let id = ShipId { owner, serial: Serial(self.next_serial[owner.index()]) };
        debug_assert!(
            self.ships_of(owner).all(|ship| ship.id < id),
            "no serial number is used twice"
        );
        self.next_serial[owner.index()] = id.serial.0.saturating_add(1);
        let index = self.ships.partition_point(|ship| ship.id < id);
        self.ships.insert(index, Ship::new(id, at));
        id
    }

    /// Returns the number of players, including eliminated ones.
    pub fn players(&self) -> usize {
        self.status.len()
    }

    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.players())
    }

    pub fn death_star_seat(&self) -> Seat {
        Seat::at(self.players())
    }

    pub fn status(&self, seat: Seat) -> Option<Status> {
        self.status.get(seat.index()).copied()
    }

    pub fn is_alive(&self, seat: Seat) -> bool {
        self.status(seat).is_some_and(|status| status != Status::Eliminated)
    }

    pub fn living(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats().filter(|&seat| self.is_alive(seat))
    }

    pub fn is_member(&self, seat: Seat) -> bool {
        self.status(seat) == Some(Status::Alliance)
    }

    /// Returns the seats in order of play, starting after this seat and ending with it.
    pub(crate) fn order_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        let start = self.order.iter().position(|&other| other == seat).map_or(0, |index| index + 1);
        self.order[start..].iter().chain(&self.order[..start]).copied()
    }

    /// Returns a number for the current player-turn. No two player-turns of a game have the same
    /// number.
    pub fn turn_number(&self) -> u64 {
        u64::from(self.round) * 8 + self.active.index() as u64
    }

    pub fn ship(&self, id: ShipId) -> Option<&Ship> {
        self.ships.binary_search_by_key(&id, |ship| ship.id).ok().map(|index| &self.ships[index])
    }

    pub(crate) fn ship_mut(&mut self, id: ShipId) -> Option<&mut Ship> {
        self.ships
            .binary_search_by_key(&id, |ship| ship.id)
            .ok()
            .map(|index| &mut self.ships[index])
    }

    pub fn base(&self, id: BaseId) -> Option<&Base> {
        self.bases.iter().find(|base| base.id == id)
    }

    pub(crate) fn base_mut(&mut self, id: BaseId) -> Option<&mut Base> {
        self.bases.iter_mut().find(|base| base.id == id)
    }

    pub fn ships_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &Ship> {
        self.ships.iter().filter(move |ship| ship.id.owner == seat)
    }

    pub fn bases_of(&self, seat: Seat) -> impl Iterator<Item = &Base> {
        self.bases.iter().filter(move |base| base.id.owner == seat)
    }

    pub fn place_of(&self, piece: Piece) -> Option<Place> {
        match piece {
            Piece::Ship(id) => self.ship(id).map(|ship| ship.at),
            Piece::Base(id) => self.base(id).map(|base| base.at),
        }
    }

    pub fn done(&self, piece: Piece) -> Option<Done> {
        match piece {
            Piece::Ship(id) => self.ship(id).map(|ship| ship.done),
            Piece::Base(id) => self.base(id).map(|base| base.done),
        }
    }

    pub(crate) fn done_mut(&mut self, piece: Piece) -> Option<&mut Done> {
        match piece {
            Piece::Ship(id) => self.ship_mut(id).map(|ship| &mut ship.done),
            Piece::Base(id) => self.base_mut(id).map(|base| &mut base.done),
        }
    }

    /// Returns whether a piece is a Disrupted starship. Bases are never Disrupted (R31).
    pub fn is_disrupted(&self, piece: Piece) -> bool {
        match piece {
            Piece::Ship(id) => self.ship(id).is_some_and(|ship| ship.condition.is_disrupted()),
            Piece::Base(_) => false,
        }
    }

    pub fn has_settled_base(&self, at: Place) -> bool {
        self.bases.iter().any(|base| base.at == at && !base.is_out())
    }

    /// Returns whether the seat has any piece in the hex. If so, the seat sees events there.
    pub fn is_present(&self, seat: Seat, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.id.owner == seat && ship.at == at)
            || self.bases.iter().any(|base| base.id.owner == seat && base.at == at)
    }

    pub fn has_ship(&self, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.at == at)
    }

    /// Returns whether an undisrupted starship or a base that is out keeps zones out of the hex
    /// (R39).
    pub fn is_guarded(&self, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.at == at && ship.condition == Condition::Fit)
            || self.bases.iter().any(|base| base.at == at && base.is_out())
    }

    pub fn at_war(&self, one: Seat, other: Seat) -> bool {
        self.wars.get(one.index()).is_some_and(|wars| wars.contains(other))
    }

    /// Returns the hex of the Death Star if its marker is face up.
    pub fn death_star_at(&self) -> Option<Place> {
        Place::all().find(|place| {
            self.shown[place.index()].is_some_and(|note| note.marker == Marker::DeathStar)
        })
    }

    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }
}
