//! Tests of maps, chronicles and completions of the sample positions.

use heliopause_diplomacy::{Command, Options, Province, Variant, read_orders};
use heliopause_kernel::{Actor, Dice, Game as _, Setup, Viewer};
use heliopause_proto::diplomacy::v1 as proto;
use heliopause_proto::v1::{GameView, game_view};

use super::*;
use crate::scene::ScenePanel;
use crate::svg::Look;
use crate::text::width;

const UNICODE: Style = Style { unicode: true, ..Style::PLAIN };
fn ann() -> Viewer {
    Viewer::Seat(Seat::at(0))
}

fn map((game, told): &(Diplomacy, Vec<Event>), viewer: Viewer) -> Map {
    Map::new(&game.view(viewer), &sample::game(), told)
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
fn the_map_fits_every_width() {
    for columns in [80, 100, 135, 140, 200] {
        let style = Style { unicode: true, color: true, width: columns, ..Style::PLAIN };
        for game in [sample::standard(), sample::space()] {
            let text = map(&game, ann()).text(&style);
            assert!(text.lines().all(|line| width(line) <= columns), "{columns}: {text}");
        }
    }
}

#[test]
fn every_province_is_on_the_map() {
    let text = map(&sample::standard(), Viewer::Spectator).text(&Style::PLAIN);
    for province in Province::ALL {
        assert!(text.contains(province.as_str()), "{province}");
    }
}

#[test]
fn the_pictures_are_well_formed() {
    for game in [sample::standard(), sample::space()] {
        let svg = map(&game, Viewer::Spectator).svg(&Look::default());
        assert!(
            svg.starts_with("<svg")
                && svg.trim_end().ends_with("</svg>")
                && !svg.contains("Friday <")
        );
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(svg.contains(r#"data-layer="orders""#), "what became of orders is drawn");
        for province in Province::ALL {
            assert!(svg.contains(&format!(">{province}</text>")), "{province}");
        }
        if let Some(folder) = std::env::var_os("PICTURES") {
            let name = if svg.contains("colony") { "space.svg" } else { "standard.svg" };
            std::fs::write(std::path::Path::new(&folder).join(name), &svg)
                .expect("the folder can be written");
        }
    }
}

fn panel<'a>(scene: &'a Scene, key: &str) -> &'a ScenePanel {
    scene.panels.iter().find(|panel| panel.key == key).expect("the scene has the panel")
}

fn figures(panel: &ScenePanel) -> Vec<(&str, &str)> {
    panel.figures.iter().map(|it| (it.label.as_str(), it.value.as_str())).collect()
}

#[test]
fn panels_show_powers_strength_retreats_and_results() {
    let scene = map(&sample::standard(), ann()).scene();
    let powers = &panel(&scene, "powers").rows;
    assert_eq!(powers[0].cells, ["AUS Austria", "4", "2", "0", "Ann (you)"]);
    assert_eq!(powers[0].states, ["own", "active"]);
    assert_eq!((powers.len(), powers[1].cells[4].as_str()), (7, "Bob"));
    let own = figures(panel(&scene, "centers"));
    assert_eq!(own, [("centers", "4"), ("units", "2"), ("next winter", "2 builds")]);
    let retreats = &panel(&scene, "retreats").rows;
    assert_eq!(retreats[0].cells, ["F Tri", "Austria", "Italy from Tyr", "ADR, Alb"]);
    let results = panel(&scene, "orders");
    assert!(results.folded && results.title == "Results of Spring 1902, movement");
    let bounced = "bounced: 2 against 2 of the unit there";
    assert_eq!(results.rows[0].cells, ["AUS", "A Bud", "- Gal", bounced]);

    let scene = map(&sample::space(), ann()).scene();
    let powers = &panel(&scene, "powers").rows;
    assert_eq!(powers[0].cells, ["ZOR Zorgon", "3", "2", "1", "1", "2", "Ann (you)"]);
    let own = figures(panel(&scene, "centers"));
    assert_eq!(own[1..3], [("units", "4"), ("colonies", "2")]);
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
    assert_linked(&scene);
    for viewer in [Viewer::Seat(Seat::at(1)), Viewer::Spectator] {
        let scene = map(&game, viewer).scene();
        assert!(scene.paths.is_empty() && scene.panels.iter().all(|panel| panel.key != "orders"));
    }
}

/// Asserts that the rows of panels name only places and pieces of the scene.
fn assert_linked(scene: &Scene) {
    let areas = scene.areas.iter().map(|area| &area.name);
    let places: Vec<&String> = areas.chain(scene.places.iter().map(|it| &it.name)).collect();
    let pieces: Vec<&String> = scene.pieces.iter().map(|piece| &piece.name).collect();
    for row in scene.panels.iter().flat_map(|panel| &panel.rows) {
        assert!(row.places.iter().all(|place| places.contains(&place)), "{row:?}");
        assert!(row.pieces.iter().all(|piece| pieces.contains(&piece)), "{row:?}");
    }
}

#[test]
fn rows_link_to_places_and_pieces() {
    for game in [sample::standard(), sample::space()] {
        for viewer in [ann(), Viewer::Spectator, Viewer::GameMaster] {
            let scene = map(&game, viewer).scene();
            assert_linked(&scene);
            let linked = panel(&scene, "orders").rows.iter().filter(|row| !row.pieces.is_empty());
            assert!(linked.count() > 8);
        }
    }
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

#[test]
fn invalid_views_have_no_map() {
    let unsound = GameView { game: Some(game_view::Game::Diplomacy(proto::View::default())) };
    assert!(crate::drawing(&unsound, &sample::game()).is_none());
}
