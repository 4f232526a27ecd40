"""Many games of one engine. Each call advances several games by one step."""

import asyncio
import copy
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heliopause import _apply, refusals
from heliopause.aio.client import Client, Json
from heliopause.env.turn import Turn
from heliopause.methods import SandboxService
from heliopause.v1 import envelope_pb2, sandbox_pb2, table_pb2

Reward = Literal["points", "win", "progress"]
Illegal = Literal["replace", "terminate", "raise"]
# The reward of a seat whose illegal action terminates the game.
_PENALTY = -1.0
# The number of games per call. This process handles one response while the engine works on another call.
_SHARE = 16
# The shortest and longest pause between polls for automation.
_PAUSES = (0.001, 0.05)


@dataclass(frozen=True)
class Rules:
    """The kind of game and the options of an environment."""

    kind: str
    players: int | None = None
    options: envelope_pb2.GameOptions | Json | None = None
    automated: Mapping[int, str] = field(default_factory=dict[int, str])
    """Levels of automation by seat. Requires an AI client."""
    size: int = 512
    """The maximum length of a menu."""
    reward: Reward = "points"
    illegal: Illegal = "replace"
    """The treatment of illegal actions."""
    scenes: bool = False
    """Whether turns have scenes."""
    together: bool = False
    """Whether seats that decide at the same time choose together instead of one after the other."""


class Game:
    """A game of a learner."""

    def __init__(self, rules: Rules, game_id: str, players: int, seed: int | None) -> None:
        self.game_id = game_id
        self.seats = range(1, players + 1)
        """The players' seats, from 1. Higher seats belong to the game and play at random."""
        self.over = False
        self.outcome: table_pb2.Outcome | None = None
        self.turns: list[Turn] = []
        """The pending turns: one seat after the other, or all together."""
        self.actions = 0
        self.illegal = 0
        """The number of illegal actions."""
        self.refusals = 0
        """The number of orders refused because they conflict with other orders."""
        self.idle = False
        """Whether the game is waiting for automation."""
        self._rules, self._seed = rules, str(seed)
        self._given: list[Turn] = []
        self._rewards: dict[int, float] = {}
        self._standing: dict[int, float] = {}

    @property
    def turn(self) -> Turn:
        """The first pending turn."""
        return self.turns[0]

    def choose(self, action: int, seat: int | None = None) -> None:
        """Chooses an action for a seat, or for the first pending turn. `advance` submits the orders.

        An illegal action is replaced by a random legal one, terminates the game, or raises `ValueError`,
        according to the rules.
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
        """Returns and clears the rewards of the seats."""
        rewards, self._rewards = self._rewards, {}
        return rewards

    def step(self) -> sandbox_pb2.SandboxStep:
        """Returns the chosen orders to submit."""
        return sandbox_pb2.SandboxStep(game_id=self.game_id, orders=[turn.orders() for turn in self._given])

    def at(self, game_id: str, questions: Sequence[sandbox_pb2.SandboxDecision]) -> "Game":
        """Returns a copy that continues in another game with the same position."""
        asked = {question.seat: question for question in questions}
        game = copy.copy(self)
        game.game_id = game_id
        game.turns = [turn.at(asked[turn.seat]) for turn in self.turns]
        game._given = [turn.at(asked[turn.seat]) for turn in self._given]
        game._rewards, game._standing = dict(self._rewards), dict(self._standing)
        return game

    @property
    def waits(self) -> bool:
        """Whether the game must be advanced before the next choice."""
        return not self.over and (bool(self._given) or not self.turns)

    def take(self, stepped: sandbox_pb2.SandboxStepResult) -> None:
        """Applies a response of the engine."""
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
            # A seat that has made choices continues its turn.
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
        if stepped.status in _apply.OVER:
            self._end(stepped)

    def _end(self, stepped: sandbox_pb2.SandboxStepResult) -> None:
        self.over, self.turns, self._given = True, [], []
        self.outcome = outcome = stepped.outcome
        for seat in self.seats:
            earned = self._rewards.get(seat, 0.0)
            self._rewards[seat] = earned + _result(self._rules.reward, outcome, seat)

    def _progress(self, asked: sandbox_pb2.SandboxDecision) -> None:
        """Rewards the progress towards a seat's goals, if requested."""
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
    """Creates games and advances many of them at once."""

    def __init__(self, client: Client, rules: Rules) -> None:
        self.client, self.rules = client, rules
        self._players: int | None = None

    async def players(self) -> int:
        """Returns the number of players in the rules, or else two if possible."""
        if self._players is None:
            kinds = {kind.kind: kind for kind in await self.client.kinds()}
            kind = kinds.get(self.rules.kind)
            if kind is None:
                raise ValueError(f"{self.rules.kind!r} is not a kind of game; choose one of {', '.join(kinds)}")
            usual = min(max(2, kind.players_min), kind.players_max)
            self._players = self.rules.players or usual
        return self._players

    async def new(self, seeds: Sequence[int | None]) -> list[Game]:
        """Creates a game for each seed and advances it to its first decision. The same seed gives the same game."""
        games = list(await asyncio.gather(*(self._new(seed) for seed in seeds)))
        await self.advance(games)
        return games

    async def clone(self, game: Game, count: int = 1, *, seed: bytes = b"") -> list[Game]:
        """Returns copies that continue independently. The same `seed` gives the same dice."""
        if game.over:
            return [game.at(game.game_id, []) for _ in range(count)]
        game_ids: list[str] = []
        while len(game_ids) < count:
            request = sandbox_pb2.CloneSandboxGameRequest(
                game_id=game.game_id, count=min(count - len(game_ids), _SHARE), seed=_part(seed, len(game_ids))
            )
            game_ids += (await self.client.call(SandboxService.CloneSandboxGame, request)).game_ids
        parts = [game_ids[at : at + _SHARE] for at in range(0, count, _SHARE)]
        return [copied for part in parts for copied in await self._copies(game, part)]

    async def _copies(self, game: Game, game_ids: Sequence[str]) -> list[Game]:
        request = sandbox_pb2.StepSandboxGamesRequest(
            steps=[sandbox_pb2.SandboxStep(game_id=game_id) for game_id in game_ids],
            all_asked=True,
            with_scenes=self.rules.scenes,
        )
        answer = await self.client.call(SandboxService.StepSandboxGames, request)
        for stepped in answer.games:
            if stepped.error:
                raise refusals.of_details(stepped.error)
        return [game.at(at, stepped.asked) for at, stepped in zip(game_ids, answer.games, strict=True)]

    async def advance(self, games: Sequence[Game]) -> None:
        """Submits the chosen orders until each game has a pending decision or is over."""
        waiting = [game for game in games if game.waits]
        parts = [waiting[at : at + _SHARE] for at in range(0, len(waiting), _SHARE)]
        await asyncio.gather(*(self._advance(part) for part in parts))

    async def _advance(self, games: list[Game]) -> None:
        pause = _PAUSES[0]
        while games:
            request = sandbox_pb2.StepSandboxGamesRequest(
                steps=[game.step() for game in games],
                all_asked=self.rules.together,
                with_scenes=self.rules.scenes,
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


def _part(seed: bytes, at: int) -> bytes:
    """Returns the seed of the copies from index `at`. The engine derives the seeds of one call."""
    return hashlib.sha256(seed + at.to_bytes(4, "big")).digest() if seed else b""


def _play_at_random(turn: Turn) -> None:
    while not turn.done:
        turn.choose(turn.at_random())


def _result(reward: Reward, outcome: table_pb2.Outcome, seat: int) -> float:
    """Returns the final reward of a seat: its points, or 1 for a win, -1 for a loss, a share of a draw."""
    if reward == "points":
        return float(outcome.points[seat - 1]) if seat <= len(outcome.points) else 0.0
    if seat not in outcome.winners:
        return -1.0
    return 1.0 / len(outcome.winners) if outcome.draw else 1.0
