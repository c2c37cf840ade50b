"""The drivers' observations (qoe.json, config/schemas/qoe.yaml) as qoe.parquet, one row for each client.

Only the values that the tables read are kept, with the same names and nesting as in qoe.json. An older trial
has no `unmet`, `watched_s` and `censored`: they are null.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.extract.generated_flows import fault_of
from scripts.model.schemas import check

SECONDS, COUNT = pa.float64(), pa.int64()
FLOW_LISTS = (
    *("planned_us", "size_bytes", "group", "started_ns", "connected_ns", "first_ns", "last_ns"),
    *("received_bytes", "retransmissions"),
)

QOE_SCHEMA = pa.schema(
    [
        ("client", pa.string()),
        ("since_ns", pa.int64()),
        ("unmet", pa.string()),
        ("startup_s", SECONDS),
        ("watched_s", SECONDS),
        ("stalls", pa.list_(pa.list_(SECONDS))),
        ("switches", pa.list_(pa.struct([("at_s", SECONDS), ("bitrate_bps", COUNT), ("height", COUNT)]))),
        ("heights", pa.list_(pa.struct([("at_s", SECONDS), ("height", COUNT)]))),
        ("frames", pa.struct([("shown", COUNT), ("dropped", COUNT)])),
        (
            "seconds_of_call",
            pa.list_(
                pa.struct(
                    [
                        ("at_s", SECONDS),
                        ("height", COUNT),
                        ("frames", COUNT),
                        ("dropped", COUNT),
                        ("freezes", COUNT),
                        ("received_bytes", COUNT),
                    ]
                )
            ),
        ),
        (
            "loads",
            pa.list_(
                pa.struct(
                    [
                        ("censored", pa.bool_()),
                        ("visually_complete_s", SECONDS),
                        ("speed_index_s", SECONDS),
                        ("load_event_s", SECONDS),
                        ("requests", COUNT),
                        ("received_bytes", COUNT),
                    ]
                )
            ),
        ),
        ("batches", pa.list_(pa.struct([("start_s", SECONDS), ("chunk_ends_s", pa.list_(SECONDS))]))),
        (
            "flows",
            pa.struct([*((name, pa.list_(COUNT)) for name in FLOW_LISTS), ("rate_limit_mbps", pa.float64())]),
        ),
    ]
)


def qoe_table(path: Path) -> pa.Table:
    """The rows of a trial's clients; none if the file is missing, as in a failed or an old trial.

    Raises:
        UserError: the file is damaged.
    """
    if not path.is_file():
        return QOE_SCHEMA.empty_table()
    rows = [values | {"client": client} for client, values in read_observations(path).items()]
    try:
        return pa.Table.from_pylist(rows, schema=QOE_SCHEMA)
    except (pa.ArrowInvalid, OverflowError) as error:
        raise UserError(f"{path}: a number is too large: {error}; the file is damaged") from error


def read_observations(path: Path) -> dict[str, dict[str, Any]]:
    """The observation of every client. The schema allows no free text, which a page could have written.

    Raises:
        UserError: the file is damaged, or violates config/schemas/qoe.yaml.
    """
    observations = read_json(path)
    for client, observation in observations.items():
        check(observation, "qoe", lambda keys: f"{path}: does not match config/schemas/qoe.yaml")
        if "flows" in observation and (fault := fault_of(observation["flows"])):
            raise UserError(f"{path}: the flows of {client} have {fault}; the file is damaged")
    return observations
