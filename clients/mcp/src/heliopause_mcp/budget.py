"""What a session may use: the operator says how many calls and characters."""

from dataclasses import dataclass


class Exhausted(Exception):
    """The session has used up what its operator gave it."""


@dataclass
class Budget:
    """What is left of a session's calls, and of the characters that it may read and write. None has no limit."""

    calls: int | None = None
    characters: int | None = None

    def spend_call(self, written: int) -> None:
        """Counts a call and what the model wrote in it. Raises `Exhausted` if that is more than is left."""
        if self.calls == 0:
            raise Exhausted("The session has no calls left: its operator set a limit. Stop here.")
        if self.characters is not None and written > self.characters:
            raise Exhausted(f"The session has {self.characters} characters left, and this call has {written}.")
        if self.calls is not None:
            self.calls -= 1
        self._spend(written)

    def cut(self, text: str) -> str:
        """Counts what the model reads. What is more than is left is cut off, and the cut is told."""
        if self.characters is None or len(text) <= self.characters:
            self._spend(len(text))
            return text
        kept, self.characters = text[: self.characters], 0
        return f"{kept}\n[cut off here: the session has no characters left]"

    def told(self) -> str:
        """What is left, in a sentence; empty if there is no limit."""
        limits = ((self.calls, "calls"), (self.characters, "characters"))
        left = [f"{amount} {what}" for amount, what in limits if amount is not None]
        return f"The session has {' and '.join(left)} left." if left else ""

    def _spend(self, characters: int) -> None:
        if self.characters is not None:
            self.characters -= characters
