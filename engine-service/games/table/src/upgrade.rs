//! Snapshots of older formats, brought up to date one version at a time.

use heliopause_proto::store::v1::TableState;

use crate::registry::AnyGame;
use crate::table::FORMAT;

/// Brings a state that was read to the format that is written.
pub(crate) fn to_current(state: &mut TableState, game: Option<&dyn AnyGame>) {
    if state.format == 1 {
        remember_prompts(state, game);
        state.format = 2;
    }
    assert_eq!(state.format, FORMAT, "every older format has its step above");
}

/// Format 1 kept only the kind and number of an open decision. Without the prompt, which is kept
/// since, every open decision would seem new, and orders on their way would come too late.
fn remember_prompts(state: &mut TableState, game: Option<&dyn AnyGame>) {
    let pending = game.map(AnyGame::pending).unwrap_or_default();
    for (index, seat) in state.seats.iter_mut().enumerate() {
        for key in &mut seat.asked {
            let mut same =
                pending.iter().filter(|one| one.seat.index() == index && one.kind == key.kind);
            if let Some(decision) = same.find(|one| one.number == key.number) {
                key.prompt.clone_from(&decision.prompt);
            }
        }
    }
}
