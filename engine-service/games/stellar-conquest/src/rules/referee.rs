//! One step of the game being resolved: the game, its dice, and what was told so far.

use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, SeatSet};

use crate::state::battle::Battle;
use crate::state::campaign::fate::{Fate, FateEvent};
use crate::state::campaign::politics::Politics;
use crate::state::campaign::politics_event::PoliticsEvent;
use crate::state::colony::Colony;
use crate::state::event::{BattleEvent, Event, OwnEvent, TableEvent};
use crate::state::position::StellarConquest;
use crate::state::power::{Eyes, Power};
use crate::state::table::{Grouping, Stage, Table};
use crate::tables::board::Place;
use crate::tables::cards::PlanetId;

/// Resolves one order or one default: the chapters are functions that look, tell and roll by it.
///
/// It changes the game by telling of events, and in no other way.
pub(crate) struct Referee<'a> {
    pub(crate) game: &'a mut StellarConquest,
    pub(crate) dice: &'a mut Dice,
    pub(crate) told: Emitted<Event>,
}

impl<'a> Referee<'a> {
    pub(crate) fn new(game: &'a mut StellarConquest, dice: &'a mut Dice) -> Self {
        Self { game, dice, told: Emitted::new() }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.game.table
    }

    pub(crate) fn power(&self, seat: Seat) -> &Power {
        self.game.power(seat)
    }

    pub(crate) fn eyes(&self, seat: Seat) -> Eyes<'_> {
        self.game.eyes(seat)
    }

    /// The campaign. Nothing in this module is called in another game.
    pub(crate) fn fate(&self) -> &Fate {
        self.table().campaign.fate().expect("The Fate of Empire is played")
    }

    /// Tells everybody of something in the campaign.
    pub(crate) fn proclaim(&mut self, event: FateEvent) {
        self.announce(Event::Fate(event));
    }

    /// The red and the white die.
    pub(crate) fn two_dice(&mut self, purpose: &'static str, object: u64) -> (u8, u8) {
        (self.roll(purpose, object, 0), self.roll(purpose, object, 1))
    }

    /// The public state.
    pub(crate) fn politics(&self) -> &Politics {
        self.table().campaign.politics().expect("it is Alone in Outer Space")
    }

    pub(crate) fn announce_politics(&mut self, event: PoliticsEvent) {
        self.announce(Event::Politics(event));
    }

    /// The battle that is fought.
    pub(crate) fn battle(&self) -> &Battle {
        self.table().battle.as_deref().expect("a battle is fought")
    }

    /// Whose colony is on a planet.
    pub(crate) fn owner_of(&self, planet: PlanetId) -> Option<(Seat, Colony)> {
        self.game.owner_of(planet)
    }

    fn tell(&mut self, audience: Audience, event: Event) {
        debug_assert!(audience.game_master, "the game changes by what the game master is told");
        self.game.apply(&event);
        self.told.tell(audience, event);
    }

    /// Tells everybody.
    pub(crate) fn announce(&mut self, event: Event) {
        self.tell(Audience::everyone(), event);
    }

    /// Tells the one seat that it is for.
    pub(crate) fn whisper(&mut self, event: OwnEvent) {
        self.tell(Audience::seat(event.seat()), Event::Own(event));
    }

    /// Tells some seats.
    pub(crate) fn confide(&mut self, seats: SeatSet, event: Event) {
        self.tell(Audience::seats(seats), event);
    }

    /// Tells nobody but the game master.
    pub(crate) fn record(&mut self, event: Event) {
        self.tell(Audience::game_master(), event);
    }

    /// Tells those who may see a battle between these seats (10).
    pub(crate) fn report(&mut self, participants: SeatSet, event: BattleEvent) {
        let event = Event::Battle(event);
        if self.table().options.private_battles {
            self.confide(participants, event);
        } else {
            self.announce(event);
        }
    }

    /// Tells of the battle that is fought.
    pub(crate) fn report_battle(&mut self, event: BattleEvent) {
        let participants =
            self.table().battle.as_ref().map_or(SeatSet::EMPTY, |battle| battle.participants());
        self.report(participants, event);
    }

    /// A six-sided die, named by the player-turn, so that nothing that other seats do can change
    /// it.
    pub(crate) fn roll(&mut self, purpose: &'static str, object: u64, nth: u32) -> u8 {
        let turn = self.table().turn_number();
        self.dice.d6(Draw::new(purpose).at(turn).of(object).nth(nth))
    }

    /// Waits for something else, if it is another thing.
    pub(crate) fn enter(&mut self, stage: Stage) {
        if self.table().stage != stage {
            self.announce(Event::Table(TableEvent::StageChanged { stage }));
        }
    }

    /// BR-30: shows how many groups of a seat's ships stand in a hex, if that has changed. To be
    /// called after whatever moved, formed, brought or took ships there.
    pub(crate) fn show_groups(&mut self, seat: Seat, at: Place) {
        let groups = self.power(seat).groups_at(at);
        if self.table().groups[seat.index()].at(at) != groups {
            self.announce(Event::Table(TableEvent::Grouped {
                groups: Grouping { seat, at, groups },
            }));
        }
    }
}
