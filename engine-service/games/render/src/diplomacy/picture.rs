//! The map as a picture: Europe with its units, the orders as arrows and what became of them, the
//! powers at the right.

use std::fmt::Write as _;

use heliopause_diplomacy::{Kind, Node, Province, Terrain, Unit};

use super::atlas::Atlas;
use super::geography::{ASIDE, EUROPE, SIZE, name_font};
use super::{arrows, panel};
use crate::svg::{Area, Finish, Font, Layer, Mark, Palette, Picture, Sheet, Theme, Tint};

/// Room for the title above the map.
const TOP: f64 = 72.0;
/// Where the panel begins, and how wide it is.
const PANEL: f64 = SIZE.0 + 18.0;
const PANEL_WIDTH: f64 = 320.0;

/// A place in the picture.
type Spot = (f64, f64);

/// Draws the map.
pub(super) fn draw(atlas: &Atlas, theme: Theme) -> Picture {
    let mut picture = Picture::new(theme, &atlas.title, atlas.powers.len());
    let palette = picture.palette;
    picture.stripes("waste", 8.0, palette.earth.barred.fill, palette.earth.barred.edge);
    heading(&mut picture, atlas);
    for outline in &EUROPE.wastes {
        let edge = Finish::from(Tint::Shade("waste")).edge(palette.earth.barred.edge, 0.8);
        picture.on(Layer::Ground).path(outline, edge);
    }
    for province in Province::ALL {
        land(&mut picture, atlas, province);
        name(&mut picture, atlas, province);
    }
    arrows::draw(&mut picture, atlas);
    for unit in atlas.table().position.units() {
        piece(&mut picture, atlas, unit, Stance::Stands);
    }
    for one in &atlas.table().dislodged {
        piece(&mut picture, atlas, one.unit, Stance::Dislodged);
    }
    let frame = Finish::line(palette.earth.land.edge, 1.5);
    picture.on(Layer::Regions).rect((0.0, 0.0), SIZE, 0.0, frame);
    let bottom = panel::draw(&mut picture, atlas, (PANEL, 14.0 - TOP), PANEL_WIDTH);
    picture.framed(Area {
        left: 0.0,
        top: -TOP,
        right: PANEL + PANEL_WIDTH,
        bottom: bottom.max(SIZE.1) + 14.0,
    })
}

fn heading(picture: &mut Picture, atlas: &Atlas) {
    let palette = picture.palette;
    let sheet = picture.on(Layer::Legend);
    sheet.text(20.0, -34.0, Font::new(24.0, palette.text).bold(), &atlas.title);
    let date = Font::new(17.0, palette.soft).at_end();
    sheet.text(SIZE.0 - 4.0, -34.0, date, &atlas.table().date());
    if let Some(shown) = atlas.shown() {
        sheet.text(20.0, -12.0, Font::new(13.0, palette.soft), &shown);
    }
}

/// A province with whose it is.
fn land(picture: &mut Picture, atlas: &Atlas, province: Province) {
    let palette = picture.palette;
    let position = &atlas.table().position;
    let (owner, colonist) =
        (position.centers[province.index()], position.colonies[province.index()]);
    let outlines = || EUROPE.lands.iter().filter(|(land, _)| *land == province);
    let field = match province.terrain() {
        Terrain::Sea => palette.earth.sea,
        Terrain::Inland | Terrain::Coastal => palette.earth.land,
    };
    let mark = Mark::place(province).of(owner.or(colonist)).titled(told(atlas, province));
    picture.on(Layer::Places).marked(&mark, |sheet| {
        for (_, outline) in outlines() {
            sheet.path(outline, Finish::fill(field.fill).edge(field.edge, 1.0));
        }
    });
    for coast in province.coasts() {
        let mark = Mark::place(coast).of(owner).titled(coast_name(coast));
        picture.on(Layer::Places).marked(&mark, |sheet| {
            sheet.circle(EUROPE.middle(coast), 12.0, Tint::Clear.into());
        });
    }
    let sheet = picture.on(Layer::Regions);
    for (_, outline) in outlines() {
        // Home lands without a center in them stay plain; a colony is hatched by its edge.
        if let Some(owner) = owner {
            sheet.path(outline, Finish::from(atlas.tint(palette, owner)).faint(0.42));
        }
        if let Some(colonist) = colonist {
            let edge = Finish::line(atlas.color(palette, colonist), 3.0).dashed("7 4");
            sheet.path(outline, edge.faint(0.9));
        }
    }
}

fn coast_name(coast: Node) -> String {
    format!("{}, {coast}", coast.province().name())
}

/// What a pointer is told of a province.
fn told(atlas: &Atlas, province: Province) -> String {
    let position = &atlas.table().position;
    let mut told = format!("{} ({province})", province.name());
    match position.centers[province.index()] {
        Some(owner) => {
            told.push_str(", supply center of ");
            told.push_str(&atlas.power(owner).name);
        }
        None if province.is_center() => told.push_str(", supply center of nobody"),
        None => {}
    }
    if let Some(owner) = position.colonies[province.index()] {
        told.push_str(", colony of ");
        told.push_str(&atlas.power(owner).name);
    }
    if let Some(unit) = position.unit(province) {
        let _ = write!(told, ", {unit} of {}", atlas.power(unit.owner).name);
    }
    told
}

/// The name of a province, and its supply center.
fn name(picture: &mut Picture, atlas: &Atlas, province: Province) {
    let palette = picture.palette;
    let (mut x, y) = EUROPE.name(province);
    if province.is_center() {
        x -= 4.0;
        let tint = atlas.table().position.centers[province.index()]
            .map_or(Tint::Flat(palette.nobody), |seat| atlas.tint(palette, seat));
        let center = Finish::from(tint).edge(palette.text, 1.1);
        picture.on(Layer::Bodies).circle((x + 17.5, y - 3.4), 3.6, center);
    }
    let color = if province.is_land() { palette.text } else { palette.earth.sea_name };
    let font = name_font(color).halo(palette.halo);
    picture.on(Layer::Labels).text(x, y, font, province.as_str());
}

/// Whether a unit holds its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stance {
    Stands,
    Dislodged,
}

/// A unit with its mark; dislodged ones stand aside, with a red edge.
fn piece(picture: &mut Picture, atlas: &Atlas, unit: Unit, stance: Stance) {
    let palette = picture.palette;
    let power = atlas.power(unit.owner);
    let what = match unit.kind {
        Kind::Army => "Army",
        Kind::Fleet => "Fleet",
    };
    let (x, y) = EUROPE.middle(unit.at);
    let (spot, edge, fate) = match stance {
        Stance::Stands => ((x, y), palette.halo, ""),
        Stance::Dislodged => ((x + ASIDE.0, y + ASIDE.1), palette.bad, ", dislodged"),
    };
    let place = unit.at.province().name();
    let title = format!("{what} in {place} ({unit}) of {}{fate}", power.name);
    let mark = Mark::piece(unit, unit.at).of(unit.owner).titled(title);
    let finish = Finish::from(atlas.tint(palette, unit.owner)).edge(edge, 1.6);
    let letters = match (atlas.is_in_space(), unit.kind) {
        (true, _) => power.code.as_str(),
        (false, Kind::Army) => "A",
        (false, Kind::Fleet) => "F",
    };
    picture.on(Layer::Pieces).marked(&mark, |sheet| {
        token(sheet, palette, spot, unit.kind, finish, letters);
    });
}

/// An army as a round shield, a fleet as a hull with a sail.
pub(super) fn token(
    sheet: &mut Sheet,
    palette: &Palette,
    (x, y): Spot,
    kind: Kind,
    finish: Finish,
    letters: &str,
) {
    let size = if letters.len() > 1 { 7.0 } else { 8.5 };
    let font = Font::new(size, palette.on_owner).bold().centered();
    match kind {
        Kind::Army => {
            sheet.circle((x, y), 9.5, finish);
            sheet.text(x, y + 2.9, font, letters);
        }
        Kind::Fleet => {
            sheet.polygon(&[(x - 1.0, y - 10.0), (x - 1.0, y - 0.5), (x - 9.5, y - 0.5)], finish);
            sheet.polygon(&[(x + 1.5, y - 7.5), (x + 1.5, y - 0.5), (x + 8.5, y - 0.5)], finish);
            let hull = [(x - 12.5, y), (x + 12.5, y), (x + 8.0, y + 9.0), (x - 8.0, y + 9.0)];
            sheet.polygon(&hull, finish);
            sheet.text(x, y + 7.4, font, letters);
        }
    }
}
