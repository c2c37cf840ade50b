"""The pages of trials, and the list of all with the excluded ones."""

import hashlib
import json
import shutil
import subprocess

import pyarrow.parquet as pq
import pytest

from scripts.base.files import ROOT
from scripts.extract.queue_log import VERDICTS
from scripts.site.cycle.excluded_pages import RuleRow, judged_rules
from tests.charts.sample_cycle import FAILED_REASON, INVALID_REASON, sample_tables
from tests.site.pages_read import row_named, table_of, text

TABLES = sample_tables()
VALID, INVALID, FAILED = (
    "trials/8mbps/iperf-bbr~iperf-cubic/01/",
    "trials/8mbps/iperf-bbr~iperf-cubic/02/",
    "trials/50mbps/iperf-reno/02/",
)


def test_a_trial_page_shows_the_figures_of_each_client(site):
    rows = [
        row
        for row in TABLES["trial_services"].to_pylist()
        if (row["setting"], row["pair"], row["trial"]) == ("50mbps", "iperf-bbr~iperf-reno", 1)
    ]
    table = site.page("trials/50mbps/iperf-bbr~iperf-reno/01/").find(".//table")
    assert [f"{row['throughput_mbps']:.2f} Mbps" for row in rows] == row_named(table, "Throughput")
    packets = [
        [f"{row[f'{name}_packets']:,}" for name in ("arrived", "forwarded", "dropped")] for row in rows
    ]
    assert [" / ".join(row) for row in packets] == row_named(table, "Packets arrived, forwarded, dropped")


def test_a_trial_page_shows_the_link_and_the_path_of_each_client(site):
    page = site.page("trials/50mbps/iperf-bbr~iperf-reno/01/")
    assert (
        "50 Mbps, 50 ms round trip, queue of 1,024 packets (4 × BDP), CoDel (target 5 ms, interval 100 ms), "
        "0.1 % lost at random; client c2 has 20 ms round trip and starts at 1 s and passes 3 ms of delay "
        "before"
    ) in text(page)
    table = page.find(".//table")
    assert ["0.25 s", "1.50 s"] == row_named(table, "Start offset")
    assert ["50.0 ms", "23.0 ms"] == row_named(table, "Round-trip time without queueing")
    assert ["none", "3 ms of delay"] == row_named(table, "Extra path before the bottleneck")


def test_a_trial_without_recorded_paths_has_no_rows_of_them(site):
    assert "Start offset" not in text(site.page("trials/8mbps/iperf-bbr~iperf-reno/01/"))


def test_an_excluded_trial_is_shown_with_its_reason(site):
    for address, reason in (
        ("pairs/8mbps/iperf-bbr~iperf-cubic/", INVALID_REASON),
        ("trials/8mbps/iperf-bbr~iperf-cubic/02/", INVALID_REASON),
        ("solos/50mbps/iperf-reno/", FAILED_REASON),
        ("trials/50mbps/iperf-reno/02/", FAILED_REASON),
        ("trials/", FAILED_REASON),
    ):
        assert reason in text(site.page(address)), address
    assert "broken" in text(site.page("trials/8mbps/iperf-bbr~iperf-cubic/02/"))


def test_a_trial_over_time_is_described_in_words(site):
    above, _ = site.page(VALID).find(".//main").iter("img")
    assert "in the steady window, queue of at most" in above.get("alt")


def test_the_senders_are_below_the_throughput_of_a_trial(site):
    """What BBR estimates, and the window of every client. The page of the pair has the throughput alone."""
    _, below = site.page(VALID).find(".//main").iter("img")
    assert "charts/senders-8mbps-iperf-bbr~iperf-cubic-01.svg" in below.get("src")
    assert "RTT estimate between 50 and 110 ms, congestion window between" in below.get("alt")
    images = [image.get("src") for image in site.page("pairs/8mbps/iperf-bbr~iperf-cubic/").iter("img")]
    assert not [source for source in images if "senders-" in source]


def test_the_page_of_all_trials_counts_each_reason_before_it_lists_the_excluded_ones(site):
    page = site.page("trials/")
    reasons, trials = table_of(page, "How many trials each rule excluded"), table_of(page, "Every excluded")
    assert [text(row.find("th")) for row in reasons.findall(".//tbody/tr")] == [
        "capture_missing_packets",
        "completed",
    ]
    assert row_named(reasons, "completed")[1:] == ["1", "0", "1"]
    rows = [[text(cell) for cell in row.findall("td")] for row in trials.findall(".//tbody/tr")]
    assert sorted(row[1:] for row in rows) == [
        ["capture_missing_packets", "3", "0"],
        [f"completed: {FAILED_REASON}", "1", "0"],
    ]


def test_the_packets_of_a_trial_are_beside_its_chart(site):
    links = [link.get("href") for link in site.page(VALID).findall(".//p[@class='acts']//a")]
    names = [link.rpartition("/")[2] for link in links]
    assert ["client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst"] == names


def test_validity_stands_in_words(site):
    assert "Valid. It keeps all 3 rules that can exclude a trial." in text(site.page(VALID))
    broken = text(site.page(INVALID).find(".//div[@class='note strong']"))
    assert "capture_missing_packets: 3 of at most 0 packets. Difference between the packets" in broken
    assert row_named(table_of(site.page(INVALID), "Rules that are broken"), "capture_missing_packets") == [
        "3",
        "0",
        "broken",
    ]


def test_the_checksums_of_a_trial_are_those_of_its_files(site, cycle):
    for address in (VALID, FAILED):
        trial = cycle / "trials" / address.removeprefix("trials/")
        shown = {
            text(item.find("a")): (text(item.find("code")), f" {path.stat().st_size:,} B " in text(item))
            for item in site.page(address).findall(".//ul[@class='files']/li")
            if (path := trial / text(item.find("a"))).is_file()
        }
        digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in trial.iterdir()}
        assert shown == {name: (digest, True) for name, digest in digests.items()}


def test_a_trial_leads_to_its_neighbours_and_to_all_of_its_pair(site):
    steps = [text(link) for link in site.page(VALID).findall(".//nav[@class='steps']/a")]
    assert steps == ["Every trial", "Trial 02 →"]
    links = site.page(INVALID).findall(".//nav[@class='steps']/a")
    assert [text(link) for link in links] == ["← Trial 01", "Every trial"]
    target, fragment = site.target(f"{INVALID}index.html", links[1].get("href"))
    assert (target, fragment) == (site.base / "pairs/8mbps/iperf-bbr~iperf-cubic/index.html", "trials")


def test_a_removed_file_is_named_without_a_link(build, cycle, tmp_path):
    folder = shutil.copytree(cycle, tmp_path / "cycle")
    gone = f"{VALID}client-c1.pcapng.zst"
    removed = {"path": gone, "bytes": 20, "sha256": "ab" * 32, "date": "2026-12-05", "reason": "Has <names>"}
    (folder / "tombstone.json").write_text(json.dumps({"removed": [removed]}))
    (folder / gone).unlink()
    site = build(tmp_path / "public", folder)
    assert "client-c1.pcapng.zst, removed on 2026-12-05: Has <names>" in text(site.page(VALID))
    for page in (f"{VALID}index.html", "pairs/8mbps/iperf-bbr~iperf-cubic/index.html"):
        targets = {site.target(page, link)[0] for link in site.links(page)}
        base = site.root / "captures/demo/2026-11-21"
        assert base / gone.removeprefix("trials/") not in targets
        assert base / f"{VALID.removeprefix('trials/')}client-c2.pcapng.zst" in targets


@pytest.fixture
def commands(site) -> list[str]:
    """The commands that a page offers for the files of a trial."""
    blocks = ["".join(block.itertext()) for block in site.page(VALID).iter("pre")]
    (found,) = [block for block in blocks if "queue.bin.zst" in block]
    return found.splitlines()


def test_the_commands_of_a_page_read_a_real_trial(commands, tmp_path):
    trial = ROOT / "data/snapshots/reference/trials/8mbps/iperf-bbr~iperf-cubic/01"
    for name in ("client-c1.pcapng.zst", "queue.bin.zst"):
        shutil.copy(trial / name, tmp_path)
    packets, log = (
        subprocess.run(command, shell=True, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        for command in commands
    )
    assert "[SYN]" in packets.splitlines()[0] and not log
    head, *rows = [line.split(",") for line in (tmp_path / "queue.csv").read_text().splitlines()]
    assert head[:4] == ["arrival_ns", "departure_ns", "dropped_ns", "flow"]
    table = ROOT / "data/snapshots/reference/tables/trial_services.parquet"
    dropped = sum(
        row["dropped_packets"]
        for row in pq.read_table(table).to_pylist()
        if (row["setting"], row["pair"], row["trial"]) == ("8mbps", "iperf-bbr~iperf-cubic", 1)
    )
    tail = str(VERDICTS.index("tail"))
    assert sum(dict(zip(head, row, strict=True))["verdict"] == tail for row in rows) >= dropped > 0


def judged(*rules: tuple[str, str, float | None, float]) -> dict:
    """Rules by name, class, figure and threshold."""
    return judged_rules(
        (RuleRow(name, figure, limit, figure is not None and figure <= limit), {"class": kind})
        for name, kind, figure, limit in rules
    )


def test_a_rule_is_near_its_limit_from_80_percent_on():
    rules = judged(
        ("far", "testbed", 0.79, 1.0), ("near", "testbed", 0.8, 1.0), ("zero", "testbed", 0.0, 0.0)
    )
    assert [(rule["rule"], rule["verdict"]) for rule in rules["front"]] == [("near", "near")]
    assert [rule["rule"] for rule in rules["others"]] == ["far"] and rules["zero"] == ["zero"]
    assert rules["testbed"] == 3


def test_a_rule_that_knows_nothing_of_an_endpoint_neither_passes_nor_excludes():
    rule = RuleRow("window_limited_fraction", None, 0.01, False, not_known="quinn")
    rules = judged_rules([(rule, {"class": "outcome"})])
    assert ["unknown"] == [entry["verdict"] for entry in rules["front"]]


def test_a_broken_rule_is_a_defect_an_inability_or_an_outcome_by_its_class():
    rules = judged(
        ("lost", "testbed", 3.0, 0.0),
        ("unknown", "testbed", None, 1.0),
        ("unmet", "service", 1.0, 0.0),
        ("limited", "outcome", 0.2, 0.1),
    )
    assert [rule["verdict"] for rule in rules["front"]] == ["broken", "broken", "unable", "outcome"]


def test_a_trial_that_did_not_end_has_no_rules():
    assert judged() == {}
