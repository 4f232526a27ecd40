"""Many games of one engine, a step at each by one call."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heliopause import _fold, refusals
from heliopause.aio.client import Client, Json
from heliopause.env.turn import Turn
from heliopause.methods import SandboxService
from heliopause.v1 import envelope_pb2, sandbox_pb2, table_pb2

Reward = Literal["points", "win", "progress"]
Illegal = Literal["replace", "terminate", "raise"]
# What a seat earns whose illegal action terminates the game.
_PENALTY = -1.0
# So many games share a call: while the engine works on one call, the answer to another is read.
_SHARE = 16
# How long automation is waited for, from short pauses to long ones.
_PAUSES = (0.001, 0.05)


@dataclass(frozen=True)
class Rules:
    """What is played."""

    kind: str
    players: int | None = None
    options: envelope_pb2.GameOptions | Json | None = None
    automated: Mapping[int, str] = field(default_factory=dict[int, str])
    """Levels of automation, by seats: it needs an AI client."""
    size: int = 512
    """How many lines a menu has at most."""
    reward: Reward = "points"
    illegal: Illegal = "replace"
    """What becomes of an action that is not on the menu."""
    together: bool = False
    """Whether all seats that are asked at once are told of at once, and not one after the other."""


class Game:
    """A game as a learner plays it."""

    def __init__(self, rules: Rules, game_id: str, players: int, seed: int | None) -> None:
        self.game_id = game_id
        self.seats = range(1, players + 1)
        """The players' seats, from 1. Those above them are the game's own, and play at random."""
        self.over = False
        """Whether the game has ended."""
        self.outcome: table_pb2.Outcome | None = None
        """How it ended."""
        self.turns: list[Turn] = []
        """Who is asked now: one seat after the other, or all at once."""
        self.actions = 0
        """How many actions were taken."""
        self.illegal = 0
        """How many of them were not on the menu."""
        self.refusals = 0
        """How many orders were refused because they do not go together with others."""
        self.idle = False
        """Whether the game waits for automation."""
        self._rules, self._seed = rules, str(seed)
        self._given: list[Turn] = []
        self._rewards: dict[int, float] = {}
        self._standing: dict[int, float] = {}

    @property
    def turn(self) -> Turn:
        """The turn of the first seat that is asked."""
        return self.turns[0]

    def choose(self, action: int, seat: int | None = None) -> None:
        """Takes an action of a seat, or of the first that is asked. Orders are given by the next `advance`.

        An action that is not on the menu is replaced by a legal one at random, terminates the game, or raises
        `ValueError`, as the rules say.
        """
        turn = self.turn if seat is None else next(turn for turn in self.turns if turn.seat == seat)
        self.actions += 1
        if not turn.allows(action):
            self.illegal += 1
            if self._rules.illegal == "terminate":
                self._earn(turn.seat, _PENALTY)
                self.over, self.turns, self._given = True, [], []
                return
            if self._rules.illegal == "replace":
                action = turn.at_random()
        if turn.choose(action):
            self.turns.remove(turn)
            self._given.append(turn)

    def rewards(self) -> dict[int, float]:
        """What each seat has won or lost since the last time."""
        rewards, self._rewards = self._rewards, {}
        return rewards

    def step(self) -> sandbox_pb2.SandboxStep:
        """The orders that wait to be given."""
        return sandbox_pb2.SandboxStep(game_id=self.game_id, orders=[turn.orders() for turn in self._given])

    @property
    def waits(self) -> bool:
        """Whether it has to be told to the engine before anything can be chosen."""
        return not self.over and (bool(self._given) or not self.turns)

    def take(self, stepped: sandbox_pb2.SandboxStepped) -> None:
        """Takes what the engine answers."""
        if stepped.error:
            raise refusals.of_details(stepped.error)
        given, self._given = self._given, []
        for turn, done in zip(given, stepped.orders, strict=True):
            if done.error:
                self.refusals += 1
                turn.refused(refusals.of_details(done.error))
                if turn.revisable:
                    self._given.append(turn)
        again = {turn.seat for turn in self._given}
        chosen = {turn.seat: turn for turn in self.turns}
        self.turns = [
            # A seat that has chosen something goes on where it is.
            chosen.get(asked.seat) or Turn(asked, size=self._rules.size, seed=self._seed)
            for asked in stepped.asked
            if asked.seat not in again
        ]
        for turn in list(self.turns):
            if turn.seat not in self.seats:
                _play_at_random(turn)
            if turn.done:
                self.turns.remove(turn)
                self._given.append(turn)
        self.idle = stepped.automation_asked and not self.turns and not self._given
        for asked in stepped.asked:
            self._progress(asked)
        if stepped.status in _fold.OVER:
            self._end(stepped)

    def _end(self, stepped: sandbox_pb2.SandboxStepped) -> None:
        self.over, self.turns, self._given = True, [], []
        self.outcome = outcome = stepped.outcome
        for seat in self.seats:
            earned = self._rewards.get(seat, 0.0)
            self._rewards[seat] = earned + _result(self._rules.reward, outcome, seat)

    def _progress(self, asked: sandbox_pb2.SandboxQuestion) -> None:
        """Where a seat has come nearer to a goal, that is a reward, if those were asked for."""
        if self._rules.reward != "progress":
            return
        own = [goal for goal in asked.goals if goal.HasField("seat") and goal.seat == asked.seat]
        now = sum(goal.value / max(goal.target, 1) if goal.HasField("target") else goal.value for goal in own)
        self._earn(asked.seat, now - self._standing.get(asked.seat, now))
        self._standing[asked.seat] = now

    def _earn(self, seat: int, reward: float) -> None:
        if reward:
            self._rewards[seat] = self._rewards.get(seat, 0.0) + reward


class Games:
    """Makes games at an engine and plays steps at many of them."""

    def __init__(self, client: Client, rules: Rules) -> None:
        self.client, self.rules = client, rules
        self._players: int | None = None

    async def players(self) -> int:
        """How many play: as many as the rules say, else two if that is allowed."""
        if self._players is None:
            kinds = {kind.kind: kind for kind in await self.client.kinds()}
            kind = kinds.get(self.rules.kind)
            if kind is None:
                raise ValueError(f"{self.rules.kind!r} is no kind of game, but these are: {', '.join(kinds)}")
            usual = min(max(2, kind.players_min), kind.players_max)
            self._players = self.rules.players or usual
        return self._players

    async def new(self, seeds: Sequence[int | None]) -> list[Game]:
        """Makes a game for each seed; the same seed makes the same game. All are at their first decision."""
        games = list(await asyncio.gather(*(self._new(seed) for seed in seeds)))
        await self.advance(games)
        return games

    async def advance(self, games: Sequence[Game]) -> None:
        """Gives the orders that were chosen, until each game asks something or is over."""
        waiting = [game for game in games if game.waits]
        parts = [waiting[at : at + _SHARE] for at in range(0, len(waiting), _SHARE)]
        await asyncio.gather(*(self._advance(part) for part in parts))

    async def _advance(self, games: list[Game]) -> None:
        pause = _PAUSES[0]
        while games:
            request = sandbox_pb2.StepSandboxGamesRequest(
                steps=[game.step() for game in games], all_asked=self.rules.together
            )
            answer = await self.client.call(SandboxService.StepSandboxGames, request)
            for game, stepped in zip(games, answer.games, strict=True):
                game.take(stepped)
            games = [game for game in games if game.waits]
            if games and all(game.idle for game in games):
                await asyncio.sleep(pause)
                pause = min(pause * 2, _PAUSES[1])

    async def _new(self, seed: int | None) -> Game:
        rules = self.rules
        secret = b"" if seed is None else hashlib.sha256(f"{rules.kind}/{seed}".encode()).digest()
        players = await self.players()
        made = await self.client.sandbox(
            rules.kind, players=players, options=rules.options, automated=rules.automated, seed=secret
        )
        return Game(rules, made.game_id, players, seed)


def _play_at_random(turn: Turn) -> None:
    while not turn.done:
        turn.choose(turn.at_random())


def _result(reward: Reward, outcome: table_pb2.Outcome, seat: int) -> float:
    """What the end of a game is worth for a seat: its points, or 1 for a win, -1 for a loss, a part of 1 for a draw."""
    if reward == "points":
        return float(outcome.points[seat - 1]) if seat <= len(outcome.points) else 0.0
    if seat not in outcome.winners:
        return -1.0
    return 1.0 / len(outcome.winners) if outcome.draw else 1.0
