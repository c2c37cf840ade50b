"""The table `calibration`, of one calibration trial or of a cycle."""

import tempfile
from dataclasses import dataclass, fields
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scripts.base.files import read_json
from scripts.base.parquet import write_rows
from scripts.base.records import Number, from_json, read_record
from scripts.model.campaign import Calibration, read_campaign
from scripts.model.rules import FAULT, NOT_JUDGED, RULES
from scripts.model.settings import Link
from scripts.model.specification import CalibrationRound
from scripts.plan.calibration import FLOOD_BYTES, PROBE_BYTES
from scripts.tables.database import build, connect
from scripts.tables.output import write_table
from scripts.tables.table_schema import load_schema
from scripts.tables.trial_tables import build_trial

TABLE = "calibration"
SIZES = {"probe_bytes": PROBE_BYTES, "flood_bytes": list(FLOOD_BYTES)}
JUDGED = [
    {"rule": name, "place": place, "warning": None if rule.calibration == FAULT else rule.calibration}
    for place, (name, rule) in enumerate(RULES.items())
    if rule.calibration != NOT_JUDGED
]
"""The rules of validity that are faults or warnings here, in the order of the warnings."""

FACTS_SCHEMA = pa.schema(
    [
        ("round", pa.int32()),
        ("random_loss", pa.float64()),
        ("flow_fraction", pa.float64()),
        ("probes_sent", pa.int32()),
        ("late_p50_us", pa.float64()),
        ("late_p99_us", pa.float64()),
        ("late_max_us", pa.float64()),
    ]
)


@dataclass(frozen=True)
class CalibrationTrial:
    """The part of a calibration's trial.json that is read here."""

    calibration: CalibrationRound
    link: Link


@dataclass(frozen=True)
class SenderReport:
    """What the sender reports in qoe.json: probes sent, and its own lateness. None if the trial failed."""

    probes_sent: int | None = None
    late_p50_us: Number | None = None
    late_p99_us: Number | None = None
    late_max_us: Number | None = None


def build_calibration(trial: Path, parquet: Path, output: Path, config: Path) -> dict[str, object]:
    """Write the tables of one calibration trial, and calibration.parquet.

    Returns:
        Its row.

    Raises:
        UserError: an input is missing, or the configuration lacks a tolerance.
    """
    inputs = SIZES | {"rules": JUDGED} | _tolerances(read_campaign(config).calibration)
    inputs |= {name: parquet / f"{name}.parquet" for name in ("clients", "packets", "queue")}
    build_trial(parquet, output, config)
    with tempfile.TemporaryDirectory() as scratch, connect() as connection:
        inputs |= {"validity": output / "validity.parquet", "facts": Path(scratch, "facts.parquet")}
        write_rows(Path(scratch, "facts.parquet"), facts(trial))
        rows = build(connection, TABLE, inputs)
    write_table([rows], TABLE, output, with_csv=False)
    return dict(rows.to_pylist()[0])


def facts(trial: Path) -> pa.Table:
    """The facts that neither the log nor the capture holds.

    These are the round, the link's random loss, the fraction of the queue that a flow may hold, and what the
    sender reported.
    """
    record = read_calibration(trial)
    qoe = trial / "qoe.json"
    reports = from_json(dict[str, SenderReport], read_json(qoe), str(qoe)) if qoe.is_file() else {}
    row = vars(reports.get("c1", SenderReport())) | {
        "round": record.calibration.round,
        "random_loss": record.link.random_loss,
        "flow_fraction": record.link.discipline_options.get("flow_fraction"),
    }
    return pa.Table.from_pylist([row], schema=FACTS_SCHEMA)


def read_calibration(trial: Path) -> CalibrationTrial:
    """Read trial.json of a calibration trial.

    Raises:
        UserError: it cannot be read, or it is not that of a calibration.
    """
    return read_record(CalibrationTrial, trial / "trial.json")


def _tolerances(calibration: Calibration) -> dict[str, object]:
    names = (field.name for field in fields(Calibration) if field.name != "service")
    return {name: getattr(calibration, name) for name in names}


def join_calibrations(folders: list[Path], output: Path) -> None:
    """Write the cycle's table from the folders of its calibration trials' rows, in the order of its key.

    A cycle without calibrations has a table without rows.
    """
    schema = load_schema(TABLE).arrow
    parts = [pq.read_table(folder / f"{TABLE}.parquet", partitioning=None) for folder in folders]
    rows = pa.concat_tables([schema.empty_table(), *parts])
    order = [("setting", "ascending"), ("trial", "ascending")]
    write_table([rows.sort_by(order)], TABLE, output, with_csv=True)
