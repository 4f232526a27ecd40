"""Limits of a session, set by the operator: calls and characters."""

from dataclasses import dataclass


class Exhausted(Exception):
    """The session has used up its budget."""


@dataclass
class Budget:
    """The calls and characters that remain for a session. None means no limit."""

    calls: int | None = None
    characters: int | None = None

    def spend_call(self, written: int) -> None:
        """Counts a call and the characters written. Raises `Exhausted` if the budget is too small."""
        if self.calls == 0:
            raise Exhausted("The session has no calls left, because its operator set a limit. Stop here.")
        if self.characters is not None and written > self.characters:
            raise Exhausted(f"This call has {written} characters; the session has {self.characters} characters left.")
        if self.calls is not None:
            self.calls -= 1
        self._spend(written)

    def cut(self, text: str) -> str:
        """Counts the characters read. Truncates the text with a note if the budget is too small."""
        if self.characters is None or len(text) <= self.characters:
            self._spend(len(text))
            return text
        kept, self.characters = text[: self.characters], 0
        return f"{kept}\n[truncated: the session has no characters left]"

    def remaining(self) -> str:
        """Describes the remaining budget, or an empty string if there is no limit."""
        limits = ((self.calls, "calls"), (self.characters, "characters"))
        left = [f"{amount} {what}" for amount, what in limits if amount is not None]
        return f"The session has {' and '.join(left)} left." if left else ""

    def _spend(self, characters: int) -> None:
        if self.characters is not None:
            self.characters -= characters
