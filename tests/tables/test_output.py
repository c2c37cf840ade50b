"""Tables written as CSV: the rows do not depend on the parts in which they arrive. A large table has none."""

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.tables import output
from scripts.tables.output import write_table
from scripts.tables.table_schema import load_schema

SCHEMA = load_schema("qoe_web").arrow
LOAD = {
    "setting": "8mbps",
    "pair": "a",
    "trial": 1,
    "client": "c1",
    "service": "a",
    "contender": "",
    "valid": True,
}
LOAD |= {"load": 1, "censored": False, "visually_complete_s": 0.5, "speed_index_s": 0.25, "load_event_s": 1.5}
LOAD |= {"requests": 8, "received_bytes": 111}
ROW = pa.Table.from_pylist([LOAD], SCHEMA)
LINE = '"8mbps","a",1,"c1","a","",true,1,false,0.5,0.25,1.5,8,111\n'


def test_trials_without_rows_add_nothing_to_the_csv(tmp_path):
    empty = SCHEMA.empty_table()
    part = pa.concat_tables([*[empty] * 20, ROW, *[empty] * 20, ROW])
    write_table([part, empty, part], "qoe_web", tmp_path, with_csv=True)
    header, *lines = (tmp_path / "qoe_web.csv").read_text().splitlines(keepends=True)
    assert header.startswith('"setting","pair",')
    assert lines == [LINE] * 4


def test_a_table_without_rows_is_its_header(tmp_path):
    write_table([], "qoe_web", tmp_path, with_csv=True)
    assert (tmp_path / "qoe_web.csv").read_text().count("\n") == 1


def test_a_table_below_the_limit_has_a_csv_and_a_table_that_reaches_it_has_none(tmp_path, monkeypatch):
    assert output.FEWEST_ROWS_WITHOUT_CSV == 5_000_000
    monkeypatch.setattr(output, "FEWEST_ROWS_WITHOUT_CSV", 3)
    write_table([ROW, ROW], "qoe_web", tmp_path, with_csv=True)
    assert (tmp_path / "qoe_web.csv").read_text().count("\n") == 1 + 2
    write_table([ROW, ROW, ROW], "qoe_web", tmp_path, with_csv=True)
    assert [path.name for path in tmp_path.iterdir()] == ["qoe_web.parquet"], "the CSV of fewer rows is gone"
    assert pq.read_metadata(tmp_path / "qoe_web.parquet").num_rows == 3
