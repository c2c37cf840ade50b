"""A table built from the inputs of a test."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.model.campaign import Campaign
from scripts.tables.database import BindParameters, build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import load_schema

BETWEEN = ("samples", "figures", "verdicts", "trial_fmp")
"""The tables between a test's inputs and its table: they are built from the inputs, unless they are given."""


def built(
    table: str, given: Mapping[str, pa.Table | list[dict]], folder: Path, campaign: Campaign
) -> pa.Table:
    """A table of level cycle. Inputs that are not given have no rows."""
    with connect() as connection:
        add_formulas(connection)
        schema = load_schema(table)
        inputs: BindParameters = bind_parameters(schema.parameters, campaign)
        for source in schema.sources:
            path = folder / f"{source}.parquet"
            rows = given.get(source)
            if rows is None and source in BETWEEN:
                rows = built(source, given, folder, campaign)
            if not isinstance(rows, pa.Table):
                rows = pa.Table.from_pylist(rows or [], schema=load_schema(source).arrow)
            pq.write_table(rows, path)
            inputs = {**inputs, source: path}
        return build(connection, table, inputs)


def sources_of(table: str) -> set[str]:
    """The inputs that a test may give for a table."""
    sources = {*load_schema(table).sources}
    return sources.union(*(sources_of(source) for source in sources if source in BETWEEN))
