//! What is drawn, reported and offered of the samples.

use heliopause_kernel::{Game as _, Viewer};
use heliopause_stellar_conquest::{Order, STARS, StarId, StellarConquest};
use serde_json::json;

use super::*;
use crate::render::Step;
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
    insta::assert_snapshot!("map_wide", sample::map(&conquest()).text(&Style { width: 120, ..UNICODE }));
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
        let svg = map.svg();
        for star in STARS {
            assert!(svg.contains(&format!(">{}</text>", star.name)), "{}", star.name);
        }
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && !svg.contains("Friday <"));
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert_eq!(svg.matches("url(#gas)").count(), 61, "60 clouds, and the legend");
    }
}

#[test]
fn the_picture() {
    insta::assert_snapshot!("map_svg", sample::map(&conquest()).svg());
}

#[test]
fn the_record_sheets() {
    let style = Style { width: 110, ..UNICODE };
    let sheet = |position| sample::map(&position).report().map(|report| report.text(&style)).unwrap_or_default();
    insta::assert_snapshot!("record", sheet(conquest()));
    insta::assert_snapshot!("record_fate", sheet(fate()));
}

#[test]
fn others_see_no_record_sheet() {
    for viewer in [Viewer::Spectator, Viewer::GameMaster] {
        let map = Map::new(&sample::view(&conquest(), viewer), &sample::game()).expect("the view is sound");
        assert!(map.report().is_none() && map.svg().contains("Scorpii") && map.text(&Style::PLAIN).contains("Scorpii"));
    }
}

#[test]
fn an_unsound_view_is_no_map() {
    assert!(Map::new(&View::default(), &sample::game()).is_none());
}

/// Takes lines one after the other; answers with the last step.
fn type_in(guide: &mut dyn Guide, lines: &[&str]) -> Step {
    lines.iter().map(|line| guide.take(line)).last().unwrap_or(Step::Other)
}

fn ordered(step: &Step) -> &str {
    match step {
        Step::Order { text, .. } => text,
        other => panic!("an order was expected: {other:?}"),
    }
}

#[test]
fn ships_are_chosen_and_sent_by_number_and_name() {
    let position = conquest();
    let mut guide = sample::open(&position);
    insta::assert_snapshot!("guide_movement", guide.page(&UNICODE));
    let page = guide.page(&UNICODE);
    let number =
        page.lines().find(|line| line.contains("Scorpii AA19")).and_then(|line| line.split_whitespace().next());
    let number = number.expect("the ships are listed").to_owned();
    assert_eq!(guide.take(&number), Step::Turned);
    insta::assert_snapshot!("guide_which", guide.page(&UNICODE));
    assert_eq!(guide.take("1 c 2 ct"), Step::Turned);
    insta::assert_snapshot!("guide_where", guide.page(&UNICODE));
    let step = guide.take("kruger");
    assert_eq!(ordered(&step), "move #3-5 via AA18 Z17 Y17 to Kruger");
    assert!(!guide::read_back(&sample::case(&position), ordered(&step)).is_empty());
}

#[test]
fn who_chooses_too_many_ships_is_told() {
    let mut guide = sample::open(&conquest());
    let page = guide.page(&UNICODE);
    let number =
        page.lines().find(|line| line.contains("Scorpii AA19")).and_then(|line| line.split_whitespace().next());
    guide.take(number.unwrap_or_default());
    assert_eq!(guide.take("9 c"), Step::Told("There are 1 C here.".into()));
    assert_eq!(
        (guide.take("map"), guide.take("99")),
        (Step::Other, Step::Told("There is no choice 99; they go from 1 to 4.".into()))
    );
}

#[test]
fn standing_orders_are_set_by_number() {
    let mut guide = sample::open(&conquest());
    assert_eq!(guide.take("standing"), Step::Turned);
    insta::assert_snapshot!("guide_standing", guide.page(&UNICODE));
    let step = guide.take("1");
    assert!(ordered(&step).starts_with("standing fire spread"), "{step:?}");
}

#[test]
fn a_production_turn_is_planned_by_number() {
    let position = sample::conquest(8, &json!({ "production": {} }));
    let mut guide = sample::open(&position);
    insta::assert_snapshot!("guide_production", guide.page(&UNICODE));
    assert_eq!(guide.take("1"), Step::Turned);
    insta::assert_snapshot!("guide_colony", guide.page(&UNICODE));
    assert_eq!(type_in(&mut *guide, &["1 6", "2 scouts", "4 into fighter"]), Step::Turned);
    insta::assert_snapshot!("guide_planned", guide.page(&UNICODE));
    let step = type_in(&mut *guide, &["back", "done"]);
    let Step::Order { text, ready } = &step else { panic!("an order was expected: {step:?}") };
    assert!(*ready && text.starts_with("produce Scorpii 1: emigrate 6+"), "{text}");
    let orders = guide::read_back(&sample::case(&position), text);
    let view = &sample::case(&position).view;
    assert!(orders.iter().all(|order| StellarConquest::judge_view(view, order).is_ok()));
}

#[test]
fn nothing_is_planned_that_cannot_be_paid() {
    let position = sample::conquest(8, &json!({ "production": {} }));
    let mut guide = sample::open(&position);
    guide.take("1");
    let told = type_in(&mut *guide, &["9 corvettes"]);
    assert!(matches!(&told, Step::Told(why) if why.contains("17.5")), "{told:?}");
    assert_eq!(guide.take("3 2"), Step::Turned);
    assert_eq!(guide.take("3 0"), Step::Turned);
    assert!(matches!(guide.take("1 99"), Step::Told(_)));
}

#[test]
fn a_technology_that_another_colony_pays_is_used_whatever_the_order_of_planning() {
    let position = sample::conquest(8, &json!({ "production": {} }));
    let mut guide = sample::open(&position);
    // Scorpii 2 is planned first, then Scorpii 1 completes a technology that Scorpii 2 uses.
    type_in(&mut *guide, &["2", "1 scout", "back", "1", "25 into cet", "back", "2"]);
    let page = guide.page(&UNICODE);
    assert!(page.contains("Scorpii 2"), "{page}");
    let step = type_in(&mut *guide, &["back", "done"]);
    assert!(ordered(&step).contains("25 into cet"), "{step:?}");
}

#[test]
fn posts_and_the_grant_of_the_empire() {
    let mut guide = sample::open(&sample::fate(8, &json!({ "production": {} })));
    let page = guide.page(&UNICODE);
    insta::assert_snapshot!("guide_production_fate", page);
    let number = |what: &str| -> String {
        let line = page.lines().find(|line| line.contains(what)).unwrap_or_default();
        line.split_whitespace().next().unwrap_or_default().to_owned()
    };
    assert_eq!(type_in(&mut *guide, &[&number("10 i.p. for research"), "1 10", "back"]), Step::Turned);
    assert_eq!(type_in(&mut *guide, &[&number("command posts"), "1", "back"]), Step::Turned);
    let step = guide.take("done");
    let text = ordered(&step);
    assert!(text.contains("grant 10 into") && text.contains("posts"), "{text}");
}

#[test]
fn setup_is_led_through_in_both_games() {
    let setup = json!({ "setup": {} });
    let position = |value: serde_json::Value| -> StellarConquest {
        StellarConquest::read_position(&serde_json::from_value(value).expect("well formed")).expect("sound")
    };
    let base = position(
        json!({ "table": { "players": 2, "order": [1, 2], "active": 1, "stage": setup, "entries": ["FF20", "A21"] },
        "powers": [{ "research": {}, "standingOrders": {} }, { "research": {}, "standingOrders": {} }], "secrets": {} }),
    );
    let mut guide = sample::open(&base);
    insta::assert_snapshot!("guide_setup", guide.page(&UNICODE));
    let step = type_in(&mut *guide, &["3 15", "2 2", "done"]);
    assert_eq!(ordered(&step), "setup 2 scouts; 15 into speed3");
    let empire = position(
        json!({ "table": { "options": { "variant": "VARIANT_FATE_OF_EMPIRE" }, "players": 1, "order": [1],
        "active": 1, "stage": setup, "entries": ["A1"], "fate": {} },
        "powers": [{ "research": {}, "standingOrders": {} }, { "research": {}, "standingOrders": {} }, { "research": {}, "standingOrders": {} }], "secrets": {} }),
    );
    let mut guide = sample::open(&empire);
    insta::assert_snapshot!("guide_commission", guide.page(&UNICODE));
    assert!(matches!(guide.take("done"), Step::Told(_)));
    let step = type_in(&mut *guide, &["1 12", "2 6", "3", "6", "done"]);
    assert_eq!(ordered(&step), "commission 12 corvettes; 6 scouts; speed3; industry");
}

#[test]
fn everything_in_the_menus_is_accepted() {
    for position in
        [conquest(), fate(), sample::conquest(8, &json!({ "planets": {} })), sample::fate(8, &json!({ "planets": {} }))]
    {
        for number in 1..30 {
            let mut guide = sample::open(&position);
            let Step::Order { text, .. } = guide.take(&number.to_string()) else { continue };
            let view = &sample::case(&position).view;
            for order in guide::read_back(&sample::case(&position), &text) {
                assert_eq!(StellarConquest::judge_view(view, &order).map_err(|why| why.message), Ok(()), "{text}");
            }
        }
    }
}

#[test]
fn orders_are_completed() {
    let lexicon = lexicon(&sample::view(&conquest(), Viewer::Seat(heliopause_kernel::Seat::at(0)))).expect("a lexicon");
    let complete = |typed: &str| lexicon.complete(typed).1;
    assert_eq!(complete("move #1-3 t"), ["to"]);
    assert_eq!(complete("move #1-3 to Hyd"), ["Hydrae"]);
    assert_eq!(complete("post "), ["Scorpii"]);
    assert_eq!(complete("watch sc"), ["Scorpii 1", "Scorpii 2"]);
    assert_eq!(complete("produce Scorpii 1: 5 into sp").len(), 6);
    assert!(complete("move #").contains(&"#1,3-5".to_owned()), "{:?}", complete("move #"));
    assert_eq!(complete("Pher"), ["Pherda"]);
}

#[test]
fn help_shows_orders_and_tables() {
    assert!(help("move").is_some_and(|text| text.contains("via")));
    assert!(help("produce").is_some_and(|text| text.contains("industry2")));
    for table in
        ["attack", "prices", "research", "events", "swarms", "discovery", "pirates", "sectors", "score", "clouds"]
    {
        assert!(help(table).is_some_and(|text| text.lines().count() > 3), "{table}");
    }
    assert_eq!(help("dance"), None);
}

#[test]
fn a_round_is_told_with_its_dice() {
    let event = |value: serde_json::Value| -> heliopause_proto::v1::GameEvent {
        serde_json::from_value(json!({ "stellarConquest": value })).expect("the event is well formed")
    };
    let unit = |owner: u32, arm: &str| json!({ "owner": owner, "arm": format!("ARM_{arm}"), "condition": "CONDITION_FIGHTING" });
    let mut chronicle =
        chronicle(&sample::view(&fate(), Viewer::Seat(heliopause_kernel::Seat::at(0))), &sample::game());
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
    let order = StellarConquest::notate(&Order::Post { star: StarId::all().next().expect("a star"), up: true });
    assert_eq!(order, "post Sirius");
}
