"""Ports for servers that a test ends and starts again."""

import random
import socket
from itertools import islice

SPAN = 10_000


def free_ports(count: int) -> list[int]:
    """Different ports that are free, each with the port `SPAN` above it.

    All are below those that the kernel gives to connections, from 32,768 on. One that a connection has would
    keep a server from starting again.
    """
    tried = random.sample(range(SPAN, 2 * SPAN), SPAN)
    return [*islice((port for port in tried if _is_free(port) and _is_free(port + SPAN)), count)]


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) != 0
