"""The steady window of a trial with web pages, from what happened."""

from dataclasses import replace

import pytest

from services.use_time import FINISH, SHARED
from testbed.bottleneck import MachineFolders
from testbed.trial import Trial, first_load_ns
from tests.testbed.sample_specification import sample_specification

START_NS, CEILING_NS = 1_000, 9_000


@pytest.fixture
def trial_of(tmp_path):
    """A trial of these services in its steady window; each has stopped at this time or still runs."""

    def trial(**stop_ns: int | None) -> Trial:
        services = [name.replace("_", "-") for name in stop_ns]
        trial = Trial(sample_specification(*services), tmp_path / "work", MachineFolders(tmp_path, 0))
        trial._record = replace(trial._record, window_start_ns=START_NS, window_stop_ns=CEILING_NS)
        for run, stopped_ns in zip(trial._runs, stop_ns.values(), strict=True):
            run.record = replace(run.record, stop_ns=stopped_ns)
        return trial

    return trial


def asked_to_finish(trial: Trial) -> list[str]:
    return sorted(path.parents[1].name for path in trial._work.glob(f"drivers/*/{SHARED}/{FINISH}"))


@pytest.mark.parametrize(
    ("stop_ns", "window_stop_ns"),
    [
        ({"iperf_cubic": None, "ref_page_text": 5_000}, 5_000),
        ({"ref_page_images": 7_000, "ref_page_text": 6_000}, 6_000),
        ({"ref_page_images": None, "ref_page_text": 6_000}, 6_000),
        ({"iperf_cubic": None, "ref_page_text": 9_500}, CEILING_NS),
    ],
)
def test_the_first_page_whose_loads_are_over_ends_the_window_and_all_clients(
    trial_of, stop_ns, window_stop_ns
):
    trial = trial_of(**stop_ns)
    trial._end_with_web_page()
    assert window_stop_ns == trial.record()["window_stop_ns"]
    assert ["c1", "c2"] == asked_to_finish(trial)


@pytest.mark.parametrize(
    "stop_ns",
    [{"iperf_cubic": None, "ref_page_text": None}, {"iperf_cubic": 9_100, "iperf_reno": 9_200}],
)
def test_nothing_else_ends_the_window(trial_of, stop_ns):
    trial = trial_of(**stop_ns)
    trial._end_with_web_page()
    assert CEILING_NS == trial.record()["window_stop_ns"]
    assert [] == asked_to_finish(trial)


def test_of_two_pages_the_later_first_load_begins_the_window(trial_of):
    trial = trial_of(ref_page_images=7_000, ref_page_text=6_000)
    trial._begin_with_first_load([{"loads": [{"since_ns": 1_200}, {"since_ns": 4_000}]}, {"loads": []}])
    assert 1_200 == trial.record()["window_start_ns"]
    trial._begin_with_first_load([{"loads": [{"since_ns": 900}]}, {"loads": [{"since_ns": 1_700}]}])
    assert 1_700 == trial.record()["window_start_ns"]


def test_without_a_load_the_window_begins_as_planned(trial_of):
    trial = trial_of(iperf_cubic=None, ref_page_text=None)
    trial._begin_with_first_load([{"received_bytes": 5}])
    assert START_NS == trial.record()["window_start_ns"]
    assert first_load_ns({"loads": []}) is None
