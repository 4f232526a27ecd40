"""Attacks with unread responses and endless streams."""

import time

from heliopause.v1 import event_pb2, game_pb2

from attack import attack, require
from players import AUTOMATED, GAME, GET_ME, OPEN, Account, accounts, elsewhere
from protocol import many_files
from wire import (
    DATA, END_HEADERS, END_STREAM, HEADERS, PREFACE, RST_STREAM, SETTINGS, WINDOW_UPDATE, Connection, Raw, frame, framed,
    head,
)  # fmt: skip

NO_WINDOW = PREFACE + frame(SETTINGS, 0, 0, b"\x00\x04" + bytes(4))
REFLECTION = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
# The timeout of a stalled answer, and the time to detect it.
STANDSTILL, NOTICED = 60, 12


def large_game(account):
    return account.create("star-empires", [OPEN] + [AUTOMATED] * 29).game_id


def large_calls(game_id):
    return [
        (GAME + "GetView", game_pb2.GetViewRequest(game_id=game_id)),
        (GAME + "GetOffers", game_pb2.GetOffersRequest(game_id=game_id)),
        (GAME + "GetHistory", game_pb2.GetHistoryRequest(game_id=game_id, page_size=1_000)),
        (GAME + "StreamEvents", game_pb2.StreamEventsRequest(game_id=game_id, after=event_pb2.Cursor())),
        (GAME + "ListKinds", game_pb2.ListKindsRequest()),
    ]


def bytes_of(line, token, calls):
    sent = b""
    for path, request in calls:
        stream = line.stream()
        sent += frame(HEADERS, END_HEADERS, stream, head(path, token)) + frame(DATA, END_STREAM, stream, framed(request))
    return sent


@attack("D4", f"a connection that does not read its answers is closed after {STANDSTILL} s", least=STANDSTILL + NOTICED + 3, waits=True)
def window_of_zero(target):
    account = Account(target)
    game_id = large_game(account)
    # These connections only answer pings.
    lines = [account.another_line(window=0, reads=False) for _ in range(8)]
    for line in lines:
        for path, request in large_calls(game_id):
            line.start(path, request)
    begun = time.monotonic()
    while (still := [line for line in lines if not line.lost]) and target.going_on():
        time.sleep(0.5)
        for line in still:
            line.pump()
    took = time.monotonic() - begun
    require(not still, f"{len(still)} of {len(lines)} connections without a window are open after {took:.0f} s")
    require(took > STANDSTILL / 2, f"the connections were closed after only {took:.0f} s")
    return {"closed after s": round(took)}


@attack("D4", "unread answers are bounded per account, per address and in total", least=3)
def unread_answers(target):
    players = accounts(target, 12)
    game_ids = [large_game(player) for player in players[:4]]
    lines, calls = [], 0
    other = elsewhere(target)
    while target.going_on():
        for player in players:
            line = Raw(target, player.source, begin=NO_WINDOW)
            # Make as many calls as an account may have at once. The windows of the calls stay
            # closed.
            own = [call for game_id in game_ids for call in large_calls(game_id)] * 3
            line.send(bytes_of(line, player.token, own))
            calls += len(own)
            lines.append(line)
        if len(lines) > 200:
            lines.pop(0).close()
        reason = other.call(GET_ME).reason
        require(reason == "OK", f"another account is refused: {reason}")
    for line in lines:
        line.close()
    return {"calls": calls, "connections": len(lines)}


@attack("D4", "a client that reads byte by byte stays within its limits", least=1)
def slow_readers(target):
    account = Account(target)
    game_id = large_game(account)
    line = Raw(target, begin=NO_WINDOW)
    line.send(bytes_of(line, account.token, large_calls(game_id) * 10))
    grown = 0
    while target.going_on() and not line.gone:
        line.send(b"".join(frame(WINDOW_UPDATE, 0, stream, b"\0\0\0\1") for stream in range(1, 100, 2)))
        line.read()
        grown += 50
        time.sleep(0.05)
    line.close()
    return {"bytes allowed": grown}


@attack("D4", "subscribers that stop reading use only their slot", least=2)
def unread_streams(target):
    players = accounts(target, 8)
    game_id = players[0].create("diplomacy", [OPEN] * 7).game_id
    for player in players[1:7]:
        player.join(game_id)
    request = framed(game_pb2.StreamEventsRequest(game_id=game_id, after=event_pb2.Cursor()))
    lines = []
    for player in players[:7]:
        line = Raw(target, player.source)
        block = head(GAME + "StreamEvents", player.token)
        for _ in range(64):
            stream = line.stream()
            line.send(frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, request))
        lines.append(line)
    told = 0
    letter = game_pb2.SendMessageRequest(game_id=game_id, to_all=True, text="x" * 4_000)
    while target.going_on():
        streams = [(player, player.line.start(GAME + "SendMessage", letter)) for player in players[:7]]
        told += sum(player.line.wait([stream])[0].reason == "OK" for player, stream in streams)
    for line in lines:
        line.close()
    return {"streams": 64 * 7, "events": told, "bytes owed": told * 64 * 7 * 4_000}


@attack("D5", "an account has at most 64 streams, and closing one frees a slot")
def many_streams(target):
    account = Account(target)
    lines = [account.another_line() for _ in range(2)]
    opened = [(lines[n % 2], lines[n % 2].start(GAME + "StreamMyGames")) for n in range(80)]
    until = time.monotonic() + 5
    while time.monotonic() < until and sum(line.answers[stream].over for line, stream in opened) < 16:
        for line in lines:
            line.pump(0.05)
    over = [line.answers[stream].reason for line, stream in opened if line.answers[stream].over]
    require(over == ["QUOTA_EXCEEDED"] * 16, f"of 80 streams these were refused: {over}")
    churned = 0
    while target.going_on():
        line, stream = next((line, stream) for line, stream in opened if stream in line.answers and not line.answers[stream].over)
        line.cancel(stream)
        opened.remove((line, stream))
        opened.append((line, line.start(GAME + "StreamMyGames")))
        # Within the rate limit, because a rate-limited refusal would not show a freed slot.
        line.pump(0.05)
        churned += 1
    for line in lines:
        line.close()
    return {"streams": 64, "opened anew": churned}


@attack("beyond", "unread reflection answers of anonymous callers stay bounded", least=2)
def reflection(target):
    # The call file_containing_symbol returns the contract's file with its dependencies.
    symbol = b"\x22\x19heliopause.v1.GameService"
    request = framed(symbol) * 200
    many_files()
    lines, asked = [], 0
    while target.going_on():
        if len(lines) > 4_000:
            lines.pop(0).close()
        line = Raw(target, target.source(len(lines) // 500), begin=NO_WINDOW)
        for _ in range(8):
            stream = line.stream()
            line.send(frame(HEADERS, END_HEADERS, stream, head(REFLECTION)))
            for _ in range(5):
                line.send(frame(DATA, 0, stream, request[:16_000]))
            asked += 1_000
        lines.append(line)
    with Connection(target, target.source(200)) as line:
        answers = line.wait([line.start(REFLECTION, symbol) for _ in range(8)], 5)
        reasons = {answer.reason for answer in answers}
        require(reasons <= {"OK", "OVERLOADED", "RATE_LIMITED"}, f"reflection requests got {reasons}")
    for line in lines:
        line.close()
    return {"connections": len(lines), "questions": asked}


@attack("beyond", "streams that are opened and closed rapidly leave nothing behind", least=1)
def stream_churn(target):
    account = Account(target)
    game_id = large_game(account)
    block = head(GAME + "StreamEvents", account.token)
    request = framed(game_pb2.StreamEventsRequest(game_id=game_id, after=event_pb2.Cursor()))
    opened = 0
    while target.going_on():
        line = Raw(target)
        while target.going_on() and not line.gone:
            stream = line.stream()
            line.send(frame(HEADERS, END_HEADERS, stream, block) + frame(DATA, END_STREAM, stream, request))
            if stream > 20:
                line.send(frame(RST_STREAM, 0, stream - 20, b"\0\0\0\x08"))
            line.read()
            opened += 1
            time.sleep(0.002)
        line.close()
    return {"streams": opened}
