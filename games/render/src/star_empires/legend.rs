//! The legend, with a sample of each symbol that a layer of the map shows.

use heliopause_kernel::Seat;

use super::atlas::Atlas;
use super::window::Layer;
use crate::scene::{
    SceneArea, ScenePath, ScenePiece, ScenePlace, SceneSight, SceneSign, number, points,
    scene_sign::Sample, sign, states,
};

pub(super) fn build(atlas: &Atlas, layer: Layer) -> Vec<SceneSign> {
    let mut signs = Vec::new();
    if layer.includes(Layer::Owners) {
        worlds(&mut signs, atlas);
    }
    if layer == Layer::Owners {
        signs.push(sign("unowned", note("free")));
    }
    if layer.includes(Layer::Portals) {
        signs.push(sign("portal; dashed lines lead to its known exits", portal("navigable")));
        signs.push(sign("collapsed portal", portal("collapsed")));
    }
    if layer.includes(Layer::Storms) {
        signs.push(sign("ion storm and its rating", Sample::Place(place("storm", Some(6), ""))));
        signs.push(sign("nebula, or dormant storm", Sample::Place(place("nebula", None, ""))));
    }
    if layer.includes(Layer::Ships) {
        ships(&mut signs, atlas);
    }
    if layer == Layer::Ships {
        signs.push(sign("tonnage of all loose ships", note("120t")));
    }
    if layer == Layer::Scans {
        for (text, meaning) in [
            ("seen", "on short-range scan"),
            ("scan", "on long-range scan"),
            ("T3", "last scanned in turn 3"),
            ("never", "not yet scanned"),
            ("hidden", "a storm or nebula hides it"),
            ("+", "from shared data"),
        ] {
            signs.push(sign(meaning, note(text)));
        }
    }
    grounds(&mut signs);
    signs
}

/// Returns the reader's seat, or the first seat for viewers without a seat.
fn reader(atlas: &Atlas) -> Seat {
    atlas.seat.unwrap_or(Seat::at(0))
}

fn worlds(signs: &mut Vec<SceneSign>, atlas: &Atlas) {
    let owner = Some(reader(atlas));
    for (kind, owner, value, state, meaning) in [
        ("world", None, 5, "", "unowned world and its production"),
        ("homeworld", owner, 12, "", "homeworld, in its owner's color"),
        ("world", owner, 5, "blockaded", "blockaded: RU cannot leave"),
        ("world", owner, 5, "interdicted", "interdicted: RU cannot be used"),
    ] {
        let world = place(kind, Some(value), state);
        signs.push(sign(meaning, Sample::Place(ScenePlace { owner: number(owner), ..world })));
    }
}

fn ships(signs: &mut Vec<SceneSign>, atlas: &Atlas) {
    let piece = |kind: &str, owner: Option<Seat>, count: u32| {
        Sample::Piece(ScenePiece {
            kind: kind.into(),
            owner: number(owner),
            count,
            states: states([(owner.is_some() && owner == atlas.seat, "own")]),
            ..ScenePiece::default()
        })
    };
    if atlas.seat.is_some() {
        signs.push(sign("your ships", piece("ships", atlas.seat, 3)));
    }
    if let Some(other) = atlas.empires.keys().copied().find(|seat| Some(*seat) != atlas.seat) {
        let meaning = format!("ships of {}", atlas.name(other));
        signs.push(sign(&meaning, piece("ships", Some(other), 2)));
    }
    signs.push(sign("unidentified ships", piece("ships", None, 4)));
    signs.push(sign("wreck from this turn", piece("wreck", None, 1)));
    let flight = ScenePath {
        kind: "flight".into(),
        points: points(&[(0.0, 0.0), (1.0, 0.0)]),
        owner: number(reader(atlas)),
        ..ScenePath::default()
    };
    signs.push(sign("move of the last turn", Sample::Path(flight)));
}

fn grounds(signs: &mut Vec<SceneSign>) {
    for (sight, meaning) in [
        (SceneSight::Visible, "seen"),
        (SceneSight::Known, "scanned"),
        (SceneSight::Stale, "stale"),
        (SceneSight::Hidden, "hidden"),
    ] {
        let area = SceneArea { sight: sight.into(), ..SceneArea::default() };
        signs.push(sign(meaning, Sample::Area(area)));
    }
    let area = SceneArea { states: vec!["shared".into()], ..SceneArea::default() };
    signs.push(sign("known from shared data", Sample::Area(area)));
}

fn place(kind: &str, value: Option<i32>, state: &str) -> ScenePlace {
    let states = vec![state.into()];
    ScenePlace { kind: kind.into(), value, states, ..ScenePlace::default() }
}

fn portal(state: &str) -> Sample {
    let states = vec!["navigable".into(), state.into()];
    Sample::Place(ScenePlace { kind: "portal".into(), states, ..ScenePlace::default() })
}

/// Returns a sample of the text that a layer writes into hexes.
fn note(text: &str) -> Sample {
    Sample::Piece(ScenePiece { label: text.into(), ..ScenePiece::default() })
}
