"""Readers fetch tables from a server by their address: whole, by a command, and single trials by ranges."""

import io
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from scripts.site.data.one_liners import ONE_LINERS, TRIALS_OF_PAIRS, one_liners, trials_of_pairs
from tests.site.data.conftest import PLACES
from tests.site.serving import Server

FIRST = PLACES[0]
PACKAGES = ("pandas>=2", "pyarrow>=21", "duckdb==1.5.5", "duckdb-extension-httpfs==1.5.5")
LOAD = """
import glob, duckdb, duckdb_extension_httpfs
(file,) = glob.glob(duckdb_extension_httpfs.__path__[0] + "/extensions/*/httpfs.duckdb_extension")
duckdb.sql(f"load '{file}'")
"""
"""Loads the extension that DuckDB would otherwise fetch from its own site."""


@pytest.fixture(scope="module")
def server(archive) -> Iterator[Server]:
    """The archive, served by the command."""
    with Server.of_command(archive.root) as running:
        yield running


def url(server: Server, table: str, form: str = "parquet") -> str:
    """The address of a table of the first cycle."""
    return f"http://localhost:{server.port}/{FIRST.table(table, form)}"


def test_curl_fetches_a_table(server, archive, tmp_path):
    command = one_liners(url(server, "pairs"))["curl"]
    subprocess.run(command, shell=True, cwd=tmp_path, check=True, timeout=60, capture_output=True)
    assert (archive.root / FIRST.table("pairs", "parquet")).read_bytes() == (
        tmp_path / "part.parquet"
    ).read_bytes()


def test_the_line_of_duckdb_reads_a_copy_with_text_as_cycle(archive):
    rows = duckdb.sql(one_liners(str(archive.root / FIRST.table("pairs", "parquet")))["DuckDB"])
    assert ["campaign", "cycle"] == rows.columns[:2]
    assert ("demo", "2026-11-21") == rows.limit(1).fetchall()[0][:2]


def test_the_median_of_a_pair_is_that_of_the_trials_which_the_join_finds(archive):
    files = [str(archive.root / FIRST.table(name, "parquet")) for name in ("pairs", "trial_fairness")]
    shares: dict[tuple, list[float]] = {}
    for *pair, _, share in duckdb.sql(trials_of_pairs(*files)).fetchall():
        shares.setdefault(tuple(pair), []).append(share)
    pairs = duckdb.sql("select * from read_parquet(?)", params=[files[0]])
    expected = pairs.select("setting", "incumbent", "contender", "instance", "share_median").fetchall()
    found = {pair for pair, of_trials in shares.items() if statistics.median(of_trials) == pair[-1]}
    assert found == {pair for pair in expected if pair[-1] is not None} and found


@pytest.mark.soak(minutes=1)
@pytest.mark.parametrize(
    ("language", "print_row"),
    [
        ("pandas", "{line}; print(table.loc[0, 'campaign'], table.loc[0, 'cycle'], len(table))"),
        (
            "DuckDB",
            LOAD + 'rows = duckdb.sql("""{line}""").fetchall(); print(rows[0][0], rows[0][1], len(rows))',
        ),
    ],
)
def test_other_programs_read_a_table_by_its_address(server, archive, language, print_row):
    line = one_liners(url(server, "pairs"))[language]
    packages = [word for package in PACKAGES for word in ("--with", package)]
    command = [
        "uv",
        "run",
        "--quiet",
        "--no-project",
        *packages,
        "python",
        "-c",
        print_row.replace("{line}", line),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    rows = pq.read_metadata(archive.root / FIRST.table("pairs", "parquet")).num_rows
    assert ("", f"demo 2026-11-21 {rows}\n") == (done.stderr, done.stdout)


def test_an_address_cannot_end_a_command():
    assert all("'{address}'" in line for line in ONE_LINERS.values())
    assert all(f"'{{{table}}}'" in TRIALS_OF_PAIRS for table in ("pairs", "trial_fairness"))
    with pytest.raises(ValueError, match="cannot be part of a command"):
        one_liners("http://localhost/'; rm -r .")


class Remote(io.RawIOBase):
    """A file that is read by ranges with curl; it counts the bytes."""

    def __init__(self, address: str) -> None:
        head = subprocess.run(["curl", "-sSfI", address], check=True, capture_output=True, text=True).stdout
        fields = dict(line.lower().split(": ", 1) for line in head.splitlines() if ": " in line)
        self.address, self.size, self.place, self.fetched = address, int(fields["content-length"]), 0, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.place

    def seek(self, offset, whence=io.SEEK_SET):
        self.place = offset + (0, self.place, self.size)[whence]
        return self.place

    def read(self, size=-1):
        last = self.size - 1 if size is None or size < 0 else min(self.place + size, self.size) - 1
        if last < self.place:
            return b""
        command = ["curl", "-sSf", "-r", f"{self.place}-{last}", self.address]
        part = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
        assert last + 1 - self.place == len(part)
        self.place, self.fetched = last + 1, self.fetched + len(part)
        return part


def test_one_trial_is_read_by_ranges(server, archive):
    remote = Remote(url(server, "trial_series"))
    wanted = {"setting": "8mbps", "pair": "iperf-bbr~iperf-cubic", "trial": 1}
    with pq.ParquetFile(remote, pre_buffer=False) as file:
        groups = [index for index in range(file.num_row_groups) if _may_hold(file, index, wanted)]
        assert 0 < len(groups) < file.num_row_groups
        found = file.read_row_groups(groups).to_pylist()
    whole = pq.ParquetFile(Path(archive.root, FIRST.table("trial_series", "parquet"))).read().to_pylist()
    assert _of(whole, wanted) == _of(found, wanted) != []
    assert remote.fetched < remote.size


def _of(rows: list[dict], wanted: dict) -> list[dict]:
    return [row for row in rows if wanted.items() <= row.items()]


def _may_hold(file: pq.ParquetFile, group: int, wanted: dict) -> bool:
    """Whether the statistics of a row group allow these values."""
    columns = [file.metadata.row_group(group).column(index) for index in range(file.metadata.num_columns)]
    statistics = {column.path_in_schema: column.statistics for column in columns}
    return all(statistics[name].min <= value <= statistics[name].max for name, value in wanted.items())
