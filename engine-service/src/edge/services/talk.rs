//! `GameService` calls for messages and votes.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{MessageSent, VoteCast, VoteProposed, step};
use heliopause_proto::v1::*;
use heliopause_table::Table;

use super::lobby::check_enum;
use super::paging::Page;
use super::tables::CallContext;
use crate::failure::Result;
use crate::host::Done;

impl CallContext<'_> {
    pub(crate) async fn send_message(
        &self,
        request: SendMessageRequest,
    ) -> Result<SendMessageResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let from = self.writer(&request.game_id, request.seat).await?;
        let was_sent = self
            .read(&request.game_id, |table| Ok(table.was_requested(from, &request.request_id)))
            .await?;
        if !was_sent {
            self.chat.check_may_write(self.player_id()).await?;
        }
        let sent = MessageSent {
            from_seat: from.map_or(0, Seat::number),
            to_seats: request.to_seats,
            to_all: request.to_all,
            to_game_master: request.to_game_master,
            anonymous: request.anonymous,
            text: request.text,
            ..MessageSent::default()
        };
        let done =
            self.take_request(&request.game_id, step::Kind::MessageSent(sent), asked).await?;
        let viewer = from.map_or(Viewer::GameMaster, Viewer::Seat);
        Ok(SendMessageResponse { message: messages(&done, viewer).next() })
    }

    pub(crate) async fn list_messages(
        &self,
        request: ListMessagesRequest,
    ) -> Result<ListMessagesResponse> {
        let reader = self.writer(&request.game_id, request.seat).await?;
        let page = Page::of(&request)?;
        let (after, size) = (page.number()?.unwrap_or(0) as usize, page.size);
        let viewer = reader.map_or(Viewer::GameMaster, Viewer::Seat);
        let (entries, more, reader) = self
            .read(&request.game_id, |table| {
                let all = table.message_entries(reader);
                let rest = all.get(after..).unwrap_or_default();
                let page = rest.iter().take(size).copied().collect::<Vec<_>>();
                Ok((page, rest.len() > size, table.subscriber(viewer)))
            })
            .await?;
        let mut found: Vec<Message> = Vec::with_capacity(entries.len());
        let mut distinct = entries.clone();
        distinct.dedup();
        for number in distinct {
            let entry = self.host.entry(&request.game_id, number).await?;
            found.extend(reader.events_of(&entry).filter_map(message));
        }
        let wanted = (after as u64 + 1)..=((after + entries.len()) as u64);
        found.retain(|message| wanted.contains(&message.number));
        let next_page_token = page.after_number(more.then_some((after + size) as u64));
        Ok(ListMessagesResponse { messages: found, next_page_token })
    }

    /// Returns the seat to write for, or `None` if the game master or the sandbox's owner names no
    /// seat.
    pub(super) async fn writer(&self, game_id: &str, number: Option<u32>) -> Result<Option<Seat>> {
        self.read(game_id, |table| {
            let leads = table.is_game_master(self.player_id())
                || table.check_sandbox(self.player_id()).is_ok();
            if number.is_none() && leads {
                return Ok(None);
            }
            table.acting_seat(self.player_id(), number).map(Some)
        })
        .await
    }

    pub(crate) async fn propose_vote(
        &self,
        request: ProposeVoteRequest,
    ) -> Result<ProposeVoteResponse> {
        check_enum::<VoteSubject>("subject", request.subject)?;
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        let proposed = VoteProposed {
            seat: seat.number(),
            subject: request.subject,
            target_seat: request.target_seat.unwrap_or(0),
            extension: request.extension,
        };
        let done = self.take(&request.game_id, step::Kind::VoteProposed(proposed), asked).await?;
        Ok(ProposeVoteResponse { vote: last_vote(&done) })
    }

    pub(crate) async fn cast_vote(&self, request: CastVoteRequest) -> Result<CastVoteResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        let (vote, yes, automation) = (request.vote, request.yes, String::new());
        let cast = VoteCast { seat: seat.number(), vote, yes, automation };
        let done = self.take(&request.game_id, step::Kind::VoteCast(cast), asked).await?;
        Ok(CastVoteResponse { vote: last_vote(&done) })
    }

    pub(crate) async fn list_votes(&self, request: ListVotesRequest) -> Result<ListVotesResponse> {
        let page = Page::of(&request)?;
        let before = page.number()?;
        let mut votes: Vec<Vote> = self
            .watch(&request.game_id, |table| {
                let votes = table
                    .votes()
                    .iter()
                    .rev()
                    .filter(|vote| before.is_none_or(|before| vote.number < before));
                Ok(votes.take(page.limit()).cloned().collect())
            })
            .await?;
        let next_page_token = page.after_number(page.cut(&mut votes).map(|vote| vote.number));
        Ok(ListVotesResponse { votes, next_page_token })
    }
}

fn message(event: Event) -> Option<Message> {
    match event.body {
        Some(event::Body::Message(message)) => Some(message),
        _ => None,
    }
}

fn messages(done: &Done, viewer: Viewer) -> impl Iterator<Item = Message> {
    Table::events_for(&done.entry, viewer).filter_map(message)
}

fn last_vote(done: &Done) -> Option<Vote> {
    let seat = match done.entry.step.as_ref()?.kind.as_ref()? {
        step::Kind::VoteProposed(proposed) => proposed.seat,
        step::Kind::VoteCast(cast) => cast.seat,
        _ => return None,
    };
    let events = Table::events_for(&done.entry, Viewer::Seat(Seat::numbered(seat)?));
    let votes = events.filter_map(|event| match event.body {
        Some(event::Body::Vote(vote)) => Some(vote),
        _ => None,
    });
    votes.last()
}
