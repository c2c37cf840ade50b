"""Sends without an end to every connection: the smallest server. Arguments: address, port."""

import socket
import sys
import threading
from contextlib import suppress

BLOCK = bytes(1 << 16)


def send(connection: socket.socket) -> None:
    """Send until the client has had enough."""
    with connection, suppress(OSError):
        while True:
            connection.sendall(BLOCK)


if __name__ == "__main__":
    with socket.create_server((sys.argv[1], int(sys.argv[2]))) as listener:
        while True:
            threading.Thread(target=send, args=(listener.accept()[0],), daemon=True).start()
