//! A position in which one seat may break a promise. Another seat must then answer during the turn.

use heliopause_proto::starships_at_large::v1 as starships;
use heliopause_proto::v1::{GamePosition, game_position};

pub(crate) fn position() -> GamePosition {
    let hex = |q, r, marker: starships::Marker, owner| starships::HexState {
        hex: Some(starships::Hex { q, r }),
        marker: marker.into(),
        owner,
        ..starships::HexState::default()
    };
    let ship = |serial, q, r| starships::Starship {
        serial,
        at: Some(starships::Hex { q, r }),
        ..starships::Starship::default()
    };
    let fleet =
        starships::Player { starships: vec![ship(1, 0, 0), ship(2, 0, 1)], ..Default::default() };
    let position = starships::Position {
        on_turn: 2,
        hexes: vec![
            hex(0, 1, starships::Marker::Friendly, 1),
            hex(1, 0, starships::Marker::Empty, 0),
        ],
        players: vec![fleet, starships::Player::default(), starships::Player::default()],
        ..starships::Position::default()
    };
    GamePosition { game: Some(game_position::Game::StarshipsAtLarge(position)) }
}
