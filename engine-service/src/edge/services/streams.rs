//! Streams of one game's events, and of the notices of all of a player's games.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::Either;
use futures_util::{StreamExt as _, stream};
use heliopause_proto::v1::stream_events_response::Part;
use heliopause_proto::v1::stream_my_games_response::Notice;
use heliopause_proto::v1::*;
use heliopause_table::Fault;
use tokio::sync::broadcast::error::RecvError;
use tokio_stream::Stream;
use tonic::Status;

use super::tables::{CallContext, is_person};
use crate::failure::{Result, draining, status};
use crate::host::{EventStreamStart, Host, NoticeStream, encoded, pending_notice, timestamp};
use crate::store::GameQuery;

const HEARTBEAT: Duration = Duration::from_secs(20);
/// The maximum number of games whose open decisions are sent at the start of a stream of notices.
const OPEN_DECISIONS_MAX: usize = 200;

impl CallContext<'_> {
    pub(crate) async fn stream_events(
        &self,
        request: StreamEventsRequest,
    ) -> Result<impl Stream<Item = Result<Bytes, Status>> + Send + use<>> {
        let place =
            self.watch(&request.game_id, |table| Ok(table.chat_place(self.player_id()))).await?;
        let watching = if is_person(&self.caller) || self.player_id().is_empty() {
            self.chat.note_spectator(&request.game_id, &self.caller, place)
        } else {
            None
        };
        // Subscribe before the stream opens, so that no line is between the snapshot and the stream.
        let chat = if request.chat {
            let player_id = &self.caller.player_id;
            Some(self.chat.listen(&self.host, &request.game_id, player_id).await)
        } else {
            None
        };
        let start = EventStreamStart {
            game_id: request.game_id,
            player_id: self.caller.player_id.to_string(),
            seat: request.seat,
            as_spectator: request.as_spectator,
            after: request.after,
            is_person: is_person(&self.caller),
        };
        // The feed is boxed because it is moved for every message.
        let feed = Box::new(self.host.feed(start).await?);
        let events = stream::unfold((feed, watching), |(mut feed, watching)| async move {
            feed.next().await.map(|part| (part.map_err(status), (feed, watching)))
        });
        let Some(chat) = chat else { return Ok(Either::Left(events)) };
        let lines = stream::unfold(chat, |mut chat| async move {
            let line = chat.next().await;
            Some((Some(Ok(encoded(Part::Chat(line)))), chat))
        });
        // The stream ends with the events.
        let events = events.map(Some).chain(stream::once(std::future::ready(None)));
        let both =
            stream::select(events, lines).take_while(|part| std::future::ready(part.is_some()));
        Ok(Either::Right(both.filter_map(std::future::ready)))
    }

    pub(crate) async fn stream_my_games(
        &self,
    ) -> Result<impl Stream<Item = Result<StreamMyGamesResponse, Status>> + Send + use<>> {
        // Subscribe first: a change in between is then sent twice rather than never.
        let heard = self.host.notices(self.player_id()).await;
        let mut ready = self.open_decisions(self.player_id()).await?;
        ready.push_back(Notice::CaughtUp(CaughtUp { cursor: None }));
        let notices = Notices { host: self.host.clone(), heard, ready };
        Ok(stream::unfold(Some(notices), |notices| async move {
            let mut notices = notices?;
            Some(match notices.next().await {
                Ok(notice) => (Ok(StreamMyGamesResponse { notice: Some(notice) }), Some(notices)),
                Err(fault) => (Err(status(fault)), None),
            })
        }))
    }

    async fn open_decisions(&self, player_id: &str) -> Result<VecDeque<Notice>> {
        let member = Some(player_id.to_owned());
        let query = GameQuery {
            limit: OPEN_DECISIONS_MAX,
            member,
            running_only: true,
            ..GameQuery::default()
        };
        let rows = self.host.store().games(query).await.map_err(Fault::from)?;
        let mut notices = VecDeque::new();
        for row in rows {
            let Some(me) = row.members.iter().find(|member| member.player_id == player_id) else {
                continue;
            };
            let Some((kind, text)) = pending_notice(me) else { continue };
            notices.push_back(Notice::Game(GameNotice {
                game_id: row.game_id.clone(),
                name: row.name.clone(),
                kind: kind.into(),
                text: text.to_owned(),
                due_time: me.deadline.map(timestamp),
            }));
        }
        Ok(notices)
    }
}

struct Notices {
    host: Arc<Host>,
    heard: NoticeStream,
    ready: VecDeque<Notice>,
}

impl Notices {
    async fn next(&mut self) -> Result<Notice, Fault> {
        if let Some(notice) = self.ready.pop_front() {
            return Ok(notice);
        }
        let heard = tokio::select! {
            heard = tokio::time::timeout(HEARTBEAT, self.heard.recv()) => heard,
            () = self.host.drained() => return Err(draining()),
        };
        match heard {
            Ok(Ok(notice)) => Ok(Notice::Game(notice)),
            Ok(Err(RecvError::Lagged(_))) => Ok(Notice::FellBehind(FellBehind { cursor: None })),
            Ok(Err(RecvError::Closed)) => Err(draining()),
            Err(_) => Ok(Notice::Heartbeat(Heartbeat { time: Some(timestamp(self.host.now())) })),
        }
    }
}
