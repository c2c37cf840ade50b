"""One trial directory to clients, packets, flows, queue and senders.parquet."""

import ipaddress
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from scripts.errors import UserError
from scripts.extract import packets, queue_log
from scripts.extract.clients import clients_table, read_trial
from scripts.extract.flows import FlowTable
from scripts.extract.parquet import RowGroupWriter, write_rows
from scripts.extract.pcapng import CaptureError
from scripts.extract.senders import senders_table
from scripts.files import replacing

TABLES = ("packets", "flows", "queue", "clients", "senders")


def extract(trial_directory: Path, output: Path, captures: Path | None = None) -> None:
    """Write the five tables of a trial, all or none.

    Args:
        trial_directory: holds trial.json, queue.bin.zst, flows.json, senders.jsonl.zst and the captures.
        output: the folder the tables appear in.
        captures: where the captures are, if not in the trial's directory (published copies).

    Raises:
        UserError: trial.json, the log or a capture is not what it should be; the message names the file.
    """
    trial = read_trial(trial_directory / "trial.json")
    with _all_or_none(output) as paths:
        statuses = _write_packets(trial, captures or trial_directory, paths)
        _write_queue(trial, trial_directory, paths["queue"])
        write_rows(paths["senders"], senders_table(trial_directory / "senders.jsonl.zst"))
        write_rows(paths["clients"], clients_table(trial, statuses, trial_directory / "trial.json"))


@contextmanager
def _all_or_none(output: Path) -> Iterator[dict[str, Path]]:
    """Temporary paths of the tables, renamed together once every one of them is complete."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(replacing(output / f"{name}.parquet")) for name in TABLES}


def _write_packets(trial: dict[str, Any], captures: Path, paths: dict[str, Path]) -> dict[str, str]:
    """Write packets.parquet and flows.parquet; tell how each client's capture ended."""
    flows = FlowTable()
    statuses = {}
    with RowGroupWriter(paths["packets"], packets.PACKETS_SCHEMA, packets.COUNTERS) as writer:
        for client in trial["clients"]:
            statuses[str(client.get("client"))] = _write_capture(trial, client, captures, flows, writer)
    write_rows(paths["flows"], flows.table())
    return statuses


def _write_capture(
    trial: dict[str, Any], client: dict[str, Any], captures: Path, flows: FlowTable, writer: RowGroupWriter
) -> str:
    """Add one client's packets; a failed trial may have left anything, a completed one a readable capture."""
    name, address = str(client.get("client")), str(client.get("address"))
    path = captures / f"client-{name}.pcapng.zst"
    failed = trial["status"] == "failed"
    if not path.is_file() or (failed and client.get("address") is None):
        return "missing"
    try:
        ipaddress.IPv4Address(address)
    except ValueError as error:
        raise UserError(f"{captures / 'trial.json'}: address of client {name}: {error}") from error
    try:
        return packets.write_capture(path, name, address, flows, writer)
    except CaptureError:
        if not failed:
            raise
        return "corrupt"


def _write_queue(trial: dict[str, Any], directory: Path, path: Path) -> None:
    """Write queue.parquet; of a failed trial, as much of a log as it left."""
    log, flows = directory / "queue.bin.zst", directory / "flows.json"
    with RowGroupWriter(path, queue_log.QUEUE_SCHEMA, queue_log.COUNTERS) as writer:
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
