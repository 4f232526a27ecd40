//! Slingshot: the race as a row for each probe.

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_games::slingshot::{Event, Slingshot, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::{Drawing, Renderer};
use crate::style::{Ink, Style};
use crate::svg::Picture;
use crate::{text, wording};

/// A view, ready to be drawn.
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

    fn opens(event: &Event) -> Option<String> {
        let Event::RoundBegan { round } = event else { return None };
        Some(format!("Round {round}"))
    }
}

impl Race {
    fn rows(&self) -> impl Iterator<Item = (Seat, &String, u16)> {
        let rows = self.view.table.seats().zip(&self.names).zip(&self.view.table.distances);
        rows.map(|((seat, name), distance)| (seat, name, *distance))
    }
}

impl Drawing for Race {
    fn text(&self, style: &Style) -> String {
        let secret = |seat: Seat| {
            self.view.secret(seat).map(|own| [own.fuel, own.wind, own.burn].map(|n| n.to_string()))
        };
        let row = |(seat, name, distance): (Seat, &String, u16)| {
            let [fuel, wind, burn] = secret(seat).unwrap_or_else(|| ["?"; 3].map(str::to_owned));
            let name = style.paint(text::harmless(name), Ink::Seat(seat.number()));
            vec![
                name,
                format!("{distance} of {}", self.view.table.options.distance),
                fuel,
                wind,
                burn,
            ]
        };
        text::table(
            style,
            &["probe", "distance", "fuel", "wind", "burn"],
            &self.rows().map(row).collect::<Vec<_>>(),
        )
    }

    fn svg(&self) -> String {
        let mut picture = Picture::default();
        let mut height = 40.0;
        let goal = f64::from(self.view.table.options.distance);
        for (seat, name, distance) in self.rows() {
            let y = 40.0 * f64::from(seat.number());
            picture.circle(
                60.0 + 500.0 * (f64::from(distance) / goal).min(1.0),
                y,
                8.0,
                r##"fill="#4477aa""##,
            );
            picture.text(60.0, y - 12.0, r#"font-size="12""#, name);
            height = y + 40.0;
        }
        picture.document(640.0, height, "Slingshot", "")
    }
}
