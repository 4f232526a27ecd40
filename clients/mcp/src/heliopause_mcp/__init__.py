"""A server with which language models play Heliopause through the Model Context Protocol."""

from heliopause_mcp.budget import Budget, Exhausted
from heliopause_mcp.server import make
from heliopause_mcp.sessions import Session, Sessions, Settings

__all__ = ["Budget", "Exhausted", "Session", "Sessions", "Settings", "make"]
