"""The command that writes the charts: its files, with the same bytes each time and no external references."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scripts.charts.__main__ import main
from scripts.charts.chart_labels import PALETTE
from tests.charts.sample_campaign import merged_config
from tests.charts.sample_cycle import FAILED, sample_tables
from tests.charts.sample_files import write_tables, write_trial_rows
from tests.charts.sample_qoe import CUBIC, SETTING, VIDEO, qoe_config, qoe_tables

SHOWN = ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", "iperf-reno")
TRIALS = ("8mbps/iperf-bbr~iperf-cubic/01", "8mbps/iperf-bbr/02")


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
    write_trial_rows(full, folder / "rows")
    (folder / "merged.json").write_text(json.dumps(merged_config()))
    return folder


def draw(what: str, cycle: Path, output: Path, *sources: str) -> set[str]:
    """Run the command on these sources of a cycle; returns the names of the charts."""
    words = [str(cycle / source) for source in sources]
    assert main([what, *words, "--config", str(cycle / "merged.json"), "-o", str(output)]) == 0
    return {path.stem for path in output.glob("*.json")}


@pytest.fixture(scope="module")
def charts(cycle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("charts")
    draw("cycle", cycle, folder, "tables")
    draw("trials", cycle, folder, *(f"rows/{trial}" for trial in TRIALS))
    return folder


def test_every_chart_has_its_two_files(charts):
    names = {path.stem for path in charts.glob("*.json")}
    assert names == {path.stem for path in charts.glob("*.svg")}
    assert {"share-8mbps", "utilization-8mbps", "loss-8mbps", "delay-8mbps", "dots-8mbps"} <= names
    assert {"dots-8mbps-iperf-bbr~iperf-cubic", "dots-8mbps-iperf-bbr"} <= names
    assert {name for name in names if name.startswith("trial-")} == {
        "trial-8mbps-iperf-bbr~iperf-cubic-01",
        "trial-8mbps-iperf-bbr-02",
    }


def test_a_cycle_without_browsers_has_no_chart_of_their_figures(charts):
    kinds = {path.stem.split("-8mbps")[0] for path in charts.glob("*.json")}
    assert kinds == {"share", "utilization", "loss", "delay", "dots", "trial"}


def test_the_charts_of_trials_need_their_own_rows_only(cycle, tmp_path):
    """A changed trial therefore redraws no other pair, and a changed table of the cycle redraws no trial."""
    alone = tmp_path / "alone"
    (alone / "rows/8mbps/iperf-bbr").mkdir(parents=True)
    (cycle / "rows/8mbps/iperf-bbr/01").rename(alone / "rows/8mbps/iperf-bbr/01")
    (alone / "merged.json").write_bytes((cycle / "merged.json").read_bytes())
    assert draw("trials", alone, tmp_path / "out", "rows/8mbps/iperf-bbr/01") == {"trial-8mbps-iperf-bbr-01"}


def test_a_failed_trial_has_no_chart_but_a_folder_for_them(cycle, tmp_path):
    setting, pair, number = FAILED
    assert draw("trials", cycle, tmp_path / "out", f"rows/{setting}/{pair}/{number:02d}") == set()
    assert (tmp_path / "out").is_dir()


def test_a_trial_with_a_video_of_unknown_bitrate_has_no_chart_of_it(tmp_path):
    tables = qoe_tables()
    (tmp_path / "merged.json").write_text(json.dumps(qoe_config()))
    trial, name = f"{SETTING}/{CUBIC}~{VIDEO}/01", f"{SETTING}-{CUBIC}~{VIDEO}-01"
    write_trial_rows(tables, tmp_path / "rows")
    assert draw("trials", tmp_path, tmp_path / "known", f"rows/{trial}") == {
        f"trial-{name}",
        f"bitrate-{name}",
    }
    series = tables["qoe_video_series"]
    rows = [row | {"bitrate_kbps": None} for row in series.to_pylist()]
    unknown = tables | {"qoe_video_series": series.from_pylist(rows, schema=series.schema)}
    write_trial_rows(unknown, tmp_path / "live")
    assert draw("trials", tmp_path, tmp_path / "unknown", f"live/{trial}") == {f"trial-{name}"}


def test_the_same_tables_give_the_same_bytes(charts, cycle, tmp_path):
    draw("cycle", cycle, tmp_path, "tables")
    draw("trials", cycle, tmp_path, *(f"rows/{trial}" for trial in TRIALS))
    for path in charts.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_an_svg_has_no_external_references_and_a_label(charts):
    for path in charts.glob("*.svg"):
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


@pytest.mark.parametrize(("what", "table"), [("cycle", "trial_services"), ("trials", "trial_series")])
def test_a_missing_table_is_a_user_error(cycle, tmp_path, capsys, what, table):
    words = [what, str(tmp_path), "--config", str(cycle / "merged.json"), "-o", str(tmp_path / "charts")]
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
