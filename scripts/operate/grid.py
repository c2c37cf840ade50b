"""The grid of slots: the days on which scheduled cycles begin. A scheduled cycle is named by its slot."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta


@dataclass(frozen=True)
class Grid:
    """The slots anchor + n * period_days, for n = 0, 1, 2, … A slot begins at midnight, UTC."""

    anchor: date
    period_days: int

    def slot(self, now: datetime) -> date | None:
        """The last slot that has begun; None before the anchor."""
        days = (now.astimezone(UTC).date() - self.anchor).days
        return None if days < 0 else self.anchor + timedelta(days - days % self.period_days)

    def next_slot(self, now: datetime) -> date:
        """The first slot that has not begun."""
        slot = self.slot(now)
        return self.anchor if slot is None else slot + timedelta(self.period_days)


def begin(slot: date) -> datetime:
    """The time at which a slot begins."""
    return datetime.combine(slot, time(), UTC)
