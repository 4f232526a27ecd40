//! What is written reads back, and nothing that comes from outside breaks anything.

mod politics;

use heliopause_kernel::wire::{ROWS_MAX, Read};
use heliopause_kernel::{Game, Malformed, Seat, SeatSet, Viewer, Wire};
use heliopause_proto::stellar_conquest::v1 as proto;

use crate::state::battle::{
    Battle, BattleStage, Condition, Pursuit, Shot, Side, Subject, Unit, UnitId, Volley,
};
use crate::state::campaign::fate::{Fate, FateEvent, Level, RecallStep};
use crate::state::campaign::{CampaignStage, Grade};
use crate::state::colony::{Bases, Colony, Hold, Occupation, Watch};
use crate::state::event::{
    BattleEvent, Cause, Change, ColonyEvent, Event, Gone, OwnEvent, RiskRoll, Source, TableEvent,
};
use crate::state::options::{Options, Variant};
use crate::state::position::StellarConquest;
use crate::state::power::{ColonySeen, Glimpse, Killed, People, Sighting};
use crate::state::research::Research;
use crate::state::sheet::{Outfit, Payment, Sheet};
use crate::state::shields::ShieldState;
use crate::state::ship::{Hull, Load, Marker, Ship, ShipNumber};
use crate::state::standing::{StandingOrders, StayPolicy};
use crate::state::table::{Ending, Grouping, Post, Stage};
use crate::tables::attack_table::Arm;
use crate::tables::board::{Direction, Place};
use crate::tables::cards::{CardId, PlanetId, PlanetType};
use crate::tables::fate::{RandomEvent, planet_cell};
use crate::tables::ships::{Fleet, ShipKind};
use crate::tables::technology::{Tech, TechSet};
use crate::testing::{Scene, place, seat, star};

fn planet(name: &str, nth: u8) -> PlanetId {
    PlanetId { star: star(name), nth }
}

fn colony(name: &str) -> Colony {
    let world = *planet(name, 0).on(CardId::numbered(24).unwrap()).unwrap();
    Colony {
        subjects: 3,
        factories: 9,
        bases: Bases { missile: 2, advanced: 1 },
        shield: true,
        watch: Watch::Ask,
        grown: 1,
        ..Colony::new(planet(name, 0), world, 12, 4)
    }
}

fn ships() -> Vec<Ship> {
    let load = Load { cet: true, from: Some(planet("Alcor", 1)), captives_of: Some(seat(2)) };
    let hulls =
        [Hull::Scout, Hull::Transport(load), Hull::Corvette, Hull::Fighter, Hull::DeathStar];
    let ship = |(nth, hull): (usize, Hull)| Ship {
        marker: Marker::numbered(nth as u32),
        destination: Some(star("Sadir")),
        departed: Some(star("Lupi")),
        steps: nth as u8,
        halted: nth == 2,
        ..Ship::new(ShipNumber(nth as u32 + 1), hull, Some(place("P18")))
    };
    hulls.into_iter().enumerate().map(ship).collect()
}

fn sighting() -> Sighting {
    Sighting { at: place("P18"), of: seat(2), fleet: Fleet::new([1, 2, 3, 4, 5]), turn: 7 }
}

fn battle(stage: BattleStage) -> Battle {
    let ship = |kind| Unit {
        owner: seat(1),
        arm: Arm::Ship(kind),
        planet: None,
        condition: Condition::Fighting,
    };
    let mut units: Vec<Unit> = ShipKind::ALL.into_iter().map(ship).collect();
    units.push(Unit {
        owner: seat(2),
        arm: Arm::MissileBase,
        planet: Some(2),
        condition: Condition::Destroyed,
    });
    units.push(Unit {
        owner: seat(2),
        arm: Arm::AdvancedMissileBase,
        planet: Some(0),
        condition: Condition::Withdrawn,
    });
    Battle {
        at: place("P18"),
        attacker: seat(1),
        subject: Subject::Colonies { planets: vec![0, 2] },
        rounds: 3,
        units,
        shots: vec![Shot { by: UnitId(2), at: UnitId(5) }],
        refuges: [Some(place("P17")), None],
        leaving: vec![UnitId(0)],
        stage,
        pursuits: vec![
            Pursuit { seat: seat(2), at: place("Q11") },
            Pursuit { seat: seat(1), at: place("P10") },
        ],
        shields: vec![
            ShieldState { planet: 1, damage: 2, dry: 1, fell: None },
            ShieldState { fell: Some(2), ..ShieldState::new(0) },
        ],
        limit: Some(2),
    }
}

fn battle_stages() -> Vec<BattleStage> {
    let waiting = SeatSet::one(seat(2)).with(seat(3));
    vec![
        BattleStage::AttackerAims,
        BattleStage::DefendersAim { waiting },
        BattleStage::AttackerLeaves { forced: false },
        BattleStage::AttackerLeaves { forced: true },
        BattleStage::DefenderLeaves { waiting },
        BattleStage::Beams { waiting },
        BattleStage::Refuge { leaving: Side::Attacker },
        BattleStage::Refuge { leaving: Side::Defender },
        BattleStage::Scuttle { waiting },
        BattleStage::GoesOn,
    ]
}

fn stages() -> Vec<Stage> {
    let recall = |when| Stage::Campaign(CampaignStage::Recall { half_points: 7, when });
    vec![
        Stage::Setup,
        recall(RecallStep::Event),
        recall(RecallStep::Debt),
        Stage::Movement,
        Stage::Combat,
        Stage::Battle,
        Stage::Planets,
        Stage::Production,
        Stage::Over,
    ]
}

/// Public events, and those about ships.
#[expect(clippy::too_many_lines, reason = "one line for each event")]
fn events_on_the_board() -> Vec<Event> {
    let numbers = vec![ShipNumber(1), ShipNumber(3)];
    let mut events = vec![
        Event::Table(TableEvent::Seated {
            order: vec![seat(2), seat(1)],
            entries: vec![place("FF20"), place("A21")],
        }),
        Event::Table(TableEvent::TurnBegan { turn: 3, seat: seat(2) }),
        Event::Table(TableEvent::Grouped {
            groups: Grouping { seat: seat(1), at: place("P18"), groups: 16 },
        }),
        Event::Table(TableEvent::Grouped {
            groups: Grouping { seat: seat(1), at: place("P18"), groups: 0 },
        }),
        Event::Table(TableEvent::Passed { seat: seat(1), path: vec![place("P18"), place("P17")] }),
        Event::Table(TableEvent::PostChanged {
            post: Post { seat: seat(1), star: star("Alcor") },
            up: true,
        }),
        Event::Table(TableEvent::PostChanged {
            post: Post { seat: seat(1), star: star("Alcor") },
            up: false,
        }),
        Event::Table(TableEvent::ColonyShown {
            colony: Post { seat: seat(1), star: star("Alcor") },
        }),
        Event::Own(OwnEvent::Sailed {
            seat: seat(1),
            ships: numbers.clone(),
            to: place("P17"),
            steps: 2,
            halted: true,
            destination: Some(star("Sadir")),
            departed: None,
        }),
        Event::Own(OwnEvent::Formed {
            seat: seat(1),
            ships: numbers.clone(),
            marker: Marker::numbered(15),
        }),
        Event::Own(OwnEvent::Formed { seat: seat(1), ships: numbers.clone(), marker: None }),
        Event::Own(OwnEvent::RiskRolled {
            seat: seat(1),
            star: star("Alcor"),
            rolls: [(1, 1), (2, 6)]
                .map(|(ship, die)| RiskRoll { ship: ShipNumber(ship), die })
                .to_vec(),
        }),
        Event::Own(OwnEvent::Engaged { seat: seat(1), ships: numbers.clone() }),
    ];
    events
        .extend(stages().into_iter().map(|stage| Event::Table(TableEvent::StageChanged { stage })));
    let levels = [Level::Defeat, Level::Marginal, Level::Substantial, Level::Decisive];
    let grades = levels.into_iter().map(|level| Some(Grade::Fate(level))).chain([None]);
    events.extend(grades.map(|grade| {
        Event::Table(TableEvent::Ended {
            ending: Ending { winners: SeatSet::one(seat(2)), points: vec![-3, 12], grade },
        })
    }));
    let sources = [Source::Start, Source::Built, Source::Returned, Source::Empire, Source::Pirates];
    events.extend(
        sources.map(|source| {
            Event::Own(OwnEvent::ShipsCame { seat: seat(1), ships: ships(), source })
        }),
    );
    let causes = [
        Cause::Battle,
        Cause::Exploration,
        Cause::OutOfRange,
        Cause::Landed,
        Cause::Returned,
        Cause::Recalled,
        Cause::Disengaged,
    ];
    events.extend(causes.map(|cause| {
        Event::Own(OwnEvent::ShipsLost { seat: seat(1), ships: numbers.clone(), cause })
    }));
    events
}

/// What seats find out, and what they decide.
fn events_of_powers() -> Vec<Event> {
    let seen = ColonySeen {
        owner: seat(2),
        conqueror: Some(seat(3)),
        shield: true,
        people: Some(People { millions: 30, factories: 10 }),
        bases: Some(Bases { missile: 1, advanced: 0 }),
        turn: 7,
    };
    let glimpse = Glimpse { number: 3, star: star("Alcor"), of: seat(2), turn: 7 };
    let mut research = Research::owning(TechSet::NONE.with(Tech::Speed3));
    research.pay(Tech::Speed4, 4);
    let outfit = Outfit::Bonus {
        scouts: 2,
        corvettes: 1,
        research: vec![Payment { tech: Tech::Fighter, points: 5 }],
    };
    let empty = Sighting { fleet: Fleet::NONE, ..sighting() };
    vec![
        Event::Own(OwnEvent::Explored {
            seat: seat(1),
            star: star("Alcor"),
            card: CardId::numbered(24).unwrap(),
        }),
        Event::Own(OwnEvent::Explored {
            seat: seat(1),
            star: star("Sirius"),
            card: CardId::numbered(1).unwrap(),
        }),
        Event::Own(OwnEvent::Surveyed {
            seat: seat(1),
            star: star("Alcor"),
            colonies: [None, Some(seen), None],
        }),
        Event::Own(OwnEvent::Surveyed { seat: seat(1), star: star("Alcor"), colonies: [None; 3] }),
        Event::Own(OwnEvent::Sighted { seat: seat(1), sighting: sighting() }),
        Event::Own(OwnEvent::Sighted { seat: seat(1), sighting: empty }),
        Event::Own(OwnEvent::Glimpsed { seat: seat(1), glimpse }),
        Event::GlimpseKept { seat: seat(1), number: 3, sighting: sighting() },
        Event::Own(OwnEvent::GlimpseEnded { seat: seat(1), number: 3 }),
        Event::Own(OwnEvent::Researched { seat: seat(1), research, acquired: research.owned }),
        Event::Own(OwnEvent::Researched { seat: seat(1), research, acquired: TechSet::NONE }),
        Event::Own(OwnEvent::GrantChanged { seat: seat(1), points: 10 }),
        Event::Own(OwnEvent::StandingChanged {
            seat: seat(1),
            standing: StandingOrders {
                stay: StayPolicy::Never,
                scouts_leave: true,
                ..StandingOrders::default()
            },
        }),
        Event::Own(OwnEvent::SheetStored { seat: seat(1), sheet: Sheet::Outfit(outfit) }),
        Event::Own(OwnEvent::SheetStored { seat: seat(1), sheet: Sheet::None }),
        Event::Own(OwnEvent::LandingBegan { seat: seat(1) }),
        Event::Own(OwnEvent::Slain {
            seat: seat(1),
            killed: Killed { star: star("Alcor"), millions: 9 },
        }),
        Event::Own(OwnEvent::Repelled { seat: seat(1), planet: planet("Alcor", 1), rounds: 2 }),
    ]
}

fn events_of_colonies() -> Vec<Event> {
    let mut events = Vec::new();
    let changes = [
        Change::Landed,
        Change::Grew,
        Change::Produced,
        Change::Overcrowded,
        Change::Siege,
        Change::Conquered,
        Change::Freed,
        Change::Settled,
        Change::Bombarded,
        Change::Scuttled,
        Change::Razed,
        Change::Killed,
        Change::Watch,
        Change::Found,
        Change::Garrisoned,
        Change::Swarms,
    ];
    let holds =
        [Hold::Free, Hold::Besieged, Hold::Occupied(Occupation { by: seat(3), waits: true })];
    for (nth, change) in changes.into_iter().enumerate() {
        let colony = Colony { hold: holds[nth % 3], ..colony("Alcor") };
        events.push(Event::Colony(ColonyEvent::ColonyChanged { owner: seat(1), colony, change }));
    }
    let ends = [Gone::Abandoned, Gone::Garrisoned, Gone::Evacuated];
    events.extend(ends.map(|gone| {
        Event::Colony(ColonyEvent::ColonyGone { owner: seat(2), planet: planet("Alcor", 2), gone })
    }));
    events
}

fn events_of_battles() -> Vec<Event> {
    let volley = |again, hit| Volley {
        shot: Shot { by: UnitId(0), at: UnitId(1) },
        dice: [4, 6],
        again,
        hit,
    };
    let volleys = vec![
        Volley { dice: [0, 0], ..volley(None, true) },
        Volley { dice: [3, 0], ..volley(Some([2, 0]), false) },
        volley(Some([5, 5]), true),
    ];
    let ships =
        Battle { subject: Subject::Ships, refuges: [None; 2], ..battle(BattleStage::GoesOn) };
    let mut events = vec![
        Event::Battle(BattleEvent::BattleBegan { battle: ships }),
        Event::Battle(BattleEvent::ColoniesAttacked {
            planets: vec![1],
            bases: battle(BattleStage::GoesOn).units[5..].to_vec(),
            faltered: vec![1],
        }),
        Event::Battle(BattleEvent::Aimed {
            seat: seat(1),
            shots: vec![Shot { by: UnitId(0), at: UnitId(9) }],
        }),
        Event::Battle(BattleEvent::Aimed { seat: seat(1), shots: Vec::new() }),
        Event::Battle(BattleEvent::Seized { volleys: volleys.clone(), destroyed: vec![UnitId(0)] }),
        Event::Battle(BattleEvent::RoundFought { volleys, destroyed: vec![UnitId(1)] }),
        Event::Battle(BattleEvent::Withdrawing { units: vec![UnitId(0), UnitId(2)] }),
        Event::Battle(BattleEvent::RefugeChosen { side: Side::Attacker, at: place("P17") }),
        Event::Battle(BattleEvent::RefugeChosen { side: Side::Defender, at: place("Q11") }),
        Event::Battle(BattleEvent::Conquered {
            planet: planet("Alcor", 0),
            owner: seat(2),
            by: seat(1),
        }),
        Event::Battle(BattleEvent::BattleEnded {
            at: place("P18"),
            left: [Fleet::new([1, 0, 0, 0, 0]), Fleet::NONE],
        }),
    ];
    events.extend(
        battle_stages()
            .into_iter()
            .map(|stage| Event::Battle(BattleEvent::BattleStageChanged { stage })),
    );
    events.extend(
        battle_stages()
            .into_iter()
            .map(|stage| Event::Battle(BattleEvent::BattleBegan { battle: battle(stage) })),
    );
    events
}

fn events_of_the_empire() -> Vec<Event> {
    let mut events = vec![
        FateEvent::WarChanged { war: true },
        FateEvent::WarChanged { war: false },
        FateEvent::Elevated { turn: 9 },
        FateEvent::DebtChanged { half_points: 5 },
        FateEvent::DebtChanged { half_points: 0 },
        FateEvent::SwarmsSought { red: 5, white: 2, star: star("Draconis"), orbit: Some(3) },
        FateEvent::SwarmsSought { red: 5, white: 2, star: star("Draconis"), orbit: None },
        FateEvent::SwarmsStruck { planet: planet("Draconis", 1), die: 4, factors: 30, stopped: 14 },
        FateEvent::IndependentFound { planet: planet("Draconis", 0), turn: 4 },
        FateEvent::PirateDie { star: star("Draconis"), die: 2 },
        FateEvent::PirateDie { star: star("Draconis"), die: 3 },
        FateEvent::DisengagementRolled { at: place("Q11"), difference: -4, die: 1, leave: true },
        FateEvent::DisengagementRolled { at: place("Q11"), difference: 4, die: 6, leave: false },
        FateEvent::Counted { of: Fate::pirates(), kind: ShipKind::Corvette, count: 3 },
        FateEvent::Counted { of: Fate::captain(), kind: ShipKind::Scout, count: 1 },
    ];
    for (red, white) in [(6, 6), (1, 3), (3, 1), (3, 5)] {
        let cell = planet_cell(red, white, PlanetType::Terran);
        events.push(FateEvent::PlanetRolled { planet: planet("Draconis", 1), red, white, cell });
    }
    for event in RandomEvent::ALL {
        events.push(FateEvent::EventRolled {
            red: 1,
            white: 6,
            event,
            effective: true,
            ships: 3,
            points: 9,
        });
        events.push(FateEvent::EventRolled {
            red: 1,
            white: 6,
            event,
            effective: false,
            ships: 0,
            points: 0,
        });
    }
    let directions = Direction::ALL;
    events.extend(
        directions.map(|direction| FateEvent::DirectionRolled { at: place("Q11"), direction }),
    );
    events.into_iter().map(Event::Fate).collect()
}

/// Every event there is, with every word in it.
pub(crate) fn events() -> Vec<Event> {
    let mut events = events_on_the_board();
    events.extend(events_of_powers());
    events.extend(events_of_colonies());
    events.extend(events_of_battles());
    events.extend(events_of_the_empire());
    events
}

#[test]
fn every_event_reads_back() {
    for event in events() {
        assert_eq!(StellarConquest::read_event(&StellarConquest::write_event(&event)), Ok(event));
    }
}

#[test]
fn every_order_reads_back() {
    let view = Scene::conquest(2).game.view(Viewer::Spectator);
    for line in crate::client::notation::tests::LINES {
        for order in StellarConquest::parse(&view, line).unwrap() {
            // Transports are built by emigration alone; the contract has no word for buying one.
            if line.ends_with("2 transports") {
                continue;
            }
            let message = StellarConquest::write_order(&order);
            assert_eq!(StellarConquest::read_order(&message), Ok(order), "{line}");
        }
    }
}

#[test]
fn options_read_back_and_default() {
    let all = Options {
        variant: Variant::Conquest,
        hidden_posts: true,
        private_battles: true,
        bases_use_improved_weaponry: true,
        attackable_shields: true,
        armed_scouts: true,
        fractional_growth: true,
    };
    let fate = Options { variant: Variant::FateOfEmpire, ..Options::default() };
    for options in [all, fate, Options::default()] {
        assert_eq!(
            StellarConquest::read_options(&StellarConquest::write_options(&options)),
            Ok(options)
        );
    }
    assert_eq!(StellarConquest::read_options(&proto::Options::default()), Ok(Options::default()));
    let wrong = proto::Options { variant: 99, ..proto::Options::default() };
    assert_eq!(StellarConquest::read_options(&wrong).unwrap_err().field, "variant");
}

#[test]
fn each_offer_plays_its_variant_and_refuses_another() {
    for edition in StellarConquest::editions() {
        assert_eq!(StellarConquest::edition_of(&edition.options), edition.id);
        let read = |message: &proto::Options| StellarConquest::read_options_of(&edition, message);
        assert_eq!(read(&proto::Options::default()), Ok(edition.options));
        assert_eq!(read(&StellarConquest::write_options(&edition.options)), Ok(edition.options));
        for other in StellarConquest::editions().iter().filter(|other| other.id != edition.id) {
            let fault = read(&StellarConquest::write_options(&other.options)).unwrap_err();
            assert_eq!(fault.field, "variant");
            assert!(fault.message.contains(edition.id));
        }
        let wrong = proto::Options { variant: 99, ..proto::Options::default() };
        assert_eq!(read(&wrong).unwrap_err().field, "variant");
    }
}

/// A game in which everything is on the board that a position can hold.
pub(crate) fn rich() -> StellarConquest {
    let mut scene = Scene::conquest(3);
    scene.explored(seat(1), "Alcor", 24);
    scene.explored(seat(2), "Hydrae", 44);
    scene.explored(seat(3), "Hydrae", 44);
    scene.explored(seat(1), "Sadir", 12);
    scene.ships(seat(1), "L18", &[(ShipKind::Corvette, 2), (ShipKind::Transport, 3)]);
    scene.ships(seat(2), "P18", &[(ShipKind::Fighter, 1)]);
    scene.ships(seat(3), "Q11", &[(ShipKind::Scout, 2)]);
    let marker = Marker::numbered(3);
    scene.happen(&Event::Own(OwnEvent::Formed {
        seat: seat(1),
        ships: vec![ShipNumber(1)],
        marker,
    }));
    scene.happen(&Event::Table(TableEvent::Grouped {
        groups: Grouping { seat: seat(1), at: place("L18"), groups: 2 },
    }));
    scene.colony(seat(1), "Alcor", 0, |colony| Colony { population: 20, factories: 5, ..colony });
    let hold = Hold::Occupied(Occupation { by: seat(2), waits: true });
    scene.colony(seat(3), "Hydrae", 1, |colony| Colony { hold, ..colony });
    scene.owns(seat(1), &[Tech::IndustrialTechnology, Tech::Speed3]);
    scene.owns(seat(2), &[Tech::Fighter]);
    scene.happen(&Event::Table(TableEvent::PostChanged {
        post: Post { seat: seat(1), star: star("Alcor") },
        up: true,
    }));
    scene.happen(&Event::Table(TableEvent::ColonyShown {
        colony: Post { seat: seat(1), star: star("Alcor") },
    }));
    scene.happen(&Event::Own(OwnEvent::Sighted {
        seat: seat(1),
        sighting: Sighting { turn: 1, ..sighting() },
    }));
    let glimpse = Glimpse { number: 1, star: star("Alcor"), of: seat(2), turn: 1 };
    scene.happen(&Event::Own(OwnEvent::Glimpsed { seat: seat(1), glimpse }));
    scene.happen(&Event::GlimpseKept { seat: seat(1), number: 1, sighting: sighting() });
    let seen = ColonySeen {
        owner: seat(3),
        conqueror: Some(seat(2)),
        shield: false,
        bases: None,
        people: None,
        turn: 1,
    };
    scene.happen(&Event::Own(OwnEvent::Surveyed {
        seat: seat(1),
        star: star("Sadir"),
        colonies: [Some(seen), None, None],
    }));
    scene.happen(&Event::Own(OwnEvent::Slain {
        seat: seat(1),
        killed: Killed { star: star("Alcor"), millions: 2 },
    }));
    assert_eq!(scene.game.check(), Ok(()));
    scene.game
}

#[test]
fn a_position_reads_back() {
    let game = rich();
    assert_eq!(StellarConquest::read_position(&game.write_position()), Ok(game));
    let fate = Scene::fate().game;
    assert_eq!(StellarConquest::read_position(&fate.write_position()), Ok(fate));
}

#[test]
fn views_read_back_for_every_viewer() {
    for game in [rich(), Scene::fate().game] {
        let seats = Seat::first(game.table().seats()).map(Viewer::Seat);
        for viewer in seats.chain([Viewer::Spectator, Viewer::GameMaster]) {
            let view = game.view(viewer);
            assert_eq!(
                StellarConquest::read_view(&StellarConquest::write_view(&view)),
                Ok(view),
                "{viewer:?}"
            );
        }
    }
}

#[test]
fn a_position_may_leave_out_what_can_be_filled_in() {
    let game = rich();
    let mut message = game.write_position();
    message.decided.clear();
    message.table.as_mut().unwrap().groups.clear();
    for power in &mut message.powers {
        (power.next_ship, power.next_colony) = (0, 0);
        power.ships.reverse();
        power.colonies.reverse();
        for colony in &mut power.colonies {
            (colony.planet_type, colony.capacity, colony.orbit, colony.mineral_rich) =
                (0, 0, 0, false);
        }
    }
    message.secrets.as_mut().unwrap().decks.clear();
    let read = StellarConquest::read_position(&message).unwrap();
    assert_eq!(read.table(), game.table());
    assert_eq!(read.power(seat(1)), game.power(seat(1)));
    let blue: Vec<u32> =
        read.truth().secrets.decks[0].iter().rev().map(|card| card.number()).collect();
    assert_eq!(blue, (1..=11).collect::<Vec<u32>>());
}

fn fault(change: impl FnOnce(&mut proto::Position)) -> Malformed {
    let mut message = rich().write_position();
    change(&mut message);
    StellarConquest::read_position(&message).unwrap_err()
}

fn table(message: &mut proto::Position) -> &mut proto::Table {
    message.table.as_mut().unwrap()
}

#[test]
fn a_wrong_position_names_its_field() {
    assert_eq!(fault(|message| message.table = None).field, "table");
    assert_eq!(fault(|message| table(message).players = 9).field, "table.players");
    assert_eq!(fault(|message| table(message).turn = 45).field, "table.turn");
    assert_eq!(fault(|message| table(message).order = vec![1, 2, 9]).field, "table.order[2]");
    assert_eq!(
        fault(|message| table(message).entries[1] = "Z99".to_owned()).field,
        "table.entries[1]"
    );
    assert_eq!(fault(|message| table(message).stage = None).field, "table.stage");
    assert_eq!(
        fault(|message| table(message).fate = Some(proto::Fate::default())).field,
        "table.fate"
    );
    assert_eq!(fault(|message| table(message).posts[0].seat = 2).field, "table.posts");
    assert_eq!(fault(|message| message.powers.truncate(2)).field, "powers");
    assert_eq!(
        fault(|message| message.powers[0].ships[1].at = "Sol".to_owned()).field,
        "powers[0].ships[1].at"
    );
    assert_eq!(
        fault(|message| message.powers[0].ships[1].kind = 77).field,
        "powers[0].ships[1].kind"
    );
    assert_eq!(fault(|message| message.powers[0].ships[1].number = 1).field, "powers[0].ships");
    assert_eq!(fault(|message| message.powers[0].ships[4].steps = 9).field, "powers[0].ships");
    assert_eq!(
        fault(|message| message.powers[0].next_ship = u32::MAX).field,
        "powers[0].next_ship"
    );
    assert_eq!(
        fault(|message| message.powers[0].colonies[0].population = 0).field,
        "powers[0].colonies"
    );
    assert_eq!(
        fault(|message| message.powers[0].colonies[0].hold = 3).field,
        "powers[0].colonies[0].hold"
    );
    assert_eq!(
        fault(|message| message.powers[0].colonies[0].population = 70_000).field,
        "powers[0].colonies[0].population"
    );
    assert_eq!(fault(|message| message.powers[1].prizes.clear()).field, "powers[1].prizes");
    assert_eq!(fault(|message| message.powers[0].sightings[0].seat = 4).field, "powers");
    assert_eq!(fault(|message| message.secrets.as_mut().unwrap().decks[0] = 78).field, "secrets");
    assert_eq!(
        fault(|message| message.secrets.as_mut().unwrap().cards[0].card = 79).field,
        "secrets.cards[0].card"
    );
    assert_eq!(fault(|message| message.decided = vec![0; 9]).field, "decided");
}

#[test]
fn lists_of_strangers_have_a_limit() {
    let ships = vec![1; ROWS_MAX + 1];
    let kind = Some(proto::order::Kind::Recall(proto::Recall { ships }));
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind }).unwrap_err().field,
        "recall.ships"
    );
    let colonies = vec![proto::ColonyPlan::default(); crate::state::sheet::LINES_MAX + 1];
    let kind =
        Some(proto::order::Kind::Produce(proto::Produce { colonies, ..proto::Produce::default() }));
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind }).unwrap_err().field,
        "produce.colonies"
    );
    assert_eq!(
        StellarConquest::read_order(&proto::Order { kind: None }).unwrap_err().field,
        "kind"
    );
}

#[test]
fn a_view_shows_planets_of_known_cards_and_the_score_of_the_captain() {
    let message = StellarConquest::write_view(&rich().view(Viewer::Seat(seat(1))));
    let charts = message.power.unwrap().charts;
    let alcor = charts.iter().find(|chart| chart.star == "Alcor").unwrap();
    assert_eq!((alcor.card, alcor.planets.len(), alcor.planets[0].capacity), (24, 2, 80));
    assert!(message.score.is_none());
    let fate = Scene::fate().game;
    let score =
        |viewer| StellarConquest::write_view(&fate.view(viewer)).score.map(|score| score.total);
    assert_eq!(score(Viewer::Seat(Fate::captain())), Some(0));
    assert_eq!(score(Viewer::GameMaster), Some(0));
    assert_eq!((score(Viewer::Seat(Fate::pirates())), score(Viewer::Spectator)), (None, None));
}

#[test]
fn place_names_are_read_in_any_case() {
    let read = |name: &str| Place::read(&name.to_owned());
    assert_eq!(read("p18"), Ok(Place::named("P18")));
    assert!(read("").is_err());
    assert_eq!(Option::<Place>::read(&String::new()), Ok(None));
}
