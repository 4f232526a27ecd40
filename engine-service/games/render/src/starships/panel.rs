//! What stands beside the board in the picture: the players, and what the signs mean.

use heliopause_kernel::Seat;
use heliopause_starships::letter;

use super::board::Board;
use super::picture::{Token, ball, flag, token};
use crate::svg::{Column, Finish, Picture, Tint, hexagon};

/// Draws the panel; answers where it ends.
pub(super) fn draw(picture: &mut Picture, board: &Board, from: (f64, f64), width: f64) -> f64 {
    let mut column = Column::new(picture, from, width);
    players(&mut column, board);
    column.skip(22.0);
    legend(&mut column, board);
    column.bottom()
}

fn players(column: &mut Column<'_>, board: &Board) {
    let palette = column.palette();
    column.heading("Players");
    for standing in &board.standings {
        let shade = if standing.out { palette.faint } else { palette.owner(standing.seat) };
        let turn = if standing.on_turn { "▶ " } else { "" };
        let name = format!("{turn}{}  {}", letter(standing.seat), standing.name);
        column.skip(6.0);
        column.lines(16.0, shade, true, &name);
        let mut state = format!("{} · planets: {}", standing.status, standing.planets);
        if !standing.notes.is_empty() {
            state.push_str(" · ");
            state.push_str(&standing.notes);
        }
        column.lines(12.5, palette.soft, false, &state);
        column.lines(12.5, palette.soft, false, &standing.pieces);
    }
}

fn legend(column: &mut Column<'_>, board: &Board) {
    let (palette, anybody) = (column.palette(), Seat::at(0));
    column.heading("Legend");
    let bodies = [
        ("earth", "Earth"),
        ("friendly", "Friendly planet"),
        ("hostile", "Unfriendly planet"),
        ("dead", "dead planet"),
        ("deathstar", "Death Star"),
    ];
    for (shade, meaning) in bodies {
        column.sign(meaning, |sheet, spot| {
            ball(sheet, spot, 8.0, shade);
        });
    }
    let tokens = [
        ("A1", Token::Ship, "starship"),
        ("A1", Token::Disrupted, "Disrupted"),
        ("A", Token::Base, "base"),
        ("A", Token::BaseOut, "base that is out"),
    ];
    for (name, shape, meaning) in tokens {
        column.sign(meaning, |sheet, spot| token(sheet, palette, spot, name, anybody, shape));
    }
    column.sign("ownership marker", |sheet, (x, y)| {
        flag(sheet, palette, (x - 8.0, y), anybody);
    });
    column.sign("Death Zone", |sheet, spot| {
        sheet.polygon(&hexagon(spot, 9.0), Tint::Shade("zone").into());
    });
    column.sign("owned planet, in its owner's colour", |sheet, spot| {
        sheet.polygon(&hexagon(spot, 9.0), Finish::line(palette.owner(anybody), 3.0));
    });
    if board.has_secrets() {
        column.sign("known to you only", |sheet, spot| {
            sheet.circle(spot, 7.0, Finish::line(palette.faint, 1.0).dashed("3 3"));
        });
    }
    if !board.moves.is_empty() {
        column.sign("move of the last turn", |sheet, (x, y)| {
            let finish = Finish::line(palette.owner(anybody), 2.4);
            sheet.arrow((x - 12.0, y), (x + 10.0, y), palette.halo, finish);
        });
    }
}
