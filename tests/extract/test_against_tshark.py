"""A real capture of real traffic, read by tshark and by us."""

import shutil
import socket
import subprocess
import threading
import time

import pyarrow.parquet as pq
import pytest

from scripts.extract.flows import FlowTable
from scripts.extract.packets import COUNTERS, PACKETS_SCHEMA, write_capture
from scripts.extract.parquet import RowGroupWriter
from scripts.extract.publish import publish

FIELDS = {
    "time_ns": "frame.time_epoch",
    "frame_bytes": "frame.len",
    "ip_bytes": "ip.len",
    "protocol": "ip.proto",
    "source_port": "tcp.srcport",
    "destination_port": "tcp.dstport",
    "tcp_seq": "tcp.seq_raw",
    "tcp_ack": "tcp.ack_raw",
    "tcp_flags": "tcp.flags",
    "payload_bytes": "tcp.len",
}
UDP_FIELDS = {"source_port": "udp.srcport", "destination_port": "udp.dstport", "payload_bytes": "udp.length"}


def number(field, text):
    """A field of tshark as an integer."""
    if field == "time_ns":
        seconds, fraction = text.split(".")
        return int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
    return int(text, 0)


def tshark_rows(path):
    """What tshark reads, with the names of packets.parquet; an outer header only."""
    columns = list(FIELDS.values()) + list(UDP_FIELDS.values())
    command = ["tshark", "-n", "-r", str(path), "-T", "fields", "-E", "separator=;", "-E", "occurrence=f"]
    for column in columns:
        command += ["-e", column]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        values = dict(zip(columns, line.split(";"), strict=True))
        row = {
            name: number(name, values[column]) if values[column] else None for name, column in FIELDS.items()
        }
        if row["protocol"] == 17:
            row |= {name: number(name, values[column]) for name, column in UDP_FIELDS.items()}
            row["payload_bytes"] -= 8
        yield row


def talk():
    """Some TCP and UDP over loopback from 127.0.0.1, our client, to 127.0.0.9."""
    with socket.create_server(("127.0.0.9", 0)) as server:

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"x" * 300_000)

        thread = threading.Thread(target=answer)
        thread.start()
        with socket.create_connection(server.getsockname(), source_address=("127.0.0.1", 0)) as client:
            client.sendall(b"GET")
            while client.recv(65536):
                pass
        thread.join()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.bind(("127.0.0.1", 0))
        for size in (0, 1, 1000):
            datagrams.sendto(b"y" * size, ("127.0.0.9", 9))


@pytest.fixture(scope="module")
def capture(tmp_path_factory):
    """A capture by dumpcap with snaplen 128 and nanoseconds where it can."""
    if not (shutil.which("dumpcap") and shutil.which("tshark")):
        pytest.skip("needs dumpcap and tshark")
    path = tmp_path_factory.mktemp("capture") / "loopback.pcapng"
    command = [
        "dumpcap",
        "-i",
        "lo",
        "-f",
        "host 127.0.0.9",
        "-s",
        "128",
        "-a",
        "duration:20",
        "-w",
        str(path),
    ]
    recorder = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    heard = []
    for line in recorder.stderr:
        heard.append(line)
        if line.startswith("File:"):
            break
    if recorder.poll() is not None:
        pytest.skip(f"dumpcap may not capture here: {''.join(heard)}")
    talk()
    time.sleep(1)
    recorder.terminate()
    recorder.communicate()
    return path


def our_rows(path, out):
    flows = FlowTable()
    with RowGroupWriter(out, PACKETS_SCHEMA, COUNTERS) as writer:
        status = write_capture(path, "c1", "127.0.0.1", flows, writer)
    return status, pq.read_table(out).to_pylist(), flows.table().to_pylist()


def test_every_column_equals_tshark(capture, tmp_path):
    status, rows, flows = our_rows(capture, tmp_path / "packets.parquet")
    assert status == "ok"
    assert list(tshark_rows(capture)) == [{name: row[name] for name in FIELDS} for row in rows]
    assert sum(row["payload_bytes"] or 0 for row in rows if row["direction"] == "down") >= 300_000
    assert {"up", "down"} == {row["direction"] for row in rows}
    assert {"127.0.0.9"} == {flow["source"] for flow in flows}


def test_tshark_reads_the_published_copy_the_same(capture, tmp_path):
    publish(capture, tmp_path / "public.pcapng.zst")
    assert list(tshark_rows(capture)) == list(tshark_rows(tmp_path / "public.pcapng.zst"))
    information = subprocess.run(
        ["capinfos", "-M", str(tmp_path / "public.pcapng.zst")], capture_output=True, text=True, check=True
    ).stdout
    assert "Dumpcap" not in information
