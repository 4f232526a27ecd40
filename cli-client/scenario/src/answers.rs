//! Fetches the engine's responses that a step compares with its expectations.

use std::collections::{BTreeMap, BTreeSet};

use heliopause_proto::json;
use heliopause_proto::v1::{
    Cursor, GetPositionRequest, GetPositionResponse, ListMasterEventsRequest,
};
use prost::{Message, Name};
use serde_json::{Value, json};

use crate::file::{Subject, Viewer};
use crate::run::named;
use heliopause_client::all_pages;
use heliopause_client::engine::Engine;
use heliopause_client::envelope::inner;
use heliopause_client::failure::Failure;
use heliopause_client::menu::Line;
use heliopause_client::table::{self, Table as Place, menu};

/// Responses by subject.
pub type Answers = BTreeMap<Subject, Value>;

/// The game of a scenario, queried with the account of the game's owner.
#[derive(Debug)]
pub struct Table<'a> {
    pub engine: &'a Engine,
    pub game: String,
}

impl Table<'_> {
    pub fn seat(&self, seat: u32) -> Place {
        Place { game: self.game.clone(), seat: named(seat) }
    }

    pub async fn position(&self) -> Result<GetPositionResponse, Failure> {
        let request = GetPositionRequest { game_id: self.game.clone() };
        Ok(self.engine.sandbox().get_position(request).await?.into_inner())
    }

    pub async fn last_event(&self, viewer: Viewer) -> Result<u64, Failure> {
        match seat(viewer) {
            None => Ok(self.position().await?.last_event),
            Some((seat, spectator)) => {
                let view = table::fetch(self.engine, &self.seat(seat), spectator).await?;
                Ok(view.cursor.unwrap_or_default().number)
            }
        }
    }

    /// Fetches the response for each subject, except `Refused` and `Warnings`: the action of the
    /// step returns these. A viewer's events start after the viewer's number in `since`, if there
    /// is one.
    pub async fn answers(
        &self,
        subjects: impl IntoIterator<Item = Subject>,
        since: &BTreeMap<Viewer, u64>,
    ) -> Result<Answers, Failure> {
        let mut answers = Answers::new();
        for subject in subjects.into_iter().collect::<BTreeSet<_>>() {
            let answer = match subject {
                Subject::Refused | Subject::Warnings => continue,
                Subject::View(viewer) => self.view(viewer).await?,
                Subject::Events(viewer) => {
                    self.events(viewer, since.get(&viewer).copied().unwrap_or_default()).await?
                }
                Subject::Decision(seat) => {
                    let view = table::fetch(self.engine, &self.seat(seat), false).await?;
                    optional(view.decision.as_ref())
                }
                Subject::Choices(seat) => {
                    let menu = menu(self.engine, &self.seat(seat)).await?;
                    menu.lines.iter().map(choice).collect()
                }
                Subject::Game => json::to_value(&table::game(self.engine, &self.game).await?),
                Subject::Outcome => {
                    optional(table::game(self.engine, &self.game).await?.outcome.as_ref())
                }
                Subject::Dice => {
                    let dice = self.position().await?.dice;
                    json!({ "left": dice.len(), "waiting": dice })
                }
                Subject::Ratings => {
                    let ratings = self.position().await?.ratings;
                    let changes =
                        ratings.iter().map(|one| (one.seat.to_string(), json!(one.change)));
                    Value::Object(changes.collect())
                }
            };
            answers.insert(subject, answer);
        }
        Ok(answers)
    }

    async fn view(&self, viewer: Viewer) -> Result<Value, Failure> {
        Ok(inner(match seat(viewer) {
            None => optional(self.position().await?.position.as_ref()),
            Some((seat, spectator)) => {
                let view = table::fetch(self.engine, &self.seat(seat), spectator).await?;
                optional(view.view.as_ref())
            }
        }))
    }

    async fn events(&self, viewer: Viewer, after: u64) -> Result<Value, Failure> {
        let events = match seat(viewer) {
            None => self.master_events(after).await?,
            Some((seat, spectator)) => {
                table::events(self.engine, &self.seat(seat), spectator, after).await?
            }
        };
        Ok(events.iter().map(|event| unwrapped(json::to_value(event), "game")).collect())
    }

    async fn master_events(&self, after: u64) -> Result<Vec<heliopause_proto::v1::Event>, Failure> {
        let after = Some(Cursor { number: after, ..Cursor::default() });
        let game_id = self.game.clone();
        let request = ListMasterEventsRequest { game_id, after, ..<_>::default() };
        Ok(all_pages!(self.engine.sandbox(), list_master_events, request, events))
    }
}

/// Returns a viewer's seat (0 for spectators) and whether the viewer is a spectator. Returns `None`
/// for the game master.
fn seat(viewer: Viewer) -> Option<(u32, bool)> {
    match viewer {
        Viewer::Seat(seat) => Some((seat, false)),
        Viewer::Spectator => Some((0, true)),
        Viewer::GameMaster => None,
    }
}

fn optional<M: Message + Name>(message: Option<&M>) -> Value {
    message.map(json::to_value).unwrap_or_default()
}

fn unwrapped(mut message: Value, field: &str) -> Value {
    if let Some(value) = message.get_mut(field) {
        *value = inner(value.take());
    }
    message
}

/// Removes the fields that differ between equal games: `time`, `seed` and `seedCommitment`.
/// Replaces the times in other fields with a placeholder.
pub fn without_times(value: &Value) -> Value {
    match value {
        Value::String(text) if text.parse::<jiff::Timestamp>().is_ok() => json!("(a time)"),
        Value::Array(items) => items.iter().map(without_times).collect(),
        Value::Object(fields) => {
            let kept = fields
                .iter()
                .filter(|(name, _)| !["time", "seed", "seedCommitment"].contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), without_times(value))).collect())
        }
        other => other.clone(),
    }
}

/// Describes the first difference between two responses. Returns `None` if they are equal.
pub fn first_difference(one: &Value, other: &Value, path: &str) -> Option<String> {
    const NULL: Value = Value::Null;
    let join =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (one, other) {
        (Value::Object(left), Value::Object(right)) => {
            let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
            names.into_iter().find_map(|name| {
                let (left, right) = (left.get(name), right.get(name));
                first_difference(left.unwrap_or(&NULL), right.unwrap_or(&NULL), &join(name))
            })
        }
        (Value::Array(left), Value::Array(right)) => {
            (0..left.len().max(right.len())).find_map(|index| {
                let (left, right) = (left.get(index), right.get(index));
                let path = format!("{path}[{index}]");
                first_difference(left.unwrap_or(&NULL), right.unwrap_or(&NULL), &path)
            })
        }
        _ if one == other => None,
        _ => {
            let at = if path.is_empty() { String::new() } else { format!(" at {path}") };
            let shown = |value: &Value| crate::matching::cut(&value.to_string(), 240);
            let (one, other) = (shown(one), shown(other));
            Some(format!("the responses differ{at}\n  one:   {one}\n  other: {other}"))
        }
    }
}

fn choice(line: &Line) -> Value {
    let fields = [
        ("key", &line.key),
        ("notation", &line.notation),
        ("label", &line.label),
        ("rule", &line.rule),
    ];
    let said = fields.into_iter().filter(|(_, text)| !text.is_empty());
    Value::Object(said.map(|(name, text)| (name.to_owned(), json!(text))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_envelope_is_removed() {
        let event = json!({ "number": "1", "game": { "starEmpires": { "moved": {} } } });
        assert_eq!(unwrapped(event, "game"), json!({ "number": "1", "game": { "moved": {} } }));
    }

    #[test]
    fn two_games_are_compared_without_times() {
        let one = json!([{ "time": "2026-01-01T00:00:00Z", "text": "a", "until": "2026-01-01T00:00:00Z" }]);
        let other = json!([{ "time": "2026-02-01T00:00:00Z", "text": "b", "until": "2026-02-01T00:00:00Z" }]);
        let found =
            first_difference(&without_times(&one), &without_times(&other), "").unwrap_or_default();
        assert!(found.starts_with("the responses differ at [0].text\n"), "{found}");
        assert_eq!(first_difference(&without_times(&one), &without_times(&one), ""), None);
    }
}
