//! The map as a picture: the board on the left, players, ships and legend on the right.

use std::fmt::Write as _;

use heliopause_kernel::Seat;
use heliopause_stellar_conquest::{Colour, Fleet, Place, Planet, StarId};

use super::atlas::{Atlas, Group, Settled, Sight};
use super::grid::{FIRST, RADIUS, middle};
use super::politics::{self, Ground};
use super::{palette, panel, sectors, symbols, words};
use crate::svg::{
    Area, Finish, Font, Layer, Mark, Picture, Room, Theme, Tint, around, hexagon, to_f64,
};

/// Where the panel begins, and how wide it is.
const PANEL: f64 = 1205.0;
const PANEL_WIDTH: f64 = 365.0;
/// The picture has at least this height, so that the board has room.
const HEIGHT: f64 = 985.0;

/// Draws the board. Icons take their room first, then names stand where there is some left.
pub(super) fn draw(atlas: &Atlas, theme: Theme) -> Picture {
    let mut picture = Picture::new(theme, &atlas.title, atlas.view.table.seats());
    define(&mut picture);
    heading(&mut picture, atlas);
    heads(&mut picture);
    for at in Place::all() {
        hex(&mut picture, atlas, at);
    }
    sectors::draw(&mut picture, atlas);
    courses(&mut picture, atlas);
    let mut room = Room::default();
    for star in StarId::ALL {
        room.take(Area::around(middle(star.at()), 7.0, 7.0));
        body(&mut picture, atlas, star);
    }
    for (at, sight) in &atlas.sights {
        settled(&mut picture, &mut room, atlas, *at, sight);
    }
    entries(&mut picture, &mut room, atlas);
    for (at, sight) in &atlas.sights {
        for group in &sight.groups {
            ships(&mut picture, &mut room, atlas, *at, group);
        }
    }
    for star in StarId::ALL {
        names(&mut picture, &mut room, atlas, star);
    }
    let bottom = panel::draw(&mut picture, atlas, (PANEL, 86.0), PANEL_WIDTH);
    picture.sized(PANEL + PANEL_WIDTH + 20.0, HEIGHT.max(bottom + 20.0)).starry()
}

/// The glow of stars, and the gas of clouds.
fn define(picture: &mut Picture) {
    let palette = picture.palette;
    let cloud = palette.fields.cloud;
    picture.shade("gas", &[(0.0, cloud.fill.towards(cloud.edge, 40), 1.0), (1.0, cloud.fill, 1.0)]);
    for (colour, color) in Colour::ALL.into_iter().zip(palette.bodies.stars) {
        let bright = color.towards(palette.text, 50);
        picture
            .shade(colour.as_str(), &[(0.0, bright, 1.0), (0.35, color, 0.9), (1.0, color, 0.0)]);
    }
}

fn heading(picture: &mut Picture, atlas: &Atlas) {
    let (title, news) =
        (Font::new(25.0, picture.palette.text).bold(), Font::new(15.0, picture.palette.soft));
    let sheet = picture.on(Layer::Legend);
    sheet.text(28.0, 38.0, title, &atlas.title);
    sheet.text(28.0, 62.0, news, &atlas.news.join(" "));
}

/// The letters of columns and the numbers of rows, at the edges of the board.
fn heads(picture: &mut Picture) {
    let font = Font::new(10.0, picture.palette.faint).centered();
    let sheet = picture.on(Layer::Labels);
    for at in Place::all() {
        let (x, y) = middle(at);
        let name = at.to_string();
        let split = name.find(|char: char| char.is_ascii_digit()).unwrap_or(name.len());
        if at.row() == 1 {
            sheet.text(x, FIRST.1 - 24.0, font, &name[..split]);
        }
        if at.column() == 1 {
            sheet.text(x - 34.0, y + 4.0, font, &name[split..]);
        }
    }
}

fn hex(picture: &mut Picture, atlas: &Atlas, at: Place) {
    let fields = &picture.palette.fields;
    let reached = atlas.command.as_ref().is_some_and(|command| command.reaches(at));
    let field = if reached { fields.known } else { fields.stale };
    let (tint, edge) = if at.is_cloud() {
        (Tint::Shade("gas"), if reached { fields.seen.edge } else { fields.cloud.edge })
    } else {
        (Tint::Flat(field.fill), field.edge)
    };
    let cloud = if at.is_cloud() { ", gas and dust" } else { "" };
    let range = if reached { ", in command range" } else { "" };
    let mark = Mark::place(at).titled(format!("{at}{cloud}{range}"));
    picture.on(Layer::Places).marked(&mark, |sheet| {
        sheet.polygon(&hexagon(middle(at), RADIUS - 0.6), Finish::from(tint).edge(edge, 0.9));
    });
}

/// Dashed lines from own ships to where they are bound.
fn courses(picture: &mut Picture, atlas: &Atlas) {
    let palette = picture.palette;
    for (at, sight) in &atlas.sights {
        for group in &sight.groups {
            let color = palette::seat_color(palette, &atlas.view.table, group.seat);
            for (star, fleet) in &group.bound {
                let title = format!("{} at {at}, bound for {star}", words::fleet(*fleet));
                let mark = Mark::order().of(group.seat).titled(title);
                picture.on(Layer::Orders).marked(&mark, |sheet| {
                    let line = Finish::line(color, 1.6).dashed("5 4").faint(0.8);
                    sheet.line(middle(*at), middle(star.at()), line);
                });
            }
        }
    }
}

/// A star, and who claims it.
fn body(picture: &mut Picture, atlas: &Atlas, star: StarId) {
    let palette = picture.palette;
    let (spot, colour) = (middle(star.at()), star.colour());
    let color = palette.bodies.stars[colour as usize];
    let claim = politics::claim(atlas, star);
    let mark = Mark::place(star).of(claim.map(|(seat, _)| seat)).titled(told(atlas, star));
    let explored = atlas.has_explored(star);
    picture.on(Layer::Bodies).marked(&mark, |sheet| {
        sheet.circle(spot, 15.0, symbols::glow(colour).into());
        if let Some((seat, ground)) = claim {
            let ring = palette::seat_color(palette, &atlas.view.table, seat);
            sheet.circle(spot, 11.0, Finish::line(ring, 2.2));
            match ground {
                Ground::Inner => {}
                Ground::Border => sheet.circle(spot, 15.5, symbols::border(palette)),
                Ground::Contested => sheet.circle(spot, 15.5, symbols::contested(palette)),
            }
        }
        symbols::star(sheet, palette, spot, color, explored);
    });
}

/// What a pointer is told of a star.
fn told(atlas: &Atlas, star: StarId) -> String {
    let mut told = format!("{star}, a {} star at {}", star.colour(), star.at());
    let planets = planets(atlas, star);
    told.push_str(if atlas.has_explored(star) { ", explored" } else { ", unexplored" });
    if !planets.is_empty() {
        told.push_str(": ");
        told.push_str(&planets);
    }
    if let Some((seat, _)) = politics::claim(atlas, star) {
        told.push_str(", claimed by ");
        told.push_str(atlas.name(seat));
    }
    told
}

/// The name of a star, and its planets below.
fn names(picture: &mut Picture, room: &mut Room, atlas: &Atlas, star: StarId) {
    let palette = picture.palette;
    let color = palette.bodies.stars[star.colour() as usize];
    let spot = middle(star.at());
    let font = Font::new(11.0, color).bold().centered().halo(palette.halo);
    let small = Font::new(8.5, palette.soft).centered().halo(palette.halo);
    let at = room.place(&font, star.as_str(), around(spot, &font, star.as_str(), 12.0));
    picture.on(Layer::Labels).text(at.0, at.1, font, star.as_str());
    let planets = planets(atlas, star);
    if !planets.is_empty() {
        let mut spots = vec![(at.0, at.1 + 10.0), (at.0, at.1 - 11.0)];
        spots.extend(around(spot, &small, &planets, 12.0));
        let at = room.place(&small, &planets, spots);
        picture.on(Layer::Labels).text(at.0, at.1, small, &planets);
    }
}

/// What the viewer knows of a star's planets: "T60 B10*"; a star for minerals.
fn planets(atlas: &Atlas, star: StarId) -> String {
    let Some(card) = atlas.card(star) else { return String::new() };
    if card.planets().is_empty() {
        return "no planets".into();
    }
    let planet = |planet: &Planet| {
        let rich = if planet.mineral_rich { "*" } else { "" };
        format!("{}{}{rich}", planet.kind.letters(), planet.capacity)
    };
    card.planets().iter().map(planet).collect::<Vec<_>>().join(" ")
}

/// Colonies as discs at the right of their star, command posts as flags at its left.
fn settled(picture: &mut Picture, room: &mut Room, atlas: &Atlas, at: Place, sight: &Sight) {
    let palette = picture.palette;
    let table = &atlas.view.table;
    let (x, y) = middle(at);
    let first = y - 8.5 * (to_f64(sight.colonies.len()) - 1.0);
    for (nth, colony) in sight.colonies.iter().enumerate() {
        let spot = (x + 15.0, first + 17.0 * to_f64(nth));
        room.take(Area::around(spot, 11.5, 11.5));
        let place = StarId::in_hex(at).map_or_else(|| at.to_string(), |star| star.to_string());
        let mark = match colony.planet {
            Some(planet) => Mark::piece(words::planet(planet), place),
            None => Mark::group(place),
        };
        let mark = mark.of(colony.seat).titled(colony_told(atlas, colony));
        picture.on(Layer::Pieces).marked(&mark, |sheet| {
            symbols::colony(sheet, palette, table, spot, colony);
        });
    }
    for (nth, seat) in sight.posts.iter().enumerate() {
        let spot = (x - 11.0 - 8.0 * to_f64(nth), y + 2.0);
        room.take(Area {
            left: spot.0 - 11.0,
            right: spot.0 + 1.0,
            ..Area::around(spot, 0.0, 7.0)
        });
        let title = format!("Command post of {}", atlas.name(*seat));
        let mark = Mark::group(at).of(*seat).titled(title);
        let cloth = symbols::seat_finish(palette, table, *seat);
        picture.on(Layer::Pieces).marked(&mark, |sheet| sheet.flag(spot, palette.text, cloth));
    }
}

fn colony_told(atlas: &Atlas, colony: &Settled) -> String {
    let mut told = format!("Colony of {}", atlas.name(colony.seat));
    if let Some(planet) = colony.planet {
        told.push_str(" on ");
        told.push_str(&words::planet(planet));
    }
    if let Some(people) = colony.people {
        let _ = write!(told, ", {people} million");
    }
    if let Some(by) = colony.conqueror {
        told.push_str(", held by ");
        told.push_str(atlas.name(by));
    }
    if colony.besieged {
        told.push_str(", besieged");
    }
    if colony.shield {
        told.push_str(", shielded");
    }
    told
}

/// Ships beside their star, or in the middle of an empty hex.
fn ships(picture: &mut Picture, room: &mut Room, atlas: &Atlas, at: Place, group: &Group) {
    let palette = picture.palette;
    let said = symbols::said(group);
    let half = symbols::token_area((0.0, 0.0), &said).width() / 2.0;
    let (x, y) = middle(at);
    // The numbers of the rows stay free.
    let x = x.max(FIRST.0 - RADIUS + half);
    let start = if StarId::in_hex(at).is_some() { -16.0 } else { 0.0 };
    let above = (0..4).map(|nth| (x, y + start - 14.0 * f64::from(nth)));
    let below = (1..4).map(|nth| (x, y - start + 14.0 * f64::from(nth)));
    let aside = [(x + half + 26.0, y), (x - half - 24.0, y)];
    let spots = above.chain(below).chain(aside).map(|spot| symbols::token_area(spot, &said));
    let area = room.stand(spots);
    let color = palette::seat_color(palette, &atlas.view.table, group.seat);
    let title = format!("Ships of {} at {at}: {said}", atlas.name(group.seat));
    let mark = Mark::group(at).of(group.seat).titled(title);
    picture.on(Layer::Pieces).marked(&mark, |sheet| {
        for number in &group.numbers {
            sheet.member(&Mark::piece(number, at).of(group.seat));
        }
        let looks = (said.as_str(), group.age > 0, atlas.is_own(group.seat));
        symbols::token(sheet, palette, area, color, looks);
    });
}

/// The corners at which players enter, and who waits there.
fn entries(picture: &mut Picture, room: &mut Room, atlas: &Atlas) {
    let palette = picture.palette;
    let table = &atlas.view.table;
    for (index, at) in table.entries.iter().enumerate() {
        let seat = Seat::at(index);
        let (x, y) = middle(*at);
        let color = palette::seat_color(palette, table, seat);
        let border = Finish::line(color, 2.0);
        picture.on(Layer::Regions).polygon(&hexagon((x, y), RADIUS - 3.0), border);
        let waiting = if atlas.is_own(seat) { atlas.waiting() } else { Fleet::NONE };
        if waiting.is_empty() {
            continue;
        }
        let is_right = at.column() > 16;
        let font = Font::new(11.0, color).bold().halo(palette.halo);
        let (font, x) = if is_right { (font.at_end(), x + RADIUS) } else { (font, x - RADIUS) };
        let below = if at.row() > 10 { y + 36.0 } else { y - 26.0 };
        let text = format!("waiting: {}", words::fleet(waiting));
        room.take(Area::of_text((x, below), &font, &text));
        let mark = Mark::group(at).of(seat).titled("Ships that wait off the board");
        picture.on(Layer::Pieces).marked(&mark, |sheet| {
            for number in atlas.numbers_waiting() {
                sheet.member(&Mark::piece(number, at).of(seat));
            }
            sheet.text(x, below, font, &text);
        });
    }
}
