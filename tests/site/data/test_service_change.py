"""The compared services of a cycle, as its summary has them."""

import pyarrow.parquet as pq
import pytest

from scripts.site.data.service_change import service_changes
from tests.charts.sample_sweep import service_changes_rows
from tests.site.sample_figures import service_change


def test_every_row_of_the_table_is_read(tmp_path):
    pq.write_table(service_changes_rows(), tmp_path / "service_changes.parquet")
    bbr, reno = service_changes(tmp_path)
    assert (bbr.service, bbr.changed, bbr.shift_low) == ("iperf-bbr", True, 0.3)
    assert (reno.service, reno.changed, reno.control) == ("iperf-reno", False, True)


def test_a_cycle_of_an_earlier_version_has_none(tmp_path):
    assert service_changes(tmp_path) == ()


@pytest.mark.parametrize(("ends", "beyond"), [((-0.3, 0.1), 0.3), ((0.1, 0.2), 0.2), ((None, None), None)])
def test_all_shifts_beyond_the_farther_end_are_excluded(ends, beyond):
    assert beyond == service_change("bbr", *ends, "undecided").excluded_beyond
