"""Reads captures with the extraction's modules."""

import pyarrow.parquet as pq
from observatory_capture import Flows

from scripts.base.records import to_json
from scripts.extract.__main__ import main
from scripts.extract.flows import write_flows
from scripts.extract.packets import CaptureRows


def read(path, *clients):
    """The facts about a capture outside a trial, and its packets."""
    capture = CaptureRows(path, Flows(), list(clients))
    rows = [row for batch in capture for row in batch.to_pylist()]
    return to_json(capture.facts()), rows


def read_of_client(path, address):
    """The facts about the capture of a trial's client c1, its packets and its flows."""
    flows = Flows()
    capture = CaptureRows(path, flows, [address], (0, "c1"))
    rows = [row for batch in capture for row in batch.to_pylist()]
    write_flows(path.with_name("flows.parquet"), flows, ["c1"])
    return to_json(capture.facts()), rows, pq.read_table(path.with_name("flows.parquet")).to_pylist()


def run(capfd, *arguments):
    """Run the command: its exit status, standard output and standard error."""
    status = main([str(argument) for argument in arguments])
    printed = capfd.readouterr()
    return status, printed.out, printed.err
