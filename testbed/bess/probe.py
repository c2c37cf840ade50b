"""Tests a daemon's ports, queue and delay lines by TCP connects between two hosts.

    python -m testbed.bess.probe ADDRESS

is internal: testbed/bess/check.py starts it by unshare(1). It prints what it found. If no packets come
through, it prints the error and exits with status 2.
"""

import os
import subprocess
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.model.settings import Link
from testbed.bess.backend import BessBottleneck
from testbed.bess.daemon_settings import ADDRESS
from testbed.bottleneck import BottleneckError, MachineFolders, Port
from testbed.hosts import client_host, make_hosts, service_host
from testbed.logged_process import LoggedProcess
from testbed.tcp_probes import base_rtt_ns, wait_until_listening

LINK = Link(title="Probe", rate_mbps=8, rtt_ms=20, queue_packets=128, discipline="droptail")
DELAY_NS = 10_000_000
PORT = 8080
WORK = Path("/run/probe")
LISTEN_TIMEOUT_S = 10


@reporting
def main(argv: list[str] | None = None) -> int:
    """Connect two hosts and print the round-trip time; see the module's docstring."""
    parser = parser_of("testbed.bess.probe", __doc__)
    parser.add_argument("address", help="the daemon's address")
    os.environ[ADDRESS] = parser.parse_args(argv).address
    folders = MachineFolders(WORK, os.open("/run", os.O_PATH))
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    WORK.mkdir()
    try:
        print(_probe(BessBottleneck(LINK, 0, folders)))
    except (BottleneckError, TimeoutError) as error:
        raise UserError(f"no packets come through the daemon: {error}") from error
    return 0


def _probe(bottleneck: BessBottleneck) -> str:
    client, service = client_host(1), service_host(1)
    make_hosts([(client, service)], bottleneck.make_interface)
    bottleneck.start([Port(client, service, DELAY_NS, DELAY_NS)], log_queue=False)
    command = service.python("http.server", "--bind", service.address, str(PORT))
    LoggedProcess(service, command, WORK / "server.log")
    wait_until_listening(service, PORT, LISTEN_TIMEOUT_S)
    rtt_ms = base_rtt_ns(client, service.address, PORT) / 1e6
    bottleneck.stop()
    cores = ", ".join(map(str, bottleneck.cores))
    return (
        f"{bottleneck.port_kind}; with {2 * DELAY_NS / 1e6:g} ms of delay the round-trip time is "
        f"{rtt_ms:.3f} ms; the daemon polls processor {cores}"
    )


if __name__ == "__main__":
    sys.exit(main())
