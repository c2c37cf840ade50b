//! The UDP socket of a stack that lets its application make one.

use socket2::{Domain, Socket, Type};
use std::{io, net::SocketAddr, net::UdpSocket};

/// What is asked of the kernel, which gives at most net.core.rmem_max and wmem_max.
const BUFFER_BYTES: usize = 8 << 20;

/// A socket with large buffers at an IPv4 address, which does not block.
pub fn bound(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::IPV4, Type::DGRAM, None)?;
    socket.set_recv_buffer_size(BUFFER_BYTES)?;
    socket.set_send_buffer_size(BUFFER_BYTES)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    Ok(socket.into())
}
