"""Tests of bots and clients with a real engine: its processes, and bots in the background.

The fixtures in `heliopause.testing.fixtures` are available wherever this package is installed.
"""

from heliopause.testing.bots import serving, working
from heliopause.testing.programs import AiClient, Engine, Program, ProgramError, program, run_scenario

__all__ = ["AiClient", "Engine", "Program", "ProgramError", "program", "run_scenario", "serving", "working"]
