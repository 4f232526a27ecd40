//! Tests of maps, chronicles and completions of the sample positions.

use heliopause_diplomacy::{
    Command, Conditional, Named, Options, Province, Unit, Variant, read_orders,
};
use heliopause_kernel::{Actor, Dice, Game as _, Setup, Viewer};

use super::*;
use crate::scene::ScenePanel;
use crate::style::Style;
use crate::svg::Look;

const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };
fn ann() -> Viewer {
    Viewer::Seat(Seat::at(0))
}

fn map((game, told): &(Diplomacy, Vec<Event>), viewer: Viewer) -> Atlas {
    Atlas::new(&game.view(viewer), &sample::game(), told)
}

#[test]
fn the_maps() {
    let (standard, space) = (map(&sample::standard(), ann()), map(&sample::space(), ann()));
    let text = standard.text(&Style::PLAIN);
    assert!(text.is_ascii(), "{text}");
    insta::assert_snapshot!("map_ascii", text);
    insta::assert_snapshot!("map_unicode", standard.text(&UNICODE));
    insta::assert_snapshot!("map_low", standard.text(&Style { rows: Some(14), ..UNICODE }));
    insta::assert_snapshot!("map_space", space.text(&UNICODE));
    insta::assert_snapshot!("map_wide", space.text(&Style { width: 150, ..UNICODE }));
}

#[test]
fn every_province_is_on_the_map() {
    let map = map(&sample::standard(), Viewer::Spectator);
    let (text, svg) = (map.text(&Style::PLAIN), map.svg(&Look::default()));
    for province in Province::ALL {
        assert!(text.contains(province.as_str()), "{province}");
        assert!(svg.contains(&format!(">{province}</text>")), "{province}");
    }
    assert!(svg.contains(r#"data-layer="orders""#), "the results of orders are drawn");
}

fn panel<'a>(scene: &'a Scene, key: &str) -> &'a ScenePanel {
    scene.panels.iter().find(|panel| panel.key == key).expect("the scene has the panel")
}

#[test]
fn own_orders_are_listed_and_secret() {
    let setup = Setup { options: Options::of(Variant::OuterSpace), players: 3 };
    let mut dice = Dice::new([0; 32]);
    let (mut game, _) = Diplomacy::new(&setup, &mut dice).expect("a game");
    let order = read_orders("A ORB - Par").expect("notation")[0];
    let by = Actor::Seat(Seat::at(0));
    assert!(game.submit(by, Command::Order(order), &mut dice).is_ok());
    let game = (game, Vec::new());
    let scene = map(&game, ann()).scene();
    let orders = panel(&scene, "orders");
    let cells: Vec<&[String]> = orders.rows.iter().map(|row| row.cells.as_slice()).collect();
    assert_eq!(cells, [["A ORB", "- Par"], ["A ORB", "no order"], ["A ORB", "no order"]]);
    assert!(!orders.folded && orders.rows[0].places == ["ORB", "Par"]);
    assert_eq!(scene.paths[0].states, ["portal"]);
    for viewer in [Viewer::Seat(Seat::at(1)), Viewer::Spectator] {
        let scene = map(&game, viewer).scene();
        assert!(scene.paths.is_empty() && scene.panels.iter().all(|panel| panel.key != "orders"));
    }
}

#[test]
fn conditional_orders_are_listed() {
    let setup = Setup { options: Options::of(Variant::Standard), players: 7 };
    let mut dice = Dice::new([0; 32]);
    let (mut game, _) = Diplomacy::new(&setup, &mut dice).expect("a game");
    let text = "IF A Vie DISLODGED: D";
    let unit = Named::from(Unit::read(Seat::at(0), "A Vie").expect("a unit"));
    let order = Conditional::Dislodged { unit, retreats: Vec::new(), disband: true };
    let by = Actor::Seat(Seat::at(0));
    assert!(game.submit(by, Command::Conditional(order), &mut dice).is_ok());
    let scene = map(&(game.clone(), Vec::new()), ann()).scene();
    let rows = &panel(&scene, "orders").rows;
    let last: Vec<&[String]> = rows[rows.len() - 2..].iter().map(|row| &row.cells[..]).collect();
    assert_eq!(last, [["A Vie", "no order"], ["A Vie", "IF DISLODGED: D"]]);
    assert_eq!(Diplomacy::stored_orders(&game.view(ann())), Some(vec![text.to_owned()]));
    assert!(Diplomacy::notation("diplomacy").contains("IF A Bud DISLODGED"));
    assert!(Diplomacy::help("if").is_some());
}

#[test]
fn sentences_describe_provinces_with_neighbors() {
    let lines = map(&sample::standard(), ann()).list();
    let trieste = "Trieste (Tri), supply center of Austria: A Tri, army of Italy and F Tri, fleet of \
                   Austria, dislodged, can retreat to ADR, Alb. Next to ";
    assert!(lines.iter().any(|line| line.starts_with(trieste)), "{lines:#?}");
    assert!(lines.iter().any(|line| line == "Powers: GER Germany: centers 5; armies 3; fleets 1."));
}

fn told(sample: &(Diplomacy, Vec<Event>)) -> String {
    let mut chronicle =
        Diplomacy::chronicle(&sample.0.view(ann()), &sample::game()).expect("it tells phases");
    let texts = sample.1.iter().filter_map(|event| chronicle.tell(event, &UNICODE));
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn phases_are_described_with_reasons() {
    let text = told(&sample::standard());
    assert!(text.contains("bounced: 1 against"), "{text}");
    insta::assert_snapshot!("told", text);
    insta::assert_snapshot!("told_space", told(&sample::space()));
}

#[test]
fn missing_orders_are_listed() {
    let sample = sample::space();
    let viewer = Viewer::Seat(Seat::at(1));
    let bulletin = map(&sample, viewer).bulletin().expect("a unit has to retreat");
    insta::assert_snapshot!("bulletin", bulletin.text(&UNICODE));
    assert!(map(&sample, Viewer::Spectator).bulletin().is_none());
    insta::assert_snapshot!("report", map(&sample, viewer).report().text(&UNICODE));
    let standard = map(&sample::standard(), ann()).report();
    insta::assert_snapshot!("report_standard", standard.text(&UNICODE));
}

#[test]
fn orders_are_completed_word_by_word() {
    let (game, _) = sample::space();
    let lexicon =
        Diplomacy::lexicon(&game.view(Viewer::Seat(Seat::at(1)))).expect("it completes orders");
    assert_eq!(lexicon.complete("a b"), (2, vec!["Bur".to_owned()]));
    assert_eq!(lexicon.complete("a"), (0, vec!["A Bur".to_owned()]));
    assert_eq!(lexicon.complete("A Bur "), (6, vec!["R".to_owned(), "D".to_owned()]));
    let (start, to) = lexicon.complete("A Bur R ");
    assert!(start == 8 && to.contains(&"ORB".to_owned()), "{to:?}");
}

#[test]
fn powers_are_found_by_name_and_code() {
    let view = sample::space().0.view(ann());
    let seat = |name| Diplomacy::seat_named(&view, name).map(Seat::number);
    assert_eq!((seat("vel"), seat("Krull"), seat("x")), (Some(2), Some(3), None));
}

#[test]
fn only_complete_standard_games_are_exported() {
    for (game, told) in [sample::standard(), sample::space()] {
        assert!(Diplomacy::saved_game("x", &game.view(Viewer::Spectator), &told).is_none());
    }
}
