//! The map in a terminal: flat-topped hexes, 65 columns wide.

use heliopause_kernel::Seat;
use heliopause_starships::{Marker, Place, RADIUS, letter};

use super::board::{Board, Cell, Standing, coordinates};
use crate::aim::Part;
use crate::canvas::Canvas;
use crate::style::{Ink, Style};
use crate::text;

/// How many columns lie between the left corners of two neighbouring hexes.
const STRIDE: usize = 9;
/// How many rows a hex is high.
const HEIGHT: usize = 4;
/// Room for text in the upper and lower row of a hex.
const NARROW: usize = 7;
/// Room for text in its two middle rows.
const WIDE: usize = 9;

type Words = Vec<(String, Option<Ink>)>;

/// Draws the board: news, map, players, legend; side by side where the terminal is wide enough.
pub(super) fn draw(board: &Board, style: &Style) -> String {
    let map = map(board, style).text(style);
    let heading = format!("{}  {}", style.paint(&board.title, Ink::Heading), board.news.join(" "));
    let room =
        style.width.saturating_sub(text::width(map.lines().next().unwrap_or_default()).max(67) + 3);
    if room >= 44 {
        let narrow = Style { width: room, ..*style };
        let panel = format!("\n{}\n\n{}", standing(board, &narrow), legend(board, &narrow));
        return format!("{heading}\n{}", text::beside(&map, &panel, 3));
    }
    format!(
        "{}\n{map}\n{}\n{}",
        text::wrap(&heading, style.width, 0),
        standing(board, style),
        legend(board, style)
    )
}

/// Draws the hexes around one, so many rings of them.
pub(super) fn part(board: &Board, style: &Style, part: Part<Place>) -> String {
    let (_, row) = corner(part.around);
    let reach = usize::try_from(part.radius.unwrap_or(1)).unwrap_or(usize::MAX).min(2 * HEIGHT);
    let part = map(board, style).around(row + HEIGHT / 2, HEIGHT / 2 + reach * HEIGHT);
    format!("{}\n{}", style.paint(&board.title, Ink::Heading), part.text(style))
}

fn map(board: &Board, style: &Style) -> Canvas {
    let span = usize::from(2 * RADIUS.unsigned_abs() + 1);
    let mut canvas = Canvas::new(span * STRIDE + 2, span * HEIGHT + 1);
    for place in board.cells.keys() {
        outline(&mut canvas, *place, style);
    }
    for (place, cell) in &board.cells {
        fill(&mut canvas, *place, cell, style);
    }
    canvas
}

/// The left upper corner of a hex on the canvas.
fn corner(at: Place) -> (usize, usize) {
    let (q, r) = (at.hex().q, at.hex().r);
    let (column, row) = (q + RADIUS, 4 * r + 2 * q + 4 * RADIUS);
    (usize::try_from(column).unwrap_or(0) * STRIDE, usize::try_from(row).unwrap_or(0))
}

/// The edges of a hex. They are faint, so that what lies in it stands out.
fn outline(canvas: &mut Canvas, place: Place, style: &Style) {
    let (x, y) = corner(place);
    let (rising, falling) = (style.symbol("╱", "/"), style.symbol("╲", "\\"));
    let edge = Some(Ink::Shade(242));
    let flat = "_".repeat(NARROW);
    for (column, row, part) in [
        (x + 2, y, flat.as_str()),
        (x + 1, y + 1, rising),
        (x + 9, y + 1, falling),
        (x, y + 2, rising),
        (x + 10, y + 2, falling),
        (x, y + 3, falling),
        (x + 10, y + 3, rising),
        (x + 1, y + 4, falling),
        (x + 2, y + 4, flat.as_str()),
        (x + 9, y + 4, rising),
    ] {
        canvas.put(column, row, part, edge);
    }
}

fn fill(canvas: &mut Canvas, place: Place, cell: &Cell, style: &Style) {
    let (x, y) = corner(place);
    // Several bases, or too many pieces for one row: the bases take the place of the coordinates.
    let separate =
        cell.bases.len() > 1 || (!cell.bases.is_empty() && pieces(cell, style, true).1 > WIDE);
    let top = if separate {
        bases(cell, style)
    } else {
        vec![(coordinates(place), Some(Ink::Shade(244)))]
    };
    canvas.put_centered(x + 2, y + 1, NARROW, &top);
    canvas.put_centered(x + 1, y + 2, WIDE, &terrain(cell, style));
    canvas.put_centered(x + 1, y + 3, WIDE, &pieces(cell, style, !separate).0);
    canvas.put_centered(x + 2, y + 4, NARROW, &marks(cell, style));
}

/// What the hex holds: in capitals if everybody sees it, in small letters if only the viewer knows.
fn terrain(cell: &Cell, style: &Style) -> Words {
    let Some(marker) = cell.marker() else { return vec![("?".into(), Some(Ink::Shade(244)))] };
    let (symbol, word, ink) = match marker {
        Marker::Earth => (style.symbol("⊕", ""), "earth", Ink::Bright(75)),
        Marker::Friendly => (style.symbol("●", ""), "friendly", Ink::Bright(114)),
        Marker::Unfriendly => (style.symbol("◆", ""), "hostile", Ink::Bright(209)),
        Marker::Dead => (style.symbol("○", ""), "dead", Ink::Bright(250)),
        Marker::Asteroids => (style.symbol("∴", ""), "asteroid", Ink::Bright(179)),
        Marker::Empty => (style.symbol("·", ""), "empty", Ink::Shade(246)),
        Marker::DeathStar => (style.symbol("✹", ""), "deathstr", Ink::Bright(196)),
        Marker::Destroyed => ("", "destroyed", Ink::Shade(246)),
    };
    let word = if cell.face_up { word.to_uppercase() } else { word.to_owned() };
    vec![(format!("{symbol}{word}"), Some(ink))]
}

/// The pieces in a hex, bases too if wanted, and how long that is. Too many starships are only
/// counted; the list of players tells them all.
fn pieces(cell: &Cell, style: &Style, with_bases: bool) -> (Words, usize) {
    let mut words = if with_bases { bases(cell, style) } else { Words::new() };
    for ship in &cell.ships {
        let mark = if ship.condition.is_disrupted() { "~" } else { "" };
        words.push((format!("{}{mark}", ship.id), Some(ink(ship.id.owner))));
    }
    let spaced = length(&words) + words.len().saturating_sub(1);
    if spaced <= WIDE {
        let space = (" ".to_owned(), None);
        let words = words.into_iter().flat_map(|word| [word, space.clone()]).collect::<Words>();
        let end = words.len().saturating_sub(1);
        return (words[..end].to_vec(), spaced);
    }
    let tight = length(&words);
    if tight > WIDE && !with_bases {
        return (counted(cell, style), tight);
    }
    (words, tight)
}

/// Starships as their owners' letters if each has one, else as a number.
fn counted(cell: &Cell, style: &Style) -> Words {
    let symbol = style.symbol("▲", "^");
    let mut words = vec![(symbol.to_owned(), None)];
    words.extend(cell.ships.iter().map(|ship| signed(ship.id.owner)));
    if length(&words) <= WIDE {
        words
    } else {
        vec![(format!("{} ships", cell.ships.len()), Some(Ink::Heading))]
    }
}

/// The bases in a hex: a symbol for those on a planet, another for those that are out, and their
/// owners' letters.
fn bases(cell: &Cell, style: &Style) -> Words {
    let mut words = Words::new();
    for (out, symbol) in [(false, style.symbol("■", "#")), (true, style.symbol("□", "%"))] {
        let there = cell.bases.iter().filter(|base| base.is_out() == out).map(|base| base.id.owner);
        let there: Vec<Seat> = there.collect();
        let whose = match there[..] {
            [] => continue,
            [owner] => Some(ink(owner)),
            _ => None,
        };
        words.push((symbol.to_owned(), whose));
        words.extend(there.into_iter().map(signed));
    }
    join_first(words)
}

/// A symbol and the one letter after it are one word, so that no space parts them.
fn join_first(words: Words) -> Words {
    match words.as_slice() {
        [(symbol, ink), (letter, _)] => vec![(format!("{symbol}{letter}"), *ink)],
        _ => words,
    }
}

/// The colour of a player's things.
fn ink(owner: Seat) -> Ink {
    Ink::Seat(owner.number())
}

/// A player's letter in their colour.
fn signed(owner: Seat) -> (String, Option<Ink>) {
    (letter(owner).to_string(), Some(ink(owner)))
}

fn length(words: &Words) -> usize {
    words.iter().map(|(text, _)| text.chars().count()).sum()
}

/// The lowest row: Death Zone, owner, and signs that others put there.
fn marks(cell: &Cell, style: &Style) -> Words {
    if cell.death_zone {
        return vec![(style.symbol("▒ZONE▒", "XZONEX").into(), Some(Ink::Bright(196)))];
    }
    let mut words = Words::new();
    if let Some(owner) = cell.owner() {
        words.push((format!("{}{}", style.symbol("★", "*"), letter(owner)), Some(ink(owner))));
    }
    if !cell.signs.is_empty() {
        words.push((style.symbol("⚑", "!").into(), Some(Ink::Shade(250))));
        words.extend(cell.signs.iter().copied().map(signed));
    }
    words
}

fn players(board: &Board, style: &Style) -> String {
    let row = |standing: &Standing| {
        let turn = if standing.on_turn { style.symbol("▶", ">") } else { " " };
        let ink = if standing.out { Ink::Faint } else { ink(standing.seat) };
        let name = format!("{turn}{} {}", letter(standing.seat), standing.name);
        let notes = if standing.notes.is_empty() {
            String::new()
        } else {
            format!(" ({})", standing.notes)
        };
        vec![
            style.paint(name, ink),
            standing.status.to_owned(),
            standing.planets.clone(),
            format!("{}{notes}", standing.pieces),
        ]
    };
    let rows: Vec<Vec<String>> = board.standings.iter().map(row).collect();
    text::table(style, &[" player", "standing", "planets", "pieces"], &rows)
}

/// The players, and in a finished game the rolls that were hidden.
fn standing(board: &Board, style: &Style) -> String {
    let players = players(board, style);
    if board.rolls.is_empty() {
        return players;
    }
    let heading = style.paint("Hidden rolls", Ink::Heading);
    let rolls: Vec<String> = board.rolls.iter().map(|roll| format!("  {roll}")).collect();
    format!("{players}\n\n{heading}\n{}", rolls.join("\n"))
}

fn legend(board: &Board, style: &Style) -> String {
    let symbols = [
        ("CAPITALS", "face up"),
        ("small letters", "known to you"),
        ("?", "unknown"),
        ("A1", "starship"),
        ("A1~", "Disrupted"),
        (style.symbol("■A", "#A"), "base"),
        (style.symbol("□A", "%A"), "base out"),
        (style.symbol("★A", "*A"), "owner"),
        (style.symbol("⚑B", "!B"), "ownership marker"),
        ("hostile", "Unfriendly planet"),
    ];
    let shown = symbols.iter().filter(|(symbol, _)| *symbol != "?" || board.has_secrets());
    let entries: Vec<String> = shown.map(|(symbol, what)| format!("{symbol} {what}")).collect();
    let lines = text::items(&entries, style.width.min(90));
    lines.lines().map(|line| style.paint(line, Ink::Faint)).collect::<Vec<_>>().join("\n")
}
