"""The command that writes the charts: its files, with the same bytes each time and no external references."""

import re
from xml.etree import ElementTree

import pytest

from scripts.charts.__main__ import main
from scripts.charts.chart_labels import PALETTE
from tests.charts.sample_cycle import sample_tables
from tests.charts.sample_files import write_cycle, write_tables

SHOWN = ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", "iperf-reno")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The sample without most of its trials, so that two builds are quick."""
    full, small = sample_tables(), {}
    for name, table in full.items():
        rows = [row for row in table.to_pylist() if row["setting"] == "8mbps"]
        if name.startswith("trial_"):
            rows = [row for row in rows if row["pair"] in SHOWN]
        small[name] = table.from_pylist(rows, schema=table.schema)
    return write_tables(small, tmp_path_factory.mktemp("a cycle") / "tables")


@pytest.fixture(scope="module")
def charts(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("charts")
    assert main([str(tables), "-o", str(folder)]) == 0
    return folder


def test_every_chart_has_its_two_files(charts):
    names = {path.stem for path in charts.glob("*.json")}
    assert names == {path.stem for path in charts.glob("*.svg")}
    assert {"share-8mbps", "utilization-8mbps", "loss-8mbps", "delay-8mbps", "dots-8mbps"} <= names
    assert {"dots-8mbps-iperf-bbr~iperf-cubic", "dots-8mbps-iperf-bbr"} <= names
    assert {"trial-8mbps-iperf-bbr~iperf-cubic-01", "trial-8mbps-iperf-bbr-02"} <= names


def test_a_cycle_without_browsers_has_no_chart_of_their_figures(charts):
    kinds = {path.stem.split("-8mbps")[0] for path in charts.glob("*.json")}
    assert kinds == {"share", "utilization", "loss", "delay", "dots", "trial"}


def test_the_same_tables_give_the_same_bytes(charts, tables, tmp_path):
    assert main([str(tables), "-o", str(tmp_path)]) == 0
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


def test_titles_come_from_the_campaign(tables, tmp_path):
    config = write_cycle(tmp_path) / "merged.json"
    assert main([str(tables), "-o", str(tmp_path / "charts"), "--config", str(config)]) == 0
    text = (tmp_path / "charts/share-8mbps.svg").read_text()
    assert "Highly constrained (8 Mbps, 50 ms)" in text and "iPerf (NewReno) against iPerf (BBR)" in text


def test_a_missing_table_is_a_user_error(tmp_path, capsys):
    assert main([str(tmp_path), "-o", str(tmp_path / "charts")]) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: ") and "trial_services.parquet" in message


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
