//! The notices that a journal entry causes for the players of its game.
//!
//! An append contains its notices. The alternative, a cursor for each game, would cost a row per
//! game and a scan at every start.

use std::borrow::Cow;

use heliopause_proto::store::v1::{Entry, GameNews, OutgoingNotice, outgoing_notice, step};
use heliopause_proto::v1::{GameStatus, Message, NoticeKind, event};
use heliopause_table::{chain, unhashed};
use prost::Message as _;

use super::stream::timestamp;
use crate::store::{GameRow, Member, Millis, Outgoing};

const SEAT_KEPT: &str = "A seat is reserved for you.";
const DECLINED: &str = "A player declined a reserved seat.";

pub(super) struct NoticeDraft<'a> {
    pub(super) player_id: &'a str,
    pub(super) kind: NoticeKind,
    pub(super) text: &'a str,
    /// The text of a player's message. Channels never receive the text.
    pub(super) message: &'a str,
    pub(super) deadline: Option<Millis>,
    told: Option<(&'a Member, &'a event::Body)>,
}

/// Returns the notice for a member's pending decision or invitation, if there is one.
pub fn pending_notice(member: &Member) -> Option<(NoticeKind, &'static str)> {
    match member {
        member if member.your_decision => {
            Some((NoticeKind::YourDecision, "You have a pending decision."))
        }
        member if member.invited => Some((NoticeKind::Invited, SEAT_KEPT)),
        _ => None,
    }
}

/// Returns the notices of an entry. `row` is the game's row after the entry.
pub(super) fn news<'a>(row: &'a GameRow, entry: &'a Entry) -> Vec<NoticeDraft<'a>> {
    let untold = |player_id, kind, text| NoticeDraft {
        player_id,
        kind,
        text,
        message: "",
        deadline: None,
        told: None,
    };
    let mut news: Vec<NoticeDraft<'a>> = entry
        .step
        .iter()
        .flat_map(heliopause_table::invited)
        .map(|player_id| untold(player_id, NoticeKind::Invited, SEAT_KEPT))
        .collect();
    if let Some(step::Kind::InvitationDeclined(_)) =
        entry.step.as_ref().and_then(|step| step.kind.as_ref())
    {
        news.push(untold(&row.host, NoticeKind::Declined, DECLINED));
    }
    for told in &entry.events {
        let Some(event) = &told.event else { continue };
        let Some(body) = &event.body else { continue };
        let Some(kind) = notice_kind(body) else { continue };
        for member in row.members.iter().filter(|member| !member.invited) {
            let seat = member.seat.checked_sub(1);
            if seat.map_or(told.game_master, |index| told.seats & (1 << index) != 0) {
                let deadline = member.deadline.filter(|_| kind == NoticeKind::YourDecision);
                let (player_id, text) = (member.player_id.as_str(), event.text.as_str());
                let message = unhashed::text_of(entry, told).unwrap_or_default();
                let told = Some((member, body));
                news.push(NoticeDraft { player_id, kind, text, message, deadline, told });
            }
        }
    }
    news
}

fn notice_kind(body: &event::Body) -> Option<NoticeKind> {
    match body {
        event::Body::DecisionOpened(opened) => {
            let is_ready = opened.decision.as_ref().is_some_and(|decision| decision.ready);
            (!is_ready).then_some(NoticeKind::YourDecision)
        }
        event::Body::StatusChanged(changed) if changed.status() == GameStatus::Running => {
            Some(NoticeKind::Started)
        }
        event::Body::GameEnded(_) => Some(NoticeKind::Ended),
        event::Body::Vote(_) => Some(NoticeKind::Vote),
        event::Body::Message(_) => Some(NoticeKind::Message),
        _ => None,
    }
}

/// Returns the notices to store, or none for a sandbox game. `row` is the game's row after the
/// entries. The ids are derived from the notices' origins, so a repeated append creates no
/// duplicates.
pub(super) fn outgoing<'a>(
    row: &GameRow,
    entries: impl Iterator<Item = &'a Entry>,
    now: Millis,
) -> Vec<Outgoing> {
    if row.sandbox {
        // One player owns all seats, often with a program, and needs no notices.
        return Vec::new();
    }
    let mut outgoing: Vec<Outgoing> = Vec::new();
    for entry in entries {
        let mut draft = |seat: u32, player_id: &str, kind, text: Cow<'_, str>, due| {
            let place = (entry.number, outgoing.len() as u64);
            outgoing.push(drafted(row, place, (player_id, seat), kind, text, due, now));
        };
        let mut asked = Vec::new();
        for news in news(row, entry) {
            let seat = news.told.map_or_else(|| invited_seat(row, &news), |(told, _)| told.seat);
            if let Some(text) = external_text(&news) {
                draft(seat, news.player_id, news.kind, text, news.deadline);
                asked.extend((news.kind == NoticeKind::YourDecision).then_some(seat));
            }
        }
        if entry.events.iter().any(moves_deadlines) {
            // The notice of a new decision already contains its deadline.
            let owes = |member: &&Member| member.your_decision && !asked.contains(&member.seat);
            for member in row.members.iter().filter(owes) {
                let (kind, due) = (NoticeKind::DeadlineNear, member.deadline);
                draft(member.seat, &member.player_id, kind, "".into(), due);
            }
        }
    }
    outgoing
}

fn moves_deadlines(told: &heliopause_proto::store::v1::PublishedEvent) -> bool {
    let body = told.event.as_ref().and_then(|event| event.body.as_ref());
    matches!(body, Some(event::Body::DeadlineChanged(_)))
}

fn invited_seat(row: &GameRow, news: &NoticeDraft<'_>) -> u32 {
    let is_theirs = |member: &&Member| member.invited && member.player_id == news.player_id;
    row.members.iter().find(is_theirs).map_or(0, |member| member.seat)
}

/// Returns the text of a notice for channels, or `None` if the channels get no notice. Leaves out
/// the text of players' messages, because the operator of a webhook or a mail server is not a
/// player.
fn external_text<'a>(news: &NoticeDraft<'a>) -> Option<Cow<'a, str>> {
    match news.told {
        // The decision was answered in the same batch.
        Some((member, event::Body::DecisionOpened(_))) if !member.your_decision => None,
        Some((member, event::Body::Message(message))) if is_own(member, message) => None,
        Some((_, event::Body::Message(_))) => Some(envelope(news.text)),
        _ => Some(news.text.into()),
    }
}

fn is_own(member: &Member, message: &Message) -> bool {
    match member.seat {
        0 => message.from_game_master,
        seat => message.from_seat == Some(seat),
    }
}

fn envelope(told: &str) -> Cow<'_, str> {
    format!("{}.", told.trim_end_matches(": ")).into()
}

fn drafted(
    row: &GameRow,
    (entry, index): (u64, u64),
    (player_id, seat): (&str, u32),
    kind: NoticeKind,
    text: Cow<'_, str>,
    due: Option<Millis>,
    now: Millis,
) -> Outgoing {
    let (number, index) = (entry.to_be_bytes(), index.to_be_bytes());
    let words: [&[u8]; 5] =
        [b"heliopause notice", row.game_id.as_bytes(), &number, &index, player_id.as_bytes()];
    let news = GameNews {
        game_id: row.game_id.clone(),
        name: row.name.clone(),
        game_kind: row.kind.clone(),
        seat,
        kind: kind.into(),
        text: text.into_owned(),
        due_time: due.map(timestamp),
    };
    let notice = OutgoingNotice {
        what: Some(outgoing_notice::What::News(news)),
        time: Some(timestamp(now)),
    };
    Outgoing {
        id: id_of(&words),
        player_id: player_id.to_owned(),
        channel_id: String::new(),
        due: now,
        attempts: 0,
        body: notice.encode_to_vec().into(),
    }
}

pub(crate) fn id_of(words: &[&[u8]]) -> String {
    let mut parts: Vec<Vec<u8>> = Vec::with_capacity(words.len());
    for word in words {
        parts.push([&(word.len() as u64).to_be_bytes(), *word].concat());
    }
    let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
    let hash = chain::sha256(&parts);
    hash[..16].iter().fold("n-".to_owned(), |id, byte| format!("{id}{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use heliopause_proto::store::v1::{MessageText, PublishedEvent, Unhashed};
    use heliopause_proto::v1::{DeadlineChanged, Decision, DecisionOpened, Event};

    fn member(player_id: &str, seat: u32, deadline: Option<Millis>) -> Member {
        let your_decision = deadline.is_some();
        Member { player_id: player_id.to_owned(), seat, invited: false, your_decision, deadline }
    }

    fn told(seats: u64, text: &str, body: event::Body) -> PublishedEvent {
        let event = Event { text: text.to_owned(), body: Some(body), ..Event::default() };
        PublishedEvent { seats, event: Some(event), ..PublishedEvent::default() }
    }

    fn row() -> GameRow {
        let members = vec![member("ann", 1, Some(90)), member("bob", 2, None)];
        GameRow { game_id: "g".to_owned(), members, ..GameRow::default() }
    }

    fn drafts(row: &GameRow, events: Vec<PublishedEvent>) -> Vec<(String, GameNews)> {
        drafts_of(row, &Entry { number: 7, events, ..Entry::default() })
    }

    fn drafts_of(row: &GameRow, entry: &Entry) -> Vec<(String, GameNews)> {
        let read = |notice: Outgoing| {
            let what = OutgoingNotice::decode(notice.body).unwrap().what;
            let Some(outgoing_notice::What::News(news)) = what else { panic!("{what:?}") };
            (notice.player_id, news)
        };
        outgoing(row, std::iter::once(entry), 5).into_iter().map(read).collect()
    }

    #[test]
    fn message_notices_omit_the_text_and_the_sender() {
        let body = event::Body::Message(Message { from_seat: Some(1), ..Message::default() });
        let told = PublishedEvent { message_text: 1, ..told(0b11, "Ann writes to you: ", body) };
        let text = MessageText { number: 1, text: "Attack: now".to_owned(), ..Default::default() };
        let entry = Entry {
            events: vec![told],
            unhashed: Some(Unhashed { texts: vec![text], ..Unhashed::default() }),
            ..Entry::default()
        };
        let row = row();
        let messages: Vec<String> = news(&row, &entry)
            .iter()
            .map(|news| format!("{}{}", news.text, news.message))
            .collect();
        assert_eq!(messages, ["Ann writes to you: Attack: now"; 2]);
        let drafts = drafts_of(&row, &entry);
        assert_eq!(drafts.len(), 1);
        let (player, news) = &drafts[0];
        assert_eq!((player.as_str(), news.text.as_str()), ("bob", "Ann writes to you."));
        assert_eq!((news.kind(), news.seat), (NoticeKind::Message, 2));
    }

    #[test]
    fn decision_notices_are_sent_only_while_the_decision_is_open() {
        let opened = || event::Body::DecisionOpened(DecisionOpened::default());
        let drafts = drafts(&row(), vec![told(0b11, "Choose.", opened())]);
        assert_eq!(drafts.len(), 1, "Bob has answered");
        assert_eq!(drafts[0].1.due_time, Some(timestamp(90)));
    }

    #[test]
    fn decisions_that_open_ready_send_no_notice() {
        let decision = Decision { ready: true, ..Decision::default() };
        let opened = event::Body::DecisionOpened(DecisionOpened { decision: Some(decision) });
        assert!(drafts(&row(), vec![told(0b1, "Choose.", opened)]).is_empty());
    }

    #[test]
    fn a_changed_deadline_is_sent_to_seats_with_open_decisions() {
        let moved = || event::Body::DeadlineChanged(DeadlineChanged::default());
        let of_ann = drafts(&row(), vec![told(u64::MAX, "It moved.", moved())]);
        assert_eq!(of_ann.len(), 1);
        assert_eq!((of_ann[0].0.as_str(), of_ann[0].1.kind()), ("ann", NoticeKind::DeadlineNear));
        let opened = event::Body::DecisionOpened(DecisionOpened::default());
        let both = vec![told(0b1, "Choose.", opened), told(u64::MAX, "It moved.", moved())];
        let once = drafts(&row(), both);
        assert_eq!(once.len(), 1, "the notice of a decision contains the deadline");
        assert_eq!(once[0].1.kind(), NoticeKind::YourDecision);
    }

    #[test]
    fn sandbox_games_send_no_notices() {
        let row = GameRow { sandbox: true, ..row() };
        let opened = event::Body::DecisionOpened(DecisionOpened::default());
        assert!(drafts(&row, vec![told(0b11, "Choose.", opened)]).is_empty());
    }

    #[test]
    fn notice_ids_are_derived_from_their_origin() {
        let entry = |number| Entry {
            number,
            events: vec![told(
                0b1,
                "Choose.",
                event::Body::DecisionOpened(DecisionOpened::default()),
            )],
            ..Entry::default()
        };
        let id = |number| outgoing(&row(), std::iter::once(&entry(number)), 5)[0].id.clone();
        assert_eq!(id(7), id(7));
        assert_ne!(id(7), id(8));
    }
}
