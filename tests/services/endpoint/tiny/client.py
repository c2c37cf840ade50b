"""Receives and discards for its time: the smallest client. Arguments: address, port, seconds."""

import socket
import sys
import time

if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[3])
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=5) as connection:
        while time.monotonic() < end and connection.recv(1 << 20):
            pass
