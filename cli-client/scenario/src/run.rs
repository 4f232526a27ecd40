//! Runs one scenario in a sandbox game.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use heliopause_proto::json;
use heliopause_proto::v1::*;
use serde_json::{Value, json};

use crate::activity::Retry;
use crate::answers::{Answers, Table, first_difference, without_times};
use crate::file::{Action, Choose, Expect, Say, Scenario, Step, Subject, Viewer};
use crate::json::{Flaw, Flaws, Place};
use crate::matching::differences;
use heliopause_client::engine::{Engine, request_id};
use heliopause_client::failure::Failure;
use heliopause_client::input::to_proto;
use heliopause_client::table::{self, menu, typed, whole};
use heliopause_render::text::count;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A reason why a scenario failed.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The number of the step, from 1, and its title. `None` if no step failed, for example
    /// because the game could not be created.
    pub step: Option<(usize, String)>,
    pub at: Option<Place>,
    pub what: String,
}

impl Fault {
    pub fn from_flaws(flaws: Flaws) -> Vec<Self> {
        let fault = |flaw: Flaw| Self { step: None, what: flaw.to_string(), at: Some(flaw.at) };
        flaws.0.into_iter().map(fault).collect()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.step, &self.at) {
            (Some((number, title)), Some(at)) => {
                writeln!(f, "step {number} (line {}), {title}", at.line)?;
            }
            (Some((number, title)), None) => writeln!(f, "step {number}, {title}")?,
            (None, _) => {}
        }
        f.write_str(&self.what)
    }
}

/// The faults, notes and recorded responses of a run.
#[derive(Debug, Default)]
pub struct Run {
    pub faults: Vec<Fault>,
    pub notes: Vec<String>,
    pub recorded: Vec<Answers>,
    /// The final view of each watched viewer, and every event that the viewer received.
    pub ending: BTreeMap<Viewer, Value>,
}

/// Plays a scenario to its end, or to the first step that fails unless `keep_going`.
pub async fn run(engine: &Engine, scenario: &Scenario, keep_going: bool, watch: &[Viewer]) -> Run {
    let mut run = Run::default();
    let before = |what: String| Fault { step: None, at: None, what };
    let table = match create(engine, scenario).await {
        Ok(game) => Table { engine, game },
        Err(failure) => {
            let at = place_of(&failure, scenario);
            let place = at.as_ref().map(|at| format!("{at}: ")).unwrap_or_default();
            let what = format!("{place}Cannot create the game: {failure}");
            run.faults.push(Fault { at, ..before(what) });
            return run;
        }
    };
    let runner = Runner { table, kind: &scenario.messages.kind };
    if let Err(what) = runner.wait_for_guests(scenario).await {
        run.faults.push(before(what));
        return run;
    }
    for (index, step) in scenario.steps.iter().enumerate() {
        let (answers, wrong) = match runner.step(step).await {
            Ok(done) => done,
            Err(what) => (Answers::new(), vec![what]),
        };
        run.recorded.push(answers);
        let place = |what| Fault {
            step: Some((index + 1, step.title.clone())),
            at: Some(step.at.clone()),
            what,
        };
        run.faults.extend(join(&wrong).map(place));
        if !run.faults.is_empty() && !keep_going {
            return run;
        }
    }
    match runner.end(scenario, watch).await {
        Ok((notes, ending)) => (run.notes, run.ending) = (notes, ending),
        Err(failure) => run.faults.push(before(failure.to_string())),
    }
    run
}

/// A scenario that is played step by step.
pub struct StepRunner<'a>(Runner<'a>);

impl<'a> StepRunner<'a> {
    pub async fn open(engine: &'a Engine, scenario: &'a Scenario) -> Result<Self, Failure> {
        let game = create(engine, scenario).await?;
        let table = Table { engine, game };
        Ok(Self(Runner { table, kind: &scenario.messages.kind }))
    }

    pub fn game(&self) -> &str {
        &self.0.table.game
    }

    pub async fn take(&self, step: &Step) -> Result<(), Failure> {
        let (_, wrong) = self.0.step(step).await.map_err(Failure::failed)?;
        join(&wrong).map_or(Ok(()), |wrong| Err(Failure::failed(wrong)))
    }
}

fn join(wrong: &[String]) -> Option<String> {
    if wrong.is_empty() { None } else { Some(wrong.join("\n")) }
}

/// Returns the seat for a request. A step without a seat has the number 0.
pub(super) fn named(seat: u32) -> Option<u32> {
    (seat > 0).then_some(seat)
}

/// Returns the position in the file of the field that an error names, or `None` if the error names
/// no field. The field's path starts at the request or at the message.
fn place_of(failure: &Failure, scenario: &Scenario) -> Option<Place> {
    let field = failure.report().metadata.get("field")?;
    let start = || scenario.start.iter();
    let named = start().find_map(|(name, node)| Some((node, field.strip_prefix(name)?)));
    let (node, path) = named.or_else(|| start().next().map(|(_, node)| (node, field.as_str())))?;
    Some(node.at_path(path).at.clone())
}

async fn create(engine: &Engine, scenario: &Scenario) -> Result<String, Failure> {
    let request = CreateSandboxGameRequest {
        kind: scenario.messages.kind.clone(),
        position: scenario.position.clone(),
        options: scenario.options.clone(),
        players: (scenario.players > 0).then_some(scenario.players),
        seed: scenario.seed.clone(),
        dice: scenario.dice.clone(),
        pace: scenario.pace.clone(),
        automated: scenario.automated.clone(),
        name: scenario.name.chars().take(64).collect(),
        guests: scenario.guests.iter().map(|(guest, _)| guest.clone()).collect(),
        ..CreateSandboxGameRequest::default()
    };
    let response = engine.sandbox().create_sandbox_game(request).await?;
    Ok(response.into_inner().game.unwrap_or_default().game_id)
}

struct Runner<'a> {
    table: Table<'a>,
    kind: &'a str,
}

impl Runner<'_> {
    fn engine(&self) -> &Engine {
        self.table.engine
    }

    async fn wait_for_guests(&self, scenario: &Scenario) -> Result<(), String> {
        let told = |failure: Failure| failure.to_string();
        let begun = Instant::now();
        for (SandboxGuest { seat, player }, within) in &scenario.guests {
            let left = within.saturating_sub(begun.elapsed());
            let mut patience = Retry::new(&self.table, left);
            while !self.is_player_seated(*seat).await.map_err(told)? {
                if !patience.next_attempt().await.map_err(told)? {
                    let (game, waited) = (&self.table.game, within.as_secs());
                    let what = format!("take seat {seat} of game {game} within {waited} s.");
                    return Err(format!("{player} did not {what}"));
                }
            }
        }
        Ok(())
    }

    async fn is_player_seated(&self, seat: u32) -> Result<bool, Failure> {
        let game = table::game(self.engine(), &self.table.game).await?;
        let there = game.seats.iter().find(|known| known.number == seat);
        Ok(there.is_some_and(|known| matches!(known.occupant, Some(seat::Occupant::Player(_)))))
    }

    async fn step(&self, step: &Step) -> Result<(Answers, Vec<String>), String> {
        let told = |failure: Failure| failure.to_string();
        if let Some(patience) = step.settle {
            self.settle(patience).await?;
        }
        let expect = &step.expect;
        let mut since = BTreeMap::new();
        for viewer in expect.compared_viewers() {
            since.insert(viewer, self.table.last_event(viewer).await.map_err(told)?);
        }
        let sights = expect.unchanged.iter().map(|(viewer, _)| Subject::View(*viewer));
        let before = self.table.answers(sights, &since).await.map_err(told)?;
        let mut refused = None;
        let mut warned = Value::Null;
        for _ in 0..step.repeat {
            match self.act(step.seat, step.action.clone()).await {
                Ok(warnings) => warned = warnings.iter().map(json::to_value).collect(),
                Err(failure) => {
                    refused = Some(failure);
                    break;
                }
            }
        }
        let refusal = match (&expect.refused, &refused) {
            (None, Some(failure)) => {
                return Ok((Answers::new(), vec![format!("The action was rejected: {failure}")]));
            }
            (Some(expected), None) => {
                let what =
                    format!("The action was accepted; expected a rejection: {}", expected.shown);
                return Ok((Answers::new(), vec![what]));
            }
            (_, failure) => failure.as_ref().map(words),
        };
        let mut patience = Retry::new(&self.table, step.patience);
        loop {
            let mut answers = self.look(&mut patience, expect, &since).await.map_err(told)?;
            answers.extend(refusal.clone().map(|refusal| (Subject::Refused, refusal)));
            answers.insert(Subject::Warnings, warned.clone());
            let mut wrong = expect.compare(&answers, &before);
            if wrong.is_empty() {
                return Ok((answers, wrong));
            }
            if !patience.next_attempt().await.map_err(told)? {
                if !step.patience.is_zero() {
                    wrong.push(format!("The step waited {} s.", step.patience.as_secs()));
                    wrong.extend(self.missing_worker().await.map_err(told)?);
                }
                return Ok((answers, wrong));
            }
        }
    }

    async fn look(
        &self,
        patience: &mut Retry<'_>,
        expect: &Expect,
        since: &BTreeMap<Viewer, u64>,
    ) -> Result<Answers, Failure> {
        loop {
            match self.table.answers(expect.subjects(), since).await {
                Err(failure) if failure.is_transient() && patience.next_attempt().await? => {}
                looked => return looked,
            }
        }
    }

    async fn settle(&self, lasts: Duration) -> Result<(), String> {
        let told = |failure: Failure| failure.to_string();
        let mut patience = Retry::new(&self.table, lasts);
        loop {
            let asked = self.table.position().await.map_err(told)?.asked;
            if asked.is_empty() {
                return Ok(());
            }
            let is_late = patience.waited() >= CONNECT_TIMEOUT.min(lasts);
            if let Some(orphan) = asked.iter().find(|one| is_late && !one.worker) {
                let by = orphan.automation.clone().unwrap_or_default();
                return Err(no_worker(self.kind, &by.profile));
            }
            if !patience.next_attempt().await.map_err(told)? {
                let seats: Vec<String> = asked.iter().map(|one| one.seat.to_string()).collect();
                let (number, seats) = (count(seats.len(), "seat"), seats.join(", "));
                let what = format!("within {} s for {number}: {seats}.", lasts.as_secs());
                return Err(format!("Automation did not respond {what}"));
            }
        }
    }

    async fn missing_worker(&self) -> Result<Option<String>, Failure> {
        let asked = self.table.position().await?.asked;
        let orphan = asked.into_iter().find(|one| !one.worker);
        Ok(orphan.map(|one| no_worker(self.kind, &one.automation.unwrap_or_default().profile)))
    }

    async fn act(&self, seat: u32, action: Action) -> Result<Vec<Warning>, Failure> {
        let game_id = self.table.game.clone();
        let mut games = self.engine().games();
        let mut masters = self.engine().masters();
        let mut sandbox = self.engine().sandbox();
        macro_rules! call {
            ($to:ident.$call:ident($request:ident { $($field:ident $(: $value:expr)?),* })) => {{
                let request = $request { game_id, $($field $(: $value)?,)* ..Default::default() };
                $to.$call(request).await?.into_inner()
            }};
        }
        match action {
            Action::Look => {}
            Action::Order(orders) => self.submit(seat, orders).await?,
            Action::Pick(choice) => {
                let order = self.choose(seat, &choice).await?;
                self.submit(seat, Orders { orders: vec![order], text: String::new() }).await?;
            }
            Action::Validate(orders) => return self.validate(seat, orders).await,
            Action::Ready(ready) => {
                let phase = table::fetch(self.engine(), &self.table.seat(seat), false).await?.phase;
                let seat = named(seat);
                let request = SetReadyRequest { game_id, seat, phase, ready, ..Default::default() };
                return Ok(games.set_ready(request).await?.into_inner().warnings);
            }
            Action::Say(say) => self.say(seat, say).await?,
            Action::Dice(dice) => _ = call!(sandbox.script_dice(ScriptDiceRequest { dice })),
            Action::Advance(by) => {
                let by = Some(to_proto(by));
                call!(sandbox.advance_clock(AdvanceClockRequest { duration: by }));
            }
            Action::Close => _ = call!(sandbox.close_sandbox_phase(CloseSandboxPhaseRequest {})),
            Action::Master(Orders { orders, text }) => {
                let request =
                    SubmitMasterOrdersRequest { game_id, request_id: request_id()?, orders, text };
                let response = masters.submit_master_orders(request).await?.into_inner();
                whole(response.accepted_count, response.refused.as_ref())?;
            }
            Action::Automate(SandboxAutomation { seat, automation }) => {
                let request =
                    AutomateSeatRequest { game_id, seat, automation, ..Default::default() };
                masters.automate_seat(request).await?;
            }
            Action::HandBack(seat) => {
                _ = call!(masters.hand_back_seat(HandBackSeatRequest { seat }));
            }
            Action::Abandon(seat) => {
                _ = call!(masters.replace_player(ReplacePlayerRequest { seat }));
            }
            Action::Resign => _ = call!(games.resign(ResignRequest { seat: named(seat) })),
            Action::Excuse(seat) => _ = call!(masters.excuse_miss(ExcuseMissRequest { seat })),
            Action::Pause(true) => _ = call!(masters.pause_game(PauseGameRequest {})),
            Action::Pause(false) => _ = call!(masters.resume_game(ResumeGameRequest {})),
            Action::Declare(winners) => {
                call!(masters.declare_outcome(DeclareOutcomeRequest { winners }));
            }
        }
        Ok(Vec::new())
    }

    async fn validate(&self, seat: u32, orders: Orders) -> Result<Vec<Warning>, Failure> {
        let request = ValidateOrdersRequest {
            game_id: self.table.game.clone(),
            seat: named(seat),
            orders: Some(orders),
        };
        let response = self.engine().games().validate_orders(request).await?.into_inner();
        whole(0, response.verdicts.iter().find(|verdict| !verdict.accepted))?;
        let verdicts = response.verdicts.into_iter().flat_map(|verdict| verdict.warnings);
        Ok(verdicts.chain(response.warnings).collect())
    }

    async fn say(&self, seat: u32, say: Say) -> Result<(), Failure> {
        let request = SendMessageRequest {
            game_id: self.table.game.clone(),
            seat: named(seat),
            to_all: say.to.is_empty() && !say.to_game_master,
            to_seats: say.to,
            to_game_master: say.to_game_master,
            anonymous: say.anonymous,
            text: say.text,
            request_id: request_id()?,
        };
        self.engine().games().send_message(request).await?;
        Ok(())
    }

    async fn submit(&self, seat: u32, orders: Orders) -> Result<(), Failure> {
        let view = table::fetch(self.engine(), &self.table.seat(seat), false).await?;
        let request = SubmitOrdersRequest {
            game_id: self.table.game.clone(),
            seat: named(seat),
            phase: view.phase,
            revision: view.revision,
            request_id: request_id()?,
            orders: Some(orders),
            ready: false,
        };
        let response = self.engine().games().submit_orders(request).await?.into_inner();
        whole(response.accepted_count, response.refused.as_ref())
    }

    async fn choose(&self, seat: u32, choice: &Choose) -> Result<GameOrder, Failure> {
        let table = self.table.seat(seat);
        let menu = menu(self.engine(), &table).await?;
        let text = match choice {
            Choose::Number(number) => {
                return typed(self.engine(), &table, &menu.pick(*number, &[])?).await;
            }
            Choose::Text(text) => text,
        };
        let exact = menu.lines.iter().position(|line| line.notation == *text);
        let number = menu.lines.len();
        let mut holding =
            (0..number).filter(|index| menu.lines[*index].notation.contains(text.as_str()));
        match (exact, holding.next(), holding.next()) {
            (Some(index), _, _) | (None, Some(index), None) => {
                typed(self.engine(), &table, &menu.pick(index + 1, &[])?).await
            }
            (None, None, _) => {
                let all = count(number, "choice");
                let told = format!("No choice contains `{text}`; the menu has {all}.");
                Err(Failure::failed(told).because("NO_SUCH_CHOICE"))
            }
            (None, Some(one), Some(other)) => {
                let [one, other] = [one, other].map(|index| &menu.lines[index].notation);
                let told = format!(
                    "`{text}` is in several choices, such as `{one}` and `{other}`; write more of \
                     the notation."
                );
                Err(Failure::failed(told).because("AMBIGUOUS_CHOICE"))
            }
        }
    }

    async fn end(
        &self,
        scenario: &Scenario,
        watch: &[Viewer],
    ) -> Result<(Vec<String>, BTreeMap<Viewer, Value>), Failure> {
        let mut notes = Vec::new();
        let scripts = scenario.steps.iter().any(|step| matches!(step.action, Action::Dice(_)));
        if scripts || !scenario.dice.is_empty() {
            let left = self.table.position().await?.dice;
            if !left.is_empty() {
                let number = count(left.len(), "scripted die").replace("dies", "dice");
                notes.push(format!("{number} left: {left:?}"));
            }
        }
        let mut ending = BTreeMap::new();
        for viewer in watch {
            let subjects = [Subject::Events(*viewer), Subject::View(*viewer)];
            let answers = self.table.answers(subjects, &BTreeMap::new()).await?;
            let known =
                json!({ "events": answers.get(&subjects[0]), "view": answers.get(&subjects[1]) });
            ending.insert(*viewer, without_times(&known));
        }
        Ok((notes, ending))
    }
}

fn no_worker(kind: &str, profile: &str) -> String {
    format!(
        "No worker is connected for {kind}/{profile}; start an ai-client for the engine, or \
         use --with-ai."
    )
}

fn words(failure: &Failure) -> Value {
    let report = failure.report();
    let mut words: serde_json::Map<String, Value> =
        report.metadata.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
    words.insert("reason".into(), json!(report.reason));
    words.insert("message".into(), json!(report.message));
    Value::Object(words)
}

impl Expect {
    pub fn subjects(&self) -> Vec<Subject> {
        let unchanged = self
            .unchanged
            .iter()
            .flat_map(|(viewer, _)| [Subject::View(*viewer), Subject::Events(*viewer)]);
        let alike = self.alike.iter().flat_map(|alike| alike.subjects.iter().copied());
        self.checks.iter().map(|check| check.subject).chain(unchanged).chain(alike).collect()
    }

    fn compared_viewers(&self) -> impl Iterator<Item = Viewer> {
        self.subjects().into_iter().filter_map(|subject| match subject {
            Subject::Events(viewer) => Some(viewer),
            _ => None,
        })
    }

    pub fn compare(&self, answers: &Answers, before: &Answers) -> Vec<String> {
        let null = Value::Null;
        let answer = |subject: Subject| answers.get(&subject).unwrap_or(&null);
        let mut wrong = Vec::new();
        let refused = self.refused.iter().map(|pattern| (Subject::Refused, pattern));
        let checks = self.checks.iter().map(|check| (check.subject, &check.pattern));
        for (subject, pattern) in refused.chain(checks) {
            let found = differences(pattern, answer(subject));
            wrong.extend(found.iter().map(|difference| format!("{subject}, {difference}")));
        }
        for (viewer, at) in &self.unchanged {
            let (sight, told) = (Subject::View(*viewer), answer(Subject::Events(*viewer)));
            if let Some(what) =
                first_difference(before.get(&sight).unwrap_or(&null), answer(sight), "")
            {
                wrong.push(format!("{sight}, line {}: expected no change: {what}", at.line));
            }
            if told.as_array().is_some_and(|events| !events.is_empty()) {
                let line = at.line;
                wrong.push(format!("events of {viewer}, line {line}: expected none, found {told}"));
            }
        }
        for alike in &self.alike {
            let Some((first, others)) = alike.subjects.split_first() else { continue };
            for other in others {
                let (one, two) = (without_numbers(answer(*first)), without_numbers(answer(*other)));
                if let Some(what) = first_difference(&one, &two, "") {
                    wrong.push(format!("{first} and {other}, line {}: {what}", alike.at.line));
                }
            }
        }
        wrong
    }
}

/// Removes the numbers from events, because each audience has its own numbering. Returns other
/// responses unchanged.
fn without_numbers(answer: &Value) -> Value {
    let Value::Array(events) = answer else { return answer.clone() };
    let plain = |event: &Value| {
        let mut event = event.clone();
        if let Some(fields) = event.as_object_mut() {
            fields.remove("number");
        }
        event
    };
    events.iter().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::file::File;

    fn expect(expect: &Value) -> Expect {
        let step = json!({ "close": true, "expect": expect });
        let file = json!({ "name": "x", "game": "starships-at-large", "steps": [step] });
        let mut file = File::parse(Path::new("x"), &file.to_string())
            .unwrap_or_else(|flaws| panic!("{flaws}"));
        file.scenarios.remove(0).steps.remove(0).expect
    }

    #[test]
    fn responses_differ_as_listed() -> serde_json::Result<()> {
        for case in serde_json::from_str::<Vec<Value>>(include_str!("testdata/responses.json"))? {
            let expected = expect(&case["expect"]);
            let answers = |of: &Value| -> Answers {
                let answer =
                    |subject: Subject| Some((subject, of.get(subject.to_string())?.clone()));
                expected.subjects().into_iter().filter_map(answer).collect()
            };
            let wrong = expected.compare(&answers(&case["answers"]), &answers(&case["before"]));
            assert_eq!(json!(wrong), case["wrong"], "{}", case["rule"]);
        }
        Ok(())
    }
}
