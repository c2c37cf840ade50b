"""One observation of a host name in the handshakes."""

from dataclasses import dataclass
from typing import Literal

KnownBy = Literal["sni", "http", "dns"]


@dataclass(frozen=True)
class NameObservation:
    """A packet that gives `server` a name: a request of `client`, or an answer of DNS to it.

    Attributes:
        time_ns: the packet's time, ns since the Unix epoch.
        known_by: `sni` (the server name in TLS, also within QUIC; RFC 6066, RFC 9001), `http` (the Host of a
            request) or `dns` (an answer; protocol and ports are None).
        name: the host name in lower case; None if nothing of it is published.
        protocol, client, client_port, server, server_port: the flow.
    """

    time_ns: int
    known_by: KnownBy
    name: str | None
    protocol: int | None
    client: str
    client_port: int | None
    server: str
    server_port: int | None
