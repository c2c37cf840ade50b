"""Makes captures, queue logs and complete trial directories with known packets."""

import ipaddress
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

SERVICE, CLIENT = "198.18.1.10", "198.18.1.2"
SERVICE_MAC, CLIENT_MAC = bytes.fromhex("020000000a0a"), bytes.fromhex("020000000202")
SYN, ACK = 2, 16
SECOND = 1_000_000_000
MILLISECOND = 1_000_000

RECORD = [
    ["arrival_ns", "<u8"],
    ["departure_ns", "<u8"],
    ["dropped_ns", "<u8"],
    ["flow", "<u4"],
    ["tcp_seq", "<u4"],
    ["frame_bytes", "<u4"],
    ["ip_bytes", "<u4"],
    ["backlog_packets", "<u4"],
    ["backlog_bytes", "<u4"],
    ["verdict", "u1"],
    ["client", "u1"],
    ["reserved", "<u2"],
]


def ethernet(up: bool, ether_type: int, body: bytes, vlan: bool = False) -> bytes:
    ends = SERVICE_MAC + CLIENT_MAC if up else CLIENT_MAC + SERVICE_MAC
    return ends + (struct.pack(">HH", 0x8100, 7) if vlan else b"") + struct.pack(">H", ether_type) + body


def ipv4(
    up: bool, protocol: int, body: bytes, *, number: int = 1, options: bytes = b"", fragment: int = 0
) -> bytes:
    ends = [ipaddress.IPv4Address(f"198.18.{number}.{host}").packed for host in ((2, 10) if up else (10, 2))]
    ihl = 20 + len(options)
    return (
        struct.pack(">BBHHHBBH", 0x40 | ihl // 4, 0, ihl + len(body), 0, fragment, 64, protocol, 0)
        + b"".join(ends)
        + options
        + body
    )


def tcp(
    up: bool,
    seq: int = 0,
    ack: int = 0,
    flags: int = ACK,
    payload: int = 0,
    options: bytes = b"",
    port: int = 40000,
) -> bytes:
    ports = (port, 5201) if up else (5201, port)
    return (
        struct.pack(">HHIIBBHHH", *ports, seq, ack, (20 + len(options)) // 4 << 4, flags, 500, 0, 0)
        + options
        + b"P" * payload
    )


def udp(up: bool, payload: int, port: int = 41000) -> bytes:
    ports = (port, 443) if up else (443, port)
    return struct.pack(">HHHH", *ports, 8 + payload, 0) + b"P" * payload


def tcp_frame(up: bool, number: int = 1, **fields: int) -> bytes:
    return ethernet(up, 0x0800, ipv4(up, 6, tcp(up, **fields), number=number))


def section(order: str = "<", resolution: int = 9, link_type: int = 1) -> bytes:
    head = struct.pack(order + "IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)
    options = struct.pack(order + "HHB3xHH", 9, 1, resolution, 0, 0)
    size = 20 + len(options)
    return (
        head
        + struct.pack(order + "IIHHI", 1, size, link_type, 0, 128)
        + options
        + struct.pack(order + "I", size)
    )


def block(ticks: int, frame: bytes, snaplen: int = 128, order: str = "<", interface: int = 0) -> bytes:
    data = frame[:snaplen]
    padded = data + bytes(-len(data) % 4)
    size = 32 + len(padded)
    return (
        struct.pack(order + "7I", 6, size, interface, ticks >> 32, ticks & 0xFFFFFFFF, len(data), len(frame))
        + padded
        + struct.pack(order + "I", size)
    )


def capture(packets: list[tuple[int, bytes]], snaplen: int = 128) -> bytes:
    return section() + b"".join(block(time, frame, snaplen) for time, frame in packets)


def pcap(
    packets: list[tuple[int, bytes]], snaplen: int = 128, order: str = "<", resolution: int = 9
) -> bytes:
    """A pcap capture. Times are in ns."""
    magic, tick_ns = (0xA1B23C4D, 1) if resolution == 9 else (0xA1B2C3D4, 1000)
    content = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, snaplen, 1)
    for time_ns, frame in packets:
        seconds, rest_ns = divmod(time_ns, 10**9)
        data = frame[:snaplen]
        content += struct.pack(order + "4I", seconds, rest_ns // tick_ns, len(data), len(frame)) + data
    return content


def write_compressed(path: Path, content: bytes) -> None:
    path.write_bytes(zstandard.ZstdCompressor(level=1).compress(content))


def queue_log(records: list[tuple[int, ...]], cut: int = 0) -> bytes:
    head = json.dumps({"version": 1, "record": RECORD}).encode()
    rows = np.array(records, dtype=[tuple(column) for column in RECORD]).tobytes()
    return b"IFOQUEUE" + struct.pack("<II", 1, len(head)) + head + rows[: len(rows) - cut]


@dataclass
class Downlink:
    """One packet to a client: its arrival at the queue, and its time in the queue (None: dropped)."""

    client: int
    arrival_ns: int
    wait_ns: int | None
    seq: int
    payload: int
    flags: int = ACK


@dataclass
class Trial:
    """A trial of two clients at 8 Mbps and 50 ms from `start`, steady but for the first and last 2 s."""

    start: int
    downlink: list[Downlink]
    uplink: list[tuple[int, int, int]]
    one_way_ns: int = 25 * MILLISECOND
    duration_s: int = 10

    @property
    def stop(self) -> int:
        return self.start + self.duration_s * SECOND

    def write(self, folder: Path, **changes: object) -> Path:
        folder.mkdir(parents=True)
        for number in (1, 2):
            write_compressed(folder / f"client-c{number}.pcapng.zst", capture(self.packets(number)))
        write_compressed(folder / "queue.bin.zst", queue_log(self.records()))
        (folder / "flows.json").write_text(
            json.dumps(
                [
                    {
                        "client": f"c{number}",
                        "protocol": 6,
                        "source": f"198.18.{number}.10",
                        "source_port": 5201,
                        "destination": f"198.18.{number}.2",
                        "destination_port": 40000,
                    }
                    for number in (1, 2)
                ]
            )
        )
        (folder / "trial.json").write_text(json.dumps(self.report() | changes))
        return folder

    def packets(self, number: int) -> list[tuple[int, bytes]]:
        down = [
            (
                packet.arrival_ns + packet.wait_ns + self.one_way_ns,
                tcp_frame(False, number, seq=packet.seq, flags=packet.flags, payload=packet.payload),
            )
            for packet in self.downlink
            if packet.client == number and packet.wait_ns is not None
        ]
        up = [
            (time, tcp_frame(True, number, flags=flags))
            for client, time, flags in self.uplink
            if client == number
        ]
        return sorted(down + up)

    def records(self) -> list[tuple[int, ...]]:
        rows = [
            (
                packet.arrival_ns,
                0 if packet.wait_ns is None else packet.arrival_ns + packet.wait_ns,
                packet.arrival_ns if packet.wait_ns is None else 0,
                packet.client - 1,
                packet.seq,
                54 + packet.payload,
                40 + packet.payload,
                3,
                4542,
                1 if packet.wait_ns is None else 0,
                packet.client,
                0,
            )
            for packet in self.downlink
        ]
        return sorted(rows, key=lambda row: row[1] or row[0])

    def counters(self, number: int) -> dict[str, object]:
        packets = [packet for packet in self.downlink if packet.client == number]
        forwarded = [packet for packet in packets if packet.wait_ns is not None]
        dropped = [packet for packet in packets if packet.wait_ns is None]
        counts: dict[str, object] = {"name": f"c{number}"}
        kinds = {"arrived": packets, "forwarded": forwarded, "dropped": dropped, "left": []}
        for name, counted in kinds.items():
            counts[f"{name}_packets"] = len(counted)
            counts[f"{name}_bytes"] = sum(54 + packet.payload for packet in counted)
        return counts

    def uplink_counters(self, number: int) -> dict[str, object]:
        packets = sum(client == number for client, _, _ in self.uplink)
        counts: dict[str, object] = {"name": f"c{number}", "packets": packets, "bytes": 54 * packets}
        counts |= {"arrived_packets": packets, "arrived_bytes": 54 * packets}
        return counts | {"left_packets": 0, "left_bytes": 0}

    def devices(self, number: int) -> dict[str, object]:
        sent = {
            "client": sum(client == number for client, _, _ in self.uplink),
            "service": sum(packet.client == number for packet in self.downlink),
        }
        dropped = {"received_dropped": 0, "sent_dropped": 0}
        return {end: dropped | {"sent_packets": packets} for end, packets in sent.items()}

    def report(self, numbers: Sequence[int] = (1, 2)) -> dict[str, Any]:
        """The record of the trial, with the counters of these clients."""
        clients = [
            {
                "client": f"c{number}",
                "service": service,
                "instance": 1,
                "driver": "iperf",
                "cca_asked": cca,
                "cca": [cca],
                "address": f"198.18.{number}.2",
                "service_addresses": [f"198.18.{number}.10"],
                "start_ns": self.start,
                "stop_ns": self.stop,
                "base_rtt_ns": 0,
                "delay_down_ns": self.one_way_ns,
                "delay_up_ns": self.one_way_ns,
                "capture": {"received": len(self.packets(number)), "dropped": 0},
                "devices": self.devices(number),
            }
            for number, service, cca in ((1, "iperf-bbr", "bbr"), (2, "iperf-cubic", "cubic"))
        ]
        return {
            "schema": 1,
            "campaign": "demo",
            "cycle": "2026-11-21",
            "setting": "8mbps",
            "pair": "iperf-bbr~iperf-cubic",
            "trial": 1,
            "status": "completed",
            "reason": None,
            "link": {
                "rate_mbps": 8,
                "rtt_ms": 50,
                "queue_packets": 128,
                "queue_bdp": 4,
                "discipline": "droptail",
                "title": "Highly constrained",
            },
            "clients": clients,
            "start_ns": self.start,
            "stop_ns": self.stop,
            "window_start_ns": self.start + 2 * SECOND,
            "window_stop_ns": self.stop - 2 * SECOND,
            "bottleneck": {
                "backend": "embedded",
                "version": "0.1.0",
                "parameters": {"overhead_bytes": 24},
                "downlink": {"clients": [self.counters(number) for number in numbers]},
                "uplink": {"clients": [self.uplink_counters(number) for number in numbers]},
                "lateness_ns": {
                    "p50": 20_000,
                    "p99": 90_000,
                    "max": 400_000,
                    "count": len(self.downlink) + len(self.uplink),
                    "start_ns": self.start - SECOND,
                    "by_second": [400_000] * (self.duration_s + 2),
                },
                "write_errors": 0,
                "log": {"records": len(self.downlink), "lost": 0},
                "clock_offset_ns": {"start": 1000, "end": 3000},
            },
            "sysctls": {
                f"client-c{number}": {"net.ipv4.tcp_rmem": "4096 67108864 67108864"} for number in (1, 2)
            },
            "host": {"cpu_pressure_fraction": 0.01, "steal_fraction": 0.0},
            "seed": 123,
        }


def example_trial() -> Trial:
    """In the window c1 gets 100 packets of 1500 B, the k-th after k * 0.1 ms, and loses 25; c2 gets 75."""
    start = 1_795_000_000 * SECOND
    downlink, uplink = [], []
    for client in (1, 2):
        uplink.append((client, start + 10 * MILLISECOND, SYN))
        downlink.append(Downlink(client, start + 35 * MILLISECOND, 2 * MILLISECOND, 999, 0, SYN | ACK))
    window = start + 2 * SECOND
    for k in range(100):
        wait = k * 100_000
        downlink.append(Downlink(1, window + k * 60 * MILLISECOND - wait, wait, 1000 + 1460 * k, 1460))
    for k in range(25):
        again = 1000 + 1460 * (k % 16)
        downlink.append(Downlink(1, window + SECOND + k * MILLISECOND, None, again, 1460))
    for k in range(75):
        downlink.append(Downlink(2, window + k * 70 * MILLISECOND, MILLISECOND, 1000 + 1460 * k, 1460))
    return Trial(start, downlink, uplink)
