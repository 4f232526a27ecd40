//! `TournamentService`: tournaments, and the ladder of bots.

use heliopause_proto::store::v1::{StoredBot, StoredTournament};
use heliopause_proto::v1::tournament_service_server::TournamentService;
use heliopause_proto::v1::tournament_standing::Who;
use heliopause_proto::v1::*;
use prost_types::Duration;
use tonic::{Request, Response};

use super::Reply;
use super::lobby::check_enum;
use super::paging::Page;
use super::player::player;
use super::tables::{RequestKey, digest};
use crate::background;
use crate::caller::Caller;
use crate::edge::{Engine, caller};
use crate::failure::Result;
use crate::host::timestamp;
use crate::store::Millis;
use crate::tournaments::{Line, bot_entity, bot_of, results};

pub(crate) struct TournamentApi(pub(crate) Engine);

impl TournamentApi {
    async fn create(&self, caller: Caller, request: CreateTournamentRequest) -> Result<Tournament> {
        // This checks the length of the id.
        RequestKey::of(&caller, &request.request_id, &request)?;
        let digest = digest(&caller.player_id, &request);
        let (tournaments, me) = (self.0.tournaments.clone(), caller.clone());
        let created = background::in_own_task(async move {
            tournaments.create_tournament(&me, request, digest).await
        });
        let tournament_id = created.await?;
        self.described(&caller, &tournament_id).await
    }

    async fn described(&self, caller: &Caller, tournament_id: &str) -> Result<Tournament> {
        let stored = self.0.tournaments.tournament(tournament_id).await?;
        self.describe(caller, tournament_id, &stored).await
    }

    async fn describe(
        &self,
        caller: &Caller,
        tournament_id: &str,
        stored: &StoredTournament,
    ) -> Result<Tournament> {
        let time = |millis: Millis| (millis != 0).then(|| timestamp(millis));
        let host = self.0.accounts.find_named(&stored.host).await?.map(player);
        let round_end = stored
            .rounds
            .last()
            .filter(|_| stored.status() == TournamentStatus::Running)
            .map(|round| timestamp(round.started.saturating_add(stored.round_limit)));
        let own = |entity: &str| !caller.player_id.is_empty() && entity == &*caller.player_id;
        let entry = stored.entries.iter().position(|one| own(&one.entity) && !one.withdrawn);
        Ok(Tournament {
            tournament_id: tournament_id.to_owned(),
            name: stored.name.clone(),
            description: stored.description.clone(),
            status: stored.status,
            system: stored.system,
            kind: stored.kind.clone(),
            options: stored.options.clone(),
            pace: stored.pace.clone(),
            seats: stored.seats,
            rounds: stored.round_count,
            round: stored.rounds.len() as u32,
            entries_max: stored.entries_max,
            entry_count: stored.entries.len() as u32,
            bots_allowed: stored.bots_allowed,
            rated: stored.rated,
            twice: stored.twice,
            host,
            create_time: time(stored.created),
            start_time: time(stored.starts),
            end_time: time(stored.ended),
            round_limit: Some(Duration { seconds: stored.round_limit / 1_000, nanos: 0 }),
            round_end_time: round_end,
            cancel_reason: stored.cancel_reason.clone(),
            you_are_host: own(&stored.host),
            your_entry: entry.map_or(0, |entry| entry as u32 + 1),
        })
    }

    async fn list(
        &self,
        caller: &Caller,
        request: ListTournamentsRequest,
    ) -> Result<ListTournamentsResponse> {
        check_enum::<TournamentStatus>("status", request.status)?;
        let page = Page::of(&request)?;
        let after = match page.name().split_once('|') {
            Some((key, id)) => (key.to_owned(), id.to_owned()),
            None => Default::default(),
        };
        let mut found = self.0.tournaments.list(after, page.limit()).await?;
        let last = page.cut(&mut found).map(|((key, id), _)| format!("{key}|{id}"));
        let next_page_token = page.after_name(last.as_deref());
        let is_asked = |stored: &StoredTournament| {
            (request.status == 0 || request.status == stored.status)
                && (request.kind.is_empty() || request.kind == stored.kind)
        };
        let mut tournaments = Vec::with_capacity(found.len());
        for ((_, id), stored) in found.iter().filter(|(_, stored)| is_asked(stored)) {
            let described = self.describe(caller, id, stored).await?;
            let (description, options, pace) = Default::default();
            tournaments.push(Tournament { description, options, pace, ..described });
        }
        Ok(ListTournamentsResponse { tournaments, next_page_token })
    }

    async fn get(&self, caller: &Caller, tournament_id: &str) -> Result<GetTournamentResponse> {
        let stored = self.0.tournaments.tournament(tournament_id).await?;
        let (lines, rounds) = results(&stored);
        let mut standings = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            standings.push(self.standing(&stored, index, line).await?);
        }
        if stored.rounds.is_empty() {
            for standing in &mut standings {
                standing.rank = 0;
            }
        } else {
            standings.sort_by_key(|standing| (standing.rank, standing.entry));
        }
        let number = |index: &usize| *index as u32 + 1;
        let played = stored.rounds.iter().zip(&rounds).zip(1..).map(|((stored, round), nth)| {
            let games = stored.pairings.iter().zip(&round.tables).map(|(pairing, table)| {
                let seat = |(seat, index): (usize, &usize)| TournamentSeat {
                    entry: number(index),
                    place: table.places.get(seat).copied().unwrap_or(0),
                    points: f64::from(table.halves(seat)) / 2.0,
                };
                TournamentGame {
                    game_id: pairing.game_id.clone(),
                    seats: table.seats.iter().enumerate().map(seat).collect(),
                    state: pairing.state,
                }
            });
            TournamentRound {
                number: nth,
                start_time: Some(timestamp(stored.started)),
                games: games.collect(),
                byes: round.byes.iter().map(number).collect(),
            }
        });
        let rounds = played.collect();
        let tournament = Some(self.describe(caller, tournament_id, &stored).await?);
        Ok(GetTournamentResponse { tournament, standings, rounds })
    }

    async fn standing(
        &self,
        stored: &StoredTournament,
        index: usize,
        line: &Line,
    ) -> Result<TournamentStanding> {
        let entry = &stored.entries[index];
        let who = if let Some((profile, level)) = bot_of(&entry.entity) {
            Some(Who::Automated(AutomatedSeat {
                profile: profile.to_owned(),
                level: level.to_owned(),
                end_time: None,
            }))
        } else {
            let account = self.0.accounts.find_named(&entry.entity).await?;
            account.map(|account| Who::Player(player(account)))
        };
        Ok(TournamentStanding {
            entry: index as u32 + 1,
            who,
            rank: line.rank,
            points: f64::from(line.halves) / 2.0,
            games: line.games,
            won: line.won,
            drawn: line.drawn,
            byes: line.byes,
            buchholz: f64::from(line.buchholz) / 2.0,
            sonneborn_berger: f64::from(line.berger) / 4.0,
            direct_encounter: f64::from(line.direct) / 2.0,
            withdrawn: entry.withdrawn,
        })
    }

    async fn bot(&self, level: String, stored: StoredBot) -> Result<Bot> {
        let entity = bot_entity(&stored.profile, &level);
        let mut ratings = Vec::new();
        for size in [LadderSize::Two, LadderSize::Several] {
            if let Some(rating) = self.0.ratings.rating_of(&stored.kind, size, &entity).await? {
                ratings.push(BotRating { size: size.into(), rating: Some(rating) });
            }
        }
        let connected = self.0.tournaments.is_connected(&stored.kind, &stored.profile, &level);
        Ok(Bot {
            level,
            owner: self.0.accounts.find_named(&stored.owner).await?.map(player),
            kind: stored.kind,
            profile: stored.profile,
            description: stored.description,
            connected,
            create_time: Some(timestamp(stored.created)),
            ratings,
        })
    }

    async fn list_bots(&self, request: &ListBotsRequest) -> Result<ListBotsResponse> {
        let page = Page::of(request)?;
        let mut found = self.0.tournaments.bots(page.name(), page.limit()).await?;
        let last = page.cut(&mut found).map(|(level, _)| level.clone());
        let next_page_token = page.after_name(last.as_deref());
        let mut bots = Vec::with_capacity(found.len());
        for (level, stored) in found {
            bots.push(self.bot(level, stored).await?);
        }
        let games_per_hour = self.0.tournaments.ladder_games_per_hour();
        let game_ids = self.0.tournaments.ladder_games().await?;
        Ok(ListBotsResponse { bots, next_page_token, games_per_hour, game_ids })
    }

    async fn register(&self, caller: &Caller, request: RegisterBotRequest) -> Result<Bot> {
        let level = self.0.tournaments.register(caller, request).await?;
        let stored = self.0.tournaments.registered(&level).await?;
        self.bot(level, stored).await
    }
}

service! {
    TournamentService for TournamentApi;
    call create_tournament(CreateTournamentRequest) -> CreateTournamentResponse =
        |services, caller, request| {
            CreateTournamentResponse { tournament: Some(services.create(caller, request).await?) }
        };
    call list_tournaments(ListTournamentsRequest) -> ListTournamentsResponse =
        |services, caller, request| services.list(&caller, request).await?;
    call get_tournament(GetTournamentRequest) -> GetTournamentResponse =
        |services, caller, request| services.get(&caller, &request.tournament_id).await?;
    call join_tournament(JoinTournamentRequest) -> JoinTournamentResponse =
        |services, caller, request| {
            let JoinTournamentRequest { tournament_id, bot } = request;
            services.0.tournaments.join(&caller, &tournament_id, bot.as_ref()).await?;
            let tournament = Some(services.described(&caller, &tournament_id).await?);
            JoinTournamentResponse { tournament }
        };
    call withdraw_from_tournament(WithdrawFromTournamentRequest) -> WithdrawFromTournamentResponse =
        |services, caller, request| {
            let WithdrawFromTournamentRequest { tournament_id, entry } = request;
            services.0.tournaments.withdraw(&caller, &tournament_id, entry).await?;
            let tournament = Some(services.described(&caller, &tournament_id).await?);
            WithdrawFromTournamentResponse { tournament }
        };
    call start_tournament(StartTournamentRequest) -> StartTournamentResponse =
        |services, caller, request| {
            let (tournaments, me) = (services.0.tournaments.clone(), caller.clone());
            let tournament_id = request.tournament_id.clone();
            // The creation of games waits for shared resources. See the invariant of `background`.
            let started = background::in_own_task(async move {
                tournaments.start_now(&me, &tournament_id).await
            });
            started.await?;
            let tournament = Some(services.described(&caller, &request.tournament_id).await?);
            StartTournamentResponse { tournament }
        };
    call cancel_tournament(CancelTournamentRequest) -> CancelTournamentResponse =
        |services, caller, request| {
            services.0.tournaments.cancel(&caller, &request.tournament_id).await?;
            let tournament = Some(services.described(&caller, &request.tournament_id).await?);
            CancelTournamentResponse { tournament }
        };
    call register_bot(RegisterBotRequest) -> RegisterBotResponse = |services, caller, request| {
        RegisterBotResponse { bot: Some(services.register(&caller, request).await?) }
    };
    call unregister_bot(UnregisterBotRequest) -> UnregisterBotResponse =
        |services, caller, request| {
            services.0.tournaments.unregister(&caller, &request.level).await?;
            UnregisterBotResponse {}
        };
    call list_bots(ListBotsRequest) -> ListBotsResponse =
        |services, _, request| services.list_bots(&request).await?;
}
