//! The map in a terminal: a comb of flat-topped hexes, two rows high, in the reader's own frame.

use heliopause_star_empires::{Coord, Name, Siege, Status, StormSeen};

use super::atlas::{Atlas, Cell, Portal};
use super::window::{Layer, Window};
use super::{gazetteer, palette};
use crate::canvas::Canvas;
use crate::style::{Ink, Style};
use crate::text;

/// Room for text in a hex, unless coordinates need more.
const ROOM: usize = 6;
/// The least room for the list beside the map.
const BESIDE: usize = 56;

type Words = Vec<(String, Option<Ink>)>;

/// Draws a part of the map with its heading, its legend, and the list of what is there.
pub(super) fn draw(atlas: &Atlas, window: &Window, style: &Style) -> String {
    if atlas.cells.is_empty() {
        return format!(
            "{}\nNothing of the galaxy is shown to you.",
            heading(atlas, window, style)
        );
    }
    let columns = style.width.saturating_sub(1) / (ROOM + 1);
    let most = u32::try_from(columns.saturating_sub(1) / 2).unwrap_or(1).max(1);
    let places = window.places(atlas, Some(most));
    let heading = heading(atlas, window, style);
    if places.is_empty() {
        return format!("{heading}\nNothing is known of the sectors there.");
    }
    let map = map(atlas, &places, window, style);
    let legend = legend(window.layer, style);
    if window.layer == Layer::Scans {
        return format!("{heading}\n{map}\n{legend}");
    }
    let room =
        style.width.saturating_sub(map.lines().map(text::width).max().unwrap_or_default() + 3);
    if room >= BESIDE {
        let narrow = Style { width: room, ..*style };
        let list = gazetteer::list(atlas, &places, window, &narrow);
        return format!("{heading}\n{}\n{legend}", text::beside(&map, &list, 3));
    }
    format!("{heading}\n{map}\n{legend}\n\n{}", gazetteer::list(atlas, &places, window, style))
}

fn heading(atlas: &Atlas, window: &Window, style: &Style) -> String {
    let middle = window.middle(atlas);
    let mut told = format!("map {}", atlas.view.turn);
    if let Some(seat) = atlas.seat {
        told = format!("{}, {told}", style.paint(atlas.name(seat), palette::ink(atlas.seat)));
    }
    if !atlas.cells.is_empty() {
        told = format!("{told}, around {middle}");
    }
    if window.layer != Layer::All {
        told = format!("{told}, layer {}", window.layer);
    }
    format!("{}  {told}", style.paint(&atlas.title, Ink::Heading))
}

/// Where hexes go on the canvas.
struct Grid {
    room: usize,
    left: i32,
    top: i32,
}

impl Grid {
    fn new(places: &[Coord]) -> Self {
        let longest = places.iter().map(|at| coordinates(*at).len()).max().unwrap_or_default();
        let left = places.iter().map(|at| i32::from(at.o)).min().unwrap_or_default();
        let top = places.iter().map(|at| row(*at)).min().unwrap_or_default();
        Self { room: longest.max(ROOM), left, top }
    }

    fn corner(&self, at: Coord) -> (usize, usize) {
        let column = usize::try_from(i32::from(at.o) - self.left).unwrap_or_default();
        (column * (self.room + 1), usize::try_from(row(at) - self.top).unwrap_or_default())
    }

    fn canvas(&self, places: &[Coord]) -> Canvas {
        let ends = places.iter().map(|at| self.corner(*at));
        let (right, bottom) =
            ends.fold((0, 0), |(right, bottom), (x, y)| (right.max(x), bottom.max(y)));
        Canvas::new(right + self.room + 2, bottom + 3)
    }
}

/// The row of the canvas in which a hex begins, counted from the sector (0,0).
fn row(at: Coord) -> i32 {
    i32::from(at.o) - 2 * i32::from(at.y)
}

fn map(atlas: &Atlas, places: &[Coord], window: &Window, style: &Style) -> String {
    let grid = Grid::new(places);
    let mut canvas = grid.canvas(places);
    let mut known: Vec<(Coord, &Cell)> =
        places.iter().filter_map(|at| Some((*at, atlas.cell(*at)?))).collect();
    // Neighbours share an edge: the better known of the two has it.
    known.sort_by_key(|(_, cell)| cell.status);
    for (at, cell) in &known {
        outline(&mut canvas, &grid, *at, cell.status, style);
    }
    for (at, cell) in &known {
        let (x, row) = grid.corner(*at);
        let is_middle = window.around == Some(*at);
        let (upper, lower) = inside(atlas, *at, cell, window.layer, grid.room, style);
        canvas.put_centered(x + 1, row + 1, grid.room, &marked(upper, is_middle, style));
        canvas.put_centered(x + 1, row + 2, grid.room, &lower);
    }
    canvas.text(style)
}

fn marked(words: Words, is_middle: bool, style: &Style) -> Words {
    if !is_middle {
        return words;
    }
    let mark = (style.symbol("›", ">").to_owned(), Some(Ink::Bright(231)));
    std::iter::once(mark).chain(words).collect()
}

fn edge(status: Option<Status>) -> Ink {
    match status {
        Some(Status::Visible) => Ink::Shade(252),
        Some(Status::Scanned) => Ink::Shade(245),
        Some(Status::Stale) | None => Ink::Shade(238),
    }
}

fn outline(canvas: &mut Canvas, grid: &Grid, at: Coord, status: Option<Status>, style: &Style) {
    let (x, row) = grid.corner(at);
    let (rising, falling) = (style.symbol("╱", "/"), style.symbol("╲", "\\"));
    let flat = "_".repeat(grid.room);
    let right = x + grid.room + 1;
    let parts = [
        (x + 1, row, flat.as_str()),
        (x, row + 1, rising),
        (right, row + 1, falling),
        (x, row + 2, falling),
        (x + 1, row + 2, flat.as_str()),
        (right, row + 2, rising),
    ];
    for (column, row, part) in parts {
        canvas.put(column, row, part, Some(edge(status)));
    }
}

fn coordinates(at: Coord) -> String {
    format!("{},{}", at.o, at.y)
}

/// The two rows of a hex.
fn inside(
    atlas: &Atlas,
    at: Coord,
    cell: &Cell,
    layer: Layer,
    room: usize,
    style: &Style,
) -> (Words, Words) {
    let label = || vec![(coordinates(at), Some(Ink::Shade(if cell.obscured { 238 } else { 243 })))];
    match layer {
        Layer::All => {
            let objects = objects(cell, style);
            let upper = if objects.is_empty() { label() } else { fitted(objects, room, style) };
            (upper, fitted(ships(atlas, cell, style), room, style))
        }
        Layer::Owners => cell.world.as_ref().map_or_else(
            || (label(), Words::new()),
            |world| {
                let owner = world.owner.map_or_else(|| "free".to_owned(), |seat| atlas.code(seat));
                let ink = Some(palette::ink(world.owner));
                (vec![(owner, ink)], vec![(format!("{} RU", world.production), ink)])
            },
        ),
        Layer::Ships if cell.ships.is_empty() => (label(), Words::new()),
        Layer::Ships => {
            let tonnage: u64 =
                cell.ships.values().fold(0, |sum, group| sum.saturating_add(group.tonnage));
            (
                fitted(ships(atlas, cell, style), room, style),
                vec![(format!("{tonnage}t"), Some(Ink::Shade(250)))],
            )
        }
        Layer::Scans => (label(), scan_words(cell)),
        Layer::Storms => {
            named_here(label(), storms(cell, style), cell.storms.first().map(|it| it.name), room)
        }
        Layer::Portals => {
            named_here(label(), portals(cell, style), cell.portals.first().map(|it| it.name), room)
        }
    }
}

/// A symbol above, and below as much of the name as there is room for.
fn named_here(label: Words, symbols: Words, name: Option<Name>, room: usize) -> (Words, Words) {
    let Some(name) = name else { return (label, Words::new()) };
    let ink = symbols.first().and_then(|(_, ink)| *ink);
    (symbols, vec![(name.as_str().chars().take(room).collect(), ink)])
}

fn scan_words(cell: &Cell) -> Words {
    let (word, ink) = match (cell.status, cell.scanned) {
        _ if cell.obscured => ("hidden".to_owned(), Ink::Shade(140)),
        (Some(Status::Visible), _) => ("seen".into(), Ink::Bright(231)),
        (Some(Status::Scanned), _) => ("scan".into(), Ink::Shade(252)),
        (_, Some(turn)) => (format!("T{turn}"), Ink::Shade(244)),
        (_, None) => ("never".into(), Ink::Shade(240)),
    };
    let shared = if cell.shared { "+" } else { "" };
    vec![(format!("{word}{shared}"), Some(ink))]
}

/// The world, the portals and the storms of a sector.
fn objects(cell: &Cell, style: &Style) -> Words {
    let mut words = Words::new();
    if let Some(world) = &cell.world {
        let symbol =
            if world.homeworld { style.symbol("★", "*") } else { style.symbol("●", "o") };
        words.push((format!("{symbol}{}", world.production), Some(palette::ink(world.owner))));
        match world.siege {
            Some(Siege::Blockaded) => words.push(("!".into(), Some(Ink::Bright(214)))),
            Some(Siege::Interdicted) => words.push(("!!".into(), Some(Ink::Bright(196)))),
            Some(Siege::None) | None => {}
        }
    }
    words.extend(portals(cell, style));
    words.extend(storms(cell, style));
    words
}

fn portals(cell: &Cell, style: &Style) -> Words {
    let one = |portal: &Portal| {
        let symbol =
            if portal.collapsed { style.symbol("⊗", "x") } else { style.symbol("◎", "O") };
        let ink = if portal.navigable { Ink::Bright(141) } else { Ink::Shade(97) };
        (symbol.to_owned(), Some(ink))
    };
    cell.portals.iter().map(one).collect()
}

fn storms(cell: &Cell, style: &Style) -> Words {
    let one = |storm: &StormSeen| match storm.rating {
        0 => (style.symbol("░", "%").to_owned(), Some(Ink::Shade(103))),
        rating => (format!("{}{rating}", style.symbol("≈", "~")), Some(Ink::Bright(203))),
    };
    cell.storms.iter().map(one).collect()
}

/// The ships of a sector by owner, own ones first, then wrecks.
fn ships(atlas: &Atlas, cell: &Cell, style: &Style) -> Words {
    let groups = atlas.groups(cell);
    let symbol = style.symbol("▲", "^");
    let mut words = Words::new();
    for (owner, group) in groups.iter().filter(|(_, group)| group.ships > 0) {
        let name = match *owner {
            None => "?".into(),
            own if own == atlas.seat => symbol.to_owned(),
            Some(seat) => atlas.code(seat),
        };
        words.push((format!("{name}{}", group.ships), Some(palette::ink(*owner))));
    }
    let wrecks: u32 = groups.iter().map(|(_, group)| group.wrecks).sum();
    if wrecks > 0 {
        words.push((format!("{}{wrecks}", style.symbol("×", "x")), Some(Ink::Shade(167))));
    }
    words
}

/// Spaces between words where there is room; what does not fit is only hinted at.
fn fitted(mut words: Words, room: usize, style: &Style) -> Words {
    let length = |words: &Words| words.iter().map(|(text, _)| text.chars().count()).sum::<usize>();
    let mut is_cut = false;
    while length(&words) + usize::from(is_cut) > room && words.len() > 1 {
        words.pop();
        is_cut = true;
    }
    if is_cut {
        words.push((style.symbol("…", "+").to_owned(), Some(Ink::Shade(250))));
    } else if length(&words) + words.len().saturating_sub(1) <= room && words.len() > 1 {
        let spaced = words.into_iter().flat_map(|word| [word, (" ".to_owned(), None)]);
        words = spaced.collect();
        words.pop();
    }
    words
}

fn legend(layer: Layer, style: &Style) -> String {
    let home = style.symbol("★12", "*12");
    let world = style.symbol("●5", "o5");
    let portal = style.symbol("◎", "O");
    let collapsed = style.symbol("⊗", "x");
    let storm = style.symbol("≈6", "~6");
    let nebula = style.symbol("░", "%");
    let own = style.symbol("▲3", "^3");
    let wreck = style.symbol("×1", "x1");
    let mut entries: Vec<(&str, &str)> = match layer {
        Layer::All => vec![
            (home, "homeworld and its production"),
            (world, "world"),
            ("!", "blockaded"),
            ("!!", "interdicted"),
            (portal, "portal"),
            (collapsed, "collapsed portal"),
            (storm, "storm and its rating"),
            (nebula, "nebula"),
            (own, "your ships"),
            ("KR2", "ships of KR"),
            ("?4", "unidentified ships"),
            (wreck, "wreck"),
        ],
        Layer::Owners => vec![("KR", "whose world, and its production"), ("free", "nobody's")],
        Layer::Ships => vec![
            (own, "your ships"),
            ("KR2", "ships of KR"),
            ("?4", "unidentified ships"),
            (wreck, "wreck"),
            ("120t", "tonnage of all that are loose"),
        ],
        Layer::Scans => vec![
            ("seen", "on short-range scan"),
            ("scan", "on long-range scan"),
            ("T3", "last scanned in turn 3"),
            ("never", "heard of only"),
            ("hidden", "a storm or nebula hides it"),
            ("+", "from shared data"),
        ],
        Layer::Storms => vec![(storm, "storm and its rating"), (nebula, "nebula or dormant storm")],
        Layer::Portals => vec![(portal, "portal"), (collapsed, "collapsed portal")],
    };
    if style.color {
        entries.push(("bright, grey and dark edges", "seen, scanned and stale sectors"));
    }
    let entries: Vec<String> =
        entries.iter().map(|(symbol, what)| format!("{symbol} {what}")).collect();
    let lines = text::items(&entries, style.width.min(100));
    lines.lines().map(|line| style.paint(line, Ink::Faint)).collect::<Vec<_>>().join("\n")
}
