//! Notes 4.1 to 4.3: tests of the check at submission. Empire 1 is KRATOS, in contact with
//! CULTURE, whose ships are near the portal Charon. KRATOS has not heard of HIDDEN.

use heliopause_kernel::{Actor, Dice, Game, Seat, SeatSet};

use crate::class::{Class, Design};
use crate::geometry::Sector;
use crate::hull::{Hull, Ratings};
use crate::ids::{Id, PortalId, ShipId};
use crate::objects::Siege;
use crate::order::{Line, Order};
use crate::phases::first_map;
use crate::position::StarEmpires;
use crate::reason::{Reason, Verdict};
use crate::ship::{Carrier, Code, Ship};
use crate::testing::{Site, name};
use crate::text::parse_sheet;

const KRATOS: usize = 0;

fn ship<'a>(game: &'a mut StarEmpires, ship: &str) -> &'a mut Ship {
    game.galaxy.ships.iter_mut().find(|other| other.name == name(ship)).unwrap()
}

fn load(game: &mut StarEmpires, cargo: &str, carrier: &str) {
    let place = game.galaxy.ships.iter().position(|ship| ship.name == name(carrier)).unwrap();
    ship(game, cargo).carrier = Some(Carrier::new(ShipId::at(place)));
}

fn game() -> StarEmpires {
    let mut site = Site::new(3);
    for (world, at, owner) in
        [("Alpha", (0, 0), "A"), ("Beta", (2, 0), "A"), ("Gamma", (1, 0), "B")]
    {
        site.world(world, at, owner, 5, 30);
    }
    site.homeworld("Alpha");
    for (portal, at) in [("Charon", (1, 0)), ("Styx", (5, 5)), ("Secret", (6, 6))] {
        site.portal(portal, at);
    }
    site.connect("Charon", "Styx");
    site.connect("Styx", "Charon");
    for (ship, class, at) in [
        ("Base", "starbase", (0, 0)),
        ("Lion Tiger", "gunship", (0, 0)),
        ("Mule", "carrier", (0, 0)),
        ("Ant", "fighter", (0, 0)),
        ("Bolt", "nuke", (0, 0)),
        ("Dove", "probe", (1, 0)),
    ] {
        site.ships("A", ship, class, at);
    }
    site.ships("B", "Wolf", "gunship", (1, 0));
    site.ships("C", "Ghost", "gunship", (9, 9));
    let galaxy = site.galaxy();
    for (empire, (text, code)) in
        galaxy.empires.iter_mut().zip([("KRATOS", "KR"), ("CULTURE", "CU"), ("HIDDEN", "HI")])
    {
        (empire.name, empire.code) = (name(text), code.parse::<Code>().unwrap());
    }
    for ship in &mut galaxy.ships {
        ship.serial = ship.serial.with_code(galaxy.empires[ship.owner.index()].code);
    }
    let known = SeatSet::one(Seat::at(1));
    (galaxy.empires[0].contacts, galaxy.empires[0].known_empires) = (known, known);
    galaxy.compact_ships();
    let mut game = site.game;
    first_map(&mut game);
    assert_eq!(game.integrity(), Ok(()));
    game
}

/// Returns `+` (accepted), `?` (warned) or `!` (rejected) and the first remark for each line.
fn told(game: &StarEmpires, text: &str) -> Vec<String> {
    // The first line is accepted, so the sheet is never refused as a whole.
    let sheet = parse_sheet(&format!("POOL Alpha\n{text}")).unwrap();
    let (_, checks) = game.check_sheet(Seat::at(KRATOS), &sheet).unwrap();
    let tell = |check: &crate::reason::Check| {
        let sign = match check.verdict {
            Verdict::Accepted => "+",
            Verdict::Warned => "?",
            Verdict::Rejected => "!",
        };
        let remark =
            check.remarks.first().map(|remark| format!("{} {}", remark.item, remark.reason));
        format!("{sign}{}", remark.unwrap_or_default())
    };
    checks[1..].iter().map(tell).collect()
}

fn verdict(game: &StarEmpires, text: &str) -> String {
    told(game, text).pop().unwrap()
}

#[test]
fn plain_orders_are_accepted() {
    let game = game();
    let lines = "LOAD Ant ONTO Mule\nDESTRUCT Tiger\nFIRE Dove AT CULTURE\nMOVE Lion TO \
        (2,0)\nTRAVERSE Dove THROUGH Charon\n\
        DESIGN Alpha frigate gunship 20 15 4 2 0\nGIVE gunship TO CU\nBUILD Alpha 2 gunship \
        fox*\nTOGGLE PUBLIC ALL\n\
        CONCEAL Lion @probe FROM CULTURE\nIDENTIFY ALL TO CULTURE\nPOOL Beta EXCEPT \
        Alpha\nTRANSFER Alpha 6 Beta\n\
        TRANSFER Alpha 6 Gamma CULTURE\nAUTHORIZE ALL TO CULTURE\nAUTHORIZE @Gamma (3,3) TO \
        CU\nMOVE @Alpha EXCEPT Mule TO Charon";
    assert!(told(&game, lines).iter().all(|line| line == "+"), "{:?}", told(&game, lines));
}

#[test]
fn situation_6_ratings_that_no_hull_allows_are_rejected() {
    let game = game();
    for design in [
        "scout 6 1 3 3 0",
        "scout 1 1 3 3 2",
        "orbital 30 40 1 1 2",
        "wing 5 5 0 1 0",
        "gunship 0 10 2 0 0",
        "gunship 20 0 2 0 0",
        "missile 8 0",
        "missile 0 1",
    ] {
        assert_eq!(
            verdict(&game, &format!("DESIGN Alpha new {design}")),
            "!new bad-rating",
            "{design}"
        );
    }
    assert_eq!(verdict(&game, "DESIGN Alpha new capital_ship 9999 1 1 1 1"), "!new too-big");
    assert_eq!(verdict(&game, "DESIGN Alpha gunship scout 1 1 3 3 0"), "!gunship bad-name");
    assert_eq!(verdict(&game, "DESIGN Alpha nuke scout 1 1 3 3 0"), "!nuke name-taken");
    assert_eq!(verdict(&game, "DESIGN Gamma new scout 1 1 3 3 0"), "?Gamma world-not-owned");
}

#[test]
fn situation_35_unable_ships_are_warned_and_own_targets_rejected() {
    let mut game = game();
    load(&mut game, "Ant", "Mule");
    assert_eq!(verdict(&game, "FIRE Ant AT CULTURE"), "?Ant loaded");
    assert_eq!(told(&game, "UNLOAD Ant\nFIRE Ant AT CULTURE")[1], "? no-targets");
    assert_eq!(verdict(&game, "FIRE Lion AT KRATOS"), "!KRATOS own-empire");
    assert_eq!(verdict(&game, "FIRE Lion AT kr"), "!kr own-empire");
    assert_eq!(verdict(&game, "FIRE Bolt AT CULTURE"), "?Bolt missile-not-ready");
    assert_eq!(verdict(&game, "FIRE Lion AT CULTURE"), "? no-targets");
    ship(&mut game, "Dove").class = game.galaxy.class_named(name("battleship")).unwrap();
    ship(&mut game, "Dove").dp = 1;
    assert_eq!(verdict(&game, "FIRE Dove AT CULTURE"), "+", "35 guns at 1 of 40 are 6");
    assert_eq!(verdict(&game, "DESTRUCT Lion\nFIRE Lion AT CULTURE"), "?Lion self-destructing");
}

#[test]
fn handles_are_own_live_ships_by_name_or_serial_number_in_any_case() {
    let mut game = game();
    let serial = ship(&mut game, "Lion").serial;
    let wolf = ship(&mut game, "Wolf").serial;
    let ghost = ship(&mut game, "Ghost").serial;
    assert_eq!(verdict(&game, &format!("MOVE {} TO (1,0)", serial.as_str().to_lowercase())), "+");
    assert_eq!(verdict(&game, "MOVE lION TO (1,0)"), "+");
    assert_eq!(verdict(&game, "MOVE Nobody TO (1,0)"), "!Nobody unknown-name");
    assert_eq!(verdict(&game, "MOVE Wolf TO (1,0)"), "!Wolf not-yours");
    assert_eq!(verdict(&game, &format!("UNLOAD {wolf}")), format!("!{wolf} not-yours"));
    assert_eq!(verdict(&game, "UNLOAD Ghost"), "!Ghost unknown-name");
    assert_eq!(verdict(&game, &format!("UNLOAD {ghost}")), format!("!{ghost} unknown-name"));
}

#[test]
fn loads_are_warned_of_obstacles() {
    let mut game = game();
    assert_eq!(verdict(&game, "LOAD Mule ONTO Mule"), "!Mule self-load");
    assert_eq!(verdict(&game, "UNLOAD Lion"), "?Lion not-loaded");
    assert_eq!(verdict(&game, "LOAD Lion ONTO Mule"), "?Lion no-racks");
    assert_eq!(verdict(&game, "LOAD Dove ONTO Mule"), "?Dove wrong-sector");
    assert_eq!(verdict(&game, "LOAD Ant Bolt ONTO Mule"), "+");
    assert_eq!(verdict(&game, "LOAD Ant ONTO Mule\nLOAD Bolt ONTO Mule"), "+");
    load(&mut game, "Ant", "Mule");
    assert_eq!(verdict(&game, "LOAD Ant ONTO Base"), "?Ant already-loaded");
    assert_eq!(told(&game, "UNLOAD Ant\nLOAD Ant ONTO Base")[1], "+", "R17");
    assert_eq!(verdict(&game, "LOAD Mule ONTO Base"), "?Mule nested-load");
    assert_eq!(verdict(&game, "LOAD Bolt ONTO Ant"), "?Ant nested-load");
    assert_eq!(verdict(&game, "MOVE Ant TO (1,0)"), "?Ant loaded");
}

#[test]
fn moves_are_warned_and_groups_must_be_in_one_sector() {
    let mut game = game();
    assert_eq!(verdict(&game, "MOVE Lion Dove TO (1,0)"), "!Dove wrong-sector");
    assert_eq!(verdict(&game, "FIRE Lion Dove AT CULTURE"), "!Dove wrong-sector");
    assert_eq!(verdict(&game, "TRAVERSE Lion Dove THROUGH Charon"), "?Lion not-at-portal");
    assert_eq!(told(&game, "MOVE Lion TO Charon\nTRAVERSE Lion Dove THROUGH Charon")[1], "+");
    assert_eq!(told(&game, "MOVE @Alpha TO (1,0)\nTRAVERSE Lion THROUGH Charon")[1], "+");
    assert_eq!(verdict(&game, "MOVE Lion TO (3,0)"), "?Lion too-far");
    assert_eq!(verdict(&game, "MOVE Base TO (1,0)"), "?Base no-engines");
    assert_eq!(verdict(&game, "MOVE Lion TO (1,0)\nMOVE Lion TO (2,0)"), "?Lion already-moved");
    assert_eq!(verdict(&game, "FIRE Lion AT CULTURE\nMOVE Lion TO (1,0)"), "?Lion fired");
    assert_eq!(verdict(&game, "MOVE Lion TO Nowhere"), "!Nowhere unknown-name");
    assert_eq!(verdict(&game, "MOVE @Nowhere TO (1,0)"), "!Nowhere unknown-name");
    assert_eq!(verdict(&game, "DESTRUCT (7,7) EXCEPT Wolf"), "!Wolf not-yours");
    // R44: the bounds of space are not a separate reason.
    assert_eq!(verdict(&game, "MOVE Lion TO (32767,-32768)"), "?Lion too-far");
    // Frigates at 4/15 are repaired to 5/15 before they move: two engines (situation 40).
    let frigate =
        Design::Ship(Hull::Gunship, Ratings::new(20, 15, 4, 2, 0)).class(name("frigate")).unwrap();
    game.galaxy.classes.push(frigate);
    let class = game.galaxy.class_named(name("frigate")).unwrap();
    (ship(&mut game, "Lion").class, ship(&mut game, "Lion").dp) = (class, 4);
    assert_eq!(verdict(&game, "MOVE Lion TO (2,0)"), "+");
    assert_eq!(verdict(&game, "MOVE Lion TO (3,0)"), "?Lion too-far");
}

#[test]
fn recipients_must_be_contacts_and_unknown_empires_look_absent() {
    let mut game = game();
    for line in [
        "TRANSMIT Charon TO",
        "GIVE gunship TO",
        "CONCEAL ALL FROM",
        "IDENTIFY ALL TO",
        "TRANSFER Alpha 1 Gamma",
        "DENY ALL TO",
        "AUTHORIZE ALL TO",
    ] {
        assert_eq!(verdict(&game, &format!("{line} HIDDEN")), "!HIDDEN unknown-name", "{line}");
        assert_eq!(verdict(&game, &format!("{line} NOBODY")), "!NOBODY unknown-name", "{line}");
    }
    game.galaxy.empires[0].contacts = SeatSet::EMPTY;
    assert_eq!(verdict(&game, "GIVE gunship TO CULTURE"), "!CULTURE no-contact");
    assert_eq!(verdict(&game, "FIRE Dove AT CULTURE"), "+", "R59: it is on the map");
    assert_eq!(verdict(&game, "AUTHORIZE ALL TO KRATOS"), "!KRATOS own-empire");
}

#[test]
fn contingent_names_get_the_same_answer_whether_or_not_they_exist() {
    let mut game = game();
    game.galaxy.empires[0].navigation.insert(PortalId(0));
    for exit in ["Secret", "Nothing", "Styx"] {
        assert_eq!(
            verdict(&game, &format!("TRAVERSE Dove THROUGH Charon {exit}")),
            format!("?{exit} no-navdata")
        );
        assert_eq!(
            verdict(&game, &format!("TRAVERSE Dove THROUGH {exit}")),
            format!("!{exit} unknown-name")
        );
        assert_eq!(
            verdict(&game, &format!("TRANSMIT {exit} TO CU")),
            format!("!{exit} unknown-name")
        );
    }
    let secret = Class { name: name("dread"), ..*game.galaxy.class(crate::ids::ClassId(1)) };
    game.galaxy.classes.push(secret);
    for class in ["dread", "nothing"] {
        assert_eq!(
            verdict(&game, &format!("BUILD Alpha 1 {class}")),
            format!("?{class} unknown-class")
        );
        assert_eq!(
            verdict(&game, &format!("GIVE {class} TO CU")),
            format!("?{class} unknown-class")
        );
        assert_eq!(
            verdict(&game, &format!("DESIGN Alpha {class} scout 1 1 3 3 0")),
            "+",
            "R38: found out when it is made"
        );
    }
    for later in ["TOGGLE PUBLIC", "AUTHORIZE", "CONCEAL", "IDENTIFY"] {
        let to = match later {
            "AUTHORIZE" | "IDENTIFY" => " TO CU",
            "CONCEAL" => " FROM CU",
            _ => "",
        };
        for (ship, build) in [("New", "New"), ("Lion", "Lion"), ("fox12", "fox*"), ("FOX7", "fox*")]
        {
            let line = format!("{later} {ship}{to}\nBUILD Alpha 1 gunship {build}");
            assert_eq!(told(&game, &line)[0], format!("?{ship} unknown-name"), "{line}");
        }
        assert_eq!(
            verdict(&game, &format!("BUILD Alpha 1 gunship fox*\n{later} foxy{to}")),
            "!foxy unknown-name"
        );
    }
    assert_eq!(verdict(&game, "BUILD Alpha 1 gunship New\nMOVE New TO (1,0)"), "!New unknown-name");
    assert_eq!(
        verdict(&game, "BUILD Alpha 1 starbase New\nTOGGLE PUBLIC New"),
        "!New unknown-name"
    );
}

#[test]
fn changeable_conditions_are_only_warnings() {
    let mut game = game();
    assert_eq!(verdict(&game, "BUILD Alpha 3 gunship"), "?Alpha no-funds");
    assert_eq!(verdict(&game, "BUILD Gamma 1 gunship"), "?Gamma world-not-owned");
    assert_eq!(verdict(&game, "BUILD Delta 1 gunship"), "!Delta unknown-name");
    assert_eq!(verdict(&game, "REPAIR Lion MAX Alpha"), "?Lion no-damage");
    assert_eq!(verdict(&game, "TRANSFER Alpha 5 Alpha"), "!Alpha same-world");
    assert_eq!(verdict(&game, "TRANSFER Alpha 5 Gamma"), "?Gamma recipient-not-owner");
    assert_eq!(verdict(&game, "DENY ALL TO CU"), "?CU no-grant");
    game.galaxy.empires[0].grants =
        vec![crate::empire::Grant { to: Seat::at(1), scans: crate::empire::Granted::All }];
    assert_eq!(verdict(&game, "DENY CLASS probe TO CU"), "?CU all-access");
    assert_eq!(verdict(&game, "DENY ALL TO CU"), "+");
    ship(&mut game, "Lion").public = true;
    assert_eq!(verdict(&game, "CONCEAL Lion FROM CU"), "?Lion transponder-public");
    assert_eq!(told(&game, "TOGGLE PRIVATE @gunship\nCONCEAL Lion FROM CU")[1], "+");
    game.galaxy.empires[0].navigation = [PortalId(0), PortalId(2)].into_iter().collect();
    assert_eq!(verdict(&game, "TRAVERSE Dove THROUGH Charon Secret"), "?Secret not-connected");
    for (siege, line, expected) in [
        (Siege::Interdicted, "BUILD Alpha 1 gunship", "?Alpha interdicted"),
        (Siege::Interdicted, "DESIGN Alpha new scout 1 1 3 3 0", "?Alpha interdicted"),
        (Siege::Interdicted, "REPAIR Tiger 1 Beta", "?Tiger sector-interdicted"),
        (Siege::Blockaded, "TRANSFER Alpha 1 Beta", "?Alpha blockaded"),
        (Siege::Blockaded, "REPAIR Dove 1 Alpha", "?Alpha blockaded"),
        (Siege::Blockaded, "REPAIR Tiger 1 Alpha", "+"),
    ] {
        let mut game = game.clone();
        (ship(&mut game, "Tiger").dp, ship(&mut game, "Dove").dp) = (4, 1);
        ship(&mut game, "Dove").class = game.galaxy.class_named(name("gunship")).unwrap();
        let rows = &mut game.knowledge[KRATOS].chart.worlds;
        rows.iter_mut().find(|row| row.name == name("Alpha")).unwrap().siege = Some(siege);
        assert_eq!(verdict(&game, line), expected, "{siege:?}: {line}");
    }
}

#[test]
fn invalid_names_for_new_ships_get_a_remark() {
    let game = game();
    assert_eq!(verdict(&game, "BUILD Alpha 1 gunship Lion"), "?Lion name-taken");
    assert_eq!(verdict(&game, "BUILD Alpha 2 gunship New New"), "?New name-taken");
    assert_eq!(
        verdict(&game, "BUILD Alpha 1 gunship New\nBUILD Beta 1 gunship new"),
        "?new name-taken"
    );
    assert_eq!(verdict(&game, "BUILD Alpha 1 gunship kr00abc"), "?kr00abc bad-name");
    assert_eq!(
        verdict(&game, "BUILD Alpha 1 gunship CU00abc"),
        "+",
        "only the own code makes it look like a serial number"
    );
}

#[test]
fn a_sheet_without_valid_lines_is_refused_and_erases_nothing() {
    let mut game = game();
    let submit = |game: &mut StarEmpires, text: &str| {
        let order = Order::Sheet(parse_sheet(text).unwrap());
        game.submit(Actor::Seat(Seat::at(KRATOS)), order, &mut Dice::new([0; 32]))
    };
    submit(&mut game, "UNLOAD Nobody\nMOVE Lion TO (1,0)").unwrap();
    let stored = game.sheets[KRATOS].clone().unwrap();
    assert!(matches!(stored.lines[..], [Line::Move { .. }]));
    let refusal = submit(&mut game, "UNLOAD Nobody\nUNLOAD Wolf").unwrap_err();
    assert_eq!((refusal.reason.as_ref(), refusal.rule.as_ref()), ("unknown-name", "6.2.1"));
    assert_eq!(game.sheets[KRATOS].as_ref(), Some(&stored));
    submit(&mut game, "").unwrap();
    assert_eq!(game.sheets[KRATOS].as_ref().unwrap().lines, []);
}

#[test]
fn notes_4_1_only_the_unreadable_line_is_rejected() {
    let game = game();
    let seat = Seat::at(KRATOS);
    let sheet = |text: &str| parse_sheet(text).unwrap();
    let text = "FIRE Lion\nMOVE Lion TO (1,0)\nMOVE Nobody TO (1,0)\nPOOL\nPOOL Alpha";
    let (stored, checks) = game.check_sheet(seat, &sheet(text)).unwrap();
    assert_eq!((stored.lines.len(), stored.unreadable_lines.len()), (2, 0));
    let verdicts: Vec<_> =
        checks.iter().map(|check| (check.line, check.verdict, check.fault.is_some())).collect();
    let (good, bad) = (Verdict::Accepted, Verdict::Rejected);
    assert_eq!(
        verdicts,
        [(0, bad, true), (1, good, false), (2, bad, false), (3, bad, true), (4, good, false)]
    );
    let fault = checks[3].fault.as_ref().unwrap();
    assert_eq!((fault.line, fault.column, checks[3].remarks[0].reason), (4, 5, Reason::Syntax));
    let refused = |text: &str| game.check_sheet(seat, &sheet(text)).unwrap_err();
    let strict = refused(&format!("{text}\nSTRICT"));
    assert_eq!(
        (strict.reason.as_ref(), strict.message.contains("line 1, column")),
        ("syntax", true),
        "{strict:?}"
    );
    let strict = refused("STRICT\nMOVE Lion TO (1,0)\nMOVE Nobody TO (1,0)");
    assert_eq!(strict.reason, "unknown-name");
    assert!(game.check_sheet(seat, &sheet("STRICT\nPOOL Alpha")).is_ok());
}

#[test]
fn keywords_are_allowed_as_ship_names() {
    let mut game = game();
    ship(&mut game, "Lion").name = name("TO");
    ship(&mut game, "Tiger").name = name("7");
    game.galaxy.compact_ships();
    let text = "MOVE \"TO\" 7 TO (1,0)\nREPAIR \"TO\" 3 Alpha\nREPAIR 7 3 Alpha";
    let sheet = parse_sheet(text).unwrap();
    assert_eq!(sheet.to_string(), text);
    assert_eq!(told(&game, text), ["+", "?TO no-damage", "?7 no-damage"]);
}

#[test]
fn order_texts_are_visible_only_to_their_empire() {
    use heliopause_kernel::Viewer;
    let mut game = game();
    let order = Order::Sheet(parse_sheet("MOVE Lion TO (1,0)").unwrap());
    let told = game.submit(Actor::Seat(Seat::at(KRATOS)), order, &mut Dice::new([0; 32])).unwrap();
    assert_eq!(told.to(Viewer::Seat(Seat::at(KRATOS))).count(), 1);
    for other in [Viewer::Seat(Seat::at(1)), Viewer::Seat(Seat::at(2)), Viewer::Spectator] {
        assert_eq!(told.to(other).count(), 0);
    }
}

#[test]
fn hidden_state_changes_no_answer_and_no_offer() {
    let game = game();
    let mut other = game.clone();
    // The other galaxy differs only in facts that KRATOS does not know.
    other.galaxy.portals[2].name = name("Elsewhere");
    other.galaxy.empires[2].name = name("SHADOW");
    ship(&mut other, "Ghost").name = name("Spectre");
    other.galaxy.ships.retain(|ship| ship.name != name("Spectre"));
    other
        .galaxy
        .classes
        .push(Class { name: name("dread"), ..*game.galaxy.class(crate::ids::ClassId(1)) });
    let lines = "MOVE Lion TO Secret\nMOVE Lion TO Elsewhere\nFIRE Lion AT HIDDEN\nFIRE Lion AT \
        SHADOW\nUNLOAD Ghost\n\
        BUILD Alpha 1 dread\nGIVE dread TO CU\nDESIGN Alpha dread scout 1 1 3 3 0\nTRAVERSE Dove \
        THROUGH Charon Secret\n\
        MOVE Lion TO (9,9)\nDESTRUCT (9,9)";
    assert_eq!(told(&game, lines), told(&other, lines));
    assert_eq!(game.offers_of(Seat::at(KRATOS)), other.offers_of(Seat::at(KRATOS)));
}

#[test]
fn only_possible_orders_are_offered() {
    let mut game = game();
    load(&mut game, "Bolt", "Mule");
    ship(&mut game, "Tiger").dp = 4;
    game.galaxy.empires[0].navigation = [PortalId(0), PortalId(1)].into_iter().collect();
    let offers = game.offers_of(Seat::at(KRATOS));
    assert_eq!(offers.check(), Ok(()));
    for line in [
        "UNLOAD Bolt",
        "LOAD Ant ONTO Mule",
        "LOAD Ant ONTO Base",
        "DESTRUCT Lion",
        "FIRE Dove AT CULTURE",
        "FIRE ASC (1,0) AT CULTURE",
        "TRANSMIT Charon Styx TO CULTURE",
        "MOVE Lion TO Gamma",
        "MOVE (0,0) TO (-1,1)",
        "MOVE Lion TO (-2,-1)",
        "TRAVERSE Dove THROUGH Charon Styx",
        "DESIGN Alpha \"to\" gunship 20 15 4 2 0",
        "DESIGN Alpha \"lance\" missile 20 3",
        "GIVE gunship probe TO CULTURE",
        "BUILD Alpha 2 gunship \"fox\"*",
        "BUILD Beta 1 probe \"New\"",
        "REPAIR Tiger 6 Alpha Beta",
        "TOGGLE PUBLIC Lion Tiger",
        "TOGGLE PRIVATE ALL",
        "TOGGLE PUBLIC @starbase",
        "CONCEAL Lion FROM CULTURE",
        "IDENTIFY ALL TO CULTURE",
        "POOL Alpha EXCEPT Beta",
        "TRANSFER Alpha 30 Beta",
        "TRANSFER Beta 35 Alpha",
        "TRANSFER Beta 5 Gamma CULTURE",
        "AUTHORIZE ALL TO CULTURE",
        "AUTHORIZE CLASS probe TO CULTURE",
        "AUTHORIZE Lion TO CULTURE",
        "AUTHORIZE (3,-4) TO CULTURE",
    ] {
        assert_eq!(told(&game, line), ["+"], "{line}");
        assert!(offers.that_makes(line).is_some(), "{line} is not offered");
    }
    // Problems that other lines can fix only cause a warning.
    for line in [
        "TRAVERSE Lion THROUGH Charon",
        "FIRE Bolt AT CULTURE",
        "REPAIR Lion 3 Alpha",
        "TRANSFER Gamma 5 Alpha",
    ] {
        assert_ne!(told(&game, line)[0].chars().next(), Some('!'), "{line}");
    }
    for line in ["TRAVERSE Lion THROUGH Charon", "REPAIR Lion 3 Alpha", "TRANSFER Gamma 5 Alpha"] {
        assert!(offers.that_makes(line).is_some(), "{line} is not offered");
    }
    for line in [
        "UNLOAD Lion",
        "LOAD Mule ONTO Mule",
        "DESTRUCT Base",
        "FIRE Lion AT CULTURE",
        "MOVE Base TO Gamma",
        "TRAVERSE Lion THROUGH Secret",
        "DESIGN Alpha \"gunship\" gunship 20 15 4 2 0",
        "GIVE gunship TO HIDDEN",
        "BUILD Alpha 1 starbase",
        "TRANSFER Alpha 5 Alpha",
        "DENY ALL TO CULTURE",
    ] {
        assert!(offers.that_makes(line).is_none(), "{line} is offered");
    }
}

#[test]
fn grants_can_be_denied_as_they_were_given() {
    use crate::empire::{Grant, Granted};
    let mut game = game();
    let serial = ship(&mut game, "Lion").serial;
    let (sectors, ships, classes) =
        (vec![Sector::new(1, 0)], vec![serial], vec![crate::ids::ClassId(1)]);
    let scans = Granted::Some { sectors, ships, classes };
    game.galaxy.empires[0].grants = vec![Grant { to: Seat::at(1), scans }];
    let offers = game.offers_of(Seat::at(KRATOS));
    for line in [
        "DENY ALL TO CULTURE",
        "DENY (1,0) TO CULTURE",
        "DENY Lion TO CULTURE",
        "DENY CLASS battleship TO CULTURE",
    ] {
        assert_eq!(told(&game, line), ["+"], "{line}");
        assert!(offers.that_makes(line).is_some(), "{line} is not offered");
    }
}

#[test]
fn nothing_is_offered_when_the_game_is_over() {
    let mut game = game();
    assert!(game.offers_of(Seat::at(63)).list.is_empty());
    game.ending = Some(crate::position::Ending { winners: SeatSet::EMPTY, last_turn: true });
    assert!(game.offers_of(Seat::at(KRATOS)).list.is_empty());
}
