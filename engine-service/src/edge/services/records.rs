//! `GameService` calls for history, exports, verification, and explanations of results.

use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use heliopause_kernel::{Rule, Viewer};
use heliopause_proto::store::v1::{Entry, GameExported, step};
use heliopause_proto::v1::export_game_response::Part;
use heliopause_proto::v1::*;
use heliopause_table::verify::{Report, Verifier};
use heliopause_table::{Fault, Subscriber, Table, registry};
use prost::Message as _;
use tokio_stream::Stream;
use tonic::Status;

use super::paging::Page;
use super::tables::CallContext;
use crate::failure::{Failure, Result, status};
use crate::host::{Host, check_cursor, history_lost, unreadable};

/// The maximum number and total size of the journal entries read at once.
const PAGE: usize = 256;
const PAGE_BYTES: usize = 1 << 20;
const EXPORT_FORMAT: u32 = 2;

type Exported = Result<ExportGameResponse, Status>;

impl CallContext<'_> {
    pub(crate) async fn page_of_events(
        &self,
        game_id: &str,
        viewer: Viewer,
        last: u64,
        head: &Cursor,
        after: Option<&Cursor>,
        page: &Page,
    ) -> Result<(Vec<Event>, String)> {
        if let Some(Err(fault)) = after.map(|after| check_cursor(after, head)) {
            return Err(self.host.unless_outdated(game_id, last, fault).await.into());
        }
        let begin = after.map_or(0, |after| after.number);
        let begin = page.number()?.map_or(begin, |seen| seen.max(begin));
        // The cursor needs a check only for the first page.
        if let Some(after) = after.filter(|after| after.time.is_some() && after.number == begin) {
            self.host.check_history(game_id, viewer, after, head, last).await?;
        }
        let read = self.host.events(game_id, viewer, begin, last, page.limit());
        let mut events = read.await?;
        let next_page_token = page.after_number(page.cut(&mut events).map(|event| event.number));
        Ok((events, next_page_token))
    }

    async fn viewer(&self, game_id: &str, seat: Option<u32>) -> Result<(Viewer, u64)> {
        self.watch(game_id, |table| {
            Ok((table.viewer(self.player_id(), seat, false)?, table.entry()))
        })
        .await
    }

    pub(crate) async fn export_game(
        &self,
        request: ExportGameRequest,
    ) -> Result<impl Stream<Item = Exported> + Send + use<>> {
        let game_id = request.game_id;
        let (ended, sandbox_owner) = self
            .watch(&game_id, |table| {
                let ended = table.status() == GameStatus::Ended;
                if request.full && !ended {
                    table.check_full_export(self.player_id())?;
                }
                Ok((ended, table.check_sandbox(self.player_id()).is_ok()))
            })
            .await?;
        if request.full && !ended {
            let kind = step::Kind::GameExported(GameExported { position_only: false });
            self.take(&game_id, kind, self.key("", &())?).await?;
        }
        let complete = ended || request.full;
        let (viewer, _) = self.viewer(&game_id, None).await?;
        // A sandbox's owner holds every seat, and the game master's view contains all seats' views.
        let viewer = if sandbox_owner { Viewer::GameMaster } else { viewer };
        let (header, last, subscriber, reads_all) = self
            .read(&game_id, |table| {
                let once_ended =
                    |bytes: &[u8]| if ended { Bytes::copy_from_slice(bytes) } else { Bytes::new() };
                let header = ExportHeader {
                    game: Some(self.host.describe(table, self.player_id())),
                    complete,
                    seed: once_ended(table.secret()),
                    chain_head: once_ended(table.hash()),
                    format: EXPORT_FORMAT,
                };
                let reads_all =
                    viewer == Viewer::GameMaster || table.may_read_messages(self.player_id());
                Ok((header, table.entry(), table.subscriber(viewer), reads_all))
            })
            .await?;
        let head =
            stream::once(
                async move { Ok(ExportGameResponse { part: Some(Part::Header(header)) }) },
            );
        let host = self.host.clone();
        let reader = Reader { host, game_id, after: 0, last, subscriber, complete, reads_all };
        let parts = stream::unfold(reader, |mut reader| async move {
            let page = reader.page().await?;
            Some((stream::iter(page), reader))
        });
        Ok(head.chain(parts.flatten()))
    }

    pub(crate) async fn verify_game(
        &self,
        request: VerifyGameRequest,
    ) -> Result<VerifyGameResponse> {
        let Journal { secret, last, hash, over } = self.journal_to_verify(&request.game_id).await?;
        let key = (request.game_id, hash);
        if let Some(found) =
            self.verified.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&key)
        {
            return Ok(found.clone());
        }
        let mut verifier = Verifier::new(secret);
        let mut after = 0;
        while after < last {
            let page = self.host.store().entries(&key.0, after, PAGE, PAGE_BYTES).await;
            let page = page.map_err(Fault::from)?;
            if page.is_empty() {
                // A journal that was not read completely must not be reported as valid.
                return Err(history_lost().into());
            }
            after += page.len() as u64;
            for entry in &page {
                verifier.entry(entry);
            }
        }
        let found = report(verifier.finish());
        if over {
            self.verified.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
        }
        Ok(found)
    }

    /// Returns the data for verifying a game. The duration of a verification reveals the number of
    /// secret orders, so only callers who see everything may verify a running game.
    async fn journal_to_verify(&self, game_id: &str) -> Result<Journal> {
        let read = |table: &Table| {
            let over = matches!(table.status(), GameStatus::Ended | GameStatus::Cancelled);
            let sees_all = table.is_game_master(self.player_id())
                || table.check_sandbox(self.player_id()).is_ok()
                || self.caller.role == AccountRole::Admin;
            if over || sees_all {
                let hash = Bytes::copy_from_slice(table.hash());
                return Ok(Journal { secret: *table.secret(), last: table.entry(), hash, over });
            }
            let text = "The game is not over; until then, only its game master and admins can \
                verify it.";
            Err(table.wrong_status(text))
        };
        if self.caller.role == AccountRole::Admin {
            return Ok(self.host.read(game_id, read).await??);
        }
        self.watch(game_id, read).await
    }

    pub(crate) async fn explain(&self, request: ExplainRequest) -> Result<ExplainResponse> {
        let (viewer, last) = self.viewer(&request.game_id, request.seat).await?;
        let (told, kind, reader) = self
            .read(&request.game_id, |table| {
                Ok((table.event_count(viewer), table.kind(), table.subscriber(viewer)))
            })
            .await?;
        if request.event == 0 || request.event > told {
            let text =
                format!("Event {} does not exist; your last event is {told}.", request.event);
            return Err(Failure::new(ErrorReason::NotFound, text).with("what", "event"));
        }
        let entry = self.host.entry_of(&request.game_id, viewer, request.event, last).await?;
        let (mut this, same_step): (Vec<Event>, Vec<Event>) =
            reader.events_of(&entry).partition(|event| event.number == request.event);
        let event = this.pop();
        let number = event.as_ref().map(|event| event.rule.clone()).unwrap_or_default();
        let rule = kind.rules.rule(&number).map(|text| RuleText { number, text: text.to_owned() });
        Ok(ExplainResponse { event, rule, same_step })
    }

    #[expect(clippy::unused_async, reason = "called like all others")]
    pub(crate) async fn get_rule(&self, request: GetRuleRequest) -> Result<GetRuleResponse> {
        let kind = registry::kind_or_fault(&request.kind)?;
        let Some(text) = kind.rules.rule(&request.rule) else {
            let text =
                format!("{} does not have a rule {:?}; see ListRules.", kind.name, request.rule);
            return Err(Failure::new(ErrorReason::NotFound, text).with("what", "rule"));
        };
        Ok(GetRuleResponse { rule: Some(RuleText { number: request.rule, text: text.to_owned() }) })
    }

    #[expect(clippy::unused_async, reason = "called like all others")]
    pub(crate) async fn list_rules(&self, request: ListRulesRequest) -> Result<ListRulesResponse> {
        let kind = registry::kind_or_fault(&request.kind)?;
        let heading = |rule: &Rule| RuleHeading {
            number: rule.number.to_owned(),
            heading: rule.heading.clone(),
            text: rule.text.clone(),
            chapter: rule.chapter.to_owned(),
        };
        let rules = if request.without_rules { Vec::new() } else { kind.rules.rules() };
        let (terms, guides) = kind.rules.primer();
        Ok(ListRulesResponse { rules: rules.into_iter().map(heading).collect(), terms, guides })
    }
}

struct Journal {
    secret: [u8; 32],
    last: u64,
    hash: Bytes,
    over: bool,
}

struct Reader {
    host: Arc<Host>,
    game_id: String,
    after: u64,
    last: u64,
    subscriber: Subscriber,
    complete: bool,
    reads_all: bool,
}

impl Reader {
    async fn page(&mut self) -> Option<Vec<Exported>> {
        if self.after >= self.last {
            return None;
        }
        match self.read().await {
            Ok(page) => Some(page),
            Err(fault) => {
                self.after = self.last;
                Some(vec![Err(status(fault))])
            }
        }
    }

    async fn read(&mut self) -> Result<Vec<Exported>, Fault> {
        let limit = PAGE.min((self.last - self.after) as usize);
        let entries =
            self.host.store().entries(&self.game_id, self.after, limit, PAGE_BYTES).await?;
        if entries.is_empty() {
            return Err(history_lost());
        }
        self.after += entries.len() as u64;
        let part = |part| Ok(ExportGameResponse { part: Some(part) });
        let mut parts = Vec::new();
        for stored in entries {
            if self.complete {
                let exported = self.subscriber.exported(stored, self.reads_all);
                parts.push(part(Part::Entry(exported.map_err(|_| unreadable())?)));
                continue;
            }
            let entry = Entry::decode(stored).map_err(|_| unreadable())?;
            let events = self.subscriber.events_of(&entry);
            parts.extend(events.map(|event| part(Part::Event(event))));
        }
        Ok(parts)
    }
}

fn report(report: Report) -> VerifyGameResponse {
    VerifyGameResponse {
        valid: report.fault.is_none(),
        entries: report.entries,
        replayed: report.replayed,
        rolls: report.rolls,
        fault: report.fault.unwrap_or_default(),
        stretches: report.stretches,
    }
}
