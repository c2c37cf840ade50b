"""Rows in, rows out: every folder tests/tables/<table>/<case>/ holds the inputs and expected.csv.

Inputs may leave columns out (they are null then), and extracted inputs may be left out (they have no rows
then); expected.csv names the columns it compares. What the clients saw stands in qoe.json, as
drivers write it.
"""

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

from scripts.base.records import to_json
from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.flows import FLOWS_SCHEMA
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.qoe_table import QOE_SCHEMA, qoe_table
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.extract.sender_samples import SENDERS_SCHEMA
from scripts.model.schemas import check
from scripts.plan.campaign_file import load_service
from scripts.tables.calibration_table import FACTS_SCHEMA, SIZES
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas, add_trial_formulas
from scripts.tables.parameters import of_summaries
from scripts.tables.table_schema import load_schema
from scripts.tables.trial_tables import TABLES as TRIAL_TABLES

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("*/*/expected.csv"))
INPUT_SCHEMAS = {
    "clients": CLIENTS_SCHEMA,
    "packets": PACKETS_SCHEMA,
    "queue": QUEUE_SCHEMA,
    "flows": FLOWS_SCHEMA,
    "senders": SENDERS_SCHEMA,
    "qoe": QOE_SCHEMA,
    "facts": FACTS_SCHEMA,
}
RULES = next(column.values for column in load_schema("validity").columns if column.name == "rule")
TOLERANCES = {
    "rtt_error_ms": 1.0,
    "clock_step_ms": 1.0,
    "cpu_pressure_fraction": 0.5,
    "upstream_loss_fraction": 0.0005,
    "sender_limited_fraction": 0.01,
    "render_limited_fraction": 0.1,
}
THRESHOLDS = {
    "rules": list(RULES),
    "thresholds": [TOLERANCES.get(rule, 0.0) for rule in RULES],
    "upstream_loss_min_packets": 2,
}
WORKLOAD = {"services": ["video", "video"], "patterns": ["*.cdn.test", "video.test"], "pages": ["page"]}
# What a table asks of the configuration, by the table's name.
PARAMETERS = {
    "validity": THRESHOLDS,
    "trial_flows": WORKLOAD,
    "calibration": SIZES
    | {
        "rate_error_fraction": 0.001,
        "capacity_error_packets": 0,
        "empty_queue_loss_packets": 0,
        "delay_error_p50_ms": 0.05,
        "delay_error_p99_ms": 0.3,
        "sender_late_p99_ms": 1.0,
    },
} | of_summaries(
    {
        "settings": {"8mbps": {"precision_mbps": 0.5}, "20mbps": {"precision_mbps": 2.5}},
        "services": {
            "iperf-bbr": {"category": "Baseline", "driver": "iperf", "cca": "bbr", "flows": 1},
            "iperf-reno": {"category": "Baseline", "driver": "iperf", "cca": "reno", "flows": 1},
            "iperf-lookalike": {"category": "File transfer", "driver": "iperf", "cca": "bbr", "flows": 1},
            **{
                name: to_json(load_service(catalogued, "the test"))
                for name, catalogued in (
                    ("ref-call", "ref-call-1500kbps"),
                    ("ref-page", "ref-page-text"),
                    ("ref-file", "ref-file-cubic-45mbps"),
                    ("ref-file-quic", "ref-file-quic-bbr"),
                    ("ref-video", "ref-video-4-reno"),
                )
            },
        },
    }
)


def read(path, schema):
    """A CSV file with the columns it has, in the schema's types; an empty field is null unless quoted."""
    options = csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    return csv.read_csv(path, convert_options=options)


def completed(table, schema):
    """The same rows with every column of the schema."""
    columns = [
        table[field.name] if field.name in table.column_names else pa.nulls(len(table), field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_rows_in_rows_out(case, tmp_path):
    table = case.parent.name
    inputs = dict(PARAMETERS.get(table, {}))
    for source in TRIAL_TABLES.get(table, ()):
        if source in INPUT_SCHEMAS:
            inputs[source] = tmp_path / f"{source}.parquet"
            pq.write_table(INPUT_SCHEMAS[source].empty_table(), inputs[source])
    for path in case.glob("*.csv"):
        if path.stem != "expected":
            schema = (
                INPUT_SCHEMAS.get(path.stem)
                or load_schema(re.sub("^(earlier|bess|embedded)_", "", path.stem)).arrow
            )
            inputs[path.stem] = tmp_path / f"{path.stem}.parquet"
            pq.write_table(completed(read(path, schema), schema), inputs[path.stem])
    if (case / "qoe.json").is_file():
        inputs["qoe"] = tmp_path / "qoe.parquet"
        pq.write_table(qoe_table(case / "qoe.json"), inputs["qoe"])
    with connect() as connection:
        add_formulas(connection)
        add_trial_formulas(connection)
        found = build(connection, table, inputs)
    expected = read(case / "expected.csv", load_schema(table).arrow)
    assert expected.num_rows == found.num_rows
    for column in expected.column_names:
        if pa.types.is_floating(expected[column].type):
            assert pytest.approx(expected[column].to_pylist(), nan_ok=True) == found[column].to_pylist(), (
                column
            )
        else:
            assert expected[column].to_pylist() == found[column].to_pylist(), column


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*/*/qoe.json")), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}"
)
def test_what_clients_saw_is_as_drivers_write_it(path):
    for facts in json.loads(path.read_text()).values():
        check(facts, "qoe", lambda keys: path.name)


def test_every_table_has_a_case():
    covered = {case.parent.name for case in CASES}
    assert {path.stem for path in (FOLDER.parent.parent / "scripts/tables").glob("*.sql")} == covered | {
        "summary_macro"
    }
