//! Writes Diplomacy games of random legal orders in the saved game format of other programs.
//!
//! `saved_games FOLDER 200` writes 200 games, the same ones every time.
//! `examples/python/diplomacy_check.py` adjudicates them with another program.

use std::path::Path;

use heliopause_cli::render::Renderer as _;
use heliopause_diplomacy::{Command, Diplomacy, Order, Place};
use heliopause_kernel::{Actor, CloseCause, Dice, Game as _, Seat, Setup, Viewer};

const LAST_YEAR: u16 = 1905;

/// Returns whether other programs resolve the order in the same way. They differ on armies that
/// insist on a convoy and on supports that name a coast.
fn is_resolved_alike(order: &Order) -> bool {
    match order {
        Order::Move { via_convoy, .. } => !via_convoy,
        Order::SupportMove { to: Place::Earth(to), .. } => to.coast().is_none(),
        _ => true,
    }
}

/// Plays a game of random legal orders and returns it in the saved game format. The same number
/// always gives the same game.
pub(crate) fn random_game(number: u64) -> serde_json::Value {
    let dice = &mut Dice::new([0; 32]);
    let setup = Setup { options: heliopause_diplomacy::Options::default(), players: 7 };
    let (mut game, opening) = Diplomacy::new(&setup, dice).expect("the usual game");
    let mut state = number;
    let mut draw = |count: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % count
    };
    let mut told: Vec<_> = opening.to(Viewer::Spectator).cloned().collect();
    while game.outcome().is_none() && game.table().year <= LAST_YEAR {
        for seat in Seat::first(7) {
            for group in game.choices(seat).groups {
                let usual: Vec<_> =
                    group.orders.iter().filter(|order| is_resolved_alike(order)).collect();
                // Prefer moves: most legal orders are supports, which test fewer rules.
                let is_move =
                    |order: &&&Order| matches!(order, Order::Move { .. } | Order::Retreat { .. });
                let moves: Vec<_> = usual.iter().filter(is_move).copied().collect();
                let among = if moves.is_empty() || draw(3) == 0 { usual } else { moves };
                let order = *among[draw(among.len())];
                let given = game.submit(Actor::Seat(seat), Command::Order(order), dice);
                assert!(given.is_ok(), "{order}");
            }
        }
        told.extend(game.close(CloseCause::AllReady, dice).to(Viewer::Spectator).cloned());
    }
    let view = game.view(Viewer::Spectator);
    Diplomacy::saved_game(&format!("random-{number}"), &view, &told).expect("a game from its start")
}

#[allow(dead_code, reason = "the test that includes this file does not call it")]
fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count] = arguments.as_slice() else {
        return Err(std::io::Error::other("usage: saved_games FOLDER COUNT"));
    };
    std::fs::create_dir_all(folder)?;
    let count: u64 = count.parse().map_err(|_| {
        std::io::Error::other(format!("`{count}` is not a number of games; expected an integer"))
    })?;
    for number in 1..=count {
        std::fs::write(
            Path::new(folder).join(format!("{number:03}.json")),
            random_game(number).to_string(),
        )?;
    }
    Ok(())
}
