"""The list of tables follows from their schemas: a new table needs only its SQL and its YAML."""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from scripts.base.files import ROOT
from scripts.extract.extract_trial import TABLES, extract
from scripts.tables.table_list import EXTRACTED, MACROS, build_order, files_of, names_of
from scripts.tables.table_schema import TableSchemaError, load_schema
from tests.extract.synthetic import example_trial
from tests.tables.campaigns import write_campaign

SQL = "select setting, pair, trial, count(*)::integer as rows from read_parquet(${source}) group by all"
YAML = """
table: {table}
description: How many rows a trial has.
level: {level}
sources: [{source}]
grain: one row per trial
key: [setting, pair, trial]
columns:
  - {{name: setting, type: string, meaning: "the link"}}
  - {{name: pair, type: string, meaning: "the services"}}
  - {{name: trial, type: int32, meaning: "the number"}}
  - {{name: rows, type: int32, meaning: "rows"}}
"""
BUILD = """
import sys
from pathlib import Path
import pyarrow.parquet as pq
from scripts.model.campaign import read_campaign
from scripts.tables.cycle_tables import build_cycle
from scripts.tables.trial_tables import build_trial
parquet, config, rows, tables = map(Path, sys.argv[1:])
build_trial(parquet, rows, config)
build_cycle([rows], tables, read_campaign(config))
print(pq.read_table(tables / "a_count.parquet").to_pylist())
print(pq.read_table(tables / "b_count.parquet").to_pylist())
"""


def schema_of(table, *sources):
    return replace(load_schema("solo"), table=table, sources=sources)


def test_a_new_table_of_a_trial_and_one_of_a_cycle_are_built_and_listed(tmp_path):
    """In a copy of the project: `a_count` of a trial's clients, and `b_count` of the rows of `a_count`."""
    extract(example_trial().write(tmp_path / "trial"), tmp_path / "parquet")
    shutil.copytree(ROOT / "scripts", tmp_path / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    for table, level, source in (("a_count", "trial", "clients"), ("b_count", "cycle", "a_count")):
        place = tmp_path / "scripts/tables" / table
        place.with_suffix(".sql").write_text(SQL.format(source=source))
        place.with_suffix(".yaml").write_text(YAML.format(table=table, level=level, source=source))
    config = write_campaign(tmp_path / "config.json")
    # As a file: in a program without one, DuckDB prints a progress bar when a query takes two seconds.
    (tmp_path / "build.py").write_text(BUILD)
    words = [sys.executable, "build.py", "parquet", config, "rows", "tables"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    key = {"setting": "8mbps", "pair": "iperf-bbr~iperf-cubic", "trial": 1}
    assert [str([key | {"rows": 2}]), str([key | {"rows": 1}])] == done.stdout.splitlines()


def test_a_table_is_built_after_what_it_needs():
    for level in ("trial", "cycle"):
        names = names_of(level)
        for place, table in enumerate(names):
            assert not set(names[place:]) & set(load_schema(table).sources), table


def test_the_order_does_not_depend_on_the_order_of_the_files():
    schemas = [schema_of("c", "b"), schema_of("b", "a"), schema_of("a", "queue"), schema_of("d", "a")]
    assert build_order(schemas, ["queue"]) == ("a", "b", "d", "c")


def test_the_error_for_an_unknown_source_lists_the_known_sources():
    with pytest.raises(TableSchemaError, match=r"a\.yaml: unknown source b; a table may use a, queue"):
        build_order([schema_of("a", "b")], ["queue"])


def test_tables_that_need_each_other_are_named():
    with pytest.raises(TableSchemaError, match=r"need each other in a circle: (a → b → a|b → a → b)$"):
        build_order([schema_of("a", "b"), schema_of("b", "a")], [])


def test_the_tables_of_a_trial_start_from_what_is_extracted():
    assert set(EXTRACTED) == set(TABLES)


def test_a_change_reruns_the_rule_of_its_level_and_no_other():
    trial, cycle = files_of(names_of("trial")), files_of(names_of("cycle"))
    assert "scripts/tables/validity.sql" in trial and "scripts/tables/validity.yaml" in trial
    assert "scripts/tables/pairs.sql" in cycle and "scripts/tables/pairs.yaml" in cycle
    assert not set(trial) & set(cycle)
    assert files_of(["plan"]) == ["scripts/tables/plan.yaml"]
    assert (ROOT / MACROS).is_file()
