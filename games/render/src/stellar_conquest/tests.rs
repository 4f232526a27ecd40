//! Tests of drawings, reports and completions of the sample positions.

use heliopause_games::Enveloped as _;
use heliopause_kernel::Wire as _;
use heliopause_stellar_conquest::StarId;
use serde_json::json;

use super::*;
use crate::scene::ScenePanel;
use crate::style::Style;
use crate::svg::Look;

const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };

fn conquest() -> StellarConquest {
    sample::conquest(8, &json!({ "movement": {} }))
}

fn fate() -> StellarConquest {
    sample::fate(8, &json!({ "movement": {} }))
}

#[test]
fn the_maps() {
    let map = sample::map(&conquest());
    let text = map.text(&Style::PLAIN);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("map_ascii", text);
    insta::assert_snapshot!("map_unicode", map.text(&UNICODE));
    insta::assert_snapshot!("map_low", map.text(&Style { rows: Some(14), ..UNICODE }));
    insta::assert_snapshot!("map_wide", map.text(&Style { width: 120, ..UNICODE }));
    insta::assert_snapshot!("map_fate", sample::map(&fate()).text(&UNICODE));
    insta::assert_snapshot!("map_svg", map.svg(&Look::default()));
    // Contested stars are marked.
    let space = sample::map(&sample::space()).text(&Style { width: 200, ..Style::PLAIN });
    assert!(space.contains("Sadir#!2") && space.contains("Mira#3"), "{space}");
}

#[test]
fn the_record_sheets() {
    let style = Style { width: 110, ..UNICODE };
    let sheet = |position| sample::map(&position).report().text(&style);
    insta::assert_snapshot!("record", sheet(conquest()));
    insta::assert_snapshot!("record_fate", sheet(fate()));
    insta::assert_snapshot!("record_space", sheet(sample::space()));
}

#[test]
fn record_sheets_are_hidden_from_others() {
    for viewer in [Viewer::Spectator, Viewer::GameMaster] {
        let scene = Atlas::new(conquest().view(viewer), &sample::game()).scene();
        let keys: Vec<&str> = scene.panels.iter().map(|panel| panel.key.as_str()).collect();
        assert_eq!(keys, ["players", "goals", "others", "prices"]);
        let members = scene.pieces.iter().flat_map(|piece| &piece.members).count();
        assert_eq!(members > 0, viewer == Viewer::GameMaster);
    }
}

#[test]
fn every_star_is_named_on_the_map() {
    for columns in [80, 120] {
        let text = sample::map(&conquest()).text(&Style { width: columns, ..Style::PLAIN });
        for star in StarId::ALL {
            let short: String = star.as_str().chars().take(4).collect();
            assert!(text.contains(&short), "{star} at {columns}: {text}");
        }
    }
}

fn panel<'a>(scene: &'a Scene, key: &str) -> &'a ScenePanel {
    scene.panels.iter().find(|panel| panel.key == key).expect("the panel exists")
}

fn figures(panel: &ScenePanel) -> Vec<(&str, &str)> {
    panel.figures.iter().map(|it| (it.label.as_str(), it.value.as_str())).collect()
}

#[test]
fn the_treasury_compares_a_sheet_with_the_industry_points() {
    let seat = Viewer::Seat(Seat::at(0));
    let mut position = sample::conquest(8, &json!({ "production": {} }));
    let text = "produce Scorpii 1: emigrate 3; 3 scouts; 4 into fighter";
    for order in StellarConquest::parse(&position.view(seat), text).expect("notation") {
        let by = heliopause_kernel::Actor::Seat(Seat::at(0));
        let mut dice = heliopause_kernel::Dice::new([1; 32]);
        position.submit(by, order, &mut dice).expect("it is legal");
    }
    let scene = sample::map(&position).scene();
    let treasury = panel(&scene, "treasury");
    assert_eq!(
        figures(treasury)[..3],
        [("available", "33 i.p."), ("planned", "15 i.p."), ("left", "18 i.p."),]
    );
    assert!(!panel(&scene, "prices").folded && !panel(&scene, "technology").folded);
    let setup = sample::map(&sample::conquest(0, &json!({ "setup": {} }))).scene();
    assert_eq!(figures(panel(&setup, "treasury"))[0], ("available", "25 i.p."));
}

#[test]
fn orders_are_completed() {
    let lexicon =
        StellarConquest::lexicon(&conquest().view(Viewer::Seat(Seat::at(0)))).expect("a lexicon");
    let complete = |typed: &str| lexicon.complete(typed).1;
    assert_eq!(complete("move #1-3 t"), ["to"]);
    assert_eq!(complete("move #1-3 to Hyd"), ["Hydrae"]);
    assert_eq!(complete("post "), ["Scorpii"]);
    assert_eq!(complete("watch sc"), ["Scorpii 1", "Scorpii 2"]);
    assert_eq!(complete("produce Scorpii 1: 5 into sp").len(), 6);
    assert!(complete("move #").contains(&"#1,3-5".to_owned()), "{:?}", complete("move #"));
}

#[test]
fn help_shows_orders_and_tables() {
    assert!(StellarConquest::help("move").is_some_and(|text| text.contains("via")));
    assert!(StellarConquest::help("produce").is_some_and(|text| text.contains("industry2")));
    for (table, _) in include_str!("tables.txt").lines().filter_map(|line| line.split_once(' ')) {
        let text = StellarConquest::help(table).unwrap_or_default();
        assert!(!text.is_empty(), "{table}");
    }
    assert_eq!(StellarConquest::help("dance"), None);
}

#[test]
fn rounds_are_described_with_dice() {
    let view = StellarConquest::seal_view(StellarConquest::write_view(
        &fate().view(Viewer::Seat(Seat::at(0))),
    ));
    let mut chronicle = crate::chronicle(&view, &sample::game()).expect("the view is sound");
    assert_eq!(chronicle.tell(&sample::event("began"), &UNICODE), None);
    let fought = sample::event("fought");
    insta::assert_snapshot!("battle_round", chronicle.tell(&fought, &UNICODE).unwrap_or_default());
}

#[test]
fn the_scene_changes_with_the_turn() {
    let scene = |position: &StellarConquest| sample::map(position).redraw_key();
    assert_eq!(scene(&conquest()), scene(&sample::conquest(8, &json!({ "planets": {} }))));
    assert_ne!(scene(&conquest()), scene(&sample::conquest(9, &json!({ "movement": {} }))));
}

#[test]
fn sheet_lines_parse_as_orders() {
    let seat = Viewer::Seat(Seat::at(0));
    let mut position = sample::conquest(8, &json!({ "production": {} }));
    assert_eq!(StellarConquest::sheet(&position.view(seat)), Some(Vec::new()));
    let text = "produce Scorpii 1: 2 scouts\nproduce posts none\nproduce Scorpii 1: 4 into fighter";
    let orders = StellarConquest::parse(&position.view(seat), text).expect("notation");
    let [order] = &orders[..] else { panic!("one sheet: {orders:?}") };
    let by = heliopause_kernel::Actor::Seat(Seat::at(0));
    position
        .submit(by, order.clone(), &mut heliopause_kernel::Dice::new([1; 32]))
        .expect("it is legal");
    let view = position.view(seat);
    let lines = StellarConquest::sheet(&view).expect("a sheet");
    assert_eq!(lines, ["produce Scorpii 1: 2 scouts; 4 into fighter", "produce posts none"]);
    assert_eq!(
        StellarConquest::parse(&position.view(seat), &lines.join("\n")).as_ref(),
        Ok(&orders)
    );
    assert_eq!(
        StellarConquest::empty_sheet(&view).map(|order| StellarConquest::notate(&order)),
        Some("produce".into())
    );
    for (viewer, position) in [(Viewer::Spectator, position), (seat, conquest())] {
        assert_eq!(StellarConquest::sheet(&position.view(viewer)), None);
    }
}
