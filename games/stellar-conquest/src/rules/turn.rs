//! Rule 4: the steps of a player-turn, the next player, and the production turn after every fourth
//! turn.
//!
//! | step | stage | module |
//! | --- | --- | --- |
//! | before 1, variant | `Stage::Campaign` | `campaign::hooks::turn` |
//! | 1 move | `Stage::Movement` | `movement` |
//! | 2 explore | automatic | `exploration` |
//! | 3 ship combat | `Stage::Combat`, `Stage::Battle` | `battle` |
//! | 4 colony attacks | `Stage::Planets`, `Stage::Battle` | `battle::assault`, `conquest` |
//! | 5 debark | `Stage::Planets` | `colonisation` |
//! | 6 end | automatic | here |
//! | production turn | `Stage::Production` | `production` |

use heliopause_kernel::{Dice, Emitted, Refusal, Seat, Setup};

use crate::rules::battle::course::{answer, begin_battle, go, next_pursuit, standing_answer};
use crate::rules::battle::stages::Step;
use crate::rules::campaign::hooks::setup::outfit_of;
use crate::rules::campaign::hooks::turn::{
    before_battles, before_landings, before_movement, before_sheets, land_remaining_transports,
};
use crate::rules::colonisation::remove_excess_population;
use crate::rules::conquest::{release_captives, update_control, update_star_control};
use crate::rules::exploration::explore_all;
use crate::rules::inspection::survey;
use crate::rules::production::{carry_out_sheets, grow, has_nothing_to_produce};
use crate::rules::referee::Referee;
use crate::rules::setup::{entry_hexes, equip, seating};
use crate::rules::victory::end_game;
use crate::state::{
    Battle, Event, Options, Order, Pursuit, SeatView, Secrets, Stage, StellarConquest, Subject,
    TURNS, TableEvent, is_production_turn,
};
use crate::tables::{Place, StarId};

pub(crate) fn begin_turn(referee: &mut Referee<'_>, turn: u8, seat: Seat) {
    referee.publish_to_all(Event::Table(TableEvent::TurnBegan { turn, seat }));
    before_movement(referee);
    if !matches!(referee.table().stage, Stage::Campaign(_)) {
        referee.enter(Stage::Movement);
    }
}

pub(crate) fn end_movement(referee: &mut Referee<'_>) {
    let seat = referee.table().active;
    update_control(referee);
    explore_all(referee, seat);
    fight_battles(referee);
}

fn begin_planets(referee: &mut Referee<'_>) {
    update_control(referee);
    referee.enter(Stage::Planets);
}

/// Ends the player-turn and starts the next one. The player-turn continues if a variant first
/// requires a decision (fate 4.4, step 6b).
pub(crate) fn end_turn(referee: &mut Referee<'_>) {
    if before_landings(referee) {
        return;
    }
    let seat = referee.table().active;
    land_remaining_transports(referee, seat);
    remove_excess_population(referee, seat);
    update_control(referee);
    release_captives(referee);
    let order = &referee.table().order;
    let place = order.iter().position(|&other| other == seat).map_or(0, |place| place + 1);
    match order[place..].iter().copied().find(|&next| referee.table().campaign.plays(next)) {
        Some(next) => begin_turn(referee, referee.table().turn, next),
        None => end_round(referee),
    }
}

fn first_player(referee: &Referee<'_>) -> Seat {
    let order = &referee.table().order;
    order.iter().copied().find(|&seat| referee.table().campaign.plays(seat)).unwrap_or(order[0])
}

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

/// Carries out the sheets and starts the next turn. New warships besiege at once (rules 14, 17.8,
/// BR-50).
pub(crate) fn finish_production(referee: &mut Referee<'_>) {
    carry_out_sheets(referee);
    update_control(referee);
    let (turn, first) = (referee.table().turn + 1, first_player(referee));
    begin_turn(referee, turn, first);
}

impl SeatView<'_> {
    pub(crate) fn prompt(&self) -> String {
        match self.table.stage {
            Stage::Setup => "Choose your starting forces.".to_owned(),
            Stage::Campaign(stage) => SeatView::campaign_prompt(stage),
            Stage::Movement => "Move your ships, then end your movement.".to_owned(),
            Stage::Combat => "Choose where to fight next.".to_owned(),
            Stage::Battle => self.battle_prompt(),
            Stage::Planets => "Attack colonies, land transports, then end your turn.".to_owned(),
            Stage::Production => "Fill in your production sheet.".to_owned(),
            Stage::Over => String::new(),
        }
    }
}

pub(crate) fn set_up(
    setup: &Setup<Options>,
    dice: &mut Dice,
) -> Result<(StellarConquest, Emitted<Event>), Refusal> {
    if let Err(fault) = setup.options.validate() {
        return Err(Refusal::new("bad-options", "20", fault.to_string())
            .field(format!("options.{}", fault.field)));
    }
    if !setup.options.players().contains(&setup.players) {
        let players = setup.options.players();
        let takes = match *players.end() {
            1 => "exactly 1 player".to_owned(),
            most => format!("{} to {most} players", players.start()),
        };
        let message = format!("This game takes {takes}, not {}.", setup.players);
        return Err(Refusal::new("bad-players", "3.2", message).field("players"));
    }
    let mut game = StellarConquest::blank(setup.options, setup.players, Secrets::shuffled(dice));
    let mut referee = Referee::new(&mut game, dice);
    let order = seating(&mut referee);
    let entries = entry_hexes(&mut referee, &order);
    referee.publish_to_all(Event::Table(TableEvent::Seated { order, entries }));
    // In the base game, all players choose an outfit (base 3.4). In Alone in Outer Space, dice
    // decide, so setup is over at once (space 4).
    if referee.table().campaign.politics().is_some() {
        finish_setup(&mut referee);
    }
    let told = referee.told;
    Ok((game, told))
}

pub(crate) fn finish_setup(referee: &mut Referee<'_>) {
    for seat in referee.table().player_seats().collect::<Vec<_>>() {
        let outfit = outfit_of(referee, seat);
        equip(referee, seat, &outfit);
    }
    let first = referee.table().order[0];
    begin_turn(referee, 1, first);
}

/// Starts the next battle, lets the player choose one of several, or continues with step 4. Returns
/// the battle if it is over at once.
fn next_battle(referee: &mut Referee<'_>) -> Option<Battle> {
    if before_battles(referee) {
        return None;
    }
    let seat = referee.table().active;
    match referee.seat_view(seat).battle_hexes()[..] {
        [] => begin_planets(referee),
        [at] => return begin_battle(referee, seat, at, Vec::new()),
        _ => referee.enter(Stage::Combat),
    }
    None
}

pub(crate) fn proceed(referee: &mut Referee<'_>, step: Option<Step>) {
    let ended = step.and_then(|step| go(referee, step));
    follow(referee, ended);
}

pub(crate) fn answer_in_battle(referee: &mut Referee<'_>, seat: Seat, order: Order) {
    let ended = answer(referee, seat, order);
    follow(referee, ended);
}

pub(crate) fn fight(referee: &mut Referee<'_>, seat: Seat, at: Place) {
    let ended = begin_battle(referee, seat, at, Vec::new());
    follow(referee, ended);
}

pub(crate) fn fight_battles(referee: &mut Referee<'_>) {
    let ended = next_battle(referee);
    follow(referee, ended);
}

/// Applies automatic consequences until a player must decide.
pub(crate) fn follow(referee: &mut Referee<'_>, mut ended: Option<Battle>) {
    loop {
        ended = match (ended, standing_answer(referee)) {
            (Some(battle), _) => after_battle(referee, &battle),
            (None, Some((seat, order))) => answer(referee, seat, order),
            (None, None) => return,
        };
    }
}

/// Applies the consequences of a battle and continues the turn. Returns the next battle if it is
/// over at once.
fn after_battle(referee: &mut Referee<'_>, battle: &Battle) -> Option<Battle> {
    let star = StarId::in_hex(battle.at)?;
    update_star_control(referee, star);
    if battle.last_round.is_some() {
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

pub(crate) fn begin_production(referee: &mut Referee<'_>) {
    grow(referee);
    if !before_sheets(referee) {
        return;
    }
    // With several players, having nothing to produce is secret (rule 17.11).
    if referee.table().players == 1 && has_nothing_to_produce(referee, referee.table().active) {
        finish_production(referee);
    } else {
        referee.enter(Stage::Production);
    }
}
