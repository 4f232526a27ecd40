"""Readjudicates exported games of Diplomacy with the Python package `diplomacy`, and compares every phase.

    cli-client export GAME --saved-game -o game.json
    python diplomacy_check.py game.json

Some rulings of that package differ from the engine's on purpose, and are counted separately: an army
ordered `via convoy` moves by land if no fleet convoys it (DATC 4.A.3), a support for a move to one
coast counts for the other (4.B.4), units in civil disorder are removed by an older rule (4.D.8), and
a convoyed attacker may dislodge a unit with the help of that unit's own power.
"""

import json
import multiprocessing
import sys

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData


def adjudicate(phase):
    game = Game(rules=["SOLITAIRE"])
    game.set_phase_data(GamePhaseData.from_dict(phase))
    game.clear_orders()
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    game.process()
    return game.get_state(), game.get_current_phase()


def board(state):
    units = {power: sorted(units) for power, units in state["units"].items() if units}
    centers = {power: sorted(centers) for power, centers in state["centers"].items() if centers}
    return units, centers


def known_difference(phase):
    """Returns whether a phase contains a case that the two programs resolve differently on purpose."""
    if phase["name"].endswith("A"):
        return any(build["count"] < 0 for build in phase["state"]["builds"].values())
    orders = [order for orders in phase["orders"].values() for order in orders]
    by_convoy = [order.removesuffix(" VIA") for order in orders if order.endswith(" VIA")]
    walks = any(not any(f" C {army}" in order for order in orders) for army in by_convoy)
    helped = any(f" S {army}" in order for army in by_convoy for order in orders)
    supports = [order.split(" S ")[1] for order in orders if " S " in order and "/" in order.rsplit(" - ", 1)[-1]]
    other_coast = any(
        order not in supports and order.split("/")[0] == support.split("/")[0] for support in supports for order in orders
    )
    return walks or helped or other_coast


def check(path):
    """Checks every phase of a game. Returns the numbers of equal phases and known differences, and an error."""
    with open(path, encoding="utf-8") as file:
        saved = json.load(file)
    from_saved_game_format(saved)
    same = known = 0
    for phase, after in zip(saved["phases"], saved["phases"][1:]):
        state, name = adjudicate(phase)
        expected, found = board(after["state"]), board(state)
        if found == expected and (name == after["name"] or after["name"] == "COMPLETED"):
            same += 1
        elif known_difference(phase):
            known += 1
        else:
            return same, known, f"{path}, {phase['name']}: {difference(expected, found, name, after['name'])}"
    return same, known, ""


def difference(expected, found, name, wanted):
    lines = [f"{name} instead of {wanted}"]
    for what, ours, theirs in zip(("units", "centers"), expected, found):
        for power in sorted(set(ours) | set(theirs)):
            if ours.get(power) != theirs.get(power):
                lines.append(f"  {what} of {power}: exported {ours.get(power)}, package {theirs.get(power)}")
    return "\n".join(lines)


def main(paths):
    with multiprocessing.Pool() as pool:
        results = pool.map(check, paths)
    same, known = (sum(result[index] for result in results) for index in (0, 1))
    faults = [fault for *_, fault in results if fault]
    print("\n".join(faults + [f"{len(paths)} games: {same} phases are equal, {known} differ in a known way"]))
    if faults or not same or same < 5 * known:
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
