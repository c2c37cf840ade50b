"""The counters that the kernel keeps of each host's network device (proc_net_dev(5)).

A device drops packets when whoever reads from it is late: the transmit ring of a TAP holds 10,000 packets
(testbed.hosts.TRANSMIT_QUEUE_PACKETS). No other counter of a trial shows these drops. Nor does a capture show
the UDP datagrams that found no room in the socket of a program, such as a client that reads too slowly.
"""

from pathlib import Path

from scripts.model.trial_record import DeviceCounts, Devices
from testbed.hosts import INTERFACE, Host
from testbed.namespaces import network_namespace

_RECEIVED_DROPPED, _SENT_PACKETS, _SENT_DROPPED = 3, 9, 11


def read_devices(client: Host, service: Host) -> Devices:
    """The counters of a client's and its service's device since they were made."""
    return Devices(_read_device(client), _read_device(service))


def devices_since(before: Devices, after: Devices) -> Devices:
    """The difference of two readings."""
    return Devices(_difference(before.client, after.client), _difference(before.service, after.service))


def _read_device(host: Host) -> DeviceCounts:
    with network_namespace(host.netns):
        lines = Path("/proc/thread-self/net/dev").read_text(encoding="ascii").splitlines()
        unread = unread_datagrams()
    (counters,) = [line.split(":")[1].split() for line in lines if line.strip().startswith(f"{INTERFACE}:")]
    return DeviceCounts(
        received_dropped=int(counters[_RECEIVED_DROPPED]),
        sent_dropped=int(counters[_SENT_DROPPED]),
        sent_packets=int(counters[_SENT_PACKETS]),
        unread_datagrams=unread,
    )


def unread_datagrams() -> int:
    """The UDP datagrams that found no room in a socket, in the namespace of this thread (RcvbufErrors)."""
    text = Path("/proc/thread-self/net/snmp").read_text(encoding="ascii")
    names, counts = (line.split() for line in text.splitlines() if line.startswith("Udp: "))
    return int(counts[names.index("RcvbufErrors")])


def _difference(before: DeviceCounts, after: DeviceCounts) -> DeviceCounts:
    return DeviceCounts(**{name: count - vars(before)[name] for name, count in vars(after).items()})
