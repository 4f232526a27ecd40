//! The map in a terminal: Europe as tiles, each province where it lies among its neighbours.

use heliopause_diplomacy::{Kind, Province, Terrain, Unit};
use heliopause_kernel::Seat;

use super::atlas::Atlas;
use crate::aim::Part;
use crate::canvas::Canvas;
use crate::style::{Ink, Style};
use crate::text;

/// The tiles, row by row from the north; `.` is nothing.
const TILES: [&str; 11] = [
    "NAO  .    NWG  .    Nwy  .    BAR  .    .    .",
    ".    Cly  .    SKA  Swe  BOT  Fin  Stp  .    .",
    ".    Lvp  Edi  NTH  Den  BAL  Lvn  .    Mos  .",
    "IRI  Wal  Yor  HEL  Kie  Ber  Pru  War  .    .",
    ".    .    Lon  Hol  Ruh  Mun  Sil  Gal  Ukr  Sev",
    ".    ENG  Pic  Bel  .    Boh  Vie  Bud  Rum  .",
    "MAO  Bre  Par  Bur  .    Tyr  Tri  Ser  Bul  BLA",
    ".    Gas  Mar  Pie  Ven  ADR  Alb  Con  Ank  Arm",
    "Por  Spa  LYO  Tus  Rom  Apu  Gre  AEG  Smy  Syr",
    ".    WES  .    TYS  Nap  ION  .    EAS  .    .",
    ".    Naf  .    Tun  .    .    .    .    .    .",
];

/// How wide a tile is.
const TILE: usize = 8;
/// How wide the map is; the list of powers stands beside it where there is room.
const WIDTH: usize = TILE * 10;

/// How many rows of tiles a part of the map reaches unless that is said.
const AROUND: u32 = 2;

/// The tiles with their columns, as provinces.
fn tiles() -> impl Iterator<Item = Vec<(usize, Province)>> {
    TILES.iter().map(|row| {
        let cells = row.split_whitespace().enumerate();
        cells.filter_map(|(column, name)| Some((column, name.parse::<Province>().ok()?))).collect()
    })
}

/// Draws the map and the list of powers.
pub(super) fn draw(atlas: &Atlas, style: &Style) -> String {
    let heading = format!("{}  {}", style.paint(&atlas.title, Ink::Heading), atlas.table().date());
    let map = map(atlas, style);
    let powers = powers(atlas, style);
    let legend = legend(atlas, style);
    let side = format!("{powers}\n\n{legend}");
    let wide = side.lines().map(text::width).max().unwrap_or_default();
    if style.width >= WIDTH + 3 + wide {
        return format!("{heading}\n{}", text::beside(&map, &side, 3));
    }
    [heading, map, powers, legend].join("\n")
}

/// Draws the rows of tiles around a province.
pub(super) fn part(atlas: &Atlas, style: &Style, part: Part<Province>) -> String {
    let row = tiles().position(|row| row.iter().any(|(_, at)| *at == part.around)).unwrap_or(0);
    let reach = usize::try_from(part.radius.unwrap_or(AROUND)).unwrap_or(usize::MAX);
    let rows: Vec<_> =
        tiles().skip(row.saturating_sub(reach)).take(row.min(reach) + 1 + reach.min(11)).collect();
    let heading = format!("{}  {}", style.paint(&atlas.title, Ink::Heading), atlas.table().date());
    format!("{heading}\n{}", draw_rows(atlas, style, &rows))
}

fn map(atlas: &Atlas, style: &Style) -> String {
    draw_rows(atlas, style, &tiles().collect::<Vec<_>>())
}

fn draw_rows(atlas: &Atlas, style: &Style, rows: &[Vec<(usize, Province)>]) -> String {
    let heights: Vec<usize> = rows
        .iter()
        .map(|row| if row.iter().any(|(_, at)| third(atlas, *at).is_some()) { 3 } else { 2 })
        .collect();
    let mut canvas = Canvas::new(WIDTH, heights.iter().sum());
    let mut top = 0;
    for (row, height) in rows.iter().zip(heights) {
        for (column, province) in row {
            tile(&mut canvas, atlas, style, (column * TILE, top), *province);
        }
        top += height;
    }
    canvas.text(style)
}

/// A province: its name with its center, its unit, and below what else there is.
fn tile(canvas: &mut Canvas, atlas: &Atlas, style: &Style, (x, y): (usize, usize), at: Province) {
    let position = &atlas.table().position;
    let owner = position.centers[at.index()];
    let plain = if at.terrain() == Terrain::Sea { Ink::Shade(67) } else { Ink::Shade(250) };
    let ink = owner.map_or(plain, |seat| atlas.ink(seat));
    let mut name = at.as_str().to_owned();
    if at.is_center() {
        name.push_str(style.symbol("•", "*"));
        name.push_str(&owner.map_or_else(String::new, |seat| code(atlas, seat)));
    }
    canvas.put(x, y, &name, Some(ink));
    if let Some(unit) = position.unit(at) {
        canvas.put(x, y + 1, &piece(atlas, unit), Some(atlas.ink(unit.owner)));
    } else if style.color {
        let dot = if at.terrain() == Terrain::Sea {
            style.symbol("~", "~")
        } else {
            style.symbol("·", ".")
        };
        canvas.put(x, y + 1, dot, Some(Ink::Shade(238)));
    }
    if let Some((text, ink)) = third(atlas, at) {
        canvas.put(x, y + 2, &text, Some(ink));
    }
}

/// A unit: `A FRA`, `F RUSsc`.
fn piece(atlas: &Atlas, unit: Unit) -> String {
    let coast = unit.at.coast().map_or("", |coast| coast.as_str());
    format!("{} {}{coast}", unit.kind.as_str(), code(atlas, unit.owner))
}

fn code(atlas: &Atlas, seat: Seat) -> String {
    atlas.power(seat).code.clone()
}

/// What stands in the third line of a tile: a unit that has to retreat, or a colony.
fn third(atlas: &Atlas, at: Province) -> Option<(String, Ink)> {
    let driven = atlas.table().dislodged.iter().find(|one| one.unit.at.province() == at);
    let colony = atlas.table().position.colonies[at.index()];
    match (driven, colony) {
        (Some(one), _) => Some((format!("!{}", piece(atlas, one.unit)), Ink::Bad)),
        (None, Some(seat)) => Some((format!("={}", code(atlas, seat)), atlas.ink(seat))),
        (None, None) => None,
    }
}

/// The powers, with what they have.
fn powers(atlas: &Atlas, style: &Style) -> String {
    let position = &atlas.table().position;
    let space = atlas.is_in_space();
    let mut headings = vec!["", "", "centers", "armies", "fleets"];
    if space {
        headings.extend(["orbit", "colonies"]);
    }
    headings.push("");
    let rows: Vec<Vec<String>> = atlas
        .powers
        .iter()
        .filter(|power| atlas.powers.len() <= 12 || !atlas.table().eliminated.contains(power.seat))
        .map(|power| {
            let units = |kind: Kind| {
                position.units_of(power.seat).filter(|unit| unit.kind == kind).count().to_string()
            };
            let out = atlas.table().eliminated.contains(power.seat);
            let mut notes = power.player.clone();
            if atlas.own() == Some(power.seat) {
                "you".clone_into(&mut notes);
            } else if out {
                "out".clone_into(&mut notes);
            }
            let mut row = vec![
                style.paint(&power.code, atlas.ink(power.seat)),
                power.name.clone(),
                position.centers_of(power.seat).len().to_string(),
                units(Kind::Army),
                units(Kind::Fleet),
            ];
            if space {
                row.push(position.orbit(power.seat).to_string());
                row.push(position.colonies_of(power.seat).len().to_string());
            }
            row.push(notes.chars().take(24).collect());
            row
        })
        .collect();
    text::table(style, &headings, &rows)
}

fn legend(atlas: &Atlas, style: &Style) -> String {
    let center = style.symbol("•", "*");
    let center = format!("Par{center}FRA a center and its owner");
    let mut entries =
        vec![center.as_str(), "A FRA an army", "F FRA a fleet", "!A FRA has to retreat"];
    if atlas.is_in_space() {
        entries.push("=ZOR a colony");
    }
    let entries: Vec<String> = entries.into_iter().map(str::to_owned).collect();
    let width = if style.width >= WIDTH + 60 { 60 } else { style.width.min(WIDTH) };
    style.paint(text::items(&entries, width), Ink::Faint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_province_has_one_tile() {
        let all: Vec<Province> = tiles().flatten().map(|(_, province)| province).collect();
        for province in Province::ALL {
            assert_eq!(all.iter().filter(|other| **other == province).count(), 1, "{province}");
        }
        assert!(TILES.iter().all(|row| row.split_whitespace().count() == 10));
    }
}
