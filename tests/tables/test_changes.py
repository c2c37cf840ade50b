"""The table changes over a panel as large as the paper's: what can be found in so many cells."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas
from scripts.tables.table_schema import load_schema

SERVICES = [f"service-{number:02d}" for number in range(25)]
PARAMETERS = {"beyond": [], "controls": ["service-00", "service-01"]}
DIFFERENT = ("service-02", "service-03")


def panel(shift_mbps):
    """Ten trials of each of 300 cells. The trials of one cell are shifted."""
    cells = [(one, other) for one in SERVICES for other in SERVICES if one < other]
    return [
        {
            "setting": "8mbps",
            "pair": f"{service}~{contender}",
            "trial": trial,
            "service": service,
            "contender": contender,
            "clients": 2,
            "valid": True,
            "instance": "first",
            "throughput_mbps": 4 + 0.01 * trial + shift_mbps * ((service, contender) == DIFFERENT),
        }
        for service, contender in cells
        for trial in range(10)
    ]


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    """The rows of the table: one cell of 300 got 0.2 Mbps more, and its trials lie wholly apart."""
    folder = tmp_path_factory.mktemp("changes")
    inputs = dict(PARAMETERS)
    for source, shift_mbps in (("earlier_trial_services", 0), ("trial_services", 0.2)):
        inputs[source] = folder / f"{source}.parquet"
        rows = pa.Table.from_pylist(panel(shift_mbps), schema=load_schema("trial_services").arrow)
        pq.write_table(rows, inputs[source])
    with connect() as connection:
        add_formulas(connection)
        return build(connection, "changes", inputs).to_pylist()


def test_ten_trials_against_ten_wholly_apart_are_a_change_among_300_cells(changes):
    assert len(changes) == 300
    assert [(row["incumbent"], row["contender"]) for row in changes if row["changed"]] == [DIFFERENT]


def test_the_control_is_a_family_of_its_own(changes):
    assert {(row["family"], row["tested"]) for row in changes} == {("control", 1), ("services", 299)}


def test_every_cell_says_what_could_have_been_found(changes):
    """Of 2 / 184756 the 299-fold is the smallest corrected p."""
    assert all(row["detectable"] for row in changes)
    services = [row for row in changes if row["family"] == "services"]
    assert pytest.approx(299 * 2 / 184756) == services[0]["smallest_p"]
    assert {round(row["smallest_shift_mbps"], 6) for row in services} == {0.07}
