//! Rule 4: a player-turn from step to step, the next player, and the production turn after every fourth turn.
//!
//! | step | stage | module |
//! | --- | --- | --- |
//! | before 1, variant | `Stage::Campaign` | `campaign` |
//! | 1 move | `Stage::Movement` | `movement` |
//! | 2 explore | at once | `exploration` |
//! | 3 ship combat | `Stage::Combat`, `Stage::Battle` | `combat`, `withdrawal` |
//! | 4 colony attacks | `Stage::Planets`, `Stage::Battle` | `assault`, `conquest` |
//! | 5 debark | `Stage::Planets` | `landing` |
//! | 6 end | at once | here |
//! | production turn | `Stage::Production` | `production` |

use heliopause_kernel::{Dice, Emitted, Refusal, Seat, Setup, Why};

use crate::rules::battle::combat::next_battle;
use crate::rules::battle::defaults::take_defaults;
use crate::rules::campaign::seams::setup::outfit_of;
use crate::rules::campaign::seams::turn::{before_landings, before_movement, land_the_last};
use crate::rules::colonisation::cull;
use crate::rules::conquest::{release_captives, settle_holds};
use crate::rules::exploration::explore_all;
use crate::rules::production::{begin_production, finish_production};
use crate::rules::referee::Referee;
use crate::rules::setup::{entry_hexes, equip, seating};
use crate::rules::victory::end_game;
use crate::state::event::{Event, TableEvent};
use crate::state::options::Options;
use crate::state::position::StellarConquest;
use crate::state::power::Eyes;
use crate::state::secrets::Secrets;
use crate::state::table::{Stage, TURNS, is_production_turn};

/// Begins a player-turn. A variant may have something to do, or to ask, before the movement.
pub(crate) fn begin_turn(referee: &mut Referee<'_>, turn: u8, seat: Seat) {
    referee.announce(Event::Table(TableEvent::TurnBegan { turn, seat }));
    before_movement(referee);
    if !matches!(referee.table().stage, Stage::Campaign(_)) {
        referee.enter(Stage::Movement);
    }
}

/// Ends step 1: what the player's ships have left is settled (14, 15), stars are explored, battles begin.
pub(crate) fn end_movement(referee: &mut Referee<'_>) {
    let seat = referee.table().active;
    settle_holds(referee);
    explore_all(referee, seat);
    next_battle(referee);
}

/// Steps 4 and 5, after the last battle. A variant may ask something first (fate 4.4, step 6b).
pub(crate) fn begin_planets(referee: &mut Referee<'_>) {
    settle_holds(referee);
    referee.enter(Stage::Planets);
}

/// Step 6: people above capacity die (16.6), transports without a guard return (BR-20), the next player-turn.
pub(crate) fn end_turn(referee: &mut Referee<'_>) {
    if before_landings(referee) {
        return;
    }
    let seat = referee.table().active;
    land_the_last(referee, seat);
    cull(referee, seat);
    settle_holds(referee);
    release_captives(referee);
    let order = &referee.table().order;
    let place = order.iter().position(|&other| other == seat).map_or(0, |place| place + 1);
    match order[place..].iter().copied().find(|&next| referee.table().campaign.plays(next)) {
        Some(next) => begin_turn(referee, referee.table().turn, next),
        None => end_round(referee),
    }
}

/// The first of the order of play who plays.
fn first_player(referee: &Referee<'_>) -> Seat {
    let order = &referee.table().order;
    order.iter().copied().find(|&seat| referee.table().campaign.plays(seat)).unwrap_or(order[0])
}

/// After the last player-turn of a turn.
fn end_round(referee: &mut Referee<'_>) {
    let turn = referee.table().turn;
    if turn >= TURNS {
        end_game(referee);
    } else if is_production_turn(turn) {
        begin_production(referee);
    } else {
        begin_turn(referee, turn + 1, first_player(referee));
    }
}

/// After a production turn. BR-50: warships that were built besiege at once (14, 17.8).
pub(crate) fn after_production(referee: &mut Referee<'_>) {
    settle_holds(referee);
    let (turn, first) = (referee.table().turn + 1, first_player(referee));
    begin_turn(referee, turn, first);
}

/// Closes everything that is open: sheets when all are ready; otherwise takes the defaults of those who owe something.
pub(crate) fn close(referee: &mut Referee<'_>, _why: Why) {
    match referee.table().stage {
        Stage::Setup => finish_setup(referee),
        Stage::Production => finish_production(referee),
        Stage::Campaign(_) | Stage::Movement | Stage::Combat | Stage::Battle | Stage::Planets | Stage::Over => {
            take_defaults(referee);
        }
    }
}

impl Eyes<'_> {
    /// What is asked of this seat now, as a sentence.
    pub(crate) fn prompt(&self) -> String {
        match self.table.stage {
            Stage::Setup => "Choose what you begin with.".to_owned(),
            Stage::Campaign(stage) => Eyes::campaign_prompt(stage),
            Stage::Movement => "Move your ships, then end your movement.".to_owned(),
            Stage::Combat => "Choose where you fight next.".to_owned(),
            Stage::Battle => self.battle_prompt(),
            Stage::Planets => "Attack colonies, land transports, then end your turn.".to_owned(),
            Stage::Production => "Fill in your production sheet.".to_owned(),
            Stage::Over => String::new(),
        }
    }
}

/// Base 3.4: everybody chooses. Space 4: dice do. Says whether they did.
pub(crate) fn outfit_by_dice(referee: &mut Referee<'_>) -> bool {
    let rolls = referee.table().campaign.politics().is_some();
    if rolls {
        finish_setup(referee);
    }
    rolls
}

/// Sets a game up, so that it waits for the players' choices.
pub(crate) fn set_up(setup: &Setup<Options>, dice: &mut Dice) -> Result<(StellarConquest, Emitted<Event>), Refusal> {
    if let Err(fault) = setup.options.validate() {
        return Err(Refusal::new("bad-options", "20", fault.to_string()).field(format!("options.{}", fault.field)));
    }
    if !setup.options.players().contains(&setup.players) {
        return Err(Refusal::new("bad-players", "3.2", "The game is not for so many players.").field("players"));
    }
    let mut game = StellarConquest::blank(setup.options, setup.players, Secrets::shuffled(dice));
    let mut referee = Referee::new(&mut game, dice);
    let order = seating(&mut referee);
    let entries = entry_hexes(&mut referee, &order);
    referee.announce(Event::Table(TableEvent::Seated { order, entries }));
    outfit_by_dice(&mut referee);
    let told = referee.told;
    Ok((game, told))
}

/// Closes setup: equips everybody, and begins turn 1.
pub(crate) fn finish_setup(referee: &mut Referee<'_>) {
    for seat in referee.table().player_seats().collect::<Vec<_>>() {
        let outfit = outfit_of(referee, seat);
        equip(referee, seat, &outfit);
    }
    let first = referee.table().order[0];
    begin_turn(referee, 1, first);
}
