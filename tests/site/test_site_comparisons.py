"""Pages that compare: what changed since the previous cycle, and the sweeps."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_files import seal, write_charts, write_stand_ins
from tests.charts.sample_sweep import PAIR, changes_rows
from tests.site.pages_read import Site, text

EXCERPT = ("iperf-bbr~iperf-cubic", "iperf-reno~iperf-reno")


@pytest.fixture(scope="module")
def compared(cycle, build, tmp_path_factory):
    """Builds the site of the sample as one sweep over the rate, with these rows of `changes`."""

    def built(changes: pa.Table, charts=write_stand_ins) -> Site:
        folder = tmp_path_factory.mktemp("compared")
        source = shutil.copytree(cycle, folder / "cycle", ignore=shutil.ignore_patterns("charts", "rows"))
        config = merged_config()
        for name, setting in config["settings"].items():
            setting["sweep"] = {"of": "link", "at": {"rate_mbps": setting["rate_mbps"]}}
            setting["title"] = f"Constrained, {name}"
        (source / "plan/config.json").write_text(json.dumps(config))
        for name in ("trial_services", "trial_series", "pairs", "solo"):
            table = sample_tables()[name]
            if "pair" in table.column_names:
                rows = [row for row in table.to_pylist() if row["pair"] in EXCERPT]
                table = table.from_pylist(rows, schema=table.schema)
            pq.write_table(table, source / f"tables/{name}.parquet")
        pq.write_table(changes, source / "tables/changes.parquet")
        charts(source)
        return build(folder / "public", seal(source))

    return built


@pytest.fixture(scope="module")
def changed(compared) -> Site:
    """A site with a cell that changed and a control that did not."""
    return compared(changes_rows(), lambda source: write_charts(source, "cycle"))


def test_the_page_says_first_that_the_control_did_not_change(changed):
    words = text(changed.page("changes/").find(".//main"))
    assert "The control group did not change. None of its 1 cell of baselines" in words
    assert "Of all other cells, 1 of 2 changed." in words
    assert words.index("control group") < words.index("1 of 2 changed") < words.index("3.00 Mbps before")


def test_a_change_is_shown_with_its_medians_its_effect_and_its_p(changed):
    (change,) = changed.page("changes/").findall(".//main/ul/li")
    assert "iPerf (BBR) against iPerf (Cubic): 3.00 Mbps before, 4.50 Mbps now (+50 %)." in text(change)
    assert "probability of 97 %; corrected p = 0.003" in text(change)
    assert change.find("a").get("href") == f"../pairs/8mbps/{PAIR}/"


def test_all_cells_are_in_the_table(changed):
    rows = changed.page("changes/").findall(".//details//tbody/tr")
    assert [text(row.findall("td")[-1]) for row in rows] == ["yes", "no", "no"]
    assert [text(row.findall("td")[1]) for row in rows] == ["no", "no", "yes"]


def test_a_control_that_changed_makes_the_other_changes_uncertain(compared):
    site = compared(changes_rows(control_moved=True))
    words = text(site.page("changes/").find(".//main"))
    assert "The control group changed. 1 of its 1 cell of baselines" in words
    assert "cannot be attributed to the services" in words


def test_front_page_and_data_page_lead_to_the_changes_where_there_are_any(changed, site):
    for page in ("index.html", "data/index.html"):
        changes = [link for link in changed.links(page) if link.endswith("changes/")]
        without = [link for link in site.links(page) if link.endswith("changes/")]
        assert len(changes) > len(without) == 2, page
    assert "nothing to compare with" in text(site.page("changes/").find(".//main"))


def test_the_page_says_how_many_cells_were_tested_and_what_could_have_been_found(changed):
    (table,) = [
        table
        for table in changed.page("changes/").iter("table")
        if "could have found" in text(table.find("caption"))
    ]
    rows = [[text(cell) for cell in row] for row in table.findall(".//tbody/tr")]
    assert [row[:3] for row in rows] == [
        ["Control: baselines against baselines", "1", "1"],
        ["All other cells", "2", "2"],
    ]
    assert all(row[4].endswith("Mbps") for row in rows)


def test_what_measured_the_cycle_and_what_it_is_not_compared_with_is_named(build, cycle, tmp_path):
    source = Path(shutil.copytree(cycle, tmp_path / "cycle"))
    described = json.loads((source / "tables/cycle.json").read_text())
    described["not_compared"] = {"2026-11-07": ["bottleneck", "trial.ignore_first_s"]}
    described["bottlenecks"].append({"backend": "bess", "version": None, "trials": 4})
    (source / "tables/cycle.json").write_text(json.dumps(described))
    built = build(tmp_path / "public", source)
    assert "embedded switch 9.9.0 (36 trials) and BESS (4 trials)" in text(built.page("method/"))
    words = text(built.page("changes/"))
    assert "cycle 2026-11-07 differs in bottleneck, trial.ignore_first_s" in words


def test_a_pair_of_a_sweep_has_its_chart_on_its_page_in_every_setting(changed):
    for setting, other in (("8mbps", "50mbps"), ("50mbps", "8mbps")):
        address = f"pairs/{setting}/{PAIR}/"
        links = [link.get("href") for link in changed.page(address).findall(".//figure//svg//a")]
        (target,) = {link for link in links if other in link}
        assert (
            changed.target(f"{address}index.html", target)[0]
            == changed.base / f"pairs/{other}/{PAIR}/index.html"
        )


def test_the_front_page_shows_each_pair_of_a_sweep_with_links_to_its_settings(changed, site):
    section = changed.page("").find(".//section[@class='sweep']")
    assert text(section.find("h2")) == "Constrained: Rate of the link (Mbps)"
    links = [link.get("href") for link in section.findall(".//svg//a")]
    for setting in ("8mbps", "50mbps"):
        assert links.count(f"./pairs/{setting}/{PAIR}/") == 2
        assert changed.target("index.html", f"pairs/{setting}/{PAIR}/")[0].is_file()
    assert site.page("").find(".//section[@class='sweep']") is None
