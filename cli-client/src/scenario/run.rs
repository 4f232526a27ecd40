//! Running one scenario in a sandbox game.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use heliopause_proto::v1::{
    AdvanceClockRequest, AutomateSeatRequest, CloseSandboxPhaseRequest, CreateSandboxGameRequest, GameOrder,
    GetPositionRequest, Orders, SandboxAutomation, ScriptDiceRequest, SendMessageRequest, SetReadyRequest,
    SubmitMasterOrdersRequest, SubmitOrdersRequest,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::file::{Action, Choose, Expect, Items, Scenario, Step, Viewer};
use super::matching::{Difference, compare};
use crate::commands::lobby::SeatArg;
use crate::commands::look::{self, inner};
use crate::commands::order::{self, menu, typed};
use crate::connect::{Engine, request_id};
use crate::failure::Failure;
use crate::text::to_proto;

/// How often a patient step looks again.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Why a scenario did not pass.
#[derive(Debug)]
pub struct Fault {
    /// Which step, from 1, and what it does; none if the game could not be made.
    pub step: Option<(usize, String)>,
    /// What was not as expected.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((number, title)) = &self.step {
            writeln!(f, "step {number}, {title}")?;
        }
        f.write_str(&self.what)
    }
}

/// Runs a scenario to its end or its first difference.
pub async fn run(engine: &Engine, scenario: &Scenario) -> Result<(), Fault> {
    let before = |what: String| Fault { step: None, what };
    let game = create(engine, scenario).await.map_err(before)?;
    let runner = Runner { engine, game, kind: &scenario.game };
    for (index, step) in scenario.steps.iter().enumerate() {
        let fault = |what: String| Fault { step: Some((index + 1, step.title())), what };
        runner.step(step).await.map_err(fault)?;
    }
    Ok(())
}

async fn create(engine: &Engine, scenario: &Scenario) -> Result<String, String> {
    let request = CreateSandboxGameRequest {
        kind: scenario.game.clone(),
        position: scenario.position()?,
        options: scenario.options()?,
        players: scenario.players,
        seed: scenario.seed()?,
        dice: scenario.dice.clone(),
        pace: scenario.pace()?,
        automated: scenario.automated(),
        name: scenario.name.chars().take(64).collect(),
    };
    let response = engine.sandbox().create_sandbox_game(request).await;
    let response = response.map_err(|status| format!("the game could not be made: {}", Failure::from(status)))?;
    Ok(response.into_inner().game.unwrap_or_default().game_id)
}

struct Runner<'a> {
    engine: &'a Engine,
    game: String,
    kind: &'a str,
}

impl Runner<'_> {
    fn table(&self, seat: u32) -> SeatArg {
        SeatArg { game: self.game.clone(), seat }
    }

    async fn step(&self, step: &Step) -> Result<(), String> {
        let mut since = BTreeMap::new();
        for viewer in step.expect.events.keys() {
            since.insert(*viewer, self.last_event(*viewer).await.map_err(|failure| failure.to_string())?);
        }
        let done = self.act(step.seat, step.action(self.kind)?).await;
        check_refusal(&step.expect, done)?;
        let until = Instant::now() + step.patience()?;
        loop {
            let checked = self.check(&step.expect, &since).await;
            if checked.is_ok() || Instant::now() >= until {
                return checked;
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// The number of the last event that a viewer was told.
    async fn last_event(&self, viewer: Viewer) -> Result<u64, Failure> {
        let (seat, spectator) = seat(viewer);
        let view = look::fetch(self.engine, &self.table(seat), spectator).await?;
        Ok(view.cursor.unwrap_or_default().number)
    }

    async fn act(&self, seat: u32, action: Action) -> Result<(), Failure> {
        let game_id = self.game.clone();
        match action {
            Action::Look => {}
            Action::Order(orders) => self.submit(seat, orders).await?,
            Action::Pick(choice) => {
                let order = self.choose(seat, &choice).await?;
                self.submit(seat, Orders { orders: vec![order], text: String::new() }).await?;
            }
            Action::Ready(ready) => {
                let phase = look::fetch(self.engine, &self.table(seat), false).await?.phase;
                self.engine.games().set_ready(SetReadyRequest { game_id, seat, phase, ready }).await?;
            }
            Action::Say(say) => {
                let to_all = say.to.is_empty();
                let request_id = request_id()?;
                let request = SendMessageRequest {
                    game_id,
                    seat,
                    to_seats: say.to,
                    to_all,
                    text: say.text,
                    request_id,
                    ..SendMessageRequest::default()
                };
                self.engine.games().send_message(request).await?;
            }
            Action::Dice(dice) => {
                self.engine.sandbox().script_dice(ScriptDiceRequest { game_id, dice, replace: false }).await?;
            }
            Action::Advance(by) => {
                let request = AdvanceClockRequest { game_id, by: Some(to_proto(by)) };
                self.engine.sandbox().advance_clock(request).await?;
            }
            Action::Close => {
                self.engine.sandbox().close_sandbox_phase(CloseSandboxPhaseRequest { game_id }).await?;
            }
            Action::Master(text) => {
                let request =
                    SubmitMasterOrdersRequest { game_id, request_id: request_id()?, orders: Vec::new(), text };
                let response = self.engine.masters().submit_master_orders(request).await?.into_inner();
                order::whole(response.taken, response.refused.as_ref())?;
            }
            Action::Automate(SandboxAutomation { seat, by }) => {
                self.engine.masters().automate_seat(AutomateSeatRequest { game_id, seat, by }).await?;
            }
        }
        Ok(())
    }

    async fn submit(&self, seat: u32, orders: Orders) -> Result<(), Failure> {
        let view = look::fetch(self.engine, &self.table(seat), false).await?;
        let request = SubmitOrdersRequest {
            game_id: self.game.clone(),
            seat,
            phase: view.phase,
            revision: view.revision,
            request_id: request_id()?,
            orders: Some(orders),
            ready: false,
        };
        let response = self.engine.games().submit_orders(request).await?.into_inner();
        order::whole(response.taken, response.refused.as_ref())
    }

    async fn choose(&self, seat: u32, choice: &Choose) -> Result<GameOrder, Failure> {
        let menu = menu(self.engine, &self.table(seat)).await?;
        let text = match choice {
            Choose::Number(number) => return typed(self.engine, &self.table(seat), menu.pick(*number)?).await,
            Choose::Text(text) => text,
        };
        let exact = menu.lines.iter().position(|line| line.notation == *text);
        let mut holding = (0..menu.lines.len()).filter(|index| menu.lines[*index].notation.contains(text.as_str()));
        match (exact, holding.next(), holding.next()) {
            (Some(index), _, _) | (None, Some(index), None) => {
                typed(self.engine, &self.table(seat), menu.pick(index + 1)?).await
            }
            (None, None, _) => Err(Failure::failed(format!("No choice holds `{text}`.")).because("NO_SUCH_CHOICE")),
            (None, Some(_), Some(_)) => {
                Err(Failure::failed(format!("Several choices hold `{text}`.")).because("AMBIGUOUS_CHOICE"))
            }
        }
    }

    async fn check(&self, expect: &Expect, since: &BTreeMap<Viewer, u64>) -> Result<(), String> {
        for (viewer, items) in &expect.events {
            let after = since.get(viewer).copied().unwrap_or_default();
            let events = self.events(*viewer, after).await.map_err(|failure| failure.to_string())?;
            items_match(items, &events).map_err(|fault| format!("events of {viewer}: {fault}"))?;
        }
        for (viewer, expected) in &expect.view {
            let actual = self.view(*viewer).await.map_err(|failure| failure.to_string())?;
            compare(expected, &actual).map_err(|difference| format!("view of {viewer} {difference}"))?;
        }
        for (viewer, expected) in &expect.decision {
            let response = look::fetch(self.engine, &self.table(seat(*viewer).0), false)
                .await
                .map_err(|failure| failure.to_string())?;
            same_decision(expected, &to_value(&response.decision))
                .map_err(|difference| format!("decision of {viewer} {difference}"))?;
        }
        for (viewer, items) in &expect.choices {
            let menu = menu(self.engine, &self.table(seat(*viewer).0)).await.map_err(|failure| failure.to_string())?;
            let list: Vec<Value> = menu.lines.iter().map(|line| json!(line)).collect();
            items_match(&by_notation(items), &list).map_err(|fault| format!("choices of {viewer}: {fault}"))?;
        }
        self.check_game(expect).await
    }

    async fn check_game(&self, expect: &Expect) -> Result<(), String> {
        if expect.game.is_none() && expect.outcome.is_none() {
            return Ok(());
        }
        let game = to_value(&look::game(self.engine, &self.game).await.map_err(|failure| failure.to_string())?);
        if let Some(expected) = &expect.game {
            compare(expected, &game).map_err(|difference| format!("game {difference}"))?;
        }
        if let Some(expected) = &expect.outcome {
            let outcome = game.get("outcome").cloned().unwrap_or_default();
            if outcome.is_null() && !expected.is_null() {
                return Err("outcome: the game has not ended".into());
            }
            compare(expected, &outcome).map_err(|difference| format!("outcome {difference}"))?;
        }
        Ok(())
    }

    async fn view(&self, viewer: Viewer) -> Result<Value, Failure> {
        if viewer == Viewer::GameMaster {
            let request = GetPositionRequest { game_id: self.game.clone() };
            let response = self.engine.sandbox().get_position(request).await?.into_inner();
            return Ok(inner(to_value(&response.position)));
        }
        let (seat, spectator) = seat(viewer);
        let response = look::fetch(self.engine, &self.table(seat), spectator).await?;
        Ok(inner(to_value(&response.view)))
    }

    async fn events(&self, viewer: Viewer, after: u64) -> Result<Vec<Value>, Failure> {
        let (seat, spectator) = seat(viewer);
        let events = look::events(self.engine, &self.table(seat), spectator, after).await?;
        Ok(events.iter().map(|event| unwrapped(to_value(event), "game")).collect())
    }
}

fn seat(viewer: Viewer) -> (u32, bool) {
    match viewer {
        Viewer::Seat(seat) => (seat, false),
        Viewer::Spectator | Viewer::GameMaster => (0, true),
    }
}

fn to_value<T: Serialize>(message: &T) -> Value {
    serde_json::to_value(message).unwrap_or_default()
}

/// Takes the envelope off a field, so that scenarios need not repeat the game's name.
fn unwrapped(mut message: Value, field: &str) -> Value {
    if let Some(value) = message.get_mut(field) {
        *value = inner(value.take());
    }
    message
}

/// In choices a bare text stands for a notation.
fn by_notation(items: &Items) -> Items {
    let one = |item: &Value| if item.is_string() { json!({ "notation": item }) } else { item.clone() };
    let all = |list: &[Value]| list.iter().map(one).collect();
    Items { contains: all(&items.contains), lacks: all(&items.lacks), none: items.none }
}

fn same_decision(expected: &Value, actual: &Value) -> Result<(), Difference> {
    let differ = |expected: &str, actual: String| Difference { path: String::new(), expected: expected.into(), actual };
    match (expected.is_null(), actual.is_null()) {
        (true, true) => Ok(()),
        (true, false) => Err(differ("none", actual.to_string())),
        (false, true) => Err(differ(&expected.to_string(), "none".into())),
        (false, false) => compare(expected, actual),
    }
}

/// Whether the action was refused as expected, or not refused at all.
fn check_refusal(expect: &Expect, done: Result<(), Failure>) -> Result<(), String> {
    match (&expect.refused, done) {
        (None, Ok(())) => Ok(()),
        (None, Err(failure)) => Err(format!("it was refused: {failure}")),
        (Some(expected), Ok(())) => Err(format!("it was accepted, though a refusal was expected: {expected}")),
        (Some(expected), Err(failure)) => {
            let report = failure.report();
            let mut actual: serde_json::Map<String, Value> =
                report.metadata.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            actual.insert("reason".into(), json!(report.reason));
            actual.insert("message".into(), json!(report.message));
            compare(expected, &Value::Object(actual)).map_err(|difference| format!("refused {difference}"))
        }
    }
}

/// Whether a list holds what it must, in order, and nothing that it must not.
fn items_match(items: &Items, list: &[Value]) -> Result<(), String> {
    if items.none && !list.is_empty() {
        return Err(format!("expected none\n  actual:   {}", summary(list)));
    }
    for unwanted in &items.lacks {
        if let Some(found) = list.iter().find(|item| compare(unwanted, item).is_ok()) {
            return Err(format!("expected none like {unwanted}\n  actual:   {found}"));
        }
    }
    let mut rest = list.iter();
    for (index, wanted) in items.contains.iter().enumerate() {
        if !rest.any(|item| compare(wanted, item).is_ok()) {
            return Err(format!(
                "nothing like item {index}, in this order\n  expected: {wanted}\n  actual:   {}",
                summary(list)
            ));
        }
    }
    Ok(())
}

fn summary(list: &[Value]) -> String {
    if list.is_empty() {
        return "none".into();
    }
    let line = |item: &Value| {
        let text: String = item.to_string().chars().take(300).collect();
        format!("\n    {text}")
    };
    list.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(value: Value) -> Items {
        Items::try_from(value).unwrap_or_default()
    }

    #[test]
    fn lists_are_matched_in_order_with_gaps() {
        let list = [json!({ "a": 1 }), json!({ "a": 2 }), json!({ "a": 3 })];
        assert!(items_match(&items(json!([{ "a": 1 }, { "a": 3 }])), &list).is_ok());
        assert!(items_match(&items(json!([{ "a": 3 }, { "a": 1 }])), &list).is_err());
        assert!(items_match(&items(json!({ "lacks": [{ "a": 4 }] })), &list).is_ok());
        assert!(items_match(&items(json!({ "lacks": [{ "a": 2 }] })), &list).is_err());
        assert!(items_match(&items(json!([])), &list).is_err());
    }

    #[test]
    fn no_decision_is_null() {
        assert!(same_decision(&Value::Null, &Value::Null).is_ok());
        assert!(same_decision(&Value::Null, &json!({ "kind": "turn" })).is_err());
        assert!(same_decision(&json!({ "kind": "turn" }), &Value::Null).is_err());
        assert!(same_decision(&json!({}), &json!({ "kind": "turn" })).is_ok());
    }

    #[test]
    fn an_unexpected_refusal_fails_with_its_reason() {
        let fault = check_refusal(&Expect::default(), Err(Failure::failed("No."))).err();
        assert_eq!(fault.as_deref(), Some("it was refused: No."));
    }

    #[test]
    fn a_bare_text_among_choices_is_a_notation() {
        let items = by_notation(&items(json!(["end"])));
        assert_eq!(items.contains, [json!({ "notation": "end" })]);
    }
}
