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

use heliopause_kernel::{Seat, Why};

use crate::rules::referee::Referee;
use crate::state::event::{Event, TableEvent};
use crate::state::power::Eyes;
use crate::state::table::{Stage, TURNS, is_production_turn};

impl Referee<'_> {
    /// Begins a player-turn. A variant may have something to do, or to ask, before the movement.
    pub(crate) fn begin_turn(&mut self, turn: u8, seat: Seat) {
        self.announce(Event::Table(TableEvent::TurnBegan { turn, seat }));
        self.before_movement();
        if !matches!(self.table().stage, Stage::Campaign(_)) {
            self.enter(Stage::Movement);
        }
    }

    /// Ends step 1: what the player's ships have left is settled (14, 15), stars are explored, battles begin.
    pub(crate) fn end_movement(&mut self) {
        let seat = self.table().active;
        self.settle_holds();
        self.explore_all(seat);
        self.next_battle();
    }

    /// Steps 4 and 5, after the last battle. A variant may ask something first (fate 4.4, step 6b).
    pub(crate) fn begin_planets(&mut self) {
        self.settle_holds();
        self.enter(Stage::Planets);
    }

    /// Step 6: people above capacity die (16.6), transports without a guard return (BR-20), the next player-turn.
    pub(crate) fn end_turn(&mut self) {
        if self.before_landings() {
            return;
        }
        let seat = self.table().active;
        self.land_the_last(seat);
        self.cull(seat);
        self.settle_holds();
        self.release_captives();
        let order = &self.table().order;
        let place = order.iter().position(|&other| other == seat).map_or(0, |place| place + 1);
        match order[place..].iter().copied().find(|&next| self.table().campaign.plays(next)) {
            Some(next) => self.begin_turn(self.table().turn, next),
            None => self.end_round(),
        }
    }

    /// The first of the order of play who plays.
    fn first_player(&self) -> Seat {
        let order = &self.table().order;
        order.iter().copied().find(|&seat| self.table().campaign.plays(seat)).unwrap_or(order[0])
    }

    /// After the last player-turn of a turn.
    fn end_round(&mut self) {
        let turn = self.table().turn;
        if turn >= TURNS {
            self.end_game();
        } else if is_production_turn(turn) {
            self.begin_production();
        } else {
            self.begin_turn(turn + 1, self.first_player());
        }
    }

    /// After a production turn. BR-50: warships that were built besiege at once (14, 17.8).
    pub(crate) fn after_production(&mut self) {
        self.settle_holds();
        let (turn, first) = (self.table().turn + 1, self.first_player());
        self.begin_turn(turn, first);
    }

    /// Closes everything that is open: sheets when all are ready; otherwise takes the defaults of those who owe something.
    pub(crate) fn close(&mut self, _why: Why) {
        match self.table().stage {
            Stage::Setup => self.finish_setup(),
            Stage::Production => self.finish_production(),
            Stage::Campaign(_) | Stage::Movement | Stage::Combat | Stage::Battle | Stage::Planets | Stage::Over => {
                self.take_defaults();
            }
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
