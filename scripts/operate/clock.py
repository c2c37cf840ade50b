"""The time of a run: the host's, or one that goes on from a given time."""

import time
from datetime import UTC, datetime, timedelta


class Clock:
    """A clock. With `start` it shows that time when it is made, and goes on from there."""

    def __init__(self, start: datetime | None = None) -> None:
        self._start = start
        self._made_s = time.monotonic()

    def now(self) -> datetime:
        """The time, UTC."""
        if self._start is None:
            return datetime.now(UTC)
        return self._start.astimezone(UTC) + timedelta(seconds=time.monotonic() - self._made_s)


def iso(moment: datetime) -> str:
    """A time in the form 2026-12-07T03:00:00Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_of(text: str) -> datetime:
    """The reverse of `iso`.

    Raises:
        ValueError: the text is no time.
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
