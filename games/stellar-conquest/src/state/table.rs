//! The public state: the active player and everything visible on the board (rules 4, 10).

use heliopause_kernel::wire::Wire;
use heliopause_kernel::{Seat, SeatSet, wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::Battle;
use crate::state::campaign::{Campaign, CampaignStage, Grade};
use crate::state::groups::Groups;
use crate::state::options::Options;
use crate::tables::{Place, SEATS_MAX, StarId};

/// The last turn (rule 19.1).
pub const TURNS: u8 = 44;

/// Returns whether a production turn follows a turn: after turns 4, 8, …, 40 (rule 0).
pub const fn is_production_turn(turn: u8) -> bool {
    turn.is_multiple_of(4) && turn > 0 && turn < TURNS
}

/// The step of a turn or the decision that the game waits for.
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(kinds = proto::stage::Kind, message = proto::Stage)]
pub enum Stage {
    #[wire(message = proto::SetupStage)]
    Setup,
    #[wire(nested)]
    Campaign(CampaignStage),
    #[wire(message = proto::MovementStage)]
    Movement,
    /// Step 3: the active player chooses the hex of the next battle, if there are several.
    #[wire(message = proto::CombatStage)]
    Combat,
    /// Steps 3 and 4: a battle is fought. The battle contains the pending decision.
    #[wire(name = Fighting, message = proto::FightingStage)]
    Battle,
    /// Steps 4 and 5. They share a stage so that it does not reveal which of them the seat can do.
    #[wire(message = proto::PlanetsStage)]
    Planets,
    #[wire(message = proto::ProductionStage)]
    Production,
    #[wire(message = proto::OverStage)]
    Over,
}

impl Stage {
    pub const fn is_simultaneous(self) -> bool {
        matches!(self, Self::Setup | Self::Production)
    }
}

/// The end of the game (rule 19).
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Ending, with(SeatSet = crate::tables::numbers::seat_set))]
pub struct Ending {
    pub winners: SeatSet,
    /// Points of each player, in seat order.
    #[wire(most = SEATS_MAX)]
    pub points: Vec<i64>,
    #[wire(name = level)]
    pub grade: Option<Grade>,
}

/// A command post (rule 7.2).
#[derive(Wire, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[wire(message = proto::SeatPlace, with(Seat = crate::tables::numbers::seat))]
pub struct Post {
    pub seat: Seat,
    pub star: StarId,
}

/// The public state of a game.
#[derive(Wire, Clone, PartialEq, Eq, Debug)]
#[wire(message = proto::Table, check = Self::accepts_player_count, with(Seat = crate::tables::numbers::seat))]
pub struct Table {
    #[wire(with = crate::state::settings::of_table)]
    pub options: Options,
    /// Number of players. Their seats come first, followed by automated seats.
    pub players: usize,
    /// The turn, from 1 to 44. 0 before the first turn.
    pub turn: u8,
    #[wire(with = crate::tables::numbers::order_of_play)]
    pub order: Vec<Seat>,
    pub active: Seat,
    pub stage: Stage,
    /// Each player's entry hex, in seat order (rule 2.7).
    pub entries: Vec<Place>,
    /// Ship groups on the board, in seat order, including automated seats.
    #[wire(part(groups), with = crate::state::groups::shown)]
    pub groups: Vec<Groups>,
    #[wire(with = crate::state::lists::sorted)]
    pub posts: Vec<Post>,
    /// Colonies that inspected passing ships and so became public (rule 10), sorted by star.
    #[wire(with = crate::state::lists::sorted)]
    pub shown: Vec<Post>,
    /// The current battle. With private battles, `None` for seats that do not take part.
    pub battle: Option<Box<Battle>>,
    /// State added by the variant, public except for priority dice.
    #[wire(part(fate, politics))]
    pub campaign: Campaign,
    pub ending: Option<Ending>,
}

impl Table {
    fn accepts_player_count(&self) -> wire::Result<()> {
        let allowed = self.options.players();
        if !allowed.contains(&self.players) {
            let (least, most) = (allowed.start(), allowed.end());
            let text = format!("expected {least} to {most} players, found {}", self.players);
            return wire::wrong_field("players", text);
        }
        Ok(())
    }

    pub fn seats(&self) -> usize {
        self.groups.len()
    }

    pub fn player_seats(&self) -> impl DoubleEndedIterator<Item = Seat> {
        Seat::first(self.players)
    }

    /// Returns a number that identifies the player-turn, for use in dice rolls.
    pub fn turn_number(&self) -> u64 {
        u64::from(self.turn) * 64 + self.active.index() as u64
    }

    pub fn entry(&self, seat: Seat) -> Option<Place> {
        self.entries.get(seat.index()).copied()
    }

    pub fn posts_of(&self, seat: Seat) -> impl Iterator<Item = StarId> {
        self.posts.iter().filter(move |post| post.seat == seat).map(|post| post.star)
    }

    pub fn has_ships(&self, seat: Seat, at: Place) -> bool {
        self.groups.get(seat.index()).is_some_and(|groups| groups.at(at) > 0)
    }

    pub fn others_at(&self, seat: Seat, at: Place) -> impl Iterator<Item = Seat> {
        Seat::first(self.seats()).filter(move |&other| other != seat && self.has_ships(other, at))
    }

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
