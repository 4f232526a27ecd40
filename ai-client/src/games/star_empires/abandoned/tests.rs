//! One case per rule of notes 15, and situations 76 to 80, in `cases.txt`.
//!
//! A case has a title after `#`, lines that describe what the empire Alpha sees, and the expected
//! sheet after `=`.

use heliopause_kernel::Seat;
use heliopause_star_empires::{
    Coord, Design, EmpireView, GrantSeen, Hull, Navigation, PortalSeen, Ratings, Siege, Strength,
};

use super::sheet;
use crate::games::star_empires::samples::{
    EMPIRES, class, foreign, name, ship, ships, view_with, world,
};

/// Adds the facts of a line to a view.
#[expect(clippy::too_many_lines, reason = "a table of lines")]
fn describe(own: &mut EmpireView, line: &str) {
    let number = |text: &str| text.parse::<u16>().unwrap();
    let at = |x: &str, y: &str| (x.parse().unwrap(), y.parse().unwrap());
    let seat = |text: &str| EMPIRES.iter().position(|empire| *empire == text).map(Seat::at);
    let words: Vec<&str> = line.split(' ').collect();
    match *words {
        ["home"] => {
            world(own, (0, 0), "Home", 12, Some(0));
            ship(own, (0, 0), "station");
        }
        ["world", x, y, text, production, owner] => {
            let owner = seat(owner).map(Seat::index);
            world(own, at(x, y), text, number(production).into(), owner);
        }
        ["stockpile" | "interdicted", text, ref amount @ ..] => {
            let mut worlds = own.chart.worlds.iter_mut();
            let world = worlds.find(|world| world.name == name(text)).unwrap();
            match amount {
                [] => world.siege = Some(Siege::Interdicted),
                amount => world.stockpile = Some(number(amount[0]).into()),
            }
        }
        ["class", text, guns, dp] => {
            let ratings = Ratings::new(number(guns), number(dp), 2, 0, 0);
            own.classes.push(Design::Ship(Hull::Gunship, ratings).class(name(text)).unwrap());
        }
        ["ship", x, y, text, ref carrier @ ..] => {
            let class = *own.classes.iter().find(|class| class.name == name(text)).unwrap();
            ships(own, at(x, y), &class, 1);
            let carrier = carrier.first().map(|carrier| usize::from(number(carrier)) - 1);
            own.ships.last_mut().unwrap().carrier = carrier.map(|index| own.ships[index].serial);
        }
        ["damaged", ship, dp] => own.ships[usize::from(number(ship)) - 1].dp = number(dp),
        ["public", ship] => own.ships[usize::from(number(ship)) - 1].public = true,
        ["foreign", x, y, owner, of, dp] => {
            foreign(own, at(x, y), seat(owner).unwrap().index(), of, number(dp));
        }
        ["unknown", ref strength @ ..] => {
            let met = own.chart.ships.last_mut().unwrap();
            (met.class, met.dp, met.tonnage) = (name("enigma"), None, 50);
            if let [guns, dp] = *strength {
                let (owner, serial, hull) = (met.owner, met.serial, Hull::Gunship);
                let (guns, dp) = (number(guns), number(dp));
                own.strengths.push(Strength { owner, serial, hull, guns, dp });
            }
        }
        ["portal", x, y, text, exit] => {
            let (x, y) = at(x, y);
            let (at, portal) = (Coord::new(x, y), name(text));
            own.chart.portals.push(PortalSeen { at, name: portal, collapsed: Some(false) });
            own.navigation.push(Navigation { portal, exits: vec![name(exit)] });
        }
        ["collapsed", text] => {
            let mut portals = own.chart.portals.iter_mut();
            portals.find(|portal| portal.name == name(text)).unwrap().collapsed = Some(true);
        }
        ["turns", turns] => own.status.abandoned_turns = number(turns).into(),
        ["ally", empire] => own.status.allies = seat(empire).into_iter().collect(),
        ["attacker", empire] => own.status.attacked_by = seat(empire).into_iter().collect(),
        ["stranger", empire] => own.empires[seat(empire).unwrap().index()].contact = false,
        ["grant", empire] => own.status.grants.push(GrantSeen {
            to: seat(empire).unwrap(),
            all: true,
            sectors: Vec::new(),
            ships: Vec::new(),
            classes: Vec::new(),
        }),
        ["known", text] => own.classes.retain(|class| class.name == name(text)),
        ["forgotten", ref texts @ ..] => {
            own.classes.clear();
            own.unknown_own_classes = texts.iter().map(|text| class(text)).collect();
        }
        _ => panic!("{line}"),
    }
}

#[test]
fn every_case_has_the_expected_sheet() {
    for case in include_str!("cases.txt").trim_end().split("\n\n") {
        let lines = case.lines().skip(1).take_while(|line| *line != "=");
        let view = view_with(|own| lines.for_each(|line| describe(own, line)));
        let situation = case.split_once("\n=").map_or(case, |(situation, _)| situation);
        let told = format!("{situation}\n=\n{}", sheet(&view));
        assert_eq!(told.trim_end(), case);
    }
}

#[test]
fn a_viewer_without_a_seat_gets_an_empty_sheet() {
    let mut view = view_with(|_| {});
    view.insight = heliopause_star_empires::Insight::Spectator;
    assert_eq!(sheet(&view).lines, []);
}
