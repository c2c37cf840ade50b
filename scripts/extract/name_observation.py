"""One observation of a host name in the handshakes."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NameObservation:
    """A packet told that `server` is `name` for `client`.

    Attributes:
        time_ns: when, since the Unix epoch.
        known_by: `sni` (the server name of TLS, also in QUIC; RFC 6066, 9001), `http` (the Host of a request)
            or `dns` (an answer; protocol and ports are None then).
        name: the host name in small letters.
        protocol, client, client_port, server, server_port: the flow.
    """

    time_ns: int
    known_by: str
    name: str
    protocol: int | None
    client: str
    client_port: int | None
    server: str
    server_port: int | None
