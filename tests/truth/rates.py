"""The rates that generated worlds give, each beside its target, for the end of the run (conftest.py)."""

RATES: list[tuple[str, str, str]] = []


def told(what: str, value: object, target: str) -> None:
    """List a rate beside its target."""
    RATES.append((what, str(value), target))
