//! The board in sentences, hex by hex.

use heliopause_starships::{Marker, Place, letter};

use super::board::{Board, Cell, Standing, coordinates};
use crate::text::listed;

/// A line for each hex of which anything is known, and for each player.
pub(super) fn lines(board: &Board) -> Vec<String> {
    let mut lines = vec![format!("{}. {}", board.title, board.news.join(" "))];
    let unknown = |cell: &&Cell| contents(cell).is_empty();
    lines.extend(board.cells.iter().filter(|(_, cell)| !unknown(cell)).map(|(at, cell)| {
        format!(
            "{}: {}. Next to {}.",
            coordinates(*at),
            listed(&contents(cell)),
            beside(board, *at)
        )
    }));
    let hidden: Vec<String> = board
        .cells
        .iter()
        .filter(|(_, cell)| unknown(cell))
        .map(|(at, _)| coordinates(*at))
        .collect();
    if !hidden.is_empty() {
        lines.push(format!("Unknown: {}.", hidden.join(" ")));
    }
    lines.extend(board.standings.iter().map(standing));
    lines
}

/// What there is in a hex.
fn contents(cell: &Cell) -> Vec<String> {
    let mut found: Vec<String> =
        cell.marker().map(|marker| marker_word(marker).to_owned()).into_iter().collect();
    if let (Some(word), true) = (found.first_mut(), cell.face_up) {
        word.push_str(", face up");
    }
    found.extend(cell.owner().map(|owner| format!("owned by {}", letter(owner))));
    if cell.death_zone {
        found.push("a Death Zone".to_owned());
    }
    found.extend(cell.signs.iter().map(|seat| format!("a marker of {}", letter(*seat))));
    found.extend(cell.bases.iter().map(|base| {
        let out = if base.is_out() { " that is out" } else { "" };
        format!("base of {}{out}", letter(base.id.owner))
    }));
    found.extend(cell.ships.iter().map(|ship| {
        let disrupted = if ship.condition.is_disrupted() { " (Disrupted)" } else { "" };
        format!("starship {}{disrupted}", ship.id)
    }));
    found
}

fn marker_word(marker: Marker) -> &'static str {
    match marker {
        Marker::Earth => "Earth",
        Marker::Friendly => "a Friendly planet",
        Marker::Unfriendly => "an Unfriendly planet",
        Marker::Dead => "a dead planet",
        Marker::Asteroids => "Asteroids",
        Marker::Empty => "empty space",
        Marker::DeathStar => "the Death Star",
        Marker::Destroyed => "a destroyed planet",
    }
}

fn beside(board: &Board, at: Place) -> String {
    let near = board.cells.keys().filter(|other| other.hex().distance(at.hex()) == 1);
    near.map(|at| coordinates(*at)).collect::<Vec<_>>().join(" ")
}

fn standing(standing: &Standing) -> String {
    let turn = if standing.on_turn { ", on turn" } else { "" };
    let notes =
        if standing.notes.is_empty() { String::new() } else { format!(" ({})", standing.notes) };
    format!(
        "{} {}: {}{turn}; planets {}; {}{notes}.",
        letter(standing.seat),
        standing.name,
        standing.status,
        standing.planets,
        standing.pieces
    )
}
