"""Loads an exported game of Diplomacy with the Python package `diplomacy`, adjudicates every phase of it again, and compares.

    cli-client export GAME --saved-game -o game.json
    python diplomacy_check.py game.json

Two choices of that package differ from the engine's on purpose, and are counted instead of hidden: it lets a convoyed
attacker dislodge a unit with the help of that unit's own power, and it removes units in civil disorder by an older rule.
"""

import json
import sys

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData


def adjudicate(phase):
    """What the package makes of a phase."""
    game = Game(rules=["SOLITAIRE"])
    game.set_phase_data(GamePhaseData.from_dict(phase))
    game.clear_orders()
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    game.process()
    return game.get_state(), game.get_current_phase()


def board(state):
    """Units and centers, in an order of their own."""
    units = {power: sorted(units) for power, units in state["units"].items() if units}
    centers = {power: sorted(centers) for power, centers in state["centers"].items() if centers}
    return units, centers


def removes_by_rule(phase):
    """Whether a winter has removals, which the two programs choose by different rules if they are not ordered."""
    return phase["name"].endswith("A") and any(build["count"] < 0 for build in phase["state"]["builds"].values())


def main(path):
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    loaded = from_saved_game_format(saved)
    print(f"loaded {loaded.game_id}: {len(saved['phases'])} phases")
    same = known = 0
    for phase, after in zip(saved["phases"], saved["phases"][1:]):
        state, name = adjudicate(phase)
        expected, found = board(after["state"]), board(state)
        if found == expected and (name == after["name"] or after["name"] == "COMPLETED"):
            same += 1
        elif removes_by_rule(phase):
            known += 1
        else:
            print(f"{phase['name']}: {name} instead of {after['name']}")
            for what, ours, theirs in zip(("units", "centers"), expected, found):
                for power in sorted(set(ours) | set(theirs)):
                    if ours.get(power) != theirs.get(power):
                        print(f"  {what} of {power}: exported {ours.get(power)}, package {theirs.get(power)}")
            sys.exit(1)
    print(f"{same} phases come out the same, {known} winters differ by the rule of civil disorder")


if __name__ == "__main__":
    main(sys.argv[1])
