"""Runs the server: `python -m heliopause_mcp`."""

from heliopause_mcp.command import main

main()
