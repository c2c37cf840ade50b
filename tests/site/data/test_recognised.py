"""What the services of a cycle are recognised as, as its summary has it."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.site.data.recognised import recognised
from scripts.tables.table_schema import load_schema
from tests.site.sample_figures import recognised as made


def test_every_row_of_the_table_is_read(tmp_path):
    rows = [made("iperf-cubic", "BBRv1-like", before="Cubic-like"), made("iperf-reno", "Reno-like")]
    schema = load_schema("recognition").arrow
    pq.write_table(
        pa.Table.from_pylist([vars(row) for row in rows], schema), tmp_path / "recognition.parquet"
    )
    assert tuple(rows) == recognised(tmp_path)


def test_a_cycle_without_labelled_traces_has_none(tmp_path):
    assert () == recognised(tmp_path)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (made("bbr", "BBRv1-like"), "BBRv1-like"),
        (made("bbr", "unknown", reason="trials disagree"), "unknown: trials disagree"),
    ],
)
def test_its_words_say_why_it_is_unknown(row, words):
    assert words == row.words


def test_a_change_has_the_family_before_and_now():
    assert "Cubic-like, now BBRv1-like" == made("cubic", "BBRv1-like", before="Cubic-like").change
