//! `SandboxService`: games with prepared positions and dice.

use heliopause_kernel::Viewer;
use heliopause_proto::store::v1::{
    ClockAdvanced, Created, DiceScripted, PhaseClosed, PlannedSeat, Sandbox, SandboxGuest as Guest,
    Taken, planned_seat, step,
};
use heliopause_proto::v1::sandbox_service_server::SandboxService;
use heliopause_proto::v1::*;
use heliopause_table::{Fault, Reader, Table, chain, registry};
use tonic::{Request, Response};

use super::Reply;
use super::paging::Page;
use super::play::not_started;
use super::tables::{CallContext, RequestKey, Tables, person_of};
use crate::caller::Caller;
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::random;

/// The maximum number of copies that a call creates. Each has the memory of a game.
const COPIES_MAX: u32 = 16;

pub(crate) struct SandboxApi(pub(crate) Tables);

impl CallContext<'_> {
    fn check_sandbox_server(&self) -> Result<()> {
        if self.host.settings().sandbox {
            return Ok(());
        }
        let text = "This server has no sandbox; the operator can enable it with --sandbox.";
        Err(Failure::new(ErrorReason::NotSandbox, text))
    }

    async fn take_in_sandbox(
        &self,
        game_id: &str,
        kind: step::Kind,
        asked: RequestKey,
    ) -> Result<()> {
        self.read(game_id, |table| table.check_sandbox(self.player_id())).await?;
        self.take(game_id, kind, asked).await.map(|_| ())
    }

    async fn guests(&self, asked: &[SandboxGuest]) -> Result<Vec<Guest>> {
        let mut guests = Vec::with_capacity(asked.len());
        for (index, guest) in asked.iter().enumerate() {
            let person = self.invited(&guest.player).await;
            let person =
                person.map_err(|failure| failure.in_field(&format!("guests[{index}].player")))?;
            guests.push(Guest { seat: guest.seat, player: Some(person) });
        }
        Ok(guests)
    }
}

impl SandboxApi {
    /// Returns what creates a copy of a game, except its seed.
    fn copy_of(table: &Table, caller: &Caller) -> Result<Created, Fault> {
        table.check_sandbox(&caller.player_id)?;
        if table.status() != GameStatus::Running {
            return Err(not_started(table));
        }
        let game = table.describe(Reader { player_id: &caller.player_id });
        let automated = game.seats.into_iter().filter_map(|seat| match seat.occupant {
            Some(seat::Occupant::Automated(by)) => {
                Some(SandboxAutomation { seat: seat.number, automation: Some(by) })
            }
            _ => None,
        });
        Ok(Created {
            kind: game.kind,
            name: game.name,
            pace: game.pace,
            sandbox: Some(Sandbox {
                owner: Some(person_of(caller)),
                position: table.position(),
                dice: table.scripted_dice(),
                automated: automated.collect(),
                guests: Vec::new(),
                origin: None,
            }),
            ..Created::default()
        })
    }

    /// Returns the seats of a game created from options. Returns none for a prepared position,
    /// which defines its own seats.
    fn seats(request: &CreateSandboxGameRequest, owner: &Caller) -> Result<Vec<PlannedSeat>> {
        let kind = registry::kind_or_fault(&request.kind)?;
        let taken = || PlannedSeat {
            plan: Some(planned_seat::Plan::Taken(Taken {
                player: Some(person_of(owner)),
                ..Taken::default()
            })),
        };
        if request.position.is_some() {
            return Ok(Vec::new());
        }
        let (_, players) = kind.rules.options(request.options.as_ref())?;
        let usual = 2.clamp(*players.start(), *players.end());
        let wanted = match request.players {
            Some(0) => {
                return Err(Failure::field(
                    "players",
                    "0 players are too few; the minimum is 1. Omit the number for the default.",
                ));
            }
            wanted => wanted.map_or(usual, |players| players as usize),
        };
        Ok((0..wanted.min(heliopause_kernel::Seat::MAX)).map(|_| taken()).collect())
    }
}

/// Reads the seed of a request. Empty means random.
pub(super) fn seed_of(seed: &[u8]) -> Result<[u8; 32]> {
    if seed.is_empty() {
        return Ok(random::seed());
    }
    <[u8; 32]>::try_from(seed).map_err(|_| {
        Failure::field("seed", format!("A seed must be 32 bytes, not {}.", seed.len()))
    })
}

service! { SandboxService for SandboxApi;
    game create_sandbox_game(CreateSandboxGameRequest) -> CreateSandboxGameResponse = |context, request| {
        context.check_sandbox_server()?;
        let asked = context.key(&request.request_id, &request)?;
        if let Some(game_id) = context.created_before(&asked).await? {
            return Ok(Response::new(CreateSandboxGameResponse {
                game: context.game(&game_id).await?,
            }));
        }
        let secret = seed_of(&request.seed)?;
        let guests = context.guests(&request.guests).await?;
        let created = Created {
            seats: Self::seats(&request, &context.caller)?,
            kind: request.kind,
            name: request.name,
            options: request.options,
            pace: request.pace,
            seed_commitment: bytes::Bytes::copy_from_slice(&chain::commitment(&secret)),
            sandbox: Some(Sandbox {
                owner: Some(person_of(&context.caller)),
                position: request.position,
                dice: request.dice,
                automated: request.automated,
                guests,
                origin: None,
            }),
            ..Created::default()
        };
        // The quota limits only the invitations, because sandbox games do not count.
        let quota = context.accounts.quota(context.player_id()).await?;
        let game_id = Box::pin(context.make(asked, created, secret, Some(quota))).await?;
        CreateSandboxGameResponse { game: context.game(&game_id).await? }
    };
    game clone_sandbox_game(CloneSandboxGameRequest) -> CloneSandboxGameResponse = |context, request| {
        // Branches are sandbox games on every server, and copies count towards no quota.
        context.check_sandbox_server()?;
        let count = request.count.max(1);
        if count > COPIES_MAX {
            let text = format!("{count} copies are too many; the maximum is {COPIES_MAX}.");
            return Err(Failure::field("count", text).into());
        }
        let first = seed_of(&request.seed)?;
        let asked = context.key(&request.request_id, &request)?;
        let copy = |table: &Table| Self::copy_of(table, &context.caller);
        let copy = context.read(&request.game_id, copy).await;
        let mut game_ids = Vec::with_capacity(count as usize);
        for nth in 0..count {
            let asked = asked.nth(nth);
            if let Some(game_id) = context.created_before(&asked).await? {
                game_ids.push(game_id);
                continue;
            }
            let secret = match (request.seed.is_empty(), nth) {
                (true, _) => random::seed(),
                (false, 0) => first,
                (false, _) => chain::sha256(&[&first, &nth.to_be_bytes()]),
            };
            let seed_commitment = bytes::Bytes::copy_from_slice(&chain::commitment(&secret));
            let created = Created { seed_commitment, ..copy.clone()? };
            game_ids.push(Box::pin(context.make(asked, created, secret, None)).await?);
        }
        CloneSandboxGameResponse { game_ids }
    };
    game script_dice(ScriptDiceRequest) -> ScriptDiceResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        let scripted = DiceScripted { dice: request.dice, replace: request.replace };
        context
            .take_in_sandbox(&request.game_id, step::Kind::DiceScripted(scripted), asked)
            .await?;
        let waiting =
            context.read(&request.game_id, |table| Ok(table.scripted_dice().len() as u32)).await?;
        ScriptDiceResponse { waiting }
    };
    game advance_clock(AdvanceClockRequest) -> AdvanceClockResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        let advanced = ClockAdvanced { by: request.duration };
        context
            .take_in_sandbox(&request.game_id, step::Kind::ClockAdvanced(advanced), asked)
            .await?;
        let game = context.game(&request.game_id).await?;
        let now = context.host.now();
        let now = context.read(&request.game_id, |table| Ok(table.game_time(now))).await?;
        AdvanceClockResponse { game_time: Some(timestamp(now)), game }
    };
    game get_position(GetPositionRequest) -> GetPositionResponse = |context, request| {
        let read = context.read(&request.game_id, |table| {
            table.check_sandbox(context.player_id())?;
            let kind = table.kind().id;
            let asked = table.wanted().into_iter().map(|wanted| SandboxAutomationDecision {
                seat: wanted.seat.number(),
                worker: context.host.automation().is_played(kind, &wanted.by),
                automation: Some(wanted.by),
            });
            Ok(GetPositionResponse {
                position: Some(table.position().ok_or_else(|| not_started(table))?),
                dice: table.scripted_dice(),
                asked: asked.collect(),
                ratings: table.sandbox_ratings().to_vec(),
                last_event: table.event_count(Viewer::GameMaster),
            })
        });
        read.await?
    };
    game list_master_events(ListMasterEventsRequest) -> ListMasterEventsResponse = |context, request| {
        let page = Page::of(&request)?;
        let owned = |table: &Table| {
            table.check_sandbox(context.player_id())?;
            Ok((table.entry(), table.cursor(Viewer::GameMaster)))
        };
        let (last, head) = context.read(&request.game_id, owned).await?;
        let (events, next_page_token) = context
            .page_of_events(
                &request.game_id,
                Viewer::GameMaster,
                last,
                &head,
                request.after.as_ref(),
                &page,
            )
            .await?;
        ListMasterEventsResponse { events, next_page_token }
    };
    game close_sandbox_phase(CloseSandboxPhaseRequest) -> CloseSandboxPhaseResponse = |context, request| {
        let asked = context.key(&request.request_id, &request)?;
        context
            .take_in_sandbox(&request.game_id, step::Kind::PhaseClosed(PhaseClosed {}), asked)
            .await?;
        CloseSandboxPhaseResponse { game: context.game(&request.game_id).await? }
    };
    game step_sandbox_games(StepSandboxGamesRequest) -> StepSandboxGamesResponse =
        |context, request| context.step_sandbox_games(request).await?;
}
