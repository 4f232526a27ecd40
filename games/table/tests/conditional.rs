//! Conditional orders of Diplomacy, which answer decisions before they open.

use heliopause_kernel::Seat;
use heliopause_proto::json;
use heliopause_proto::store::v1::Sandbox;

use crate::scene::{Scene, in_sandbox};

/// Starts a game in which Germany dislodges France from Burgundy, and Russia Germany from Berlin.
/// Plays the movement phase with conditional orders of France and Germany.
fn dislodged(french: &str, german: &str) -> Scene {
    let text = r#"{ "diplomacy": { "table": { "players": 7, "powers": [
        { "seat": 3, "units": [{ "kind": "UNIT_KIND_ARMY", "at": "Bur" }] },
        { "seat": 4, "units": [
            { "kind": "UNIT_KIND_ARMY", "at": "Mun" },
            { "kind": "UNIT_KIND_ARMY", "at": "Ruh" },
            { "kind": "UNIT_KIND_ARMY", "at": "Ber" }
        ] },
        { "seat": 6, "units": [
            { "kind": "UNIT_KIND_ARMY", "at": "Pru" },
            { "kind": "UNIT_KIND_ARMY", "at": "Sil" }
        ] }
    ] } } }"#;
    let position = Some(json::from_text(text).expect("a position"));
    let sandbox = Sandbox { position, ..Sandbox::default() };
    let mut scene = Scene::new(in_sandbox("diplomacy", 7, sandbox));
    let german = format!("A Mun - Bur\nA Ruh S A Mun - Bur\n{german}");
    scene.orders("ann", 3, french, true);
    scene.orders("ann", 4, &german, true);
    scene.orders("ann", 6, "A Pru - Ber\nA Sil S A Pru - Ber", true);
    scene
}

#[test]
fn seats_whose_decisions_open_with_an_answer_are_ready() {
    let progress = |scene: &Scene| scene.seen("ann").progress;
    let marks = |scene: &Scene| -> Vec<(u32, Option<bool>, Option<bool>)> {
        let pending = scene.seen("ann").pending_seats;
        pending.iter().map(|one| (one.seat, one.ready, one.ordered)).collect()
    };
    let (french, german) = ("IF A Bur DISLODGED: Gas", "IF A Ber DISLODGED: Kie");
    let (yes, no) = (Some(true), Some(false));
    let mut scene = dislodged(french, "");
    assert_eq!(progress(&scene), "Spring 1901, retreats");
    assert_eq!(marks(&scene), [(3, yes, yes), (4, no, no)]);
    let france = Seat::at(2);
    assert!(scene.table.decision_state(france).decision.expect("it is open").ready);
    scene.reload();
    assert_eq!(marks(&scene), [(3, yes, yes), (4, no, no)]);
    scene.orders("ann", 3, "A Bur R Pic", false);
    assert_eq!(marks(&scene), [(3, no, yes), (4, no, no)], "orders can change");
    assert_eq!(scene.table.standing_orders(france), ["A Bur R Pic"]);

    // A condition that does not fit leaves no trace.
    let unfit = dislodged("IF A Bur DISLODGED: Mun", german);
    assert_eq!(marks(&unfit), [(3, no, no), (4, yes, yes)]);
    assert!(unfit.table.standing_orders(france).is_empty());
    let closed = dislodged(french, german);
    assert_eq!(progress(&closed), "Fall 1901, movement", "the phase closes without waiting");
}
