//! What is drawn, told and completed of the samples.

use heliopause_diplomacy::Province;
use heliopause_kernel::{Game as _, Viewer};
use heliopause_proto::diplomacy::v1 as proto;
use heliopause_proto::v1::{GameView, game_view};

use super::*;
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

/// The telling of the movement of a sample.
fn told(sample: &(Diplomacy, Vec<Event>)) -> String {
    let mut chronicle =
        Diplomacy::chronicle(&sample.0.view(ann()), &sample::game()).expect("it tells phases");
    let texts = sample.1.iter().filter_map(|event| chronicle.tell(event, &UNICODE));
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn phases_are_told_with_reasons() {
    let text = told(&sample::standard());
    assert!(text.contains("bounced: 1 against"), "{text}");
    insta::assert_snapshot!("told", text);
    insta::assert_snapshot!("told_space", told(&sample::space()));
}

#[test]
fn what_is_still_to_order_is_told() {
    let sample = sample::space();
    let viewer = Viewer::Seat(Seat::at(1));
    let bulletin = map(&sample, viewer).bulletin().expect("a unit has to retreat");
    insta::assert_snapshot!("bulletin", bulletin.text(&UNICODE));
    assert!(map(&sample, Viewer::Spectator).bulletin().is_none());
    insta::assert_snapshot!(
        "report",
        map(&sample, viewer).report().expect("a report").text(&UNICODE)
    );
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
fn powers_go_by_name_and_code() {
    let view = sample::space().0.view(ann());
    let seat = |name| Diplomacy::seat_named(&view, name).map(Seat::number);
    assert_eq!((seat("vel"), seat("Krull"), seat("x")), (Some(2), Some(3), None));
}

#[test]
fn only_whole_games_of_the_usual_map_are_written_so() {
    for (game, told) in [sample::standard(), sample::space()] {
        assert!(Diplomacy::saved_game("x", &game.view(Viewer::Spectator), &told).is_none());
    }
}

#[test]
fn an_unsound_view_is_no_map() {
    let unsound = GameView { game: Some(game_view::Game::Diplomacy(proto::View::default())) };
    assert!(crate::drawing(&unsound, &sample::game()).is_none());
}
