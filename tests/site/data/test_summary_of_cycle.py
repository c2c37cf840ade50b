"""summary.json and summary.parquet of a cycle, from its snapshot."""

import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.base.files import digest
from scripts.site.data.figures import figures
from scripts.site.data.summarise import write_summary
from scripts.site.data.summary import FIGURES, PARQUET, read_summary
from scripts.tables.table_schema import load_schema
from tests.charts.sample_qoe import write_qoe
from tests.charts.sample_sweep import changes_rows
from tests.site.data.conftest import PLACES, pages_of
from tests.site.sample_flows import AGAINST_ITSELF, BESIDE, CUBIC, ONE, SETTING, WEB, write_flows

FIRST, _SECOND, CORRECTED = PLACES


def figure_of(rows, **key):
    """The only row with these values."""
    (row,) = [row for row in rows.to_pylist() if key.items() <= row.items()]
    return row


@pytest.fixture(scope="session")
def rows(archive):
    """The figures of the sample cycle."""
    return pq.read_table(archive.root / FIRST.pages / PARQUET, partitioning=None)


@pytest.fixture(scope="session")
def panel_tables(tmp_path_factory):
    """The tables of the sample cycle with browsers."""
    return write_qoe(tmp_path_factory.mktemp("panel")) / "tables"


def test_what_is_written_is_read_back(archive):
    for place in PLACES:
        assert archive.summaries[place] == read_summary(archive.root / place.pages)


def test_a_summary_has_the_facts_of_the_snapshot(archive):
    summary = archive.summaries[FIRST]
    assert ("demo", "2026-11-21", 1) == (summary.campaign, summary.cycle, summary.revision)
    assert digest(archive.snapshot / "SHA256SUMS") == summary.checksum
    assert (36, 34, 2) == (summary.planned, summary.counted, summary.excluded)
    assert ["8mbps", "50mbps"] == [setting.name for setting in summary.settings]
    assert "Highly constrained (8 Mbps, 50 ms)" == summary.settings[0].heading
    assert "8 Mbps, 50 ms round trip, drop-tail queue of 128 packets (4 × BDP)" == summary.settings[0].link
    assert {True} == {service.baseline for service in summary.services}
    assert ("embedded switch 9.9.0 (36 trials)",) == summary.bottlenecks
    assert (50, 11) == (summary.method["settings.8mbps.rtt_ms"], summary.method["trial.duration_s"])
    assert "settings.8mbps.title" not in summary.method


def test_the_pages_are_listed_without_single_trials_and_later_revisions(archive):
    for place in PLACES:
        assert ("pairs/8mbps/a~b/", "trials/") == archive.summaries[place].pages


def test_the_charts_are_listed_without_those_of_single_trials(archive, tmp_path):
    snapshot = shutil.copytree(archive.snapshot, tmp_path / "snapshot")
    (snapshot / "charts/cycle").mkdir(parents=True)
    for name in ("share-8mbps.svg", "share-8mbps.csv", "loss-8mbps.svg"):
        (snapshot / "charts/cycle" / name).write_text("a chart")
    assert list((snapshot / "charts/trials").rglob("*.svg"))
    assert ("loss-8mbps", "share-8mbps") == write_summary(
        snapshot, pages_of(tmp_path, FIRST), FIRST, ()
    ).charts


def test_a_judged_share_tells_whether_its_trials_fall_into_two_groups(archive, tmp_path):
    tables = shutil.copytree(archive.snapshot / "tables", tmp_path / "tables")
    names = ["iperf-bbr", "iperf-cubic"]
    cells = [dict(zip(("incumbent", "contender"), sides, strict=True)) for sides in (names, names[::-1])]
    for name, column, values in (
        ("stability", "bimodal", [True, True]),
        ("pairs", "settled", ["settled", None]),
    ):
        rows = pq.read_table(path := tables / f"{name}.parquet")
        kept = rows.to_pylist()
        for cell, value in zip(cells, values, strict=True):
            next(row for row in kept if (cell | {"setting": "8mbps"}).items() <= row.items())[column] = value
        pq.write_table(pa.Table.from_pylist(kept, schema=rows.schema), path)
    known = figures(tables)
    shown = [
        figure_of(known, setting="8mbps", pair="~".join(names), service=name, figure="share")
        for name in names
    ]
    assert [True, None] == [row["two_outcomes"] for row in shown]
    assert {None} == {row["two_outcomes"] for row in known.to_pylist() if row["figure"] != "share"}


def test_every_key_is_there_once_and_in_order(rows):
    keys = [tuple(row.values()) for row in rows.select(FIGURES.names[:6]).to_pylist()]
    assert sorted(set(keys)) == keys
    assert FIGURES == rows.schema


def test_the_figures_are_those_of_the_tables(archive, rows):
    for row in pq.read_table(archive.snapshot / "tables/pairs.parquet").to_pylist():
        key = {name: row[name] for name in ("setting", "pair", "contender", "instance")}
        for name, unit in (("share", "fraction"), ("queueing_delay_ms", "ms"), ("harm_loss", "fraction")):
            found = figure_of(rows, **key, service=row["incumbent"], figure=name)
            assert (row[f"{name}_median"], row[f"{name}_q75"]) == (found["median"], found["q75"])
            assert (row[f"{name}_n"], unit, None) == (found["n"], found["unit"], found["low"])
    for row in pq.read_table(archive.snapshot / "tables/solo.parquet").to_pylist():
        found = figure_of(
            rows, setting=row["setting"], pair=row["service"], contender="", figure="wire_rate_mbps"
        )
        assert (row["wire_rate_q25_mbps"], row["n"]) == (found["q25"], found["n"])


def test_only_shares_of_judged_cells_have_a_verdict(rows):
    with_verdict = [row for row in rows.to_pylist() if row["verdict"] is not None]
    assert {"share"} == {row["figure"] for row in with_verdict}
    words = {(row["instance"], row["verdict"]) for row in with_verdict}
    assert {("first", "seen"), ("worse_off", "unjudged")} == words, "two trials allow no verdict"
    assert {"first", "worse_off"} == {row["instance"] for row in with_verdict}


def test_a_share_has_the_word_of_pairs_that_tells_whether_it_has_settled(archive, tmp_path):
    tables = shutil.copytree(archive.snapshot / "tables", tmp_path / "tables")
    pairs = pq.read_table(tables / "pairs.parquet").to_pylist()
    for row in pairs:
        row["settled"] = "still moving" if row["incumbent"] == "iperf-bbr" else "settled"
        row["unable"] = "iperf-reno" if row["incumbent"] == "iperf-reno" else ""
    pq.write_table(pa.Table.from_pylist(pairs, schema=load_schema("pairs").arrow), tables / "pairs.parquet")
    found = figures(tables).to_pylist()
    words = {(row["service"], row["settled"]) for row in found if row["figure"] == "share"}
    assert {("iperf-bbr", "still moving"), ("iperf-cubic", "settled"), ("iperf-reno", None)} == words
    assert {None} == {row["settled"] for row in found if row["figure"] != "share"}


def test_a_change_is_in_the_row_of_the_throughput(archive, tmp_path):
    tables = shutil.copytree(archive.snapshot / "tables", tmp_path / "tables")
    changes = changes_rows()
    pq.write_table(changes, tables / "changes.parquet")
    rows = figures(tables)
    for change in changes.to_pylist():
        key = {name: change[name] for name in ("setting", "pair", "contender", "instance")}
        found = figure_of(rows, **key, service=change["incumbent"], figure="throughput_mbps")
        assert change["before_median_mbps"] == found["before_median"]
        for name in ("before_n", "p_corrected", "changed", "control"):
            assert change[name] == found[name]
    compared = [row for row in rows.to_pylist() if row["changed"] is not None]
    assert changes.num_rows == len(compared)


def test_whether_a_share_may_be_the_lowest_is_in_its_row(archive, tmp_path):
    tables = shutil.copytree(archive.snapshot / "tables", tmp_path / "tables")
    rows = pq.read_table(tables / "pairs.parquet").to_pylist()
    cell = next(row for row in rows if row["incumbent"] != row["contender"])
    lead = {name: cell[name] for name in ("setting", "incumbent", "contender")} | {
        "finding": "most_unfair",
        "rank_low": 1,
        "rank_high": 4,
        "may_be_first": True,
        "shrunk": 0.6,
        "shrunk_low": 0.5,
        "shrunk_high": 0.7,
    }
    others = [lead | {"finding": "loss_rate_highest"}, lead | {"contender": "few", "rank_low": None}]
    mirrored = lead | {"incumbent": lead["contender"], "contender": lead["incumbent"]}
    two_pairs = [mirrored, lead | {"contender": "one"}]

    def found_with(*more):
        leads = pa.Table.from_pylist([lead, *others, *more], load_schema("leads").arrow)
        pq.write_table(leads, tables / "leads.parquet")
        return next(
            row
            for row in figures(tables).to_pylist()
            if row["may_be_lowest"] is not None and row["service"] == lead["incumbent"]
        )

    few = found_with(*two_pairs)
    assert (True, None) == (few["may_be_lowest"], few["shrunk"]), "two pairs are no sample"
    found = found_with(*two_pairs, lead | {"contender": "another"})
    key = {"setting": cell["setting"], "service": cell["incumbent"], "contender": cell["contender"]}
    assert found.items() >= (key | {"figure": "share", "may_be_lowest": True, "shrunk": 0.6}).items()
    assert (found["shrunk_low"], found["shrunk_high"], found["may_be_highest"]) == (0.5, 0.7, None)


def test_metrics_of_browsers_have_their_units_and_lower_bounds(panel_tables):
    rows = figures(panel_tables)
    for row in pq.read_table(panel_tables / "qoe_pairs.parquet").to_pylist():
        key = {name: row[name] for name in ("setting", "service", "contender", "instance")}
        found = figure_of(rows, **key, figure=row["metric"])
        assert (row["median"], row["q1"], row["at_least"]) == (
            found["median"],
            found["q25"],
            found["at_least"],
        )
    units = {row["figure"]: row["unit"] for row in rows.to_pylist()}
    assert ("kbps", "s", "1/min") == (
        units["video_bitrate_kbps"],
        units["web_visually_complete_s"],
        units["rtc_freezes_per_minute"],
    )


def test_the_same_snapshot_gives_the_same_bytes(archive, tmp_path):
    pages = pages_of(tmp_path, CORRECTED)
    write_summary(archive.snapshot, pages, CORRECTED, archive.summaries[CORRECTED].tables)
    for name in ("summary.json", PARQUET):
        assert (archive.root / CORRECTED.pages / name).read_bytes() == (pages / name).read_bytes()


def test_completion_times_are_figures_over_flows_of_every_size(tmp_path):
    rows = figures(write_flows(tmp_path) / "tables")
    key = {"setting": SETTING, "service": WEB, "pair": BESIDE, "contender": CUBIC, "instance": "first"}
    slowest = figure_of(rows, **key, figure="slowdown_maximum")
    assert (6, "times") == (slowest["n"], slowest["unit"])
    assert (13.5, 11, 16, 16) == tuple(slowest[name] for name in ("median", "low", "high", "at_least"))
    assert 0.5 == pytest.approx(figure_of(rows, **key, figure="fct_s")["median"])
    assert "s" == figure_of(rows, **key, figure="data_s")["unit"]
    both = {"service": ONE, "pair": AGAINST_ITSELF, "figure": "slowdown_mean"}
    found = {name: figure_of(rows, **both, instance=name)["median"] for name in ("first", "second", "both")}
    assert {"first": 2.0, "second": 3.0, "both": 2.5} == found


def test_a_cycle_without_the_table_of_completion_times_has_no_such_figure(archive, tmp_path):
    tables = shutil.copytree(archive.snapshot / "tables", tmp_path / "tables")
    (tables / "completions.parquet").unlink()
    assert "slowdown_mean" not in {row["figure"] for row in figures(tables).to_pylist()}
