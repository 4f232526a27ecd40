"""Errors of calls as exceptions."""

from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

from heliopause.v1 import game_pb2

_DETAILS = "grpc-status-details-bin"


class Refusal(Exception):
    """A failed call. All errors of calls are of this class or a subclass.

    `reason` is a word of `errors.proto`, such as "STALE_REVISION". If the engine gave none, as after a
    lost connection, `reason` is empty and only `status` helps. Reasons unknown to this version are kept
    unchanged.
    """

    def __init__(
        self,
        message: str,
        *,
        status: grpc.StatusCode = grpc.StatusCode.UNKNOWN,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        field: str = "",
        retry_after: float | None = None,
        verdicts: Sequence[game_pb2.Verdict] = (),
    ) -> None:
        super().__init__(f"{reason}: {message}" if reason else message)
        self.message = message
        """A sentence for people."""
        self.status = status
        self.reason = reason
        self.metadata = dict(metadata or {})
        """Details by reason, as listed in `errors.proto`."""
        self.field = field or self.metadata.get("field", "")
        """The invalid field of the request, or an empty string if there is none."""
        self.retry_after = retry_after
        """The delay in seconds before the call may be retried, or None if the engine gives none."""
        self.rule = self.metadata.get("rule", "")
        """The number of the violated rule, or an empty string if there is none."""
        self.refusal = self.metadata.get("refusal", "")
        """The identifier of the refusal in docs/refusals.md, or an empty string if there is none."""
        self.verdicts = tuple(verdicts)
        """The invalid orders, with one verdict each."""


class OrderRefused(Refusal):
    """The rules forbid an order. Nothing has changed: choose another order."""


class NotYourTurn(OrderRefused):
    """Another seat is on turn."""


class MalformedOrder(Refusal):
    """An order could not be parsed. `metadata` has the line and column."""


class StaleRevision(Refusal):
    """Another client of the same seat changed the state first. Reload the state, then order again."""


class PhaseClosed(Refusal):
    """The decision of an order has closed. Reload the state."""


class WrongStatus(Refusal):
    """The status of the game does not allow the call: not started, paused, or over."""


class RateLimited(Refusal):
    """Too many calls. The client waits for `retry_after` and retries until `patience` has elapsed."""


class CursorInvalid(Refusal):
    """The cursor belongs to another audience or is past the last event: start over."""


class Unreachable(Refusal):
    """No engine answered in time. The call may have been executed."""


_CLASSES: dict[str, type[Refusal]] = {
    "ORDER_REFUSED": OrderRefused,
    "MALFORMED_ORDER": MalformedOrder,
    "STALE_REVISION": StaleRevision,
    "PHASE_CLOSED": PhaseClosed,
    "WRONG_STATUS": WrongStatus,
    "RATE_LIMITED": RateLimited,
    "CURSOR_INVALID": CursorInvalid,
}
# The engine gives a reason for every error, so these codes without a reason mean a lost connection.
_LOST = (
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
)


def order_refused(message: str, metadata: Mapping[str, str], verdicts: Sequence[game_pb2.Verdict] = ()) -> OrderRefused:
    """Creates the refusal of an order from the engine's details."""
    if not verdicts:
        verdict = game_pb2.Verdict(message=message)
        verdict.refusal, verdict.rule = metadata.get("refusal", ""), metadata.get("rule", "")
        verdict.field = metadata.get("field", "")
        verdicts = [verdict]
    made = NotYourTurn if metadata.get("refusal") == "not-your-turn" else OrderRefused
    status = grpc.StatusCode.FAILED_PRECONDITION
    return made(message, status=status, reason="ORDER_REFUSED", metadata=metadata, verdicts=verdicts)


def of(error: grpc.aio.AioRpcError) -> Refusal:
    """Converts an error of gRPC."""
    status, message = error.code(), error.details() or error.code().value[1]
    details = b""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            details = value
    return _made(message, status, details)


def of_details(details: bytes) -> Refusal:
    """Converts a `google.rpc.Status`, as in responses about several games."""
    decoded = status_pb2.Status.FromString(details)
    status = next((code for code in grpc.StatusCode if code.value[0] == decoded.code), grpc.StatusCode.UNKNOWN)
    return _made(decoded.message, status, details)


def _made(message: str, status: grpc.StatusCode, details: bytes) -> Refusal:
    info, retry_after, field = _details(details)
    metadata = dict(info.metadata)
    if info.reason == "ORDER_REFUSED":
        return order_refused(message, metadata)
    made = _CLASSES.get(info.reason, Unreachable if not info.reason and status in _LOST else Refusal)
    return made(message, status=status, reason=info.reason, metadata=metadata, field=field, retry_after=retry_after)


def _details(value: bytes) -> tuple[error_details_pb2.ErrorInfo, float | None, str]:
    info, retry, bad = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo(), error_details_pb2.BadRequest()
    retry_after, field = None, ""
    try:
        for detail in status_pb2.Status.FromString(value).details:
            if detail.Unpack(info):
                continue
            if detail.Unpack(retry):
                retry_after = retry.retry_delay.ToNanoseconds() / 1e9
            elif detail.Unpack(bad) and bad.field_violations:
                field = bad.field_violations[0].field
    except DecodeError:
        # A proxy wrote unreadable details. Use only the status.
        return error_details_pb2.ErrorInfo(), None, ""
    return info, retry_after, field
