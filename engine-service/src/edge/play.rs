//! Looking and ordering.

use heliopause_kernel::{Seat, Viewer};
use heliopause_proto::store::v1::{
    Delegated, Entry, FlagSet, OrdersGiven, OrdersTakenBack, Resigned, VacationSet, step,
};
use heliopause_proto::v1::*;
use heliopause_table::table::audience_of;
use heliopause_table::{Fault, Table, lists, offers};
use tonic::Status;

use super::Caller;
use super::errors::{Failure, worded};
use super::tables::{Asked, Tables, asked_orders, read_orders};
use crate::host::Done;

impl Tables {
    pub(super) async fn get_offers(
        &self,
        caller: &Caller,
        request: GetOffersRequest,
    ) -> Result<GetOffersResponse, Status> {
        self.read(caller, &request.game_id, |table| {
            let seat = table.acting_seat(&caller.player_id, request.seat)?;
            let offers = table.offers(seat).ok_or_else(|| not_started(table))?;
            let standing = table.standing(seat);
            Ok(GetOffersResponse {
                offers: Some(offers::write(offers)),
                standing_orders: table.standing_orders(seat),
                decision: standing.decision,
                phase: Some(standing.phase),
                revision: Some(standing.revision),
            })
        })
        .await
    }

    pub(super) async fn validate_orders(
        &self,
        caller: &Caller,
        request: ValidateOrdersRequest,
    ) -> Result<ValidateOrdersResponse, Status> {
        let orders = request.orders.unwrap_or_default();
        self.read(caller, &request.game_id, |table| {
            let seat = table.acting_seat(&caller.player_id, request.seat)?;
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

    pub(super) async fn parse_orders(
        &self,
        caller: &Caller,
        request: ParseOrdersRequest,
    ) -> Result<ParseOrdersResponse, Status> {
        self.read(caller, &request.game_id, |table| {
            let seat = match table.viewer(&caller.player_id, request.seat, false)? {
                Viewer::Seat(seat) => Some(seat),
                Viewer::GameMaster => None,
                Viewer::Spectator => Some(table.acting_seat(&caller.player_id, request.seat)?),
            };
            Ok(ParseOrdersResponse { orders: table.parse(seat, &request.text)? })
        })
        .await
    }

    pub(super) async fn submit_orders(
        &self,
        caller: &Caller,
        request: SubmitOrdersRequest,
    ) -> Result<SubmitOrdersResponse, Status> {
        let asked = Asked::by_name(caller, &request.request_id, &request)?;
        if request.phase.is_none() || request.revision.is_none() {
            // A spectator has no phase to name.
            let acting = |table: &Table| {
                table.acting_seat(&caller.player_id, request.seat).map_err(|fault| {
                    let watches =
                        request.seat.is_none() && fault.reason == ErrorReason::NotYourSeat;
                    let text = "You watch this game: spectators cannot give orders.";
                    if watches { Fault::new(ErrorReason::NotYourSeat, text) } else { fault }
                })
            };
            self.read(caller, &request.game_id, acting).await?;
        }
        let phase = named("phase", request.phase)?;
        let revision = named("revision", request.revision)?;
        let orders = request.orders.unwrap_or_default();
        if orders.orders.is_empty() && orders.text.is_empty() && !request.ready {
            return Err(Failure::field("orders", "Give at least one order.").into());
        }
        let game_id = &request.game_id;
        let read = |table: &Table| {
            let seat = table.acting_seat(&caller.player_id, request.seat)?;
            Ok((seat, asked_orders(table, Some(seat), &orders, &asked.request_id)?))
        };
        // Orders that name where their seat stands here need no look at the journal: if the table
        // has moved on elsewhere, the append meets that.
        let here = self.peek(caller, game_id, |table| {
            read(table)
                .map(|(seat, given)| table.is_at(seat, phase, revision).then_some((seat, given)))
        });
        let (seat, given) = match here.await {
            Ok(Some(known)) => known,
            _ => self.read(caller, game_id, read).await?,
        };
        let given = OrdersGiven { phase, revision, ready: request.ready, ..given };
        let kind = step::Kind::OrdersGiven(given);
        let done = self.take_request(caller, &request.game_id, kind, asked).await?;
        Ok(submitted(&done, seat))
    }

    pub(super) async fn set_ready(
        &self,
        caller: &Caller,
        request: SetReadyRequest,
    ) -> Result<SetReadyResponse, Status> {
        let left_undone = |table: &Table, phase: u64| {
            let seat = table.acting_seat(&caller.player_id, request.seat)?;
            table.left_undone(seat, phase, request.ready)
        };
        let game_id = &request.game_id;
        if request.dry_run {
            let phase = named("phase", request.phase)?;
            let warnings = self.read(caller, game_id, |table| left_undone(table, phase)).await?;
            return Ok(SetReadyResponse { warnings });
        }
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.asking_seat(caller, game_id, request.seat, &asked).await?;
        let phase = named("phase", request.phase)?;
        // The phase may close by this call, so they are told as things stood before it.
        let warnings = self.peek(caller, game_id, |table| left_undone(table, phase)).await;
        let warnings = warnings.unwrap_or_default();
        let flag = FlagSet { seat: seat.number(), phase, ready: Some(request.ready), wait: None };
        self.take(caller, &request.game_id, step::Kind::FlagSet(flag), asked).await?;
        Ok(SetReadyResponse { warnings })
    }

    pub(super) async fn set_wait(
        &self,
        caller: &Caller,
        request: SetWaitRequest,
    ) -> Result<SetWaitResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.asking_seat(caller, &request.game_id, request.seat, &asked).await?;
        let flag = FlagSet {
            seat: seat.number(),
            phase: named("phase", request.phase)?,
            ready: None,
            wait: Some(request.wait),
        };
        self.take(caller, &request.game_id, step::Kind::FlagSet(flag), asked).await?;
        Ok(SetWaitResponse {})
    }

    pub(super) async fn take_back(
        &self,
        caller: &Caller,
        request: TakeBackRequest,
    ) -> Result<TakeBackResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.seat(caller, &request.game_id, request.seat).await?;
        let phase = named("phase", request.phase)?;
        let taken = OrdersTakenBack { seat: seat.number(), phase };
        let kind = step::Kind::OrdersTakenBack(taken);
        let done = self.take_request(caller, &request.game_id, kind, asked).await?;
        let SubmitOrdersResponse { cursor, events, phase, revision, decision, .. } =
            submitted(&done, seat);
        Ok(TakeBackResponse { events, cursor, phase, revision, decision })
    }

    pub(super) async fn set_vacation(
        &self,
        caller: &Caller,
        request: SetVacationRequest,
    ) -> Result<SetVacationResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.asking_seat(caller, &request.game_id, request.seat, &asked).await?;
        let set = VacationSet { seat: seat.number(), days: request.days };
        self.take(caller, &request.game_id, step::Kind::VacationSet(set), asked).await?;
        let days_left =
            self.read(caller, &request.game_id, |table| Ok(table.vacation_left(seat))).await?;
        Ok(SetVacationResponse { days_left })
    }

    pub(super) async fn resign(
        &self,
        caller: &Caller,
        request: ResignRequest,
    ) -> Result<ResignResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.asking_seat(caller, &request.game_id, request.seat, &asked).await?;
        self.take(
            caller,
            &request.game_id,
            step::Kind::Resigned(Resigned { seat: seat.number() }),
            asked,
        )
        .await?;
        Ok(ResignResponse {})
    }

    pub(super) async fn delegate(
        &self,
        caller: &Caller,
        request: DelegateRequest,
    ) -> Result<DelegateResponse, Status> {
        let asked = Asked::of(caller, &request.request_id, &request)?;
        let seat = self.asking_seat(caller, &request.game_id, request.seat, &asked).await?;
        let delegated = Delegated { seat: seat.number(), to: request.to };
        self.take(caller, &request.game_id, step::Kind::Delegated(delegated), asked).await?;
        Ok(DelegateResponse {})
    }

    /// The seat that the caller asks something for. If they asked before, they may not hold it any
    /// more; then the first answer holds, whatever the seat.
    pub(super) async fn asking_seat(
        &self,
        caller: &Caller,
        game_id: &str,
        number: Option<u32>,
        asked: &Asked,
    ) -> Result<Seat, Status> {
        let before = self.peek(caller, game_id, |table| {
            Ok(table.was_asked_by(&caller.player_id, &asked.request_id))
        });
        if before.await.unwrap_or_default() {
            return Ok(number.and_then(Seat::numbered).unwrap_or(Seat::at(0)));
        }
        self.seat(caller, game_id, number).await
    }

    /// The seat that the caller acts for.
    pub(super) async fn seat(
        &self,
        caller: &Caller,
        game_id: &str,
        number: Option<u32>,
    ) -> Result<Seat, Status> {
        self.read(caller, game_id, |table| table.acting_seat(&caller.player_id, number)).await
    }
}

/// What the giver of orders is answered, the first time and at every retry.
fn submitted(done: &Done, seat: Seat) -> SubmitOrdersResponse {
    let viewer = Viewer::Seat(seat);
    let events: Vec<Event> = Table::events_for(&done.entry, viewer).collect();
    let standing = done.standing(seat);
    let (phase, revision) = match &done.first {
        Some(first) => (first.phase, first.revision),
        None => (standing.phase, standing.revision),
    };
    // A retry is told of the decision only while it is still the one that the first answer told of.
    let same = (phase, revision) == (standing.phase, standing.revision);
    let (taken, refused) = lists::taken(&done.entry);
    SubmitOrdersResponse {
        cursor: Some(cursor_after(&done.entry, viewer, events.len())),
        events,
        phase: Some(phase),
        revision: Some(revision),
        decision: standing.decision.filter(|_| same),
        taken,
        refused,
    }
}

/// A number that a request must name, though it be 0: what is left out by mistake is never taken
/// for the first.
fn named(field: &'static str, number: Option<u64>) -> Result<u64, Failure> {
    number.ok_or_else(|| {
        let message =
            format!("{field}: is missing. Send the number that GetOffers returned, even 0.");
        Failure::field(field, message)
    })
}

/// The place of an audience after an entry that told it so many events.
pub(super) fn cursor_after(entry: &Entry, viewer: Viewer, events: usize) -> Cursor {
    let number = Table::told_before(entry, viewer) + events as u64;
    Cursor { audience: Some(audience_of(viewer)), number, time: None }
}

fn verdict(table: &Table, seat: Seat, order: &GameOrder) -> Result<Verdict, Fault> {
    let notation = table.notate(order)?;
    let foretold = table.foretell(seat, order)?;
    let lines = foretold.as_ref().map(|event| heliopause_render::lines(order, event));
    let lines = lines.unwrap_or_default();
    let Err(fault) = table.judge(seat, order) else {
        let warnings = table.warnings_of(seat, order)?;
        let accepted = true;
        return Ok(Verdict { notation, accepted, foretold, lines, warnings, ..Verdict::default() });
    };
    if fault.reason != ErrorReason::OrderRefused {
        return Err(fault);
    }
    Ok(Verdict { foretold, lines, message: worded(&fault.message), ..fault.verdict(notation) })
}

pub(super) fn not_started(table: &Table) -> Fault {
    table.wrong_status("The game is not being played.")
}
