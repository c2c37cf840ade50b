"""The pinned snapshot, and each part of it, rebuilds to the same values; a changed figure is found."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT, digest
from scripts.snapshot import rebuild
from scripts.snapshot import reproduce as reproduction
from scripts.snapshot.__main__ import main
from scripts.snapshot.checksums import read_listing, write_checksums
from scripts.snapshot.choice import Choice
from scripts.snapshot.code_archive import read_source, write_source
from scripts.snapshot.comparing import SAME_VALUES
from scripts.snapshot.reproduce import reproduce
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import read_signers
from scripts.snapshot.source import Folder, open_source
from scripts.snapshot.trust import Policy
from scripts.snapshot.verify import describe, verify
from tests.snapshot.partial import REFERENCE, UNSIGNED, copy_only, files_for
from tests.snapshot.published import CAPTURES, FOLDER, Server, serving
from tests.snapshot.signed_archive import line_of, make_key

CELL = "pairs/8mbps/iperf-bbr~iperf-cubic"
LOG = "trials/8mbps/iperf-bbr/01/queue.bin.zst"
DAY = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch) -> Path:
    """The folder of temporary files, which is empty at the end of each test."""
    folder = tmp_path / "scratch"
    monkeypatch.setattr(reproduction, "SCRATCH", folder)
    return folder


def command(snapshot: Path | str, *options: str) -> list[str]:
    words = ["-m", "scripts.snapshot", "reproduce", str(snapshot), "--allow", "unsigned", *options]
    return [sys.executable, *words]


def run(snapshot: Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(command(snapshot, *options), capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("part", "found"),
    [
        ({"only": CELL}, "identical: 55 rows of 9 tables and 6 charts rebuilt from rows of 4 trials"),
        (
            {"chart": "share-8mbps"},
            r"identical: [\d,]+ rows of \d+ tables and 1 chart rebuilt from rows of 25 trials",
        ),
        ({"chart": "trial-8mbps-iperf-bbr-01"}, "identical: 2 charts rebuilt from rows of 1 trial"),
        ({"table": "findings"}, r"identical: [\d,]+ rows of \d+ tables rebuilt from rows of 25 trials"),
        ({"table": "plan"}, r"identical: \d+ rows of 1 table rebuilt from rows of 25 trials"),
    ],
    ids=lambda value: "" if isinstance(value, str) else "-".join(value.values()),
)
def test_a_part_is_rebuilt_from_rows_of_trials_and_reads_no_file_that_it_does_not_need(
    part, found, tmp_path, capsys, scratch
):
    files = files_for(start="rows", **part)
    snapshot = copy_only(files, tmp_path / "partial")
    describe, same = reproduce(str(snapshot), Choice(start="rows", **part), UNSIGNED)
    assert same
    assert re.search(found, describe), describe
    assert f"{len(files)} files" in capsys.readouterr().err
    assert [*scratch.iterdir()] == []


@pytest.mark.parametrize("apart", [False, True], ids=["one folder", "trials apart"])
def test_a_changed_row_is_named_with_both_values(apart, tmp_path, scratch):
    snapshot = copy_only(files_for(table="pairs", start="rows"), tmp_path / "changed")
    table = pq.read_table(snapshot / "tables/pairs.parquet")
    place = table.column_names.index("share_median")
    mask = pa.array([row["pair"] == "iperf-bbr~iperf-cubic" for row in table.to_pylist()])
    halves = pc.if_else(mask, pc.divide(table["share_median"], 2.0), table["share_median"])
    pq.write_table(table.set_column(place, "share_median", halves), snapshot / "tables/pairs.parquet")
    write_checksums(snapshot)
    (tmp_path / "captures").mkdir()
    captures = str(tmp_path / "captures") if apart else None
    with pytest.raises(UserError) as error:
        reproduce(str(snapshot), Choice(table="pairs", start="rows"), UNSIGNED, None, captures)
    describe = str(error.value)
    assert "tables/pairs.parquet: 8mbps iperf-bbr iperf-cubic" in describe and "share_median" in describe
    page = Path(describe.rpartition("side by side: ")[2])
    assert page.parent == scratch and "share_median" in page.read_text()


def test_the_same_values_in_other_bytes_are_told_with_a_status_of_their_own(tmp_path, capsys):
    snapshot = copy_only(files_for(table="pairs", start="rows"), tmp_path / "other")
    table = snapshot / "tables/pairs.parquet"
    pq.write_table(pq.read_table(table), table, compression="snappy")
    write_checksums(snapshot)
    words = ["reproduce", str(snapshot), "--table", "pairs", "--from", "rows", "--allow", "unsigned"]
    assert main(words) == SAME_VALUES
    assert "table pairs: the same values in other bytes: tables/pairs.parquet; " in capsys.readouterr().out


def test_a_changed_line_of_sql_is_named_as_the_first_input_that_differs(tmp_path):
    """In a copy of the code, with a snapshot that has its source."""
    snapshot = copy_only(files_for(table="pairs", start="rows"), tmp_path / "published")
    shutil.copyfile(ROOT / "requirements.lock", snapshot / "requirements.lock")
    write_source(snapshot)
    write_checksums(snapshot)
    for name, content in read_source(snapshot).items():
        (tmp_path / "code" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "code" / name).write_bytes(content)
    sql = tmp_path / "code/scripts/tables/samples/of_clients.sql"
    line = "value: harm(rtt_ms + queueing_delay_median_ms, loaded_rtt_ms, false)"
    assert line in sql.read_text()
    sql.write_text(sql.read_text().replace(line, line.replace("false", "true")))
    words = command(snapshot, "--table", "pairs", "--from", "rows")
    done = subprocess.run(words, cwd=tmp_path / "code", capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "the first input that differs: scripts/tables/samples/of_clients.sql: line " in done.stderr
    assert f"`{line.replace('false', 'true')},` here, `{line},` in the source of the snapshot" in done.stderr
    assert re.search(r"the first value that differs: tables/samples.parquet: 8mbps .*harm_delay", done.stderr)


def test_a_damaged_file_is_an_error_before_anything_is_rebuilt(tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(REFERENCE, damaged)
    (damaged / LOG).write_bytes((damaged / LOG).read_bytes()[:-1])
    for asked in (Choice(), Choice(only=CELL)):
        with pytest.raises(UserError, match=f"{LOG}: does not match SHA256SUMS; fetch the snapshot again"):
            reproduce(str(damaged), asked, UNSIGNED)


def test_what_no_part_needs_is_an_error_only_for_the_whole(tmp_path):
    snapshot = copy_only(files_for(), tmp_path / "more")
    (snapshot / "tables/more.csv").write_text("")
    with pytest.raises(UserError, match=r"more.csv: is not in SHA256SUMS"):
        reproduce(str(snapshot), Choice(), UNSIGNED)


def test_a_snapshot_that_nobody_signed_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"\(unsigned\)"):
        reproduce(
            str(copy_only(files_for(table="plan", start="rows"), tmp_path / "unsigned")),
            Choice(table="plan", start="rows"),
            replace(UNSIGNED, allowed=frozenset()),
        )


def test_removed_files_that_a_part_does_not_need_do_not_matter(tmp_path):
    files = files_for(table="plan", start="rows")
    snapshot = copy_only(files, tmp_path / "removed")
    checksum = read_listing(Folder(REFERENCE))[PurePosixPath(LOG)]
    removed = {"path": LOG, "bytes": 1, "sha256": checksum, "date": "2026-12-01", "reason": "why"}
    tombstone = {"removed": [removed], "snapshot": digest(snapshot / "SHA256SUMS")}
    (snapshot / "tombstone.json").write_text(json.dumps(tombstone))
    assert reproduce(str(snapshot), Choice(table="plan", start="rows"), UNSIGNED)[1]
    with pytest.raises(UserError, match=f"without the files that were removed: {LOG}"):
        reproduce(str(snapshot), Choice(only=CELL), UNSIGNED)


def test_a_folder_to_work_in_is_that_of_the_user_also_for_rules_that_run_in_the_checkout(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("mine/frozen/cycle").mkdir(parents=True)
    commands = []
    monkeypatch.setattr(rebuild, "_run", lambda command, *_: commands.append(command) or (0, ""))
    rebuild.extract_rows(Path("mine/frozen/cycle"))
    assert [f"data={tmp_path}/mine"] == [word for word in commands[0] if word.startswith("data=")]


def test_make_passes_the_part_on():
    words = ["SNAPSHOT=https://host/snapshots/demo/", f"ONLY={CELL}", "FROM=rows", "WORK=a b"]
    done = subprocess.run(["make", "-n", "reproduce", *words], capture_output=True, text=True, check=True)
    (told,) = (
        line for line in done.stdout.replace("\\\n", " ").splitlines() if line.startswith("observatory")
    )
    expected = f"https://host/snapshots/demo/ --only {CELL} --from rows --work"
    assert shlex.split(told)[2:] == [*expected.split(), "a b"]


def test_make_trusts_the_reference_by_the_checksum_of_its_list():
    done = subprocess.run(["make", "-n", "reproduce"], capture_output=True, text=True, check=True)
    (told,) = (
        line for line in done.stdout.replace("\\\n", " ").splitlines() if line.startswith("observatory")
    )
    place, option, checksum = shlex.split(told)[2:]
    assert (place, option) == ("data/snapshots/reference", "--sums")
    assert checksum == digest(REFERENCE / "SHA256SUMS")


def test_no_key_of_the_checkout_signs_the_reference(capsys):
    assert main(["verify", str(REFERENCE), "--allow", "unchained"]) == 2
    assert "(unsigned)" in capsys.readouterr().err


def test_without_an_earlier_extraction_it_is_told_how_to_get_it(tmp_path):
    with pytest.raises(UserError, match=r"clients.parquet: is missing; run the same with --from captures"):
        reproduce(str(REFERENCE), Choice(only=CELL, start="parquet"), UNSIGNED, tmp_path / "work")


def test_a_folder_with_the_work_of_another_snapshot_is_refused(tmp_path):
    (tmp_path / "SHA256SUMS").write_text("other")
    with pytest.raises(UserError, match="holds what was extracted from another snapshot"):
        reproduce(str(REFERENCE), Choice(table="plan", start="rows"), UNSIGNED, tmp_path)


@pytest.fixture
def published(tmp_path) -> tuple[Path, Policy]:
    """The root of a site with the reference, signed, and what asks for its signature."""
    root = tmp_path / "root"
    snapshot = root / FOLDER
    shutil.copytree(REFERENCE, snapshot)
    key = make_key(tmp_path / "keys", "operator")
    (tmp_path / "keys/allowed_signers").write_text(line_of(key))
    signers = read_signers(tmp_path / "keys/allowed_signers")
    sign(snapshot, key, DAY, signers)
    (root / CAPTURES).parent.mkdir(parents=True)
    (snapshot / "trials").rename(root / CAPTURES)
    return root, replace(UNSIGNED, signers=signers, allowed=frozenset())


def sent_by(server: Server) -> set[PurePosixPath]:
    """The files that were sent, by their addresses."""
    return {PurePosixPath(unquote(path).lstrip("/")) for (path, _), count in server.sent.items() if count}


def test_from_an_address_only_what_a_part_needs_is_fetched(published, tmp_path):
    root, policy = published
    with serving(root) as server:
        describe, same = reproduce(server.url, Choice(table="plan", start="rows"), policy, tmp_path / "work")
    assert same and f"{FOLDER}: identical: " in describe
    sent = sent_by(server)
    signed = {"SHA256SUMS", "SHA256SUMS.sig", "snapshot.json", "datapackage.json"}
    inside = {path.relative_to(FOLDER) for path in sent if path.is_relative_to(FOLDER)}
    assert inside == files_for(table="plan", start="rows") | {PurePosixPath(name) for name in signed}
    beside = {path.name for path in sent if not path.is_relative_to(FOLDER)}
    assert beside == {"chain.jsonl", "chain.jsonl.sig"}


def test_another_snapshot_than_that_of_the_address_is_refused(published, tmp_path):
    root, policy = published
    (root / FOLDER).rename(root / "snapshots/demo-2026-12-05")
    with (
        serving(root) as server,
        pytest.raises(UserError, match=r"is demo-2026-11-21 in the chain.*\(renamed\)"),
    ):
        url = server.url.replace("demo-2026-11-21", "demo-2026-12-05")
        reproduce(url, Choice(table="plan", start="rows"), policy, tmp_path / "work")


def test_a_copy_that_is_published_to_a_folder_verifies_and_is_rebuilt(published, tmp_path):
    root, policy = published
    snapshot = root / FOLDER
    source = open_source(str(snapshot))
    assert f"{len(read_listing(source))} files match" in describe(source, verify(source, policy))
    for _ in range(2):
        found, same = reproduce(
            str(snapshot), Choice(table="services", start="rows"), policy, tmp_path / "work"
        )
        assert same and f"{FOLDER}: identical: " in found


@pytest.mark.soak(minutes=1)
def test_a_trial_is_rebuilt_from_its_published_captures(published):
    root, policy = published
    trial = "trials/8mbps/iperf-bbr/01"
    found, same = reproduce(str(root / FOLDER), Choice(only=trial), policy)
    assert same and "rebuilt from captures of 1 trial" in found
    with serving(root) as server:
        found, same = reproduce(server.url, Choice(only=trial), policy)
    assert same and "rebuilt from captures of 1 trial" in found
    captures = {path.relative_to(CAPTURES) for path in sent_by(server) if path.is_relative_to(CAPTURES)}
    assert {PurePosixPath("trials", path) for path in captures} == {
        path for path in files_for(only=trial) if path.parts[0] == "trials"
    }


@pytest.mark.soak(minutes=1)
def test_the_reference_is_identical_when_rebuilt():
    done = run(REFERENCE)
    assert done.returncode == 0, done.stderr
    assert f"{REFERENCE}: identical: " in done.stdout


@pytest.mark.soak(minutes=1)
@pytest.mark.parametrize(
    "options",
    [
        ("--only", CELL),
        ("--only", "pairs/8mbps/iperf-cubic~ref-page-text"),
        ("--only", "solos/8mbps/ref-video-4-reno"),
        ("--only", "trials/8mbps/iperf-bbr~iperf-cubic/02"),
        ("--table", "calibration"),
        ("--chart", "bitrate-8mbps-iperf-cubic~ref-video-4-reno-01"),
    ],
    ids=lambda options: options[1],
)
def test_a_part_is_rebuilt_from_its_captures_alone_without_a_network(options, tmp_path):
    files = files_for(**{options[0].removeprefix("--"): options[1]})
    snapshot, work = copy_only(files, tmp_path / "partial"), str(tmp_path / "work")
    alone = ["unshare", "--map-root-user", "--net", *command(snapshot, *options, "--work", work)]
    done = subprocess.run(alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "identical: " in done.stdout and "rebuilt from captures of" in done.stdout
    if options[1] != "calibration":
        for path in (path for path in snapshot.glob("trials/*/*/*/*") if path.name != "trial.json"):
            path.unlink()
        before = {path: path.stat().st_ino for path in Path(work).rglob("packets.parquet")}
        again = run(snapshot, *options, "--work", work, "--from", "parquet")
        assert again.returncode == 0, again.stderr
        assert before == {path: path.stat().st_ino for path in Path(work).rglob("packets.parquet")}


@pytest.mark.soak(minutes=1)
def test_ctrl_c_ends_what_was_started_and_leaves_nothing(tmp_path):
    scratch = Path("build/reproduce")
    before = set(scratch.glob(".snapshot-*"))
    running = subprocess.Popen(command(REFERENCE, "--only", CELL), stderr=subprocess.PIPE, text=True)
    while not (mine := [*(set(scratch.glob(".snapshot-*")) - before)]) or not [*mine[0].rglob("*.parquet")]:
        assert running.poll() is None
        time.sleep(0.1)
    os.kill(running.pid, signal.SIGINT)
    assert running.wait(30) == 130
    assert not mine[0].exists()
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        assert mine[0].name not in process.read_text(errors="replace")
