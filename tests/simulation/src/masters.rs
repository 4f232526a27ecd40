//! Simulated game masters, who manage games in which they do not play.

use std::time::Duration;

use heliopause_client::engine::Engine;
use heliopause_proto::v1::*;
use tokio::time::{Instant, sleep};
use tonic::{Response, Status};

use crate::environment;
use crate::players::{Person, is_definite};
use crate::traced;

impl Person {
    pub async fn lead(mut self, game: String, people: usize) {
        let engine = self.connect().await;
        while Instant::now() < self.until {
            sleep(self.chance.millis(2_000..25_000)).await;
            let seat = self.chance.within(1..people.max(1) as u64 + 1) as u32;
            let done = match self.chance.below(5) {
                0 => self.pause_and_resume(&engine, &game).await,
                1 => self.set_deadline(&engine, &game).await,
                2 => self.close_phase(&engine, &game).await,
                3 => self.automate(&engine, &game, seat).await,
                _ => self.hand_back(&engine, &game, seat).await,
            };
            match done {
                Ok(()) => self.ledger.count("actions of game masters"),
                Err(status) => traced!("{}: {status}", self.name),
            }
        }
    }

    async fn act<T: Clone, R>(
        &mut self,
        game: &str,
        request: impl FnOnce(String, String) -> T,
        call: impl AsyncFn(T) -> Result<Response<R>, Status>,
    ) -> Result<(), Status> {
        let id = self.request_id();
        self.change(game, &id, request(game.to_owned(), id.clone()), call).await.map(drop)
    }

    async fn pause_and_resume(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request = |game_id, request_id| PauseGameRequest { game_id, request_id };
        let pause = async |request| engine.masters().pause_game(request).await;
        if let Err(status) = self.act(game, request, pause).await
            && is_definite(&status)
        {
            return Err(status);
        }
        sleep(self.chance.millis(500..40_000)).await;
        loop {
            let request = |game_id, request_id| ResumeGameRequest { game_id, request_id };
            let resume = async |request| engine.masters().resume_game(request).await;
            match self.act(game, request, resume).await {
                Err(status) if !is_definite(&status) => {
                    sleep(self.chance.millis(200..2_000)).await;
                }
                resumed => return resumed,
            }
        }
    }

    async fn set_deadline(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let from_now = Duration::from_secs(self.chance.within(1..60));
        let due = environment::now() + from_now.as_millis() as i64;
        let nanos = (due % 1_000 * 1_000_000) as i32;
        let due_time = Some(prost_types::Timestamp { seconds: due / 1_000, nanos });
        let request = |game_id, request_id| SetDeadlineRequest { game_id, due_time, request_id };
        self.act(game, request, async |request| engine.masters().set_deadline(request).await).await
    }

    async fn close_phase(&mut self, engine: &Engine, game: &str) -> Result<(), Status> {
        let request = |game_id, request_id| ClosePhaseRequest { game_id, request_id };
        self.act(game, request, async |request| engine.masters().close_phase(request).await).await
    }

    async fn automate(&mut self, engine: &Engine, game: &str, seat: u32) -> Result<(), Status> {
        let by = Some(AutomatedSeat { level: "random".to_owned(), ..AutomatedSeat::default() });
        let request =
            |game_id, request_id| AutomateSeatRequest { game_id, seat, automation: by, request_id };
        self.act(game, request, async |request| engine.masters().automate_seat(request).await).await
    }

    async fn hand_back(&mut self, engine: &Engine, game: &str, seat: u32) -> Result<(), Status> {
        let request = |game_id, request_id| HandBackSeatRequest { game_id, seat, request_id };
        self.act(game, request, async |request| engine.masters().hand_back_seat(request).await)
            .await
    }
}
