"""Test bots and clients against a real engine: its processes, and bots that play beside a test.

The fixtures in `heliopause.testing.fixtures` are there wherever this package is installed.
"""

from heliopause.testing.bots import serving, working
from heliopause.testing.programs import AiClient, Engine, Program, ProgramError, program, run_scenario

__all__ = ["AiClient", "Engine", "Program", "ProgramError", "program", "run_scenario", "serving", "working"]
