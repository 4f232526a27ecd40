"""Learns to play Starships at Large by playing: a linear policy over the words and places of orders.

    pip install 'heliopause[env]'
    python learn_starships.py --minutes 4

It plays 64 games at a time, one seat with the policy and the other at random. After every 32 games
it raises the probability of choices made in the better games, and lowers the probability of the others
(REINFORCE). A game is rated by the planets gained and by its result. Two random players usually
destroy each other, so a random player scores about half a win.
"""

import argparse
import re
import time
import zlib

import numpy as np

from heliopause.env import HEXES, Pending, Turn, Vector

GAMES, BATCH, FEATURES = 64, 32, 256
FREQUENCIES = {1: 8.0, 3: 1.0, 4: 4.0, 5: 0.2}
_AT = re.compile(r"\((-?\d+),(-?\d+)\)")
_HEX = {place: at for at, place in enumerate(HEXES)}


def features(turn: Turn, board: np.ndarray) -> np.ndarray:
    """Returns the features of each action: bins for its word, alone and with the content of its place."""
    menu = turn.menu
    rows = np.zeros((len(menu) - 1, FEATURES))
    for at in range(1, len(menu)):
        key = menu.key(at)
        about = [key]
        places = _AT.findall(menu[at])
        if places:
            hexagon = board[_HEX[int(places[-1][0]), int(places[-1][1])]]
            marker, owner = int(hexagon[:9].argmax()), int(hexagon[11] + 2 * hexagon[12])
            own, other = hexagon[13] + hexagon[14] > 0, hexagon[15] + hexagon[16] > 0
            about += [
                f"{key}/{marker}",
                f"{key}/{marker}/{owner}",
                f"{key}/{own}",
                f"{key}/{other}",
                f"{key}/{hexagon[10]}",
            ]
        for word in about:
            rows[at - 1, zlib.crc32(word.encode()) % FEATURES] += 1
    return rows


class Policy:
    """The weights, and the choices made in the current games."""

    def __init__(self, seed: int) -> None:
        self.weights = np.zeros(FEATURES)
        self.random = np.random.default_rng(seed)
        self._mean = np.ones(FEATURES) * 1e-3

    def choose(self, turn: Turn, board: np.ndarray) -> tuple[int, np.ndarray]:
        """Returns an action, and the gradient that raises its probability."""
        rows = features(turn, board)
        frequencies = [FREQUENCIES.get(menu_weight(turn, at + 1), 4.0) for at in range(len(rows))]
        scores = rows @ self.weights + np.log(frequencies)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        at = int(self.random.choice(len(rows), p=chances))
        return at + 1, rows[at] - chances @ rows

    def learn(self, gradients: np.ndarray, rate: float) -> None:
        """Makes a step, with an adaptive rate for each weight."""
        self._mean = 0.95 * self._mean + 0.05 * gradients**2
        self.weights += rate * gradients / np.sqrt(self._mean)


def menu_weight(turn: Turn, action: int) -> int:
    """Returns the weight of an order for the player, as given by the engine."""
    offer = turn.menu.offer(action)
    return 0 if offer is None else int(offer.weight)


def at_random(turn: Turn, random: np.random.Generator) -> int:
    """Returns a random action: important ones are more frequent, irreversible ones rare."""
    likes = np.array([FREQUENCIES.get(menu_weight(turn, at), 4.0) for at in range(1, len(turn.menu))])
    return 1 + int(random.choice(len(likes), p=likes / likes.sum()))


def play(vector: Vector, policy: Policy | None, games: int, seed: int, learn: float = 0.0) -> float:
    """Plays games, learning or not. Returns the share won by the policy's seats; draws count half."""
    random = np.random.default_rng(seed)
    asked: Pending = vector.reset(seed)
    mine = [1 + at % 2 for at in range(vector.size)]
    traces = [np.zeros(FEATURES) for _ in range(vector.size)]
    earned, batch = [0.0] * vector.size, list[tuple[float, np.ndarray]]()
    wins = list[float]()
    while len(wins) < games:
        actions = []
        boards = asked.observations()[:, : len(HEXES) * 17].reshape(vector.size, len(HEXES), 17)
        for at, turn in enumerate(asked.turns):
            if policy is not None and turn.seat == mine[at]:
                action, gradient = policy.choose(turn, boards[at])
                traces[at] += gradient
                actions.append(action)
            else:
                actions.append(at_random(turn, random))
        asked = vector.step(actions)
        for at, rewards in enumerate(asked.rewards):
            earned[at] += rewards.get(mine[at], 0.0)
        for at, ended in asked.ended.items():
            points = ended.game.outcome.points if ended.game.outcome is not None else [0, 0]
            wins.append(0.5 + 0.5 * float(np.sign(points[mine[at] - 1] - points[2 - mine[at]])))
            batch.append((earned[at] + ended.rewards.get(mine[at], 0.0), traces[at]))
            traces[at], earned[at] = np.zeros(FEATURES), 0.0
        if policy is not None and learn and len(batch) >= BATCH:
            returns = np.array([result for result, _ in batch])
            advantages = (returns - returns.mean()) / (returns.std() + 1e-6)
            policy.learn(
                np.mean([good * trace for good, (_, trace) in zip(advantages, batch, strict=True)], axis=0), learn
            )
            batch.clear()
    return float(np.mean(wins))


def main() -> None:
    """Learns for a while and prints how well the policy plays."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--engine", help="engine with a sandbox [default: start one]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wins", type=float, default=0.0, help="fail if the policy wins a smaller share of games")
    options = parser.parse_args()
    vector = Vector("starships-at-large", GAMES, players=2, engine=options.engine, reward="progress")
    policy, began, rounds = Policy(options.seed), time.monotonic(), 0
    while (spent := time.monotonic() - began) < 60 * options.minutes:
        wins = play(vector, policy, 2 * GAMES, options.seed + rounds, learn=0.1)
        rounds += 1
        print(f"{spent / 60:4.1f} min: {rounds * 2 * GAMES} games, won {wins:.0%} of the last", flush=True)
    wins, chance = play(vector, policy, 2 * GAMES, 10_000), play(vector, None, 2 * GAMES, 10_000)
    print(f"the policy wins {wins:.0%} of {2 * GAMES} games against random; random wins {chance:.0%}")
    vector.close()
    if wins < options.wins:
        raise SystemExit(f"expected to win {options.wins:.0%}")


if __name__ == "__main__":
    main()
