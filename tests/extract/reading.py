"""Captures read by the extraction's own parts, for the tests to look at."""

import pyarrow.parquet as pq
from observatory_capture import Flows

from scripts.extract.__main__ import main
from scripts.extract.flows import write_flows
from scripts.extract.packets import CaptureRows


def read(path, *clients):
    """What was found in anyone's capture, and its packets."""
    capture = CaptureRows(path, Flows(), list(clients))
    rows = [row for batch in capture for row in batch.to_pylist()]
    return capture.facts(), rows


def read_of_client(path, address):
    """What was found in the capture of a trial's client c1, its packets and its flows."""
    flows = Flows()
    capture = CaptureRows(path, flows, [address], (0, "c1"))
    rows = [row for batch in capture for row in batch.to_pylist()]
    write_flows(path.with_name("flows.parquet"), flows, ["c1"])
    return capture.facts(), rows, pq.read_table(path.with_name("flows.parquet")).to_pylist()


def run(capsys, *arguments):
    """Exit status, output and errors of the command."""
    status = main([str(argument) for argument in arguments])
    told = capsys.readouterr()
    return status, told.out, told.err
