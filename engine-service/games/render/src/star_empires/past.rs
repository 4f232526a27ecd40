//! The view of an earlier turn, from the view of now and the events since the start.
//!
//! What was told until then is folded as the rules fold it, upon the view of now without what was
//! told later. Map 0 was never told: what changed after it for the first time is left out, but for
//! ships, which are drawn as they were told then.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_kernel::Game as _;
use heliopause_star_empires::{
    Chart, ChartChange, ClassTable, Deed, Event, Insight, Item, KnownChange, Name, NavigationTable,
    OwnShip, Serial, StarEmpires, View,
};

/// The view of an earlier turn. The events are all that the viewer was told, first told first.
pub(super) fn past(view: &View, events: &[Event], turn: u32) -> Result<View, String> {
    if view.own().is_none() {
        return Err(
            "Only the player of an empire has reports of earlier turns; `history` tells what \
             happened in them."
                .into(),
        );
    }
    if turn == view.turn {
        return Ok(view.clone());
    }
    // What is learnt between updates belongs to the map before.
    let is_later = |event: &Event| map_of(event).is_some_and(|map| map > turn);
    let (until, later) = events.split_at(events.iter().position(is_later).unwrap_or(events.len()));
    if !until
        .iter()
        .any(|event| matches!(event, Event::Reported { report, .. } if report.turn == turn))
    {
        return Err(format!(
            "There is no report of turn {turn}; the latest is that of turn {}.",
            view.turn
        ));
    }
    let mut past = without(view, later);
    for event in until {
        StarEmpires::update(&mut past, event);
    }
    past.turn = turn;
    if let Insight::Empire(own) = &mut past.insight {
        own.sheet = None;
    }
    Ok(past)
}

/// The number of the map that an event belongs to, if it begins one.
fn map_of(event: &Event) -> Option<u32> {
    match event {
        Event::Updated { turn } => Some(*turn),
        Event::Reported { report, .. } => Some(report.turn),
        Event::SheetStored { .. }
        | Event::Learned { .. }
        | Event::GalaxyChanged(_)
        | Event::MasterOrders { .. }
        | Event::Alliances { .. }
        | Event::HalfReached { .. }
        | Event::MasterResults { .. }
        | Event::Ended { .. } => None,
    }
}

/// A view without what was told later.
fn without(view: &View, later: &[Event]) -> View {
    let mut past = View { ending: None, ..view.clone() };
    let met: BTreeSet<_> =
        changes(later).flat_map(|change| &change.empires).map(|empire| empire.seat).collect();
    for change in changes(later) {
        StarEmpires::update(&mut past, &Event::Learned { change: Box::new(undone(change)) });
    }
    StarEmpires::update(&mut past, &Event::Learned { change: Box::new(first_told(later)) });
    if let Insight::Empire(own) = &mut past.insight {
        own.empires.retain(|empire| !met.contains(&empire.seat));
    }
    past
}

/// How what the viewer knows was told to have changed.
fn changes(events: &[Event]) -> impl Iterator<Item = &KnownChange> {
    events.iter().filter_map(|event| match event {
        Event::Reported { change, .. } | Event::Learned { change } => Some(&**change),
        Event::Updated { .. }
        | Event::SheetStored { .. }
        | Event::GalaxyChanged(_)
        | Event::MasterOrders { .. }
        | Event::Alliances { .. }
        | Event::HalfReached { .. }
        | Event::MasterResults { .. }
        | Event::Ended { .. } => None,
    })
}

/// A change after which nothing is known of what another one told.
fn undone(told: &KnownChange) -> KnownChange {
    KnownChange {
        chart: ChartChange { changed: told.chart.changed.clone(), set: Chart::default() },
        ships_gone: told.ships.iter().map(|ship| ship.serial).collect(),
        classes_gone: told.classes.iter().map(|class| class.name).collect::<Vec<Name>>(),
        navigation: told.navigation.as_ref().map(|_| NavigationTable { portals: Vec::new() }),
        flown: told.flown.as_ref().map(|_| ClassTable { classes: Vec::new() }),
        ..KnownChange::default()
    }
}

/// The ships that were told later but had not come into being later, as they were told first.
fn first_told(later: &[Event]) -> KnownChange {
    let built = built(later);
    let mut ships: BTreeMap<Serial, OwnShip> = BTreeMap::new();
    for ship in
        changes(later).flat_map(|change| &change.ships).filter(|ship| !built.contains(&ship.serial))
    {
        ships.entry(ship.serial).or_insert(*ship);
    }
    KnownChange { ships: ships.into_values().collect(), ..KnownChange::default() }
}

/// The serial numbers of ships that came into being later.
fn built(later: &[Event]) -> BTreeSet<Serial> {
    let mut built = BTreeSet::new();
    for event in later {
        let Event::Reported { report, .. } = event else { continue };
        for news in &report.news {
            if let Item::Ship { ship, deed: Deed::Built | Deed::Added, .. } = news.item {
                built.insert(ship.serial);
            }
        }
    }
    built
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heliopause_kernel::{Dice, Seat, Setup, Viewer, Why};
    use heliopause_star_empires::{Coord, EmpireView, Options, Report, SectorSeen, Status};

    use super::super::sample;
    use super::*;

    fn reported(turn: u32, change: KnownChange) -> Event {
        Event::Reported {
            report: Arc::new(Report { turn, ..Report::default() }),
            change: Box::new(change),
        }
    }

    fn seen(turn: u32) -> ChartChange {
        let at = Coord::default();
        let row = SectorSeen {
            at,
            status: Status::Scanned,
            obscured: false,
            shared: false,
            scanned: Some(turn),
        };
        ChartChange { changed: vec![at], set: Chart { sectors: vec![row], ..Chart::default() } }
    }

    fn own(view: &View) -> &EmpireView {
        view.own().expect("the sample is that of an empire")
    }

    fn ship(serial: &str) -> OwnShip {
        let some = own(&sample::view()).ships[0];
        OwnShip { serial: serial.parse::<Serial>().expect("a serial number"), ..some }
    }

    fn name(text: &str) -> Name {
        Name::new(text).expect("a name")
    }

    #[test]
    fn a_sector_is_as_it_was_told_last_until_then() -> Result<(), String> {
        let change = |turn| KnownChange { chart: seen(turn), ..KnownChange::default() };
        let events = [reported(5, change(5)), reported(6, change(6)), reported(7, change(7))];
        let past = past(&sample::view(), &events, 6)?;
        let chart = &own(&past).chart;
        assert_eq!(chart.sector(Coord::default()).and_then(|row| row.scanned), Some(6));
        assert_eq!((past.turn, own(&past).report.turn), (6, 6));
        assert!(chart.object(name("Alpha")).is_none(), "the sector's rows were told anew");
        assert!(chart.object(name("Ember")).is_some(), "what was never told again is as it is now");
        Ok(())
    }

    #[test]
    fn ships_come_and_go_with_their_turns() -> Result<(), String> {
        let with = |ships: Vec<OwnShip>, ships_gone: Vec<Serial>| KnownChange {
            ships,
            ships_gone,
            ..KnownChange::default()
        };
        let (lost, stays) = (ship("CU99999"), ship("CU33f0a"));
        let events = [
            reported(5, with(vec![lost], Vec::new())),
            reported(6, with(Vec::new(), vec![lost.serial])),
            reported(7, with(vec![stays], Vec::new())),
        ];
        let at = |turn| {
            past(&sample::view(), &events, turn)
                .map(|view| own(&view).ships.iter().map(|ship| ship.serial).collect::<Vec<_>>())
        };
        assert!(at(5)?.contains(&lost.serial));
        assert!(!at(6)?.contains(&lost.serial));
        assert!(at(6)?.contains(&stays.serial), "it was not built later, so it was there");
        Ok(())
    }

    #[test]
    fn what_was_told_makes_the_views_of_then() {
        let mut dice = Dice::new([5; 32]);
        let setup = Setup { options: Options::default(), players: 2 };
        let (mut game, _) = StarEmpires::new(&setup, &mut dice).expect("the options are sound");
        let viewer = Viewer::Seat(Seat::at(0));
        let (mut events, mut views) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            events.extend(game.close(Why::Deadline, &mut dice).to(viewer).cloned());
            views.push(game.view(viewer));
        }
        for view in &views {
            assert!(past(&views[3], &events, view.turn).as_ref() == Ok(view), "turn {}", view.turn);
        }
    }

    #[test]
    fn a_turn_without_a_report_is_told() {
        assert!(past(&sample::view(), &[], 3).is_err_and(|told| told.contains("turn 3")));
        assert!(past(&sample::view(), &[], 7).is_ok());
    }
}
