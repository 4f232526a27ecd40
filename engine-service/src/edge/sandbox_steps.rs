//! Steps at several sandbox games by one call.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::v1::*;
use heliopause_table::{Fault, Table, offers};
use prost::Message as _;
use tonic::Status;

use super::Caller;
use super::errors::Failure;
use super::tables::Tables;

/// At how many games steps are taken at once: enough for the store to keep them together.
const AT_ONCE: usize = 16;
/// How many bytes of questions an answer holds; after that it leaves out the others. One question
/// more may be under way at each game.
const ANSWER_BYTES: usize = 4 << 20;

/// What a caller wants to hear, and how much room the answer has left.
struct Telling {
    all: bool,
    views: bool,
    offers: bool,
    room: AtomicUsize,
}

impl Telling {
    fn new(request: &StepSandboxGamesRequest) -> Self {
        Self {
            all: request.all_asked,
            views: !request.without_views,
            offers: !request.without_offers,
            room: AtomicUsize::new(ANSWER_BYTES),
        }
    }

    /// A question, if the answer has room for one.
    fn question(&self, table: &Table, seat: Seat, decision: Decision) -> Option<SandboxQuestion> {
        if self.room.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let known = self.views.then(|| table.view_and_goals(Viewer::Seat(seat))).flatten();
        let (view, goals) = known.map_or((None, Vec::new()), |(view, goals)| (Some(view), goals));
        let offers = self.offers.then(|| table.offers(seat)).flatten().map(offers::write);
        let seat = seat.number();
        let question = SandboxQuestion { seat, decision: Some(decision), view, offers, goals };
        let taken = question.encoded_len();
        let less = |room: usize| Some(room.saturating_sub(taken));
        // The closure always gives a value, so this cannot fail.
        let _ = self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        Some(question)
    }

    /// Whether the game runs, and what the caller's seats are asked.
    fn stand(&self, table: &Table, caller: &Caller) -> Result<SandboxStepped, Fault> {
        table.check_sandbox(&caller.player_id)?;
        let mut stepped = SandboxStepped {
            automation_asked: !table.wanted().is_empty(),
            outcome: table.outcome(),
            ..SandboxStepped::default()
        };
        stepped.set_status(table.status());
        let mut standings = table.standings();
        for seat in table.owed_by(&caller.player_id) {
            let decision = standings[seat.index()].decision.take();
            let Some(decision) = decision.filter(|one| !(one.revisable && one.ready)) else {
                continue;
            };
            match self.question(table, seat, decision) {
                Some(question) => stepped.asked.push(question),
                None => stepped.left_out = true,
            }
            if !self.all {
                break;
            }
        }
        Ok(stepped)
    }
}

impl Tables {
    pub(super) async fn step_sandbox_games(
        &self,
        caller: &Caller,
        request: StepSandboxGamesRequest,
    ) -> Result<StepSandboxGamesResponse, Status> {
        let mut named = HashSet::new();
        for (index, step) in request.steps.iter().enumerate() {
            if !named.insert(step.game_id.as_str()) {
                let field = format!("steps[{index}].game_id");
                return Err(Failure::field(field, "Name each game once.").into());
            }
        }
        let telling = Telling::new(&request);
        let steps = request.steps.into_iter().map(|step| self.step(caller, &telling, step));
        Ok(StepSandboxGamesResponse {
            games: stream::iter(steps).buffered(AT_ONCE).collect().await,
        })
    }

    /// Takes a step at one game. Whatever is refused stands in the answer.
    async fn step(&self, caller: &Caller, telling: &Telling, step: SandboxStep) -> SandboxStepped {
        let game_id = &step.game_id;
        let owned = |table: &Table| table.check_sandbox(&caller.player_id);
        if let Err(status) = self.read(caller, game_id, owned).await {
            return SandboxStepped { error: encoded(&status), ..SandboxStepped::default() };
        }
        let mut orders = Vec::with_capacity(step.orders.len());
        for given in step.orders {
            orders.push(self.give(caller, game_id, given).await);
        }
        match self.read(caller, game_id, |table| telling.stand(table, caller)).await {
            Ok(stepped) => SandboxStepped { orders, ..stepped },
            Err(status) => {
                SandboxStepped { orders, error: encoded(&status), ..SandboxStepped::default() }
            }
        }
    }

    /// Gives the orders of a seat.
    async fn give(
        &self,
        caller: &Caller,
        game_id: &str,
        given: SandboxOrders,
    ) -> SandboxOrdersDone {
        let SandboxOrders { seat, phase, revision, orders, ready, request_id } = given;
        let game_id = game_id.to_owned();
        let seat = Some(seat);
        let request =
            SubmitOrdersRequest { game_id, seat, phase, revision, orders, ready, request_id };
        match self.submit_orders(caller, request).await {
            Ok(SubmitOrdersResponse { taken, refused, .. }) => {
                SandboxOrdersDone { taken, refused, ..SandboxOrdersDone::default() }
            }
            Err(status) => {
                SandboxOrdersDone { error: encoded(&status), ..SandboxOrdersDone::default() }
            }
        }
    }
}

/// A refusal as it stands in the trailers of a call.
fn encoded(status: &Status) -> Bytes {
    Bytes::copy_from_slice(status.details())
}
