"""The main results of a setting, from rows made by hand."""

from types import SimpleNamespace

import pytest

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow, QoePairRow
from scripts.model.pairs import pair_name
from scripts.site.cycle.findings import Finding, findings, ranking, with_figures


def row(incumbent: str, contender: str, share: float | None, **more) -> PairRow:
    """A row of `pairs` with an allocation of 4 Mbps."""
    values = {
        "setting": "8mbps",
        "pair": pair_name([incumbent, contender]),
        "incumbent": incumbent,
        "contender": contender,
        "instance": "first",
        "unable": "",
        "share_median": share,
        "share_q25": None,
        "share_q75": None,
        "share_low": None if share is None else share - 0.1,
        "share_high": None if share is None else share + 0.1,
        **dict.fromkeys(("n", "share_n", "utilization_n", "loss_rate_n", "queueing_delay_ms_n"), 6),
        "excluded": 0,
        "allocation_mbps": 4.0,
        "wire_rate_mbps_median": None if share is None else 4 * share,
        "utilization_median": 0.9,
        "loss_rate_median": 0.01,
        "queueing_delay_ms_median": 50.0,
        "jain_median": 0.9,
        **dict.fromkeys(("harm_throughput_n", "harm_delay_n", "harm_loss_n"), 6),
        **dict.fromkeys(("harm_throughput_median", "harm_delay_median", "harm_loss_median"), 0.1),
        **more,
    }
    return PairRow(**values)


def judged(incumbent: str, contender: str, share: float, verdict: str) -> PairRow:
    """A cell with this verdict."""
    return row(incumbent, contender, share, verdict=verdict)


ROWS = [
    row("a", "a", 0.58, instance="worse_off"),
    row("a", "a", 1.42, instance="better_off"),
    judged("a", "b", 0.5, "losing"),
    judged("b", "a", 1.4, "winning"),
    judged("a", "c", 0.95, "fair"),
    judged("c", "a", 1.05, "fair"),
    row("b", "c", None, utilization_median=None, loss_rate_median=None, queueing_delay_ms_median=None),
    row("c", "b", None),
]


def test_a_finding_lists_the_rows_that_it_counts():
    table = [
        {"setting": setting, "finding": finding, "incumbent": None, "contender": contender, "rows": keys}
        for setting, finding, contender, keys in (
            ("8mbps", "cells_losing", None, "a/b,c/c"),
            ("8mbps", "most_contentious", "a", "a"),
            ("8mbps", "triples_not_transitive", None, ""),
            ("50mbps", "cells_losing", None, "b/a"),
        )
    ]
    found = findings(table, "8mbps", Labels(services={"a": "A"}))
    assert list(found) == ["cells_losing", "most_contentious", "triples_not_transitive"]
    assert found["cells_losing"]["rows"] == [
        {"services": ["a", "b"], "pair": "a~b", "title": "A against b"},
        {"services": ["c", "c"], "pair": "c~c", "title": "c against itself"},
    ]
    assert found["most_contentious"]["rows"] == [{"services": ["a"], "pair": None, "title": "A"}]
    assert found["triples_not_transitive"]["rows"] == []


def test_an_extreme_lists_what_cannot_be_told_apart_from_it_and_a_pair_counts_once():
    row = {"setting": "8mbps", "incumbent": "a", "contender": "b", "rows": "a/b"}
    table = [
        row | {"finding": "most_unfair", "may_be_first": "a/b,b/a,a/c"},
        row | {"finding": "loss_rate_highest", "may_be_first": "a/b,b/a"},
        row | {"finding": "queueing_delay_highest", "may_be_first": ""},
    ]
    found = findings(table, "8mbps", Labels(services={"a": "A", "b": "B", "c": "C"}))
    assert [one["tied"] for one in found.values()] == [2, 2, 0]
    assert [one["pair"] for one in found["most_unfair"]["may_be_first"]] == ["a~b", "a~b", "a~c"]


def test_a_ranking_has_the_intervals_of_its_ranks():
    services = [{"setting": setting, "service": "a"} for setting in ("8mbps", "50mbps")]
    lead = {"setting": "8mbps", "finding": "most_contentious", "key": "a", "rank_low": 1, "rank_high": 3}
    few = lead | {"finding": "most_sensitive", "rank_low": None}
    (row,) = ranking(services, [lead, few], "8mbps")
    assert (row["contentious_ranks"], row["sensitive_ranks"]) == ("1 to 3", None)


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ({"verdict": "losing"}, "losing"),
        ({}, "unjudged"),
        ({"share_low": None, "share_high": None}, "seen"),
        ({"verdict": None, "unable": "b"}, None),
        ({"instance": "worse_off"}, "unjudged"),
        ({"instance": "worse_off", "share_low": None}, "unjudged"),
        ({"instance": "better_off"}, None),
        ({"share_median": None}, None),
    ],
)
def test_pages_show_the_verdict_of_the_table_or_why_there_is_none(more, shown):
    """A row of six trials without a verdict is no cell of the matrix, or of a cycle that had none."""
    assert shown == row("a", "b", 0.69, **more).shown_verdict


TITLES = Labels(services={"reno": "Reno", "batched": "Batches", "five": "5 × BBR", "page": "Page"})


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
        labels=TITLES, records=lambda _table, kind: [row for row in rows if isinstance(row, kind)]
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
