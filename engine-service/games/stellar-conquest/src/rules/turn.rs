//! Rule 4: a player-turn from step to step, the next player, and the production turn after every
//! fourth turn.
//!
//! | step | stage | module |
//! | --- | --- | --- |
//! | before 1, variant | `Stage::Campaign` | `campaign::seams::turn` |
//! | 1 move | `Stage::Movement` | `movement` |
//! | 2 explore | at once | `exploration` |
//! | 3 ship combat | `Stage::Combat`, `Stage::Battle` | `battle` |
//! | 4 colony attacks | `Stage::Planets`, `Stage::Battle` | `battle::assault`, `conquest` |
//! | 5 debark | `Stage::Planets` | `colonisation` |
//! | 6 end | at once | here |
//! | production turn | `Stage::Production` | `production` |

use heliopause_kernel::{Dice, Emitted, Refusal, Seat, Setup};

use crate::rules::battle::course::{answer, begin_battle, go, next_pursuit, standing_answer};
use crate::rules::battle::stages::Step;
use crate::rules::campaign::seams::setup::outfit_of;
use crate::rules::campaign::seams::turn::{
    before_battles, before_landings, before_movement, before_sheets, land_the_last,
};
use crate::rules::colonisation::cull;
use crate::rules::conquest::{release_captives, settle_holds, settle_star};
use crate::rules::exploration::explore_all;
use crate::rules::inspection::survey;
use crate::rules::production::{carry_out_sheets, grow, has_nothing_to_produce};
use crate::rules::referee::Referee;
use crate::rules::setup::{entry_hexes, equip, seating};
use crate::rules::victory::end_game;
use crate::state::battle::{Battle, Pursuit, Subject};
use crate::state::event::{Event, TableEvent};
use crate::state::options::Options;
use crate::state::order::Order;
use crate::state::position::StellarConquest;
use crate::state::power::Eyes;
use crate::state::secrets::Secrets;
use crate::state::table::{Stage, TURNS, is_production_turn};
use crate::tables::board::Place;
use crate::tables::stars::StarId;

/// Begins a player-turn. A variant may have something to do, or to ask, before the movement.
pub(crate) fn begin_turn(referee: &mut Referee<'_>, turn: u8, seat: Seat) {
    referee.announce(Event::Table(TableEvent::TurnBegan { turn, seat }));
    before_movement(referee);
    if !matches!(referee.table().stage, Stage::Campaign(_)) {
        referee.enter(Stage::Movement);
    }
}

/// Ends step 1: what the player's ships have left is settled (14, 15), stars are explored, battles
/// begin.
pub(crate) fn end_movement(referee: &mut Referee<'_>) {
    let seat = referee.table().active;
    settle_holds(referee);
    explore_all(referee, seat);
    fight_battles(referee);
}

/// Steps 4 and 5, after the last battle. A variant may ask something first (fate 4.4, step 6b).
fn begin_planets(referee: &mut Referee<'_>) {
    settle_holds(referee);
    referee.enter(Stage::Planets);
}

/// Step 6: people above capacity die (16.6), transports without a guard return (BR-20), the next
/// player-turn.
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

/// Carries all sheets out, and begins the next turn. BR-50: warships that were built besiege at
/// once (14, 17.8).
pub(crate) fn finish_production(referee: &mut Referee<'_>) {
    carry_out_sheets(referee);
    settle_holds(referee);
    let (turn, first) = (referee.table().turn + 1, first_player(referee));
    begin_turn(referee, turn, first);
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

/// Sets a game up, so that it waits for the players' choices.
pub(crate) fn set_up(
    setup: &Setup<Options>,
    dice: &mut Dice,
) -> Result<(StellarConquest, Emitted<Event>), Refusal> {
    if let Err(fault) = setup.options.validate() {
        return Err(Refusal::new("bad-options", "20", fault.to_string())
            .field(format!("options.{}", fault.field)));
    }
    if !setup.options.players().contains(&setup.players) {
        return Err(Refusal::new("bad-players", "3.2", "The game is not for so many players.")
            .field("players"));
    }
    let mut game = StellarConquest::blank(setup.options, setup.players, Secrets::shuffled(dice));
    let mut referee = Referee::new(&mut game, dice);
    let order = seating(&mut referee);
    let entries = entry_hexes(&mut referee, &order);
    referee.announce(Event::Table(TableEvent::Seated { order, entries }));
    // Base 3.4: everybody chooses. Space 4: dice do.
    if referee.table().campaign.politics().is_some() {
        finish_setup(&mut referee);
    }
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

/// Step 3: begins the next battle; asks which if there are several; otherwise goes on to step 4 and
/// 5. Gives back a battle that is over at once.
fn next_battle(referee: &mut Referee<'_>) -> Option<Battle> {
    if before_battles(referee) {
        return None;
    }
    let seat = referee.table().active;
    match referee.eyes(seat).battle_hexes()[..] {
        [] => begin_planets(referee),
        [at] => return begin_battle(referee, seat, at, Vec::new()),
        _ => referee.enter(Stage::Combat),
    }
    None
}

/// Goes on in a battle with a step that was taken, and with all that follows of itself.
pub(crate) fn proceed(referee: &mut Referee<'_>, step: Option<Step>) {
    let ended = step.and_then(|step| go(referee, step));
    follow(referee, ended);
}

/// An answer in a battle, and all that follows of itself.
pub(crate) fn answer_in_battle(referee: &mut Referee<'_>, seat: Seat, order: Order) {
    let ended = answer(referee, seat, order);
    follow(referee, ended);
}

/// A battle, and all that follows of itself.
pub(crate) fn fight(referee: &mut Referee<'_>, seat: Seat, at: Place) {
    let ended = begin_battle(referee, seat, at, Vec::new());
    follow(referee, ended);
}

/// Step 3, from here on: battles, and all that follows of itself.
pub(crate) fn fight_battles(referee: &mut Referee<'_>) {
    let ended = next_battle(referee);
    follow(referee, ended);
}

/// After a battle that has ended comes what follows it. In one that goes on, whoever has standing
/// orders, or no choice, is answered for at once. And so on until somebody must be asked.
pub(crate) fn follow(referee: &mut Referee<'_>, mut ended: Option<Battle>) {
    loop {
        ended = match (ended, standing_answer(referee)) {
            (Some(battle), _) => after_battle(referee, &battle),
            (None, Some((seat, order))) => answer(referee, seat, order),
            (None, None) => return,
        };
    }
}

/// What follows a battle: another one, or the next step. Gives back a battle that is over at once.
fn after_battle(referee: &mut Referee<'_>, battle: &Battle) -> Option<Battle> {
    let star = StarId::in_hex(battle.at)?;
    settle_star(referee, star);
    if battle.limit.is_some() {
        return next_battle(referee);
    }
    match &battle.subject {
        Subject::Ships => match next_pursuit(referee.table(), battle) {
            Some((Pursuit { seat, at }, pursuits)) => begin_battle(referee, seat, at, pursuits),
            None => next_battle(referee),
        },
        Subject::Colonies { planets } => {
            if referee.table().has_ships(battle.attacker, battle.at) {
                let bases = battle.units.iter().filter_map(|unit| unit.planet);
                let shown: Vec<u8> = bases.chain(planets.iter().copied()).collect();
                survey(referee, battle.attacker, star, &shown);
            }
            referee.enter(Stage::Planets);
            None
        }
    }
}

/// 17.1: every colony grows, and the sheets are open. In a solitaire game with nothing to produce
/// it is over at once.
pub(crate) fn begin_production(referee: &mut Referee<'_>) {
    grow(referee);
    if !before_sheets(referee) {
        return;
    }
    // 17.11. Among several players, who has nothing to do is a secret.
    if referee.table().players == 1 && has_nothing_to_produce(referee, referee.table().active) {
        finish_production(referee);
    } else {
        referee.enter(Stage::Production);
    }
}
