//! The view of an earlier turn, from the view of now and the events since the start.
//!
//! An update tells every sector that is scanned, and every part that changed, so the state of an earlier turn is what was
//! told last until then; and of what was never told again afterwards, what the view shows now. Only what was there from the
//! start and changed later for the first time is drawn as it was told then.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_proto::star_empires::v1::view::Viewer;
use heliopause_proto::star_empires::v1::{
    Chart, Deed, EmpireView, Event, KnownChange, Report, Sector, View, event, news,
};

/// Empires that one has come across are never forgotten.
const NONE_GONE: &[u32] = &[];

/// A sector as a key.
type Place = (i32, i32);

/// What was told at a turn.
struct Told {
    turn: u32,
    change: KnownChange,
    report: Option<Report>,
}

/// The view of an earlier turn. The events are all that the viewer was told, first told first.
pub(super) fn past(view: &View, events: &[&Event], turn: u32) -> Result<View, String> {
    let Some(Viewer::Empire(own)) = &view.viewer else {
        return Err(
            "Only the player of an empire has reports of earlier turns; `history` tells what happened in them.".into(),
        );
    };
    if turn == view.turn {
        return Ok(view.clone());
    }
    let told = told(events);
    let report = told.iter().rev().find(|told| told.turn == turn && told.report.is_some());
    let Some(report) = report.and_then(|told| told.report.clone()) else {
        return Err(format!("There is no report of turn {turn}; the latest is that of turn {}.", view.turn));
    };
    let mut past = EmpireView { report: Some(report), sheet: None, ..own.clone() };
    let (until, after): (Vec<&Told>, Vec<&Told>) = told.iter().partition(|told| told.turn <= turn);
    rewind(&mut past, &until, &after);
    Ok(View { turn, ending: None, viewer: Some(Viewer::Empire(past)), ..view.clone() })
}

/// The changes that were told, each with the turn whose map it made. What is learnt between updates belongs to the map
/// before.
fn told(events: &[&Event]) -> Vec<Told> {
    let mut turn = 0;
    let mut all = Vec::new();
    for event in events {
        match &event.kind {
            Some(event::Kind::Updated(updated)) => turn = updated.turn,
            Some(event::Kind::Reported(reported)) => {
                let report = reported.report.clone();
                turn = report.as_ref().map_or(turn, |report| report.turn);
                all.push(Told { turn, change: reported.change.clone().unwrap_or_default(), report });
            }
            Some(event::Kind::Learned(learned)) => {
                all.push(Told { turn, change: learned.change.clone().unwrap_or_default(), report: None });
            }
            _ => {}
        }
    }
    all
}

fn rewind(past: &mut EmpireView, until: &[&Told], after: &[&Told]) {
    let changes = |told: &[&Told]| -> Vec<KnownChange> { told.iter().map(|told| told.change.clone()).collect() };
    let (before, later) = (changes(until), changes(after));
    past.chart = Some(chart(&past.chart.take().unwrap_or_default(), &before, &later));
    let built = built(after);
    past.ships = table(
        &past.ships,
        |ship| ship.serial.clone(),
        &before,
        &later,
        |change| (&change.ships, &change.ships_gone),
        |serial| !built.contains(serial),
    );
    past.classes = table(
        &past.classes,
        |class| class.name.clone(),
        &before,
        &later,
        |change| (&change.classes, &change.classes_gone),
        |_| false,
    );
    past.empires =
        table(&past.empires, |empire| empire.seat, &before, &later, |change| (&change.empires, NONE_GONE), |_| false);
    if let Some(status) = before.iter().rev().find_map(|change| change.status.clone()) {
        past.status = Some(status);
    }
    if let Some(navigation) = before.iter().rev().find_map(|change| change.navigation.clone()) {
        past.navigation = navigation.portals;
    } else if later.iter().any(|change| change.navigation.is_some()) {
        past.navigation.clear();
    }
}

/// The serial numbers of ships that came into being later.
fn built(after: &[&Told]) -> BTreeSet<String> {
    let news = after.iter().filter_map(|told| told.report.as_ref()).flat_map(|report| &report.news);
    let ships = news.filter_map(|news| match &news.kind {
        Some(news::Kind::Ship(item)) if matches!(item.deed(), Deed::Built | Deed::Added) => item.ship.as_ref(),
        _ => None,
    });
    ships.map(|ship| ship.serial.clone()).collect()
}

/// A table of rows with keys, as it was. `was` says whether a row that was told only later was there before.
fn table<T: Clone, K: Ord, G: IntoKey<K>>(
    now: &[T],
    key: impl Fn(&T) -> K,
    before: &[KnownChange],
    later: &[KnownChange],
    part: impl Fn(&KnownChange) -> (&[T], &[G]),
    was: impl Fn(&K) -> bool,
) -> Vec<T> {
    let mut rows: BTreeMap<K, T> = now.iter().map(|row| (key(row), row.clone())).collect();
    for change in later {
        for row in part(change).0 {
            rows.remove(&key(row));
        }
    }
    for change in later.iter().rev() {
        for row in part(change).0.iter().filter(|row| was(&key(row))) {
            rows.insert(key(row), row.clone());
        }
    }
    for change in before {
        let (set, gone) = part(change);
        for gone in gone {
            rows.remove(&gone.key());
        }
        rows.extend(set.iter().map(|row| (key(row), row.clone())));
    }
    rows.into_values().collect()
}

/// What names a row that is gone.
trait IntoKey<K> {
    fn key(&self) -> K;
}

impl IntoKey<String> for String {
    fn key(&self) -> String {
        self.clone()
    }
}

impl IntoKey<u32> for u32 {
    fn key(&self) -> u32 {
        *self
    }
}

fn chart(now: &Chart, before: &[KnownChange], later: &[KnownChange]) -> Chart {
    let place = |at: &Option<Sector>| at.map_or((0, 0), |at| (at.oblique, at.y));
    let changed =
        |change: &KnownChange| change.chart.iter().flat_map(|chart| chart.changed.clone()).collect::<Vec<_>>();
    let changed_later: BTreeSet<Place> = later.iter().flat_map(changed).map(|at| (at.oblique, at.y)).collect();
    let mut past = kept(now, |at| !changed_later.contains(&place(at)));
    let mut last: BTreeMap<Place, usize> = BTreeMap::new();
    for (index, change) in before.iter().enumerate() {
        last.extend(changed(change).into_iter().map(|at| ((at.oblique, at.y), index)));
    }
    past = kept(&past, |at| !last.contains_key(&place(at)));
    for (index, change) in before.iter().enumerate() {
        let Some(set) = change.chart.as_ref().and_then(|chart| chart.set.as_ref()) else { continue };
        let rows = kept(set, |at| last.get(&place(at)) == Some(&index));
        past.sectors.extend(rows.sectors);
        past.worlds.extend(rows.worlds);
        past.portals.extend(rows.portals);
        past.storms.extend(rows.storms);
        past.fleets.extend(rows.fleets);
        past.ships.extend(rows.ships);
    }
    past
}

/// The rows of some sectors.
fn kept(chart: &Chart, wanted: impl Fn(&Option<Sector>) -> bool) -> Chart {
    Chart {
        sectors: chart.sectors.iter().filter(|row| wanted(&row.at)).copied().collect(),
        worlds: chart.worlds.iter().filter(|row| wanted(&row.at)).cloned().collect(),
        portals: chart.portals.iter().filter(|row| wanted(&row.at)).cloned().collect(),
        storms: chart.storms.iter().filter(|row| wanted(&row.at)).cloned().collect(),
        fleets: chart.fleets.iter().filter(|row| wanted(&row.at)).cloned().collect(),
        ships: chart.ships.iter().filter(|row| wanted(&row.at)).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use heliopause_proto::star_empires::v1::{ChartChange, OwnShip, Reported, SectorSeen, SectorStatus};

    use super::super::sample;
    use super::*;

    fn reported(turn: u32, change: KnownChange) -> Event {
        let report = Some(Report { turn, ..Report::default() });
        Event { kind: Some(event::Kind::Reported(Reported { report, change: Some(change) })) }
    }

    fn seen(oblique: i32, turn: u32) -> ChartChange {
        let at = Some(Sector { oblique, y: 0 });
        let row =
            SectorSeen { at, status: SectorStatus::Scanned.into(), scanned_turn: Some(turn), ..SectorSeen::default() };
        ChartChange { changed: at.into_iter().collect(), set: Some(Chart { sectors: vec![row], ..Chart::default() }) }
    }

    fn ship(serial: &str, dp: u32) -> OwnShip {
        OwnShip { serial: serial.into(), dp, ..OwnShip::default() }
    }

    fn own(view: &View) -> &EmpireView {
        match &view.viewer {
            Some(Viewer::Empire(own)) => own,
            _ => panic!("the sample is that of an empire"),
        }
    }

    #[test]
    fn a_sector_is_as_it_was_told_last_until_then() -> Result<(), String> {
        let change = |turn| KnownChange { chart: Some(seen(0, turn)), ..KnownChange::default() };
        let events = [reported(5, change(5)), reported(6, change(6)), reported(7, change(7))];
        let past = past(&sample::view(), &events.iter().collect::<Vec<_>>(), 6)?;
        let chart = own(&past).chart.clone().unwrap_or_default();
        let at_home: Vec<Option<u32>> = chart
            .sectors
            .iter()
            .filter(|row| row.at == Some(Sector { oblique: 0, y: 0 }))
            .map(|row| row.scanned_turn)
            .collect();
        assert_eq!(at_home, [Some(6)]);
        assert!(chart.worlds.iter().all(|world| world.name != "Alpha"), "the sector's rows were told anew");
        assert!(chart.worlds.iter().any(|world| world.name == "Ember"), "what was never told again is as it is now");
        Ok(())
    }

    #[test]
    fn ships_come_and_go_with_their_turns() -> Result<(), String> {
        let with = |ships: Vec<OwnShip>, gone: &[&str]| KnownChange {
            ships,
            ships_gone: gone.iter().map(|&serial| serial.to_owned()).collect(),
            ..KnownChange::default()
        };
        let events = [
            reported(5, with(vec![ship("CU99999", 10)], &[])),
            reported(6, with(Vec::new(), &["CU99999"])),
            reported(7, with(vec![ship("CU33f0a", 28)], &[])),
        ];
        let events: Vec<&Event> = events.iter().collect();
        let at = |turn| {
            past(&sample::view(), &events, turn)
                .map(|view| own(&view).ships.iter().map(|it| it.serial.clone()).collect::<Vec<_>>())
        };
        assert!(at(5)?.contains(&"CU99999".to_owned()));
        assert!(!at(6)?.contains(&"CU99999".to_owned()));
        assert!(at(6)?.contains(&"CU33f0a".to_owned()), "it was not built later, so it was there");
        Ok(())
    }

    #[test]
    fn a_turn_without_a_report_is_told() {
        assert!(past(&sample::view(), &[], 3).is_err_and(|told| told.contains("turn 3")));
        assert!(past(&sample::view(), &[], 7).is_ok());
    }
}
