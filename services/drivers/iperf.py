"""Bulk downloads by iperf3: the baseline of a congestion controller alone (Prudentia, Table 1)."""

import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

from services.drivers import ServiceError

PROGRAMS = {"iperf3": "iperf3"}
PORT = 5201


def serve(service: dict[str, Any], address: str, directory: Path) -> None:
    """Become the iperf3 server of this service.

    The probe's port is another than iperf3's, which gives up after five connections that are not its own
    client's. The kernel answers there for as long as this process lives.
    """
    listener = socket.create_server((address, service["probe"]["port"]), backlog=64)
    listener.set_inheritable(True)
    os.execvp("iperf3", ["iperf3", "--server", "--forceflush", "--bind", address, "--port", str(PORT)])


def use(service: dict[str, Any], address: str, seconds: int, directory: Path) -> dict[str, Any]:
    """Download for `seconds` over `flows` connections under the service's congestion control.

    Returns:
        `received_bytes` and `seconds` over all connections, `retransmits` as the sender counted them,
        and `intervals`: [start_s, end_s, received bytes] of every second since the first byte.

    Raises:
        ServiceError: iperf3 failed; its own words.
    """
    command = [
        "iperf3",
        "--client",
        address,
        "--port",
        str(PORT),
        "--reverse",
        "--congestion",
        service["cca"],
        "--parallel",
        str(service.get("flows", 1)),
        "--time",
        str(seconds),
        "--connect-timeout",
        "5000",
        "--json",
    ]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    (directory / "iperf3.json").write_text(done.stdout, encoding="utf-8")
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise ServiceError(f"iperf3 ended with status {done.returncode} and no report") from None
    if "error" in report or done.returncode != 0:
        raise ServiceError(f"iperf3: {report.get('error', f'status {done.returncode}')}")
    end = report["end"]
    return {
        "received_bytes": end["sum_received"]["bytes"],
        "seconds": end["sum_received"]["seconds"],
        "retransmits": end["sum_sent"]["retransmits"],
        "intervals": [
            [part["sum"]["start"], part["sum"]["end"], part["sum"]["bytes"]] for part in report["intervals"]
        ],
    }
