"""Attacks on an engine with a sandbox, which has no rate limits."""

import uuid

from heliopause.v1 import sandbox_pb2

from attack import attack, require
from players import Account

SANDBOX = "/heliopause.v1.SandboxService/"
# The largest game of Star Empires, and the number of concurrent callers.
EMPIRES, CALLERS = 60, 8


def creation():
    request = sandbox_pb2.CreateSandboxGameRequest(
        kind="star-empires", name="Large", players=EMPIRES, request_id=str(uuid.uuid4())
    )
    return SANDBOX + "CreateSandboxGame", request


def keep_busy(target, account, next_call):
    """Lets several callers make one call after the other, and counts the answers."""
    lines = [account.another_line() for _ in range(CALLERS)]
    pending, reasons = {}, {}
    while target.going_on():
        for nth, line in enumerate(lines):
            if nth not in pending:
                pending[nth] = line.start(*next_call(nth))
            line.pump(0.005)
            require(not line.lost, f"the connection was closed: {line.lost}")
            if line.answers[pending[nth]].over:
                answer = line.answers.pop(pending.pop(nth))
                require(answer.reason in ("OK", "OVERLOADED"), f"{answer.reason}: {answer.text}")
                reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
    for line in lines:
        line.close()
    require(reasons.get("OK"), f"no call succeeded: {reasons}")
    return reasons


@attack("S10", f"{CALLERS} callers that close phases of {EMPIRES} empires delay no other player", least=10, sandbox=True)
def large_phases(target):
    account = Account(target)
    kind = sandbox_pb2.CreateSandboxGameResponse
    games = [account.succeed(*creation(), kind).game.game_id for _ in range(CALLERS)]

    def close(nth):
        request = sandbox_pb2.CloseSandboxPhaseRequest(game_id=games[nth], request_id=str(uuid.uuid4()))
        return SANDBOX + "CloseSandboxPhase", request

    return keep_busy(target.for_seconds(max(10, target.left())), account, close)


@attack("S10", f"{CALLERS} callers that create games of {EMPIRES} empires delay no other player", least=10, sandbox=True)
def large_games(target):
    return keep_busy(target, Account(target), lambda _: creation())
