"""Which service of a pair is c1 changes no figure: the seed draws it for each trial."""

import pyarrow as pa
import pytest

from scripts.model.pairs import members
from scripts.tables.table_schema import load_schema
from tests.tables.built import built, sources_of
from tests.tables.test_cases import CAMPAIGN, CASES, is_given, read, rows_of

TABLES = {
    "completions",
    "excluded",
    "fmp_settings",
    "models",
    "orders",
    "pairs",
    "predictions",
    "qoe_pairs",
    "samples",
    "stability",
    "trial_fairness",
    "workloads",
}
"""The tables of cycles that are made from rows of clients."""
OF_CLIENTS = [case for case in CASES if case.parent.name in TABLES]


def with_places_drawn(rows):
    """The rows with the clients of every odd trial in the opposite order, except where places are bound."""
    if not {"setting", "pair", "trial", "client"} <= {*rows.schema.names}:
        return rows
    changed = [row | {"client": _drawn(row)} for row in rows.to_pylist()]
    return pa.Table.from_pylist(changed, schema=rows.schema)


def _drawn(row):
    services, setting = members(row["pair"]), CAMPAIGN.settings.get(row["setting"])
    bound = setting is not None and setting.binds_clients
    if bound or len(set(services)) == 1 or row["trial"] % 2 == 0 or row["client"] is None:
        return row["client"]
    return f"c{len(services) + 1 - int(row['client'][1:])}"


@pytest.mark.parametrize("case", OF_CLIENTS, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_the_figures_do_not_depend_on_who_is_c1(case, tmp_path):
    table = case.parent.name
    given = {
        source: with_places_drawn(rows_of(case, source))
        for source in sources_of(table)
        if is_given(case, source)
    }
    found = built(table, given, tmp_path, CAMPAIGN)
    schema = load_schema(table)
    if table != "orders" and "client" in schema.key:
        found = with_places_drawn(found).sort_by([(name, "ascending") for name in schema.key])
    expected = read(case / "expected.csv", schema.arrow)
    for column in expected.column_names:
        wanted, values = expected[column].to_pylist(), found[column].to_pylist()
        if pa.types.is_floating(expected[column].type):
            assert pytest.approx(wanted, nan_ok=True) == values, column
        else:
            assert wanted == values, column
