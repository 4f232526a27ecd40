"""The client for asyncio."""

from heliopause.aio.client import Client
from heliopause.aio.sandbox import Sandbox
from heliopause.aio.seat import Seat
from heliopause.aio.table import Table

__all__ = ["Client", "Sandbox", "Seat", "Table"]
