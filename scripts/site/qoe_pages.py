"""What people got of videos, calls and pages, as the pages need it."""

from collections import defaultdict
from dataclasses import asdict
from typing import Any

from scripts.charts.experience import EXPERIENCES, METRICS, page_of
from scripts.site.inputs import Inputs, existing

Row = dict[str, Any]

CHARTS = ("flows", *EXPERIENCES)


def metric_words() -> dict[str, Row]:
    """How each metric of `qoe_pairs` is written."""
    return {name: asdict(metric) for name, metric in METRICS.items()}


def experience_pages(inputs: Inputs) -> list[Row]:
    """Each setting that has something to show beyond throughput: its charts, and its services."""
    services = felt_by_service(inputs)
    pages = [
        {
            "name": name,
            "charts": [chart for kind in CHARTS if (chart := existing(inputs, f"{kind}-{name}"))],
            "services": [row for row in services if row["setting"] == name],
        }
        for name in inputs.config["settings"]
    ]
    return [page for page in pages if page["charts"] or page["services"]]


def felt_by_service(inputs: Inputs) -> list[Row]:
    """Each service in each setting: its metrics, and a row for everyone it met, none first."""
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in inputs.tables["qoe_pairs"]:
        met = found[row["setting"], row["service"]]
        beside = row["contender"] or ""
        met.setdefault(beside, {"contender": beside, "page": page_of(row), "figures": {}})
        met[beside]["figures"][row["metric"]] = row
    return [
        {
            "setting": setting,
            "service": service,
            "metrics": [name for name in METRICS if any(name in row["figures"] for row in met.values())],
            "rows": [met[contender] for contender in sorted(met)],
        }
        for (setting, service), met in sorted(found.items())
    ]


def felt_in_pairs(inputs: Inputs) -> dict[tuple[str, str], list[Row]]:
    """The rows of `qoe_pairs` of each pair, by setting and pair: a service after the other."""
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    order = list(METRICS)
    for row in sorted(
        inputs.tables["qoe_pairs"], key=lambda row: (row["service"], order.index(row["metric"]))
    ):
        _room, setting, pair, _end = page_of(row).split("/")
        found[setting, pair].append(row)
    return found


def felt_in_trials(inputs: Inputs) -> dict[tuple[str, str, int], dict[str, list[Row]]]:
    """What the clients of each trial saw: of each kind the rows of its table, where there are any."""
    found: dict[tuple[str, str, int], dict[str, list[Row]]] = defaultdict(dict)
    for kind in EXPERIENCES:
        for row in inputs.tables[f"qoe_{kind}"]:
            found[row["setting"], row["pair"], row["trial"]].setdefault(kind, []).append(row)
    return found
