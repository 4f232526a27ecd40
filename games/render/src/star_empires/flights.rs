//! Reads the moves of the last turn from a report.

use std::collections::BTreeMap;

use heliopause_kernel::Seat;
use heliopause_star_empires::{Coord, Deed, Item, Report, Serial};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flight {
    pub(super) owner: Seat,
    pub(super) from: Coord,
    pub(super) to: Coord,
    pub(super) by_portal: bool,
    pub(super) ships: u32,
}

/// Returns the moves whose start and end the reader saw.
pub(super) fn read(report: &Report) -> Vec<Flight> {
    let mut left: BTreeMap<Serial, Coord> = BTreeMap::new();
    let mut flights: BTreeMap<(Seat, Coord, Coord, bool), u32> = BTreeMap::new();
    for news in &report.news {
        let (Item::Ship { ship, kind: deed, .. }, Some(at)) = (&news.item, news.at) else {
            continue;
        };
        let by_portal = *deed == Deed::LeftPortal;
        if matches!(deed, Deed::Departed | Deed::EnteredPortal) {
            left.insert(ship.serial, at);
        }
        if *deed != Deed::Arrived && !by_portal {
            continue;
        }
        if let Some(from) = left.remove(&ship.serial).filter(|from| *from != at) {
            *flights.entry((ship.owner, from, at, by_portal)).or_default() += 1;
        }
    }
    let flight =
        |((owner, from, to, by_portal), ships)| Flight { owner, from, to, by_portal, ships };
    flights.into_iter().map(flight).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;
    use heliopause_star_empires::{News, ShipNamed};

    #[test]
    fn moves_need_a_seen_start_and_end() {
        let view = sample::view();
        let report = &view.own().expect("the sample is that of an empire").report;
        let some = report.news.iter().find_map(|news| {
            let Item::Ship { ship, .. } = news.item else { return None };
            Some((news.section, ship))
        });
        let (section, ship) = some.expect("the sample tells of ships");
        let news = |serial: &str, o, deed| {
            let serial = serial.parse().expect("a serial number");
            let ship = ShipNamed { serial, ..ship };
            let item = Item::Ship { ship, kind: deed, amount: None, permille: 1000 };
            News { section, at: Some(Coord::new(o, 0)), item }
        };
        let news = vec![
            news("CU00001", 0, Deed::Departed),
            news("CU00002", 0, Deed::Departed),
            news("CU00003", 5, Deed::Departed),
            news("CU00001", 2, Deed::Arrived),
            news("CU00002", 2, Deed::Arrived),
            news("CU00002", 2, Deed::EnteredPortal),
            news("CU00002", 9, Deed::LeftPortal),
        ];
        let flights = read(&Report { news, ..Report::default() });
        let told: Vec<_> =
            flights.iter().map(|it| (it.from.o, it.to.o, it.by_portal, it.ships)).collect();
        assert_eq!(told, [(0, 2, false, 2), (2, 9, true, 1)]);
    }
}
