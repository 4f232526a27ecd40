//! `QuickPlayService`: the queue, and rematches.

use heliopause_proto::store::v1::{Created, Joined, Person, PlannedSeat, planned_seat, step};
use heliopause_proto::v1::quick_play_service_server::QuickPlayService;
use heliopause_proto::v1::*;
use heliopause_table::{Table, chain};
use tonic::{Request, Response};

use super::Reply;
use super::tables::{self, CallContext, RequestKey, Tables, check_may_play, person_of};
use crate::failure::Result;
use crate::random;

pub(crate) struct QuickPlayApi(pub(crate) Tables);

impl CallContext<'_> {
    async fn join_queue(&self, request: JoinQueueRequest) -> Result<JoinQueueResponse> {
        check_may_play(&self.caller)?;
        // Checks the length of the id.
        self.key(&request.request_id, &request)?;
        let digest = tables::digest(self.player_id(), &request);
        let entry = self.quick_play.join(&self.host, self.player_id(), request, digest).await?;
        Ok(JoinQueueResponse { entry })
    }

    async fn leave_queue(&self, _: LeaveQueueRequest) -> Result<LeaveQueueResponse> {
        self.quick_play.leave(self.player_id()).await?;
        Ok(LeaveQueueResponse {})
    }

    async fn get_queue(&self, _: GetQueueRequest) -> Result<GetQueueResponse> {
        let entry = self.quick_play.look(&self.host, self.player_id()).await?;
        Ok(GetQueueResponse { entry })
    }

    async fn rematch_game(&self, request: RematchGameRequest) -> Result<RematchGameResponse> {
        check_may_play(&self.caller)?;
        let planned = self.read(&request.game_id, |table| table.rematch(self.player_id())).await?;
        let game_id = random::rematch_id(&request.game_id);
        // Without a request id: both steps are safe to repeat.
        let asked = self.key("", &request)?;
        if !self.join_rematch(&game_id, &asked).await? {
            Box::pin(self.create_rematch(planned, &game_id, &asked)).await?;
        }
        Ok(RematchGameResponse { game: self.game(&game_id).await? })
    }

    /// Joins a rematch, unless the caller has joined it. Returns false if there is none.
    async fn join_rematch(&self, game_id: &str, asked: &RequestKey) -> Result<bool> {
        let has_seat = |table: &Table| table.seat_of(self.player_id()).is_some();
        match self.host.read(game_id, has_seat).await {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(fault) if fault.reason == ErrorReason::GameNotFound => return Ok(false),
            Err(fault) => return Err(fault.into()),
        }
        let joined = Joined { player: Some(person_of(&self.caller)), ..Joined::default() };
        let quota = self.accounts.quota(self.player_id()).await?;
        let joining =
            self.take_with_quota(game_id, step::Kind::Joined(joined), asked.clone(), quota);
        match Box::pin(joining).await {
            Ok(_) => Ok(true),
            // A repeated call may have joined meanwhile.
            Err(failure) => {
                let joined = self.host.read(game_id, has_seat).await?;
                if joined { Ok(true) } else { Err(failure) }
            }
        }
    }

    async fn create_rematch(
        &self,
        planned: Created,
        game_id: &str,
        asked: &RequestKey,
    ) -> Result<()> {
        let mut seats = Vec::with_capacity(planned.seats.len());
        for seat in &planned.seats {
            seats.push(self.rematch_seat(seat).await?);
        }
        let secret = random::seed();
        let invite_code = if planned.is_private { random::invite_code() } else { String::new() };
        let created = Created {
            seats,
            invite_code,
            seed_commitment: bytes::Bytes::copy_from_slice(&chain::commitment(&secret)),
            game_id: game_id.to_owned(),
            ..planned
        };
        let quota = self.accounts.quota(self.player_id()).await?;
        let step = asked.step(self.player_id());
        match self.host.create_with_quota(created, secret, step, Some(quota)).await {
            Ok(_) => Ok(()),
            // Another player has created the rematch.
            Err(lost) if lost.reason == ErrorReason::LostRace => {
                let joined = self.join_rematch(game_id, asked).await?;
                if joined { Ok(()) } else { Err(lost.into()) }
            }
            Err(fault) => Err(fault.into()),
        }
    }

    /// Returns a seat of a rematch. Automation takes the seats of deleted accounts.
    async fn rematch_seat(&self, planned: &PlannedSeat) -> Result<PlannedSeat> {
        let Some(planned_seat::Plan::ReservedFor(person)) = &planned.plan else {
            return Ok(planned.clone());
        };
        let plan = match self.accounts.find_named(&person.player_id).await? {
            Some(account) => {
                let player_id = account.player_id;
                self.accounts.check_takes_invitations(&player_id, self.player_id()).await?;
                let person = Person { player_id, name: account.name };
                planned_seat::Plan::ReservedFor(person)
            }
            None => planned_seat::Plan::Automated(AutomatedSeat::default()),
        };
        Ok(PlannedSeat { plan: Some(plan) })
    }
}

service! {
    QuickPlayService for QuickPlayApi;
    method join_queue(JoinQueueRequest) -> JoinQueueResponse;
    method leave_queue(LeaveQueueRequest) -> LeaveQueueResponse;
    method get_queue(GetQueueRequest) -> GetQueueResponse;
    method rematch_game(RematchGameRequest) -> RematchGameResponse;
}
