//! The views of a table, as lines of keys and values.

use heliopause_kernel::Seat;
use heliopause_proto::json;
use heliopause_proto::v1::Warning;
use heliopause_table::{AutomationTask, DecisionState, Fault, Reader, Table, TaskKind};
use prost::Message as _;

use super::{Record, mark};

pub(crate) fn description(table: &Table, player_id: &str) -> Vec<String> {
    let mut lines = Vec::new();
    flatten("", &json::to_value(&table.describe(Reader { player_id })), &mut lines);
    lines
}

pub(crate) fn of_table(table: &Table, seats: usize, now: i64) -> Vec<String> {
    let seats = || Seat::first(seats);
    let mut lines = vec![
        format!("due: {:?}", table.due()),
        format!("in short: {}", table.progress()),
        format!("asleep: {:?}", table.asleep_since()),
        format!("led by: {}", table.leader_id()),
        format!("letters of the game master: {:?}", table.message_entries(None)),
        format!("dice: {:?}", table.scripted_dice()),
        format!("ratings: {:?}", table.sandbox_ratings()),
        format!("deadline: {}", table.has_deadline()),
        format!("entry: {} with {}", table.entry(), mark(table.hash())),
        format!("state: {}", mark(&table.snapshot())),
        format!("clock ahead: {}", table.clock_error(now)),
        format!("rules change: {}", table.rules_changed().is_some()),
    ];
    lines.extend(table.wanted().iter().map(wanted));
    let decision_states = table.decision_states();
    for seat in seats() {
        let (one, other) = (table.decision_state(seat), &decision_states[seat.index()]);
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        lines.extend(of_seat(table, seat));
    }
    lines.extend(format!("{:?}", table.listing()).split(", ").map(str::to_owned));
    lines.extend(of_phases(table));
    lines.extend(of_viewers(table));
    lines.extend(["ann", "cid", "gm", "host", "eve"].map(|player| of_player(table, player)));
    if let Some(outcome) = table.outcome() {
        flatten("outcome", &json::to_value(&outcome), &mut lines);
    }
    lines
}

fn wanted(wanted: &AutomationTask) -> String {
    let kind = match wanted.kind {
        TaskKind::Vote(_) => "vote",
        TaskKind::Decision(_) => "decision",
    };
    let AutomationTask { seat, by, may_write, .. } = wanted;
    let seed = mark(&wanted.seed);
    format!("wanted: {kind} of {seat} by {by:?}, by chance {seed}, may write {may_write}")
}

fn of_seat(table: &Table, seat: Seat) -> Vec<String> {
    let DecisionState { phase, revision, decision } = table.decision_state(seat);
    let decision = decision.map(|decision| json::to_line(&decision));
    let is_at = [(phase, revision), (phase + 1, revision), (phase, revision + 1)]
        .map(|(phase, revision)| table.is_at(seat, phase, revision));
    let undone = table.warnings_before_ready(seat, phase, true).map(sentences).map_err(message);
    let briefing = table.briefing(seat).map(|view| mark(&view.encode_to_vec()));
    let mut lines = vec![
        format!("{seat} stands at: {phase}, {revision}, {is_at:?}, {decision:?}"),
        format!("{seat} may revise: {}", table.may_revise(seat)),
        format!("{seat} has vacation: {}", table.vacation_left(seat)),
        format!("{seat} is briefed: {briefing:?}"),
        format!("{seat} has letters: {:?}", table.message_entries(Some(seat))),
        format!("{seat} leaves undone: {undone:?}"),
        format!("{seat} has asked: {}", table.was_requested(Some(seat), "r2")),
        format!("{seat} has ordered: {:?}", table.standing_orders(seat)),
    ];
    lines.extend(first_order(table, seat));
    lines
}

fn first_order(table: &Table, seat: Seat) -> Option<String> {
    let line = table.offers(seat)?.lines(1).next()?;
    let order = table.parse(Some(seat), &line).ok()?.into_iter().next()?;
    let judged = table.judge(seat, &order).map_err(message);
    let seen = table.preview(seat, &order).map_err(message);
    let seen = seen.map(|event| event.map(|event| mark(&event.encode_to_vec())));
    let by_itself = table.warnings_of(seat, &order).map(sentences).map_err(message);
    let after = table.warnings_after(seat, &[order]).map(sentences).map_err(message);
    Some(format!("{seat} may: {line}, {judged:?} {seen:?}, {by_itself:?}, {after:?}"))
}

fn message(fault: Fault) -> String {
    fault.message
}

fn sentences(warnings: Vec<Warning>) -> Vec<String> {
    warnings.into_iter().map(|warning| warning.sentence).collect()
}

fn of_phases(table: &Table) -> Vec<String> {
    let mut lines: Vec<String> = table.phases().map(|phase| json::to_line(&phase)).collect();
    for phase in 0..=table.phases().len() as u64 + 1 {
        let entries = table.entries_of(phase).map_err(message);
        let journal_range = table.journal_range(phase).map_err(message);
        let is_past = table.is_past(phase);
        lines.push(format!("phase {phase}: {entries:?}, {journal_range:?}, past: {is_past}"));
    }
    lines
}

fn of_viewers(table: &Table) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, viewer) in Record::viewers() {
        let seen = table.view(viewer).map(|view| mark(&view.encode_to_vec()));
        let with_goals = table.view_and_goals(viewer).map(|(view, goals)| {
            let all: String = goals.iter().map(json::to_line).collect();
            (mark(&view.encode_to_vec()), goals.len(), mark(all.as_bytes()))
        });
        lines.push(format!("{name} sees: {seen:?}, {with_goals:?}"));
        let cursor = mark(&table.cursor(viewer).encode_to_vec());
        lines.push(format!("cursor of {name}: {cursor}"));
    }
    lines
}

fn of_player(table: &Table, player: &str) -> String {
    let knows = ["", "secret", "wrong"].map(|code| table.knows(player, code));
    let allowed = [
        table.may_work(player),
        table.check_full_export(player).is_ok(),
        table.check_sandbox(player).is_ok(),
        table.was_requested_by(player, "r2"),
        table.may_read_messages(player),
        table.is_participant(player),
    ];
    let looks = [None, Some(1)].map(|seat| {
        [(false, false), (true, false), (false, true)].map(|(spectator, revealed)| {
            let viewer = table.past_viewer(player, seat, spectator, revealed);
            viewer.map_err(|fault| (fault.message, fault.field))
        })
    });
    let owed = table.owed_by(player);
    format!("{player}: knows {knows:?}, may {allowed:?}, owes {owed:?}, looks as {looks:?}")
}

fn flatten(path: &str, value: &serde_json::Value, lines: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(&format!("{path}{dot}{name}"), value, lines);
            }
        }
        serde_json::Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                flatten(&format!("{path}[{index}]"), value, lines);
            }
        }
        leaf => lines.push(format!("{path} = {leaf}")),
    }
}
