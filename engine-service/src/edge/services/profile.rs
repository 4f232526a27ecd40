//! `ProfileService`: results and ratings of players, and the control of one's own data.

use heliopause_proto::json;
use heliopause_proto::store::v1::Silence;
use heliopause_proto::v1::leaderboard_entry::Who;
use heliopause_proto::v1::profile_service_server::ProfileService;
use heliopause_proto::v1::*;
use heliopause_table::registry;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::lobby::check_enum;
use super::paging::Page;
use super::player::{my_game, player, tokens};
use super::sign_in::ways_back;
use super::tables::Tables;
use super::{Reply, Responses};
use crate::analyses::Analyses;
use crate::background;
use crate::caller::Caller;
use crate::edge::{Engine, caller};
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::ratings::{Ranked, Statistics};
use crate::store::{Account, GameQuery, GameRow};

const GAMES_PAGE: usize = 50;
const MESSAGES_PAGE: u32 = 200;
/// The number of lines of an export that wait for a slow client.
const LINES_WAITING: usize = 16;

#[derive(Clone)]
pub(crate) struct ProfileApi {
    pub(crate) engine: Engine,
    pub(crate) tables: Tables,
}

impl ProfileApi {
    async fn profile(&self, caller: &Caller, account: Account) -> Result<Profile> {
        let ratings = &self.engine.ratings;
        let privacy = ratings.privacy(&account.player_id).await?;
        let own = *caller.player_id == *account.player_id;
        let hidden = if own { Privacy::default() } else { privacy };
        let Statistics { results, reliability } =
            ratings.statistics(&account.player_id, hidden).await?;
        let head_to_head = if own {
            None
        } else {
            ratings.head_to_head(&caller.player_id, &account.player_id).await?
        };
        let privacy = own.then_some(privacy);
        Ok(Profile { player: Some(player(account)), results, reliability, head_to_head, privacy })
    }

    async fn leaderboard(
        &self,
        request: ListLeaderboardRequest,
    ) -> Result<ListLeaderboardResponse> {
        let page = Page::of(&request)?;
        let size = ladder_size(&request)?;
        let mut after = match page.name().split_once('|') {
            Some((key, id)) => (key.to_owned(), id.to_owned()),
            None => Default::default(),
        };
        let mut shown: Vec<(Ranked, Who)> = Vec::new();
        while shown.len() < page.limit() {
            let ratings = &self.engine.ratings;
            let ranked = ratings.leaderboard(&request.kind, size, after, page.limit()).await?;
            let is_last = ranked.len() < page.limit();
            after = ranked.last().map(|one| one.place.clone()).unwrap_or_default();
            for one in ranked {
                if shown.len() < page.limit()
                    && let Some(who) = self.listed(&one).await?
                {
                    shown.push((one, who));
                }
            }
            if is_last {
                break;
            }
        }
        // A token names only a row that is shown, because it contains the rating.
        let last =
            page.cut(&mut shown).map(|(Ranked { place: (key, id), .. }, _)| format!("{key}|{id}"));
        let next_page_token = page.after_name(last.as_deref());
        let entry = |(Ranked { rating, won, drawn, .. }, who)| LeaderboardEntry {
            who: Some(who),
            rating: Some(rating),
            won,
            drawn,
        };
        let entries = shown.into_iter().map(entry).collect();
        Ok(ListLeaderboardResponse { entries, next_page_token })
    }

    /// Returns who has a rating, or `None` if leaderboards do not show it.
    async fn listed(&self, ranked: &Ranked) -> Result<Option<Who>> {
        if let Some((profile, level)) = ranked.automation() {
            let (profile, level) = (profile.to_owned(), level.to_owned());
            return Ok(Some(Who::Automated(AutomatedSeat { profile, level, end_time: None })));
        }
        let Some(account) = self.engine.accounts.find_named(&ranked.entity).await? else {
            return Ok(None);
        };
        let hidden = self.engine.ratings.privacy(&ranked.entity).await?.hide_ratings;
        Ok((!hidden).then(|| Who::Player(player(account))))
    }

    async fn rename(&self, caller: &Caller, name: &str) -> Result<RenameMeResponse> {
        let account = self.engine.accounts.find(&caller.player_id).await?;
        if account.name != name {
            let last = self.engine.ratings.start_rename(&caller.player_id).await?;
            if let Err(failure) = self.engine.accounts.rename(&caller.player_id, name).await {
                self.engine.ratings.undo_rename(&caller.player_id, last).await?;
                return Err(failure);
            }
        }
        let account = self.engine.accounts.find(&caller.player_id).await?;
        Ok(RenameMeResponse { player: Some(player(account)) })
    }

    async fn delete(&self, caller: &Caller, name: &str) -> Result<DeleteMeResponse> {
        let account = self.engine.accounts.find(&caller.player_id).await?;
        if caller.role != AccountRole::Player {
            let text = "Only players can delete their own account; ask another admin.";
            return Err(Failure::new(ErrorReason::RoleConflict, text));
        }
        // The name is already erased if a deletion is repeated.
        if account.name != name && !account.name.is_empty() {
            return Err(Failure::field("name", "Give your own name to delete your account."));
        }
        self.engine.delete_account(&caller.player_id, &caller.token_id).await?;
        Ok(DeleteMeResponse {})
    }
}

fn ladder_size(request: &ListLeaderboardRequest) -> Result<LadderSize> {
    let kind = registry::kind_or_fault(&request.kind)?;
    check_enum::<LadderSize>("size", request.size)?;
    let (_, players) = kind.rules.options(None)?;
    match request.size() {
        LadderSize::Two | LadderSize::Several => Ok(request.size()),
        LadderSize::Unspecified if *players.start() > 2 => Ok(LadderSize::Several),
        LadderSize::Unspecified if *players.end() == 2 => Ok(LadderSize::Two),
        LadderSize::Unspecified | LadderSize::One => {
            let text = "Choose the leaderboard for two seats or for several.";
            Err(Failure::field("size", text))
        }
    }
}

/// The lines of an export, sent as they are read.
struct Export {
    api: ProfileApi,
    caller: Caller,
    lines: mpsc::Sender<Result<ExportMyDataResponse, Status>>,
}

impl Export {
    async fn run(self) {
        if let Err(Some(failure)) = self.all().await {
            drop(self.lines.send(Err(failure.into())).await);
        }
    }

    async fn all(&self) -> Result<(), Option<Failure>> {
        let Engine { accounts, channels, .. } = &self.api.engine;
        let player_id = &*self.caller.player_id;
        let account = accounts.find(player_id).await.map_err(Some)?;
        let profile = self.api.profile(&self.caller, account).await.map_err(Some)?;
        self.send("profile", &profile).await?;
        for token in tokens(&self.api.engine, &self.caller).await.map_err(Some)? {
            self.send("token", &token).await?;
        }
        let ways_back = ways_back(&self.api.engine, player_id).await.map_err(Some)?;
        self.send("waysBack", &ways_back).await?;
        for blocked in accounts.blocked_by(player_id).await.map_err(Some)? {
            self.send("blocked", &player(blocked)).await?;
        }
        self.send("notices", &channels.list(player_id).await.map_err(Some)?).await?;
        let Engine { quick_play, host, .. } = &self.api.engine;
        if let Some(entry) = quick_play.look(host, player_id).await.map_err(Some)? {
            self.send("queue", &entry).await?;
        }
        let analyses = Analyses::new(&self.api.engine.host);
        for analysis in analyses.all(player_id).await.map_err(Some)? {
            self.send("analysis", &analysis).await?;
        }
        self.chat(player_id).await?;
        let mut after = None;
        loop {
            let query = GameQuery {
                limit: GAMES_PAGE,
                after: after.take(),
                member: Some(player_id.to_owned()),
                ..GameQuery::default()
            };
            let rows = self
                .api
                .engine
                .store
                .games(query)
                .await
                .map_err(|error| Some(Failure::from(error)))?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some((last.created, last.game_id.clone()));
            for row in rows {
                self.game(row).await?;
            }
        }
    }

    /// Sends the muted players, the silence, the reports, and the chat lines that the account has
    /// written.
    async fn chat(&self, player_id: &str) -> Result<(), Option<Failure>> {
        let chat = &self.api.engine.chat;
        for muted in chat.muted_players(player_id).await.map_err(Some)? {
            self.send("muted", &muted).await?;
        }
        if let Some((until, why)) = chat.silence_of(player_id).await.map_err(Some)? {
            let silence = Silence { until: Some(timestamp(until)), why };
            self.send("silence", &silence).await?;
        }
        for report in chat.reports_by(player_id).await.map_err(Some)? {
            self.send("report", &report).await?;
        }
        let mut after = String::new();
        loop {
            let games = chat.games_of(player_id, &after).await.map_err(Some)?;
            let Some(last) = games.last() else { return Ok(()) };
            after.clone_from(last);
            for game_id in games {
                for line in chat.lines_by(player_id, &game_id).await.map_err(Some)? {
                    let line = json::to_line(&line.for_operators());
                    let line = format!(r#"{{"chatLine":{{"gameId":"{game_id}","line":{line}}}}}"#);
                    self.line(line).await?;
                }
            }
        }
    }

    async fn game(&self, row: GameRow) -> Result<(), Option<Failure>> {
        let (game_id, sandbox) = (row.game_id.clone(), row.sandbox);
        self.send("game", &my_game(row, &self.caller.player_id)).await?;
        let mut request = ListMessagesRequest {
            game_id: game_id.clone(),
            page_size: MESSAGES_PAGE,
            ..ListMessagesRequest::default()
        };
        if sandbox {
            return Ok(());
        }
        loop {
            let context = self.api.tables.for_caller(self.caller.clone());
            let page = match context.list_messages(request.clone()).await {
                Ok(page) => page,
                // A host without a seat has no messages, and the game may be gone.
                Err(failure) if is_without_messages(failure.reason()) => return Ok(()),
                Err(failure) => return Err(Some(failure)),
            };
            for message in &page.messages {
                let message = json::to_line(message);
                let line = format!(r#"{{"message":{{"gameId":"{game_id}","message":{message}}}}}"#);
                self.line(line).await?;
            }
            if page.next_page_token.is_empty() {
                return Ok(());
            }
            request.page_token = page.next_page_token;
        }
    }

    async fn send<M>(&self, key: &str, message: &M) -> Result<(), Option<Failure>>
    where
        M: prost::Message + prost::Name,
    {
        self.line(format!(r#"{{"{key}":{}}}"#, json::to_line(message))).await
    }

    /// Sends a line. Fails without a failure if the client no longer reads.
    async fn line(&self, line: String) -> Result<(), Option<Failure>> {
        self.lines.send(Ok(ExportMyDataResponse { line })).await.map_err(|_| None)
    }
}

fn is_without_messages(reason: ErrorReason) -> bool {
    matches!(reason, ErrorReason::NotYourSeat | ErrorReason::GameNotFound)
}

#[tonic::async_trait]
impl ProfileService for ProfileApi {
    async fn get_profile(&self, request: Request<GetProfileRequest>) -> Reply<GetProfileResponse> {
        let caller = caller(&request)?;
        let asked = request.into_inner().player;
        let whom = if asked.is_empty() { &*caller.player_id } else { asked.as_str() };
        let account = self.engine.accounts.find_existing(whom).await?;
        let profile = self.profile(&caller, account).await?;
        Ok(Response::new(GetProfileResponse { profile: Some(profile) }))
    }

    async fn list_leaderboard(
        &self,
        request: Request<ListLeaderboardRequest>,
    ) -> Reply<ListLeaderboardResponse> {
        Ok(Response::new(self.leaderboard(request.into_inner()).await?))
    }

    async fn set_privacy(&self, request: Request<SetPrivacyRequest>) -> Reply<SetPrivacyResponse> {
        let caller = caller(&request)?;
        let privacy = request.into_inner().privacy.unwrap_or_default();
        self.engine.ratings.set_privacy(&caller.player_id, privacy).await?;
        Ok(Response::new(SetPrivacyResponse { privacy: Some(privacy) }))
    }

    async fn rename_me(&self, request: Request<RenameMeRequest>) -> Reply<RenameMeResponse> {
        let caller = caller(&request)?;
        Ok(Response::new(self.rename(&caller, &request.into_inner().name).await?))
    }

    type ExportMyDataStream = Responses<ExportMyDataResponse>;

    async fn export_my_data(
        &self,
        request: Request<ExportMyDataRequest>,
    ) -> Reply<Self::ExportMyDataStream> {
        let caller = caller(&request)?;
        let (lines, sent) = mpsc::channel(LINES_WAITING);
        // The export waits for shared resources. See the invariant of `background`.
        background::spawn(Export { api: self.clone(), caller, lines }.run());
        Ok(Response::new(Box::pin(ReceiverStream::new(sent))))
    }

    async fn delete_me(&self, request: Request<DeleteMeRequest>) -> Reply<DeleteMeResponse> {
        let caller = caller(&request)?;
        Ok(Response::new(self.delete(&caller, &request.into_inner().name).await?))
    }
}
