//! `GameService` calls for finding, creating, joining and starting games.

use futures_util::{StreamExt as _, stream};
use heliopause_proto::store::v1::{
    Created, InvitationDeclined, Joined, Left, Lots, PlannedSeat, StartCalled, Taken, planned_seat,
    step,
};
use heliopause_proto::v1::*;
use heliopause_table::{Table, chain, registry};

use super::paging::Page;
use super::tables::{CallContext, check_may_play, person_of};
use crate::caller::Caller;
use crate::failure::{Failure, Result};
use crate::host::Host;
use crate::random;
use crate::store::{GameQuery, GameRow};

/// The number of games that a detailed list loads at the same time.
const CONCURRENT_LOADS: usize = 8;

impl CallContext<'_> {
    #[expect(clippy::unused_async, reason = "called like all others")]
    pub(crate) async fn list_kinds(&self, _: ListKindsRequest) -> Result<ListKindsResponse> {
        Ok(ListKindsResponse {
            kinds: registry::KINDS.iter().map(registry::Kind::describe).collect(),
        })
    }

    pub(crate) async fn create_game(
        &self,
        request: CreateGameRequest,
    ) -> Result<CreateGameResponse> {
        let plays = !request.game_master && !request.spectate;
        if plays {
            check_may_play(&self.caller)?;
        }
        let asked = self.key(&request.request_id, &request)?;
        if let Some(game_id) = self.created_before(&asked).await? {
            return Ok(CreateGameResponse { game: self.game(&game_id).await? });
        }
        registry::kind_or_fault(&request.kind)?;
        check_enum::<DelegationRule>("delegation", request.delegation)?;
        let secret = random::seed();
        let created = self.plan(request, plays, &secret).await?;
        // Hosted games count towards the quota. Otherwise one account could fill the store.
        let quota = self.accounts.quota(self.player_id()).await?;
        let game_id = Box::pin(self.make(asked, created, secret, Some(quota))).await?;
        Ok(CreateGameResponse { game: self.game(&game_id).await? })
    }

    async fn plan(
        &self,
        request: CreateGameRequest,
        plays: bool,
        secret: &[u8; 32],
    ) -> Result<Created> {
        let me = person_of(&self.caller);
        let mut seats = Vec::with_capacity(request.seats.len());
        if request.seats.len() > heliopause_kernel::Seat::MAX {
            let (found, most) = (request.seats.len(), heliopause_kernel::Seat::MAX);
            let text = format!("{found} seats are too many; the maximum is {most}.");
            return Err(Failure::field("seats", text));
        }
        let mut my_seat = plays.then(|| Taken {
            player: Some(me.clone()),
            entropy_commitment: request.entropy_commitment,
            preferences: Vec::new(),
        });
        let mut chosen = Vec::with_capacity(request.seats.len());
        for (index, plan) in request.seats.into_iter().enumerate() {
            chosen.push(planned_seat(plan.seat, request.seats_in_order, index)?);
            let plan = match plan.plan {
                None | Some(seat_plan::Plan::Open(_)) => match my_seat.take() {
                    Some(taken) => planned_seat::Plan::Taken(taken),
                    None => planned_seat::Plan::Open(OpenSeat {}),
                },
                Some(seat_plan::Plan::Automated(by)) => planned_seat::Plan::Automated(by),
                Some(seat_plan::Plan::ReservedFor(name)) => {
                    let field = format!("seats[{index}].reserved_for");
                    let person = self.invited(&name).await;
                    let person = person.map_err(|failure| failure.in_field(&field))?;
                    planned_seat::Plan::ReservedFor(person)
                }
            };
            seats.push(PlannedSeat { plan: Some(plan) });
        }
        if my_seat.is_some() {
            return Err(Failure::field(
                "seats",
                "No seat is left for you: every planned seat is reserved or automated. Add an open seat.",
            ));
        }
        Ok(Created {
            kind: request.kind,
            name: request.name,
            options: request.options,
            seats,
            pace: request.pace,
            is_private: request.is_private,
            invite_code: if request.is_private { random::invite_code() } else { String::new() },
            anonymous: request.anonymous,
            host: (!request.game_master).then(|| me.clone()),
            game_master: request.game_master.then_some(me),
            delegation: request.delegation,
            seed_commitment: bytes::Bytes::copy_from_slice(&chain::commitment(secret)),
            start_when_full: request.start_when_full,
            automaton_level: request.automaton_level,
            sandbox: None,
            hide_ready: request.hide_ready,
            open_messages: request.open_messages,
            lots: (!request.seats_in_order).then_some(Lots { chosen }),
            rated: request.rated,
            rematch_of: String::new(),
            no_analysis: request.no_analysis,
            // The id is set later, because it is derived from the request.
            game_id: String::new(),
            tournament_id: String::new(),
        })
    }

    pub(crate) async fn list_games(&self, request: ListGamesRequest) -> Result<ListGamesResponse> {
        check_enum::<GameStatus>("status", request.status)?;
        let page = Page::of(&request)?.detailed(request.detailed);
        let Some(query) = self.search(&request).await? else {
            return Ok(ListGamesResponse::default());
        };
        let (rows, next_page_token) = page.games(&**self.host.store(), query).await?;
        let details = details(&self.host, &self.caller, &rows, request.detailed).await;
        let games = rows.into_iter().zip(details);
        let games = games.map(|(row, game)| GameSummary { game, ..summary(row) }).collect();
        Ok(ListGamesResponse { games, next_page_token })
    }

    pub(crate) async fn get_game(&self, request: GetGameRequest) -> Result<GetGameResponse> {
        self.read_with_code(&request.game_id, &request.invite_code, |table| {
            let seat = table.only_seat_of(self.player_id());
            let decision = seat.and_then(|seat| table.decision_state(seat).decision);
            let game = Box::new(self.host.describe(table, self.player_id()));
            Ok(GetGameResponse { game: Some(game), decision })
        })
        .await
    }

    pub(crate) async fn list_my_decisions(
        &self,
        request: ListMyDecisionsRequest,
    ) -> Result<ListMyDecisionsResponse> {
        let page = Page::of(&request)?;
        let query = GameQuery {
            member: Some(self.caller.player_id.to_string()),
            running_only: true,
            ..GameQuery::default()
        };
        let (rows, next_page_token) = page.games(&**self.host.store(), query).await?;
        let asked = rows.into_iter().filter(|row| {
            row.members.iter().any(|member| {
                member.player_id == *self.caller.player_id && (member.your_decision || row.sandbox)
            })
        });
        let mut decisions = Vec::new();
        for row in asked {
            let read = self.host.read(&row.game_id, |table| {
                let owed = table.owed_by(self.player_id()).into_iter();
                owed.map(|seat| (seat.number(), table.decision_state(seat).decision))
                    .collect::<Vec<_>>()
            });
            let owed = match read.await {
                // The game was removed after it was listed.
                Err(gone) if gone.reason == ErrorReason::GameNotFound => continue,
                owed => owed?,
            };
            for (seat, decision) in owed {
                let (game_id, kind, name) =
                    (row.game_id.clone(), row.kind.clone(), row.name.clone());
                decisions.push(OpenDecision { game_id, kind, name, seat, decision });
            }
        }
        Ok(ListMyDecisionsResponse { decisions, next_page_token })
    }

    pub(crate) async fn join_game(&self, request: JoinGameRequest) -> Result<JoinGameResponse> {
        check_may_play(&self.caller)?;
        let asked = self.key(&request.request_id, &request)?;
        self.read_with_code(&request.game_id, &request.invite_code, |_| Ok(())).await?;
        let joined = Joined {
            player: Some(person_of(&self.caller)),
            seat: joined_seat(request.seat)?,
            invite_code: request.invite_code,
            entropy_commitment: request.entropy_commitment,
        };
        let quota = self.accounts.quota(self.player_id()).await?;
        self.take_with_quota(&request.game_id, step::Kind::Joined(joined), asked, quota).await?;
        Ok(JoinGameResponse { game: self.game(&request.game_id).await? })
    }

    pub(crate) async fn decline_invitation(
        &self,
        request: DeclineInvitationRequest,
    ) -> Result<DeclineInvitationResponse> {
        let asked = self.key(&request.request_id, &request)?;
        self.take(&request.game_id, step::Kind::InvitationDeclined(InvitationDeclined {}), asked)
            .await?;
        Ok(DeclineInvitationResponse {})
    }

    pub(crate) async fn leave_game(&self, request: LeaveGameRequest) -> Result<LeaveGameResponse> {
        let asked = self.key(&request.request_id, &request)?;
        self.take(&request.game_id, step::Kind::Left(Left {}), asked).await?;
        Ok(LeaveGameResponse {})
    }

    pub(crate) async fn start_game(&self, request: StartGameRequest) -> Result<StartGameResponse> {
        let asked = self.key(&request.request_id, &request)?;
        // Check `fill` here, because the step checks it only if a seat is open.
        if let Some(fill) = &request.fill {
            let check = |table: &Table| table.check_automation(fill, "fill");
            self.read(&request.game_id, check).await?;
        }
        let call = StartCalled { fill: request.fill };
        self.take(&request.game_id, step::Kind::StartCalled(call), asked).await?;
        Ok(StartGameResponse { game: self.game(&request.game_id).await? })
    }
}

/// Returns a plan's seat number for the journal: 0 if the plan does not choose a seat. Rejects a
/// chosen seat if the order of the plans determines the seats.
fn planned_seat(seat: Option<u32>, in_order: bool, index: usize) -> Result<u32> {
    let refuse = |text| Err(Failure::field(format!("seats[{index}].seat"), text));
    match seat {
        Some(0) => refuse("Seat 0 does not exist; choose a seat from 1, or omit the seat."),
        Some(_) if in_order => refuse(
            "With seats_in_order, the order of the plans determines the seats; omit the seat.",
        ),
        seat => Ok(seat.unwrap_or(0)),
    }
}

/// Returns the seat number for the journal: 0 if the player draws lots or takes the first open
/// seat. Rejects 0 in the request.
fn joined_seat(seat: Option<u32>) -> Result<u32, Failure> {
    match seat {
        Some(0) => Err(Failure::field(
            "seat",
            "Seat 0 does not exist; omit the seat to draw lots or to take the first open seat.",
        )),
        seat => Ok(seat.unwrap_or(0)),
    }
}

pub(crate) fn check_enum<E: TryFrom<i32>>(field: &str, value: i32) -> Result<()> {
    E::try_from(value).map(|_| ()).map_err(|_| {
        Failure::field(field, format!("The value {value} is unknown; use a value of the contract."))
    })
}

/// Describes listed games to a caller, without recording activity. Returns `None` for games that
/// are gone or cannot be loaded, and for all games unless the list is `detailed`.
pub(crate) async fn details(
    host: &Host,
    caller: &Caller,
    rows: &[GameRow],
    detailed: bool,
) -> Vec<Option<Game>> {
    if !detailed {
        return vec![None; rows.len()];
    }
    let ids: Vec<String> = rows.iter().map(|row| row.game_id.clone()).collect();
    let described = ids.into_iter().map(|game_id| described(host, &caller.player_id, game_id));
    stream::iter(described).buffered(CONCURRENT_LOADS).collect().await
}

async fn described(host: &Host, player_id: &str, game_id: String) -> Option<Game> {
    let describe =
        |table: &Table| table.knows(player_id, "").then(|| host.describe(table, player_id));
    host.read(&game_id, describe).await.ok().flatten()
}

pub(crate) fn summary(row: GameRow) -> GameSummary {
    GameSummary {
        game_id: row.game_id,
        kind: row.kind,
        name: row.name,
        status: row.status,
        seats: row.seats,
        open_seats: row.open_seats,
        create_time: Some(timestamp(row.created)),
        is_private: row.private,
        sandbox: row.sandbox,
        automation_suspend_time: row.asleep_since.map(timestamp),
        game: None,
    }
}

pub(crate) use crate::host::timestamp;
