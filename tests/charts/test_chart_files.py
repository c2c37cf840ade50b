"""The command that writes the charts: its files, with the same bytes each time and no external references."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scripts.base.records import read_record
from scripts.charts.__main__ import main
from scripts.charts.chart_labels import PALETTE
from scripts.charts.chosen_trials import ChosenTrials
from scripts.charts.render import to_spec
from scripts.charts.trial_charts import trial_charts
from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import FAILED, sample_tables
from tests.charts.sample_files import write_tables
from tests.charts.sample_qoe import CUBIC, SETTING, VIDEO, qoe_config, qoe_tables

SHOWN = ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", "iperf-reno")


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """The sample without most of its trials, so that two builds are quick."""
    full, small = sample_tables(), {}
    for name, table in full.items():
        rows = [row for row in table.to_pylist() if row["setting"] == "8mbps"]
        if name.startswith("trial_"):
            rows = [row for row in rows if row["pair"] in SHOWN]
        small[name] = table.from_pylist(rows, schema=table.schema)
    folder = tmp_path_factory.mktemp("a cycle")
    write_tables(small, folder / "tables")
    (folder / "merged.json").write_text(json.dumps(merged_config()))
    return folder


def draw(what: str, cycle: Path, output: Path) -> set[str]:
    """Run the command on the tables of a cycle; returns the names of the charts."""
    words = [what, str(cycle / "tables"), "--config", str(cycle / "merged.json"), "-o", str(output)]
    assert main(words) == 0
    return {path.stem for path in output.rglob("*.svg")}


@pytest.fixture(scope="module")
def charts(cycle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("charts")
    draw("cycle", cycle, folder)
    draw("trials", cycle, folder / "trials")
    return folder


def test_every_chart_of_a_cycle_has_its_two_files(charts):
    names = {path.stem for path in charts.glob("*.json")}
    assert names == {path.stem for path in charts.glob("*.svg")}
    assert {"share-8mbps", "utilization-8mbps", "loss-8mbps", "delay-8mbps", "dots-8mbps"} <= names
    assert {"dots-8mbps-iperf-bbr~iperf-cubic", "dots-8mbps-iperf-bbr"} <= names


def test_a_cycle_without_browsers_has_no_chart_of_their_figures(charts):
    kinds = {path.stem.split("-8mbps")[0] for path in charts.rglob("*.svg")}
    assert kinds == {"share", "utilization", "loss", "delay", "dots", "trial"}


def test_the_chosen_trials_of_each_cell_have_an_svg_and_no_json(charts):
    chosen = read_record(ChosenTrials, charts / "trials/chosen.json").cells
    assert [(cell.setting, cell.pair) for cell in chosen] == [("8mbps", pair) for pair in sorted(SHOWN)]
    expected = {
        f"{cell.setting}/{cell.pair}/trial-{key.name}.svg" for cell in chosen for key in cell.keys
    } | {"chosen.json"}
    assert expected == {
        str(path.relative_to(charts / "trials")) for path in (charts / "trials").rglob("*") if path.is_file()
    }


def test_the_chart_of_a_trial_shows_the_rows_of_that_trial(cycle):
    """The table has all trials; the title has the trial's throughput in its window."""
    key = TrialKey("8mbps", "iperf-bbr", 2)
    ((name, chart),) = trial_charts(cycle / "tables", campaign_of(merged_config()), key)
    (row,) = (
        row
        for row in sample_tables()["trial_services"].to_pylist()
        if (row["setting"], row["pair"], row["trial"]) == ("8mbps", "iperf-bbr", 2)
    )
    assert name == "trial-8mbps-iperf-bbr-02"
    assert f"iPerf (BBR): {row['throughput_mbps']:.2f} Mbps" in to_spec(chart)["description"]


def test_a_failed_trial_has_no_chart(cycle):
    assert [] == list(trial_charts(cycle / "tables", campaign_of(merged_config()), TrialKey(*FAILED)))


def test_a_trial_with_a_video_of_unknown_bitrate_has_no_chart_of_it(tmp_path):
    tables, campaign = qoe_tables(), campaign_of(qoe_config())
    key = TrialKey(SETTING, f"{CUBIC}~{VIDEO}", 1)
    write_tables(tables, tmp_path / "known")
    names = [name for name, _ in trial_charts(tmp_path / "known", campaign, key)]
    assert [f"trial-{key.name}", f"bitrate-{key.name}"] == names
    series = tables["qoe_video_series"]
    rows = [row | {"bitrate_kbps": None} for row in series.to_pylist()]
    unknown = tables | {"qoe_video_series": series.from_pylist(rows, schema=series.schema)}
    write_tables(unknown, tmp_path / "live")
    names = [name for name, _ in trial_charts(tmp_path / "live", campaign, key)]
    assert [f"trial-{key.name}"] == names


def test_the_same_tables_give_the_same_bytes(charts, cycle, tmp_path):
    draw("cycle", cycle, tmp_path)
    draw("trials", cycle, tmp_path / "trials")
    for path in (path for path in charts.rglob("*") if path.is_file()):
        assert path.read_bytes() == (tmp_path / path.relative_to(charts)).read_bytes(), path.name


def test_an_svg_has_no_external_references_and_a_label(charts):
    for path in charts.rglob("*.svg"):
        text = path.read_text()
        root = ElementTree.fromstring(text)
        assert root.get("aria-label"), path.name
        assert not re.search(r'(href|src)="(https?:)?//', text), path.name
        assert "Liberation Sans" in text


def test_links_in_an_svg_are_as_the_chart_gave_them(charts):
    text = (charts / "share-8mbps.svg").read_text()
    assert 'href="../pairs/8mbps/iperf-bbr~iperf-cubic/"' in text


def test_titles_come_from_the_campaign(charts):
    text = (charts / "share-8mbps.svg").read_text()
    assert "Highly constrained (8 Mbps, 50 ms)" in text and "iPerf (NewReno) against iPerf (BBR)" in text


@pytest.mark.parametrize(("what", "table"), [("cycle", "pairs"), ("trials", "trial_series")])
def test_a_missing_table_is_a_user_error(cycle, tmp_path, capsys, what, table):
    shutil.copytree(cycle / "tables", tmp_path / "tables")
    (tmp_path / "tables" / f"{table}.parquet").unlink()
    words = [
        what,
        str(tmp_path / "tables"),
        "--config",
        str(cycle / "merged.json"),
        "-o",
        str(tmp_path / "charts"),
    ]
    assert main(words) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: ") and f"{table}.parquet" in message


def test_every_colour_stands_out_on_a_light_and_on_a_dark_page():
    for colour in PALETTE:
        for page in ("#fbfaf7", "#14171a"):
            assert contrast(colour, page) >= 3, (colour, page)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours (WCAG 2.2)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
