//! Steps in several sandbox games in one call.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::v1::*;
use heliopause_table::{Fault, Reader, Table, offers};
use prost::Message as _;
use tonic::Status;

use super::tables::CallContext;
use crate::caller::Caller;
use crate::failure::{Failure, Result};

/// The number of games stepped at once, so that the store commits several steps together.
const CONCURRENT_GAMES: usize = 16;
/// The maximum size of the questions in a response. Each game that is being stepped can exceed it
/// by one question.
const ANSWER_BYTES: usize = 4 << 20;

#[expect(clippy::struct_excessive_bools, reason = "each is a field of the request")]
struct AnswerBuilder {
    all: bool,
    views: bool,
    offers: bool,
    scenes: bool,
    room: AtomicUsize,
}

impl AnswerBuilder {
    fn new(request: &StepSandboxGamesRequest) -> Self {
        Self {
            all: request.all_asked,
            views: !request.without_views,
            offers: !request.without_offers,
            scenes: request.with_scenes,
            room: AtomicUsize::new(ANSWER_BYTES),
        }
    }

    fn question(&self, table: &Table, seat: Seat, decision: Decision) -> Option<SandboxDecision> {
        if self.room.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let known =
            (self.views || self.scenes).then(|| table.view_and_goals(Viewer::Seat(seat))).flatten();
        let (view, goals) = known.map_or((None, Vec::new()), |(view, goals)| (Some(view), goals));
        let scene = view.as_ref().filter(|_| self.scenes);
        let scene = scene.and_then(|view| bare_scene(table, view));
        let (view, goals) = if self.views { (view, goals) } else { (None, Vec::new()) };
        let offers = self.offers.then(|| table.offers(seat)).flatten().map(offers::write);
        let question = SandboxDecision {
            seat: seat.number(),
            decision: Some(decision),
            view,
            offers,
            goals,
            scene,
        };
        let taken = question.encoded_len();
        let less = |room: usize| Some(room.saturating_sub(taken));
        // This cannot fail, because the closure always returns a value.
        let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Some(question)
    }

    /// Returns the first open question for the caller's seats, or all questions if `all` is set.
    /// Omits questions that exceed the size limit.
    fn open_questions(&self, table: &Table, caller: &Caller) -> Result<SandboxStepResult, Fault> {
        table.check_sandbox(&caller.player_id)?;
        let mut stepped = SandboxStepResult {
            automation_asked: !table.wanted().is_empty(),
            outcome: table.outcome(),
            ..SandboxStepResult::default()
        };
        stepped.set_status(table.status());
        let mut decision_states = table.decision_states();
        for seat in table.owed_by(&caller.player_id) {
            let decision = decision_states[seat.index()].decision.take();
            let Some(decision) = decision.filter(|one| !(one.revisable && one.ready)) else {
                continue;
            };
            match self.question(table, seat, decision) {
                Some(question) => stepped.asked.push(question),
                None => stepped.truncated = true,
            }
            if !self.all {
                break;
            }
        }
        Ok(stepped)
    }
}

impl CallContext<'_> {
    pub(crate) async fn step_sandbox_games(
        &self,
        request: StepSandboxGamesRequest,
    ) -> Result<StepSandboxGamesResponse> {
        let mut named = HashSet::new();
        for (index, step) in request.steps.iter().enumerate() {
            if !named.insert(step.game_id.as_str()) {
                let field = format!("steps[{index}].game_id");
                let text =
                    format!("Game {} is listed twice; list each game only once.", step.game_id);
                return Err(Failure::field(field, text));
            }
        }
        let builder = AnswerBuilder::new(&request);
        let steps = request.steps.into_iter().map(|step| self.step(&builder, step));
        Ok(StepSandboxGamesResponse {
            games: stream::iter(steps).buffered(CONCURRENT_GAMES).collect().await,
        })
    }

    async fn step(&self, builder: &AnswerBuilder, step: SandboxStep) -> SandboxStepResult {
        let game_id = &step.game_id;
        let owned = |table: &Table| table.check_sandbox(self.player_id());
        if let Err(failure) = self.read(game_id, owned).await {
            return SandboxStepResult { error: encoded(failure), ..SandboxStepResult::default() };
        }
        let mut orders = Vec::with_capacity(step.orders.len());
        for given in step.orders {
            orders.push(self.submit(game_id, given).await);
        }
        match self.read(game_id, |table| builder.open_questions(table, &self.caller)).await {
            Ok(stepped) => SandboxStepResult { orders, ..stepped },
            Err(failure) => {
                let error = encoded(failure);
                SandboxStepResult { orders, error, ..SandboxStepResult::default() }
            }
        }
    }

    async fn submit(&self, game_id: &str, given: SandboxOrders) -> SandboxOrdersResult {
        let SandboxOrders { seat, phase, revision, orders, ready, request_id } = given;
        let game_id = game_id.to_owned();
        let seat = Some(seat);
        let request =
            SubmitOrdersRequest { game_id, seat, phase, revision, orders, ready, request_id };
        match self.submit_orders(request).await {
            Ok(SubmitOrdersResponse { accepted_count: taken, refused, .. }) => {
                SandboxOrdersResult {
                    accepted_count: taken,
                    refused,
                    ..SandboxOrdersResult::default()
                }
            }
            Err(failure) => {
                SandboxOrdersResult { error: encoded(failure), ..SandboxOrdersResult::default() }
            }
        }
    }
}

/// Returns the scene of a seat's view without what only drawing needs.
fn bare_scene(table: &Table, view: &GameView) -> Option<Scene> {
    let game = table.describe(Reader { player_id: "" });
    let mut scene = heliopause_render::drawing(view, &game)?.scene();
    (scene.labels, scene.panels, scene.legend) = Default::default();
    for area in &mut scene.areas {
        area.title.clear();
        area.outlines.clear();
        area.neighbors.clear();
    }
    scene.places.iter_mut().for_each(|place| place.title.clear());
    scene.pieces.iter_mut().for_each(|piece| piece.title.clear());
    scene.paths.iter_mut().for_each(|path| path.title.clear());
    Some(scene)
}

fn encoded(failure: Failure) -> Bytes {
    Bytes::copy_from_slice(Status::from(failure).details())
}
