"""Attacks with accounts: tokens, registrations, invitations, hosting."""

import time

from heliopause.v1 import game_pb2, game_master_pb2, player_pb2, table_pb2

from attack import attack, require
from players import AUTOMATED, GAME, GET_ME, MASTER, OPEN, PLAYER, REGISTER, Account, accounts, elsewhere
from wire import Connection, Refused

# The engine's default limits: games of an account, and new accounts of an address per minute.
GAMES, AUTH_LIMIT = 100, 60


@attack("D1", "wrong tokens limit only their sender, not others at the same address", least=2)
def wrong_tokens(target):
    # All accounts have the same address, as behind a router or a proxy.
    players = accounts(target, 4)
    hostile = Connection(target)
    wrong = 0
    while target.going_on():
        # The engine closes the connection of a client that ignores refusals.
        if hostile.lost:
            hostile = Connection(target)
        answers = hostile.burst((GET_ME, b"", {"token": f"hp_{wrong + n:064x}"}) for n in range(50))
        for player in players:
            # A new connection each time, to simulate players who come and go.
            with player.another_line() as line:
                answer = line.call(GET_ME)
            require(answer.reason == "OK", f"a valid token is refused: {answer.reason} {answer.text}")
        reasons = {answer.reason for answer in answers}
        require(reasons <= {"TOKEN_INVALID", "RATE_LIMITED"}, f"wrong tokens get {reasons}")
        wrong += 50
    registered = Account(target, 10)
    require(registered.call(GET_ME).reason == "OK", "registration is not possible")
    return {"wrong tokens": wrong}


@attack("D1", f"an address can create {AUTH_LIMIT} accounts per minute, and does not limit others")
def registrations(target):
    line, reasons, n = Connection(target), {}, 0
    begun = time.monotonic()
    while target.going_on() or n < 200:
        if line.lost:
            line = Connection(target)
        names = [target.name(n + k) for k in range(50)]
        n += 50
        for answer in line.burst((REGISTER, player_pb2.RegisterRequest(name=name), {}) for name in names):
            reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    allowed = AUTH_LIMIT + AUTH_LIMIT * (time.monotonic() - begun) / 60 + 1
    require(reasons.get("OK", 0) <= allowed, f"{reasons['OK']} accounts were created at once")
    require(set(reasons) <= {"OK", "RATE_LIMITED"}, f"registrations get {reasons}")
    elsewhere(target)
    return {"tried": n, "opened": reasons.get("OK", 0)}


@attack("beyond", "the tokens of an account are limited")
def many_tokens(target):
    account = Account(target)
    reasons = {}
    # Create more tokens than the limit allows, even if that takes a while.
    while target.going_on() or sum(reasons.values()) < 200:
        streams = [account.line.start(PLAYER + "CreateToken", player_pb2.CreateTokenRequest(name="t")) for _ in range(20)]
        for answer in account.line.wait(streams):
            reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    made = reasons.get("OK", 0)
    require(reasons.get("QUOTA_EXCEEDED") and made <= 100, f"the number of tokens is not limited: {reasons}")
    return {"made": made}


@attack("D7", f"an account hosts or plays at most {GAMES} games, even with parallel calls", least=1)
def hosting(target):
    account = Account(target)
    lines = [account.another_line() for _ in range(8)]
    made, tried, begun = 0, 0, time.monotonic()
    ways = [{"game_master": True}, {"spectate": True}, {}]
    while tried < 3 * GAMES and time.monotonic() - begun < max(30, target.ends - begun):
        streams = []
        for line in lines:
            for _ in range(8):
                way = ways[tried % 3]
                seats = [OPEN, AUTOMATED] if not way else [AUTOMATED] * 2
                request = game_pb2.CreateGameRequest(kind="starships-at-large", name="Hosted", seats=seats, start_when_full=True, **way)
                streams.append((line, line.start(GAME + "CreateGame", request)))
                tried += 1
        answers = [line.wait([stream])[0] for line, stream in streams]
        made += sum(answer.reason == "OK" for answer in answers)
        require(made <= GAMES, f"one account hosts {made} running games")
        if any(answer.reason == "RATE_LIMITED" for answer in answers):
            tried -= sum(answer.reason == "RATE_LIMITED" for answer in answers)
            time.sleep(0.5)
    return {"tried": tried, "made": made}


@attack("B4", "invitations of an unknown player cannot fill the list of another", least=1)
def invitations(target):
    stranger = elsewhere(target)
    hosts, made, reasons = accounts(target, 3), 0, {}
    plan = game_pb2.SeatPlan(reserved_for=stranger.name)
    begun = time.monotonic()
    for n in range(300):
        host = hosts[n % 3]
        request = game_pb2.CreateGameRequest(kind="starships-at-large", name=f"For you {n}", seats=[OPEN, plan])
        answer = host.call(GAME + "CreateGame", request)
        while answer.reason == "RATE_LIMITED" and time.monotonic() - begun < 20:
            time.sleep(0.2)
            answer = host.call(GAME + "CreateGame", request)
        reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
        made += answer.reason == "OK"
        if reasons.get("QUOTA_EXCEEDED", 0) > 10 or time.monotonic() - begun > max(20, target.ends - begun):
            break
    require(made < 150, f"{made} games have a seat reserved for a player who did not ask: {reasons}")
    return {"reserved": made}


@attack("B2", "a host who plays cannot replace an active opponent")
def seat_taking(target):
    host, victim = accounts(target, 2)
    tried = 0
    while True:
        accomplice = Account(target, 10 + tried)
        game_id = host.create("starships-at-large", [OPEN, OPEN]).game_id
        victim.join(game_id)
        for seat in (1, 2):
            request = game_master_pb2.ReplacePlayerRequest(game_id=game_id, seat=seat, player=accomplice.name)
            answer = host.call(MASTER + "ReplacePlayer", request)
            require(answer.reason not in ("OK", "INTERNAL"), f"a host replaced the player of seat {seat}: {answer.reason}")
        seen = accomplice.call(GAME + "GetOffers", game_pb2.GetOffersRequest(game_id=game_id, seat=2)).reason
        require(seen not in ("OK", "INTERNAL"), f"the accomplice sees what the victim may order: {seen}")
        tried += 1
        if not target.going_on() or tried > 30:
            return {"tried": tried}


@attack("B1", "ratings do not reveal the seats of players during an anonymous game")
def ratings(target):
    players = accounts(target, 2)
    tried = 0

    def dedication(player):
        # Earlier turns may have used up the account's rate limit.
        while True:
            answer = players[0].call(PLAYER + "GetPlayer", player_pb2.GetPlayerRequest(player=player.name))
            if answer.reason != "RATE_LIMITED":
                break
            time.sleep(0.05)
        return answer.message(player_pb2.GetPlayerResponse).player.dedication

    while True:
        pace = table_pb2.Pace(standard=table_pb2.PhasePace())
        pace.standard.interval.seconds = 86_400
        game_id = players[0].create("starships-at-large", [OPEN, OPEN], anonymous=True, pace=pace).game_id
        players[1].join(game_id)
        before = [dedication(player) for player in players]
        turns = 0
        for turn in range(4):
            for player in players:
                turns += player.submit(game_id, "end", f"end-{tried}-{turn}").reason == "OK"
        after = [dedication(player) for player in players]
        require(turns > 0, "no turn could be ended")
        require(before == after, f"after {turns} turns of an anonymous game the ratings went from {before} to {after}")
        tried += 1
        if not target.going_on() or tried > 20:
            return {"games": tried}


@attack("beyond", "changing tokens while they are used gives only typed answers")
def token_churn(target):
    account = Account(target)
    spare = account.another_line()
    reasons = {}
    while target.going_on():
        streams = [spare.start(GET_ME) for _ in range(20)]
        answer = account.call(PLAYER + "RotateToken", player_pb2.RotateTokenRequest())
        try:
            account.token = account.line.token = spare.token = answer.message(player_pb2.RotateTokenResponse).secret
        except Refused as refused:
            require(refused.reason == "RATE_LIMITED", f"a token cannot be rotated: {refused}")
            time.sleep(0.2)
        for answer in spare.wait(streams):
            reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    require(set(reasons) <= {"OK", "TOKEN_INVALID", "RATE_LIMITED"}, f"concurrent calls get {reasons}")
    return {"calls": sum(reasons.values())}
