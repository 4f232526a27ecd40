//! The resolution of one order or default, with events and dice.

use heliopause_kernel::{Audience, Dice, Draw, Emitted, Seat, SeatSet};

use crate::state::{
    Battle, BattleEvent, Cause, Colony, Event, Fate, FateEvent, Grouping, OwnEvent, Politics,
    PoliticsEvent, Power, SeatView, ShipNumber, Stage, StellarConquest, Table, TableEvent,
};
use crate::tables::{Place, PlanetId};

/// The game, the dice and the events published so far. Only published events change the game.
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

    pub(crate) fn seat_view(&self, seat: Seat) -> SeatView<'_> {
        self.game.seat_view(seat)
    }

    /// Returns the campaign state of The Fate of Empire. Panics in other variants.
    pub(crate) fn fate(&self) -> &Fate {
        self.table().campaign.fate().expect("The Fate of Empire is played")
    }

    pub(crate) fn publish_fate(&mut self, event: FateEvent) {
        self.publish_to_all(Event::Fate(event));
    }

    pub(crate) fn two_dice(&mut self, purpose: &'static str, object: u64) -> (u8, u8) {
        (self.roll(purpose, object, 0), self.roll(purpose, object, 1))
    }

    /// Returns the political state of Alone in Outer Space. Panics in other variants.
    pub(crate) fn politics(&self) -> &Politics {
        self.table().campaign.politics().expect("it is Alone in Outer Space")
    }

    pub(crate) fn publish_politics(&mut self, event: PoliticsEvent) {
        self.publish_to_all(Event::Politics(event));
    }

    pub(crate) fn battle(&self) -> &Battle {
        self.table().battle.as_deref().expect("a battle is fought")
    }

    pub(crate) fn owner_of(&self, planet: PlanetId) -> Option<(Seat, Colony)> {
        self.game.owner_of(planet)
    }

    fn publish(&mut self, audience: Audience, event: Event) {
        debug_assert!(audience.game_master, "the game changes by what the game master is told");
        self.game.apply(&event);
        self.told.publish(audience, event);
    }

    pub(crate) fn publish_to_all(&mut self, event: Event) {
        self.publish(Audience::everyone(), event);
    }

    pub(crate) fn publish_to_owner(&mut self, event: OwnEvent) {
        self.publish(Audience::seat(event.seat()), Event::Own(event));
    }

    pub(crate) fn lose_ships(&mut self, seat: Seat, ships: Vec<ShipNumber>, cause: Cause) {
        self.publish_to_owner(OwnEvent::ShipsLost { seat, ships, cause });
    }

    pub(crate) fn publish_to_seats(&mut self, seats: SeatSet, event: Event) {
        self.publish(Audience::seats(seats), event);
    }

    pub(crate) fn publish_to_game_master(&mut self, event: Event) {
        self.publish(Audience::game_master(), event);
    }

    /// Publishes an event to all seats that may see a battle between these seats (rule 10).
    pub(crate) fn publish_battle_to(&mut self, participants: SeatSet, event: BattleEvent) {
        let event = Event::Battle(event);
        if self.table().options.private_battles {
            self.publish_to_seats(participants, event);
        } else {
            self.publish_to_all(event);
        }
    }

    pub(crate) fn publish_battle(&mut self, event: BattleEvent) {
        let participants =
            self.table().battle.as_ref().map_or(SeatSet::EMPTY, |battle| battle.participants());
        self.publish_battle_to(participants, event);
    }

    /// Rolls a six-sided die. The die's key contains the player-turn, so other seats cannot
    /// influence the roll.
    pub(crate) fn roll(&mut self, purpose: &'static str, object: u64, nth: u32) -> u8 {
        let turn = self.table().turn_number();
        self.dice.d6(Draw::new(purpose).at(turn).of(object).nth(nth))
    }

    pub(crate) fn enter(&mut self, stage: Stage) {
        if self.table().stage != stage {
            self.publish_to_all(Event::Table(TableEvent::StageChanged { stage }));
        }
    }

    /// Publishes the number of ship groups of a seat in a hex. Must be called after ships there
    /// have moved, formed, arrived or vanished (BR-30).
    pub(crate) fn show_groups(&mut self, seat: Seat, at: Place) {
        let groups = self.power(seat).groups_at(at);
        if self.table().groups[seat.index()].at(at) != groups {
            self.publish_to_all(Event::Table(TableEvent::Grouped {
                groups: Grouping { seat, at, groups },
            }));
        }
    }
}
