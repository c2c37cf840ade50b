"""The drivers' observations (qoe.json) as qoe.parquet, one row for each client.

The columns have the names and the nesting of qoe.json. Values that no table reads are left out (`stored` in
services/drivers/*.yaml). An older trial has no `unmet`, `watched_s` and `censored`: they are null.

The lists of generated flows belong together, which the schema cannot say. So they are checked here.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.model.drivers import check_observation, observation_schema


def _type_of(schema: Mapping[str, Any]) -> pa.DataType:
    """The type of a column for values with this JSON Schema."""
    if "$ref" in schema:
        return _type_of(observation_schema()["$defs"][schema["$ref"].rpartition("/")[2]])
    kinds = schema["type"]
    kind = kinds if isinstance(kinds, str) else next(kind for kind in kinds if kind != "null")
    if kind == "array":
        return pa.list_(_type_of(schema["items"]))
    return pa.struct(_columns(schema["properties"])) if kind == "object" else _TYPES[kind]


def _columns(properties: Mapping[str, Any]) -> list[tuple[str, pa.DataType]]:
    return [(key, _type_of(schema)) for key, schema in properties.items() if schema.get("stored", True)]


_TYPES = {"string": pa.string(), "number": pa.float64(), "integer": pa.int64(), "boolean": pa.bool_()}

QOE_SCHEMA = pa.schema([("client", pa.string()), *_columns(observation_schema()["properties"])])


def qoe_table(path: Path) -> pa.Table:
    """The rows of a trial's clients; none if the file is missing, as in a failed trial.

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
    """The observation of every client.

    Raises:
        UserError: the file is damaged, or does not match services/drivers/*.yaml.
    """
    observations = read_json(path)
    for client, observation in observations.items():
        check_observation(observation, f"{path}: does not match services/drivers/*.yaml")
        if "flows" in observation and (fault := fault_of(observation["flows"])):
            raise UserError(f"{path}: the flows of {client} have {fault}; the file is damaged")
    return observations


STEPS = ("started_ns", "connected_ns", "first_ns", "last_ns")
"""The times of a flow in their order. A flow that did not reach a step has none of the later times."""


def fault_of(flows: Mapping[str, Any]) -> str | None:
    """What is wrong with an observation `flows` that matches its schema; None if nothing is."""
    lists = {name: values for name, values in flows.items() if isinstance(values, list)}
    if len({len(values) for values in lists.values()}) > 1:
        return "lists of different length"
    if any(later < earlier for name in ("planned_us", "group") for earlier, later in pairwise(lists[name])):
        return "flows out of order"
    every = zip(*(lists[name] for name in STEPS), strict=True)
    if not all(_in_order(times) for times in every):
        return "times of a flow that are out of order"
    sizes = zip(lists["size_bytes"], lists["received_bytes"], lists["last_ns"], strict=True)
    if any(received > size or (received == size) != (last is not None) for size, received, last in sizes):
        return "a flow whose bytes and whose end disagree"
    return None


def _in_order(times: Sequence[int | None]) -> bool:
    """Whether no time is before the one of an earlier step, and no step was left out."""
    reached = [time for time in times if time is not None]
    return list(times[: len(reached)]) == reached == sorted(reached)
