//! Game masters: they lead games in which they do not play.

use std::time::Duration;

use heliopause_client::engine::Engine;
use heliopause_proto::v1::*;
use tokio::time::{Instant, sleep};
use tonic::Status;

use crate::ground;
use crate::players::{Person, is_definite};
use crate::traced;

impl Person {
    /// Leads a game until people stop acting. What was paused goes on in the end.
    pub async fn lead(mut self, game: String, people: usize) {
        let engine = self.connect().await;
        while Instant::now() < self.until {
            sleep(self.chance.millis(2_000..25_000)).await;
            let seat = self.chance.within(1..people.max(1) as u64 + 1) as u32;
            let done = match self.chance.below(5) {
                0 => self.take_a_break(&engine, &game).await,
                1 => self.set_deadline(&engine, &game).await,
                2 => self.close_phase(&engine, &game).await,
                3 => self.automate(&engine, &game, seat).await,
                _ => self.hand_back(&engine, &game, seat).await,
            };
            match done {
                Ok(()) => self.ledger.count("acts of game masters"),
                Err(status) => traced!("{}: {status}", self.name),
            }
        }
    }

    async fn take_a_break(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let request = PauseGameRequest { game_id: game.to_owned(), request_id: request_id.clone() };
        let paused = self
            .change(game, &request_id, request, async |request| {
                engine.masters().pause_game(request).await
            })
            .await;
        if let Err(status) = paused
            && is_definite(&status)
        {
            return Err(status);
        }
        sleep(self.chance.millis(500..40_000)).await;
        loop {
            let request_id = self.request_id();
            let request =
                ResumeGameRequest { game_id: game.to_owned(), request_id: request_id.clone() };
            let resumed = self
                .change(game, &request_id, request, async |request| {
                    engine.masters().resume_game(request).await
                })
                .await;
            match resumed {
                Err(status) if !is_definite(&status) => {
                    sleep(self.chance.millis(200..2_000)).await;
                }
                resumed => return resumed.map(drop),
            }
        }
    }

    async fn set_deadline(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let from_now = Duration::from_secs(self.chance.within(1..60));
        let due = ground::now() + from_now.as_millis() as i64;
        let nanos = (due % 1_000 * 1_000_000) as i32;
        let request = SetDeadlineRequest {
            game_id: game.to_owned(),
            due_time: Some(prost_types::Timestamp { seconds: due / 1_000, nanos }),
            request_id: request_id.clone(),
        };
        let set = self
            .change(game, &request_id, request, async |request| {
                engine.masters().set_deadline(request).await
            })
            .await;
        set.map(drop)
    }

    async fn close_phase(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request_id = self.request_id();
        let request =
            ClosePhaseRequest { game_id: game.to_owned(), request_id: request_id.clone() };
        let closed = self
            .change(game, &request_id, request, async |request| {
                engine.masters().close_phase(request).await
            })
            .await;
        closed.map(drop)
    }

    async fn automate(&mut self, engine: &Engine, game: &str, seat: u32) -> Result<(), Status> {
        let request_id = self.request_id();
        let by = AutomatedSeat { level: "random".to_owned(), ..AutomatedSeat::default() };
        let request = AutomateSeatRequest {
            game_id: game.to_owned(),
            seat,
            by: Some(by),
            request_id: request_id.clone(),
        };
        let automated = self
            .change(game, &request_id, request, async |request| {
                engine.masters().automate_seat(request).await
            })
            .await;
        automated.map(drop)
    }

    async fn hand_back(&mut self, engine: &Engine, game: &str, seat: u32) -> Result<(), Status> {
        let request_id = self.request_id();
        let request =
            HandBackSeatRequest { game_id: game.to_owned(), seat, request_id: request_id.clone() };
        let back = self
            .change(game, &request_id, request, async |request| {
                engine.masters().hand_back_seat(request).await
            })
            .await;
        back.map(drop)
    }
}
