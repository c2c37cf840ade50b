"""A capture of handshakes under a flood of packets that look like QUIC, and a TLS handshake after it.

    unshare --mount --net --pid --fork --kill-child --mount-proc \
        python -m tests.testbed.handshake_flood DIRECTORY PORTS MEGABYTES

The client receives and sends the flood between PORTS of its own ports and one of the server's. Then it sends
a ClientHello for the name `after.test`, in two segments. It writes handshakes.pcapng and counts.json.
"""

import json
import socket
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

from testbed.capture import SETTLE_S, capture_handshakes
from tests.extract.browsing import CLIENT, ORIGIN, make_link
from tests.extract.messages import client_hello

LONG_HEADER = b"\xc3" + bytes(1199)
PACKETS_A_MEGABYTE = 834
TLS = 8443


def flood(ports: int, megabytes: int) -> None:
    """In the client's namespace: send the flood and the ClientHello."""
    senders = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(ports)]
    for number in range(megabytes * PACKETS_A_MEGABYTE):
        senders[number % ports].sendto(LONG_HEADER, (ORIGIN.address, 443))
        if number % 500 == 0:
            time.sleep(0.02)  # The kernel's buffer of the capture is 16 MiB.
    hello = client_hello("after.test")
    with socket.create_connection((ORIGIN.address, TLS)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(hello[:1000])
        time.sleep(0.1)
        connection.sendall(hello[1000:])
        time.sleep(0.1)


def main(directory: Path, ports: str, megabytes: str) -> None:
    """Connect client and server, capture, and flood."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    make_link()
    listen = (
        f"import socket, time; taken = socket.create_server(('{ORIGIN.address}', {TLS})); time.sleep(600)"
    )
    with (directory / "server.log").open("wb") as log:
        server = ORIGIN.start(sys.executable, "-c", listen, log=log)
    capture = capture_handshakes(CLIENT, directory / "handshakes.pcapng", directory / "dumpcap.log")
    capture.wait_until_capturing()
    CLIENT.output(*CLIENT.python("tests.testbed.handshake_flood", "flood", ports, megabytes))
    time.sleep(SETTLE_S)
    counts = capture.stop_and_count()
    (directory / "counts.json").write_text(json.dumps(asdict(counts)))
    server.kill()


if __name__ == "__main__":
    if sys.argv[1] == "flood":
        flood(int(sys.argv[2]), int(sys.argv[3]))
    else:
        main(Path(sys.argv[1]), *sys.argv[2:])
