//! What is public (3.6). The game and every view hold the same [`Table`], changed only by events,
//! so nothing in it can differ between two viewers.

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

/// The most players.
pub const MOST_PLAYERS: usize = 6;

/// What a die shows, 1 to 6.
pub type Die = u8;

/// A player's standing (2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// In the Alliance, their base on Earth.
    Alliance,
    /// Expelled from it in this round, their base still on Earth (7).
    Exiled { round: u8 },
    /// Independent: their base has left Earth. A Viking.
    Independent,
    /// Out of the game (R22).
    Eliminated,
}

/// A standing without its round.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::Status)]
pub(crate) enum Standing {
    Alliance,
    Exiled,
    Independent,
    Eliminated,
}

impl Status {
    /// A standing, and the round of exile.
    pub(crate) fn of(standing: Standing, round: u8) -> Self {
        match standing {
            Standing::Alliance => Self::Alliance,
            Standing::Exiled => Self::Exiled { round },
            Standing::Independent => Self::Independent,
            Standing::Eliminated => Self::Eliminated,
        }
    }

    /// The standing, and the round of exile.
    pub(crate) fn standing(self) -> (Standing, u8) {
        match self {
            Self::Alliance => (Standing::Alliance, 0),
            Self::Exiled { round } => (Standing::Exiled, round),
            Self::Independent => (Standing::Independent, 0),
            Self::Eliminated => (Standing::Eliminated, 0),
        }
    }
}

/// What a hex holds and whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Note {
    /// What it holds.
    pub marker: Marker,
    /// Who owns the planet, as last seen.
    pub owner: Option<Seat>,
}

/// The ownership markers in a hex, first put first (3.7). Seats are kept as numbers from 1, so that
/// the empty places are zeroes and two equal lists are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tokens([u8; MOST_PLAYERS]);

impl Tokens {
    /// Whose lie there, in the order in which they were put.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        self.0.into_iter().filter_map(|number| Seat::numbered(u32::from(number)))
    }

    /// Whether this seat's lies there.
    pub fn contains(self, seat: Seat) -> bool {
        self.0.contains(&(seat.number() as u8))
    }

    /// Whether somebody else's lies there.
    pub fn has_others(self, seat: Seat) -> bool {
        self.iter().any(|other| other != seat)
    }

    /// Puts one, after those that lie there.
    pub(crate) fn put(&mut self, seat: Seat) {
        if self.contains(seat) {
            return;
        }
        if let Some(free) = self.0.iter_mut().find(|slot| **slot == 0) {
            *free = seat.number() as u8;
        }
    }

    /// Removes one; the later ones move up.
    pub(crate) fn take(&mut self, seat: Seat) {
        if let Some(index) = self.0.iter().position(|&slot| u32::from(slot) == seat.number()) {
            self.0[index..].rotate_left(1);
            self.0[MOST_PLAYERS - 1] = 0;
        }
    }
}

/// The Death Star (8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DeathStar {
    /// Not met yet by anyone who lived to tell.
    Undisturbed,
    Active {
        /// Whose turns it grows after.
        provoker: Seat,
        /// It was activated in the turn being played, after which it does not grow yet.
        just_now: bool,
    },
    /// Destroyed.
    Gone,
}

/// A battle that waits for its attacker's decision (6).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Battle)]
pub struct Battle {
    /// Who attacks.
    pub attacker: Piece,
    pub foe: Target,
    /// They met at war on a move: the next enemy there follows (R29).
    pub met: bool,
}

/// What happens after a broken word is made good.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resume {
    /// The turn goes on.
    Turn,
    EndOfRound,
}

/// Why a game ended (9).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(words = proto::EndReason)]
pub enum EndReason {
    /// Enough live planets.
    LivePlanets,
    /// An Independent two planets ahead at the end of the last round.
    MostPlanets,
    /// The last round ended without a winner.
    NoWinner,
    /// All players are out.
    AllOut,
    /// The Death Star cannot be destroyed (R40).
    DeathStar,
}

/// How a game ended.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Ending)]
pub struct Ending {
    pub reason: EndReason,
    /// What it is worth to each player.
    pub credits: Credits,
}

/// Credits, one number a player's seat (9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Credits {
    by_seat: [u8; MOST_PLAYERS],
    players: u8,
}

impl Credits {
    /// Nobody has one.
    pub(crate) fn none(players: usize) -> Self {
        assert!(players <= MOST_PLAYERS, "credits are kept for so many players");
        Self { by_seat: [0; MOST_PLAYERS], players: players as u8 }
    }

    /// Gives a player so many.
    pub(crate) fn give(&mut self, seat: Seat, credits: u8) {
        self.by_seat[seat.index()] = credits;
    }

    /// A player's.
    pub fn of(&self, seat: Seat) -> u8 {
        self.by_seat.get(seat.index()).copied().unwrap_or(0)
    }

    /// Those of all players, in seat order.
    pub fn all(&self) -> &[u8] {
        &self.by_seat[..usize::from(self.players)]
    }
}

/// What a roll that not everybody was told of was for (R25).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// A starship entered Asteroids.
    Asteroids,
    /// The undisturbed Death Star shot at the piece.
    Ambush,
    /// The piece fired at the Death Star that it had just met.
    Fire,
    /// The piece tried to take a planet.
    Attempt(Means),
}

/// A roll that not everybody was told of when it was made (R25).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::HiddenRoll)]
pub struct HiddenRoll {
    pub round: u8,
    pub piece: Piece,
    /// In which hex.
    pub at: Place,
    pub purpose: Purpose,
    /// The dice; only force has two.
    #[wire(with = wire::dice)]
    pub dice: (Die, Option<Die>),
}

/// What the game waits for, as everybody sees it.
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[wire(kinds = proto::stage::Kind, message = proto::Stage)]
pub enum Stage {
    /// The player on turn acts, or decides what only they know of.
    #[default]
    #[wire(absent, message = proto::TurnStage)]
    Turn,
    /// The attacker fights on or withdraws.
    Battle(Battle),
    /// The Death Star puts its first two zones.
    #[wire(message = proto::ZonesStage)]
    Zones {
        /// Who met it, and fights on afterwards.
        met_by: Piece,
    },
    /// The Death Zones grow, at the end of a turn.
    #[wire(message = proto::GrowthStage)]
    Growth,
    /// A broken word is made good: the starship first, then the planet.
    #[wire(message = proto::WordStage)]
    Word {
        /// Whether it is the planet's turn.
        planet: bool,
        /// What comes after.
        #[wire(name = at_end_of_round)]
        resume: Resume,
    },
    /// The game is over.
    Over(Ending),
}

/// A broken word still to be made good (R13).
#[derive(Wire, Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[wire(message = proto::Breach, with(Seat = wire::player))]
pub struct Breach {
    /// Who broke it.
    pub breaker: Seat,
    /// To whom it was given.
    pub offended: Seat,
}

/// All that is public.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub options: Options,
    /// The order of play.
    pub order: Vec<Seat>,
    /// The round, from 1.
    pub round: u8,
    /// The player on turn.
    pub active: Seat,
    /// What the game waits for.
    pub stage: Stage,
    /// Each player's standing.
    pub status: Vec<Status>,
    /// The starships, by owner and serial.
    pub ships: Vec<Ship>,
    /// The bases, by owner and number.
    pub bases: Vec<Base>,
    /// The serial of each player's next starship.
    pub next_serial: [u16; MOST_PLAYERS],
    /// The markers that lie face up.
    pub shown: [Option<Note>; PLACES],
    /// The Death Zones.
    pub zones: Places,
    /// The ownership markers.
    pub tokens: [Tokens; PLACES],
    /// With whom each player is at war (R7).
    pub wars: [SeatSet; MOST_PLAYERS],
    /// By whom each player was provoked since the two last made peace (R35).
    pub provoked_by: [SeatSet; MOST_PLAYERS],
    /// Who votes for each player's exile (R36).
    pub votes: [SeatSet; MOST_PLAYERS],
    /// Each player's partner (R41).
    pub partner: [Option<Seat>; MOST_PLAYERS],
    /// The Alliance is the Aggressor Axis (R2).
    pub axis: bool,
    pub death_star: DeathStar,
    /// Broken words still to be made good.
    pub broken: Vec<Breach>,
    /// Rounds of battle rolled this turn.
    pub battle_rounds: u16,
    /// The hidden rolls, once the game is over.
    pub revealed: Vec<HiddenRoll>,
}

impl Table {
    /// The table at the start of a game (2): every base on Earth in the Alliance, one starship for
    /// each base.
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
            next_serial: [1; MOST_PLAYERS],
            shown: [None; PLACES],
            zones: Places::NONE,
            tokens: [Tokens::default(); PLACES],
            wars: [SeatSet::EMPTY; MOST_PLAYERS],
            provoked_by: [SeatSet::EMPTY; MOST_PLAYERS],
            votes: [SeatSet::EMPTY; MOST_PLAYERS],
            partner: [None; MOST_PLAYERS],
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

    /// Puts a new starship on the board.
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

    /// How many players there are, those who are out included.
    pub fn players(&self) -> usize {
        self.status.len()
    }

    /// Every player's seat.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        Seat::first(self.players())
    }

    /// The Death Star's seat.
    pub fn death_star_seat(&self) -> Seat {
        Seat::at(self.players())
    }

    /// A seat's standing; the Death Star has none.
    pub fn status(&self, seat: Seat) -> Option<Status> {
        self.status.get(seat.index()).copied()
    }

    /// Whether the seat is a player still in the game.
    pub fn is_alive(&self, seat: Seat) -> bool {
        self.status(seat).is_some_and(|status| status != Status::Eliminated)
    }

    /// Players still in the game, by seat.
    pub fn living(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats().filter(|&seat| self.is_alive(seat))
    }

    /// Whether the seat is a member of the Alliance.
    pub fn is_member(&self, seat: Seat) -> bool {
        self.status(seat) == Some(Status::Alliance)
    }

    /// The order of play, beginning after this seat and ending with it.
    pub(crate) fn order_after(&self, seat: Seat) -> impl Iterator<Item = Seat> + '_ {
        let start = self.order.iter().position(|&other| other == seat).map_or(0, |index| index + 1);
        self.order[start..].iter().chain(&self.order[..start]).copied()
    }

    /// A number that tells this player-turn from every other.
    pub fn turn_number(&self) -> u64 {
        u64::from(self.round) * 8 + self.active.index() as u64
    }

    /// A starship.
    pub fn ship(&self, id: ShipId) -> Option<&Ship> {
        self.ships.binary_search_by_key(&id, |ship| ship.id).ok().map(|index| &self.ships[index])
    }

    pub(crate) fn ship_mut(&mut self, id: ShipId) -> Option<&mut Ship> {
        self.ships
            .binary_search_by_key(&id, |ship| ship.id)
            .ok()
            .map(|index| &mut self.ships[index])
    }

    /// A base.
    pub fn base(&self, id: BaseId) -> Option<&Base> {
        self.bases.iter().find(|base| base.id == id)
    }

    pub(crate) fn base_mut(&mut self, id: BaseId) -> Option<&mut Base> {
        self.bases.iter_mut().find(|base| base.id == id)
    }

    /// A player's starships.
    pub fn ships_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = &Ship> {
        self.ships.iter().filter(move |ship| ship.id.owner == seat)
    }

    /// A player's bases.
    pub fn bases_of(&self, seat: Seat) -> impl Iterator<Item = &Base> {
        self.bases.iter().filter(move |base| base.id.owner == seat)
    }

    /// Where a piece is, if it is on the board.
    pub fn place_of(&self, piece: Piece) -> Option<Place> {
        match piece {
            Piece::Ship(id) => self.ship(id).map(|ship| ship.at),
            Piece::Base(id) => self.base(id).map(|base| base.at),
        }
    }

    /// What a piece has done this turn, if it is on the board.
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

    /// Whether a piece can neither fight nor defend. A base never is (R31).
    pub fn is_disrupted(&self, piece: Piece) -> bool {
        match piece {
            Piece::Ship(id) => self.ship(id).is_some_and(|ship| ship.condition.is_disrupted()),
            Piece::Base(_) => false,
        }
    }

    /// Whether a base stands on the planet of this hex.
    pub fn has_settled_base(&self, at: Place) -> bool {
        self.bases.iter().any(|base| base.at == at && !base.is_out())
    }

    /// Whether the seat has any piece in the hex, so that it sees what happens there.
    pub fn is_present(&self, seat: Seat, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.id.owner == seat && ship.at == at)
            || self.bases.iter().any(|base| base.id.owner == seat && base.at == at)
    }

    /// Whether a starship stands in the hex, Disrupted or not.
    pub fn has_ship(&self, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.at == at)
    }

    /// Whether something keeps zones out of any hex: an undisrupted starship, or a base that is out
    /// (R39).
    pub fn is_guarded(&self, at: Place) -> bool {
        self.ships.iter().any(|ship| ship.at == at && ship.condition == Condition::Fit)
            || self.bases.iter().any(|base| base.at == at && base.is_out())
    }

    /// Whether two players are at war (R7).
    pub fn at_war(&self, one: Seat, other: Seat) -> bool {
        self.wars.get(one.index()).is_some_and(|wars| wars.contains(other))
    }

    /// Where the Death Star is, once that is public.
    pub fn death_star_at(&self) -> Option<Place> {
        Place::all().find(|place| {
            self.shown[place.index()].is_some_and(|note| note.marker == Marker::DeathStar)
        })
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }
}
