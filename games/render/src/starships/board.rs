//! A view of Starships at Large by hex and player, prepared for drawing.

use std::collections::BTreeMap;

use heliopause_kernel::{Game as _, Seat};
use heliopause_proto::v1::Game;
use heliopause_starships::{
    Base, DeathStar, Event, HiddenRoll, Marker, MoveEvent, Note, Piece, Place, Ship, Starships,
    Status, Table, TurnEvent, View, letter,
};

use crate::scene::{SceneRow, number, row, states};
use crate::text::{count, harmless};
use crate::wording;

#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) title: String,
    /// Sentences about the state of the game.
    pub(super) news: Vec<String>,
    pub(super) cells: BTreeMap<Place, Cell>,
    /// The names of the players, in seat order.
    pub(super) names: Vec<String>,
    /// The standings of the players, as the rows of a panel.
    pub(super) standings: Vec<SceneRow>,
    /// The moves of the latest turn with moves, oldest first.
    pub(super) moves: Vec<Move>,
    pub(super) rolls: Vec<String>,
}

#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// The marker in the hex. `None` if the viewer has not seen the marker.
    pub(super) note: Option<Note>,
    pub(super) face_up: bool,
    pub(super) death_zone: bool,
    /// The owners of further ownership markers in the hex.
    pub(super) signs: Vec<Seat>,
    pub(super) bases: Vec<Base>,
    pub(super) ships: Vec<Ship>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) piece: Piece,
    pub(super) from: Place,
    pub(super) via: Option<Place>,
    pub(super) to: Place,
}

impl Board {
    pub(super) fn new(view: &View, game: &Game, told: &[Event]) -> Self {
        let cells: BTreeMap<Place, Cell> =
            Place::all().map(|at| (at, Cell::new(view, at))).collect();
        let name = |seat: Seat| {
            let you = if view.seat() == Some(seat) { " (you)" } else { "" };
            format!("{}{you}", wording::seat_name(game, seat.number()))
        };
        let names: Vec<String> = view.table.seats().map(name).collect();
        let named = view.table.seats().zip(&names);
        Self {
            title: harmless(&game.name),
            news: news(view, game),
            standings: named.map(|(seat, name)| standing(view, &cells, seat, name)).collect(),
            names,
            moves: last_moves(told),
            rolls: view.table.revealed.iter().map(|roll| sentence(*roll, game)).collect(),
            cells,
        }
    }

    /// Finds a hex by coordinates or by a starship in it: "(1,0)", "1,0", "A1".
    pub(super) fn find(&self, name: &str) -> Option<Place> {
        let bare = |text: &str| text.replace(['(', ')', ' '], "").to_lowercase();
        let wanted = bare(name);
        let is_there = |(at, cell): &(&Place, &Cell)| {
            bare(&coordinates(**at)) == wanted
                || cell.ships.iter().any(|ship| ship.id.to_string().to_lowercase() == wanted)
        };
        self.cells.iter().find(is_there).map(|(at, _)| *at)
    }

    pub(super) fn name(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    pub(super) fn has_secrets(&self) -> bool {
        self.cells.values().any(|cell| cell.note.is_none())
    }
}

impl Cell {
    fn new(view: &View, at: Place) -> Self {
        let (table, note) = (&view.table, view.note(at));
        let owner = note.and_then(|note| note.owner);
        Self {
            note,
            face_up: table.shown[at.index()].is_some(),
            death_zone: table.zones.contains(at),
            signs: table.tokens[at.index()].iter().filter(|seat| Some(*seat) != owner).collect(),
            bases: table.bases.iter().filter(|base| base.at == at).copied().collect(),
            ships: table.ships.iter().filter(|ship| ship.at == at).copied().collect(),
        }
    }

    pub(super) fn marker(&self) -> Option<Marker> {
        self.note.map(|note| note.marker)
    }

    pub(super) fn owner(&self) -> Option<Seat> {
        self.note.and_then(|note| note.owner)
    }
}

fn last_moves(told: &[Event]) -> Vec<Move> {
    let begins = |event: &Event| matches!(event, Event::Turn(TurnEvent::TurnBegan { .. }));
    let moves = |turn: &[Event]| -> Vec<Move> {
        let moved = turn.iter().filter_map(|event| {
            let Event::Move(MoveEvent::Moved { piece, from, via, to, .. }) = *event else {
                return None;
            };
            Some(Move { piece, from, via, to })
        });
        moved.collect()
    };
    told.rsplit(begins).map(moves).find(|moves| !moves.is_empty()).unwrap_or_default()
}

fn sentence(roll: HiddenRoll, game: &Game) -> String {
    let event = Event::Turn(TurnEvent::RollRevealed { roll });
    Starships::describe(&event, &|seat| wording::seat_name(game, seat.number())).0
}

pub(super) fn coordinates(at: Place) -> String {
    format!("{},{}", at.hex().q, at.hex().r)
}

fn news(view: &View, game: &Game) -> Vec<String> {
    let table = &view.table;
    let turn = match table.active {
        _ if table.is_over() => ", the game is over".into(),
        seat if Some(seat) == view.seat() => ", your turn".into(),
        seat => format!(", turn of {}", wording::seat_name(game, seat.number())),
    };
    let mut news = vec![format!("Round {} of {}{turn}.", table.round, table.options.rounds)];
    if table.axis {
        news.push("The Alliance is known as the Aggressor Axis.".into());
    }
    if let DeathStar::Active { provoker, .. } = table.death_star {
        news.push(format!(
            "The Death Star is active; {} provoked it. No player can win while it is active.",
            letter(provoker)
        ));
    }
    news
}

fn standing(view: &View, cells: &BTreeMap<Place, Cell>, seat: Seat, name: &str) -> SceneRow {
    let table = &view.table;
    let is_out = !table.is_alive(seat);
    let is_on_turn = table.active == seat && !is_out && !table.is_over();
    SceneRow {
        seat: number(seat),
        states: states([(is_on_turn, "active"), (is_out, "out")]),
        ..row([
            format!("{} {name}", letter(seat)),
            status(table, seat).to_owned(),
            planets(cells, seat),
            pieces(table, seat),
            notes(table, seat),
        ])
    }
}

fn status(table: &Table, seat: Seat) -> &'static str {
    match table.status[seat.index()] {
        Status::Alliance if table.axis => "Aggressor Axis",
        Status::Alliance => "Alliance",
        Status::Exiled { .. } => "Exiled",
        Status::Independent => "Independent",
        Status::Eliminated => "out",
    }
}

fn notes(table: &Table, seat: Seat) -> String {
    let letters = |seats: &mut dyn Iterator<Item = Seat>| -> String {
        seats.map(|seat| letter(seat).to_string()).collect::<Vec<_>>().join(", ")
    };
    let index = seat.index();
    let notes = [
        ("at war with", letters(&mut table.wars[index].iter())),
        ("partner of", letters(&mut table.partner[index].into_iter())),
        ("exile voted by", letters(&mut table.votes[index].iter())),
    ];
    let told = notes.into_iter().filter(|(_, who)| !who.is_empty());
    told.map(|(what, who)| format!("{what} {who}")).collect::<Vec<_>>().join("; ")
}

fn planets(cells: &BTreeMap<Place, Cell>, seat: Seat) -> String {
    let own = || cells.values().filter(|cell| cell.owner() == Some(seat)).filter_map(Cell::marker);
    let live = own().filter(|marker| marker.is_live()).count();
    let dead = own().filter(|marker| *marker == Marker::Dead).count();
    match (live, dead) {
        (0, 0) => "none known".into(),
        (live, 0) => format!("{live} live"),
        (0, dead) => format!("{dead} dead"),
        (live, dead) => format!("{live} live, {dead} dead"),
    }
}

/// Lists all pieces of a player with their places.
fn pieces(table: &Table, seat: Seat) -> String {
    let name = |at: Place| if at == Place::EARTH { "Earth".to_owned() } else { coordinates(at) };
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for base in table.bases_of(seat) {
        places
            .entry(name(base.at))
            .or_default()
            .push(if base.is_out() { "base (out)" } else { "base" }.into());
    }
    for ship in table.ships_of(seat) {
        let mark = if ship.condition.is_disrupted() { "~" } else { "" };
        places.entry(name(ship.at)).or_default().push(format!("{}{mark}", ship.id));
    }
    let places: Vec<String> = places
        .into_iter()
        .map(|(place, pieces)| format!("{place}: {}", pieces.join(" ")))
        .collect();
    if places.is_empty() { count(0, "piece") } else { places.join("; ") }
}
