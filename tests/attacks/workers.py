"""Attacks by workers, and by hosts that keep workers busy."""

import contextlib
import time

from heliopause.v1 import automation_pb2, game_pb2

from attack import attack, require
from players import AUTOMATED, GAME, OPEN, WORK, Account, elsewhere
from wire import Connection, framed

KIND = "star-empires"


class Worker:
    """A worker that follows a script, valid or not."""

    def __init__(self, target, capacity, kind=KIND, nth=0):
        self.line = Connection(target, target.source(nth), token=target.worker_token)
        self.stream = self.line.begin(WORK)
        profiles = [
            automation_pb2.WorkerProfile(kind=kind, profile=profile, levels=["random", "standard", "strong"])
            for profile in {"star-empires": ["emperor"], "starships-at-large": ["captain"]}[kind]
        ]
        hello = automation_pb2.Hello(worker="hostile", profiles=profiles, capacity=capacity)
        self.say(hello=hello)

    def say(self, **message):
        self.line.send(self.stream, framed(automation_pb2.WorkRequest(**message)), end=False)

    def hear(self, seconds=0.05):
        self.line.pump(seconds)
        answer = self.line.answers[self.stream]
        messages = answer.messages(automation_pb2.WorkResponse)
        taken = sum(5 + message.ByteSize() for message in messages)
        del answer.data[:taken]
        require(not answer.over, f"the stream ended: {answer.reason} {answer.text}")
        return messages

    def close(self):
        self.line.close()


def hosted(account, games, seats):
    made, begun = 0, time.monotonic()
    while made < games and time.monotonic() - begun < 30:
        request = game_pb2.CreateGameRequest(
            kind=KIND, name="Busy", seats=[OPEN] + [AUTOMATED] * (seats - 1), start_when_full=True
        )
        answer = account.call(GAME + "CreateGame", request)
        if answer.reason == "RATE_LIMITED":
            time.sleep(0.1)
            continue
        if answer.reason == "QUOTA_EXCEEDED":
            break
        require(answer.reason == "OK", f"a game cannot be created: {answer.reason} {answer.text}")
        made += 1
    return made


@attack("D9", "60 games of 59 automated seats do not delay another host's first lease by a second", least=4)
def busy_host(target):
    busy, other = Account(target), elsewhere(target)
    made = hosted(busy, 60, 60)
    worker = Worker(target, 4)
    answered, asked_at, theirs, waited = 0, None, None, None
    begun = time.monotonic()
    # Only the time since the other host's game counts, because a slow machine may start slowly.
    until = max(target.ends, begun + 30)
    while time.monotonic() < until and waited is None or target.going_on():
        for message in worker.hear(0.01):
            if not message.HasField("lease"):
                continue
            lease = message.lease
            if lease.game_id == theirs and waited is None:
                waited = time.monotonic() - asked_at
            # Limit the rate to 100 answers per second, about the rate of one real worker.
            time.sleep(0.01)
            worker.say(answer=automation_pb2.Answer(lease=lease.lease, orders=game_pb2.Orders(text=""), ready=True))
            answered += 1
        if asked_at is None and answered >= 20:
            asked_at = time.monotonic()
            theirs = other.create(KIND, [OPEN, AUTOMATED]).game_id
    worker.close()
    require(waited is not None, f"no lease of the other host's game arrived within {time.monotonic() - (asked_at or begun):.1f} s")
    require(waited < 1, f"the other host's first lease arrived after {waited:.2f} s")
    return {"games": made, "answers": answered, "first lease s": round(waited, 3)}


@attack("D10", "a lease ends after 20 times its duration, however often it is renewed", least=2)
def endless_leases(target):
    account = Account(target)
    hosted(account, 2, 3)
    worker = Worker(target, 8)
    leases, renewed, revoked, longest = {}, 0, 0, None
    begun = time.monotonic()
    while target.going_on() or not leases and time.monotonic() - begun < 10:
        for message in worker.hear(0.2):
            match message.WhichOneof("message"):
                case "welcome":
                    usual, longest = message.welcome.lease_time.seconds, message.welcome.longest_lease.seconds
                    require(0 < longest <= 20 * usual, f"a lease of {usual} s may last up to {longest} s")
                case "lease":
                    leases[message.lease.lease.lease_id] = (message.lease.lease, time.monotonic())
                case "revoked":
                    lease = leases.pop(message.revoked.lease.lease_id, None)
                    revoked += 1
                    early = lease is not None and time.monotonic() - lease[1] < longest - 2
                    require(not early, f"a renewed lease was revoked early: {message.revoked.reason}")
        for lease, given in leases.values():
            worker.say(renew=automation_pb2.Renew(lease=lease))
            renewed += 1
            held = time.monotonic() - given
            require(longest is None or held < longest + 35, f"a lease is held for {held:.0f} s")
        time.sleep(0.5)
    worker.close()
    require(leases or revoked, "no lease arrived")
    return {"renewed": renewed, "revoked": revoked}


@attack("beyond", "a worker that returns or spoils its leases does not keep others from working", least=2)
def useless_workers(target):
    host = Account(target)
    hosted(host, 8, 5)
    bad = [Worker(target, 256, nth=n) for n in range(3)]
    good = Worker(target, 2, nth=3)
    spoilt = answered = 0
    until = max(target.ends, time.monotonic() + 2)
    # On a busy machine the first leases take a while.
    while time.monotonic() < until or (answered == 0 and time.monotonic() < until + 15):
        for nth, worker in enumerate(bad):
            for message in worker.hear(0.005):
                if not message.HasField("lease"):
                    continue
                spoilt += 1
                lease = message.lease.lease
                if nth == 0:
                    worker.say(release=automation_pb2.Release(lease=lease, reason="no", cause=1))
                elif nth == 1:
                    worker.say(answer=automation_pb2.Answer(lease=lease, orders=game_pb2.Orders(text="nonsense (")))
                else:
                    worker.say(renew=automation_pb2.Renew(lease=automation_pb2.LeaseRef(lease_id=lease.lease_id + 9)))
                    worker.say(release=automation_pb2.Release(lease=lease, cause=2))
        for message in good.hear(0.005):
            if message.HasField("lease"):
                good.say(answer=automation_pb2.Answer(lease=message.lease.lease, orders=game_pb2.Orders(text=""), ready=True))
                answered += 1
    for worker in [*bad, good]:
        worker.close()
    require(answered > 0, f"a good worker got no lease, but {spoilt} leases were spoilt")
    return {"spoilt": spoilt, "answered": answered}


@attack("beyond", "callers that are not workers or break the protocol get a reason")
def false_workers(target):
    player = Account(target)
    reasons, tried = {}, 0
    hello = automation_pb2.Hello(worker="x", capacity=1)
    wrong = [
        (player.token, [automation_pb2.WorkRequest(hello=hello)]),
        (target.worker_token, [automation_pb2.WorkRequest(renew=automation_pb2.Renew())]),
        (target.worker_token, [automation_pb2.WorkRequest(hello=automation_pb2.Hello(capacity=1_000_000))]),
        (target.worker_token, [automation_pb2.WorkRequest(hello=automation_pb2.Hello(
            profiles=[automation_pb2.WorkerProfile(kind="no such game")] * 1_000, capacity=1))]),
    ]  # fmt: skip
    while True:
        for token, messages in wrong:
            with Connection(target) as line, contextlib.suppress(OSError):
                stream = line.begin(WORK, token=token)
                for message in messages:
                    line.send(stream, framed(message), end=False)
                answer = line.wait([stream], 5)[0]
                require(answer.status, f"a false worker is not refused: {messages} {answer.reason}")
                require("no status" not in answer.reason and "status " not in answer.reason, f"no reason: {answer.reason}")
                reasons[answer.reason] = reasons.get(answer.reason, 0) + 1
                tried += 1
        if not target.going_on():
            return {"tried": tried, **reasons}
