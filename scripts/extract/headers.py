"""Ethernet, IP, TCP and UDP header fields of many packets at once.

A header counts only if all its fixed part was captured and its own lengths agree; otherwise its fields are
absent, never guessed. References: RFC 791 (IPv4), RFC 8200 (IPv6), RFC 9293 (TCP), RFC 768 (UDP), IEEE
802.1Q (VLAN tags).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts.extract.pcapng import Packets

ETHERNET_BYTES = 14
VLAN_TAGS = (0x8100, 0x88A8)
TYPE_IPV4, TYPE_ARP, TYPE_IPV6 = 0x0800, 0x0806, 0x86DD
TCP, UDP = 6, 17

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Headers:
    """Where the headers of each packet lie, and what they say. A value means nothing where its mask is false.

    Masks: `ethernet`, `ipv4`, `ipv6`, `arp`, `tcp`, `udp` (the last two: unfragmented or first fragment).
    Positions in the packets' data: `network` and `transport`.
    Values: `ip_bytes` and `protocol` (IP), `header_bytes` (TCP and UDP header, -1 if TCP's own length is
    impossible).
    """

    packets: Packets
    ethernet: Mask
    ipv4: Mask
    ipv6: Mask
    arp: Mask
    tcp: Mask
    udp: Mask
    network: Integers
    transport: Integers
    ip_bytes: Integers
    protocol: Integers
    header_bytes: Integers

    @property
    def ip(self) -> Mask:
        """Packets whose IP header is known."""
        return self.ipv4 | self.ipv6

    @property
    def ports(self) -> Mask:
        """Packets whose ports are known."""
        return self.tcp | self.udp

    @property
    def payload_bytes(self) -> Integers:
        """Bytes behind the TCP or UDP header as the IP header counts; negative if it contradicts itself."""
        payload = self.ip_bytes - (self.transport - self.network) - self.header_bytes
        return np.where(self.header_bytes < 0, -1, payload)

    def u8(self, at: Integers) -> Integers:
        """The byte at each position."""
        return self.packets.data[at].astype(np.int64)

    def u16(self, at: Integers) -> Integers:
        """The two bytes at each position, in network order."""
        return self.u8(at) << 8 | self.u8(at + 1)

    def u32(self, at: Integers) -> Integers:
        """The four bytes at each position, in network order."""
        return self.u16(at) << 16 | self.u16(at + 2)


def decode(packets: Packets) -> Headers:
    """Find the headers of each packet."""
    data, start, captured = packets.data, packets.start, packets.captured

    def u16(at: Integers) -> Integers:
        return data[at].astype(np.int64) << 8 | data[at + 1]

    tagged = np.isin(u16(start + 12), VLAN_TAGS)
    network = start + ETHERNET_BYTES + 4 * tagged
    ether_type = u16(network - 2)
    room = captured - (network - start)
    version = data[network] >> 4
    ihl = (data[network] & 0x0F).astype(np.int64) * 4
    ipv4 = (ether_type == TYPE_IPV4) & (room >= 20) & (version == 4) & (ihl >= 20)
    ipv4 &= u16(network + 2) >= ihl
    ipv6 = (ether_type == TYPE_IPV6) & (room >= 40) & (version == 6)

    transport = network + np.where(ipv6, 40, ihl)
    protocol = data[network + np.where(ipv6, 6, 9)].astype(np.int64)
    first_fragment = ipv6 | (u16(network + 6) & 0x1FFF == 0)
    room = captured - (transport - start)
    tcp = (ipv4 | ipv6) & first_fragment & (protocol == TCP) & (room >= 20)
    data_offset = (data[transport + 12] >> 4).astype(np.int64) * 4
    return Headers(
        packets=packets,
        ethernet=captured >= ETHERNET_BYTES,
        ipv4=ipv4,
        ipv6=ipv6,
        arp=(ether_type == TYPE_ARP) & (captured - (network - start) >= 28),
        tcp=tcp,
        udp=(ipv4 | ipv6) & first_fragment & (protocol == UDP) & (room >= 8),
        network=network,
        transport=transport,
        ip_bytes=np.where(ipv6, 40 + u16(network + 4), u16(network + 2)),
        protocol=protocol,
        header_bytes=np.where(tcp, np.where(data_offset >= 20, data_offset, -1), 8),
    )
