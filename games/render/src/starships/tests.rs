//! Tests of drawings of a sample view.

use heliopause_kernel::{Game as _, Seat, Wire as _};

use super::*;
use crate::samples;
use crate::style::Style;
use crate::svg::Look;

const FILE: &str = include_str!("sample.json");

fn sample() -> Board {
    let mut view = view("view");
    // This vote adds the last kind of note. It has an effect only between members of the Alliance.
    view.table.votes[2].insert(Seat::at(0));
    let read = |name: &str| -> Event {
        Starships::read_event(&samples::read(FILE, name)).expect("the event is sound")
    };
    Board::new(&view, &samples::read(FILE, "game"), &["began", "moved", "began"].map(read))
}

fn view(name: &str) -> View {
    Starships::read_view(&samples::read(FILE, name)).expect("the view is sound")
}

#[test]
fn the_map_in_ascii() {
    insta::assert_snapshot!("map_ascii", sample().text(&Style::PLAIN));
}

#[test]
fn the_map_in_unicode() {
    insta::assert_snapshot!("map_unicode", sample().text(&Style { unicode: true, ..Style::PLAIN }));
}

#[test]
fn a_wide_terminal_has_the_players_beside_the_map() {
    let text = sample().text(&Style { width: 140, ..Style::PLAIN });
    assert!(text.lines().count() < 34, "{text}");
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample().svg(&Look::default()));
}

#[test]
fn finished_games_have_no_unknown_hexes() {
    for width in [80, 140] {
        let style = Style { unicode: true, width, ..Style::PLAIN };
        let text = Board::new(&view("finished"), &Game::default(), &[]).text(&style);
        assert!(!text.contains('?'), "{text}");
        assert!(text.contains("In round 3, A1 tried force in (1,0) (2, 5)."), "{text}");
    }
}

#[test]
fn notation_examples_match_the_rules() {
    let view = view("fresh");
    let orders =
        NOTATION.lines().flat_map(|line| line.split("  ")).flat_map(|part| part.split(", "));
    for order in orders.map(str::trim).filter(|order| !order.is_empty()) {
        let read = Starships::parse(&view, order);
        assert!(read.as_ref().is_ok_and(|read| read.len() == 1), "{order}: {read:?}");
    }
}
