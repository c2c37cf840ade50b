//! An endless download over one stream of quiche, which tokio-quiche drives.
//!
//!     endpoint serve ADDRESS PORT CERTIFICATE KEY CONTROLLER
//!     endpoint fetch ADDRESS PORT HOST
//!     endpoint versions CONTROLLER
//!
//! The server sends zeros until the client leaves. The client counts and drops them, and connects again if the
//! connection breaks. SIGTERM ends both at once. Exit status 127: unknown controller.

use std::{error::Error, future::pending, net::SocketAddr, process::exit, time::Duration};
use tokio::{net::UdpSocket, sync::oneshot};
use tokio_quiche::metrics::{DefaultMetrics, Metrics};
use tokio_quiche::quic::{HandshakeInfo, QuicheConnection, connect_with_config};
use tokio_quiche::settings::{CertificateKind, Hooks, QuicSettings, TlsCertificatePaths};
use tokio_quiche::{ApplicationOverQuic, ConnectionParams, QuicResult, listen};

#[path = "../../shared/locked.rs"]
mod locked;
#[path = "../../shared/received.rs"]
mod received;
#[path = "../../shared/socket.rs"]
mod socket;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const ALPN: &[u8] = b"endless";
const WINDOW_BYTES: u64 = 64 << 20;
const BLOCK: &[u8] = &[0; 64 << 10];
const IDLE: Duration = Duration::from_secs(30);
const RETRY: Duration = Duration::from_secs(1);
const UNSUPPORTED: i32 = 127;
/// The first unidirectional stream that a server opens (RFC 9000, 2.1).
const STREAM: u64 = 3;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", address, port, certificate, key, controller] => {
            if !["cubic", "reno", "bbr2"].contains(&controller) {
                exit(UNSUPPORTED);
            }
            serve(format!("{address}:{port}").parse()?, certificate, key, controller).await
        }
        ["fetch", address, port, host] => fetch(format!("{address}:{port}").parse()?, host).await,
        ["versions", controller] => {
            println!(
                r#"{{"stack": "quiche", "version": "{}", "gso": true, "pacing": {}, "controllers": {}}}"#,
                locked::version("quiche"),
                controller == "bbr2",
                r#"{"cubic": "Cubic", "reno": "NewReno", "bbr2": "BBRv2"}"#
            );
            Ok(())
        }
        _ => Err("see the head of main.rs for the arguments".into()),
    }
}

async fn serve(address: SocketAddr, certificate: &str, key: &str, controller: &str) -> Outcome<()> {
    let mut settings = settings();
    settings.cc_algorithm = controller.to_owned();
    let files = TlsCertificatePaths { cert: certificate, private_key: key, kind: CertificateKind::X509 };
    let parameters = ConnectionParams::new_server(settings, files, Hooks::default());
    let mut connections =
        listen([socket::bound(address)?], parameters, DefaultMetrics)?.remove(0).into_inner();
    while let Some(connection) = connections.recv().await {
        match connection {
            Ok(connection) => drop(connection.start(Download { _alive: None })),
            Err(error) => eprintln!("{error:?}"),
        }
    }
    Ok(())
}

async fn fetch(address: SocketAddr, host: &str) -> Outcome<()> {
    received::tell();
    let mut settings = settings();
    settings.initial_max_data = WINDOW_BYTES;
    settings.initial_max_stream_data_uni = WINDOW_BYTES;
    settings.max_connection_window = WINDOW_BYTES;
    settings.max_stream_window = WINDOW_BYTES;
    let parameters = ConnectionParams::new_client(settings, None, Hooks::default());
    loop {
        let (alive, ended) = oneshot::channel();
        let socket = socket::bound("0.0.0.0:0".parse()?)?;
        socket.connect(address)?;
        let socket = UdpSocket::from_std(socket)?.try_into()?;
        match connect_with_config(socket, Some(host), &parameters, Download { _alive: Some(alive) }).await {
            Ok(_) => drop(ended.await),
            Err(error) => eprintln!("{error:?}"),
        }
        tokio::time::sleep(RETRY).await;
    }
}

fn settings() -> QuicSettings {
    let mut settings = QuicSettings::default();
    settings.alpn = vec![ALPN.to_vec()];
    settings.max_idle_timeout = Some(IDLE);
    settings
}

/// What both sides do on a connection. `_alive` is dropped with it.
struct Download {
    _alive: Option<oneshot::Sender<()>>,
}

impl ApplicationOverQuic for Download {
    fn on_conn_established(&mut self, _: &mut QuicheConnection, _: &HandshakeInfo) -> QuicResult<()> {
        Ok(())
    }

    fn should_act(&self) -> bool {
        true
    }

    async fn wait_for_data(&mut self, _: &mut QuicheConnection) -> QuicResult<()> {
        pending().await
    }

    fn process_reads(&mut self, connection: &mut QuicheConnection) -> QuicResult<()> {
        let mut dropped = [0; BLOCK.len()];
        for stream in connection.readable() {
            while let Ok((bytes, _)) = connection.stream_recv(stream, &mut dropped) {
                received::add(bytes);
            }
        }
        Ok(())
    }

    fn process_writes(&mut self, connection: &mut QuicheConnection) -> QuicResult<()> {
        while connection.is_server() && connection.stream_send(STREAM, BLOCK, false) == Ok(BLOCK.len()) {}
        Ok(())
    }

    fn on_conn_close<M: Metrics>(&mut self, _: &mut QuicheConnection, _: &M, ended: &QuicResult<()>) {
        eprintln!("the connection ended: {ended:?}");
    }
}
