"""Measures decisions per second of an engine with this package, and of the package `diplomacy`.

    pip install 'heliopause[env]' diplomacy
    python measure.py starships --games 64
    python measure.py diplomacy --games 64
    python measure.py package --games 64        the same with the package diplomacy, without a server

A decision is one action: the order of a unit, or all orders of a step. Actions are random and legal.
"""

import argparse
import random
import time

import numpy as np

from heliopause.env import Vector


def environment(kind: str, games: int, seconds: float, engine: str | None, arrays: bool) -> float:
    """Returns the decisions per second in many games of one engine."""
    players = 7 if kind == "diplomacy" else 2
    vector = Vector(kind, games, players=players, engine=engine)
    asked, chance = vector.reset(1), np.random.default_rng(1)
    began, decisions = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        if arrays:
            asked.observations()
        masks = asked.masks()
        # A random action for each row: the largest random number that the mask allows.
        actions = (chance.random(masks.shape, np.float32) * masks).argmax(axis=1)
        asked = vector.step(actions)
        decisions += games
    spent = time.monotonic() - began
    vector.close()
    return decisions / spent


def package(games: int, seconds: float) -> float:
    """Returns the decisions per second of `diplomacy`: possible orders, orders and adjudication."""
    from diplomacy import Game

    tables, chance = [Game() for _ in range(games)], random.Random(1)
    began, decisions = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        for at, game in enumerate(tables):
            possible = game.get_all_possible_orders()
            for power, places in game.get_orderable_locations().items():
                game.set_orders(power, [chance.choice(possible[place]) for place in places if possible[place]])
                decisions += len(places)
            game.process()
            if game.is_game_done or time.monotonic() - began > seconds:
                tables[at] = Game()
    return decisions / (time.monotonic() - began)


def main() -> None:
    """Measures and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("starships", "diplomacy", "package"))
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--engine", help="engine with a sandbox [default: start one]")
    parser.add_argument("--arrays", action="store_true", help="also create observations as arrays")
    options = parser.parse_args()
    if options.what == "package":
        print(f"{package(options.games, options.seconds):,.0f} decisions/s")
        return
    kind = "starships-at-large" if options.what == "starships" else "diplomacy"
    print(f"{environment(kind, options.games, options.seconds, options.engine, options.arrays):,.0f} decisions/s")


if __name__ == "__main__":
    main()
