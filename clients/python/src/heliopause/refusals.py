"""Why a call failed, as exceptions."""

from collections.abc import Mapping, Sequence

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # pyright: ignore[reportMissingTypeStubs]

from heliopause.v1 import game_pb2

_DETAILS = "grpc-status-details-bin"


class Refusal(Exception):
    """A call that failed. All failures of calls are of this class or of a class below it.

    `reason` is the word of `errors.proto`, such as "STALE_REVISION". It is empty if the engine gave none, as
    when the connection was lost; then go by `status`. A reason that this version does not know is kept as it came.
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
        """The gRPC status."""
        self.reason = reason
        """The word for the cause."""
        self.metadata = dict(metadata or {})
        """What else the engine says, as `errors.proto` lists it for each reason."""
        self.field = field or self.metadata.get("field", "")
        """The field of the request that is at fault; may be empty."""
        self.retry_after = retry_after
        """After how many seconds the same call may be made again; None if the engine does not say."""
        self.rule = self.metadata.get("rule", "")
        """The number of the rule that decided; may be empty."""
        self.refusal = self.metadata.get("refusal", "")
        """The word for what the rules forbid, as docs/refusals.md lists them; may be empty."""
        self.verdicts = tuple(verdicts)
        """The orders at fault, one verdict each."""


class OrderRefused(Refusal):
    """The rules forbid an order. Nothing has changed: choose another."""


class NotYourTurn(OrderRefused):
    """Somebody else is asked, not this seat."""


class MalformedOrder(Refusal):
    """An order could not be read; `metadata` has its line and column."""


class StaleRevision(Refusal):
    """Another client of the same seat was faster: look again, then order again."""


class PhaseClosed(Refusal):
    """The order came too late, its decision is closed: look again."""


class WrongStatus(Refusal):
    """The status of the game does not allow it: it has not begun, rests, or is over."""


class RateLimited(Refusal):
    """Too many calls: `retry_after` says when to go on. A client waits by itself as long as its patience lasts."""


class CursorInvalid(Refusal):
    """The place in the events is another audience's, or beyond the end: start over."""


class Unreachable(Refusal):
    """No engine answered, or not in time. Whether the call was done is unknown."""


_CLASSES: dict[str, type[Refusal]] = {
    "ORDER_REFUSED": OrderRefused,
    "MALFORMED_ORDER": MalformedOrder,
    "STALE_REVISION": StaleRevision,
    "PHASE_CLOSED": PhaseClosed,
    "WRONG_STATUS": WrongStatus,
    "RATE_LIMITED": RateLimited,
    "CURSOR_INVALID": CursorInvalid,
}
# The engine gives a reason for all that it refuses. Without one these come from a line that broke.
_LOST = (
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.UNKNOWN,
)


def order_refused(message: str, metadata: Mapping[str, str], verdicts: Sequence[game_pb2.Verdict] = ()) -> OrderRefused:
    """Makes the refusal of an order from what the engine says about it."""
    if not verdicts:
        verdict = game_pb2.Verdict(message=message)
        verdict.refusal, verdict.rule = metadata.get("refusal", ""), metadata.get("rule", "")
        verdict.field = metadata.get("field", "")
        verdicts = [verdict]
    made = NotYourTurn if metadata.get("refusal") == "not-your-turn" else OrderRefused
    status = grpc.StatusCode.FAILED_PRECONDITION
    return made(message, status=status, reason="ORDER_REFUSED", metadata=metadata, verdicts=verdicts)


def of(error: grpc.aio.AioRpcError) -> Refusal:
    """Makes an exception of this module from one of gRPC."""
    status, message = error.code(), error.details() or error.code().value[1]
    details = b""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS and isinstance(value, bytes):
            details = value
    return _made(message, status, details)


def of_details(details: bytes) -> Refusal:
    """Makes an exception of this module from a `google.rpc.Status`, as answers about several games have them."""
    told = status_pb2.Status.FromString(details)
    status = next((code for code in grpc.StatusCode if code.value[0] == told.code), grpc.StatusCode.UNKNOWN)
    return _made(told.message, status, details)


def _made(message: str, status: grpc.StatusCode, details: bytes) -> Refusal:
    info, retry_after, field = _details(details)
    metadata = dict(info.metadata)
    if info.reason == "ORDER_REFUSED":
        return order_refused(message, metadata)
    made = _CLASSES.get(info.reason, Unreachable if not info.reason and status in _LOST else Refusal)
    return made(message, status=status, reason=info.reason, metadata=metadata, field=field, retry_after=retry_after)


def _details(value: bytes) -> tuple[error_details_pb2.ErrorInfo, float | None, str]:
    """Reads the details of an error: why, when again, and which field is at fault."""
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
        # Somebody between here and the engine wrote them. The status says enough.
        return error_details_pb2.ErrorInfo(), None, ""
    return info, retry_after, field
