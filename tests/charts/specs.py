"""Reading Vega-Lite specifications in tests, and making records of made-up rows."""

from collections.abc import Iterable
from typing import TypeVar

from scripts.base.records import from_json
from scripts.charts.scales import luminance
from scripts.charts.table_rows import TrialRow
from scripts.charts.theme import LEGEND
from scripts.model.trials import TrialKey

Record = TypeVar("Record")
OfTrial = TypeVar("OfTrial", bound=TrialRow)


def records(kind: type[Record], rows: list[dict]) -> list[Record]:
    """Rows of a table as the charts read them."""
    return [from_json(kind, row, "sample") for row in rows]


def series_of(rows: Iterable[OfTrial]) -> dict[TrialKey, list[OfTrial]]:
    """The rows of each trial."""
    trials: dict[TrialKey, list[OfTrial]] = {}
    for row in rows:
        trials.setdefault(row.key, []).append(row)
    return trials


def rows_of(spec: dict, part: dict, panel: dict | None = None) -> list[dict]:
    """The rows that a layer or panel shows: its own, its panel's, or those of the whole chart."""
    data = part.get("data") or (panel or {}).get("data") or spec["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]


def layers_of(view: dict, mark: str) -> list[dict]:
    """The layers of a view with this mark, except those that show no data."""
    if view.get("name") == LEGEND:
        return []
    parts = [part for name in ("layer", "vconcat") for part in view.get(name, ())]
    own = [view] if view.get("mark", {}).get("type") == mark else []
    return own + [layer for part in parts for layer in layers_of(part, mark)]


def marked(spec: dict, mark: str) -> list[dict]:
    """The rows that layers with this mark show."""
    return [row for layer in layers_of(spec, mark) for row in rows_of(spec, layer)]


def title_of(spec: dict) -> str:
    """The title of a chart."""
    return " ".join(spec["title"]["text"])


def subtitle_of(spec: dict) -> str:
    """The lines below the title."""
    return " ".join(spec["title"]["subtitle"])


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
