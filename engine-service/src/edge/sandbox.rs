//! SandboxService: situations set up on purpose.

use heliopause_proto::store::v1::{
    ClockAdvanced, Created, DiceScripted, PhaseClosed, PlannedSeat, Sandbox, Taken, planned_seat, step,
};
use heliopause_proto::v1::sandbox_service_server::SandboxService;
use heliopause_proto::v1::*;
use heliopause_table::{chain, registry};
use tonic::{Request, Response, Status};

use super::Caller;
use super::errors::{Failure, status};
use super::lobby::game_id_of;
use super::play::not_started;
use super::tables::{Tables, open, person_of};
use crate::fresh;
use crate::host::{Host, timestamp};

/// The service.
pub(super) struct SandboxApi(pub(super) Tables);

impl SandboxApi {
    /// Takes a step at a sandbox game of the caller's.
    async fn take(&self, caller: &Caller, game_id: &str, kind: step::Kind) -> Result<(), Status> {
        self.0.read(caller, game_id, |table| table.check_sandbox(&caller.player_id)).await?;
        self.0.take(caller, game_id, kind).await.map(|_| ())
    }

    /// The seats of a game that is set up by its options; a position brings its own.
    fn seats(request: &CreateSandboxGameRequest, owner: &Caller) -> Result<Vec<PlannedSeat>, Status> {
        let kind = registry::kind_or_fault(&request.kind).map_err(status)?;
        let taken = || PlannedSeat {
            plan: Some(planned_seat::Plan::Taken(Taken { player: Some(person_of(owner)), ..Taken::default() })),
        };
        if request.position.is_some() {
            return Ok(Vec::new());
        }
        let (_, players) = kind.rules.options(request.options.as_ref()).map_err(status)?;
        let usual = 2.clamp(*players.start(), *players.end());
        let wanted = if request.players == 0 { usual } else { request.players as usize };
        Ok((0..wanted.min(heliopause_kernel::Seat::MAX)).map(|_| taken()).collect())
    }
}

#[tonic::async_trait]
impl SandboxService for SandboxApi {
    async fn create_sandbox_game(
        &self,
        request: Request<CreateSandboxGameRequest>,
    ) -> Result<Response<CreateSandboxGameResponse>, Status> {
        let (caller, request) = open(request)?;
        if !self.0.host.settings().sandbox {
            let text = "This server has no sandbox: the operator starts it with --sandbox.";
            return Err(Failure::new(ErrorReason::NotSandbox, text).into());
        }
        let secret = match request.seed.len() {
            0 => fresh::seed(),
            _ => <[u8; 32]>::try_from(request.seed.as_ref())
                .map_err(|_| Failure::field("seed", "A seed has 32 bytes."))?,
        };
        let created = Created {
            seats: Self::seats(&request, &caller)?,
            kind: request.kind,
            name: request.name,
            options: request.options,
            pace: request.pace,
            seed_commitment: bytes::Bytes::copy_from_slice(&chain::commitment(&secret)),
            sandbox: Some(Sandbox {
                owner: Some(person_of(&caller)),
                position: request.position,
                dice: request.dice,
                automated: request.automated,
            }),
            game_id: fresh::game_id(),
            ..Created::default()
        };
        let done = self.0.host.create(created, secret, &caller.player_id).await.map_err(status)?;
        let game_id = game_id_of(&done).unwrap_or_default();
        Ok(Response::new(CreateSandboxGameResponse { game: self.0.game(&caller, &game_id).await? }))
    }

    async fn script_dice(&self, request: Request<ScriptDiceRequest>) -> Result<Response<ScriptDiceResponse>, Status> {
        let (caller, request) = open(request)?;
        let scripted = DiceScripted { dice: request.dice, replace: request.replace };
        self.take(&caller, &request.game_id, step::Kind::DiceScripted(scripted)).await?;
        let waiting = self.0.read(&caller, &request.game_id, |table| Ok(table.scripted_dice().len() as u32)).await?;
        Ok(Response::new(ScriptDiceResponse { waiting }))
    }

    async fn advance_clock(
        &self,
        request: Request<AdvanceClockRequest>,
    ) -> Result<Response<AdvanceClockResponse>, Status> {
        let (caller, request) = open(request)?;
        let advanced = ClockAdvanced { by: request.by };
        self.take(&caller, &request.game_id, step::Kind::ClockAdvanced(advanced)).await?;
        let game = self.0.game(&caller, &request.game_id).await?;
        let now = self.0.read(&caller, &request.game_id, |table| Ok(table.game_time(Host::now()))).await?;
        Ok(Response::new(AdvanceClockResponse { now: Some(timestamp(now)), game }))
    }

    async fn get_position(
        &self,
        request: Request<GetPositionRequest>,
    ) -> Result<Response<GetPositionResponse>, Status> {
        let (caller, request) = open(request)?;
        let read = self.0.read(&caller, &request.game_id, |table| {
            table.check_sandbox(&caller.player_id)?;
            let position = Some(table.position().ok_or_else(not_started)?);
            Ok(GetPositionResponse { position, dice: table.scripted_dice() })
        });
        Ok(Response::new(read.await?))
    }

    async fn close_sandbox_phase(
        &self,
        request: Request<CloseSandboxPhaseRequest>,
    ) -> Result<Response<CloseSandboxPhaseResponse>, Status> {
        let (caller, request) = open(request)?;
        self.take(&caller, &request.game_id, step::Kind::PhaseClosed(PhaseClosed {})).await?;
        Ok(Response::new(CloseSandboxPhaseResponse { game: self.0.game(&caller, &request.game_id).await? }))
    }
}
