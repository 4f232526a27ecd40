//! The map in a terminal. Every hex is two rows high, and the columns between stand one row lower,
//! so that the hexes lie as on the board without their edges.

use heliopause_stellar_conquest::{COLUMNS, Fleet, Place, StarId, Ways};

use super::atlas::{Atlas, Group, Settled};
use super::labels::{Label, Labels};
use super::politics::{self, Ground};
use super::{palette, words};
use crate::aim::Part;
use crate::canvas::Canvas;
use crate::style::{Ink, Style};
use crate::text;

/// Room for the numbers of rows at the left.
const MARGIN: usize = 3;
/// Rows of text: one for each row of odd columns and one for each between, and the last half.
const ROWS: usize = 43;
/// The two lines with the letters of columns.
const HEADS: usize = 2;

/// How far a part of the map reaches unless that is said.
const AROUND: u32 = 4;

type Words = Vec<(String, Option<Ink>)>;

/// Draws the map: news, hexes, legend, ships; side by side where the terminal is wide enough.
pub(super) fn draw(atlas: &Atlas, style: &Style) -> String {
    let stride = stride(style);
    let map = map(atlas, style, stride).text(style);
    let heading = format!("{}  {}", style.paint(&atlas.title, Ink::Heading), atlas.news.join(" "));
    let room = style.width.saturating_sub(width_of(style, stride) + 2);
    if room >= 64 {
        let narrow = Style { width: room, ..*style };
        let panel = format!("\n\n{}\n\n{}", lists(atlas, &narrow), legend(atlas, &narrow));
        return format!("{heading}\n{}", text::beside(&map, panel.trim_end(), 2));
    }
    let parts =
        [text::wrap(&heading, style.width, 0), map, legend(atlas, style), lists(atlas, style)];
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join("\n")
}

/// Draws the rows around a hex.
pub(super) fn part(atlas: &Atlas, style: &Style, part: Part<Place>) -> String {
    let stride = stride(style);
    let (_, row) = corner(part.around, stride);
    let reach = usize::try_from(part.radius.unwrap_or(AROUND)).unwrap_or(usize::MAX).min(ROWS);
    let map = map(atlas, style, stride);
    let (heads, part) = (map.around(0, HEADS - 1), map.around(row, 2 * reach));
    let top = row.saturating_sub(2 * reach);
    // The letters of columns stand above every part.
    let heads = if top < HEADS { String::new() } else { format!("{}\n", heads.text(style)) };
    format!("{}\n{heads}{}", style.paint(&atlas.title, Ink::Heading), part.text(style))
}

/// How many columns a hex takes.
fn stride(style: &Style) -> usize {
    if style.width >= 150 {
        3
    } else {
        (style.width.saturating_sub(MARGIN + 5) / usize::from(COLUMNS)).clamp(2, 3)
    }
}

/// How wide the map is, with room for what is written at its right edge.
fn width_of(style: &Style, stride: usize) -> usize {
    (MARGIN + stride * usize::from(COLUMNS) + 13).min(style.width)
}

/// Where a hex is on the canvas.
fn corner(at: Place, stride: usize) -> (usize, usize) {
    let column = usize::from(at.column()) - 1;
    (MARGIN + column * stride, HEADS + 2 * (usize::from(at.row()) - 1) + column % 2)
}

fn map(atlas: &Atlas, style: &Style, stride: usize) -> Canvas {
    let width = width_of(style, stride);
    let mut canvas = Canvas::new(width, HEADS + ROWS);
    heads(&mut canvas, stride);
    for at in Place::all() {
        background(&mut canvas, atlas, at, style, stride);
    }
    let mut labels = Labels::new(width, HEADS + ROWS);
    let all: Vec<((usize, usize), Label)> = label_order(atlas)
        .into_iter()
        .map(|at| (corner(at, stride), label(atlas, at, style)))
        .collect();
    for ((x, y), label) in &all {
        labels.hold(*x, *y, label.symbol_width());
    }
    for ((x, y), label) in &all {
        labels.place(&mut canvas, *x, *y, label);
    }
    canvas
}

/// The letters of the columns, those that stand lower in the second line, and the numbers of the
/// rows.
fn heads(canvas: &mut Canvas, stride: usize) {
    let ink = Some(Ink::Shade(244));
    for at in Place::all().filter(|at| at.row() == 1) {
        let (x, _) = corner(at, stride);
        let name = at.to_string();
        canvas.put(x, 1 - usize::from(at.column() % 2), name.trim_end_matches('1'), ink);
    }
    for row in 0..21 {
        canvas.put(0, HEADS + 2 * row, &format!("{:>2}", row + 1), ink);
    }
}

/// Clouds, and dots: brighter ones where the viewer's ships may go.
fn background(canvas: &mut Canvas, atlas: &Atlas, at: Place, style: &Style, stride: usize) {
    let (x, y) = corner(at, stride);
    if at.is_cloud() {
        let cloud = style.symbol("░", "%").repeat(stride);
        canvas.put(x, y, &cloud, Some(Ink::Shade(97)));
        canvas.put(x, y + 1, &cloud, Some(Ink::Shade(97)));
        return;
    }
    let reached = atlas.command.as_ref().is_some_and(|command| command.reaches(at));
    match (reached, style.color) {
        (true, _) => canvas.put(x, y, style.symbol("·", "."), Some(Ink::Shade(246))),
        (false, true) => canvas.put(x, y, style.symbol("·", "."), Some(Ink::Shade(237))),
        (false, false) if atlas.command.is_none() => canvas.put(x, y, style.symbol("·", "."), None),
        (false, false) => {}
    }
}

/// Hexes with something to write: those with more first, since they need more room.
fn label_order(atlas: &Atlas) -> Vec<Place> {
    let mut places: Vec<Place> = StarId::ALL.into_iter().map(StarId::at).collect();
    places.extend(atlas.sights.keys().filter(|at| StarId::in_hex(**at).is_none()));
    let own_entry = atlas.own().and_then(|(seat, _)| atlas.view.table.entry(seat));
    places.extend(own_entry.filter(|at| !places.contains(at)));
    let weight = |at: &Place| {
        atlas.sights.get(at).map_or(0, |sight| sight.groups.len() + sight.colonies.len())
    };
    places.sort_by_key(|at| usize::MAX - weight(at));
    places
}

/// What is written of a hex.
fn label(atlas: &Atlas, at: Place, style: &Style) -> Label {
    let star = StarId::in_hex(at);
    let mut marks = marks(atlas, at, style);
    let (symbol, name) = match star {
        Some(star) => {
            let explored = atlas.has_explored(star);
            let ink = Some(palette::star_ink(star.colour(), explored));
            (vec![(star_symbol(star, explored, style), ink)], vec![(star.as_str().to_owned(), ink)])
        }
        None if marks.is_empty() => {
            (vec![(style.symbol("◇", "E").to_owned(), Some(Ink::Good))], Words::new())
        }
        None => (marks.remove(0), Words::new()),
    };
    Label { symbol, name, marks: marks.into_iter().flatten().collect() }
}

/// A full star if it is explored, a hollow one otherwise; without colour its letter stands before
/// it.
fn star_symbol(star: StarId, explored: bool, style: &Style) -> String {
    let symbol = if explored { style.symbol("★", "*") } else { style.symbol("☆", "?") };
    let letter = &star.colour().as_str()[..1];
    if style.color { symbol.to_owned() } else { format!("{letter}{symbol}") }
}

/// Colonies, posts and ships of a hex, each with its owner's colour.
fn marks(atlas: &Atlas, at: Place, style: &Style) -> Vec<Words> {
    let mut marks: Vec<Words> = claim(atlas, at, style).into_iter().collect();
    let Some(sight) = atlas.sights.get(&at) else {
        marks.extend(waiting(atlas, at, style));
        return marks;
    };
    marks.extend(sight.groups.iter().map(|group| group_mark(atlas, group, style)));
    marks.extend(sight.colonies.iter().map(|colony| colony_mark(atlas, colony, style)));
    for seat in &sight.posts {
        let number = if style.color || atlas.is_own(*seat) {
            String::new()
        } else {
            seat.number().to_string()
        };
        let text = format!("{}{number}", style.symbol("⚑", "!"));
        marks.push(vec![(text, Some(palette::seat_ink(&atlas.view.table, *seat)))]);
    }
    marks.extend(waiting(atlas, at, style));
    marks
}

/// Who claims a star, unless a colony of theirs tells it; border stars and contested ones stand
/// out.
fn claim(atlas: &Atlas, at: Place, style: &Style) -> Option<Words> {
    let (seat, ground) = politics::claim(atlas, StarId::in_hex(at)?)?;
    let settled = atlas
        .sights
        .get(&at)
        .is_some_and(|sight| sight.colonies.iter().any(|colony| colony.seat == seat));
    if settled && ground == Ground::Inner {
        return None;
    }
    let number = if style.color { String::new() } else { seat.number().to_string() };
    let symbol = match ground {
        Ground::Inner => style.symbol("▪", "#"),
        Ground::Border => style.symbol("◫", "#|"),
        Ground::Contested => style.symbol("⚔", "#!"),
    };
    Some(vec![(format!("{symbol}{number}"), Some(palette::seat_ink(&atlas.view.table, seat)))])
}

/// Own ships that wait off the board stand at their entry hex.
fn waiting(atlas: &Atlas, at: Place, style: &Style) -> Option<Words> {
    let (seat, _) = atlas.own()?;
    let fleet = atlas.waiting();
    let here = atlas.view.table.entry(seat) == Some(at) && !fleet.is_empty();
    let text = format!("{}{} waiting", style.symbol("◇▲", "E^"), fleet.total());
    here.then(|| vec![(text, Some(palette::seat_ink(&atlas.view.table, seat)))])
}

/// Own ships with their number and where they are bound; others as last seen, and how many turns
/// ago.
fn group_mark(atlas: &Atlas, group: &Group, style: &Style) -> Words {
    let ink = Some(palette::seat_ink(&atlas.view.table, group.seat));
    if atlas.is_own(group.seat) {
        let number = group.fleet.map_or(0, Fleet::total);
        let mut text = format!("{}{number}", style.symbol("▲", "^"));
        if let Some((star, _)) = group.bound.first() {
            let name: String = star.as_str().chars().take(3).collect();
            let more = if group.bound.len() > 1 { "+" } else { "" };
            text = format!("{text}{}{name}{more}", style.symbol("→", ">"));
        }
        return vec![(text, ink)];
    }
    let number = group.fleet.map_or_else(|| "?".to_owned(), |fleet| fleet.total().to_string());
    let owner = if style.color { String::new() } else { format!("{}:", group.seat.number()) };
    let mut words = vec![(format!("{}{owner}{number}", style.symbol("▼", "v")), ink)];
    if group.age > 0 {
        words.push((format!("~{}", group.age), Some(Ink::Faint)));
    }
    words
}

fn colony_mark(atlas: &Atlas, colony: &Settled, style: &Style) -> Words {
    let held = colony.conqueror.filter(|by| atlas.is_own(*by));
    let symbol = match (atlas.is_own(colony.seat), held) {
        (true, _) => style.symbol("●", "@"),
        (false, Some(_)) => style.symbol("◐", "&"),
        (false, None) => style.symbol("○", "0"),
    };
    let owner = if style.color || atlas.is_own(colony.seat) {
        String::new()
    } else {
        format!("{}:", colony.seat.number())
    };
    let people = colony.people.map_or_else(String::new, |people| people.to_string());
    let owner = if people.is_empty() { owner.trim_end_matches(':').to_owned() } else { owner };
    let shield = if colony.shield { style.symbol("◊", "s") } else { "" };
    let mut words = vec![(
        format!("{symbol}{owner}{people}{shield}"),
        Some(palette::seat_ink(&atlas.view.table, colony.seat)),
    )];
    if colony.besieged || (atlas.is_own(colony.seat) && colony.conqueror.is_some()) {
        words.push((style.symbol("!", "x").into(), Some(Ink::Bad)));
    }
    words
}

/// Own ships with their destinations, and what is known of others'.
fn lists(atlas: &Atlas, style: &Style) -> String {
    let parts = [situation(atlas, style), own_ships(atlas, style), other_ships(atlas, style)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// The political situation, where there is one.
fn situation(atlas: &Atlas, style: &Style) -> String {
    let sentences = politics::sentences(atlas);
    if sentences.is_empty() {
        return String::new();
    }
    let wrapped = sentences
        .iter()
        .map(|sentence| text::wrap(&format!("  {sentence}"), style.width.min(100), 4));
    format!(
        "{}\n{}\n",
        style.paint("politics", Ink::Heading),
        wrapped.collect::<Vec<_>>().join("\n")
    )
}

fn own_ships(atlas: &Atlas, style: &Style) -> String {
    let Some((seat, power)) = atlas.own() else { return String::new() };
    let mut rows = Vec::new();
    let waiting = atlas.waiting();
    if !waiting.is_empty() {
        let entry = atlas.view.table.entry(seat).map_or_else(String::new, |at| at.to_string());
        rows.push(vec![format!("waiting at {entry}"), words::fleet(waiting), String::new()]);
    }
    let speed = power.research.owned.speed();
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| group.seat == seat) {
            let mut rest = group.fleet.unwrap_or_default();
            for (star, fleet) in &group.bound {
                let way = Ways::new(*at, &[], speed, 0).to(star.at());
                let turns = way.map_or_else(String::new, |way| {
                    format!(", {} by the fastest way", text::count(way.turns as usize + 1, "turn"))
                });
                let bound = format!("{star}{turns}");
                rows.push(vec![words::place(*at), words::fleet(*fleet), bound]);
                rest = less(rest, *fleet);
            }
            if !rest.is_empty() {
                rows.push(vec![words::place(*at), words::fleet(rest), String::new()]);
            }
        }
    }
    if rows.is_empty() {
        String::new()
    } else {
        text::table(style, &["your ships", "", "bound for"], &rows)
    }
}

/// A fleet without these ships.
fn less(fleet: Fleet, other: Fleet) -> Fleet {
    let (own, other) = (fleet.counts(), other.counts());
    Fleet::new(std::array::from_fn(|kind| own[kind].saturating_sub(other[kind])))
}

fn other_ships(atlas: &Atlas, style: &Style) -> String {
    let mut rows = Vec::new();
    for (at, sight) in &atlas.sights {
        for group in sight.groups.iter().filter(|group| !atlas.is_own(group.seat)) {
            let name = style
                .paint(atlas.name(group.seat), palette::seat_ink(&atlas.view.table, group.seat));
            let (what, when) = match group.fleet {
                Some(fleet) if group.age == 0 => (words::fleet(fleet), String::new()),
                Some(fleet) => (words::fleet(fleet), format!("seen {}", words::age(group.age))),
                None => ("unknown".into(), String::new()),
            };
            rows.push(vec![words::place(*at), name, what, when]);
        }
    }
    if rows.is_empty() {
        String::new()
    } else {
        text::table(style, &["others' ships", "whose", "what", ""], &rows)
    }
}

fn legend(atlas: &Atlas, style: &Style) -> String {
    let mut entries: Vec<(&str, &str)> = vec![
        (
            if style.color { style.symbol("★", "*") } else { style.symbol("y★", "y*") },
            "explored star",
        ),
        (if style.color { style.symbol("☆", "?") } else { style.symbol("y☆", "y?") }, "unexplored"),
        (style.symbol("░", "%"), "gas and dust"),
    ];
    if !style.color {
        entries.push(("b g y o r", "blue, green, yellow, orange, red"));
    }
    if atlas.view.table.campaign.politics().is_some() {
        entries.push((style.symbol("▪", "#"), "claimed, where no colony tells it"));
        entries.push((style.symbol("◫", "#|"), "claimed, on a border"));
        entries.push((style.symbol("⚔", "#!"), "claimed and contested"));
    }
    if atlas.command.is_some() {
        let shown = if style.color { "bright dot" } else { "dot" };
        entries.extend([
            (shown, "in command range"),
            (style.symbol("▲3", "^3"), "your ships"),
            (style.symbol("▲3→Cet", "^3>Cet"), "bound for Ceti"),
            (
                if style.color {
                    style.symbol("▼5~2", "v5~2")
                } else {
                    style.symbol("▼2:5~2", "v2:5~2")
                },
                "others' (seat 2), seen 2 turns ago",
            ),
            (style.symbol("●12", "@12"), "your colony, 12M"),
            (style.symbol("◐", "&"), "held by you"),
            (style.symbol("○", "0"), "others' colony"),
            (style.symbol("!", "x"), "besieged or held by another"),
            (style.symbol("⚑", "!"), "command post"),
        ]);
    }
    let entries: Vec<String> =
        entries.iter().map(|(symbol, what)| format!("{symbol} {what}")).collect();
    let lines = text::items(&entries, style.width.min(100));
    lines.lines().map(|line| style.paint(line, Ink::Faint)).collect::<Vec<_>>().join("\n")
}
