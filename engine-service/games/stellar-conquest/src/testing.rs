//! Scenes for the tests of the chapters: a game in play with exactly what a situation names.
//! Everything is set up by events, so a scene is always a state that holds together.

use heliopause_kernel::{Actor, Dice, Draw, Emitted, Game, Refusal, Seat, SeatSet};

use crate::rules::arrivals::bring;
use crate::rules::referee::Referee;
use crate::state::colony::Colony;
use crate::state::event::{Change, ColonyEvent, Event, OwnEvent, Source, TableEvent};
use crate::state::options::{Options, Variant};
use crate::state::order::Order;
use crate::state::position::StellarConquest;
use crate::state::power::Power;
use crate::state::research::Research;
use crate::state::secrets::Secrets;
use crate::state::ship::ShipNumber;
use crate::state::table::{Grouping, Stage};
use crate::tables::board::{ENTRY_HEXES, Place};
use crate::tables::cards::{CardId, PlanetId};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::stars::StarId;
use crate::tables::technology::Tech;

/// A game with what a situation names.
pub(crate) struct Scene {
    pub(crate) game: StellarConquest,
    pub(crate) dice: Dice,
}

/// A seat, by its number.
pub(crate) fn seat(number: u32) -> Seat {
    Seat::numbered(number).expect("there is such a seat")
}

/// A hex, by its name.
pub(crate) fn place(name: &str) -> Place {
    name.parse().expect("there is such a hex")
}

/// A star, by its name.
pub(crate) fn star(name: &str) -> StarId {
    name.parse().expect("there is such a star")
}

/// A fleet, as in `[(ShipKind::Corvette, 2)]`.
pub(crate) fn fleet(ships: &[(ShipKind, u32)]) -> Fleet {
    let mut fleet = Fleet::NONE;
    for &(kind, count) in ships {
        fleet.add(kind, count);
    }
    fleet
}

impl Scene {
    /// Turn 1, seat 1 moves, nothing is on the board; seats enter in their order at hexes 1, 2 and
    /// so on.
    pub(crate) fn new(options: Options, players: usize) -> Self {
        let mut dice = Dice::new([7; 32]);
        let game = StellarConquest::blank(options, players, Secrets::shuffled(&mut dice));
        let mut scene = Self { game, dice };
        let order: Vec<Seat> = Seat::first(players).collect();
        scene.happen(&Event::Table(TableEvent::Seated {
            order,
            entries: ENTRY_HEXES[..players].to_vec(),
        }));
        scene.happen(&Event::Table(TableEvent::TurnBegan { turn: 1, seat: seat(1) }));
        scene.happen(&Event::Table(TableEvent::StageChanged { stage: Stage::Movement }));
        scene
    }

    /// The base game.
    pub(crate) fn conquest(players: usize) -> Self {
        Self::new(Options::default(), players)
    }

    /// The Fate of Empire.
    pub(crate) fn fate() -> Self {
        Self::new(Options { variant: Variant::FateOfEmpire, ..Options::default() }, 1)
    }

    /// What the next dice show.
    pub(crate) fn script(mut self, dice: impl IntoIterator<Item = u32>) -> Self {
        self.dice = Dice::new([7; 32]).scripted(dice);
        self
    }

    /// Something happened before.
    pub(crate) fn happen(&mut self, event: &Event) {
        self.game.apply(event);
    }

    /// The game is at another turn, with this seat's movement.
    pub(crate) fn turn(&mut self, turn: u8, seat: Seat) {
        self.happen(&Event::Table(TableEvent::TurnBegan { turn, seat }));
    }

    /// A star has this card, which one seat has explored.
    pub(crate) fn explored(&mut self, by: Seat, name: &str, card: u32) {
        let card = CardId::numbered(card).expect("there is such a card");
        assert_eq!(card.card().colour, star(name).colour(), "a card of the star's colour");
        self.happen(&Event::Own(OwnEvent::Explored { seat: by, star: star(name), card }));
    }

    /// A seat has ships in a hex; they are new, and not in a task force.
    pub(crate) fn ships(
        &mut self,
        of: Seat,
        at: &str,
        ships: &[(ShipKind, u32)],
    ) -> Vec<ShipNumber> {
        let before = self.game.power(of).next_ship;
        let mut referee = Referee::new(&mut self.game, &mut self.dice);
        bring(&mut referee, of, fleet(ships), Some(place(at)), Source::Built);
        let power = self.game.power(of);
        power.ships.iter().map(|ship| ship.number).filter(|&number| number >= before).collect()
    }

    /// A seat has a colony; the star's card is explored already.
    pub(crate) fn colony(
        &mut self,
        of: Seat,
        name: &str,
        nth: u8,
        change: impl Fn(Colony) -> Colony,
    ) -> PlanetId {
        let planet = PlanetId { star: star(name), nth };
        let card =
            self.game.truth.secrets.cards[planet.star.index()].expect("the star is explored");
        let world = *planet.on(card).expect("its card has such a planet");
        let colony = change(Colony::new(planet, world, 10, self.power(of).next_colony));
        let seats = colony.conqueror().map_or(SeatSet::EMPTY, SeatSet::one).with(of);
        assert!(!seats.is_empty());
        self.happen(&Event::Colony(ColonyEvent::ColonyChanged {
            owner: of,
            colony,
            change: Change::Landed,
        }));
        planet
    }

    /// A seat owns technologies.
    pub(crate) fn owns(&mut self, of: Seat, techs: &[Tech]) {
        let acquired = techs.iter().copied().collect();
        self.happen(&Event::Own(OwnEvent::Researched {
            seat: of,
            research: Research::owning(acquired),
            acquired,
        }));
    }

    /// What a seat has and knows.
    pub(crate) fn power(&self, of: Seat) -> &Power {
        self.game.power(of)
    }

    /// A seat gives an order; the state holds together afterwards, and a refused one has changed
    /// nothing.
    pub(crate) fn order(&mut self, by: Seat, order: Order) -> Result<Emitted<Event>, Refusal> {
        let before = self.game.clone();
        let told = self.game.submit(Actor::Seat(by), order, &mut self.dice);
        match &told {
            Ok(_) => assert_eq!(self.game.check(), Ok(())),
            Err(_) => assert_eq!(self.game, before),
        }
        told
    }

    /// A seat gives an order that is refused for this reason.
    pub(crate) fn refused(&mut self, by: Seat, order: Order) -> String {
        self.order(by, order).expect_err("it is refused").reason.into_owned()
    }
}

#[test]
fn a_scene_holds_together() {
    let mut scene = Scene::conquest(2).script([3]);
    scene.explored(seat(1), "Alcor", 24);
    scene.ships(seat(1), "L18", &[(ShipKind::Corvette, 2), (ShipKind::Transport, 3)]);
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, factories: 5, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology]);
    assert_eq!(scene.game.check(), Ok(()));
    assert_eq!(scene.dice.d6(Draw::new("test")), 3);
    let raised = scene.order(seat(1), Order::Post { star: star("Alcor"), up: true });
    assert!(raised.is_ok());
    assert_eq!(
        scene.refused(seat(2), Order::Post { star: star("Alcor"), up: true }),
        "not-your-turn"
    );
}

#[test]
fn a_scene_of_the_fate_of_empire_has_its_automated_seats() {
    let mut scene = Scene::fate();
    scene.explored(seat(1), "Alcor", 24);
    scene.colony(seat(3), "Alcor", 0, |colony| colony);
    scene.ships(seat(2), "L18", &[(ShipKind::Corvette, 3)]);
    assert_eq!(scene.game.check(), Ok(()));
    assert_eq!(scene.game.table().groups[1].at(place("L18")), 1);
}

#[test]
fn rule_9_task_forces_hide_what_they_hold_br_30() {
    let mut scene = Scene::conquest(2);
    let ships = scene.ships(seat(1), "L18", &[(ShipKind::Corvette, 2), (ShipKind::Scout, 3)]);
    let marker = crate::state::ship::Marker::numbered(4);
    let form = |ships: &[ShipNumber]| Order::Form { ships: ships.to_vec(), marker };
    let told = scene.order(seat(1), form(&ships[..2])).unwrap();
    let public: Vec<&Event> = told.to(heliopause_kernel::Viewer::Spectator).collect();
    assert_eq!(
        public,
        [&Event::Table(TableEvent::Grouped {
            groups: Grouping { seat: seat(1), at: place("L18"), groups: 2 }
        })]
    );
    let far = scene.ships(seat(1), "P18", &[(ShipKind::Scout, 1)]);
    assert_eq!(scene.refused(seat(1), form(&far)), "marker-in-use");
    assert_eq!(scene.refused(seat(1), form(&[ships[0], far[0]])), "not-together");
    assert_eq!(scene.refused(seat(1), form(&[ships[0], ships[0]])), "named-twice");
    assert_eq!(scene.refused(seat(1), form(&[])), "no-ships");
}
