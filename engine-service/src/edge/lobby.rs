//! Finding and forming games.

use heliopause_proto::store::v1::{
    Created, EntropyRevealed, InvitationDeclined, Joined, Left, Lots, PlannedSeat, StartCalled,
    Taken, planned_seat, step,
};
use heliopause_proto::v1::*;
use heliopause_table::{Table, chain, registry};
use tonic::Status;

use super::Caller;
use super::errors::{Failure, status};
use super::pages::{self, Page};
use super::tables::{Asked, Tables, check_may_play, person_of};
use crate::fresh;
use crate::host::store_fault;
use crate::store::{GameQuery, GameRow};

impl Tables {
    #[expect(clippy::unused_async, reason = "called like all others")]
    pub(super) async fn list_kinds(
        &self,
        _: &Caller,
        _: ListKindsRequest,
    ) -> Result<ListKindsResponse, Status> {
        Ok(ListKindsResponse {
            kinds: registry::KINDS.iter().map(registry::Kind::describe).collect(),
        })
    }

    pub(super) async fn create_game(
        &self,
        caller: &Caller,
        request: CreateGameRequest,
    ) -> Result<CreateGameResponse, Status> {
        let plays = !request.game_master && !request.spectate;
        if plays {
            check_may_play(caller)?;
        }
        let asked = Asked::of(caller, &request.request_id, &request)?;
        if let Some(game_id) = self.made_before(caller, &asked).await? {
            return Ok(CreateGameResponse { game: self.game(caller, &game_id).await? });
        }
        registry::kind_or_fault(&request.kind).map_err(status)?;
        check_enum::<DelegationRule>("delegation", request.delegation)?;
        let secret = fresh::seed();
        let created = self.plan(caller, request, plays, &secret).await?;
        // Hosting counts like playing, or one account could fill the store with tables of its own.
        let quota = self.accounts.quota(&caller.player_id).await?;
        let game_id = Box::pin(self.make(caller, asked, created, secret, Some(quota))).await?;
        Ok(CreateGameResponse { game: self.game(caller, &game_id).await? })
    }

    async fn plan(
        &self,
        caller: &Caller,
        request: CreateGameRequest,
        plays: bool,
        secret: &[u8; 32],
    ) -> Result<Created, Status> {
        let me = person_of(caller);
        let mut seats = Vec::with_capacity(request.seats.len());
        if request.seats.len() > heliopause_kernel::Seat::MAX {
            return Err(Failure::field("seats", "No game has that many seats.").into());
        }
        let mut my_seat = plays.then(|| Taken {
            player: Some(me.clone()),
            entropy_commitment: request.entropy_commitment,
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
                    let person = self.invited(caller, &name).await;
                    planned_seat::Plan::ReservedFor(
                        person.map_err(|failure| failure.in_field(&field))?,
                    )
                }
            };
            seats.push(PlannedSeat { plan: Some(plan) });
        }
        if my_seat.is_some() {
            return Err(Failure::field(
                "seats",
                "You play, so one seat must be open: you take the first open one.",
            )
            .into());
        }
        Ok(Created {
            kind: request.kind,
            name: request.name,
            options: request.options,
            seats,
            pace: request.pace,
            is_private: request.is_private,
            invite_code: if request.is_private { fresh::invite_code() } else { String::new() },
            anonymous: request.anonymous,
            host: (!request.game_master).then(|| me.clone()),
            game_master: request.game_master.then_some(me),
            delegation: request.delegation,
            seed_commitment: bytes::Bytes::copy_from_slice(&chain::commitment(secret)),
            start_when_full: request.start_when_full,
            automaton_level: request.automaton_level,
            sandbox: None,
            hide_ready: request.hide_ready,
            open_letters: request.open_letters,
            lots: (!request.seats_in_order).then_some(Lots { chosen }),
            // It follows from the request.
            game_id: String::new(),
        })
    }

    pub(super) async fn list_games(
        &self,
        caller: &Caller,
        request: ListGamesRequest,
    ) -> Result<ListGamesResponse, Status> {
        check_enum::<GameStatus>("status", request.status)?;
        let page = Page::of(&request)?;
        let query = GameQuery {
            limit: page.limit(),
            after: page.game()?,
            kind: (!request.kind.is_empty()).then_some(request.kind),
            status: (request.status != 0).then_some(request.status),
            joinable: request.joinable,
            search: pages::search(&request.search)?,
            visible_to: Some(caller.player_id.to_string()),
            ..GameQuery::default()
        };
        let mut rows =
            self.host.store().games(query).await.map_err(|error| status(store_fault(error)))?;
        let next_page_token = page.after_game(page.cut(&mut rows));
        Ok(ListGamesResponse { games: rows.into_iter().map(summary).collect(), next_page_token })
    }

    pub(super) async fn get_game(
        &self,
        caller: &Caller,
        request: GetGameRequest,
    ) -> Result<GetGameResponse, Status> {
        self.read_with_code(caller, &request.game_id, &request.invite_code, |table| {
            let seat = table.only_seat_of(&caller.player_id);
            let decision = seat.and_then(|seat| table.standing(seat).decision);
            let game = Box::new(self.host.describe(table, &caller.player_id));
            Ok(GetGameResponse { game: Some(game), decision })
        })
        .await
    }

    pub(super) async fn list_my_decisions(
        &self,
        caller: &Caller,
        request: ListMyDecisionsRequest,
    ) -> Result<ListMyDecisionsResponse, Status> {
        let page = Page::of(&request)?;
        let query = GameQuery {
            limit: page.limit(),
            after: page.game()?,
            member: Some(caller.player_id.to_string()),
            running_only: true,
            ..GameQuery::default()
        };
        let mut rows =
            self.host.store().games(query).await.map_err(|error| status(store_fault(error)))?;
        let next_page_token = page.after_game(page.cut(&mut rows));
        let asked = rows.into_iter().filter(|row| {
            row.members.iter().any(|member| {
                member.player_id == *caller.player_id && (member.your_decision || row.sandbox)
            })
        });
        let mut decisions = Vec::new();
        for row in asked {
            let read = self.host.read(&row.game_id, |table| {
                let owed = table.owed_by(&caller.player_id).into_iter();
                owed.map(|seat| (seat.number(), table.standing(seat).decision)).collect::<Vec<_>>()
            });
            let owed = match read.await {
                // It was removed since it was listed.
                Err(gone) if gone.reason == ErrorReason::GameNotFound => continue,
                owed => owed.map_err(status)?,
            };
            for (seat, decision) in owed {
                let (game_id, kind, name) =
                    (row.game_id.clone(), row.kind.clone(), row.name.clone());
                decisions.push(OpenDecision { game_id, kind, name, seat, decision });
            }
        }
        Ok(ListMyDecisionsResponse { decisions, next_page_token })
    }

    pub(super) async fn join_game(
        &self,
        caller: &Caller,
        request: JoinGameRequest,
    ) -> Result<JoinGameResponse, Status> {
        check_may_play(caller)?;
        let asked = Asked::of(caller, &request.request_id, &request)?;
        self.read_with_code(caller, &request.game_id, &request.invite_code, |_| Ok(())).await?;
        let joined = Joined {
            player: Some(person_of(caller)),
            seat: joined_seat(request.seat)?,
            invite_code: request.invite_code,
            entropy_commitment: request.entropy_commitment,
        };
        let quota = self.accounts.quota(&caller.player_id).await?;
        self.take_within(caller, &request.game_id, step::Kind::Joined(joined), asked, quota)
            .await?;
        Ok(JoinGameResponse { game: self.game(caller, &request.game_id).await? })
    }

    pub(super) async fn decline_invitation(
        &self,
        caller: &Caller,
        request: DeclineInvitationRequest,
    ) -> Result<DeclineInvitationResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        self.take(
            caller,
            &request.game_id,
            step::Kind::InvitationDeclined(InvitationDeclined {}),
            asked,
        )
        .await?;
        Ok(DeclineInvitationResponse {})
    }

    pub(super) async fn leave_game(
        &self,
        caller: &Caller,
        request: LeaveGameRequest,
    ) -> Result<LeaveGameResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        self.take(caller, &request.game_id, step::Kind::Left(Left {}), asked).await?;
        Ok(LeaveGameResponse {})
    }

    pub(super) async fn start_game(
        &self,
        caller: &Caller,
        request: StartGameRequest,
    ) -> Result<StartGameResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        // The table looks at it only if a seat is open.
        if let Some(fill) = &request.fill {
            let check = |table: &Table| table.check_automation(fill, "fill");
            self.read(caller, &request.game_id, check).await?;
        }
        let call = StartCalled { fill: request.fill };
        self.take(caller, &request.game_id, step::Kind::StartCalled(call), asked).await?;
        Ok(StartGameResponse { game: self.game(caller, &request.game_id).await? })
    }

    pub(super) async fn reveal_entropy(
        &self,
        caller: &Caller,
        request: RevealEntropyRequest,
    ) -> Result<RevealEntropyResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let revealed = EntropyRevealed { entropy: request.entropy };
        self.take(caller, &request.game_id, step::Kind::EntropyRevealed(revealed), asked).await?;
        Ok(RevealEntropyResponse { game: self.game(caller, &request.game_id).await? })
    }
}

/// The seat of a plan as the journal has it: 0 draws lots.
fn planned_seat(seat: Option<u32>, in_order: bool, index: usize) -> Result<u32, Failure> {
    let refuse = |text| Err(Failure::field(format!("seats[{index}].seat"), text));
    match seat {
        Some(0) => refuse("There is no seat 0; leave it out to draw lots."),
        Some(_) if in_order => refuse("The order of the plans decides; leave the seat out."),
        seat => Ok(seat.unwrap_or(0)),
    }
}

/// The seat to join as the journal has it: 0 is by lot, or the first that the player may take.
fn joined_seat(seat: Option<u32>) -> Result<u32, Failure> {
    match seat {
        Some(0) => Err(Failure::field(
            "seat",
            "There is no seat 0; leave it out to draw lots, or to take the first.",
        )),
        seat => Ok(seat.unwrap_or(0)),
    }
}

/// Refuses a number that is no value of an enum.
pub(super) fn check_enum<E: TryFrom<i32>>(field: &str, value: i32) -> Result<(), Status> {
    E::try_from(value)
        .map(|_| ())
        .map_err(|_| Failure::field(field, format!("There is no value {value}.")).into())
}

/// A game as a line in a list.
pub(super) fn summary(row: GameRow) -> GameSummary {
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
        automation_sleep_time: row.asleep_since.map(timestamp),
    }
}

pub(super) use crate::host::timestamp;
