"""What the kernel counts behind the captures."""

import socket

from testbed.devices import unread_datagrams


def test_datagrams_that_find_no_room_in_a_socket_are_counted():
    before = unread_datagrams()
    with socket.socket(type=socket.SOCK_DGRAM) as reader, socket.socket(type=socket.SOCK_DGRAM) as sender:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        reader.bind(("127.0.0.1", 0))
        for _ in range(100):
            sender.sendto(bytes(1000), reader.getsockname())
    assert unread_datagrams() - before >= 90
