//! Benchmarks of parsing, writing and checking orders as text.
//!
//! Target: the orders of 12 empires, about 2,500 lines, in 5 ms.

use std::fmt::Write as _;

use heliopause_kernel::{Actor, Dice, Game, Seat, Setup, Viewer};
use heliopause_samples::war::{Kind, War};
use heliopause_star_empires::{Options, Order, StarEmpires, View};

fn main() {
    divan::main();
}

/// Lines in a turn of 12 empires: most ships move, some fire, worlds build and send RU.
const LINES: usize = 2_500;

fn text() -> String {
    let mut text = String::from("# All orders of a turn\n");
    for line in 0..LINES {
        let (o, y) = (line % 19, line % 23);
        let written = match line % 10 {
            0 => writeln!(text, "FIRE asc Lion{line} Tiger{line} KRa{line:04} AT KRATOS CU"),
            1 => writeln!(text, "BUILD World{line} 3 frigate fox{line}*"),
            2 => writeln!(text, "TRANSFER World{line} 6 Gamma{line} KRATOS"),
            3 => writeln!(text, "MOVE @Ember{line} EXCEPT Lion{line} TO (-{o},{y}) # on"),
            _ => writeln!(text, "MOVE Hawk{line} Dove{line} Wolf{line} TO ({o},-{y})"),
        };
        written.expect("a string takes everything");
    }
    text
}

fn game() -> StarEmpires {
    let setup = Setup { options: Options::default(), players: 12 };
    let (game, _) = StarEmpires::new(&setup, &mut Dice::new([1; 32]))
        .expect("the default options can be played");
    game
}

fn view() -> View {
    game().view(Viewer::Seat(Seat::at(0)))
}

fn order() -> Order {
    StarEmpires::parse(&view(), &text()).expect("the text is well-formed").remove(0)
}

#[divan::bench]
fn parse_the_orders_of_a_war(bencher: divan::Bencher<'_, '_>) {
    let (view, sheets) = (view(), War::new(Kind::War, 12, 250).sheets());
    let lines: usize = sheets.iter().map(|sheet| sheet.lines.len()).sum();
    let texts: Vec<String> =
        sheets.into_iter().map(|sheet| StarEmpires::notate(&Order::Sheet(sheet))).collect();
    bencher.counter(divan::counter::ItemsCount::new(lines)).bench_local(|| {
        texts.iter().map(|text| StarEmpires::parse(&view, text)).collect::<Vec<_>>()
    });
}

#[divan::bench]
fn parse_2500_lines(bencher: divan::Bencher<'_, '_>) {
    let (view, text) = (view(), text());
    bencher.counter(LINES).bench_local(|| StarEmpires::parse(&view, &text));
}

#[divan::bench]
fn notate_2500_lines(bencher: divan::Bencher<'_, '_>) {
    let order = order();
    bencher.counter(LINES).bench_local(|| StarEmpires::notate(&order));
}

/// Checks a sheet whose names are all unknown, the slowest kind of check.
#[divan::bench]
fn check_2500_lines(bencher: divan::Bencher<'_, '_>) {
    let (game, order) = (game(), order());
    bencher.counter(LINES).bench_local(|| game.judge(Actor::Seat(Seat::at(0)), &order));
}
