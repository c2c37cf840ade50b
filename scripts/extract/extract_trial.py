"""Extracts one trial directory to clients, packets, flows, queue, senders and qoe.parquet."""

import ipaddress
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from observatory_capture import Flows

from scripts.base.errors import UserError
from scripts.base.files import replacing
from scripts.base.parquet import RowGroupWriter, write_rows
from scripts.base.records import to_json
from scripts.extract import queue_log
from scripts.extract.capture_facts import CaptureEnd
from scripts.extract.clients import clients_table
from scripts.extract.flow_labels import FlowLabels
from scripts.extract.flows import write_flows
from scripts.extract.host_names import names_of
from scripts.extract.packets import CaptureRows, NotACaptureError, packets_writer
from scripts.extract.public_form import PublicForm, public_form
from scripts.extract.qoe_table import QOE_SCHEMA, qoe_table
from scripts.extract.sender_samples import SENDERS_SCHEMA, senders_table
from scripts.extract.trial_files import TABLES as TABLES
from scripts.extract.trial_files import TRIAL_JSON, trial_files
from scripts.extract.trial_json import read_trial
from scripts.model.trial_record import ClientRecord, TrialRecord


@dataclass(frozen=True)
class Observation:
    """A file that a trial may have besides its packets, and the table that is built from it."""

    table: str
    file: str
    read: Callable[[Path, PublicForm], pa.Table]
    schema: pa.Schema


OBSERVATIONS = (
    Observation("senders", "senders.jsonl.zst", senders_table, SENDERS_SCHEMA),
    Observation("qoe", "qoe.json", lambda path, form: qoe_table(path), QOE_SCHEMA),
)


def extract(
    trial_directory: Path,
    output: Path,
    captures: Path | None = None,
    key: Path | None = None,
    config: Path | None = None,
) -> None:
    """Write the six tables of a trial, all or none.

    Args:
        trial_directory: holds trial.json, queue.bin.zst, flows.json, senders.jsonl.zst, qoe.json, the
            captures, and the handshakes or the published names.json.
        output: the folder of the tables.
        captures: the folder of the captures if it is another one (published copies).
        key: the key of the cycle's pseudonyms; a trial with a live service needs it (public_form.py).
        config: the campaign's merged configuration, needed likewise.

    Raises:
        UserError: trial.json, the queue log or a capture is missing or damaged, or a file is a link; the
            message begins with the path of the file.
    """
    for directory in (trial_directory, captures or trial_directory):
        trial_files(directory)
    trial = read_trial(trial_directory / TRIAL_JSON)
    form = public_form(trial, trial_directory, key, config)
    with _all_or_none(output) as paths:
        flows = Flows()
        ends = _write_packets(trial, captures or trial_directory, flows, paths["packets"])
        labels = FlowLabels(trial.clients, names_of(trial_directory, trial.failed, form))
        write_flows(paths["flows"], flows, [client.client for client in trial.clients], labels, form)
        _write_queue(trial, trial_directory, paths["queue"])
        for observation in OBSERVATIONS:
            write_rows(paths[observation.table], _observed(trial, trial_directory, observation, form))
        write_rows(paths["clients"], clients_table(trial, ends, trial_directory / TRIAL_JSON))


@contextmanager
def _all_or_none(output: Path) -> Iterator[dict[str, Path]]:
    """Temporary paths of the tables. The files are renamed together once all of them are complete."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(replacing(output / f"{name}.parquet")) for name in TABLES}


def _write_packets(trial: TrialRecord, captures: Path, flows: Flows, path: Path) -> dict[str, CaptureEnd]:
    """Write packets.parquet, number the flows, and return how the capture of each client ended."""
    with packets_writer(path) as writer:
        ends = {
            client.client: _write_capture(
                trial, number, captures / f"client-{client.client}.pcapng.zst", flows, writer
            )
            for number, client in enumerate(trial.clients)
        }
        writer.add_metadata("captures", to_json(list(ends.values())))
    return ends


def _write_capture(
    trial: TrialRecord, number: int, path: Path, flows: Flows, writer: RowGroupWriter
) -> CaptureEnd:
    """Write the packets of one client. Only a failed trial may have a capture that cannot be read."""
    client = trial.clients[number]
    if not path.is_file() or (trial.failed and client.address is None):
        return CaptureEnd(path.name, client.client, "missing")
    address = _address(client, path.with_name(TRIAL_JSON))
    try:
        rows = CaptureRows(path, flows, [address], (number, client.client))
    except NotACaptureError:
        if not trial.failed:
            raise
        return CaptureEnd(path.name, client.client, "corrupt")
    for batch in rows:
        writer.write(batch)
    return rows.facts()


def _address(client: ClientRecord, path: Path) -> str:
    """The client's IP address; `path` is the file to name in an error."""
    try:
        return str(ipaddress.ip_address(str(client.address)))
    except ValueError as error:
        raise UserError(f"{path}: address of client {client.client}: {error}") from error


def _write_queue(trial: TrialRecord, directory: Path, path: Path) -> None:
    """Write queue.parquet; for a failed trial, the part of the log that can be read."""
    with queue_log.queue_writer(path) as writer:
        try:
            protocols = _protocols(directory / "flows.json")
            queue_log.write_log(directory / "queue.bin.zst", protocols, len(trial.clients), writer)
        except UserError:
            if not trial.failed:
                raise


def _protocols(path: Path) -> list[int]:
    """The IP protocol of each flow in flows.json."""
    try:
        return [int(flow["protocol"]) for flow in json.loads(path.read_text(encoding="utf-8"))]
    except OSError as error:
        raise UserError(f"{path}: cannot be read; a completed trial must have it") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UserError(f"{path}: is not a list of flows: {error}; the file is damaged") from error


def _observed(trial: TrialRecord, directory: Path, observation: Observation, form: PublicForm) -> pa.Table:
    """The table of one observation; for a failed trial with a damaged file, an empty one."""
    try:
        return observation.read(directory / observation.file, form)
    except UserError:
        if not trial.failed:
            raise
        return observation.schema.empty_table()
