//! Slingshot: a table of the race, with a row for each probe.

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_games::slingshot::{Event, Slingshot, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::{Drawing, Renderer};
use crate::aim::MapRequest;
use crate::scene::{
    Scene, SceneFrame, SceneLabel, ScenePath, ScenePiece, SceneRow, SceneSeat, label_at, number,
    panel, piece_at, points, unit,
};
use crate::svg::to_f64;
use crate::wording;

struct Race {
    view: View,
    names: Vec<String>,
}

impl Renderer for Slingshot {
    fn drawing(view: &View, game: &Game, _told: &[Event]) -> Box<dyn Drawing> {
        let names =
            view.table.seats().map(|seat| wording::seat_name(game, seat.number())).collect();
        Box::new(Race { view: view.clone(), names })
    }

    fn notation(_kind: &str) -> &'static str {
        "  burn 2        brake 3        coast"
    }
}

impl Race {
    fn secret(&self, seat: Seat) -> [String; 3] {
        let own = self.view.secret(seat);
        own.map_or_else(
            || ["?"; 3].map(str::to_owned),
            |own| [own.fuel, own.wind, own.burn].map(|number| number.to_string()),
        )
    }

    fn rows(&self) -> impl Iterator<Item = (Seat, &String, u16)> {
        let rows = self.view.table.seats().zip(&self.names).zip(&self.view.table.distances);
        rows.map(|((seat, name), distance)| (seat, name, *distance))
    }
}

impl Drawing for Race {
    fn for_request(&self, _aim: &MapRequest) -> Result<Box<dyn Drawing>, String> {
        Err("This game always shows the whole map.".into())
    }

    fn scene(&self) -> Scene {
        let goal = self.view.table.options.distance;
        let mut scene = Scene { title: "Slingshot".to_owned(), ..Scene::default() };
        let mut rows = Vec::new();
        for (seat, name, distance) in self.rows() {
            let (code, y) = (seat.to_string(), 40.0 * f64::from(seat.number()));
            let part = (f64::from(distance) / f64::from(goal)).min(1.0);
            let [fuel, wind, burn] = self.secret(seat);
            let way = format!("{distance} of {goal}");
            let title = format!("{name}: {way}");
            rows.push(SceneRow {
                cells: vec![name.clone(), way, fuel, wind, burn],
                pieces: vec![code.clone()],
                seat: number(seat),
                ..SceneRow::default()
            });
            scene.seats.push(SceneSeat {
                seat: seat.number(),
                name: name.clone(),
                code: code.clone(),
                ..SceneSeat::default()
            });
            scene.paths.push(ScenePath {
                kind: "way".to_owned(),
                points: points(&[(60.0, y), (560.0, y)]),
                ..ScenePath::default()
            });
            scene.pieces.push(ScenePiece {
                name: code.clone(),
                title,
                label: code,
                ..piece_at("ship", seat, (60.0 + 500.0 * part, y))
            });
            let label = label_at(name, "name", (60.0, y));
            scene.labels.push(SceneLabel { offset: -16.0, ..label });
        }
        let height = unit(40.0 * to_f64(rows.len() + 1));
        scene.frame = Some(SceneFrame { width: 640.0, height, starry: true, ..Default::default() });
        let columns = "probe | #distance | #fuel | #wind | #burn";
        scene.panels.push(panel("race", "Race", columns, rows));
        scene
    }
}
