"""The library of labelled traces, and its file."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.recognition import LIBRARY
from scripts.recognition.answers import answer_of
from scripts.recognition.distances import distances
from scripts.recognition.library import EMPTY, read_library, write_library
from scripts.recognition.traces import LinkKey, trace_of
from tests.recognition.hand_library import hand_library
from tests.recognition.hand_traces import LINK, bbr, cubic, reno


@pytest.fixture(scope="module")
def library():
    return hand_library()


def test_a_library_is_read_as_it_was_written_to_a_thousandth(library, tmp_path):
    write_library(library, tmp_path / "library.parquet")
    read = read_library(tmp_path / "library.parquet")
    assert (library.labels, library.limits, library.version) == (read.labels, read.limits, read.version)
    assert np.abs(np.stack(library.traces) - np.stack(read.traces)).max() <= 0.0005001


def test_the_same_traces_give_the_same_bytes_and_version(library, tmp_path):
    for name in ("one", "two"):
        write_library(library, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert library.version == hand_library().version != hand_library(days=("2026-01-01",)).version


def test_without_a_file_it_is_empty(tmp_path):
    assert EMPTY == read_library(tmp_path / "none.parquet")


def test_a_file_with_other_columns_is_refused(library, tmp_path):
    path = tmp_path / "library.parquet"
    write_library(library, path)
    pq.write_table(pq.read_table(path).drop_columns(["stack"]), path)
    with pytest.raises(UserError, match="make recognise-library"):
        read_library(path)


def test_a_damaged_file_is_refused_in_one_line(tmp_path):
    (tmp_path / "damaged.parquet").write_bytes(b"PAR1")
    with pytest.raises(UserError, match=r"damaged\.parquet: cannot be read: .*; restore it from git"):
        read_library(tmp_path / "damaged.parquet")


def test_a_file_of_another_format_is_refused_in_one_line(library, tmp_path):
    path = tmp_path / "library.parquet"
    write_library(library, path)
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({**table.schema.metadata, b"format": b"2"}), path)
    with pytest.raises(UserError, match="has version 2 of its format"):
        read_library(path)


def test_a_part_has_the_traces_of_its_links_and_the_version_of_the_whole(library):
    other = LinkKey(50, 50, 1024)
    assert (library, {LINK}) == (library.of({LINK, other}), library.links)
    none = library.of({other})
    assert ((), library.version) == (none.labels, none.version)


def test_a_label_has_the_address_of_its_trial(library):
    assert "hand/2026-01-01/8mbps/kernel-reno/01" == library.labels[0].address


@pytest.mark.parametrize(
    ("series", "family"),
    [(reno(15, 77), "Reno-like"), (cubic(6.5, 77), "Cubic-like"), (bbr(77), "BBRv1-like")],
)
def test_it_names_traces_of_its_controllers(library, series, family):
    (row,) = distances([trace_of(series, LINK)], library.traces)
    assert family == answer_of(row, library.families, library.limits).family


def test_the_library_of_the_repository_is_small_and_can_be_read():
    read_library()
    assert not LIBRARY.is_file() or LIBRARY.stat().st_size <= 5_000_000
