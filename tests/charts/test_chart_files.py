"""The command that writes the charts: its files, with the same bytes each time and no external references."""

import csv
import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from scripts.base.records import read_record
from scripts.charts.__main__ import main
from scripts.charts.chosen_trials import ChosenTrials
from scripts.charts.heatmap_cells import HARMS, HEATMAPS
from scripts.charts.qoe_charts import QOE_CHARTS
from scripts.charts.render import FORMS, to_spec
from scripts.charts.svg_finish import inlined
from scripts.charts.theme import INK, MUTED, RULE
from scripts.charts.trial_charts import trial_charts
from scripts.model.trials import TrialKey
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import FAILED, sample_tables
from tests.charts.sample_files import cycle_json, write_tables
from tests.charts.sample_qoe import CUBIC, QUIC, SETTING, VIDEO, qoe_config, qoe_tables
from tests.charts.specs import rows_of

SHOWN = ("iperf-bbr~iperf-cubic", "iperf-bbr", "iperf-cubic", "iperf-reno")


@pytest.fixture(scope="module")
def cycle(tmp_path_factory):
    """The sample without most of its trials, so that two builds are quick."""
    full, small = sample_tables(), {}
    for name, table in full.items():
        rows = [row for row in table.to_pylist() if row.get("setting", "8mbps") == "8mbps"]
        if name.startswith("trial_"):
            rows = [row for row in rows if row["pair"] in SHOWN]
        small[name] = table.from_pylist(rows, schema=table.schema)
    folder = tmp_path_factory.mktemp("a cycle")
    write_tables(small, folder / "tables")
    (folder / "tables/cycle.json").write_text(json.dumps(cycle_json()))
    (folder / "merged.json").write_text(json.dumps(merged_config()))
    return folder


def draw(what: str, cycle: Path, output: Path, *options: str) -> set[str]:
    """Run the command on the tables of a cycle; returns the names of the charts."""
    words = [what, str(cycle / "tables"), "--config", str(cycle / "merged.json"), "-o", str(output)]
    assert main([*words, *options]) == 0
    return {path.stem for path in output.rglob("*.svg")}


@pytest.fixture(scope="module")
def charts(cycle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("charts")
    draw("cycle", cycle, folder, "--jobs", "2")
    draw("trials", cycle, folder / "trials")
    return folder


def test_every_chart_of_a_cycle_is_written_in_every_form(charts):
    names = {path.stem for path in charts.glob("*.json")}
    assert {f"{name}.{form}" for name in names for form in FORMS} == {
        path.name for path in charts.iterdir() if path.is_file()
    }
    assert {"share-8mbps", "utilization-8mbps", "loss-8mbps", "delay-8mbps", "dots-8mbps"} <= names
    assert {"dots-8mbps-iperf-bbr~iperf-cubic", "dots-8mbps-iperf-bbr"} <= names


def test_a_cycle_without_browsers_has_no_chart_of_their_figures(charts):
    kinds = {path.stem.split("-8mbps")[0] for path in charts.rglob("*.svg")}
    assert {*HEATMAPS, *HARMS, "dots", "models", "trial"} <= kinds and not kinds & {*QOE_CHARTS}


def test_the_chosen_trials_of_each_cell_have_only_an_svg(charts):
    chosen = read_record(ChosenTrials, charts / "trials/chosen.json").cells
    assert [(cell.setting, cell.pair) for cell in chosen] == [("8mbps", pair) for pair in sorted(SHOWN)]
    expected = {
        f"{cell.setting}/{cell.pair}/{kind}-{key.name}.svg"
        for cell in chosen
        for key in cell.keys
        for kind in ("trial", "senders")
    } | {"chosen.json"}
    assert expected == {
        str(path.relative_to(charts / "trials")) for path in (charts / "trials").rglob("*") if path.is_file()
    }


def test_the_chart_of_a_trial_shows_the_rows_of_that_trial(cycle):
    """The tables have all trials; the titles have what the trial's client got and estimated in its window."""
    key = TrialKey("8mbps", "iperf-bbr", 2)
    (name, chart), (below, senders) = trial_charts(cycle / "tables", campaign_of(merged_config()), key)
    (row,) = (
        row
        for row in sample_tables()["trial_services"].to_pylist()
        if (row["setting"], row["pair"], row["trial"]) == ("8mbps", "iperf-bbr", 2)
    )
    assert ["trial-8mbps-iperf-bbr-02", "senders-8mbps-iperf-bbr-02"] == [name, below]
    assert f"iPerf (BBR): {row['throughput_mbps']:.2f} Mbps" in to_spec(chart)["description"]
    estimated = f"iPerf (BBR) estimates {1.2 * row['throughput_mbps']:.2f} Mbps"
    assert estimated in to_spec(senders)["description"]


def test_a_failed_trial_has_no_chart(cycle):
    assert [] == list(trial_charts(cycle / "tables", campaign_of(merged_config()), TrialKey(*FAILED)))


def test_a_trial_with_a_video_of_unknown_bitrate_has_no_chart_of_it(tmp_path):
    tables, campaign = qoe_tables(), campaign_of(qoe_config())
    key = TrialKey(SETTING, f"{CUBIC}~{VIDEO}", 1)
    write_tables(tables, tmp_path / "known")
    names = [name for name, _ in trial_charts(tmp_path / "known", campaign, key)]
    assert [f"trial-{key.name}", f"senders-{key.name}", f"bitrate-{key.name}"] == names
    series = tables["qoe_video_series"]
    rows = [row | {"bitrate_kbps": None} for row in series.to_pylist()]
    unknown = tables | {"qoe_video_series": series.from_pylist(rows, schema=series.schema)}
    write_tables(unknown, tmp_path / "live")
    names = [name for name, _ in trial_charts(tmp_path / "live", campaign, key)]
    assert [f"trial-{key.name}", f"senders-{key.name}"] == names


def test_a_trial_whose_senders_were_not_sampled_has_no_chart_of_them(tmp_path):
    """Such as one of QUIC."""
    key = TrialKey(SETTING, QUIC, 1)
    write_tables(qoe_tables(), tmp_path)
    names = [name for name, _ in trial_charts(tmp_path, campaign_of(qoe_config()), key)]
    assert [f"trial-{key.name}", f"bitrate-{key.name}"] == names


def test_the_same_tables_give_the_same_bytes(charts, cycle, tmp_path):
    draw("cycle", cycle, tmp_path, "--jobs", "1")
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


def test_one_chart_is_drawn_by_its_name_with_the_same_bytes(charts, cycle, tmp_path):
    """The command under a figure."""
    assert {"loss-8mbps"} == draw("cycle", cycle, tmp_path, "--only", "loss-8mbps")
    for form in FORMS:
        name = f"loss-8mbps.{form}"
        assert (charts / name).read_bytes() == (tmp_path / name).read_bytes()


def test_a_chart_that_does_not_exist_is_a_user_error(cycle, tmp_path, capsys):
    words = ["cycle", str(cycle / "tables"), "--config", str(cycle / "merged.json"), "-o", str(tmp_path)]
    assert 2 == main([*words, "--only", "loss-9mbps"])
    assert "no chart 'loss-9mbps'; without --only, every chart is written" in capsys.readouterr().err


def test_every_form_names_source_cycle_and_licence(charts):
    line = "Internet Fairness Observatory, campaign demo, cycle 2026-11-21, setting 8mbps. CC BY 4.0"
    drawn = ElementTree.parse(charts / "share-8mbps.svg")
    texts = ["".join(text.itertext()) for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert line == " ".join(texts[-2:]) or line == texts[-1]
    assert line == json.loads((charts / "share-8mbps.json").read_text())["usermeta"]["source"]
    rows = list(csv.DictReader((charts / "share-8mbps.csv").open(encoding="utf-8")))
    assert {(line, "CC BY 4.0", "2026-11-21")} == {
        (row["source"], row["licence"], row["cycle"]) for row in rows
    }
    (trial,) = charts.glob("trials/8mbps/iperf-bbr/trial-*-01.svg")
    assert "setting 8mbps. CC BY 4.0" in trial.read_text()


def test_the_csv_has_a_row_for_each_datum_that_the_chart_shows(charts):
    rows = list(csv.DictReader((charts / "share-8mbps.csv").open(encoding="utf-8")))
    assert 9 == len(rows)
    spec = json.loads((charts / "share-8mbps.json").read_text())
    cells = rows_of(spec, spec["vconcat"][1])
    assert [str(cell["value"]) for cell in cells] == [row["value"] for row in rows]
    marks = {row["mark"] for row in csv.DictReader((charts / "dots-8mbps-iperf-bbr.csv").open())}
    assert {"circle", "rule"} <= marks


def test_a_png_is_twice_as_large_and_white_where_the_svg_is_transparent(charts):
    drawn = ElementTree.parse(charts / "share-8mbps.svg").getroot()
    with Image.open(charts / "share-8mbps.png") as picture:
        expected = tuple(round(2 * float(drawn.get(side))) for side in ("width", "height"))
        assert expected == picture.size
        assert (255, 255, 255) == picture.convert("RGB").getpixel((1, 1))


def test_a_chart_inside_a_page_has_no_style(charts):
    for path in charts.rglob("*.svg"):
        assert not re.search(r"<style|style=|<script|url\(", inlined(path.read_text())), path


def test_the_colours_of_readers_are_classes(charts):
    """The style sheet of the pages has a rule for each of them."""
    text = inlined((charts / "share-8mbps.svg").read_text())
    for colour in (INK, MUTED, RULE):
        for tag in re.findall(rf'<[^>]*(?:fill|stroke)="{colour}"[^>]*>', text):
            assert re.search(r' class="[^"]*\b(ink|muted|rule)', tag), tag


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
