"""Traffic of many kinds between two network namespaces, captured by dumpcap on the client's side.

    unshare --net python -m tests.extract.mixed_traffic OUT.pcapng

It contains three congestion controls over IPv4 and IPv6 through a short queue, DNS, the beginning of TLS,
datagrams that look like QUIC, fragments, and frames that no socket sends: tagged ones, ones with extension
headers, and ones without IP. The namespaces and all processes end with this process.
"""

import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.extract.synthetic import ethernet, ipv4, tcp, udp

CLIENT, SERVICE = "198.18.1.2", "198.18.1.10"
CLIENT6, SERVICE6 = "fd00::2", "fd00::a"
DOWNLOAD, TLS, QUIC, DNS = 5201, 443, 443, 53
DOWNLOAD_BYTES = 400_000
FLOWS = [(SERVICE, "bbr"), (SERVICE, "cubic"), (SERVICE, "reno"), (SERVICE6, "cubic"), (SERVICE6, "bbr")]
QUERY = b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x07example\x04test\x00\x00\x01\x00\x01"
ANSWER = (
    b"\x12\x34\x81\x80\x00\x01\x00\x01"
    + QUERY[8:]
    + b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc6\x12\x01\x0a"
)
# An Initial packet of version 1 (RFC 9000, 17.2.2) with connection identifiers of 8 and 0 bytes.
LONG_HEADER = b"\xc3\x00\x00\x00\x01\x08" + bytes(8) + b"\x00\x00\x44\x90" + bytes(1160)
SHORT_HEADER = b"\x43" + bytes(range(60))
TOO_LONG = LONG_HEADER[:1] + bytes(3999)
SACK = b"\x01\x01" + struct.pack(">BB4I", 5, 18, 100, 200, 300, 4_294_967_295)


def command(*arguments):
    subprocess.run([str(argument) for argument in arguments], check=True)


def connect(other_side):
    """Link this namespace and that of the process `other_side`, with a short queue."""
    inside = ["nsenter", "--target", other_side, "--net"]
    command(
        "ip",
        "link",
        "add",
        "name",
        "client0",
        "type",
        "veth",
        "peer",
        "name",
        "service0",
        "netns",
        other_side,
    )
    for prefix, device, address, address6 in (
        ([], "client0", CLIENT, CLIENT6),
        (inside, "service0", SERVICE, SERVICE6),
    ):
        command(*prefix, "ip", "address", "add", f"{address}/24", "dev", device)
        command(*prefix, "ip", "address", "add", f"{address6}/64", "dev", device, "nodad")
        command(*prefix, "ip", "link", "set", device, "up")
    limit = ["root", "tbf", "rate", "40mbit", "burst", "10000", "limit", "40000"]
    command(*inside, "tc", "qdisc", "add", "dev", "service0", *limit)


def serve():
    """The service's side: downloads, rejected TLS handshakes, DNS, and echoed datagrams."""
    with (
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as quic,
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as dns,
    ):
        quic.bind(("::", QUIC))
        dns.bind(("::", DNS))
        threading.Thread(target=accept, args=(DOWNLOAD, send_download), daemon=True).start()
        threading.Thread(target=accept, args=(TLS, reject_tls), daemon=True).start()
        threading.Thread(target=answer, args=(dns, lambda _: ANSWER), daemon=True).start()
        print("ready", flush=True)
        answer(quic, bytes)


def accept(port, handle):
    with socket.create_server(("::", port), family=socket.AF_INET6, dualstack_ipv6=True) as server:
        while True:
            connection, _ = server.accept()
            with connection:
                handle(connection)


def answer(sock, reply):
    while True:
        data, sender = sock.recvfrom(65536)
        sock.sendto(reply(data), sender)


def send_download(connection):
    name = connection.recv(100)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name)
    connection.sendall(bytes(DOWNLOAD_BYTES))


def reject_tls(connection):
    """Answer with an alert: no handshake succeeds without a certificate."""
    with suppress(ssl.SSLError):
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).wrap_socket(connection, server_side=True)


def talk():
    """The client's side."""
    for service, control in FLOWS:
        with socket.create_connection((service, DOWNLOAD)) as connection:
            connection.sendall(control.encode())
            while connection.recv(65536):
                pass
    context = ssl.create_default_context()
    for service in (SERVICE, SERVICE6):
        with suppress(ssl.SSLError, ConnectionError), socket.create_connection((service, TLS)) as connection:
            context.wrap_socket(connection, server_hostname="example.test")
    for family, service in ((socket.AF_INET, SERVICE), (socket.AF_INET6, SERVICE6)):
        with socket.socket(family, socket.SOCK_DGRAM) as datagrams:
            datagrams.settimeout(5)
            for port, data in ((DNS, QUERY), (QUIC, LONG_HEADER), (QUIC, SHORT_HEADER), (QUIC, TOO_LONG)):
                datagrams.sendto(data, (service, port))
                datagrams.recvfrom(65536)
            datagrams.sendto(b"", (service, 9))  # closed port: causes an ICMP error that quotes the packet


def send_odd_frames():
    """Send frames that no socket sends."""
    datagram = ipv4(True, 17, udp(True, 60))
    odd = [
        ethernet(True, 0x0800, datagram, vlan=True),
        ethernet(
            True,
            0x88A8,
            struct.pack(">HHHH", 300, 0x8100, 7, 0x0800) + ipv4(True, 6, tcp(True, seq=5, payload=9)),
        ),
        ethernet(True, 0x0800, ipv4(True, 6, tcp(True, payload=9), options=b"\x94\x04\x00\x00")),
        ethernet(
            True,
            0x86DD,
            ipv6(
                0, bytes([60, 0, 1, 4, 0, 0, 0, 0]) + bytes([6, 1, 1, 12]) + bytes(12) + tcp(True, payload=3)
            ),
        ),
        ethernet(True, 0x0800, ipv4(True, 6, tcp(True, options=SACK))),
        ethernet(True, 0x88CC, b"\x02\x07\x04\x02\x00\x00\x00\x02\x02\x04\x03\x02\x00\x00" + bytes(32)),
    ]
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as raw:
        raw.bind(("client0", 0))
        for frame in odd:
            raw.send(frame)


def ipv6(next_header, body):
    ends = socket.inet_pton(socket.AF_INET6, CLIENT6) + socket.inet_pton(socket.AF_INET6, SERVICE6)
    return struct.pack(">IHBB", 0x60000000 | 0x2E << 20, len(body), next_header, 63) + ends + body


def capture(path):
    """Run both sides and dumpcap."""
    serving = [sys.executable, "-m", "tests.extract.mixed_traffic", "--serve"]
    service = subprocess.Popen(["unshare", "--net", *serving], stdout=subprocess.PIPE)
    try:
        service.stdout.readline()
        connect(service.pid)
        options = ["-p", "-q", "-i", "client0", "-s", "128", "-a", "duration:60", "-w", str(path)]
        recorder = subprocess.Popen(["dumpcap", *options], stderr=subprocess.PIPE, text=True)
        while not recorder.stderr.readline().startswith("File:"):
            pass
        talk()
        send_odd_frames()
        time.sleep(0.6)  # until the kernel has passed its last block to dumpcap
        recorder.terminate()
        recorder.communicate()
    finally:
        service.kill()


if __name__ == "__main__":
    serve() if sys.argv[1] == "--serve" else capture(Path(sys.argv[1]))
