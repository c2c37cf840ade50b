"""Times as the pages show them."""

from datetime import UTC, datetime


def utc(time_ns: int | None) -> str | None:
    """A time in ns since the Unix epoch as `2026-11-21 08:30 UTC`."""
    if time_ns is None:
        return None
    return datetime.fromtimestamp(time_ns // 10**9, UTC).strftime("%Y-%m-%d %H:%M UTC")


def iso(time_ns: int | None) -> str | None:
    """A time in ns since the Unix epoch as `2026-11-21T08:30:00Z`."""
    if time_ns is None:
        return None
    return datetime.fromtimestamp(time_ns // 10**9, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def span(first_ns: int | None, last_ns: int | None) -> str | None:
    """A span such as `2026-11-21, 08:30 to 09:10 UTC`. The second date is left out if it is the first one."""
    first, last = utc(first_ns), utc(last_ns)
    if first is None or last is None:
        return first
    if first[:10] == last[:10]:
        return f"{first[:10]}, {first[11:16]} to {last[11:]}"
    return f"{first} to {last}"


def interval(first_ns: int | None, last_ns: int | None) -> str | None:
    """A span as an interval of ISO 8601, such as `2026-11-21T08:30:00Z/2026-11-21T09:10:00Z`."""
    first, last = iso(first_ns), iso(last_ns)
    return f"{first}/{last}" if first and last else None


def minute(moment: str) -> str:
    """2026-12-07T03:00:00Z as 2026-12-07 03:00 UTC."""
    return f"{moment[:10]} {moment[11:16]} UTC"
