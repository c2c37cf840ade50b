"""The two figures in each row of Observations 4 and 8."""

from types import SimpleNamespace

import pytest

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow, QoePairRow
from scripts.site.cycle.beside import with_figures
from scripts.site.cycle.findings import Finding

LABELS = Labels(services={"reno": "Reno", "batched": "Batches", "five": "5 × BBR", "page": "Page"})


def share(contender: str, median: float | None, low: float | None, high: float | None, n: int) -> PairRow:
    """What Reno got."""
    values = dict.fromkeys(PairRow.__dataclass_fields__)
    values |= {"setting": "50mbps", "incumbent": "reno", "contender": contender, "instance": "first"}
    return PairRow(**values | {"share_median": median, "share_low": low, "share_high": high, "share_n": n})


def load(contender: str, median: float, low: float | None, high: float | None, **more) -> QoePairRow:
    """How long the page loaded."""
    values = dict.fromkeys(QoePairRow.__dataclass_fields__)
    values |= {"setting": "50mbps", "service": "page", "contender": contender, "instance": "first", "n": 6}
    values |= {"metric": "web_visually_complete_s", "median": median, "low": low, "high": high}
    return QoePairRow(**values | more)


def inputs_of(*rows: Finding | PairRow | QoePairRow) -> SimpleNamespace:
    """The rows of a cycle's tables."""
    return SimpleNamespace(
        labels=LABELS, records=lambda _table, kind: [row for row in rows if isinstance(row, kind)]
    )


def title_of(finding: str, key: str, *rows: PairRow | QoePairRow) -> str:
    """The title of the row of a finding that counts one."""
    counted, elsewhere = (Finding(one, finding, None, None, key) for one in ("50mbps", "8mbps"))
    found = with_figures({finding: {"rows": []}}, "50mbps", inputs_of(counted, *rows))
    assert with_figures(found, "50mbps", inputs_of(elsewhere, *rows)) == found
    (row,) = found[finding]["rows"]
    assert "~".join(sorted(key.split("/")[:2])) == row["pair"]
    return row["title"].replace("\u00a0", " ")


@pytest.mark.parametrize("finding", ["batches", "batches_less", "batches_more"])
def test_a_row_has_the_shares_against_batches_and_against_flows_without(finding):
    rows = share("batched", 0.22, 0.2, 0.25, 6), share("five", 0.85, None, None, 3)
    words = (
        "Reno against Batches: 22 % (95 % interval 20 to 25, n = 6); against 5 × BBR: 85 %, seen in 3 trials"
    )
    assert words == title_of(finding, "reno/batched/five", *rows)


@pytest.mark.parametrize("finding", ["page_loads", "page_load_longest"])
def test_a_row_has_the_load_times_beside_a_contender_and_alone(finding):
    other = load("batched", 99, None, None, metric="web_speed_index_s")
    rows = load("batched", 21, 19, 22, at_least=20), load("", 8, 7, 9), other
    words = "Page beside Batches: ≥ 21.00 s (95 % interval 19.00 to ≥ 22.00, n = 6); "
    assert words + "alone: 8.00 s (95 % interval 7.00 to 9.00, n = 6)" == title_of(
        finding, "page/batched", *rows
    )


def test_other_findings_stay_as_they_are():
    found = {"cells": {"rows": [{"services": ["a"], "title": "A"}]}}
    assert found == with_figures(found, "50mbps", inputs_of(Finding("50mbps", "cells", None, None, "a")))
