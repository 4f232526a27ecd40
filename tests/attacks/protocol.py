"""Attacks on HTTP/2, HTTP/1.1 and TCP, which need no account."""

import os
import resource
import struct
import time

from heliopause.v1 import game_pb2

from attack import attack, require
from players import GAME, GET_ME, WATCH, Account, elsewhere
from wire import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, PRIORITY, RST_STREAM, SETTINGS, WINDOW_UPDATE,
    PATIENCE, Answer, Connection, Raw, frame, framed, head, literal,
)  # fmt: skip

BEGIN = PREFACE + frame(SETTINGS, 0, 0)
# The engine's timeout for silent connections in seconds, without the time to detect the silence.
SILENCE = 15
MEGABYTE = 1 << 20


def many_files():
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def flood(target, burst, *, closed=0):
    """Sends bursts of frames until the time is over. Reconnects after the engine disconnects.

    Continues for up to 30 s until the engine has closed `closed` connections, because a machine may be slow."""
    bursts = connections = 0
    begun = time.monotonic()

    def going_on():
        return target.going_on() or connections <= closed and time.monotonic() - begun < 30

    while going_on():
        line = Raw(target)
        connections += 1
        while going_on() and not line.gone:
            line.send(burst(line))
            line.read()
            bursts += 1
        line.close()
    return {"bursts": bursts, "connections": connections}


@attack("D5", f"a connection without calls is closed after {SILENCE} s", least=25, waits=True)
def slow_headers(target):
    call = PREFACE + frame(SETTINGS, 0, 0) + frame(HEADERS, END_STREAM, 1, head(GET_ME)[:60])
    web = b"POST /heliopause.v1.PlayerService/GetMe HTTP/1.1\r\nhost: localhost\r\nx-slow: "
    ways = [b"", PREFACE[:11], call, web, b"\x16\x03\x01\x02\x00\x01"]
    lines = [Raw(target, target.source(n // 50), begin=ways[n % len(ways)]) for n in range(200)]
    begun = time.monotonic()
    while (still := [line for line in lines if not line.gone]) and time.monotonic() - begun < 2 * SILENCE:
        for line in still:
            # Sends single bytes of a header that never ends.
            if line.send(b"a", 0) or not line.gone:
                line.read()
        time.sleep(1)
    took = time.monotonic() - begun
    require(not still, f"{len(still)} of 200 connections without calls are open after {took:.0f} s")
    return {"connections": len(lines), "closed after s": round(took, 1)}


@attack("D2", "calls without a request body are refused after 5 s and disturb no one else", least=7)
def slow_bodies(target):
    hostile, honest = Account(target), Account(target, 1)
    calls = [Raw(target) for _ in range(4)]
    block = head(GAME + "GetView", hostile.token)
    sent, refused = 0, Connection(target, token=hostile.token)
    first = refused.begin(GAME + "GetView")
    begun = time.monotonic()
    while target.going_on():
        for line in calls:
            line.send(b"".join(frame(HEADERS, END_HEADERS, line.stream(), block) for _ in range(10)))
            line.read()
            sent += 10
        answer = honest.call(GET_ME)
        require(answer.reason == "OK", f"another account at the same address is refused: {answer.reason} {answer.text}")
        refused.pump()
        time.sleep(0.2)
    if time.monotonic() - begun > 6.5:
        reason = refused.answers[first].reason
        require(reason == "RATE_LIMITED", f"a call without its request got {reason} after 6.5 s")
    return {"heads without bodies": sent}


@attack("D2", "a flood of canceled calls closes its connection")
def rapid_reset(target):
    token = Account(target).token
    block = head(GAME + "GetView", token)
    body = framed(b"\x0a\x0cabcdefghijkl")

    def burst(line):
        streams = [line.stream() for _ in range(100)]
        return b"".join(
            frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, body)
            + frame(RST_STREAM, 0, stream, struct.pack(">I", 8))
            for stream in streams
        )  # fmt: skip

    return flood(target, burst)


@attack("beyond", "a flood of calls that the engine has to reset closes its connection")
def made_you_reset(target):
    block = head(GET_ME)

    def burst(line):
        streams = [line.stream() for _ in range(100)]
        # A window update of 0 is a stream error.
        return b"".join(
            frame(HEADERS, END_HEADERS, stream, block) + frame(WINDOW_UPDATE, 0, stream, bytes(4)) for stream in streams
        )

    figures = flood(target, burst, closed=1)
    require(figures["connections"] > 1, "a connection with repeated errors is not closed")
    return figures


@attack("beyond", "endless headers close their connection before 8 MiB")
def continuation_flood(target):
    sent = most = 0
    while target.going_on():
        line = Raw(target)
        line.send(frame(HEADERS, 0, line.stream(), head(GET_ME)))
        part, this = frame(CONTINUATION, 0, 1, literal("x-more", "a" * 16_000)), 0
        while not line.gone and this < 16 * MEGABYTE:
            this += line.send(part)
            line.read()
        line.close()
        require(this < 8 * MEGABYTE, f"{this >> 20} MiB of headers of one call were accepted")
        sent, most = sent + this, max(most, this)
    return {"bytes": sent, "of one call": most}


@attack("beyond", "a flood of SETTINGS without reading the answers is stopped")
def settings_flood(target):
    setting = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 65_535) + struct.pack(">HI", 1, 4_096))
    return unread(target, setting * 500)


@attack("beyond", "a flood of PING without reading the answers is stopped")
def ping_flood(target):
    return unread(target, frame(PING, 0, 0, b"12345678") * 500)


def unread(target, burst):
    lines, sent = [], 0
    while target.going_on():
        if len(lines) < 20:
            lines.append(Raw(target))
        for line in lines:
            sent += line.send(burst, 0.02)
    for line in lines:
        line.close()
    return {"bytes": sent, "connections": len(lines)}


@attack("beyond", "empty frames cost their sender more than the engine")
def empty_frames(target):
    block = head(GET_ME)

    def burst(line):
        if line.next == 1:
            line.send(frame(HEADERS, END_HEADERS, line.stream(), block))
        nothing = frame(DATA, 0, 1) + frame(PRIORITY, 0, 3, bytes(5)) + frame(0xBE, 0, 0, b"x")
        return (nothing + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))) * 200

    return flood(target, burst)


@attack("beyond", "compressed headers that expand a thousandfold are refused")
def header_bomb(target):
    calls = 0
    while target.going_on():
        line = Raw(target)
        # The header is added to the table once. Each later reference takes one byte.
        remembered = literal("x-bomb", "b" * 4_000, first=0x40)
        line.send(frame(HEADERS, END_HEADERS | END_STREAM, line.stream(), head(GET_ME) + remembered))
        while target.going_on() and not line.gone and line.next < 400:
            line.send(frame(HEADERS, END_HEADERS | END_STREAM, line.stream(), head(GET_ME) + b"\xbe" * 15_000))
            calls += 1
            line.read()
        line.close()
    with Connection(target) as other:
        answer = other.call(GET_ME, headers=[("x-large", "c" * 15_000), ("x-larger", "d" * 15_000)])
        require(answer.reason != "OK", "headers of 30 KB are accepted")
    return {"calls": calls}


@attack("beyond", "endless HTTP/1.1 headers do not block others at the same address", least=2)
def web_headers(target):
    begin = b"POST /heliopause.v1.PlayerService/GetMe HTTP/1.1\r\nhost: localhost\r\n"
    more = b"".join(b"x-%d: %s\r\n" % (n, b"a" * 8_000) for n in range(50))
    account = Account(target)
    lines = [Raw(target, target.source(n // 400), begin=begin) for n in range(800)]
    sent, slowest = sum(line.send(more, 0.2) for line in lines), 0.0
    while target.going_on():
        for line in lines:
            line.read()
        begun = time.monotonic()
        with account.another_line() as line:
            reason = line.call(GET_ME).reason
        slowest = max(slowest, time.monotonic() - begun)
        require(reason == "OK" and slowest < PATIENCE, f"a new client at the same address got {reason} after {slowest:.1f} s")
        time.sleep(0.1)
    for line in lines:
        line.close()
    return {"bytes": sent, "newcomer ms": round(1e3 * slowest), "connections": len(lines)}


@attack("beyond", "gRPC-Web requests have the same limits as gRPC requests")
def web_bodies(target):
    account = Account(target)
    begin = (
        "POST /heliopause.v1.PlayerService/GetMe HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/grpc-web-text\r\n"
        f"authorization: Bearer {account.token}\r\ncontent-length: 4000000000\r\n\r\n"
    ).encode()
    sent = 0
    while target.going_on():
        line, this = Raw(target, begin=begin), 0
        while not line.gone and this < 32 * MEGABYTE and target.going_on():
            this += line.send(b"AAAAAAAA" * 8_000)
            line.read()
        line.close()
        require(this < 32 * MEGABYTE, "32 MiB of one request were accepted")
        sent += this
    return {"bytes": sent}


@attack("beyond", "data that is not HTTP does no harm")
def garbage(target):
    connections = 0
    while target.going_on():
        for begin in (os.urandom(4_000), BEGIN + os.urandom(4_000), b"GET / HTTP/1.1\r\n\r\n" * 20, b"\x16\x03\x01" * 99):
            line = Raw(target, begin=begin)
            line.read()
            line.close()
            connections += 1
    return {"connections": connections}


@attack("D5", "an address has at most 512 connections, and others connect immediately")
def connections(target):
    many_files()
    lines, opened = [], 0
    other = elsewhere(target)
    slowest = 0.0
    while target.going_on() or opened < 10_000:
        lines += [Raw(target) for _ in range(250)]
        opened += 250
        lines = [line for line in lines if open_still(line)]
        begun = time.monotonic()
        with other.another_line() as line:
            reason = line.call(GET_ME).reason
        slowest = max(slowest, time.monotonic() - begun)
        require(reason == "OK", f"a new client at another address is refused: {reason}")
    time.sleep(0.5)
    held = sum(open_still(line) for line in lines)
    for line in lines:
        line.close()
    require(held <= 512, f"an address has {held} connections")
    require(slowest < 5, f"a new client waited {slowest:.1f} s")
    return {"connections": opened, "held": held, "newcomer s": round(slowest, 3)}


def open_still(line):
    if not line.gone:
        line.read()
    if line.gone:
        line.close()
    return not line.gone


@attack("D5", "10,000 connections from many addresses stay within the memory limit", crowds=True)
def connections_everywhere(target):
    many_files()
    lines = []
    for n in range(10_000):
        # Once all slots are used, even the system's queue is full, and each connection would wait.
        lines.append(Raw(target, target.source(n % 25), patience=0.5))
        if all(line.gone for line in lines[-3:]):
            break
    while target.going_on():
        time.sleep(0.1)
    held = sum(open_still(line) for line in lines)
    for line in lines:
        line.close()
    return {"connections": len(lines), "held": held}


@attack("S2", "40,000 health streams delay no player; the limit is 8 per connection, 256 per address", least=10)
def watches(target):
    many_files()
    block, request = head(WATCH), framed(b"")
    lines, asked, closed = [Raw(target) for _ in range(500)], 0, 0
    while asked < 40_000 or target.going_on():
        for nth, line in enumerate(lines):
            line.read()
            if line.gone:
                closed += 1
                line.close()
                line = lines[nth] = Raw(target)
            streams = [line.stream() for _ in range(20)]
            calls = b"".join(
                frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, request)
                for stream in streams
            )  # fmt: skip
            asked += 20 * line.send(calls, 0.02) // len(calls)
            if asked >= 40_000 and not target.going_on():
                break
    with Connection(target, target.source(1)) as line:
        streams = [line.start(WATCH) for _ in range(20)]
        until = time.monotonic() + 5
        while sum(line.answers[stream].over for stream in streams) < 12 and time.monotonic() < until:
            line.pump(0.1)
        reasons = [line.answers[stream].reason for stream in streams if line.answers[stream].over]
        require(reasons == ["QUOTA_EXCEEDED"] * 12, f"of 20 streams without an account were refused: {reasons}")
    for line in lines:
        line.close()
    require(closed > 0, "a client that ignores all refusals keeps its connection")
    return {"streams": asked, "connections": len(lines), "closed": closed}


@attack("beyond", "a flood of requests for the page is limited and does not affect players", least=3)
def page_flood(target):
    account = Account(target)
    lines, asked, refused = [], 0, 0
    while target.going_on():
        lines = [line for line in lines if not line.gone]
        while len(lines) < 20:
            lines.append(Raw(target, begin=b""))
        for line in lines:
            asked += line.send(b"GET /game/x HTTP/1.1\r\nhost: localhost\r\n\r\n" * 20, 0.02)
            refused += line.read().count(b"HTTP/1.1 429")
        reason = account.call(GET_ME).reason
        require(reason == "OK", f"a player at the same address got {reason}")
        time.sleep(0.05)
    for line in lines:
        line.close()
    require(refused > 0, "no request was limited")
    return {"bytes asked": asked, "refused": refused}


@attack("beyond", "unread files of the page do not block calls from the same address", least=3)
def page_unread(target):
    account = Account(target)
    lines = [Connection(target, window=0, reads=False) for _ in range(40)]
    asked = 0
    while target.going_on():
        for line in lines:
            if not line.lost and asked < 5_000:
                stream = line.h2.get_next_available_stream_id()
                line.h2.send_headers(
                    stream,
                    [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "engine")],
                    end_stream=True,
                )
                line.answers[stream] = Answer()
                line.flush()
                asked += 1
        reason = account.call(GET_ME).reason
        require(reason == "OK", f"a player at the same address got {reason}")
        time.sleep(0.05)
    for line in lines:
        line.close()
    return {"asked": asked}


@attack("beyond", "anonymous viewers are limited and do not affect players", least=3)
def strange_watchers(target):
    account = Account(target)
    request = game_pb2.ListGamesRequest(page_size=200).SerializeToString()
    calls = refused = closed = 0
    line = Connection(target)
    while target.going_on():
        if line.lost:
            line, closed = Connection(target), closed + 1
        for answer in line.burst([(GAME + "ListGames", request, {})] * 100):
            calls += 1
            refused += answer.reason == "RATE_LIMITED"
            require(answer.reason in ("OK", "RATE_LIMITED", "OVERLOADED"), f"{answer.reason} {answer.text}")
        reason = account.call(GET_ME).reason
        require(reason == "OK", f"a player at the same address got {reason}")
    line.close()
    require(refused > 0, "no request was limited")
    return {"calls": calls, "refused": refused, "closed": closed}


@attack("S7", "a page with another host name that resolves to this machine reaches nothing")
def foreign_names(target):
    calls = {
        "the page": b"GET / HTTP/1.1\r\n",
        "a call": b"POST /heliopause.v1.PlayerService/Register HTTP/1.1\r\ncontent-type: application/grpc-web+proto\r\n"
        b"content-length: 5\r\n",
    }
    tried = 0
    while tried == 0 or target.going_on():
        for what, begin in calls.items():
            for name in ("evil.example", f"evil.example:{target.port}", "127.0.0.1.evil.example"):
                host = f"host: {name}\r\nconnection: close\r\n\r\n".encode()
                line, came = Raw(target, begin=begin + host + b"\0" * 5), b""
                until = time.monotonic() + PATIENCE
                while not line.gone and time.monotonic() < until:
                    came += line.read()
                    time.sleep(0.002)
                line.close()
                require(came.startswith(b"HTTP/1.1 421 "), f"{what} for {name} got {came[:80]!r}")
                require(b"--cors-origin" in came, f"the refusal of {what} for {name} does not mention --cors-origin")
                tried += 1
    return {"tried": tried}
