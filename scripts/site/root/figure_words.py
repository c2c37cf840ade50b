"""Figures as the pages show them."""

from scripts.site.root.archive_cycles import SHARE, THROUGHPUT, Figure

TITLES = {
    SHARE: "MmF share",
    THROUGHPUT: "Throughput",
    "loss_rate": "Loss rate",
    "queueing_delay_ms": "Queueing delay",
    "utilization": "Utilization",
}
"""The titles of the figures that most pages show."""

UNITS = {"fraction": "%"}
"""Units that are shown as another unit."""

VERDICTS = {
    "losing": "loses",
    "fair": "fair",
    "winning": "wins",
    "undecided": "undecided",
    "seen": "too few trials for a verdict",
}


def title_of(figure: str) -> str:
    """The title of a figure, such as `Throughput`."""
    return TITLES.get(figure, figure.replace("_", " ").capitalize())


def unit_of(figure: Figure) -> str:
    """The unit in which a figure is shown."""
    return UNITS.get(figure.unit, figure.unit)


def scaled(value: float, unit: str) -> float:
    """A value in the unit in which it is shown."""
    return 100 * value if unit == "fraction" else value


def number(value: float, unit: str) -> str:
    """A value without its unit: whole percents, and everything else with two decimals."""
    return f"{scaled(value, unit):.0f}" if unit == "fraction" else f"{scaled(value, unit):,.2f}"


def median_words(figure: Figure | None) -> str:
    """The median with its unit, such as `47 %`; a dash if there is none."""
    return amount(None if figure is None else figure.median, "" if figure is None else figure.unit)


def amount(value: float | None, unit: str) -> str:
    """A value with its unit; a dash for None."""
    if value is None:
        return "–"
    return f"{number(value, unit)}\u00a0{UNITS.get(unit, unit)}"


def interval_words(figure: Figure | None) -> str:
    """The 95 % interval of the median, such as `42 to 51`; empty if there is none."""
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return f"{number(figure.low, figure.unit)} to {number(figure.high, figure.unit)}"
