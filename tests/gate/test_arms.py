"""The values that a gate compares, from the table of samples."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.gate.decision import judge
from scripts.gate.definition import ComparedCell
from scripts.gate.margins import read_settings
from scripts.gate.running import arms_of

MARGINS = {name: read_settings().margins[name] for name in ("share", "harm")}
CELL = ComparedCell("8mbps", "iperf-cubic", "base")


def sample(service, contender, metric, value, trial=1, valid=True):
    """A row of the table."""
    return {
        "setting": "8mbps",
        "service": service,
        "contender": contender,
        "metric": metric,
        "trial": trial,
        "value": value,
        "valid": valid,
        "instance": "first",
        "subject": "flow",
        "size_class": "",
        "statistic": "",
    }


@pytest.fixture
def judged(tmp_path):
    """The verdicts on share and harm, if the contender's trial alone counts or not."""

    def judged(alone_counts, needs_mbps=4.0):
        rows = [sample("iperf-cubic", "", "throughput_mbps", 7.5, valid=alone_counts)]
        for arm in ("candidate", "base"):
            for trial in range(1, 8):
                harm = 0.4 + trial / 1000 if alone_counts else None
                rows += [sample(arm, "iperf-cubic", "share", 1 + trial / 1000, trial)]
                rows += [sample("iperf-cubic", arm, "harm_throughput", harm, trial)]
        (tmp_path / "tables").mkdir()
        allocations = [
            {"setting": "8mbps", "service": arm, "contender": "iperf-cubic", "allocation_mbps": mbps}
            for arm, mbps in (("candidate", needs_mbps), ("base", 4.0))
        ]
        pq.write_table(pa.Table.from_pylist(allocations), tmp_path / "tables/trial_fairness.parquet")
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / "tables/samples.parquet")
        return judge(arms_of([CELL], MARGINS, tmp_path), (1.0,)).figures

    return judged


def test_harm_without_a_trial_alone_is_not_judged_and_says_why(judged):
    share, harm = judged(alone_counts=False)
    assert ("pass", None) == (share.verdict, share.because)
    assert ("inconclusive", "no trial of iperf-cubic alone counts") == (harm.verdict, harm.because)


def test_harm_is_judged_where_the_contender_ran_alone(judged):
    assert ["pass", "pass"] == [figure.verdict for figure in judged(alone_counts=True)]


def test_a_build_that_became_slow_has_no_fair_share_of_less(judged):
    """Alone it gets 2 Mbps. It has all that it needs beside the contender, and half of what the base has."""
    share, _harm = judged(alone_counts=True, needs_mbps=2.0)
    assert ("fail", pytest.approx(-0.502)) == (share.verdict, share.difference)
