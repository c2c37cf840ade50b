"""One trial directory to clients, packets, flows, queue, senders and qoe.parquet."""

import ipaddress
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from observatory_capture import Flows

from scripts.base.errors import UserError
from scripts.base.files import replacing
from scripts.base.parquet import RowGroupWriter, write_rows
from scripts.extract import queue_log
from scripts.extract.clients import clients_table, read_trial
from scripts.extract.flow_labels import Labels
from scripts.extract.flows import write_flows
from scripts.extract.host_names import names_of
from scripts.extract.packets import CaptureRows, Facts, NotACaptureError, packets_writer
from scripts.extract.qoe_table import QOE_SCHEMA, qoe_table
from scripts.extract.sender_samples import SENDERS_SCHEMA, senders_table

TABLES = ("packets", "flows", "queue", "clients", "senders", "qoe")

# Tables of what a trial may have observed beside its packets: the file of each, its reader and its columns.
OBSERVED = (
    ("senders", "senders.jsonl.zst", senders_table, SENDERS_SCHEMA),
    ("qoe", "qoe.json", qoe_table, QOE_SCHEMA),
)


def extract(trial_directory: Path, output: Path, captures: Path | None = None) -> None:
    """Write the six tables of a trial, all or none.

    Args:
        trial_directory: holds trial.json, queue.bin.zst, flows.json, senders.jsonl.zst, qoe.json, the
            captures, and the handshakes or what was published of them.
        output: the folder the tables appear in.
        captures: where the captures are, if not in the trial's directory (published copies).

    Raises:
        UserError: trial.json, the log or a capture is not what it should be; the message names the file.
    """
    trial = read_trial(trial_directory / "trial.json")
    with _all_or_none(output) as paths:
        flows = Flows()
        facts = _write_packets(trial, captures or trial_directory, flows, paths["packets"])
        names = names_of(trial_directory, failed=trial["status"] == "failed")
        write_flows(paths["flows"], flows, list(_names(trial)), Labels(trial["clients"], names))
        _write_queue(trial, trial_directory, paths["queue"])
        for name, file, read, schema in OBSERVED:
            write_rows(paths[name], _observed(trial, trial_directory / file, read, schema))
        write_rows(paths["clients"], clients_table(trial, facts, trial_directory / "trial.json"))


@contextmanager
def _all_or_none(output: Path) -> Iterator[dict[str, Path]]:
    """Temporary paths of the tables, renamed together once every one of them is complete."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(replacing(output / f"{name}.parquet")) for name in TABLES}


def _write_packets(trial: dict[str, Any], captures: Path, flows: Flows, path: Path) -> dict[str, Facts]:
    """Write packets.parquet and learn the flows; tell what was found in each client's capture."""
    with packets_writer(path) as writer:
        facts = {
            name: _write_capture(trial, number, captures / f"client-{name}.pcapng.zst", flows, writer)
            for number, name in enumerate(_names(trial))
        }
        writer.remark("captures", list(facts.values()))
    return facts


def _observed(
    trial: dict[str, Any], path: Path, read: Callable[[Path], pa.Table], schema: pa.Schema
) -> pa.Table:
    """The rows of a file; of a failed trial, none where it is damaged."""
    try:
        return read(path)
    except UserError:
        if trial["status"] == "completed":
            raise
        return schema.empty_table()


def _names(trial: dict[str, Any]) -> list[str]:
    return [str(client.get("client")) for client in trial["clients"]]


def _write_capture(
    trial: dict[str, Any], number: int, path: Path, flows: Flows, writer: RowGroupWriter
) -> Facts:
    """Add one client's packets; a failed trial may have left anything, a completed one a readable capture."""
    client = trial["clients"][number]
    name, address = str(client.get("client")), client.get("address")
    failed = trial["status"] == "failed"
    if not path.is_file() or (failed and address is None):
        return {"capture": path.name, "client": name, "status": "missing"}
    try:
        ipaddress.ip_address(str(address))
    except ValueError as error:
        raise UserError(f"{path.with_name('trial.json')}: address of client {name}: {error}") from error
    try:
        rows = CaptureRows(path, flows, [str(address)], (number, name))
    except NotACaptureError:
        if not failed:
            raise
        return {"capture": path.name, "client": name, "status": "corrupt"}
    for batch in rows:
        writer.write(batch)
    return rows.facts()


def _write_queue(trial: dict[str, Any], directory: Path, path: Path) -> None:
    """Write queue.parquet; of a failed trial, as much of a log as it left."""
    log, flows = directory / "queue.bin.zst", directory / "flows.json"
    with queue_log.queue_writer(path) as writer:
        try:
            queue_log.write_log(log, _protocols(flows), len(trial["clients"]), writer)
        except UserError:
            if trial["status"] == "completed":
                raise


def _protocols(path: Path) -> list[int]:
    """The IP protocol of each flow of flows.json."""
    try:
        return [int(flow["protocol"]) for flow in json.loads(path.read_text(encoding="utf-8"))]
    except OSError as error:
        raise UserError(f"{path}: cannot be read; a completed trial must have it") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(f"{path}: is no list of flows: {error}") from error
