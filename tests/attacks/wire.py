"""HTTP/2 clients: a correct one with h2, and one that sends arbitrary bytes."""

import base64
import contextlib
import select
import socket
import struct
import time
import urllib.parse

import h2.config
import h2.connection
import h2.errors
import h2.events
import h2.exceptions
import h2.settings
from google.rpc import error_details_pb2, status_pb2

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 8, 9
END_STREAM, END_HEADERS = 1, 4
PATIENCE = 20.0


def framed(message, compressed=0):
    data = message if isinstance(message, bytes) else message.SerializeToString()
    return struct.pack(">BI", compressed, len(data)) + data


def dial(target, source=None, patience=PATIENCE):
    """Connects to the engine from an address of this machine."""
    source = (source or target.source(), 0)
    return socket.create_connection((target.host, target.port), timeout=patience, source_address=source)


def ready(connection, what, seconds):
    """Waits until a connection is readable or writable. (select() is limited to 1,024 files.)"""
    waiting = select.poll()
    waiting.register(connection, what)
    return waiting.poll(seconds * 1_000)


class Answer:
    def __init__(self):
        self.headers = {}
        self.data = bytearray()
        self.over = False
        # The HTTP/2 error if the stream or the connection ended without a status.
        self.lost = None

    @property
    def status(self):
        status = self.headers.get("grpc-status")
        return None if status is None else int(status)

    @property
    def text(self):
        return urllib.parse.unquote(self.headers.get("grpc-message", ""))

    def details(self, kind):
        encoded = self.headers.get("grpc-status-details-bin", "")
        status = status_pb2.Status.FromString(base64.b64decode(encoded + "=" * (-len(encoded) % 4)))
        for detail in status.details:
            found = kind()
            if detail.Unpack(found):
                return found
        return kind()

    @property
    def reason(self):
        """The ErrorReason, "OK", or the error below gRPC."""
        if self.status is None:
            return f"no status ({self.lost or 'unanswered'}, HTTP {self.headers.get(':status', 'nothing')})"
        return "OK" if self.status == 0 else self.details(error_details_pb2.ErrorInfo).reason or f"status {self.status}"

    @property
    def fields(self):
        return [violation.field for violation in self.details(error_details_pb2.BadRequest).field_violations]

    def messages(self, kind):
        messages, at = [], 0
        while at + 5 <= len(self.data):
            (length,) = struct.unpack_from(">I", self.data, at + 1)
            if at + 5 + length > len(self.data):
                break
            messages.append(kind.FromString(bytes(self.data[at + 5 : at + 5 + length])))
            at += 5 + length
        return messages

    def message(self, kind):
        if self.reason != "OK":
            raise Refused(self)
        return self.messages(kind)[0]


class Lost(Exception):
    """The engine has closed the connection."""


class Refused(Exception):
    """A call failed that should have succeeded."""

    def __init__(self, answer):
        super().__init__(f"{answer.reason}: {answer.text}")
        self.reason = answer.reason


class Connection:
    """A connection of a well-behaved client, unless `reads` is false."""

    def __init__(self, target, source=None, token=None, window=1 << 20, reads=True):
        self.socket = dial(target, source)
        self.token, self.reads = token, reads
        config = h2.config.H2Configuration(
            client_side=True, header_encoding="utf-8", validate_outbound_headers=False, validate_inbound_headers=False
        )
        self.h2 = h2.connection.H2Connection(config)
        first = {h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: window, h2.settings.SettingCodes.ENABLE_PUSH: 0}
        self.h2.local_settings = h2.settings.Settings(client=True, initial_values=first)
        self.h2.initiate_connection()
        if reads:
            self.h2.increment_flow_control_window(1 << 24)
        self.answers = {}
        self.lost = None
        self.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def flush(self):
        with contextlib.suppress(OSError):
            data = self.h2.data_to_send()
            if data:
                self.socket.sendall(data)

    def begin(self, path, token=None, headers=()):
        stream = self.h2.get_next_available_stream_id()
        token = token or self.token
        all_headers = [
            (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "engine"),
            ("content-type", "application/grpc"), ("te", "trailers"), *headers,
        ]  # fmt: skip
        if token:
            all_headers.append(("authorization", f"Bearer {token}"))
        self.h2.send_headers(stream, all_headers)
        self.answers[stream] = Answer()
        return stream

    def send(self, stream, data, end=True):
        """Sends data of a request, as the engine's flow-control windows allow."""
        until, part = time.monotonic() + PATIENCE, b""
        while True:
            answer = self.answers[stream]
            if answer.over or self.lost:
                return
            with contextlib.suppress(h2.exceptions.ProtocolError):
                part = data[: min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)]
                data = data[len(part) :]
                if part or not data:
                    self.h2.send_data(stream, part, end_stream=end and not data)
            self.flush()
            if not data or time.monotonic() > until:
                return
            self.pump(0 if part else 0.05)

    def start(self, path, message=b"", **head):
        if self.lost:
            raise Lost(self.lost)
        stream = self.begin(path, **head)
        self.send(stream, framed(message))
        return stream

    def pump(self, seconds=0.0):
        """Processes received data. Returns false once the connection is closed."""
        if self.lost:
            return False
        if not ready(self.socket, select.POLLIN, seconds):
            return True
        try:
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionResetError("closed")
            for event in self.h2.receive_data(data):
                self.take(event)
        except (OSError, h2.exceptions.ProtocolError) as error:
            self.lose(str(error))
        self.flush()
        return not self.lost

    def lose(self, why):
        self.lost = why
        for answer in self.answers.values():
            if not answer.over:
                answer.over, answer.lost = True, why

    def take(self, event):
        answer = self.answers.get(getattr(event, "stream_id", None))
        match event:
            case h2.events.ConnectionTerminated():
                self.lose(f"GOAWAY {event.error_code!s} {event.additional_data!r}")
            case _ if answer is None:
                return
            case h2.events.ResponseReceived() | h2.events.TrailersReceived():
                answer.headers.update(event.headers)
            case h2.events.DataReceived():
                answer.data += event.data
                if self.reads:
                    with contextlib.suppress(h2.exceptions.ProtocolError):
                        self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            case h2.events.StreamEnded():
                answer.over = True
            case h2.events.StreamReset():
                answer.over, answer.lost = True, f"RST_STREAM {event.error_code!s}"

    def wait(self, streams, seconds=PATIENCE):
        until = time.monotonic() + seconds
        while not all(self.answers[stream].over for stream in streams):
            left = until - time.monotonic()
            if left <= 0 or not self.pump(left):
                break
        return [self.answers.pop(stream) for stream in streams]

    def call(self, path, message=b"", seconds=PATIENCE, **head):
        return self.wait([self.start(path, message, **head)], seconds)[0]

    def all(self, calls, at_once=100):
        """Makes many calls, `at_once` at a time, and returns their answers."""
        calls, answers = list(calls), []
        for begin in range(0, len(calls), at_once):
            streams = [self.start(path, message) for path, message in calls[begin : begin + at_once]]
            answers += self.wait(streams)
        return answers

    def burst(self, calls):
        """Starts calls until the engine closes the connection. Returns the answers that arrived."""
        streams = []
        with contextlib.suppress(Lost):
            for path, message, head in calls:
                streams.append(self.start(path, message, **head))
        return [answer for answer in self.wait(streams) if answer.status is not None]

    def cancel(self, stream):
        with contextlib.suppress(h2.exceptions.ProtocolError):
            self.h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
        self.answers.pop(stream, None)
        self.flush()


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _integer(value, prefix, first):
    most = (1 << prefix) - 1
    if value < most:
        return bytes([first | value])
    encoded, value = bytearray([first | most]), value - most
    while value >= 128:
        encoded.append(value % 128 + 128)
        value //= 128
    return bytes(encoded + bytes([value]))


def literal(name, value, first=0x00):
    """Encodes a literal header, added to the table only if `first` is 0x40."""
    name, value = name.encode(), value.encode()
    return bytes([first]) + _integer(len(name), 7, 0) + name + _integer(len(value), 7, 0) + value


def head(path, token=None, *more):
    """Encodes the headers of a call, always with the same bytes."""
    block = b"\x83\x86" + literal(":path", path) + literal(":authority", "engine")
    block += literal("content-type", "application/grpc") + literal("te", "trailers")
    if token:
        block += literal("authorization", f"Bearer {token}")
    return block + b"".join(literal(name, value) for name, value in more)


class Raw:
    """A connection that sends arbitrary bytes and reads only on request."""

    def __init__(self, target, source=None, begin=PREFACE + frame(SETTINGS, 0, 0), patience=PATIENCE):
        self.gone = False
        self.received = 0
        self.next = 1
        try:
            self.socket = dial(target, source, patience)
            self.socket.setblocking(False)
        except OSError:
            self.socket, self.gone = None, True
        self.send(begin)

    def close(self):
        if self.socket:
            self.socket.close()

    def fileno(self):
        return self.socket.fileno()

    def stream(self):
        self.next += 2
        return self.next - 2

    def send(self, data, seconds=1.0):
        """Sends bytes. Returns the number of bytes that the engine accepted."""
        sent, until = 0, time.monotonic() + seconds
        while sent < len(data) and not self.gone:
            try:
                sent += self.socket.send(data[sent:])
            except BlockingIOError:
                if time.monotonic() > until:
                    break
                ready(self.socket, select.POLLOUT, 0.05)
            except OSError:
                self.gone = True
        return sent

    def read(self):
        came = b""
        while not self.gone:
            try:
                part = self.socket.recv(1 << 16)
            except BlockingIOError:
                break
            except OSError:
                part = b""
            if not part:
                self.gone = True
            came += part
        self.received += len(came)
        return came
