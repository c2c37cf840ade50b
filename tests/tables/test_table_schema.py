"""Every table's schema, and what its check refuses."""

from pathlib import Path

import pyarrow as pa
import pytest

from scripts.tables.table_schema import SchemaError, check, load_schema

FOLDER = Path("scripts/tables")
TABLES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
GOOD = {
    "setting": "8mbps",
    "pair": "a~b",
    "trial": 1,
    "rule": "cca",
    "figure": 0.0,
    "threshold": 0.0,
    "valid": True,
}


def validity(*changes):
    return pa.Table.from_pylist([GOOD | change for change in changes], schema=load_schema("validity").arrow)


def test_every_query_has_a_schema_and_the_other_way_round():
    queries = {path.stem for path in FOLDER.glob("*.sql")} - {"summary_macro"}
    assert queries == set(TABLES) - {"plan"}, "plan is the planner's own"


@pytest.mark.parametrize("table", TABLES)
def test_a_schema_names_its_table_and_explains_each_column(table):
    schema = load_schema(table)
    assert table == schema.table
    assert set(schema.key) <= {column.name for column in schema.columns}
    assert all(column.meaning for column in schema.columns)
    for column in schema.columns:
        for suffix, unit in (
            ("_mbps", "Mbps"),
            ("_ms", "ms"),
            ("_s", "s"),
            ("_bytes", "bytes"),
            ("_packets", "packets"),
        ):
            if column.name.endswith(suffix) and not column.name.endswith("_per_s"):
                assert unit == column.unit, column.name


def test_a_sound_table_passes():
    check(validity({}, {"trial": 2, "figure": None}), load_schema("validity"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": None}, r"validity: threshold is null in 1 rows: 8mbps a~b 7 cca"),
        ({"figure": -1.0}, r"validity: figure is below 0 in 1 rows: 8mbps a~b 7 cca"),
        ({"figure": float("inf")}, r"validity: figure is not finite in 1 rows"),
        ({"rule": "luck"}, r"validity: rule is none of completed, .* in 1 rows: 8mbps a~b 7 luck"),
        ({"trial": 1}, r"validity: the key stands there twice: 8mbps a~b 1 cca"),
    ],
)
def test_a_violation_names_table_column_and_rows(change, message):
    with pytest.raises(SchemaError, match=message):
        check(validity({}, {"trial": 7} | change), load_schema("validity"))


def test_other_columns_are_refused():
    with pytest.raises(SchemaError, match="validity: has the columns"):
        check(validity({}).drop(["figure"]), load_schema("validity"))
