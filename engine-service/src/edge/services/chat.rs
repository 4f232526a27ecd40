//! `ChatService`: chat of players and spectators, muting, and reports of abuse.

use std::collections::HashSet;

use heliopause_proto::store::v1::{StoredChatLine, step};
use heliopause_proto::v1::chat_service_server::ChatService;
use heliopause_proto::v1::mute_player_request::Who;
use heliopause_proto::v1::report_abuse_request::What;
use heliopause_proto::v1::unmute_player_request::Who as Unmuted;
use heliopause_proto::v1::*;
use heliopause_table::{ChatPlace, Fault};
use tonic::{Request, Response};

use super::Reply;
use super::lobby::check_enum;
use super::paging::Page;
use super::tables::{CallContext, RequestKey, Tables, is_person};
use crate::accounts::is_guest;
use crate::chat::{Chat, Line, new_line, seat_key};
use crate::failure::{Failure, Result};
use crate::store::Account;

/// The number of lines before and after a reported line that operators see.
const CONTEXT: u64 = 5;

pub(crate) struct ChatApi(pub(crate) Tables);

fn known(channel: i32) -> Result<ChatChannel> {
    check_enum::<ChatChannel>("channel", channel)?;
    match ChatChannel::try_from(channel) {
        Ok(channel @ (ChatChannel::Table | ChatChannel::Spectators)) => Ok(channel),
        _ => Err(Failure::field("channel", "Choose the table or the spectators.")),
    }
}

fn not_found(what: &'static str) -> Failure {
    Failure::new(ErrorReason::NotFound, format!("The {what} was not found.")).with("what", what)
}

impl CallContext<'_> {
    /// Checks whether the caller's kind of account may write to a channel.
    fn check_account(&self, channel: ChatChannel) -> Result<()> {
        if !is_person(&self.caller) {
            let text = "Worker and admin accounts cannot write; register a player account.";
            return Err(Failure::new(ErrorReason::RoleConflict, text));
        }
        let account = Account { name: self.caller.name.to_string(), ..Account::default() };
        if channel == ChatChannel::Spectators && is_guest(&account) {
            return Err(ChatPlace::refusal_to_guests().into());
        }
        Ok(())
    }

    async fn write_chat(&self, request: WriteChatRequest) -> Result<WriteChatResponse> {
        // Checks the length of the id.
        RequestKey::of(&self.caller, &request.request_id, &request)?;
        let channel = known(request.channel)?;
        if request.text.trim().is_empty() {
            return Err(Failure::field("text", "Write at least one character."));
        }
        let (now, player_id) = (self.host.now(), self.player_id());
        let (place, held) = self
            .watch(&request.game_id, |table| {
                let place = table.chat_place(player_id);
                Ok((place, table.check_chat(place, channel, now)?))
            })
            .await?;
        self.check_account(channel)?;
        self.chat.check_may_write(player_id).await?;
        let WriteChatRequest { game_id, text, request_id, .. } = request;
        let line =
            StoredChatLine { text, request_id, ..new_line(player_id, place, channel, held, now) };
        let written = self.chat.write(&game_id, channel, line, &self.caller.name).await?;
        let line = self
            .watch(&game_id, |table| {
                let (muted, lines) = (HashSet::default(), vec![written.into()]);
                Ok(Chat::shown(table, &game_id, player_id, &muted, lines).lines.pop())
            })
            .await?;
        Ok(WriteChatResponse { line })
    }

    async fn list_chat(&self, request: ListChatRequest) -> Result<ListChatResponse> {
        let channel = known(request.channel)?;
        let page = Page::of(&request)?;
        let before = page.number()?;
        let (game_id, player_id) = (request.game_id.as_str(), self.player_id());
        // The caller must be able to see the game before its lines are read.
        self.watch(game_id, |_| Ok(())).await?;
        let (lines, next) = self.chat.page(game_id, channel, before, page.size).await?;
        let muted = self.chat.muted(player_id).await?;
        let (now, account) = (self.host.now(), self.check_account(channel));
        self.watch(game_id, |table| {
            let place = table.chat_place(player_id);
            let can_read = table.can_read_chat(place, channel);
            Ok(ListChatResponse {
                lines: Chat::shown(table, game_id, player_id, &muted, lines).lines,
                next_page_token: page.after_number(next.filter(|_| can_read)),
                can_read,
                can_write: account.is_ok() && table.check_chat(place, channel, now).is_ok(),
            })
        })
        .await
    }

    async fn list_spectators(
        &self,
        request: ListSpectatorsRequest,
    ) -> Result<ListSpectatorsResponse> {
        let game_id = &request.game_id;
        let (mut player_ids, others) = self.chat.spectators(game_id);
        let listed = self.watch(game_id, |table| {
            // A spectator may have taken a seat since the stream opened.
            player_ids.retain(|player_id| table.chat_place(player_id) == ChatPlace::Spectator);
            Ok(table.shows_spectators())
        });
        if !listed.await? {
            return Ok(ListSpectatorsResponse::default());
        }
        let (spectators, unnamed) = self.chat.named_spectators(player_ids).await;
        Ok(ListSpectatorsResponse { spectators, others: others + unnamed, listed: true })
    }

    /// Returns the player or the seat to mute, and whether names are hidden.
    async fn mutable(&self, who: Who) -> Result<String> {
        let (field, found) = match who {
            Who::Player(player) => ("player", self.accounts.find(&player).await?.player_id),
            Who::Seat(ChatSeat { game_id, seat }) => {
                let found = self.watch(&game_id, |table| {
                    let player = table.player_in(seat).map(str::to_owned);
                    let none = || Fault::field("seat", "No player has this seat.");
                    let player = player.ok_or_else(none)?;
                    let is_hidden = table.hides_players() && player != self.player_id();
                    Ok(if is_hidden { seat_key(&game_id, seat) } else { player })
                });
                ("seat", found.await?)
            }
        };
        if found == self.player_id() {
            return Err(Failure::field(field, "You cannot mute yourself."));
        }
        Ok(found)
    }

    async fn mute_player(&self, request: MutePlayerRequest) -> Result<MutePlayerResponse> {
        let who = request.who.ok_or_else(|| Failure::field("who", "Name a player or a seat."))?;
        let whom = self.mutable(who).await?;
        self.chat.set_muted(self.player_id(), &whom, true).await?;
        Ok(MutePlayerResponse {})
    }

    async fn unmute_player(&self, request: UnmutePlayerRequest) -> Result<UnmutePlayerResponse> {
        let who = match request.who {
            Some(Unmuted::Player(player)) => Who::Player(player),
            Some(Unmuted::Seat(seat)) => {
                // The seat may have been muted while the game hid names.
                let key = seat_key(&seat.game_id, seat.seat);
                self.chat.set_muted(self.player_id(), &key, false).await?;
                Who::Seat(seat)
            }
            None => return Err(Failure::field("who", "Name a player or a seat.")),
        };
        let whom = self.mutable(who).await?;
        self.chat.set_muted(self.player_id(), &whom, false).await?;
        Ok(UnmutePlayerResponse {})
    }

    async fn list_mutes(&self, request: ListMutesRequest) -> Result<ListMutesResponse> {
        let players = self.chat.muted_players(self.player_id()).await?;
        if request.game_id.is_empty() {
            return Ok(ListMutesResponse { players, seats: Vec::new() });
        }
        let muted = self.chat.muted(self.player_id()).await?;
        let game_id = &request.game_id;
        let seats = self.watch(game_id, |table| {
            let is_muted = |(seat, player): &(u32, &str)| {
                muted.contains(&seat_key(game_id, *seat))
                    || (!table.hides_players() && muted.contains(*player))
            };
            Ok(table.seated().filter(is_muted).map(|(seat, _)| seat).collect())
        });
        Ok(ListMutesResponse { players, seats: seats.await? })
    }

    async fn report_abuse(&self, request: ReportAbuseRequest) -> Result<ReportAbuseResponse> {
        check_enum::<AbuseReason>("reason", request.reason)?;
        if request.reason() == AbuseReason::Unspecified {
            return Err(Failure::field("reason", "Choose a reason."));
        }
        let (what, found) = match request.what {
            Some(What::Line(line)) => self.reported_line(line).await?,
            Some(What::Message(message)) => self.reported_message(message).await?,
            Some(What::Player(player)) => {
                let account = self.accounts.find_existing(&player).await?;
                let what = format!("name {} {}", account.player_id, account.name);
                let (player_id, text) = (account.player_id, account.name);
                (what, AbuseReport { player_id, text, ..AbuseReport::default() })
            }
            None => return Err(Failure::field("what", "Name what you report.")),
        };
        if found.player_id == self.player_id() {
            return Err(Failure::field("what", "You cannot report yourself."));
        }
        let report = AbuseReport {
            reporter_id: self.player_id().to_owned(),
            reason: request.reason,
            comment: request.comment,
            ..found
        };
        self.chat.report(&what, report).await?;
        Ok(ReportAbuseResponse {})
    }

    /// Returns the report of a line that the caller sees, and the line's identity.
    async fn reported_line(&self, line: ChatLineRef) -> Result<(String, AbuseReport)> {
        let ChatLineRef { game_id, channel, number } = line;
        let channel = known(channel)?;
        self.watch(&game_id, |_| Ok(())).await?;
        let around = self.chat.around(&game_id, channel, number, CONTEXT).await?;
        let reported = around.iter().find(|line| line.number == number).cloned();
        let reported = reported.ok_or_else(|| not_found("chat line"))?;
        let lines = vec![reported.clone().into()];
        let seen = self.watch(&game_id, |table| {
            let muted = HashSet::default();
            Ok(!Chat::shown(table, &game_id, self.player_id(), &muted, lines).lines.is_empty())
        });
        if !seen.await? || reported.stored.text.is_empty() {
            return Err(not_found("chat line"));
        }
        let report = AbuseReport {
            player_id: reported.stored.player_id,
            channel: channel.into(),
            number,
            text: reported.stored.text,
            context: around.iter().map(Line::for_operators).collect(),
            game_id: game_id.clone(),
            ..AbuseReport::default()
        };
        Ok((format!("line {game_id} {channel:?} {number}"), report))
    }

    /// Returns the report of a message to the caller, and the message's identity.
    async fn reported_message(&self, message: MessageRef) -> Result<(String, AbuseReport)> {
        let MessageRef { game_id, seat, number } = message;
        let listing = ListMessagesRequest {
            game_id: game_id.clone(),
            seat,
            page_size: 1,
            page_token: String::new(),
        };
        let before = number.checked_sub(1).ok_or_else(|| not_found("message"))?;
        let page_token = Page::of(&listing)?.after_number(Some(before).filter(|&n| n > 0));
        let page = self.list_messages(ListMessagesRequest { page_token, ..listing }).await?;
        let found = page.messages.into_iter().find(|message| message.number == number);
        let found = found.ok_or_else(|| not_found("message"))?;
        let reader = self.writer(&game_id, seat).await?;
        let (entry, player_id) = self
            .read(&game_id, |table| {
                let entries = table.message_entries(reader);
                let entry = entries.get(before as usize).copied().unwrap_or(0);
                let author = found.from_seat.and_then(|seat| table.player_in(seat));
                Ok((entry, author.unwrap_or_default().to_owned()))
            })
            .await?;
        // The step names the account even of an anonymous message, and of a seat's earlier player.
        // The step of a message that was held back is another one.
        let step = self.host.entry(&game_id, entry).await?.step.unwrap_or_default();
        let player_id = match step.kind {
            Some(step::Kind::MessageSent(_)) => step.by,
            _ => player_id,
        };
        let report = AbuseReport {
            player_id,
            number,
            text: found.text,
            game_id: game_id.clone(),
            ..AbuseReport::default()
        };
        Ok((format!("message {game_id} {reader:?} {number}"), report))
    }
}

service! {
    ChatService for ChatApi;
    method write_chat(WriteChatRequest) -> WriteChatResponse;
    method list_chat(ListChatRequest) -> ListChatResponse;
    method list_spectators(ListSpectatorsRequest) -> ListSpectatorsResponse;
    method mute_player(MutePlayerRequest) -> MutePlayerResponse;
    method unmute_player(UnmutePlayerRequest) -> UnmutePlayerResponse;
    method list_mutes(ListMutesRequest) -> ListMutesResponse;
    method report_abuse(ReportAbuseRequest) -> ReportAbuseResponse;
}
