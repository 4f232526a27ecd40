//! SandboxService: situations set up on purpose.

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    ClockAdvanced, Created, DiceScripted, PhaseClosed, PlannedSeat, Sandbox, SandboxGuest as Guest,
    Taken, planned_seat, step,
};
use heliopause_proto::v1::sandbox_service_server::SandboxService;
use heliopause_proto::v1::*;
use heliopause_table::{Table, chain, registry};
use tonic::{Request, Response, Status};

use super::Caller;
use super::errors::{Failure, status};
use super::pages::Page;
use super::play::not_started;
use super::tables::{Asked, Tables, open, person_of};
use crate::fresh;
use crate::host::timestamp;

/// The service.
pub(super) struct SandboxApi(pub(super) Tables);

impl SandboxApi {
    /// Takes a step at a sandbox game of the caller's.
    async fn take(
        &self,
        caller: &Caller,
        game_id: &str,
        kind: step::Kind,
        asked: Asked,
    ) -> Result<(), Status> {
        self.0.read(caller, game_id, |table| table.check_sandbox(&caller.player_id)).await?;
        self.0.take(caller, game_id, kind, asked).await.map(|_| ())
    }

    /// For whom seats are kept.
    async fn guests(&self, caller: &Caller, asked: &[SandboxGuest]) -> Result<Vec<Guest>, Status> {
        let mut guests = Vec::with_capacity(asked.len());
        for (index, guest) in asked.iter().enumerate() {
            let person = self.0.invited(caller, &guest.player).await;
            let person =
                person.map_err(|failure| failure.in_field(&format!("guests[{index}].player")))?;
            guests.push(Guest { seat: guest.seat, player: Some(person) });
        }
        Ok(guests)
    }

    /// The seats of a game that is set up by its options; a position brings its own.
    fn seats(
        request: &CreateSandboxGameRequest,
        owner: &Caller,
    ) -> Result<Vec<PlannedSeat>, Status> {
        let kind = registry::kind_or_fault(&request.kind).map_err(status)?;
        let taken = || PlannedSeat {
            plan: Some(planned_seat::Plan::Taken(Taken {
                player: Some(person_of(owner)),
                ..Taken::default()
            })),
        };
        if request.position.is_some() {
            return Ok(Vec::new());
        }
        let (_, players) = kind.rules.options(request.options.as_ref()).map_err(status)?;
        let usual = 2.clamp(*players.start(), *players.end());
        let wanted = match request.players {
            Some(0) => {
                return Err(
                    Failure::field("players", "At least 1; leave it out for the fewest.").into()
                );
            }
            wanted => wanted.map_or(usual, |players| players as usize),
        };
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
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        if let Some(game_id) = self.0.made_before(&caller, &asked).await? {
            return Ok(Response::new(CreateSandboxGameResponse {
                game: self.0.game(&caller, &game_id).await?,
            }));
        }
        let secret = match request.seed.len() {
            0 => fresh::seed(),
            _ => <[u8; 32]>::try_from(request.seed.as_ref())
                .map_err(|_| Failure::field("seed", "A seed has 32 bytes."))?,
        };
        let guests = self.guests(&caller, &request.guests).await?;
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
                guests,
            }),
            ..Created::default()
        };
        // The quota counts invitations; how many sandbox games somebody has does not count.
        let quota = self.0.accounts.quota(&caller.player_id).await?;
        let game_id = Box::pin(self.0.make(&caller, asked, created, secret, Some(quota))).await?;
        Ok(Response::new(CreateSandboxGameResponse { game: self.0.game(&caller, &game_id).await? }))
    }

    async fn script_dice(
        &self,
        request: Request<ScriptDiceRequest>,
    ) -> Result<Response<ScriptDiceResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        let scripted = DiceScripted { dice: request.dice, replace: request.replace };
        self.take(&caller, &request.game_id, step::Kind::DiceScripted(scripted), asked).await?;
        let waiting = self
            .0
            .read(&caller, &request.game_id, |table| Ok(table.scripted_dice().len() as u32))
            .await?;
        Ok(Response::new(ScriptDiceResponse { waiting }))
    }

    async fn advance_clock(
        &self,
        request: Request<AdvanceClockRequest>,
    ) -> Result<Response<AdvanceClockResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        let advanced = ClockAdvanced { by: request.by };
        self.take(&caller, &request.game_id, step::Kind::ClockAdvanced(advanced), asked).await?;
        let game = self.0.game(&caller, &request.game_id).await?;
        let now = self.0.host.now();
        let now = self.0.read(&caller, &request.game_id, |table| Ok(table.game_time(now))).await?;
        Ok(Response::new(AdvanceClockResponse { game_time: Some(timestamp(now)), game }))
    }

    async fn get_position(
        &self,
        request: Request<GetPositionRequest>,
    ) -> Result<Response<GetPositionResponse>, Status> {
        let (caller, request) = open(request)?;
        let read = self.0.read(&caller, &request.game_id, |table| {
            table.check_sandbox(&caller.player_id)?;
            let kind = table.kind().id;
            let asked = table.wanted().into_iter().map(|wanted| SandboxAsked {
                seat: wanted.seat.number(),
                worker: self.0.host.automation().is_played(kind, &wanted.by),
                by: Some(wanted.by),
            });
            Ok(GetPositionResponse {
                position: Some(table.position().ok_or_else(|| not_started(table))?),
                dice: table.scripted_dice(),
                asked: asked.collect(),
                ratings: table.sandbox_ratings().to_vec(),
                last_event: table.told(Viewer::GameMaster),
            })
        });
        Ok(Response::new(read.await?))
    }

    async fn list_master_events(
        &self,
        request: Request<ListMasterEventsRequest>,
    ) -> Result<Response<ListMasterEventsResponse>, Status> {
        let (caller, request) = open(request)?;
        let page = Page::of(&request)?;
        let owned = |table: &Table| {
            table.check_sandbox(&caller.player_id)?;
            Ok((table.entry(), table.cursor(Viewer::GameMaster)))
        };
        let (last, head) = self.0.read(&caller, &request.game_id, owned).await?;
        let (events, next_page_token) = self
            .0
            .page_of_events(
                &request.game_id,
                Viewer::GameMaster,
                last,
                &head,
                request.after.as_ref(),
                &page,
            )
            .await?;
        Ok(Response::new(ListMasterEventsResponse { events, next_page_token }))
    }

    async fn close_sandbox_phase(
        &self,
        request: Request<CloseSandboxPhaseRequest>,
    ) -> Result<Response<CloseSandboxPhaseResponse>, Status> {
        let (caller, request) = open(request)?;
        let asked = Asked::of(&caller, &request.request_id, &request)?;
        self.take(&caller, &request.game_id, step::Kind::PhaseClosed(PhaseClosed {}), asked)
            .await?;
        Ok(Response::new(CloseSandboxPhaseResponse {
            game: self.0.game(&caller, &request.game_id).await?,
        }))
    }
    async fn step_sandbox_games(
        &self,
        request: Request<StepSandboxGamesRequest>,
    ) -> Result<Response<StepSandboxGamesResponse>, Status> {
        let (caller, request) = open(request)?;
        self.0.step_sandbox_games(&caller, request).await.map(Response::new)
    }
}
