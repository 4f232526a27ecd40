//! Streams of one game's events, and of the notices of all of a player's games.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use heliopause_proto::v1::stream_my_games_response::Notice;
use heliopause_proto::v1::*;
use heliopause_table::Fault;
use tokio::sync::broadcast::error::RecvError;
use tokio_stream::Stream;
use tonic::Status;

use super::tables::{CallContext, is_person};
use crate::failure::{Result, draining, status};
use crate::host::{EventStreamStart, Host, NoticeStream, pending_notice, timestamp};
use crate::store::GameQuery;

const HEARTBEAT: Duration = Duration::from_secs(20);
/// The maximum number of games whose open decisions are sent at the start of a stream of notices.
const OPEN_DECISIONS_MAX: usize = 200;

impl CallContext<'_> {
    pub(crate) async fn stream_events(
        &self,
        request: StreamEventsRequest,
    ) -> Result<impl Stream<Item = Result<Bytes, Status>> + Send + use<>> {
        self.watch(&request.game_id, |_| Ok(())).await?;
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
        Ok(stream::unfold(feed, |mut feed| async move {
            feed.next().await.map(|part| (part.map_err(status), feed))
        }))
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
