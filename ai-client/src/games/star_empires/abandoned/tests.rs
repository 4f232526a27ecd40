//! One test per rule of notes 15, and situations 76 to 80.

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::{
    Amount, Class, Coord, Design, EmpireView, GrantSeen, Hull, Line, Name, Navigation, PortalSeen,
    Ratings, Scans, Selection, Siege, Spot, Strength,
};

use super::sheet;
use crate::games::star_empires::samples::{
    class, foreign, load, name, ship, ships, view_with, visible, world,
};

const HERE: (i16, i16) = (5, 5);

fn lines(fill: impl FnOnce(&mut EmpireView)) -> Vec<Line> {
    sheet(&view_with(fill)).lines
}

fn listed(selection: &Selection) -> Vec<Name> {
    match selection {
        Selection::Ships(names) => names.clone(),
        Selection::All { .. } => panic!("default orders name ships"),
    }
}

fn fires(lines: &[Line]) -> Vec<(Vec<Name>, Name)> {
    let fire = |line: &Line| match line {
        Line::Fire { ships, at, .. } => Some((listed(ships), at[0])),
        _ => None,
    };
    lines.iter().filter_map(fire).collect()
}

fn moves(lines: &[Line]) -> Vec<(Vec<Name>, Coord)> {
    let go = |line: &Line| match line {
        Line::Move { ships, to: Spot::At(to) } => Some((listed(ships), *to)),
        _ => None,
    };
    lines.iter().filter_map(go).collect()
}

fn destructs(lines: &[Line]) -> Vec<Name> {
    let destruct = |line: &Line| match line {
        Line::Destruct { ships } => Some(listed(ships)),
        _ => None,
    };
    lines.iter().filter_map(destruct).flatten().collect()
}

fn unloads(lines: &[Line]) -> Vec<Name> {
    let unload = |line: &Line| match line {
        Line::Unload { ships } => Some(ships.clone()),
        _ => None,
    };
    lines.iter().filter_map(unload).flatten().collect()
}

fn loads(lines: &[Line]) -> Vec<(Name, Name)> {
    let load = |line: &Line| match line {
        Line::Load { ships, carrier } => Some((ships[0], *carrier)),
        _ => None,
    };
    lines.iter().filter_map(load).collect()
}

fn builds(lines: &[Line]) -> Vec<(&'static str, u32)> {
    let names = ["carrier", "nuke", "fighter", "station", "gunship", "battleship", "probe"];
    let build = |line: &Line| match line {
        Line::Build { class, count: Amount::Number(count), .. } => {
            names.into_iter().find(|text| name(text) == *class).map(|text| (text, *count))
        }
        _ => None,
    };
    lines.iter().filter_map(build).collect()
}

fn special(own: &mut EmpireView, text: &str, guns: u16, dp: u16) -> Class {
    let ratings = Ratings::new(guns, dp, 2, 0, 0);
    let class = Design::Ship(Hull::Gunship, ratings).class(name(text)).unwrap();
    own.classes.push(class);
    class
}

fn home(own: &mut EmpireView) -> Name {
    world(own, (0, 0), "Home", 12, Some(0));
    ship(own, (0, 0), "station")
}

#[test]
fn situation_76_ships_between_worlds_wait_a_turn_then_go_home() {
    for turns in [1, 2, 3] {
        let mut both = Vec::new();
        let lines = lines(|own| {
            home(own);
            both = vec![ship(own, HERE, "battleship"), ship(own, HERE, "probe")];
            own.status.abandoned_turns = turns;
        });
        let expected = if turns == 1 { vec![] } else { vec![(vec![both[0]], Coord::new(3, 3))] };
        assert_eq!(moves(&lines), expected, "k = {turns}: the probe holds (R73)");
    }
}

#[test]
fn situation_77_doomed_ships_self_destruct() {
    let mut own_ships = Vec::new();
    let lines = lines(|own| {
        home(own);
        world(own, HERE, "Ember", 5, Some(1));
        for (guns, dp) in [(20, 20), (10, 10), (5, 10), (1, 1)] {
            let class = special(own, &format!("s{guns}"), guns, dp);
            own_ships.extend(ships(own, HERE, &class, 1));
        }
        foreign(own, HERE, 1, "battleship", 40);
    });
    assert_eq!(
        destructs(&lines),
        own_ships[..2],
        "35 guns: 20 and 10, and 5 are left for a ship of 10"
    );
    assert_eq!(fires(&lines), []);
    let gone: Vec<Name> = moves(&lines).into_iter().flat_map(|(ships, _)| ships).collect();
    assert_eq!(gone, own_ships[2..]);
}

#[test]
fn situation_78_ships_fight_if_they_can_win() {
    let mut own_ships = Vec::new();
    let lines = lines(|own| {
        home(own);
        world(own, HERE, "Ember", 5, Some(1));
        own_ships = ships(own, HERE, &class("gunship"), 2);
        foreign(own, HERE, 1, "battleship", 40);
    });
    assert_eq!(fires(&lines), [(own_ships, name("Beta"))]);
    assert_eq!(destructs(&lines), []);
    assert_eq!(moves(&lines), []);
}

#[test]
fn situation_79_the_weaker_enemy_is_the_first_target() {
    let lines = lines(|own| {
        home(own);
        foreign(own, (0, 0), 2, "battleship", 30);
        foreign(own, (0, 0), 1, "gunship", 10);
        foreign(own, (0, 0), 1, "probe", 1);
        foreign(own, (0, 0), 1, "probe", 1);
    });
    let targets: Vec<Name> = fires(&lines).into_iter().map(|(_, target)| target).collect();
    assert_eq!(targets, [name("Beta"), name("Gamma")], "12 before 30 damage points");
}

#[test]
fn situation_80_builds_alternate_between_damage_points_and_guns() {
    let built = |stock| {
        let lines = lines(|own| {
            home(own);
            own.chart.worlds[0].stockpile = Some(stock);
        });
        builds(&lines)
    };
    assert_eq!(built(12), [("carrier", 1), ("nuke", 1), ("fighter", 1)]);
    assert_eq!(built(45), [("station", 1), ("gunship", 1), ("fighter", 3), ("nuke", 2)]);
    assert_eq!(built(0), []);
}

#[test]
fn step_1_all_except_missiles_unload_and_fire_at_friendly_worlds() {
    let (mut fighter, mut nuke, mut carrier) = (Name::NONE, Name::NONE, Name::NONE);
    let enemy = |own: &mut EmpireView| foreign(own, (0, 0), 1, "battleship", 40);
    let lines = lines(|own| {
        home(own);
        (carrier, fighter, nuke) =
            (ship(own, (0, 0), "carrier"), ship(own, (0, 0), "fighter"), ship(own, (0, 0), "nuke"));
        load(own, fighter, carrier);
        load(own, nuke, carrier);
        enemy(own);
    });
    assert_eq!(unloads(&lines), [fighter]);
    let (attackers, target) = &fires(&lines)[0];
    assert!(
        attackers.contains(&fighter) && attackers.contains(&carrier) && !attackers.contains(&nuke),
        "R72"
    );
    assert_eq!(*target, name("Beta"));
    assert_eq!(moves(&lines), [], "nobody leaves");
}

#[test]
fn r69_only_uncontested_unowned_worlds_are_friendly() {
    let lines_with = |enemy: bool| {
        lines(|own| {
            home(own);
            world(own, HERE, "Ember", 5, None);
            let carrier = ship(own, HERE, "carrier");
            let fighter = ship(own, HERE, "fighter");
            load(own, fighter, carrier);
            if enemy {
                foreign(own, HERE, 1, "battleship", 40);
            }
        })
    };
    assert_eq!(unloads(&lines_with(false)).len(), 1);
    assert_eq!(moves(&lines_with(false)), []);
    assert_eq!(unloads(&lines_with(true)), [], "foreign: the carrier is doomed with its cargo");
    assert_eq!(destructs(&lines_with(true)).len(), 1);
}

#[test]
fn allies_are_not_attacked_unless_they_fired() {
    let lines_with = |shot: bool| {
        lines(|own| {
            home(own);
            foreign(own, (0, 0), 1, "probe", 1);
            own.status.allies = SeatSet::one(Seat::at(1));
            own.status.attacked_by = if shot { SeatSet::one(Seat::at(1)) } else { SeatSet::EMPTY };
        })
    };
    assert_eq!(fires(&lines_with(false)), []);
    assert_eq!(fires(&lines_with(true)).len(), 1);
}

#[test]
fn step_2a_only_decisive_missiles_are_used() {
    let (mut gunship, mut nukes) = (Name::NONE, Vec::new());
    let lines = lines(|own| {
        home(own);
        world(own, HERE, "Ember", 5, Some(1));
        gunship = ship(own, HERE, "gunship");
        let carrier = ship(own, HERE, "carrier");
        nukes = ships(own, HERE, &class("nuke"), 2);
        load(own, nukes[0], carrier);
        load(own, nukes[1], carrier);
        foreign(own, HERE, 1, "battleship", 31);
    });
    // 20 + 5 guns: one missile of 8 is enough for the rest.
    assert_eq!(unloads(&lines), nukes[..1]);
    let (attackers, _) = &fires(&lines)[0];
    assert!(
        attackers.contains(&gunship)
            && attackers.contains(&nukes[0])
            && !attackers.contains(&nukes[1])
    );
    assert_eq!(loads(&lines), []);
}

#[test]
fn step_2c_armed_ships_return_fire_if_none_is_doomed() {
    let lines_with = |shot: bool| {
        lines(|own| {
            home(own);
            world(own, HERE, "Ember", 5, Some(1));
            ship(own, HERE, "battleship");
            foreign(own, HERE, 1, "battleship", 39);
            foreign(own, HERE, 2, "probe", 1);
            own.status.attacked_by = if shot { SeatSet::one(Seat::at(1)) } else { SeatSet::EMPTY };
        })
    };
    let struck = lines_with(true);
    assert_eq!(fires(&struck).iter().map(|(_, at)| *at).collect::<Vec<_>>(), [name("Beta")]);
    assert_eq!(moves(&struck), []);
    let quiet = lines_with(false);
    assert_eq!(fires(&quiet), []);
    assert_eq!(moves(&quiet).len(), 1, "36 guns cannot destroy 40 damage points: it goes");
}

#[test]
fn step_3_targets_elsewhere_are_targets_between_worlds_too() {
    let lines_with = |war: bool| {
        lines(|own| {
            home(own);
            ship(own, HERE, "battleship");
            foreign(own, HERE, 1, "probe", 1);
            if war {
                foreign(own, (0, 0), 1, "probe", 1);
            }
        })
    };
    assert_eq!(fires(&lines_with(false)), []);
    assert_eq!(fires(&lines_with(true)).len(), 2, "R71");
}

#[test]
fn step_5_the_way_home_uses_portals_if_shorter() {
    let portals = |own: &mut EmpireView, collapsed: bool| {
        for (at, text) in [((6, 6), "Charon"), ((0, 1), "Styx")] {
            let at = Coord::new(at.0, at.1);
            let collapsed = Some(collapsed && text == "Charon");
            own.chart.portals.push(PortalSeen { at, name: name(text), collapsed });
        }
        let data =
            |portal: &str, exit: &str| Navigation { portal: name(portal), exits: vec![name(exit)] };
        own.navigation = vec![data("Charon", "Styx"), data("Styx", "Charon")];
    };
    let lines_with = |collapsed| {
        lines(|own| {
            home(own);
            ship(own, HERE, "battleship");
            own.status.abandoned_turns = 2;
            portals(own, collapsed);
        })
    };
    let through = lines_with(false);
    assert_eq!(moves(&through)[0].1, Coord::new(6, 6));
    let hop = through.iter().any(
        |line| matches!(line, Line::Traverse { entry, exit, .. } if *entry == name("Charon") && *exit == Some(name("Styx"))),
    );
    assert!(hop);
    assert_eq!(moves(&lines_with(true))[0].1, Coord::new(3, 3));
}

#[test]
fn step_5_without_an_own_world_ships_hold() {
    let lines = lines(|own| {
        ship(own, HERE, "battleship");
        own.status.abandoned_turns = 5;
    });
    assert_eq!(lines.iter().filter(|line| matches!(line, Line::Move { .. })).count(), 0);
}

#[test]
fn step_6_missiles_are_loaded_where_most_racks_are_free() {
    let (mut nukes, mut carrier) = (Vec::new(), Name::NONE);
    let lines = lines(|own| {
        home(own);
        ship(own, (0, 0), "battleship");
        carrier = ship(own, (0, 0), "carrier");
        nukes = ships(own, (0, 0), &class("nuke"), 6);
    });
    let loaded = loads(&lines);
    assert_eq!(loaded.len(), 5);
    assert_eq!(loaded.iter().map(|(missile, _)| *missile).collect::<Vec<_>>(), nukes[..5]);
    assert_eq!(loaded.iter().filter(|(_, onto)| *onto == carrier).count(), 2);
}

fn beside_an_unknown_ship(strength: Option<(u16, u16)>) -> (Name, Vec<Line>) {
    let mut gunship = Name::NONE;
    let lines = lines(|own| {
        home(own);
        world(own, HERE, "Ember", 5, Some(1));
        gunship = ship(own, HERE, "gunship");
        foreign(own, HERE, 1, "battleship", 40);
        let met = own.chart.ships.last_mut().unwrap();
        (met.class, met.dp, met.tonnage) = (name("enigma"), None, 50);
        let serial = met.serial;
        own.strengths.extend(strength.map(|(guns, dp)| Strength {
            owner: Seat::at(1),
            serial,
            hull: Hull::Gunship,
            guns,
            dp,
        }));
    });
    (gunship, lines)
}

#[test]
fn r67_default_orders_use_the_true_strength_of_unknown_classes() {
    let (gunship, guessed) = beside_an_unknown_ship(None);
    assert_eq!(destructs(&guessed), [gunship], "it weighs 50 tonnes");
    let (gunship, known) = beside_an_unknown_ship(Some((5, 20)));
    assert_eq!((fires(&known), destructs(&known)), (vec![(vec![gunship], name("Beta"))], vec![]));
    let (gunship, strong) = beside_an_unknown_ship(Some((10, 21)));
    assert_eq!((fires(&strong), destructs(&strong)), (vec![], vec![gunship]));
    let (_, weak) = beside_an_unknown_ship(Some((9, 21)));
    assert_eq!((destructs(&weak), moves(&weak).len()), (vec![], 1));
}

#[test]
fn notes_8_3_own_ships_of_a_forgotten_class_are_known_and_repaired() {
    let mut damaged = Name::NONE;
    let lines = lines(|own| {
        home(own);
        own.chart.worlds[0].stockpile = Some(4);
        own.classes.clear();
        own.unknown_own_classes = vec![class("battleship"), class("station")];
        damaged = ship(own, HERE, "battleship");
        own.ships[1].dp = 20;
    });
    assert!(lines.contains(&Line::Repair {
        ship: damaged,
        dp: Amount::Max,
        worlds: vec![name("Home")]
    }));
}

#[test]
fn rules_6_6_1_and_6_6_2_builds_and_repairs_are_ordered_during_sieges() {
    let mut damaged = Name::NONE;
    let lines = lines(|own| {
        home(own);
        own.chart.worlds[0].stockpile = Some(40);
        own.chart.worlds[0].siege = Some(Siege::Interdicted);
        world(own, HERE, "Ember", 5, Some(0));
        own.chart.worlds[1].stockpile = Some(3);
        // With 3 RU, an empire that knows only battleships cannot build anything.
        own.classes.retain(|class| class.name == name("battleship"));
        damaged = ship(own, HERE, "battleship");
        own.ships[1].dp = 20;
    });
    assert_eq!(builds(&lines), [("battleship", 1)], "28 of 40 RU, if the siege is over");
    let repairs: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            Line::Repair { ship, dp: Amount::Max, worlds } => Some((*ship, worlds.clone())),
            _ => None,
        })
        .collect();
    assert_eq!(repairs, [(damaged, vec![name("Ember")]), (damaged, vec![name("Home")])]);
}

#[test]
fn the_sheet_denies_scans_but_does_not_conceal_or_pool() {
    let lines = lines(|own| {
        home(own);
        world(own, HERE, "Ember", 5, Some(0));
        visible(own, (2, 2));
        own.ships[0].public = true;
        own.empires[1].contact = false;
        let to = Seat::at(2);
        own.status.grants = vec![GrantSeen {
            to,
            all: true,
            sectors: Vec::new(),
            ships: Vec::new(),
            classes: Vec::new(),
        }];
    });
    assert!(lines.contains(&Line::Deny { scans: Scans::All, to: vec![name("Gamma")] }));
    let others = |line: &Line| {
        matches!(
            line,
            Line::Toggle { .. }
                | Line::Conceal { .. }
                | Line::Pool { .. }
                | Line::Transfer { .. }
                | Line::Design { .. }
                | Line::Give { .. }
                | Line::Transmit { .. }
                | Line::Authorize { .. }
        )
    };
    assert!(!lines.iter().any(others), "none of these are default orders");
}

#[test]
fn a_viewer_without_a_seat_gets_an_empty_sheet() {
    let mut view = view_with(|_| {});
    view.insight = heliopause_star_empires::Insight::Spectator;
    assert_eq!(sheet(&view).lines, []);
}
