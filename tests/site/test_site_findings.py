"""The main results of a setting, from rows made by hand."""

from scripts.site.findings import bouts, findings


def row(incumbent: str, contender: str, share: float | None, **more) -> dict:
    """A row of `pairs` with an allocation of 4 Mbps."""
    return {
        "pair": "~".join(sorted((incumbent, contender))),
        "incumbent": incumbent,
        "contender": contender,
        "share_median": share,
        "share_low": None if share is None else share - 0.1,
        "n": 6,
        "allocation_mbps": 4.0,
        "wire_rate_mbps_median": None if share is None else 4 * share,
        "utilization_median": 0.9,
        "loss_rate_median": 0.01,
        "queueing_delay_ms_median": 50.0,
        **more,
    }


ROWS = [
    row("a", "a", 0.98),
    row("a", "b", 0.5, loss_rate_median=0.2, n=5, share_low=None),
    row("b", "a", 1.4),
    row("a", "c", 0.95),
    row("c", "a", 1.05, queueing_delay_ms_median=90.0),
    row("b", "c", None, utilization_median=None, loss_rate_median=None, queueing_delay_ms_median=None),
    row("c", "b", None),
]


def test_a_finding_takes_the_rows_it_counts_apart():
    table = [
        {"setting": "8mbps", "finding": "cells_losing", "rows": "a/b,c/c"},
        {"setting": "8mbps", "finding": "most_contentious", "rows": "a"},
        {"setting": "8mbps", "finding": "triples_not_transitive", "rows": ""},
        {"setting": "50mbps", "finding": "cells_losing", "rows": "b/a"},
    ]
    found = findings(table, "8mbps")
    assert list(found) == ["cells_losing", "most_contentious", "triples_not_transitive"]
    assert found["cells_losing"]["rows"] == [
        {"services": ["a", "b"], "pair": "a~b"},
        {"services": ["c", "c"], "pair": "c~c"},
    ]
    assert found["most_contentious"]["rows"] == [{"services": ["a"], "pair": None}]
    assert found["triples_not_transitive"]["rows"] == []


def test_bouts_put_the_most_unfair_first_and_leave_out_what_was_not_measured():
    found = bouts(ROWS, 8)
    assert [bout["pair"] for bout in found] == ["a~b", "a~c"]
    assert (found[0]["winner"]["service"], found[0]["loser"]["service"]) == ("b", "a")
    assert (found[0]["winner"]["part"], found[0]["loser"]["part"], found[0]["fair_part"]) == (0.7, 0.25, 0.5)
    assert [bout["even"] for bout in found] == [False, True]
