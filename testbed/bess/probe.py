"""Tries a daemon's ports, queue and delay lines with one TCP connection between two hosts.

    python -m testbed.bess.probe ADDRESS

Not for calling by hand: testbed/bess/check.py starts it under unshare(1). Prints what it found; exit status
2 and what is wrong where packets do not come through.
"""

import os
import subprocess
import sys
from pathlib import Path

from scripts.base.errors import UserError, reporting
from testbed.bess.backend import BessBottleneck
from testbed.bess.daemon_settings import ADDRESS
from testbed.bottleneck import BottleneckError, Outside, Port
from testbed.hosts import client_host, make_hosts, service_host
from testbed.sockets import base_rtt_ns, wait_until_listening

LINK = {"rate_mbps": 8, "queue_packets": 128, "discipline": "droptail"}
DELAY_NS = 10_000_000
PORT = 8080
WORK = Path("/run/probe")
LISTEN_TIMEOUT_S = 10


@reporting
def main(argv: list[str]) -> int:
    """Make the hosts, connect them, tell the round-trip time."""
    os.environ[ADDRESS] = argv[0]
    outside = Outside(WORK, os.open("/run", os.O_PATH))
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    (WORK / "logs").mkdir(parents=True)
    try:
        print(_connect(BessBottleneck(LINK, 0, WORK, outside)))
    except (BottleneckError, TimeoutError) as error:
        raise UserError(f"no packets come through the daemon: {error}") from error
    return 0


def _connect(bottleneck: BessBottleneck) -> str:
    client, service = client_host(1), service_host(1)
    make_hosts([(client, service)], bottleneck.make_interface)
    bottleneck.start([Port(client, service, DELAY_NS, DELAY_NS)], queue_log=None)
    with (WORK / "logs/server.log").open("wb") as log:
        service.start(*service.python("http.server", "--bind", service.address, str(PORT)), log=log)
        wait_until_listening(service, PORT, LISTEN_TIMEOUT_S)
    rtt_ms = base_rtt_ns(client, service.address, PORT) / 1e6
    report = bottleneck.stop()
    cores = ", ".join(map(str, report["daemon"]["cores"]))
    return (
        f"{report['daemon']['ports']}; {2 * DELAY_NS / 1e6:g} ms of delay make a round-trip time of "
        f"{rtt_ms:.3f} ms; the daemon polls processor {cores}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
