"""The control chart of a campaign: what pages say of cycles that vary, of one that differs, and of few."""

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest

from scripts.site.addresses import Place
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.control_charts import chart_words, control_points
from tests.site.pages_read import text
from tests.site.root.root_read import rows_of
from tests.site.root.sample_summaries import METHOD, make_summary, write_pages
from tests.site.sample_figures import change

CYCLES = 9


def cycle(number, factor=1.0, method=METHOD, baselines=("bbr", "cubic")):
    """A cycle of these baselines and another service: what BBR gets varies, here times `factor`."""
    name = (date(2026, 1, 5) + timedelta(weeks=2 * number)).isoformat()
    summary = replace(make_summary(Place("watchdog", name), [*baselines, "quic"]), method=method)
    level = float(np.random.default_rng(number).normal(1, 0.02)) * factor
    rows = [
        change("bbr", "cubic", 3.0, 3.0 * level),
        change("cubic", "bbr", 4.0, 4.0),
        change("bbr", "quic", 1.0, number),
    ]
    return Cycle((summary,), (), tuple(rows))


def words_of(cycles, place=-1):
    return chart_words(cycles[place], control_points(cycles)[cycles[place]])


def test_below_six_earlier_cycles_it_is_too_early_to_tell():
    assert words_of([cycle(number) for number in range(6)]) == (
        "There are too few cycles to tell how much the testbed varies from one to the next: 5 earlier "
        "cycles, and 6 are needed."
    )


def test_cycles_that_vary_as_the_earlier_ones_are_within_their_limits():
    words = words_of([cycle(number) for number in range(CYCLES)])
    assert words.startswith("The testbed varies as in 8 earlier cycles: BBR <v1> and Cubic & co are ")


def test_a_baseline_beyond_its_limits_is_a_change_of_the_testbed_and_the_chart_begins_anew():
    cycles = [*map(cycle, range(CYCLES)), cycle(CYCLES, 0.5), cycle(CYCLES + 1, 0.5)]
    alarm = words_of(cycles, -2)
    assert alarm.startswith("The testbed changed: compared with the earlier cycles, BBR <v1> gets ")
    assert alarm.endswith("No change of this cycle can be attributed to a service.")
    assert "1 earlier cycle, and 6 are needed" in words_of(cycles)


def test_another_method_begins_a_new_chart():
    other = METHOD | {"trial.duration_s": 300}
    cycles = [*map(cycle, range(CYCLES)), cycle(CYCLES, method=other)]
    assert "0 earlier cycles, and 6 are needed" in words_of(cycles)


def test_without_two_baselines_there_is_no_chart():
    assert words_of([cycle(0, baselines=["bbr"]), cycle(1, baselines=["bbr"])]) is None


@pytest.fixture
def site(build):
    """The pages of a campaign whose last cycle differs."""

    def write(site):
        for one in [*map(cycle, range(CYCLES)), cycle(CYCLES, 0.5)]:
            rows = [
                {**{name: getattr(row, name) for name in row.__slots__}, "q25": None, "q75": None}
                for row in one.figures
            ]
            write_pages(site, one.summary, rows)

    return build(write)


def test_the_pages_show_the_chart_and_a_row_for_each_cycle(site):
    page = site.page("changes/")
    assert "The testbed changed: compared with the earlier cycles, BBR <v1> gets" in text(page)
    assert "0.05 false alarms are expected" in text(page)
    rows = rows_of(page)[-CYCLES - 1 :]
    assert "alarm" in rows[0] and "±" in rows[0] and "too few cycles" in rows[-1]
    assert "alarm" not in rows[1]
    of_cycle = site.page(f"changes/watchdog/{cycle(CYCLES).name}/")
    assert "The testbed changed: compared" in text(of_cycle)
