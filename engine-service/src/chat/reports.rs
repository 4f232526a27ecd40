//! Reports of abuse. A report contains the reported text, because lines are removed over time.

use heliopause_proto::v1::{AbuseReport, ChatChannel, ErrorReason};
use heliopause_table::chain;
use prost::Message as _;

use super::Chat;
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
/// How long resolved reports are kept.
const KEPT: Millis = 90 * DAY;
const FORGOTTEN_AT_ONCE: usize = 20;

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
        let key = format!("{OPEN} {now:019}");
        let create = RecordChange::create(SPACE, &id, &key, report.encode_to_vec());
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
        self.forget_resolved().await?;
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

    async fn forget_resolved(&self) -> Result<()> {
        let query = RecordQuery {
            space: SPACE.to_owned(),
            after: (resolved_key(self.now() - KEPT), String::new()),
            until: Some(format!("{RESOLVED} ~")),
            limit: FORGOTTEN_AT_ONCE,
        };
        let old = self.store.records(query).await?;
        self.accounts.try_change(old.into_iter().map(Record::removed).collect()).await
    }
}

/// Returns the key of a report that was resolved at a time. Later ones sort first.
fn resolved_key(time: Millis) -> String {
    format!("{RESOLVED} {:019}", Millis::MAX - time)
}
