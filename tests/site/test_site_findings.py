"""The main results of a setting, from rows made by hand."""

from scripts.charts.chart_labels import Labels
from scripts.charts.table_rows import PairRow
from scripts.model.pairs import pair_name
from scripts.site.findings import findings, matchups


def row(incumbent: str, contender: str, share: float | None, **more) -> PairRow:
    """A row of `pairs` with an allocation of 4 Mbps."""
    values = {
        "setting": "8mbps",
        "pair": pair_name([incumbent, contender]),
        "incumbent": incumbent,
        "contender": contender,
        "share_median": share,
        "share_q25": None,
        "share_q75": None,
        "share_low": None if share is None else share - 0.1,
        "share_high": None,
        "n": 6,
        "excluded": 0,
        "allocation_mbps": 4.0,
        "wire_rate_mbps_median": None if share is None else 4 * share,
        "utilization_median": 0.9,
        "loss_rate_median": 0.01,
        "queueing_delay_ms_median": 50.0,
        **more,
    }
    return PairRow(**values)


ROWS = [
    row("a", "a", 0.98),
    row("a", "b", 0.5, loss_rate_median=0.2, n=5, share_low=None),
    row("b", "a", 1.4),
    row("a", "c", 0.95),
    row("c", "a", 1.05, queueing_delay_ms_median=90.0),
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


def test_matchups_put_the_most_unfair_first_and_leave_out_what_was_not_measured():
    found = matchups(ROWS, 8)
    assert [matchup["pair"] for matchup in found] == ["a~b", "a~c"]
    assert (found[0]["better_off"]["service"], found[0]["worse_off"]["service"]) == ("b", "a")
    assert (found[0]["better_off"]["part"], found[0]["worse_off"]["part"]) == (0.7, 0.25)
    assert found[0]["fair_part"] == 0.5
    assert [matchup["has_loser"] for matchup in found] == [True, False]
