//! Test scenes: games in progress. They are built from events and are always valid states.

use heliopause_kernel::{Actor, Dice, Emitted, Game, Refusal, Seat, SeatSet};

use crate::rules::arrivals::bring;
use crate::rules::referee::Referee;
use crate::state::{
    Change, Colony, ColonyEvent, Event, Grouping, Options, Order, OwnEvent, Power, Research,
    Secrets, ShipNumber, Source, Stage, StellarConquest, TableEvent, Variant,
};
use crate::tables::{CardId, ENTRY_HEXES, Fleet, Place, PlanetId, ShipKind, StarId, Tech};

pub(crate) struct Scene {
    pub(crate) game: StellarConquest,
    pub(crate) dice: Dice,
}

pub(crate) fn seat(number: u32) -> Seat {
    Seat::numbered(number).expect("there is such a seat")
}

pub(crate) fn place(name: &str) -> Place {
    name.parse().expect("there is such a hex")
}

pub(crate) fn star(name: &str) -> StarId {
    name.parse().expect("there is such a star")
}

pub(crate) fn fleet(ships: &[(ShipKind, u32)]) -> Fleet {
    let mut fleet = Fleet::NONE;
    for &(kind, count) in ships {
        fleet.add(kind, count);
    }
    fleet
}

impl Scene {
    /// Creates a scene in turn 1 without ships. Seat 1 moves. Seats enter at hexes 1, 2, ….
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

    pub(crate) fn conquest(players: usize) -> Self {
        Self::new(Options::default(), players)
    }

    pub(crate) fn fate() -> Self {
        Self::new(Options { variant: Variant::FateOfEmpire, ..Options::default() }, 1)
    }

    pub(crate) fn script(mut self, dice: impl IntoIterator<Item = u32>) -> Self {
        self.dice = Dice::new([7; 32]).scripted(dice);
        self
    }

    pub(crate) fn happen(&mut self, event: &Event) {
        self.game.apply(event);
    }

    pub(crate) fn turn(&mut self, turn: u8, seat: Seat) {
        self.happen(&Event::Table(TableEvent::TurnBegan { turn, seat }));
    }

    pub(crate) fn explored(&mut self, by: Seat, name: &str, card: u32) {
        let card = CardId::numbered(card).expect("there is such a card");
        assert_eq!(card.card().color, star(name).color(), "a card of the star's color");
        self.happen(&Event::Own(OwnEvent::Explored { seat: by, star: star(name), card }));
    }

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

    /// Adds a colony. The star's card must be drawn.
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

    pub(crate) fn owns(&mut self, of: Seat, techs: &[Tech]) {
        let acquired = techs.iter().copied().collect();
        self.happen(&Event::Own(OwnEvent::Researched {
            seat: of,
            research: Research::owning(acquired),
            acquired,
        }));
    }

    pub(crate) fn power(&self, of: Seat) -> &Power {
        self.game.power(of)
    }

    /// Gives an order and checks the state. A rejected order must not change the state.
    pub(crate) fn order(&mut self, by: Seat, order: Order) -> Result<Emitted<Event>, Refusal> {
        let before = self.game.clone();
        let told = self.game.submit(Actor::Seat(by), order, &mut self.dice);
        match &told {
            Ok(_) => assert_eq!(self.game.check(), Ok(())),
            Err(_) => assert_eq!(self.game, before),
        }
        told
    }

    pub(crate) fn refused(&mut self, by: Seat, order: Order) -> String {
        self.order(by, order).expect_err("it is refused").reason.into_owned()
    }
}

#[test]
fn rule_9_task_forces_hide_their_composition_br_30() {
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
