"""Rows in, rows out: a folder tests/tables/<table>/<case>/ holds inputs and expected.csv.

The inputs that the cases of a table share are in tests/tables/<table>/base/. A case replaces one of them by
a file of the same name, or changes some of its columns by <name>.changes.csv, row by row. A column that an
input leaves out is null; an extracted input that is left out has no rows. expected.csv names the columns that
are compared. qoe.json is what the clients saw, as the drivers write it.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

from scripts.extract.clients import CLIENTS_SCHEMA
from scripts.extract.flows import FLOWS_SCHEMA
from scripts.extract.packets import PACKETS_SCHEMA
from scripts.extract.qoe_table import QOE_SCHEMA, qoe_table
from scripts.extract.queue_log import QUEUE_SCHEMA
from scripts.extract.sender_samples import SENDERS_SCHEMA
from scripts.model.drivers import check_observation
from scripts.model.expectations import Check, Expectation, FigureKey, Multiple
from scripts.model.settings import ClientPath
from scripts.tables.calibration_table import FACTS_SCHEMA, JUDGED, SIZES
from scripts.tables.database import build, connect
from scripts.tables.formulas import add_formulas, add_trial_formulas
from scripts.tables.parameters import bind_parameters
from scripts.tables.table_schema import FOLDER as TABLES
from scripts.tables.table_schema import load_schema
from tests.tables.built import built, sources_of
from tests.tables.campaigns import DEFAULTS, campaign, catalogued, service, swept

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("*/*/expected.csv"))
EXTRACTED = {
    "clients": CLIENTS_SCHEMA,
    "packets": PACKETS_SCHEMA,
    "queue": QUEUE_SCHEMA,
    "flows": FLOWS_SCHEMA,
    "senders": SENDERS_SCHEMA,
    "qoe": QOE_SCHEMA,
}
ALONE = FigureKey(setting="8mbps", service="flows", metric="slowdown", statistic="maximum")
BESIDE_BBR, BESIDE_RENO, BESIDE_PAGE = (
    replace(ALONE, contender=contender) for contender in ("iperf-bbr", "iperf-reno", "page")
)
RENO, BBR = (
    FigureKey(setting="8mbps", service=service, contender=contender, metric="share")
    for service, contender in (("iperf-reno", "iperf-bbr"), ("iperf-bbr", "iperf-reno"))
)
MODELLED = replace(BBR, metric="link_fraction_error")
IDLE = FigureKey(setting="8mbps", service="iperf-reno", contender="batched", metric="utilization")
DISCIPLINES = ("droptail", "codel")
SHORT = replace(ALONE, size_class="1 to 3 kB", statistic="median")
EXPECTATIONS = (
    Expectation("short-flows", "Short flows take two RTTs.", "a paper", (Check(SHORT, between=(1.9, 2.2)),)),
    Expectation(
        "slow-beside-bbr",
        "BBR delays the flows.",
        "a paper",
        (
            Check(BESIDE_BBR, above=Multiple(ALONE)),
            Check(ALONE, below=Multiple(BESIDE_BBR, 0.5)),
            Check(ALONE, above=5),
        ),
    ),
    Expectation(
        "slow-beside-reno",
        "Reno delays the flows.",
        "a paper",
        (Check(ALONE, below=Multiple(BESIDE_RENO)), Check(BESIDE_PAGE, above=1)),
    ),
    Expectation("half", "Both get half.", "a paper", (Check(RENO, above=0.9), Check(BBR, below=1.1))),
    Expectation("model", "The model holds.", "a paper", (Check(MODELLED, between=(-0.1, 0.1)),)),
    Expectation("idle", "The link is idle.", "a paper", (Check(IDLE, below=0.85),)),
)
CAMPAIGN = campaign(
    service("iperf-bbr"),
    service("iperf-reno", cca="reno"),
    service("iperf-lookalike", category="File transfer"),
    service("video", category="Video", workload=("*.cdn.test", "video.test")),
    service("page", category="Web", metric="web"),
    replace(catalogued("ref-call-1500kbps"), name="ref-call"),
    replace(catalogued("ref-page-text"), name="ref-page"),
    replace(catalogued("ref-file-cubic-45mbps"), name="ref-file"),
    replace(catalogued("ref-file-quic-bbr"), name="ref-file-quic"),
    replace(catalogued("ref-video-4-reno"), name="ref-video"),
    service("flows", category="Flows", metric="completion", driver="flows"),
    replace(catalogued("ref-file-batched-5-bbr"), name="batched"),
    replace(catalogued("iperf-bbr-5"), name="five"),
    precision_mbps={"8mbps": 0.5, "20mbps": 2.5},
    validity=DEFAULTS | {"longest_stall_rtt": 0.2},
    expectations=EXPECTATIONS,
)
CAMPAIGN = replace(
    CAMPAIGN, settings={**CAMPAIGN.settings, **swept("link", rtt_ms=(50, 10), discipline=DISCIPLINES)}
)
CAMPAIGN = replace(CAMPAIGN, hosts_set_aside=("node-9",))
SECOND_FIRST = replace(CAMPAIGN.settings["20mbps"], clients=(ClientPath(start_s=5), ClientPath()))
CAMPAIGN = replace(CAMPAIGN, settings=CAMPAIGN.settings | {"20mbps": SECOND_FIRST})
CALIBRATION = SIZES | {
    "rules": JUDGED,
    "rate_error_fraction": 0.001,
    "capacity_error_packets": 0,
    "empty_queue_loss_packets": 0,
    "delay_error_p50_ms": 0.05,
    "delay_error_p99_ms": 0.3,
    "sender_late_p99_ms": 1.0,
}


def schema_of(source):
    """The columns of an input, which may be a table of another cycle."""
    if source in EXTRACTED or source == "facts":
        return EXTRACTED.get(source, FACTS_SCHEMA)
    return load_schema(re.sub("^(earlier|bess|embedded)_", "", source)).arrow


def read(path, schema):
    """The columns that a CSV file has, in the schema's types; an empty field is null unless quoted."""
    options = csv.ConvertOptions(
        column_types=schema, strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    return csv.read_csv(path, convert_options=options)


def rows_of(case, source):
    """The rows of an input of a case, with every column of its schema."""
    schema = schema_of(source)
    case_file, base_file = case / f"{source}.csv", case.parent / f"base/{source}.csv"
    if (case / "qoe.json").is_file() and source == "qoe":
        return qoe_table(case / "qoe.json")
    if source in EXTRACTED and not case_file.is_file() and not base_file.is_file():
        return schema.empty_table()
    rows = read(case_file if case_file.is_file() else base_file, schema)
    columns = dict(zip(rows.column_names, rows.columns, strict=True))
    if (changes := case / f"{source}.changes.csv").is_file():
        changed = read(changes, schema)
        columns |= dict(zip(changed.column_names, changed.columns, strict=True))
    complete = [columns.get(field.name, pa.nulls(rows.num_rows, field.type)) for field in schema]
    return pa.table(complete, schema=schema)


def is_given(case, source):
    """Whether a case has an input, of its own or with the other cases of its table."""
    return any((place / f"{source}.csv").is_file() for place in (case, case.parent / "base"))


def keys_of(rows, columns):
    """What these columns have in each row."""
    return {*zip(*(rows[name].to_pylist() for name in columns), strict=True)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_rows_in_rows_out(case, tmp_path):
    table = case.parent.name
    schema = load_schema(table)
    if schema.level == "cycle":
        given = {source: rows_of(case, source) for source in sources_of(table) if is_given(case, source)}
        found = built(table, given, tmp_path, CAMPAIGN)
    else:
        inputs = CALIBRATION if table == "calibration" else bind_parameters(schema.parameters, CAMPAIGN)
        for source in schema.sources:
            inputs = inputs | {source: tmp_path / f"{source}.parquet"}
            pq.write_table(rows_of(case, source), inputs[source])
        with connect() as connection:
            add_trial_formulas(connection) if schema.level == "trial" else add_formulas(connection)
            found = build(connection, table, inputs)
    expected = read(case / "expected.csv", schema.arrow)
    known = [name for name in schema.key if name in expected.column_names]
    missing = keys_of(found, known) - keys_of(expected, known)
    assert not missing, f"expected.csv lacks {sorted(missing, key=str)}"
    assert expected.num_rows == found.num_rows
    for column in expected.column_names:
        if pa.types.is_floating(expected[column].type):
            assert pytest.approx(expected[column].to_pylist(), nan_ok=True) == found[column].to_pylist(), (
                column
            )
        else:
            assert expected[column].to_pylist() == found[column].to_pylist(), column


def test_every_file_of_a_case_is_used():
    for path in FOLDER.glob("*/*/*.*"):
        source = path.name.split(".")[0]
        assert source in {"expected", *sources_of(path.parts[-3])}, path
        base = path.parents[1] / "base" / f"{source}.csv"
        assert not path.name.endswith(".changes.csv") or base.is_file(), path


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*/*/qoe.json")), ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}"
)
def test_qoe_files_have_the_form_that_drivers_write(path):
    for facts in json.loads(path.read_text()).values():
        check_observation(facts, path.name)


def test_every_table_has_a_case():
    covered = {case.parent.name for case in CASES}
    assert {path.stem for path in TABLES.glob("*.sql")} == covered | {"macros"}
