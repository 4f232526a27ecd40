//! Benchmark of a turn in which 60% of the ships move, 10% fire, and worlds build and transfer RU.
//!
//! Target: 12 empires (600 worlds, 3,000 ships, 2,500 orders) under 5 ms. The time must be
//! near-linear in the number of ships, up to 60 empires with 60,000 ships.

use divan::Bencher;
use divan::counter::ItemsCount;
use heliopause_kernel::{CloseCause, Dice, Emitted, Game, Seat, Viewer};
use heliopause_samples::war::{Kind, War};
use heliopause_star_empires::{Deed, Event, Fate, Item, Line, Report, StarEmpires};

fn main() {
    describe(12, 250);
    divan::main();
}

/// Pairs of the number of empires and the number of ships per empire.
const SIZES: [(usize, usize); 5] = [(12, 250), (12, 1000), (30, 250), (60, 250), (60, 1000)];

/// Prints the content of the measured turn and asserts that the turn is representative.
fn describe(empires: usize, ships: usize) {
    let mut war = War::ordered(Kind::War, empires, ships);
    let (ships, worlds) = (war.game.galaxy().ships.len(), war.game.galaxy().worlds.len());
    let told = war.close();
    let reports: Vec<&Report> = Seat::first(empires)
        .flat_map(|seat| told.to(Viewer::Seat(seat)).filter_map(report))
        .collect();
    let own = |deed: Deed| {
        let is_own = |seat: usize, item: &Item| matches!(item, Item::Ship { ship, kind: done, .. } if *done == deed && ship.owner == Seat::at(seat));
        reports
            .iter()
            .enumerate()
            .map(|(seat, report)| {
                report.news.iter().filter(|news| is_own(seat, &news.item)).count()
            })
            .sum::<usize>()
    };
    let results = || reports.iter().flat_map(|report| &report.results);
    let (orders, done) =
        (results().count(), results().filter(|result| result.fate == Fate::Done).count());
    let moves = results().filter(|result| matches!(result.line, Line::Move { .. })).count();
    let shots = results().filter(|result| matches!(result.line, Line::Fire { .. })).count();
    let (moved, fired, lost) = (own(Deed::Departed), own(Deed::Fired), own(Deed::Destroyed));
    let news: usize = reports.iter().map(|report| report.news.len()).sum();
    println!(
        "{empires} empires, {worlds} worlds, {ships} ships; {orders} orders, {moves} to move, \
         {shots} to fire, {done} done; \
         {moved} ships moved, {fired} fired, {lost} destroyed; {news} news"
    );
    assert!(
        (2_300..2_700).contains(&orders) && done * 10 >= orders * 9,
        "the orders are carried out"
    );
    assert!(moves * 100 >= ships * 58 && shots * 100 >= ships * 9, "60 in 100 move, 10 fire");
    assert!(moved * 10 >= moves * 8 && fired * 10 >= shots * 7, "most of those who were told do");
}

fn report(event: &Event) -> Option<&Report> {
    if let Event::Reported { report, .. } = event { Some(report) } else { None }
}

fn update(bencher: Bencher<'_, '_>, kind: Kind, (empires, ships): (usize, usize)) {
    let war = War::ordered(kind, empires, ships);
    bencher
        .counter(ItemsCount::new(war.game.galaxy().ships.len()))
        .with_inputs(|| (war.game.clone(), war.dice.clone()))
        .bench_local_refs(|(game, dice)| close(game, dice));
}

/// Runs the measured update. A separate function makes the update visible in profilers.
#[inline(never)]
fn close(game: &mut StarEmpires, dice: &mut Dice) -> Emitted<Event> {
    game.close(CloseCause::AllReady, dice)
}

#[divan::bench(args = SIZES, sample_count = 40)]
fn update_of_a_war(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    update(bencher, Kind::War, size);
}

/// Runs the worst case, in which every empire has ships everywhere and sees everything.
#[divan::bench(args = [(12, 250), (60, 250)], sample_count = 40)]
fn update_without_fog(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    update(bencher, Kind::NoFog, size);
}
