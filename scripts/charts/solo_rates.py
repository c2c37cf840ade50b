"""The wire rate of every service alone, as bars."""

from collections.abc import Iterable
from dataclasses import dataclass

import altair as alt

from scripts.charts.chart_labels import ENOUGH, Labels
from scripts.charts.row_places import AXIS, WIDTH, row_places
from scripts.charts.theme import Datum, chart_of, headed

RATE = "Median wire rate (Mbps)"


@dataclass(frozen=True)
class SoloRateRow:
    """A row of solo."""

    setting: str
    service: str
    n: int
    wire_rate_median_mbps: float | None


def solo_rates(rows: Iterable[SoloRateRow], setting: str, labels: Labels) -> alt.LayerChart | None:
    """A bar for each service, the fastest first. None if no service has a rate.

    Args:
        rows: the table `solo`.
        setting: the setting to show.
        labels: titles of services and settings.
    """
    own = [row for row in rows if row.setting == setting and row.wire_rate_median_mbps is not None]
    if not own:
        return None
    own.sort(key=lambda row: (-(row.wire_rate_median_mbps or 0), row.service))
    places = row_places(dict.fromkeys((labels.service(row.service) for row in own), 12))
    data: list[Datum] = [
        {
            "value": row.wire_rate_median_mbps,
            "y": places.middle(labels.service(row.service)),
            "label": f"{labels.service(row.service)}: {row.wire_rate_median_mbps:.2f} Mbps, n = {row.n}",
        }
        for row in own
    ]
    first = own[0]
    words = "; ".join(str(one["label"]) for one in data)
    seen = "Fastest" if first.n >= ENOUGH else "Seen fastest"
    title = f"{seen} alone: {data[0]['label']}"
    bars = chart_of(data).mark_bar(height=10).encode(x=alt.X("value:Q", title=RATE, axis=AXIS), y=places.y())
    return alt.LayerChart(layer=[places.headings(), bars]).properties(
        width=WIDTH,
        height=places.height,
        description=f"{title}. {labels.setting(setting)}. {RATE}. {words}.",
        title=headed(title, [labels.setting(setting)], WIDTH),
    )
