//! What is drawn, reported and offered of the samples.

use heliopause_games::Enveloped as _;
use heliopause_kernel::Wire as _;
use heliopause_proto::json;
use heliopause_proto::stellar_conquest::v1 as proto;
use heliopause_proto::v1::{GameEvent, GameView, game_view};
use heliopause_stellar_conquest::{STARS, StarId};
use serde_json::json;

use super::*;
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
        assert_eq!(svg.matches("-gas)").count(), 61, "60 clouds, and the legend");
    }
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample::map(&conquest()).svg(&Look::default()));
}

#[test]
fn the_record_sheets() {
    let style = Style { width: 110, ..UNICODE };
    let sheet = |position| {
        sample::map(&position).report().map(|report| report.text(&style)).unwrap_or_default()
    };
    insta::assert_snapshot!("record", sheet(conquest()));
    insta::assert_snapshot!("record_fate", sheet(fate()));
}

#[test]
fn others_see_no_record_sheet() {
    for viewer in [Viewer::Spectator, Viewer::GameMaster] {
        let map = Map::new(&conquest().view(viewer), &sample::game());
        assert!(
            map.report().is_none()
                && map.svg(&Look::default()).contains("Scorpii")
                && map.text(&Style::PLAIN).contains("Scorpii")
        );
    }
}

#[test]
fn an_unsound_view_is_no_map() {
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
fn a_round_is_told_with_its_dice() {
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
    let scene = |position: &StellarConquest| sample::map(position).scene();
    assert_eq!(scene(&conquest()), scene(&sample::conquest(8, &json!({ "planets": {} }))));
    assert_ne!(scene(&conquest()), scene(&sample::conquest(9, &json!({ "movement": {} }))));
}

#[test]
fn star_names_of_the_notation_are_those_of_the_map() {
    let order = StellarConquest::notate(&Order::Post {
        star: StarId::ALL.into_iter().next().expect("a star"),
        up: true,
    });
    assert_eq!(order, "post Sirius");
}

#[test]
fn a_sheet_is_told_in_lines_that_are_orders() {
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
