//! Reports of abuse. A report contains the reported text, because lines are removed over time.

use std::sync::Arc;
use std::time::Duration;

use heliopause_proto::v1::{AbuseReport, ChatChannel, ErrorReason};
use heliopause_table::chain;
use prost::Message as _;
use tokio::time::sleep;

use super::{Chat, PAGE};
use crate::failure::{Failure, Result};
use crate::host::timestamp;
use crate::random::hexadecimal;
use crate::store::{Millis, Record, RecordChange, RecordQuery, StoreError};

/// The reports. The key is the state with the time of the report, or with the inverted time of its
/// resolution.
const SPACE: &str = "abuse-report";
const OPEN: &str = "open";
const RESOLVED: &str = "resolved";

const REPORTS_A_DAY: u32 = 20;
const DAY: Millis = 24 * 60 * 60 * 1_000;
/// How long resolved reports are kept, and reports that nobody resolves.
const KEPT: Millis = 90 * DAY;
const OPEN_KEPT: Millis = 366 * DAY;
const FORGOTTEN_AT_ONCE: usize = 20;
const FORGET_INTERVAL: Duration = Duration::from_mins(10);

impl Chat {
    /// Adds a report by `reporter_id` about the object that `what` identifies. Does nothing if the
    /// account has reported the object before.
    pub(crate) async fn report(&self, what: &str, report: AbuseReport) -> Result<()> {
        let words = [report.reporter_id.as_str(), what].join("\n");
        let id = hexadecimal(&chain::sha256(&[b"heliopause report", words.as_bytes()])[..8]);
        if self.store.record(SPACE, &id).await?.is_some() {
            return Ok(());
        }
        let counted = format!("report {}", report.reporter_id);
        self.accounts.count(&counted, REPORTS_A_DAY, DAY).await?;
        let now = self.now();
        let report = AbuseReport { report_time: Some(timestamp(now)), ..report };
        let create = RecordChange::create(SPACE, &id, &open_key(now), report.encode_to_vec());
        // If the same report wins a race, there is nothing left to do.
        self.accounts.try_change(vec![create]).await
    }

    /// Returns up to `limit` open or resolved reports after a position, and their positions.
    pub(crate) async fn reports(
        &self,
        resolved: bool,
        after: Option<(String, String)>,
        limit: usize,
    ) -> Result<Vec<(String, AbuseReport)>> {
        let state = if resolved { RESOLVED } else { OPEN };
        let query = RecordQuery {
            space: SPACE.to_owned(),
            after: after.unwrap_or_else(|| (format!("{state} "), String::new())),
            // `~` sorts after all digits.
            until: Some(format!("{state} ~")),
            limit,
        };
        let mut reports = Vec::new();
        for record in self.store.records(query).await? {
            let position = format!("{}|{}", record.key, record.id);
            let report: AbuseReport = record.message()?;
            reports.push((
                position,
                self.named(AbuseReport { report_id: record.id, ..report }).await?,
            ));
        }
        Ok(reports)
    }

    /// Adds the current names.
    async fn named(&self, report: AbuseReport) -> Result<AbuseReport> {
        let mut names = [String::new(), String::new()];
        for (name, id) in names.iter_mut().zip([&report.reporter_id, &report.player_id]) {
            if !id.is_empty() {
                let found = self.accounts.find_named(id).await?;
                *name = found.map(|account| account.name).unwrap_or_default();
            }
        }
        let [reporter, player] = names;
        Ok(AbuseReport { reporter, player, ..report })
    }

    /// Resolves a report, and returns it.
    pub(crate) async fn resolve(
        &self,
        report_id: &str,
        resolver: &str,
        note: &str,
        remove_line: bool,
    ) -> Result<AbuseReport> {
        loop {
            let found = self.store.record(SPACE, report_id).await?;
            let Some(found) = found.filter(|found| found.key.starts_with(OPEN)) else {
                let text = format!("The open report {report_id:?} was not found.");
                return Err(Failure::new(ErrorReason::NotFound, text).with("what", "report"));
            };
            let report: AbuseReport = found.message()?;
            // The line first, so that a repeated call after a crash removes it.
            let channel = report.channel();
            if remove_line && channel != ChatChannel::Unspecified {
                self.remove_text(&report.game_id, channel, report.number).await?;
            }
            let now = self.now();
            let report = AbuseReport {
                resolve_time: Some(timestamp(now)),
                resolver: resolver.to_owned(),
                note: note.to_owned(),
                ..report
            };
            let change = RecordChange {
                expected: found.version,
                ..RecordChange::create(SPACE, report_id, &resolved_key(now), report.encode_to_vec())
            };
            match self.store.change_records(vec![change]).await {
                Err(StoreError::LostRace { .. }) => {}
                changed => {
                    changed?;
                    return Ok(report);
                }
            }
        }
    }

    /// Returns what an account has reported. Omits what the account cannot see, such as the author of
    /// an anonymous message.
    pub(crate) async fn reports_by(&self, player_id: &str) -> Result<Vec<AbuseReport>> {
        let found = self.matching(|report| report.reporter_id == player_id).await?;
        let shown = |(record, report): (Record, AbuseReport)| AbuseReport {
            report_id: record.id,
            player_id: String::new(),
            context: Vec::new(),
            resolver: String::new(),
            note: String::new(),
            ..report
        };
        Ok(found.into_iter().map(shown).collect())
    }

    /// Removes the data of an account from all reports.
    pub(super) async fn forget_in_reports(&self, player_id: &str) -> Result<()> {
        loop {
            let has_data = |report: &AbuseReport| without(report.clone(), player_id) != *report;
            let found = self.matching(has_data).await?;
            if found.is_empty() {
                return Ok(());
            }
            for (record, report) in found {
                let change = record.with_body(without(report, player_id).encode_to_vec());
                // If an operator resolves the report at the same time, the next search finds it.
                self.accounts.try_change(vec![change]).await?;
            }
        }
    }

    /// Reads all reports, because no index finds those of an account. Exports and deletions are
    /// rare.
    async fn matching(
        &self,
        matches: impl Fn(&AbuseReport) -> bool,
    ) -> Result<Vec<(Record, AbuseReport)>> {
        let (mut after, mut found) = (<(String, String)>::default(), Vec::new());
        loop {
            let query = RecordQuery { space: SPACE.to_owned(), after, until: None, limit: PAGE };
            let records = self.store.records(query).await?;
            let Some(last) = records.last() else { return Ok(found) };
            after = (last.key.clone(), last.id.clone());
            for record in records {
                let report: AbuseReport = record.message()?;
                if matches(&report) {
                    found.push((record, report));
                }
            }
        }
    }

    /// Starts to remove old reports, until the chat is dropped.
    pub(crate) fn forget_in_background(self: &Arc<Self>) {
        let chat = Arc::downgrade(self);
        tokio::spawn(async move {
            loop {
                sleep(FORGET_INTERVAL).await;
                let Some(chat) = chat.upgrade() else { return };
                if let Err(error) = chat.forget_old_reports().await {
                    tracing::debug!(%error, "old reports cannot be removed; retrying later");
                }
            }
        });
    }

    pub(super) async fn forget_old_reports(&self) -> Result<()> {
        let now = self.now();
        for (after, until) in [
            (format!("{OPEN} "), open_key(now - OPEN_KEPT)),
            (resolved_key(now - KEPT), format!("{RESOLVED} ~")),
        ] {
            let query = RecordQuery {
                space: SPACE.to_owned(),
                after: (after, String::new()),
                until: Some(until),
                limit: FORGOTTEN_AT_ONCE,
            };
            loop {
                let old = self.store.records(query.clone()).await?;
                let is_last = old.len() < FORGOTTEN_AT_ONCE;
                self.accounts.try_change(old.into_iter().map(Record::removed).collect()).await?;
                if is_last {
                    break;
                }
            }
        }
        Ok(())
    }
}

/// Returns a report without the data of an account: its comment, its name, and its lines around the
/// reported one. The reported text stays until the report is forgotten.
fn without(mut report: AbuseReport, player_id: &str) -> AbuseReport {
    if report.reporter_id == player_id {
        report.comment.clear();
    }
    // Only a reported name belongs to no game.
    if report.player_id == player_id && report.game_id.is_empty() {
        report.text.clear();
    }
    for line in report.context.iter_mut().filter(|line| line.player_id == player_id) {
        line.author.clear();
        line.text.clear();
        line.removed = true;
    }
    report
}

/// Returns the key of an open report of a time. Earlier ones sort first.
fn open_key(time: Millis) -> String {
    format!("{OPEN} {:019}", time.max(0))
}

/// Returns the key of a report that was resolved at a time. Later ones sort first.
fn resolved_key(time: Millis) -> String {
    format!("{RESOLVED} {:019}", Millis::MAX - time.max(0))
}
