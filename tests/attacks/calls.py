"""Attacks with expensive calls and with messages that are too large."""

import gzip
import struct
import time

from heliopause.diplomacy.v1 import adjudication_pb2
from heliopause.star_empires.v1 import options_pb2
from heliopause.v1 import envelope_pb2, game_pb2, game_master_pb2, player_pb2, table_pb2

from attack import attack, require
from offered import first_lines
from players import AUTOMATED, GAME, GET_ME, MASTER, OPEN, REGISTER, Account, accounts, elsewhere
from wire import Connection, framed

MESSAGE = 4 << 20
VALIDATE, PARSE, SUBMIT = GAME + "ValidateOrders", GAME + "ParseOrders", GAME + "SubmitOrders"
# The number of seats for one game of each kind of notation.
KINDS = {"starships-at-large": 2, "star-empires": 2, "stellar-conquest": 2, "diplomacy": 7, "it-came-from-outer-space": 2}


def refusal(answer, *reasons):
    require(answer.reason in reasons, f"expected {' or '.join(reasons)}, but got {answer.reason}: {answer.text[:200]}")
    require(len(answer.text) < 2_000, f"a refusal has {len(answer.text)} characters")


def lines_of(game_id, text):
    orders = game_pb2.Orders(text=text)
    return [
        (VALIDATE, game_pb2.ValidateOrdersRequest(game_id=game_id, orders=orders)),
        (PARSE, game_pb2.ParseOrdersRequest(game_id=game_id, text=text)),
    ]


def own_games(account):
    games = []
    for kind, seats in KINDS.items():
        games.append(account.create(kind, [OPEN] + [AUTOMATED] * (seats - 1)).game_id)
    return games


@attack("D3", "4 MB of lines are refused before parsing; 10,000 lines delay no other account", least=3)
def end_lines(target):
    account, other = Account(target), elsewhere(target)
    game_ids = own_games(account)
    calls = slowest = 0
    for path, request in lines_of(game_ids[0], "end\n" * (MESSAGE // 4 - 100)):
        refusal(account.call(path, request), "INVALID_FIELD", "RATE_LIMITED")
    while target.going_on():
        for game_id in game_ids:
            streams = [account.line.start(path, request) for path, request in lines_of(game_id, "end\n" * 10_000)]
            begun = time.monotonic()
            reason = other.call(GET_ME).reason
            require(reason == "OK", f"another account is refused: {reason}")
            slowest = max(slowest, time.monotonic() - begun)
            # Stay within the rate limit of 200 calls per second.
            time.sleep(0.02)
            for answer in account.line.wait(streams):
                refusal(answer, "OK", "MALFORMED_ORDER", "RATE_LIMITED", "QUOTA_EXCEEDED", "INVALID_FIELD")
            calls += 2
    require(slowest < 2, f"another waited {slowest:.1f} s for GetMe")
    return {"calls": calls, "other's slowest s": round(slowest, 3)}


def long_game(account, entries):
    """Creates a game with this number of journal entries. The account is the game master."""
    game = account.create("starships-at-large", [AUTOMATED] * 2, game_master=True, automaton_level="standard")
    toggle = [
        (MASTER + "PauseGame", game_master_pb2.PauseGameRequest(game_id=game.game_id)),
        (MASTER + "ResumeGame", game_master_pb2.ResumeGameRequest(game_id=game.game_id)),
    ]
    for _ in range(entries // 2):
        for answer in account.line.all(toggle, 1):
            require(answer.reason in ("OK", "RATE_LIMITED"), f"a game master cannot pause: {answer.reason} {answer.text}")
    return game.game_id


@attack("D6", "expensive calls of an account do not delay another's GetHistory by a second", least=3)
def costly_calls(target):
    account, other = Account(target), elsewhere(target)
    game_id = long_game(account, 200)
    theirs = long_game(other, 20)
    situation = adjudication_pb2.Situation(movement=adjudication_pb2.MovementPhase())
    calls = [
        (GAME + "VerifyGame", game_pb2.VerifyGameRequest(game_id=game_id)),
        (GAME + "ExportGame", game_pb2.ExportGameRequest(game_id=game_id)),
        (GAME + "ListGames", game_pb2.ListGamesRequest(search="a", page_size=200)),
        (MASTER + "ExportPosition", game_master_pb2.ExportPositionRequest(game_id=game_id)),
        ("/heliopause.diplomacy.v1.AdjudicationService/Adjudicate",
         adjudication_pb2.AdjudicateRequest(situations=[situation] * 100)),
    ]  # fmt: skip
    sent = taken = 0
    slowest = 0.0
    while target.going_on():
        lines = [account.another_line() for _ in range(4)]
        streams = [(line, line.start(path, request)) for line in lines for path, request in calls * 3]
        sent += len(streams)
        begun = time.monotonic()
        answer = other.call(GAME + "GetHistory", game_pb2.GetHistoryRequest(game_id=theirs))
        slowest = max(slowest, time.monotonic() - begun)
        require(answer.reason == "OK", f"another's GetHistory is refused: {answer.reason}")
        for line, stream in streams:
            taken += line.wait([stream])[0].reason == "OK"
        for line in lines:
            line.close()
    require(slowest < 1, f"another's GetHistory took {slowest:.1f} s")
    return {"calls": sent, "answered": taken, "other's slowest s": round(slowest, 3)}


@attack("D4", "messages over the size limit are refused, and the memory for many large ones is bounded", least=2)
def giant_messages(target):
    account = Account(target)
    answer = account.call(GET_ME, b"\xfa\x3e" + bytes(MESSAGE + 1))
    refusal(answer, "MESSAGE_TOO_LARGE")
    # A message of the maximum size that consists of an unknown field.
    unknown = b"\xfa\x3e" + bytes([0xF0, 0xFF, 0xFF, 0x01]) + bytes(MESSAGE - 16 - 6)
    require(account.call(GET_ME, unknown).reason in ("OK", "INVALID_FIELD"), "an unknown field is neither accepted nor refused")
    lines = [account.another_line() for _ in range(16)]
    sent, reasons = 0, {}
    while target.going_on():
        streams = [(line, line.begin(GET_ME)) for line in lines]
        for line, stream in streams:
            # Omit the last byte, so that the message stays in memory until the engine gives up.
            line.send(stream, framed(unknown)[:-1], end=False)
            sent += 1
        for line, stream in streams:
            for answer in line.wait([stream], 0.05):
                reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    for line in lines:
        line.close()
    require("RATE_LIMITED" in reasons, f"no large request was refused: {reasons}")
    return {"messages": sent, "refused": reasons.get("RATE_LIMITED", 0)}


@attack("beyond", "deeply nested messages are refused")
def deep_messages(target):
    account = Account(target)
    # Nested groups of an unknown field, and a field that is nested in 2,000 messages.
    groups = b"\xfb\x3e" * 200_000 + b"\xfc\x3e" * 200_000
    nested = b""
    for _ in range(2_000):
        nested = b"\x1a" + varint(len(nested)) + nested
    calls = 0
    while target.going_on():
        for path in (GET_ME, GAME + "CreateGame", GAME + "SubmitOrders"):
            refusal(account.call(path, groups), "INVALID_FIELD", "RATE_LIMITED")
            answer = account.call(path, nested)
            refusal(answer, "INVALID_FIELD", "RATE_LIMITED", *(["OK"] if path == GET_ME else ["GAME_NOT_FOUND"]))
            calls += 2
    return {"calls": calls}


def varint(number):
    encoded = bytearray()
    while number > 127:
        encoded.append(number & 127 | 128)
        number >>= 7
    return bytes(encoded + bytes([number]))


def bomb(encoding, size):
    """Compresses `size` zeros to a few kilobytes. Builds zstd by hand for Python before 3.14."""
    if encoding == "gzip":
        return gzip.compress(bytes(size), 9)
    # RFC 8878: a frame without its size, a window of 1 MiB, and RLE blocks of 128 KiB.
    block, frame = 1 << 17, bytearray(b"\x28\xb5\x2f\xfd\x00\x50")
    blocks = size // block
    for nth in range(blocks):
        frame += struct.pack("<I", block << 3 | 1 << 1 | (nth == blocks - 1))[:3] + b"\0"
    return bytes(frame)


@attack("contract 11", "compressed gigabytes are refused without using memory", least=2)
def bombs(target):
    account = Account(target)
    refused = {}
    wide = b"\x28\xb5\x2f\xfd\x00\x88" + struct.pack("<I", 1 << 17 << 3 | 3)[:3] + b"\0"
    cases = [
        # A frame without data that requests a window of 128 MiB.
        ("zstd", framed(wide, 1), "INVALID_FIELD"),
        ("gzip", framed(bomb("gzip", 1 << 16)[:40], 1), "INVALID_FIELD"),
        ("gzip", framed(gzip.compress(b"") * 10_000, 1), "INVALID_FIELD"),
        ("br", framed(b"whatever", 1), "UNKNOWN_ENCODING"),
        (None, framed(gzip.compress(b""), 1), "INVALID_FIELD"),
        ("gzip", framed(bomb("gzip", 1 << 30), 1), "MESSAGE_TOO_LARGE"),
        ("zstd", framed(bomb("zstd", 1 << 32), 1), "MESSAGE_TOO_LARGE"),
    ]
    while True:
        with Connection(target, target.source(1)) as line:
            streams = []
            for encoding, data, expected in cases * 8:
                head = [("grpc-encoding", encoding)] if encoding else []
                stream = line.begin(GAME + "GetGame", token=account.token, headers=head)
                line.send(stream, data)
                streams.append((stream, expected))
            for stream, expected in streams:
                answer = line.wait([stream])[0]
                refusal(answer, expected, "RATE_LIMITED", "OVERLOADED")
                refused[answer.reason] = refused.get(answer.reason, 0) + 1
            # The limits also apply without an account.
            for encoding in ("gzip", "zstd"):
                stream = line.begin("/heliopause.v1.PlayerService/Register", headers=[("grpc-encoding", encoding)])
                line.send(stream, framed(bomb(encoding, 1 << 28), 1))
                refusal(line.wait([stream])[0], "MESSAGE_TOO_LARGE", "RATE_LIMITED", "OVERLOADED")
        if not target.going_on():
            return refused


@attack("D8", "every repeated field is limited, and the refusal names it", least=2)
def many_values(target):
    account = Account(target)
    game_id = account.create().game_id
    seats = game_pb2.SendMessageRequest(game_id=game_id, to_seats=[1] * 4_000_000, text="x")
    pace = table_pb2.Pace(standard=table_pb2.PhasePace(weekdays=[1] * 4_000_000))
    plans = game_pb2.CreateGameRequest(kind="star-empires", seats=[OPEN] * 500_000)
    orders = game_pb2.Orders(orders=[envelope_pb2.GameOrder()] * 500_000)
    cases = [
        (GAME + "SendMessage", seats, "to_seats"),
        (GAME + "CreateGame", game_pb2.CreateGameRequest(kind="diplomacy", pace=pace), "pace.standard.weekdays"),
        (GAME + "CreateGame", plans, "seats"),
        (VALIDATE, game_pb2.ValidateOrdersRequest(game_id=game_id, orders=orders), "orders.orders"),
        (GAME + "SendMessage", game_pb2.SendMessageRequest(game_id=game_id, text="x" * 400_000), "text"),
        (GAME + "GetGame", game_pb2.GetGameRequest(game_id="x" * 400_000), "game_id"),
    ]
    calls = 0
    while True:
        for path, request, field in cases:
            if account.line.lost:
                # A client that sends for too long without answering pings is disconnected.
                account.line = account.another_line()
            answer = account.call(path, request)
            if answer.lost:
                continue
            refusal(answer, "INVALID_FIELD", "RATE_LIMITED")
            named = answer.fields[:1]
            require(answer.reason == "RATE_LIMITED" or named == [field], f"{path} names {named}, not {field}")
            calls += 1
            time.sleep(0.2)
        if not target.going_on():
            return {"calls": calls}


@attack("B0", "resolved orders of a list stay after a refusal, and a retry gets the same answer")
def lists(target):
    tried = 0
    account = Account(target)
    while True:
        game_id = account.create("starships-at-large", [OPEN, OPEN] if tried % 2 else [OPEN]).game_id
        if tried % 2:
            Account(target, tried + 1).join(game_id)
        request = game_pb2.GetOffersRequest(game_id=game_id)
        asked = account.succeed(GAME + "GetOffers", request, game_pb2.GetOffersResponse)
        first = next((line for line in first_lines(asked.offers) if line != "end"), None)
        tried += 1
        if first:
            before = account.view(game_id)
            answer = account.submit(game_id, f"{first}\nattack A1 base of A", f"list-{tried}")
            if answer.reason == "RATE_LIMITED":
                time.sleep(0.1)
                continue
            taken = answer.message(game_pb2.SubmitOrdersResponse)
            after = account.view(game_id)
            require(taken.accepted_count == 1 and taken.refused.refusal, f"of two orders {taken.accepted_count} were accepted: {taken.refused}")
            require(after.cursor.number > before.cursor.number, "the resolved order published no event")
        # Stop below the limit of 100 games per account.
        if not target.going_on() or tried == 90:
            return {"lists": tried}


@attack("B3", "only the game master may verify a running game, so its duration reveals nothing")
def timing(target):
    account = Account(target)
    game_id = account.create("diplomacy", [OPEN] + [AUTOMATED] * 6).game_id
    calls = 0
    while True:
        answer = account.call(GAME + "VerifyGame", game_pb2.VerifyGameRequest(game_id=game_id))
        refusal(answer, "ROLE_CONFLICT", "NOT_YOUR_SEAT", "WRONG_STATUS", "ROLE_REQUIRED", "RATE_LIMITED")
        calls += 1
        if not target.going_on():
            return {"calls": calls}


@attack("C1", "every refusal has a reason and quotes at most 100 characters of the request")
def long_quotes(target):
    account = Account(target)
    game_ids = own_games(account)
    calls = 0
    while True:
        for game_id in game_ids:
            for text in ("x" * 200_000, "\u202e\u2066" * 10_000, '"' * 50_000, "move " + "(" * 100_000, "é\n" * 5_000):
                for path, request in lines_of(game_id, text):
                    answer = account.call(path, request)
                    refusal(answer, "OK", "MALFORMED_ORDER", "INVALID_FIELD", "RATE_LIMITED", "QUOTA_EXCEEDED")
                    calls += 1
        # Without an account, messages are limited to 64 KiB.
        for length, reason in ((50_000, "INVALID_FIELD"), (200_000, "MESSAGE_TOO_LARGE")):
            with Connection(target) as line:
                refusal(line.call(REGISTER, player_pb2.RegisterRequest(name="x" * length)), reason, "RATE_LIMITED")
        if not target.going_on():
            return {"calls": calls}


@attack("C2", "names and messages with invisible or reordering characters are refused")
def disguises(target):
    account = Account(target)
    signs = {f"U+{ord(sign):04X}": sign for sign in "\u202e\u2066\u200b\ufeff\u2028\U000e0041"}
    tried = 0
    while True:
        for name, sign in signs.items():
            request = game_pb2.CreateGameRequest(kind="starships-at-large", name=f"A{sign}game", seats=[OPEN])
            answer = account.call(GAME + "CreateGame", request)
            require(answer.reason in ("INVALID_FIELD", "RATE_LIMITED"), f"a game's name with {name}: {answer.reason}")
            with Connection(target, target.source(1)) as line:
                answer = line.call(REGISTER, player_pb2.RegisterRequest(name=f"A{sign}n{tried}"))
            require(answer.reason in ("INVALID_FIELD", "RATE_LIMITED"), f"a player's name with {name}: {answer.reason}")
            tried += 2
        if not target.going_on():
            return {"names": tried}


@attack("beyond", "many of the largest galaxies stay within the memory limit", least=4)
def galaxies(target):
    options = envelope_pb2.GameOptions(star_empires=options_pb2.Options(radius=200, world_percent=100))
    hosts, made, refused = accounts(target, 4), [], {}
    while target.going_on():
        for host in hosts:
            seats = [OPEN] + [AUTOMATED] * 59
            request = game_pb2.CreateGameRequest(
                kind="star-empires", name="Large", seats=seats, start_when_full=True, options=options
            )
            answer = host.call(GAME + "CreateGame", request)
            if answer.reason == "OK":
                made.append((host, answer.message(game_pb2.CreateGameResponse).game.game_id))
            else:
                refused[answer.reason] = refused.get(answer.reason, 0) + 1
        # Views keep the games in memory.
        for host, game_id in made[-40:]:
            host.line.cancel(host.line.start(GAME + "GetView", game_pb2.GetViewRequest(game_id=game_id)))
    return {"games": len(made), **{f"refused {reason}": count for reason, count in refused.items()}}


@attack("beyond", "players who send as many messages as possible do not fill the memory", least=2)
def many_letters(target):
    account, other = accounts(target, 2)
    game_id = account.create("diplomacy", [OPEN, OPEN] + [AUTOMATED] * 5).game_id
    other.join(game_id)
    text = "\U0001f680" * 4_000
    letter = game_pb2.SendMessageRequest(game_id=game_id, to_all=True, text=text)
    sent, reasons = 0, {}
    while target.going_on():
        streams = [(who, who.line.start(GAME + "SendMessage", letter)) for who in (account, other) for _ in range(20)]
        for who, stream in streams:
            reason = who.line.wait([stream])[0].reason
            reasons[reason] = reasons.get(reason, 0) + 1
            sent += reason == "OK"
    require("no status" not in " ".join(reasons), f"a message was lost: {reasons}")
    return {"letters": sent, "bytes": sent * 16_000}


@attack("S1", "only senders, receivers and the game master read messages, even after the game")
def letters(target):
    master, sender, receiver, opponent = accounts(target, 4)
    stranger, nobody = elsewhere(target), Connection(target)
    tried = 0
    while True:
        game_id = master.create("diplomacy", [OPEN] * 3 + [AUTOMATED] * 4, game_master=True, seats_in_order=True).game_id
        seats = [account.join(game_id).your_seat for account in (sender, receiver, opponent)]
        texts = [f"{target.name()} {what} {tried}" for what in ("a plan", "a promise")]
        for text in texts:
            letter = game_pb2.SendMessageRequest(game_id=game_id, to_seats=seats[1:2], text=text, request_id=f"named {text}")
            sender.succeed(GAME + "SendMessage", letter, game_pb2.SendMessageResponse)
        ended = game_master_pb2.DeclareOutcomeRequest(game_id=game_id, winners=seats[:1])
        master.succeed(MASTER + "DeclareOutcome", ended, game_master_pb2.DeclareOutcomeResponse)
        export = (GAME + "ExportGame", game_pb2.ExportGameRequest(game_id=game_id))
        looks = [
            export,
            (GAME + "VerifyGame", game_pb2.VerifyGameRequest(game_id=game_id)),
            *((GAME + "GetHistory", game_pb2.GetHistoryRequest(game_id=game_id, revealed=all, page_size=200)) for all in (False, True)),
            *((GAME + "GetReport", game_pb2.GetReportRequest(game_id=game_id, revealed=all)) for all in (False, True)),
            *((GAME + "GetView", game_pb2.GetViewRequest(game_id=game_id, revealed=all)) for all in (False, True)),
            *((GAME + "Explain", game_pb2.ExplainRequest(game_id=game_id, event=event)) for event in range(1, 12)),
            (GAME + "ListMessages", game_pb2.ListMessagesRequest(game_id=game_id)),
        ]
        for who, line in (("an opponent", opponent), ("another account", stranger), ("an anonymous caller", nobody)):
            require(line.call(*export).reason == "OK", f"{who} cannot export a game that is over")
            for path, request in looks:
                data = bytes(line.call(path, request).data)
                found = [text for text in texts if text.encode() in data]
                require(not found, f"{who} reads {found} by {path}")
        for who, account in (("the sender", sender), ("the receiver", receiver), ("the game master", master)):
            data = bytes(account.call(*export).data)
            require(all(text.encode() in data for text in texts), f"{who} cannot read their own messages")
            require(b"named " not in data, f"{who} reads request ids")
        tried += 1
        if not target.going_on():
            return {"games": tried, "calls": tried * 3 * len(looks)}


@attack("beyond", "sheets of 5,000 lines for all seats of many games stay within the memory limit", least=3)
def long_sheets(target):
    everybody = accounts(target, 4)
    sheet = "TOGGLE public ALL\n" * 4_999
    games, given, reasons = [], 0, {}
    while target.going_on():
        host = everybody[len(games) % 4]
        answer = host.call(GAME + "CreateGame", game_pb2.CreateGameRequest(
            kind="star-empires", name="Sheets", seats=[OPEN] * 4, start_when_full=True
        ))  # fmt: skip
        if answer.reason != "OK":
            time.sleep(0.2)
            continue
        games.append(answer.message(game_pb2.CreateGameResponse).game.game_id)
        for player in everybody:
            if player is not host:
                player.call(GAME + "JoinGame", game_pb2.JoinGameRequest(game_id=games[-1]))
        for nth, player in enumerate(everybody):
            view = player.call(GAME + "GetView", game_pb2.GetViewRequest(game_id=games[-1]))
            if view.reason != "OK":
                continue
            view = view.message(game_pb2.GetViewResponse)
            request = game_pb2.SubmitOrdersRequest(
                game_id=games[-1], phase=view.phase, revision=view.revision, request_id=f"sheet-{given}-{nth}",
                orders=game_pb2.Orders(text=sheet),
            )  # fmt: skip
            reason = player.call(SUBMIT, request).reason
            reasons[reason] = reasons.get(reason, 0) + 1
            given += 1
    require(reasons.get("OK"), f"no sheet was accepted: {reasons}")
    return {"games": len(games), "sheets": given, **reasons}
