//! Tests of drawings, reports and completions of the sample positions.

use heliopause_games::Enveloped as _;
use heliopause_kernel::Wire as _;
use heliopause_proto::json;
use heliopause_proto::stellar_conquest::v1 as proto;
use heliopause_proto::v1::{GameEvent, GameView, game_view};
use heliopause_stellar_conquest::{STARS, StarId};
use serde_json::json;

use super::*;
use crate::scene::ScenePanel;
use crate::svg::Look;
use crate::text::width;

const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };

fn conquest() -> StellarConquest {
    sample::conquest(8, &json!({ "movement": {} }))
}

fn fate() -> StellarConquest {
    sample::fate(8, &json!({ "movement": {} }))
}

#[test]
fn the_map_in_ascii() {
    let text = sample::map(&conquest()).text(&Style::PLAIN);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("map_ascii", text);
}

#[test]
fn the_map_in_unicode() {
    insta::assert_snapshot!("map_unicode", sample::map(&conquest()).text(&UNICODE));
}

#[test]
fn a_wider_terminal_has_a_wider_map() {
    insta::assert_snapshot!(
        "map_low",
        sample::map(&conquest()).text(&Style { rows: Some(14), ..UNICODE })
    );
    insta::assert_snapshot!(
        "map_wide",
        sample::map(&conquest()).text(&Style { width: 120, ..UNICODE })
    );
}

#[test]
fn the_map_fits_every_width() {
    for columns in [80, 100, 120, 150, 200] {
        let style = Style { unicode: true, color: true, width: columns, ..Style::PLAIN };
        for map in [sample::map(&conquest()), sample::map(&fate())] {
            let text = map.text(&style);
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
        }
    }
}

#[test]
fn every_star_is_named_on_the_map() {
    for columns in [80, 120] {
        let text = sample::map(&conquest()).text(&Style { width: columns, ..Style::PLAIN });
        for star in STARS {
            let short: String = star.name.chars().take(4).collect();
            assert!(text.contains(&short), "{} at {columns}: {text}", star.name);
        }
    }
}

#[test]
fn the_map_of_the_campaign() {
    insta::assert_snapshot!("map_fate", sample::map(&fate()).text(&UNICODE));
}

#[test]
fn the_picture_is_well_formed_and_holds_the_stars() {
    for map in [sample::map(&conquest()), sample::map(&fate())] {
        let svg = map.svg(&Look::default());
        for star in STARS {
            assert!(svg.contains(&format!(">{}</text>", star.name)), "{}", star.name);
        }
        assert!(
            svg.starts_with("<svg")
                && svg.trim_end().ends_with("</svg>")
                && !svg.contains("Friday <")
        );
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        let scene = map.scene();
        assert_eq!(scene.areas.iter().filter(|area| area.terrain == "cloud").count(), 60);
        assert!(svg.contains("-cloud)"));
    }
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample::map(&conquest()).svg(&Look::default()));
}

#[test]
fn the_record_sheets() {
    let style = Style { width: 110, ..UNICODE };
    let sheet = |position| sample::map(&position).report().text(&style);
    insta::assert_snapshot!("record", sheet(conquest()));
    insta::assert_snapshot!("record_fate", sheet(fate()));
}

fn panel<'a>(scene: &'a Scene, key: &str) -> &'a ScenePanel {
    scene.panels.iter().find(|panel| panel.key == key).expect("the panel exists")
}

fn figures(panel: &ScenePanel) -> Vec<(&str, &str)> {
    panel.figures.iter().map(|it| (it.label.as_str(), it.value.as_str())).collect()
}

fn rows(panel: &ScenePanel) -> Vec<String> {
    panel.rows.iter().map(|row| row.cells.join("|")).collect()
}

#[test]
fn panels_show_treasury_ships_and_colonies() {
    let scene = sample::map(&conquest()).scene();
    assert_eq!(
        figures(panel(&scene, "treasury")),
        [
            ("industry", "33 i.p."),
            ("next production", "after turn 8"),
            ("turn", "8 of 44"),
            ("people", "30M of 120M"),
            ("factories", "3"),
            ("ships", "2C 3S 2CT"),
            ("victory points", "4"),
        ]
    );
    assert_eq!(rows(panel(&scene, "players")), ["Ann (you)|4|1|2|FF20", "Power 2|2|1|1|A21"]);
    assert_eq!(
        rows(panel(&scene, "ships")),
        [
            "N10|1S #7|Canopus|1",
            "W17|1C #6|Aurigae|1",
            "Scorpii AA19|1C #3, 2CT #4-5, 1S #1||",
            "Barnard CC17|1S #2||",
        ]
    );
    assert_eq!(
        rows(panel(&scene, "others")),
        ["Ceti E17|Power 2|3C 1S|3 turns ago", "K10|Power 2|unknown|never",]
    );
    assert_eq!(
        rows(panel(&scene, "colonies")),
        [
            "Scorpii 1|terran|24M of 80M|+4|27|3|2 MB|free",
            "Scorpii 2|sub-terran|6M of 40M||6|0||free",
        ]
    );
    let (technology, prices) = (panel(&scene, "technology"), panel(&scene, "prices"));
    assert!(technology.folded && prices.folded, "nothing can be bought now");
    assert_eq!(rows(technology)[0], "Fighter Ship|fighter|35|5|30|in progress");
    assert_eq!(
        rows(prices)[..2],
        ["colony transport|CT|1|carries 1M; built only for emigrants", "scout|S|3|5 for two",]
    );
    assert!(rows(prices).contains(&"death star|DS|40|needs Death Star".to_owned()));
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
fn panels_of_the_campaign_show_debts_score_and_sectors() {
    let scene = sample::map(&fate()).scene();
    let treasury = figures(panel(&scene, "treasury"));
    for figure in
        [("victory points", "37"), ("grant", "10 i.p."), ("owed to the Empire", "2½ ship points")]
    {
        assert!(treasury.contains(&figure), "{figure:?}: {treasury:?}");
    }
    assert!(rows(panel(&scene, "sectors")).contains(&"3 (top left)|2|3|20|Canis, Indi".to_owned()));
    assert!(rows(panel(&scene, "goals"))[0].starts_with("pirates destroyed|14|"));
    assert_eq!(rows(panel(&scene, "worlds"))[0], "Indi 1|turn 7|your dominion");
}

#[test]
fn panels_name_places_and_pieces_of_the_board() {
    let positions = [conquest(), fate(), sample::space()];
    for scene in positions.map(|position| sample::map(&position).scene()) {
        let mut places: Vec<&str> = scene.places.iter().map(|place| place.name.as_str()).collect();
        places.extend(scene.areas.iter().map(|area| area.name.as_str()));
        let mut pieces: Vec<&str> = scene.pieces.iter().map(|piece| piece.name.as_str()).collect();
        let members = scene.pieces.iter().flat_map(|piece| &piece.members);
        pieces.extend(members.map(|member| member.name.as_str()));
        let rows = || scene.panels.iter().flat_map(|panel| &panel.rows);
        for row in rows() {
            assert!(row.places.iter().all(|place| places.contains(&place.as_str())), "{row:?}");
            assert!(row.pieces.iter().all(|piece| pieces.contains(&piece.as_str())), "{row:?}");
        }
        assert!(rows().any(|row| !row.places.is_empty() && !row.pieces.is_empty()));
        let ships = scene.pieces.iter().filter(|piece| !piece.members.is_empty());
        assert!(ships.clone().count() > 0);
        assert!(ships.into_iter().all(|piece| piece.members.len() == piece.count as usize));
    }
}

#[test]
fn spectators_see_no_treasury() {
    let view = conquest().view(Viewer::Spectator);
    let scene = Map::new(&view, &sample::game()).scene();
    let keys: Vec<&str> = scene.panels.iter().map(|panel| panel.key.as_str()).collect();
    assert_eq!(keys, ["players", "goals", "others", "prices"]);
    assert!(scene.pieces.iter().all(|piece| piece.members.is_empty()));
}

#[test]
fn record_sheets_are_hidden_from_others() {
    for viewer in [Viewer::Spectator, Viewer::GameMaster] {
        let map = Map::new(&conquest().view(viewer), &sample::game());
        assert!(
            !map.report().text(&Style::PLAIN).contains("Treasury")
                && map.svg(&Look::default()).contains("Scorpii")
                && map.text(&Style::PLAIN).contains("Scorpii")
        );
    }
}

#[test]
fn invalid_views_have_no_map() {
    let unsound = GameView { game: Some(game_view::Game::StellarConquest(proto::View::default())) };
    assert!(crate::drawing(&unsound, &sample::game()).is_none());
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
    for table in [
        "attack",
        "prices",
        "research",
        "events",
        "swarms",
        "discovery",
        "pirates",
        "sectors",
        "score",
        "clouds",
    ] {
        assert!(
            StellarConquest::help(table).is_some_and(|text| text.lines().count() > 3),
            "{table}"
        );
    }
    assert_eq!(StellarConquest::help("dance"), None);
}

#[test]
fn rounds_are_described_with_dice() {
    let event = |value: serde_json::Value| -> GameEvent {
        json::from_value(&json!({ "stellarConquest": value })).expect("the event is well formed")
    };
    let unit = |owner: u32, arm: &str| json!({ "owner": owner, "arm": format!("ARM_{arm}"), "condition": "CONDITION_FIGHTING" });
    let view = StellarConquest::seal_view(StellarConquest::write_view(
        &fate().view(Viewer::Seat(Seat::at(0))),
    ));
    let mut chronicle = crate::chronicle(&view, &sample::game()).expect("the view is sound");
    let began = event(json!({ "battleBegan": { "battle": { "at": "L3", "attacker": 1,
        "units": [unit(1, "CORVETTE"), unit(1, "CORVETTE"), unit(2, "CORVETTE"), unit(2, "SCOUT")],
        "stage": "BATTLE_STAGE_ATTACKER_AIMS" } } }));
    assert_eq!(chronicle.tell(&began, &UNICODE), None);
    let fought = event(json!({ "roundFought": { "volleys": [
        { "shot": { "by": 0, "at": 2 }, "dice": [1], "hit": true }, { "shot": { "by": 1, "at": 2 }, "dice": [4] },
        { "shot": { "by": 2, "at": 0 }, "dice": [6] }], "destroyed": [2] } }));
    insta::assert_snapshot!("battle_round", chronicle.tell(&fought, &UNICODE).unwrap_or_default());
}

#[test]
fn the_scene_changes_with_the_turn() {
    let scene = |position: &StellarConquest| sample::map(position).redraw_key();
    assert_eq!(scene(&conquest()), scene(&sample::conquest(8, &json!({ "planets": {} }))));
    assert_ne!(scene(&conquest()), scene(&sample::conquest(9, &json!({ "movement": {} }))));
}

#[test]
fn notation_uses_star_names_of_the_map() {
    let order = StellarConquest::notate(&Order::Post {
        star: StarId::ALL.into_iter().next().expect("a star"),
        up: true,
    });
    assert_eq!(order, "post Sirius");
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
