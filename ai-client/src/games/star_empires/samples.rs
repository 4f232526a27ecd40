//! Sample views for tests.

use std::sync::Arc;

use heliopause_kernel::{Seat, SeatSet};
use heliopause_star_empires::{
    Chart, Class, Code, Coord, EmpireSeen, EmpireStatus, EmpireView, Insight, Name, OwnShip,
    Report, SectorSeen, Serial, ShipSeen, Siege, Status, View, WorldSeen, stock,
};

pub(super) const EMPIRES: [&str; 3] = ["Alpha", "Beta", "Gamma"];

pub(super) fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

pub(super) fn class(text: &str) -> Class {
    stock().into_iter().find(|class| class.name == name(text)).unwrap()
}

pub(super) fn view() -> View {
    view_with(|_| {})
}

pub(super) fn view_with(fill: impl FnOnce(&mut EmpireView)) -> View {
    let status = EmpireStatus {
        seat: Seat::at(0),
        homeworld: None,
        grants: Vec::new(),
        abandoned_turns: 1,
        attacked_by: SeatSet::EMPTY,
        allies: SeatSet::EMPTY,
    };
    let empire = |(index, text): (usize, &&str)| EmpireSeen {
        seat: Seat::at(index),
        name: name(text),
        code: text[..2].parse::<Code>().unwrap(),
        contact: index > 0,
    };
    let mut classes = stock().to_vec();
    classes.sort_by_key(|class| class.name);
    let mut own = EmpireView {
        status,
        empires: EMPIRES.iter().enumerate().map(empire).collect(),
        classes,
        ships: Vec::new(),
        chart: Chart::default(),
        navigation: Vec::new(),
        report: Arc::new(Report::default()),
        sheet: None,
        unknown_own_classes: Vec::new(),
        strengths: Vec::new(),
    };
    fill(&mut own);
    own.ships.sort_by_key(|ship| ship.serial);
    own.chart.sectors.sort_by_key(|row| row.at);
    own.chart.sectors.dedup_by_key(|row| row.at);
    own.chart.worlds.sort_by_key(|row| row.at);
    own.chart.portals.sort_by_key(|row| row.at);
    own.chart.ships.sort_by_key(|row| (row.at, row.owner, row.serial));
    View {
        options: Arc::default(),
        turn: 9,
        empires: 3,
        ending: None,
        insight: Insight::Empire(Box::new(own)),
    }
}

pub(super) fn visible(own: &mut EmpireView, at: (i16, i16)) {
    let at = Coord::new(at.0, at.1);
    own.chart.sectors.push(SectorSeen {
        at,
        status: Status::Visible,
        obscured: false,
        shared: false,
        scanned: Some(9),
    });
}

pub(super) fn world(
    own: &mut EmpireView,
    at: (i16, i16),
    text: &str,
    production: u32,
    owner: Option<usize>,
) {
    visible(own, at);
    own.chart.worlds.push(WorldSeen {
        at: Coord::new(at.0, at.1),
        name: name(text),
        production,
        owner: owner.map(Seat::at),
        stockpile: Some(0),
        homeworld: false,
        siege: Some(Siege::None),
    });
}

pub(super) fn ships(own: &mut EmpireView, at: (i16, i16), of: &Class, count: usize) -> Vec<Name> {
    visible(own, at);
    (0..count)
        .map(|_| {
            let serial = Serial::new("AL".parse::<Code>().unwrap(), own.ships.len() as u32 + 1);
            own.ships.push(OwnShip {
                serial,
                name: Name::NONE,
                class: of.name,
                at: Coord::new(at.0, at.1),
                dp: of.ratings.dp,
                carrier: None,
                public: false,
                identified: SeatSet::EMPTY,
                concealed: SeatSet::EMPTY,
            });
            serial.to_name()
        })
        .collect()
}

pub(super) fn ship(own: &mut EmpireView, at: (i16, i16), of: &str) -> Name {
    ships(own, at, &class(of), 1)[0]
}

pub(super) fn load(own: &mut EmpireView, cargo: Name, carrier: Name) {
    let carrier = own.ships.iter().find(|ship| ship.serial.to_name() == carrier).unwrap().serial;
    own.ships.iter_mut().find(|ship| ship.serial.to_name() == cargo).unwrap().carrier =
        Some(carrier);
}

pub(super) fn foreign(own: &mut EmpireView, at: (i16, i16), owner: usize, of: &str, dp: u16) {
    let class = class(of);
    let number = own.chart.ships.len() as u32 + 1;
    own.chart.ships.push(ShipSeen {
        at: Coord::new(at.0, at.1),
        owner: Seat::at(owner),
        serial: Serial::new(EMPIRES[owner][..2].parse::<Code>().unwrap(), number),
        name: Name::NONE,
        class: class.name,
        tonnage: class.tonnage,
        permille: class.damage(dp).permille(),
        dp: Some(dp),
        wreck: false,
    });
}
