"""The switch between two hosts, stopped for a moment by SIGSTOP, with or without UDP at 500 Mbps meanwhile.

    python -m tests.end_to_end.stalled_switch PACKETS STALL_S

runs in namespaces of its own (`measure`) and prints the switch's report, and what the devices counted.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from scripts.base.records import from_json, to_json
from scripts.model.settings import Link
from scripts.model.trial_record import Devices
from testbed.bottleneck import Port
from testbed.devices import devices_since, read_devices
from testbed.embedded.backend import EmbeddedBottleneck
from testbed.hosts import Host, client_host, make_hosts, service_host
from testbed.namespaces import network_namespace

LINK = Link(title="fast", rate_mbps=1000, rtt_ms=10, queue_packets=20_000, discipline="droptail")
PAYLOAD_BYTES = 1472
DISCARD_PORT = 9
SETTLE_S = 0.2


def measure(packets: int, stall_s: float) -> tuple[dict, Devices]:
    """The switch's report, and the devices' counters, of one run of `main` in namespaces of its own."""
    command = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"]
    command += [*(() if os.geteuid() == 0 else ("--map-root-user",)), sys.executable, "-m", __name__]
    done = subprocess.run([*command, str(packets), str(stall_s)], check=True, stdout=subprocess.PIPE)
    result = json.loads(done.stdout)
    return result["report"], from_json(Devices, result["devices"], "the devices")


def main(packets: int, stall_s: float) -> None:
    """Stop the switch, send `packets` to the client, and let it go on after `stall_s`."""
    work = Path("/run/stall")
    (work / "logs").mkdir(parents=True)
    client, service = client_host(1), service_host(1)
    switch = EmbeddedBottleneck(LINK, 1, work)
    make_hosts([(client, service)], switch.make_interface)
    switch.start([Port(client, service, 5_000_000, 5_000_000)], log_queue=False)
    before = read_devices(client, service)
    time.sleep(SETTLE_S)
    (process,) = psutil.Process().children()
    _stall(process, client, service, packets, stall_s)
    time.sleep(SETTLE_S)
    devices = devices_since(before, read_devices(client, service))
    json.dump({"report": switch.stop(), "devices": to_json(devices)}, sys.stdout)


def _stall(process: psutil.Process, client: Host, service: Host, packets: int, stall_s: float) -> None:
    process.suspend()
    until_s = time.monotonic() + stall_s
    with network_namespace(service.netns), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(packets):
            sender.sendto(bytes(PAYLOAD_BYTES), (client.address, DISCARD_PORT))
    time.sleep(max(0.0, until_s - time.monotonic()))
    process.resume()


if __name__ == "__main__":
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    main(int(sys.argv[1]), float(sys.argv[2]))
