//! `GameService` calls for playing: offers, orders, readiness and delegation.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{
    Delegated, Entry, FlagSet, OrdersGiven, OrdersWithdrawn, Resigned, VacationSet, step,
};
use heliopause_proto::v1::*;
use heliopause_table::table::audience_of;
use heliopause_table::{Fault, Table, lists, offers};

use super::tables::{CallContext, RequestKey, read_new_orders, read_orders};
use crate::failure::{Failure, Result, shortened};
use crate::host::Done;

impl CallContext<'_> {
    pub(crate) async fn get_offers(&self, request: GetOffersRequest) -> Result<GetOffersResponse> {
        self.read(&request.game_id, |table| {
            let seat = table.acting_seat(self.player_id(), request.seat)?;
            let offers = table.offers(seat).ok_or_else(|| not_started(table))?;
            let decision_state = table.decision_state(seat);
            Ok(GetOffersResponse {
                offers: Some(offers::write(offers)),
                current_orders: table.standing_orders(seat),
                decision: decision_state.decision,
                phase: Some(decision_state.phase),
                revision: Some(decision_state.revision),
            })
        })
        .await
    }

    pub(crate) async fn validate_orders(
        &self,
        request: ValidateOrdersRequest,
    ) -> Result<ValidateOrdersResponse> {
        let orders = request.orders.unwrap_or_default();
        self.read(&request.game_id, |table| {
            let seat = table.acting_seat(self.player_id(), request.seat)?;
            let given = read_orders(table, Some(seat), &orders)?;
            let verdicts = given
                .orders
                .iter()
                .map(|order| verdict(table, seat, order))
                .collect::<Result<_, _>>()?;
            let warnings = table.warnings_after(seat, &given.orders)?;
            Ok(ValidateOrdersResponse { verdicts, warnings })
        })
        .await
    }

    pub(crate) async fn parse_orders(
        &self,
        request: ParseOrdersRequest,
    ) -> Result<ParseOrdersResponse> {
        self.read(&request.game_id, |table| {
            let seat = match table.viewer(self.player_id(), request.seat, false)? {
                Viewer::Seat(seat) => Some(seat),
                Viewer::GameMaster => None,
                Viewer::Spectator => Some(table.acting_seat(self.player_id(), request.seat)?),
            };
            Ok(ParseOrdersResponse { orders: table.parse(seat, &request.text)? })
        })
        .await
    }

    pub(crate) async fn submit_orders(
        &self,
        request: SubmitOrdersRequest,
    ) -> Result<SubmitOrdersResponse> {
        let asked = self.required_key(&request.request_id, &request)?;
        if request.phase.is_none() || request.revision.is_none() {
            // Check the seat first: a spectator has no phase to send, and needs a clear error.
            let acting = |table: &Table| {
                table.acting_seat(self.player_id(), request.seat).map_err(|fault| {
                    let watches =
                        request.seat.is_none() && fault.reason == ErrorReason::NotYourSeat;
                    let text = "Spectators cannot give orders.";
                    if watches { Fault::new(ErrorReason::NotYourSeat, text) } else { fault }
                })
            };
            self.read(&request.game_id, acting).await?;
        }
        let phase = required("phase", request.phase)?;
        let revision = required("revision", request.revision)?;
        let orders = request.orders.unwrap_or_default();
        if orders.orders.is_empty() && orders.text.is_empty() && !request.ready {
            let text = "Give at least one order, or set ready.";
            return Err(Failure::field("orders", text));
        }
        let game_id = &request.game_id;
        let read = |table: &Table| {
            let seat = table.acting_seat(self.player_id(), request.seat)?;
            Ok((seat, read_new_orders(table, Some(seat), &orders, &asked.request_id)?))
        };
        // Skip the journal if the phase and revision match this process's state. If the game has
        // advanced in another process, the append fails.
        let here = self.peek(game_id, |table| {
            read(table)
                .map(|(seat, given)| table.is_at(seat, phase, revision).then_some((seat, given)))
        });
        let (seat, given) = match here.await {
            Ok(Some(known)) => known,
            _ => self.read(game_id, read).await?,
        };
        let given = OrdersGiven { phase, revision, ready: request.ready, ..given };
        let kind = step::Kind::OrdersGiven(given);
        let done = self.take_request(&request.game_id, kind, asked).await?;
        Ok(submitted(&done, seat))
    }

    pub(crate) async fn set_ready(&self, request: SetReadyRequest) -> Result<SetReadyResponse> {
        let warnings_before_ready = |table: &Table, phase: u64| {
            let seat = table.acting_seat(self.player_id(), request.seat)?;
            table.warnings_before_ready(seat, phase, request.ready)
        };
        let game_id = &request.game_id;
        if request.dry_run {
            // Check the seat first, as in `submit_orders`.
            self.seat(game_id, request.seat).await?;
            let phase = required("phase", request.phase)?;
            let warnings = self.read(game_id, |table| warnings_before_ready(table, phase)).await?;
            return Ok(SetReadyResponse { warnings });
        }
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(game_id, request.seat, &asked).await?;
        let phase = required("phase", request.phase)?;
        // Get the warnings first, because this call may close the phase.
        let warnings = self.peek(game_id, |table| warnings_before_ready(table, phase)).await;
        let warnings = warnings.unwrap_or_default();
        let flag = FlagSet { seat: seat.number(), phase, ready: Some(request.ready), wait: None };
        self.take(&request.game_id, step::Kind::FlagSet(flag), asked).await?;
        Ok(SetReadyResponse { warnings })
    }

    pub(crate) async fn set_wait(&self, request: SetWaitRequest) -> Result<SetWaitResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        let (seat, phase) = (seat.number(), required("phase", request.phase)?);
        let flag = FlagSet { seat, phase, ready: None, wait: Some(request.wait) };
        self.take(&request.game_id, step::Kind::FlagSet(flag), asked).await?;
        Ok(SetWaitResponse {})
    }

    pub(crate) async fn withdraw_orders(
        &self,
        request: WithdrawOrdersRequest,
    ) -> Result<WithdrawOrdersResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.seat(&request.game_id, request.seat).await?;
        let phase = required("phase", request.phase)?;
        let kind = step::Kind::OrdersWithdrawn(OrdersWithdrawn { seat: seat.number(), phase });
        let done = self.take_request(&request.game_id, kind, asked).await?;
        let SubmitOrdersResponse { cursor, events, phase, revision, decision, .. } =
            submitted(&done, seat);
        Ok(WithdrawOrdersResponse { events, cursor, phase, revision, decision })
    }

    pub(crate) async fn set_vacation(
        &self,
        request: SetVacationRequest,
    ) -> Result<SetVacationResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        let set = VacationSet { seat: seat.number(), days: request.days };
        self.take(&request.game_id, step::Kind::VacationSet(set), asked).await?;
        let days_left = self.read(&request.game_id, |table| Ok(table.vacation_left(seat))).await?;
        Ok(SetVacationResponse { days_left })
    }

    pub(crate) async fn resign(&self, request: ResignRequest) -> Result<ResignResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        self.take(&request.game_id, step::Kind::Resigned(Resigned { seat: seat.number() }), asked)
            .await?;
        Ok(ResignResponse {})
    }

    pub(crate) async fn delegate(&self, request: DelegateRequest) -> Result<DelegateResponse> {
        let asked = self.key(&request.request_id, &request)?;
        let seat = self.requested_seat(&request.game_id, request.seat, &asked).await?;
        let delegated = Delegated { seat: seat.number(), to: request.automation };
        self.take(&request.game_id, step::Kind::Delegated(delegated), asked).await?;
        Ok(DelegateResponse {})
    }

    /// Returns the seat of a request. Does not check the seat for a retry, because the caller may
    /// no longer hold it.
    pub(crate) async fn requested_seat(
        &self,
        game_id: &str,
        number: Option<u32>,
        asked: &RequestKey,
    ) -> Result<Seat> {
        let before = self
            .peek(game_id, |table| Ok(table.was_requested_by(self.player_id(), &asked.request_id)));
        if before.await.unwrap_or_default() {
            return Ok(number.and_then(Seat::numbered).unwrap_or(Seat::at(0)));
        }
        self.seat(game_id, number).await
    }

    pub(crate) async fn seat(&self, game_id: &str, number: Option<u32>) -> Result<Seat> {
        self.read(game_id, |table| table.acting_seat(self.player_id(), number)).await
    }
}

fn submitted(done: &Done, seat: Seat) -> SubmitOrdersResponse {
    let viewer = Viewer::Seat(seat);
    let events: Vec<Event> = Table::events_for(&done.entry, viewer).collect();
    let decision_state = done.decision_state(seat);
    let (phase, revision) = match &done.first {
        Some(first) => (first.phase, first.revision),
        None => (decision_state.phase, decision_state.revision),
    };
    // A retry gets the decision only if the decision has not changed since the first response.
    let same = (phase, revision) == (decision_state.phase, decision_state.revision);
    let (taken, refused) = lists::applied(&done.entry);
    SubmitOrdersResponse {
        cursor: Some(cursor_after(&done.entry, viewer, events.len())),
        events,
        phase: Some(phase),
        revision: Some(revision),
        decision: decision_state.decision.filter(|_| same),
        accepted_count: taken,
        refused,
    }
}

/// Requires a number to be present, so that a field omitted by mistake does not count as 0.
fn required(field: &'static str, number: Option<u64>) -> Result<u64> {
    number.ok_or_else(|| {
        let message = format!(
            "{field} is missing. Send the number that GetOffers returned, even if it is 0."
        );
        Failure::field(field, message)
    })
}

pub(crate) fn cursor_after(entry: &Entry, viewer: Viewer, events: usize) -> Cursor {
    let number = Table::event_count_before(entry, viewer) + events as u64;
    Cursor { audience: Some(audience_of(viewer)), number, time: None }
}

fn verdict(table: &Table, seat: Seat, order: &GameOrder) -> Result<Verdict, Fault> {
    let notation = table.notate(order)?;
    let preview = table.preview(seat, order)?;
    let lines = preview.as_ref().map(|event| heliopause_render::lines(order, event));
    let lines = lines.unwrap_or_default();
    let Err(fault) = table.judge(seat, order) else {
        let (warnings, accepted) = (table.warnings_of(seat, order)?, true);
        return Ok(Verdict { notation, accepted, preview, lines, warnings, ..Verdict::default() });
    };
    if fault.reason != ErrorReason::OrderRefused {
        return Err(fault);
    }
    let message = shortened(&fault.message);
    Ok(Verdict { preview, lines, message, ..fault.verdict(notation) })
}

pub(crate) fn not_started(table: &Table) -> Fault {
    table.wrong_status("The game is not in progress.")
}
