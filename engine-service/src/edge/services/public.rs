//! Games as visitors without an account see them, for pages that the engine makes itself.

use heliopause_kernel::Viewer;
use heliopause_proto::v1::{ErrorReason, Game, GameStatus, GetSceneRequest, Scene};

use super::tables::Tables;
use crate::caller::Caller;
use crate::edge::Engine;
use crate::failure::{Failure, Result};

/// The public games of a server that allows anonymous spectators.
#[derive(Clone)]
pub(crate) struct PublicGames(Tables);

impl PublicGames {
    pub(crate) fn new(engine: &Engine) -> Self {
        Self(Tables::new(engine))
    }

    /// Returns a game, and the number of the last event that spectators see. Fails if the game is
    /// not public.
    pub(crate) async fn game(&self, game_id: &str) -> Result<(Game, u64)> {
        let spectator = self.0.for_caller(Caller::anonymous());
        let read = spectator.watch(game_id, |table| {
            Ok((self.0.host.describe(table, ""), table.cursor(Viewer::Spectator).number))
        });
        read.await
    }

    /// Returns the board of a game. Fails if the game is not public or has no board.
    pub(crate) async fn scene(&self, game_id: &str) -> Result<Scene> {
        let spectator = self.0.for_caller(Caller::anonymous());
        let request = GetSceneRequest {
            game_id: game_id.to_owned(),
            as_spectator: true,
            ..GetSceneRequest::default()
        };
        let found = spectator.get_scene(request).await;
        // The game was public a moment ago, so the error does not last.
        let found =
            found.map_err(|status| Failure::new(ErrorReason::Overloaded, status.message()))?;
        Ok(found.scene.unwrap_or_default())
    }
}

/// Returns whether a game has a board, because it has started.
pub(crate) fn has_board(game: &Game) -> bool {
    match game.status() {
        GameStatus::Running | GameStatus::Paused | GameStatus::Ended => true,
        GameStatus::Cancelled => game.start_time.is_some(),
        GameStatus::Forming | GameStatus::Revealing | GameStatus::Unspecified => false,
    }
}
