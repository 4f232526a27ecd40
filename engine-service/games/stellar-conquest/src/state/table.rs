//! What is public: whose turn it is and what stands open on the board (4, 10).

use std::fmt;

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::Battle;
use crate::state::campaign::{Campaign, CampaignStage, Grade};
use crate::state::options::Options;
use crate::state::ship::Marker;
use crate::tables::board::{PLACES, Place, SEATS_MAX};
use crate::tables::stars::StarId;

/// The last turn (19.1).
pub const TURNS: u8 = 44;

/// 0: whether a production turn follows a turn: after turns 4, 8, …, 40.
pub const fn is_production_turn(turn: u8) -> bool {
    turn.is_multiple_of(4) && turn > 0 && turn < TURNS
}

/// How many groups of ships each hex shows of one seat: task forces, and one more for loose ships
/// (BR-30). No count of ships can be read from it.
#[derive(Clone, PartialEq, Eq)]
pub struct Groups(Box<[u8; PLACES]>);

impl Groups {
    /// The most that a hex can show.
    pub const MAX: u8 = Marker::COUNT + 1;

    /// How many a hex shows.
    pub fn at(&self, place: Place) -> u8 {
        self.0[place.index()]
    }

    pub(crate) fn set(&mut self, place: Place, groups: u8) {
        self.0[place.index()] = groups;
    }

    /// The hexes that show any, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (Place, u8)> {
        Place::all().map(|place| (place, self.at(place))).filter(|&(_, groups)| groups > 0)
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self(Box::new([0; PLACES]))
    }
}

impl fmt::Debug for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// What the game waits for.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::stage::Kind, message = proto::Stage)]
pub enum Stage {
    /// All players choose what they begin with (3.4); revisable.
    #[wire(message = proto::SetupStage)]
    Setup,
    /// The player on turn answers what the variant asks for beside the steps of the base game.
    #[wire(nested)]
    Campaign(CampaignStage),
    /// Step 1: the player on turn moves.
    #[wire(message = proto::MovementStage)]
    Movement,
    /// Step 3: the player on turn chooses the hex of the next battle; only if there are several.
    #[wire(message = proto::CombatStage)]
    Combat,
    /// Steps 3 and 4: a battle is fought; the battle says who owes what.
    #[wire(name = Fighting, message = proto::FightingStage)]
    Battle,
    /// Steps 4 and 5: the player on turn attacks colonies, then lands. One stage, because whether
    /// there is anything to attack or to land is their secret.
    #[wire(message = proto::PlanetsStage)]
    Planets,
    /// All players fill in their production sheets (17); revisable.
    #[wire(message = proto::ProductionStage)]
    Production,
    /// The game is over.
    #[wire(message = proto::OverStage)]
    Over,
}

impl Stage {
    /// Whether all players decide at the same time, and may decide anew until all are ready.
    pub const fn is_simultaneous(self) -> bool {
        matches!(self, Self::Setup | Self::Production)
    }
}

/// How the game ended (19).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Ending, with(SeatSet = crate::wire::numbers::seat_set))]
pub struct Ending {
    /// Who won.
    pub winners: SeatSet,
    /// Points of each player, in seat order.
    #[wire(most = SEATS_MAX)]
    pub points: Vec<i64>,
    /// How a variant names the result.
    #[wire(name = level)]
    pub grade: Option<Grade>,
}

/// Groups of one seat's ships that a hex shows.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::Groups, check = Self::is_possible, with(Seat = crate::wire::numbers::seat))]
pub struct Grouping {
    pub seat: Seat,
    pub at: Place,
    pub groups: u8,
}

impl Grouping {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "every check has this shape")]
    fn is_possible(&self) -> wire::Result<()> {
        if self.groups > Groups::MAX {
            return wire::wrong_field("groups", "there are 15 task forces, and loose ships");
        }
        Ok(())
    }
}

/// A command post (7.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::SeatPlace, with(Seat = crate::wire::numbers::seat))]
pub struct Post {
    pub seat: Seat,
    pub star: StarId,
}

/// What is public.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Table, check = Self::is_for_so_many, with(Seat = crate::wire::numbers::seat))]
pub struct Table {
    /// The rules options.
    #[wire(with = crate::wire::options::of_table)]
    pub options: Options,
    /// How many players. Their seats come first; automated seats of a variant follow.
    pub players: usize,
    /// The turn, 1 to 44; 0 before the first.
    pub turn: u8,
    /// The seating order (3.2).
    #[wire(with = crate::wire::numbers::order_of_play)]
    pub order: Vec<Seat>,
    /// The player on turn.
    pub active: Seat,
    /// What the game waits for.
    pub stage: Stage,
    /// Each player's entry hex, in seat order (2.7).
    pub entries: Vec<Place>,
    /// Ships on the board, in seat order, automated seats too.
    #[wire(part(groups), with = crate::wire::table::groups)]
    pub groups: Vec<Groups>,
    /// Command posts, sorted.
    #[wire(with = crate::wire::lists::sorted)]
    pub posts: Vec<Post>,
    /// Colonies that everybody knows of since their owners looked at passing ships (10), by star;
    /// sorted.
    #[wire(with = crate::wire::lists::sorted)]
    pub shown: Vec<Post>,
    /// The battle that is fought. With private battles, those who do not take part have none here.
    pub battle: Option<Box<Battle>>,
    /// What the variant adds. All of it is public.
    #[wire(part(fate, politics))]
    pub campaign: Campaign,
    /// How the game ended.
    pub ending: Option<Ending>,
}

impl Table {
    fn is_for_so_many(&self) -> wire::Result<()> {
        if !self.options.players().contains(&self.players) {
            return wire::wrong_field("players", "the game is not for so many");
        }
        Ok(())
    }

    /// How many seats: players and automated ones.
    pub fn seats(&self) -> usize {
        self.groups.len()
    }

    /// Every player's seat.
    pub fn player_seats(&self) -> impl DoubleEndedIterator<Item = Seat> {
        Seat::first(self.players)
    }

    /// Tells this player-turn from every other; for dice.
    pub fn turn_number(&self) -> u64 {
        u64::from(self.turn) * 64 + self.active.index() as u64
    }

    /// A player's entry hex.
    pub fn entry(&self, seat: Seat) -> Option<Place> {
        self.entries.get(seat.index()).copied()
    }

    /// The command posts of a seat.
    pub fn posts_of(&self, seat: Seat) -> impl Iterator<Item = StarId> {
        self.posts.iter().filter(move |post| post.seat == seat).map(|post| post.star)
    }

    /// Whether a seat has ships in a hex; that is public.
    pub fn has_ships(&self, seat: Seat, at: Place) -> bool {
        self.groups.get(seat.index()).is_some_and(|groups| groups.at(at) > 0)
    }

    /// The other seats that have ships in a hex.
    pub fn others_at(&self, seat: Seat, at: Place) -> impl Iterator<Item = Seat> {
        Seat::first(self.seats()).filter(move |&other| other != seat && self.has_ships(other, at))
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_4_there_are_ten_production_turns() {
        let turns: Vec<u8> = (0..=TURNS).filter(|&turn| is_production_turn(turn)).collect();
        assert_eq!(turns, [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]);
    }
}
