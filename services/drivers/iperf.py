"""Bulk downloads by iperf3: the baseline of a congestion control alone (Prudentia, Table 1)."""

import json
import os
import socket
import subprocess
from pathlib import Path

from scripts.base.records import Json
from scripts.model.services import Service
from services.drivers import ServiceError

PROGRAMS = {"iperf3": "iperf3"}
PORT = 5201


def serve(service: Service, address: str, directory: Path) -> None:
    """Run the iperf3 server of this service in place of this process.

    The probe uses another port than iperf3, because the iperf3 server gives up after five connections that
    are not from its client. The kernel answers on the probe's port as long as this process lives.
    """
    listener = socket.create_server((address, service.probe.port), backlog=64)
    listener.set_inheritable(True)
    os.execvp("iperf3", ["iperf3", "--server", "--forceflush", "--bind", address, "--port", str(PORT)])


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Download for `seconds` over `flows` connections with the service's congestion control.

    Returns:
        `received_bytes` and `seconds` over all connections, `retransmits` as the sender counted them,
        and `intervals`: [start_s, end_s, received bytes] of every second since the first byte.

    Raises:
        ServiceError: iperf3 failed; the message is iperf3's.
    """
    done = subprocess.run(_command(service, address, seconds), stdout=subprocess.PIPE, text=True, check=False)
    (directory / "iperf3.json").write_text(done.stdout, encoding="utf-8")
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise ServiceError(f"iperf3 ended with status {done.returncode} and without a report") from None
    if "error" in report or done.returncode != 0:
        raise ServiceError(f"iperf3: {report.get('error', f'status {done.returncode}')}")
    end = report["end"]
    sums = [interval["sum"] for interval in report["intervals"]]
    return {
        "received_bytes": end["sum_received"]["bytes"],
        "seconds": end["sum_received"]["seconds"],
        "retransmits": end["sum_sent"]["retransmits"],
        "intervals": [[total["start"], total["end"], total["bytes"]] for total in sums],
    }


def _command(service: Service, address: str, seconds: int) -> list[str]:
    command = ["iperf3", "--client", address, "--port", str(PORT), "--reverse", "--json"]
    command += ["--congestion", str(service.cca), "--parallel", str(service.flows or 1)]
    return [*command, "--time", str(seconds), "--connect-timeout", "5000"]
