//! An endless download over one stream of tquic.
//!
//!     endpoint serve ADDRESS PORT CERTIFICATE KEY CONTROLLER
//!     endpoint fetch ADDRESS PORT HOST
//!     endpoint versions
//!
//! The server sends zeros until the client leaves. The client counts and drops them, and connects again if the
//! connection breaks. SIGTERM ends both at once. Exit status 127: unknown controller.

use bytes::Bytes;
use mio::{Events, Interest, Poll, Token, net::UdpSocket};
use std::{error::Error, net::SocketAddr, process::exit, rc::Rc, time::Instant};
use tquic::{Config, CongestionControlAlgorithm, Connection, Endpoint, PacketInfo, PacketSendHandler};
use tquic::{TlsConfig, TransportHandler};

#[path = "../../shared/locked.rs"]
mod locked;
#[path = "../../shared/received.rs"]
mod received;
#[path = "../../shared/socket.rs"]
mod socket;

type Outcome<T> = Result<T, Box<dyn Error>>;

const ALPN: &[u8] = b"endless";
const WINDOW_BYTES: u64 = 64 << 20;
const BLOCK: &[u8] = &[0; 64 << 10];
const IDLE_MS: u64 = 30_000;
const UNSUPPORTED: i32 = 127;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", address, port, certificate, key, controller] => {
            serve(format!("{address}:{port}").parse()?, certificate, key, controller)
        }
        ["fetch", address, port, host] => fetch(format!("{address}:{port}").parse()?, host),
        ["versions"] => {
            println!(
                r#"{{"stack": "tquic", "version": "{}", "gso": false, "pacing": true, "controllers": {}}}"#,
                locked::version("tquic"),
                r#"{"bbr": "BBRv1", "bbr3": "BBRv3", "cubic": "Cubic", "copa": "Copa"}"#
            );
            Ok(())
        }
        _ => Err("see the head of main.rs for the arguments".into()),
    }
}

fn serve(address: SocketAddr, certificate: &str, key: &str, controller: &str) -> Outcome<()> {
    let mut config = Config::new()?;
    config.set_congestion_control_algorithm(match controller {
        "bbr" => CongestionControlAlgorithm::Bbr,
        "bbr3" => CongestionControlAlgorithm::Bbr3,
        "cubic" => CongestionControlAlgorithm::Cubic,
        "copa" => CongestionControlAlgorithm::Copa,
        _ => exit(UNSUPPORTED),
    });
    config.set_max_idle_timeout(IDLE_MS);
    config.set_tls_config(TlsConfig::new_server_config(certificate, key, vec![ALPN.to_vec()], false)?);
    Host::new(address, config, true)?.run(None)
}

fn fetch(address: SocketAddr, host: &str) -> Outcome<()> {
    received::tell();
    let mut config = Config::new()?;
    config.set_max_idle_timeout(IDLE_MS);
    config.set_initial_max_data(WINDOW_BYTES);
    config.set_initial_max_stream_data_uni(WINDOW_BYTES);
    config.set_max_connection_window(WINDOW_BYTES);
    config.set_max_stream_window(WINDOW_BYTES);
    config.set_tls_config(TlsConfig::new_client_config(vec![ALPN.to_vec()], false)?);
    let mut client = Host::new("0.0.0.0:0".parse()?, config, false)?;
    loop {
        let local = client.socket.0.local_addr()?;
        let connection = client.endpoint.connect(local, address, Some(host), None, None, None)?;
        client.run(Some(connection))?;
        eprintln!("the connection ended");
    }
}

/// One side, and its socket.
struct Host {
    endpoint: Endpoint,
    socket: Rc<Socket>,
    poll: Poll,
}

impl Host {
    fn new(address: SocketAddr, config: Config, is_server: bool) -> Outcome<Host> {
        let mut socket = UdpSocket::from_std(socket::bound(address)?);
        let poll = Poll::new()?;
        poll.registry().register(&mut socket, Token(0), Interest::READABLE)?;
        let socket = Rc::new(Socket(socket));
        let endpoint = Endpoint::new(Box::new(config), is_server, Box::new(Download), socket.clone());
        Ok(Host { endpoint, socket, poll })
    }

    /// Serves the socket and the timers until a connection ends; without one, for ever.
    fn run(&mut self, connection: Option<u64>) -> Outcome<()> {
        let (mut events, mut packet) = (Events::with_capacity(1), [0; 1 << 16]);
        let dst = self.socket.0.local_addr()?;
        loop {
            self.endpoint.process_connections()?;
            if connection.is_some_and(|index| self.endpoint.conn_get_mut(index).is_none()) {
                return Ok(());
            }
            self.poll.poll(&mut events, self.endpoint.timeout())?;
            while let Ok((size, src)) = self.socket.0.recv_from(&mut packet) {
                self.endpoint.recv(&mut packet[..size], &PacketInfo { src, dst, time: Instant::now() }).ok();
            }
            self.endpoint.on_timeout(Instant::now());
        }
    }
}

struct Socket(UdpSocket);
impl PacketSendHandler for Socket {
    fn on_packets_send(&self, packets: &[(Vec<u8>, PacketInfo)]) -> tquic::Result<usize> {
        Ok(packets.iter().take_while(|(packet, info)| self.0.send_to(packet, info.dst).is_ok()).count())
    }
}

/// What both sides do on their connections.
struct Download;

impl TransportHandler for Download {
    fn on_conn_established(&mut self, connection: &mut Connection) {
        if connection.is_server() {
            let stream = connection.stream_uni_new(0, false).expect("the client allows streams");
            self.on_stream_writable(connection, stream);
        }
    }

    fn on_stream_writable(&mut self, connection: &mut Connection, stream: u64) {
        while connection.stream_write(stream, Bytes::from_static(BLOCK), false).is_ok() {}
    }

    fn on_stream_readable(&mut self, connection: &mut Connection, stream: u64) {
        let mut dropped = [0; BLOCK.len()];
        while connection.stream_read(stream, &mut dropped).map(|(bytes, _)| received::add(bytes)).is_ok() {}
    }

    fn on_conn_created(&mut self, _: &mut Connection) {}
    fn on_conn_closed(&mut self, _: &mut Connection) {}
    fn on_stream_created(&mut self, _: &mut Connection, _: u64) {}
    fn on_stream_closed(&mut self, _: &mut Connection, _: u64) {}
    fn on_new_token(&mut self, _: &mut Connection, _: Vec<u8>) {}
}
