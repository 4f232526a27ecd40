"""Lets bots of the DAIDE world play Diplomacy at Heliopause, and imports games that the package `diplomacy` saved."""

from heliopause_daide.host import Host, Plan
from heliopause_daide.saved import NotSaved, Phase, Replayed, as_history, as_position, load, phases

__all__ = ["Host", "NotSaved", "Phase", "Plan", "Replayed", "as_history", "as_position", "load", "phases"]
