"""The claims of a cycle are counted in its snapshot, here in the pinned one."""

import json
import shutil

import pytest

from scripts.base.files import ROOT
from scripts.charts.chart_labels import Labels
from scripts.site.data.claims import claims_of
from scripts.snapshot.lean_format import unpacked

REFERENCE = ROOT / "data/snapshots/reference"


@pytest.fixture(scope="module")
def claims():
    return {claim.option: claim for claim in claims_of(REFERENCE, Labels())}


def test_the_claims_are_a_pair_every_kind_of_chart_tables_and_all_of_it(claims):
    assert next(iter(claims)).startswith("ONLY=pairs/8mbps/")
    assert {"CHART=share-8mbps", "CHART=web-load-8mbps", "TABLE=findings", ""} <= claims.keys()
    assert not any(option.startswith("CHART=dots") for option in claims)


def test_the_whole_reads_every_file_of_the_snapshot(claims):
    sizes = [path.stat().st_size for path in REFERENCE.rglob("*") if path.is_file()]
    whole = claims[""].captures
    unlisted = [path.stat().st_size for path in REFERENCE.glob("SHA256SUMS*")]
    assert (len(sizes) - len(unlisted), sum(sizes) - sum(unlisted)) == (whole.files, whole.bytes)
    assert whole.expected.startswith("identical: ")
    assert claims[""].trials == 27


def test_rows_are_read_without_captures(claims):
    share = claims["CHART=share-8mbps"]
    assert share.rows.bytes < share.captures.bytes / 4
    assert "rebuilt from rows of 25 trials" in share.rows.expected


def test_a_chart_of_all_settings_is_one_claim(tmp_path):
    snapshot = shutil.copytree(REFERENCE, tmp_path / "snapshot")
    chart = "charts/cycle/slowdown-beside.svg"
    (snapshot / chart).write_text("<svg/>")
    sums = (snapshot / "SHA256SUMS").read_text()
    (snapshot / "SHA256SUMS").unlink()
    (snapshot / "SHA256SUMS").write_text(sums + f"{'ab' * 32}  {chart}\n")
    words = [claim.words for claim in claims_of(snapshot, Labels()) if "slowdown" in claim.option]
    assert words == ["How much longer short flows take beside a bulk flow"]


def test_a_claim_whose_captures_were_removed_is_rebuilt_from_rows_only(tmp_path):
    snapshot = shutil.copytree(REFERENCE, tmp_path / "snapshot")
    path = "trials/8mbps/iperf-bbr/01/client-c1.pcapng.zst"
    (snapshot / path).unlink()
    removed = {"path": path, "bytes": 1, "sha256": "ab" * 32, "date": "2026-12-01", "reason": "why"}
    (snapshot / "tombstone.json").write_text(json.dumps({"removed": [removed]}))
    whole = claims_of(snapshot, Labels())[-1]
    assert whole.captures is None
    assert whole.rows is not None


def test_of_a_lean_snapshot_only_what_follows_from_rows_is_claimed():
    lean = min((ROOT / "data/snapshots/lean").iterdir(), key=lambda path: path.stat().st_size)
    with unpacked(lean) as snapshot:
        claims = claims_of(snapshot, Labels())
    assert claims[-1].words == "Every table that follows from rows, and every chart"
    assert {None} == {claim.captures for claim in claims}
