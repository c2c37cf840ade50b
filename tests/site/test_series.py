"""Trials over time on their pages: charts that are files, and the rows of those that the browser draws."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.model.trials import TrialKey
from scripts.site.cycle.trial_pages import row_ranges
from tests.charts.sample_cycle import FAILED
from tests.charts.sample_files import KEY
from tests.site.pages_read import Site, text
from tests.site.sample_series import SHORT, TABLE, make_archive, row_of


@pytest.fixture(scope="module")
def archive(cycle, tmp_path_factory) -> Site:
    return make_archive(cycle, tmp_path_factory.mktemp("archive"))


@pytest.fixture(scope="module")
def table(archive) -> pa.Table:
    return pq.read_table(archive.root / TABLE, partitioning=None)


def test_the_rows_of_a_trial_are_those_of_the_table(table, archive):
    ranges = row_ranges(archive.root / TABLE)
    for key, found in ranges.items():
        assert {tuple(row.values()) for row in table.select(KEY).slice(*found).to_pylist()} == {
            (key.setting, key.pair, key.number)
        }
    assert len(table) == sum(rows for _first, rows in ranges.values())
    assert TrialKey(*FAILED) not in ranges


def test_rows_of_a_trial_that_are_not_together_are_a_user_error(table, tmp_path):
    pq.write_table(pa.concat_tables([table, table.slice(0, 3)]), tmp_path / "mixed.parquet")
    with pytest.raises(UserError, match=r"mixed\.parquet: the rows of .* are not together"):
        row_ranges(tmp_path / "mixed.parquet")


def figure_of(archive: Site, key: TrialKey):
    """The chart that the browser draws on a trial's page; None if there is none."""
    page = archive.page(f"trials/{key.path}/")
    return next((figure for figure in page.iter("figure") if figure.get("data-table")), None)


def test_a_page_names_the_table_and_the_rows_of_its_trial(archive, table):
    figure = figure_of(archive, SHORT)
    page = f"trials/{SHORT.path}/index.html"
    assert archive.root / TABLE == archive.target(page, figure.get("data-table"))[0]
    first = row_of(table, SHORT)
    assert (first, 110) == (int(figure.get("data-first")), int(figure.get("data-rows")))
    assert "1024" == figure.get("data-queue")


def test_only_pages_that_draw_have_the_script_and_it_is_small(archive):
    (script,) = (archive.base / "js").rglob("trial.*")
    assert script.stat().st_size <= 80_000
    for name, page in archive.pages.items():
        draws = any(figure.get("data-table") for figure in page.iter("figure"))
        has = [one for one in page.iter("script") if script.name in (one.get("src") or "")]
        assert ["defer" in one.attrib for one in has] == [True] * draws, name


def test_without_scripts_a_page_says_so_and_links_the_table(archive):
    figure = figure_of(archive, SHORT)
    (noscript,) = figure.iter("noscript")
    assert "runs no scripts" in text(noscript)
    assert [figure.get("data-table")] == [link.get("href") for link in figure.iter("a")]


def test_a_trial_with_a_chart_and_a_failed_one_draw_nothing(archive):
    assert figure_of(archive, TrialKey(*FAILED)) is None
    with_chart = TrialKey("50mbps", "iperf-bbr", 1)
    assert figure_of(archive, with_chart) is None
    assert (archive.base / f"charts/trial-{with_chart.name}.svg").is_file()
