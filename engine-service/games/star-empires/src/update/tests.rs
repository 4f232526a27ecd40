//! Notes 4.1: what becomes of a line for whatever ships are in a place, when nobody there can obey
//! it.

use crate::order::{Line, Sense};
use crate::reason::Fate;
use crate::testing::{Site, line, name, names};

/// A galaxy with A's lone starbase at (0,0), a portal beside it, and B's probe at (2,0).
fn site() -> Site {
    let mut site = Site::new(2);
    site.ships("A", "Base", "starbase", (0, 0));
    site.ships("B", "P9", "probe", (2, 0));
    site.portal("Styx", (0, 0));
    site.portal("Lethe", (5, 5));
    site.connect("Styx", "Lethe");
    site
}

#[test]
fn notes_4_1_an_order_to_nobody_is_refused() {
    let empty = || line::all_at((2, 0), "");
    let everywhere = [
        Line::Move { ships: empty(), to: line::spot((3, 0)) },
        Line::Destruct { ships: empty() },
        Line::Traverse { ships: empty(), entry: name("Styx"), exit: None },
        Line::Fire { sense: Sense::Descending, ships: empty(), at: names("B") },
    ];
    let mut site = site();
    let lines = everywhere.len();
    let played = site.orders("A", everywhere).play();
    for line in 0..lines {
        assert_eq!(
            (played.fate("A", line), played.said("A", line)),
            (Fate::Refused, "vanished".to_owned()),
            "{line}"
        );
    }
}

#[test]
fn notes_4_3_who_can_never_obey_is_left_out_and_then_nobody_is_left() {
    let here = || line::all_at((0, 0), "");
    let mut site = site();
    site.ships("A", "N1", "nuke", (1, 0));
    site.ships("B", "P8", "probe", (1, 0));
    let missiles =
        Line::Fire { sense: Sense::Descending, ships: line::all_at((1, 0), ""), at: names("B") };
    let lines = [
        Line::Move { ships: here(), to: line::spot((1, 0)) },
        Line::Destruct { ships: here() },
        Line::Traverse { ships: here(), entry: name("Styx"), exit: None },
        missiles,
    ];
    let played = site.orders("A", lines).play();
    for line in 0..4 {
        assert_eq!(
            (played.fate("A", line), played.said("A", line)),
            (Fate::Refused, "vanished".to_owned()),
            "{line}"
        );
    }
    assert_eq!(site.dp("A", "Base"), 200);
    assert_eq!(site.dp("B", "P8"), 1);
}

#[test]
fn notes_6_1_without_a_target_that_is_the_reason_whoever_was_to_fire() {
    let fire =
        |at| Line::Fire { sense: Sense::Descending, ships: line::all_at(at, ""), at: names("B") };
    let mut site = site();
    let played = site.orders("A", [fire((7, 7)), fire((0, 0))]).play();
    for line in 0..2 {
        assert_eq!(
            (played.fate("A", line), played.said("A", line)),
            (Fate::Refused, "no-targets".to_owned())
        );
    }
}

#[test]
fn a_place_where_somebody_obeys_leaves_the_others_out_silently() {
    let mut site = site();
    site.ships("A", "P1", "probe", (0, 0));
    let played = site
        .orders("A", [Line::Move { ships: line::all_at((0, 0), ""), to: line::spot((1, 0)) }])
        .play();
    assert_eq!((played.fate("A", 0), played.said("A", 0)), (Fate::Done, String::new()));
    let excepted = Line::Move { ships: line::all_at((1, 0), "P1"), to: line::spot((2, 0)) };
    let played = site.orders("A", [excepted]).play();
    assert_eq!((played.fate("A", 0), played.said("A", 0)), (Fate::Refused, "vanished".to_owned()));
}
