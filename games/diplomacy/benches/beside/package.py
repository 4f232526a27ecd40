"""Adjudicates the recorded movement phases with the Python package `diplomacy` (`Game.process`)."""

import json
import sys
import time

from diplomacy import Game

with open(sys.argv[1], encoding="utf-8") as file:
    phases = [json.loads(line) for line in file][: int(sys.argv[2])]


def prepared(phase):
    game = Game(rules=["NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT", "SOLITAIRE", "NO_PRESS", "POWER_CHOICE"])
    game.clear_units()
    for power, units in phase["units"].items():
        game.set_units(power.upper(), [unit.upper() for unit in units])
    for power, orders in phase["orders"].items():
        game.set_orders(power.upper(), [order.upper().replace(" VIA CONVOY", " VIA") for order in orders])
    return game


games = [prepared(phase) for phase in phases]
start = time.process_time()
for game in games:
    game.process()
spent = time.process_time() - start
print(f"package diplomacy      {len(games) / spent:>9.0f} phases/s of processor time, {len(games)} phases")
