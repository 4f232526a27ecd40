//! `AdminService`: operating the server. The gate has already checked that the caller is an admin.

use std::collections::HashMap;

use heliopause_kernel::Seat;
use heliopause_proto::store::v1::{OperatorAct, OperatorActed, Step, step};
use heliopause_proto::v1::admin_service_server::AdminService;
use heliopause_proto::v1::*;
use heliopause_table::Fault;
use tonic::{Request, Response};

use super::Reply;
use super::lobby::summary;
use super::overview;
use super::paging::{self, Page};
use super::player::{bearer_of, player};
use super::tables::{RequestKey, check_game_id};
use crate::accounts::RetryKey;
use crate::caller::Caller;
use crate::edge::web::{metrics, samples};
use crate::edge::{Engine, caller};
use crate::failure::{Failure, Result};
use crate::host::Parked;
use crate::host::timestamp;
use crate::store::{Account, GameQuery, GameRow, Size};

const INVITATION_USES_MAX: u32 = 10_000;
const GAMES_LIMIT_MAX: u32 = 100_000;
const SILENCE_SECONDS_MAX: i64 = 366 * 24 * 60 * 60;

pub(crate) struct Admins(pub(crate) Engine);

impl Admins {
    async fn players(&self, request: ListPlayersRequest) -> Result<ListPlayersResponse> {
        let page = Page::of(&request)?;
        let search = paging::search(&request.search)?.unwrap_or_default();
        let mut accounts = self.0.accounts.list(page.name(), &search, page.limit()).await?;
        let next_page_token =
            page.after_name(page.cut(&mut accounts).map(|account| account.name.as_str()));
        let mut players = Vec::with_capacity(accounts.len());
        for account in accounts {
            players.push(self.record(account).await?);
        }
        Ok(ListPlayersResponse { players, next_page_token })
    }

    async fn record(&self, account: Account) -> Result<PlayerRecord> {
        let tokens = self.0.accounts.tokens(&account.player_id).await?.len() as u32;
        let (banned, games_limit) =
            (account.banned, Some(account.games_limit).filter(|&limit| limit > 0));
        let silence = self.0.chat.silence_of(&account.player_id).await?;
        let silence_end_time = silence.map(|(until, _)| timestamp(until));
        let player = Some(player(account));
        Ok(PlayerRecord { player, banned, games_limit, tokens, silence_end_time })
    }

    async fn games(&self, request: ListAllGamesRequest) -> Result<ListAllGamesResponse> {
        let page = Page::of(&request)?;
        let query = GameQuery {
            search: paging::search(&request.search)?,
            host: match request.host.as_str() {
                "" => None,
                host => Some(self.0.accounts.find(host).await?.player_id),
            },
            running_only: request.running_only,
            ..GameQuery::default()
        };
        let (rows, next_page_token) = page.games(&*self.0.store, query).await?;
        Ok(ListAllGamesResponse { games: self.game_records(rows).await?, next_page_token })
    }

    async fn game_records(&self, rows: Vec<GameRow>) -> Result<Vec<GameRecord>> {
        let sizes =
            self.0.store.sizes(rows.iter().map(|row| row.game_id.clone()).collect()).await?;
        let mut hosts: HashMap<String, Option<Player>> = HashMap::new();
        let mut records = Vec::with_capacity(rows.len());
        for (row, Size { entries, bytes }) in rows.into_iter().zip(sizes) {
            if !hosts.contains_key(&row.host) {
                let host = self.0.accounts.find_named(&row.host).await?;
                hosts.insert(row.host.clone(), host.map(player));
            }
            records.push(GameRecord {
                host: hosts.get(&row.host).cloned().flatten(),
                progress: row.progress.clone(),
                last_look_time: self.0.host.last_activity(&row.game_id).map(timestamp),
                entries,
                bytes,
                game: Some(summary(row)),
            });
        }
        Ok(records)
    }

    async fn game(&self, game_id: &str) -> Result<GetAnyGameResponse> {
        check_game_id(game_id)?;
        let game = self.0.host.read(game_id, |table| self.0.host.describe(table, "")).await?;
        let row = self.0.store.game(game_id).await.map_err(Fault::from)?;
        Ok(GetAnyGameResponse {
            record: self.game_records(vec![row]).await?.pop(),
            game: Some(game),
        })
    }

    /// Acts on any game as the operator, and logs the operator's name.
    async fn act(
        &self,
        caller: &Caller,
        game_id: &str,
        act: OperatorAct,
        why: &str,
        asked: RequestKey,
    ) -> Result<()> {
        check_game_id(game_id)?;
        let acted = OperatorActed { act: act.into(), why: why.to_owned() };
        // Players can export the journal, so it does not name the operator.
        let step = Step { kind: Some(step::Kind::OperatorActed(acted)), ..asked.step("") };
        self.0.host.take(game_id, step).await?;
        let act = match act {
            OperatorAct::Unspecified => "did nothing",
            OperatorAct::Paused => "paused",
            OperatorAct::Resumed => "resumed",
            OperatorAct::Cancelled => "cancelled",
        };
        tracing::info!(operator = %caller.name, game_id, act, why, "an operator acted on a game");
        Ok(())
    }

    /// Finds an account. Rejects the caller's own account, because admins who lock themselves out
    /// cannot undo it.
    async fn other(&self, caller: &Caller, player: &str) -> Result<Account> {
        let account = self.0.accounts.find(player).await?;
        if *account.player_id == *caller.player_id {
            return Err(Failure::field(
                "player",
                "You cannot do this to your own account; ask another admin.",
            ));
        }
        Ok(account)
    }

    async fn reports(&self, request: ListReportsRequest) -> Result<ListReportsResponse> {
        let page = Page::of(&request)?;
        let after = page.name().split_once('|').map(|(key, id)| (key.to_owned(), id.to_owned()));
        let mut found = self.0.chat.reports(request.resolved, after, page.limit()).await?;
        let next_page_token =
            page.after_name(page.cut(&mut found).map(|(position, _)| position.as_str()));
        let reports = found.into_iter().map(|(_, report)| report).collect();
        Ok(ListReportsResponse { reports, next_page_token })
    }

    async fn resolve(&self, caller: &Caller, request: ResolveReportRequest) -> Result<()> {
        let ResolveReportRequest { report_id, note, remove_line } = request;
        let report = self.0.chat.resolve(&report_id, &caller.name, &note, remove_line).await?;
        let (operator, player_id) = (&caller.name, report.player_id);
        tracing::info!(
            %operator, report_id, player_id, remove_line, note, "an operator resolved a report"
        );
        Ok(())
    }

    async fn silence(
        &self,
        caller: &Caller,
        request: SilencePlayerRequest,
    ) -> Result<SilencePlayerResponse> {
        let SilencePlayerRequest { player, duration, why } = request;
        let player_id = self.other(caller, &player).await?.player_id;
        let operator = &caller.name;
        let Some(duration) = duration else {
            self.0.chat.end_silence(&player_id).await?;
            tracing::info!(%operator, player_id, "an operator let a player write again");
            return Ok(SilencePlayerResponse::default());
        };
        if duration.seconds < 1 || duration.seconds > SILENCE_SECONDS_MAX {
            let text = "Expected 1 second to 366 days; omit the time to let the player write.";
            return Err(Failure::field("duration", text));
        }
        let until = self.0.chat.silence(&player_id, duration.seconds * 1_000, &why).await?;
        let seconds = duration.seconds;
        tracing::info!(%operator, player_id, seconds, why, "an operator silenced a player");
        Ok(SilencePlayerResponse { end_time: Some(timestamp(until)) })
    }

    async fn delete(&self, caller: &Caller, player: &str) -> Result<()> {
        self.0.delete_account(&self.other(caller, player).await?.player_id, "").await
    }

    async fn grant(
        &self,
        caller: &Caller,
        bearer: &str,
        request: GrantRoleRequest,
    ) -> Result<GrantRoleResponse> {
        let role = match request.role() {
            AccountRole::Unspecified => {
                return Err(Failure::field("role", "Give a role: player, worker or admin."));
            }
            role => role,
        };
        if request.name.eq_ignore_ascii_case(&caller.name) && role != caller.role {
            return Err(Failure::field(
                "name",
                "You cannot change the role of your own account; ask another admin.",
            ));
        }
        let retry_key = RetryKey::new(&request.request_id, bearer)?;
        let (account, token) = self.0.accounts.grant(&request.name, role, retry_key).await?;
        Ok(GrantRoleResponse { player: Some(player(account)), token })
    }

    fn parked(&self, request: &ListParkedDecisionsRequest) -> Result<ListParkedDecisionsResponse> {
        let all = self.0.host.automation().lease_table().parked();
        let (rows, next_page_token) = Page::of(request)?.slice(all)?;
        let decisions = rows.into_iter().map(parked).collect();
        Ok(ListParkedDecisionsResponse { decisions, next_page_token })
    }

    async fn release(&self, request: ReleaseParkedDecisionRequest) -> Result<()> {
        check_game_id(&request.game_id)?;
        let automation = self.0.host.automation();
        let vote = request.vote.unwrap_or(0);
        let is_it = |parked: &Parked| {
            parked.key.game_id == request.game_id
                && parked.key.seat.number() == request.seat
                && parked.key.vote == vote
        };
        let none = || {
            let (seat, game_id) = (request.seat, &request.game_id);
            let what = if vote > 0 { format!("vote {vote}") } else { "decision".to_owned() };
            let text = format!("Seat {seat} of game {game_id} has no parked {what}.");
            Failure::new(ErrorReason::NotFound, text).with("what", "parked decision")
        };
        let parked = automation.lease_table().parked();
        let found = parked.into_iter().find(is_it).ok_or_else(none)?;
        match ParkedRelease::try_from(request.release) {
            Ok(ParkedRelease::Retry) => {
                let seat = Seat::numbered(request.seat).ok_or_else(none)?;
                if automation.retry_parked(&request.game_id, seat, vote) {
                    Ok(())
                } else {
                    Err(none())
                }
            }
            Ok(ParkedRelease::Default) if found.key.vote > 0 => {
                let text = "A vote has no default; choose RETRY. A missing vote counts as no.";
                Err(Failure::new(ErrorReason::WrongStatus, text)
                    .with("status", GameStatus::Running.as_str_name()))
            }
            Ok(ParkedRelease::Default) => Ok(self.0.host.default_decision(&found).await?),
            Ok(ParkedRelease::Unspecified) | Err(_) => {
                Err(Failure::field("release", "Choose RETRY or DEFAULT for the decision."))
            }
        }
    }

    async fn status(&self) -> Result<GetStatusResponse> {
        let counts = self.0.store.counts().await?;
        let (games, players) = (counts.games, counts.players);
        Ok(GetStatusResponse { games, players, ..overview::status(&self.0) })
    }
}

fn parked(parked: Parked) -> ParkedDecision {
    ParkedDecision {
        game_id: parked.key.game_id,
        kind: parked.profile.kind,
        seat: parked.key.seat.number(),
        vote: Some(parked.key.vote).filter(|&vote| vote > 0),
        profile: parked.profile.name,
        level: parked.profile.level,
        failures: parked.failures,
        message: parked.why,
        park_time: Some(timestamp(parked.since)),
    }
}

fn within(field: &'static str, value: Option<u32>, max: u32) -> Result<u32> {
    match value {
        None => Ok(0),
        Some(value) if (1..=max).contains(&value) => Ok(value),
        Some(value) => Err(Failure::field(
            field,
            format!("Expected 1 to {max}, found {value}; omit the number for the default."),
        )),
    }
}

service! {
    AdminService for Admins;
    request grant_role(GrantRoleRequest) -> GrantRoleResponse = |admins, request| {
        let (caller, bearer) = (caller(&request)?, bearer_of(&request));
        admins.grant(&caller, &bearer, request.into_inner()).await?
    };
    call list_players(ListPlayersRequest) -> ListPlayersResponse =
        |admins, _, request| admins.players(request).await?;
    call list_all_games(ListAllGamesRequest) -> ListAllGamesResponse =
        |admins, _, request| admins.games(request).await?;
    call get_any_game(GetAnyGameRequest) -> GetAnyGameResponse =
        |admins, _, request| admins.game(&request.game_id).await?;
    call pause_any_game(PauseAnyGameRequest) -> PauseAnyGameResponse = |admins, caller, request| {
        let asked = RequestKey::of(&caller, &request.request_id, &request)?;
        let PauseAnyGameRequest { game_id, why, .. } = request;
        admins.act(&caller, &game_id, OperatorAct::Paused, &why, asked).await?;
        PauseAnyGameResponse {}
    };
    call resume_any_game(ResumeAnyGameRequest) -> ResumeAnyGameResponse =
        |admins, caller, request| {
            let asked = RequestKey::of(&caller, &request.request_id, &request)?;
            admins.act(&caller, &request.game_id, OperatorAct::Resumed, "", asked).await?;
            ResumeAnyGameResponse {}
        };
    call cancel_any_game(CancelAnyGameRequest) -> CancelAnyGameResponse =
        |admins, caller, request| {
            let asked = RequestKey::of(&caller, &request.request_id, &request)?;
            let CancelAnyGameRequest { game_id, why, .. } = request;
            admins.act(&caller, &game_id, OperatorAct::Cancelled, &why, asked).await?;
            CancelAnyGameResponse {}
        };
    call create_invitation(CreateInvitationRequest) -> CreateInvitationResponse =
        |admins, _, request| {
            let uses = within("uses", request.uses, INVITATION_USES_MAX)?;
            CreateInvitationResponse { invitation: admins.0.accounts.invite(uses).await? }
        };
    call revoke_player_tokens(RevokePlayerTokensRequest) -> RevokePlayerTokensResponse =
        |admins, caller, request| {
            let account = admins.other(&caller, &request.player).await?;
            let revoked = admins.0.accounts.revoke_all(&account.player_id).await? as u32;
            RevokePlayerTokensResponse { revoked }
        };
    call ban_player(BanPlayerRequest) -> BanPlayerResponse = |admins, caller, request| {
        let account = admins.other(&caller, &request.player).await?;
        admins.0.accounts.set_banned(&account.player_id, request.banned).await?;
        if request.banned {
            admins.0.host.host_banned(&account.player_id).await.map_err(Failure::from)?;
        }
        BanPlayerResponse {}
    };
    call delete_player(DeletePlayerRequest) -> DeletePlayerResponse = |admins, caller, request| {
        admins.delete(&caller, &request.player).await?;
        DeletePlayerResponse {}
    };
    call rename_player(RenamePlayerRequest) -> RenamePlayerResponse = |admins, _, request| {
        let account = admins.0.accounts.find_existing(&request.player).await?;
        let renamed = admins.0.accounts.rename(&account.player_id, &request.name).await?;
        RenamePlayerResponse { player: Some(player(renamed)) }
    };
    call set_quota(SetQuotaRequest) -> SetQuotaResponse = |admins, _, request| {
        let games_limit = within("games_limit", request.games_limit, GAMES_LIMIT_MAX)?;
        let account = admins.0.accounts.find(&request.player).await?;
        admins.0.accounts.set_games_limit(&account.player_id, games_limit).await?;
        SetQuotaResponse {}
    };
    call drain(DrainRequest) -> DrainResponse = |admins, _, _| {
        admins.0.drain.begin();
        // A client that checks the health after the response must not choose this engine.
        admins.0.drain.announced().await;
        DrainResponse {}
    };
    call list_parked_decisions(ListParkedDecisionsRequest) -> ListParkedDecisionsResponse =
        |admins, _, request| admins.parked(&request)?;
    call release_parked_decision(ReleaseParkedDecisionRequest) -> ReleaseParkedDecisionResponse =
        |admins, _, request| {
            admins.release(request).await?;
            ReleaseParkedDecisionResponse {}
        };
    call list_engines(ListEnginesRequest) -> ListEnginesResponse = |admins, _, request| {
        let page = Page::of(&request)?;
        let (engines, next_page_token) = page.slice(overview::engines(&admins.0).await?)?;
        ListEnginesResponse { engines, next_page_token }
    };
    call list_workers(ListWorkersRequest) -> ListWorkersResponse = |admins, _, request| {
        let page = Page::of(&request)?;
        let host = &admins.0.host;
        let rows = host.automation().lease_table().listed_workers(host.time());
        let (rows, next_page_token) = page.slice(rows)?;
        let workers = overview::with_players(&admins.0, rows).await?;
        ListWorkersResponse { workers, next_page_token }
    };
    call list_leases(ListLeasesRequest) -> ListLeasesResponse = |admins, _, request| {
        let page = Page::of(&request)?;
        let (automation, time) = (admins.0.host.automation(), admins.0.host.time());
        let leased = automation.lease_table().listed_leases(time, automation.longest_lease());
        let (leases, next_page_token) = page.slice(leased)?;
        ListLeasesResponse { leases, next_page_token }
    };
    call get_metrics(GetMetricsRequest) -> GetMetricsResponse = |admins, _, request| {
        let text = metrics::render(&admins.0.host, &admins.0.limits);
        let prefixes = request.prefixes;
        let wanted = |name: &str| {
            prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
        };
        let metrics = samples::read(&text, wanted);
        GetMetricsResponse { time: Some(timestamp(admins.0.host.now())), metrics }
    };
    call get_status(GetStatusRequest) -> GetStatusResponse =
        |admins, _, _| admins.status().await?;
    call list_reports(ListReportsRequest) -> ListReportsResponse =
        |admins, _, request| admins.reports(request).await?;
    call resolve_report(ResolveReportRequest) -> ResolveReportResponse =
        |admins, caller, request| {
            admins.resolve(&caller, request).await?;
            ResolveReportResponse {}
        };
    call silence_player(SilencePlayerRequest) -> SilencePlayerResponse =
        |admins, caller, request| admins.silence(&caller, request).await?;
}
