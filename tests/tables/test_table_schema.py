"""Every table's schema, and what its check refuses."""

import re
from dataclasses import fields
from pathlib import Path

import pyarrow as pa
import pytest

from scripts.base.yaml_files import load_yaml
from scripts.figures.catalogue import CATALOGUE
from scripts.tables.database import connect
from scripts.tables.table_schema import Column, TableSchema, TableSchemaError, check, load_schema, sql_of

FOLDER = Path("scripts/tables")
TABLES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
GOOD = {
    "setting": "8mbps",
    "pair": "a~b",
    "trial": 1,
    "rule": "cca",
    "class": "testbed",
    "figure": 0.0,
    "threshold": 0.0,
    "valid": True,
}


@pytest.fixture
def connection():
    with connect() as connection:
        yield connection


def validity(*changes):
    return pa.Table.from_pylist([GOOD | change for change in changes], schema=load_schema("validity").arrow)


def test_every_query_has_a_schema_and_the_other_way_round():
    queries = {path.stem for path in FOLDER.glob("*.sql")} - {"macros"}
    others = {"plan", "registration", "recognition"}
    assert queries == set(TABLES) - others, "two follow from the plan, and one from labelled traces"


@pytest.mark.parametrize("table", TABLES)
def test_a_schema_names_its_table_and_explains_each_column(table):
    schema = load_schema(table)
    assert table == schema.table
    assert set(schema.key) <= {column.name for column in schema.columns}
    assert schema.description and all(column.meaning for column in schema.columns)
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


@pytest.mark.parametrize("table", TABLES)
def test_a_schema_has_no_key_that_nobody_reads(table):
    content = load_yaml(FOLDER / f"{table}.yaml")
    assert set(content) <= {field.name for field in fields(TableSchema)}
    for column in content["columns"]:
        if "figures_of" in column:
            assert 1 == len(column) and {*column["figures_of"]} <= CATALOGUE.keys()
            continue
        if "of" in column:
            assert {*column["columns"]} <= {one.name for one in load_schema(column["of"]).columns}
            column = {key: value for key, value in column.items() if key not in ("of", "columns")}
        assert set(column) <= {field.name for field in fields(Column)}, column


@pytest.mark.parametrize("table", sorted(path.stem for path in FOLDER.glob("*.sql") if path.stem != "macros"))
def test_a_query_uses_the_sources_and_parameters_of_its_schema(table):
    schema = load_schema(table)
    lines = [line for path in sql_of(table) for line in path.read_text().splitlines()]
    query = "\n".join(line for line in lines if not line.lstrip().startswith("--"))
    assert {*schema.sources, *schema.parameters} == set(re.findall(r"\$([a-z0-9_]+)", query))


def test_a_sound_table_passes(connection):
    check(connection, validity({}, {"trial": 2, "figure": None}), load_schema("validity"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": None}, r"validity: threshold is null in 1 rows: 8mbps a~b 7 cca"),
        ({"figure": -1.0}, r"validity: figure is below 0 in 1 rows: 8mbps a~b 7 cca"),
        ({"figure": float("inf")}, r"validity: figure is not finite in 1 rows"),
        ({"class": "luck"}, r"validity: class is none of testbed, .* in 1 rows: 8mbps a~b 7 cca"),
        ({"figure": float("nan")}, r"validity: figure is not finite in 1 rows"),
        ({"trial": 1}, r"validity: several rows have the same key: 8mbps a~b 1 cca"),
    ],
)
def test_a_violation_names_table_column_and_rows(connection, change, message):
    with pytest.raises(TableSchemaError, match=message):
        check(connection, validity({}, {"trial": 7} | change), load_schema("validity"))


def test_other_columns_are_refused(connection):
    with pytest.raises(TableSchemaError, match="validity: has the columns"):
        check(connection, validity({}).drop(["figure"]), load_schema("validity"))
