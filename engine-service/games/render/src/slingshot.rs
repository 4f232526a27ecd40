//! Slingshot: the race as a row for each probe.

#![deny(clippy::wildcard_enum_match_arm, clippy::match_wildcard_for_single_variants)]

use heliopause_games::slingshot::{Event, Slingshot, View};
use heliopause_kernel::Seat;
use heliopause_proto::v1::Game;

use super::{Drawing, Renderer};
use crate::style::{Ink, Style};
use crate::svg::{Finish, Font, Layer, Mark, Picture, Theme};
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

    fn list(&self) -> Vec<String> {
        self.text(&Style::PLAIN).lines().map(str::to_owned).collect()
    }

    fn picture(&self, theme: Theme) -> Picture {
        let mut picture = Picture::new(theme, "Slingshot", self.names.len());
        let palette = picture.palette;
        let goal = self.view.table.options.distance;
        let mut height = 40.0;
        for (seat, name, distance) in self.rows() {
            let y = 40.0 * f64::from(seat.number());
            let track = Finish::line(palette.faint, 1.0);
            picture.on(Layer::Places).line((60.0, y), (560.0, y), track);
            let part = (f64::from(distance) / f64::from(goal)).min(1.0);
            let title = format!("{name}: {distance} of {goal}");
            let mark = Mark::piece(seat, "track").of(seat).titled(title);
            picture.on(Layer::Pieces).marked(&mark, |sheet| {
                sheet.circle((60.0 + 500.0 * part, y), 8.0, palette.tint(seat).into());
            });
            let font = Font::new(12.0, palette.text);
            picture.on(Layer::Labels).text(60.0, y - 12.0, font, name);
            height = y + 40.0;
        }
        picture.sized(640.0, height).starry()
    }
}
