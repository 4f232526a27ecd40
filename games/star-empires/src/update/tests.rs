//! Notes 4.1: results of lines for all ships at a place when no ship there can obey.

use crate::testing::Site;

/// Returns a site with A's lone starbase at (0,0), a portal beside it, and B's probe at (2,0).
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
fn notes_4_1_a_line_without_ships_is_refused() {
    let everywhere =
        ["MOVE (2,0) TO (3,0)", "DESTRUCT (2,0)", "TRAVERSE (2,0) THROUGH Styx", "FIRE (2,0) AT B"];
    assert_eq!(site().orders("A", everywhere).play().lines("A"), ["refused: vanished"; 4]);
}

#[test]
fn notes_4_3_a_line_is_refused_if_no_ship_can_ever_obey() {
    let mut site = site();
    site.ships("A", "N1", "nuke", (1, 0));
    site.ships("B", "P8", "probe", (1, 0));
    let lines =
        ["MOVE (0,0) TO (1,0)", "DESTRUCT (0,0)", "TRAVERSE (0,0) THROUGH Styx", "FIRE (1,0) AT B"];
    assert_eq!(site.orders("A", lines).play().lines("A"), ["refused: vanished"; 4]);
    assert_eq!((site.dp("A", "Base"), site.dp("B", "P8")), (200, 1));
}

#[test]
fn notes_6_1_missing_targets_are_the_reason_even_without_attackers() {
    let played = site().orders("A", ["FIRE (7,7) AT B", "FIRE (0,0) AT B"]).play();
    assert_eq!(played.lines("A"), ["refused: no-targets"; 2]);
}

#[test]
fn a_place_excludes_ships_silently_if_others_obey() {
    let mut site = site();
    site.ships("A", "P1", "probe", (0, 0));
    assert_eq!(site.orders("A", ["MOVE (0,0) TO (1,0)"]).play().lines("A"), ["done"]);
    let played = site.orders("A", ["MOVE (1,0) EXCEPT P1 TO (2,0)"]).play();
    assert_eq!(played.lines("A"), ["refused: vanished"]);
}
