"""Connects DAIDE bots to games of Diplomacy at Heliopause, and imports saved games of `diplomacy`."""

from heliopause_daide.host import Host, Plan
from heliopause_daide.saved import InvalidFile, Phase, Replayed, as_history, as_position, load, phases

__all__ = ["Host", "InvalidFile", "Phase", "Plan", "Replayed", "as_history", "as_position", "load", "phases"]
