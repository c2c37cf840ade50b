"""The ranking and the verdicts of a setting, from rows made by hand."""

import pytest

from scripts.charts.table_rows import PairRow
from scripts.model.pairs import pair_name
from scripts.site.cycle.cycle_page import ranking


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
        "utilization_median": 0.9,
        "loss_rate_median": 0.01,
        "queueing_delay_ms_median": 50.0,
        "jain_median": 0.9,
        **dict.fromkeys(("harm_throughput_n", "harm_delay_n", "harm_loss_n"), 6),
        **dict.fromkeys(("harm_throughput_median", "harm_delay_median", "harm_loss_median"), 0.1),
        **more,
    }
    return PairRow(**values)


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
