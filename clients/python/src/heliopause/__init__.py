"""Write bots and clients for Heliopause, a game server for space strategy games."""

from heliopause.answers import Answer, OutgoingMessage
from heliopause.bot import Bot
from heliopause.levels import at_random
from heliopause.offers import Cost, FillError, Offer, Offers, Slot
from heliopause.proof import Export
from heliopause.refusals import (
    CursorInvalid,
    MalformedOrder,
    NotYourTurn,
    OrderRefused,
    PhaseClosed,
    RateLimited,
    Refusal,
    StaleRevision,
    Unreachable,
    WrongStatus,
)
from heliopause.sync import Client, Sandbox, Seat, Table

__all__ = [
    "Answer",
    "Bot",
    "Client",
    "Cost",
    "CursorInvalid",
    "Export",
    "FillError",
    "MalformedOrder",
    "NotYourTurn",
    "Offer",
    "Offers",
    "OrderRefused",
    "OutgoingMessage",
    "PhaseClosed",
    "RateLimited",
    "Refusal",
    "Sandbox",
    "Seat",
    "Slot",
    "StaleRevision",
    "Table",
    "Unreachable",
    "WrongStatus",
    "at_random",
]
