//! An endless download over one stream of quinn, or of noq, which began as a copy of quinn.
//!
//!     endpoint serve ADDRESS PORT CERTIFICATE KEY CONTROLLER
//!     endpoint fetch ADDRESS PORT HOST
//!     endpoint versions
//!
//! The server sends zeros until the client leaves. The client counts and drops them, and connects again if the
//! connection breaks. SIGTERM ends both at once. Exit status 127: unknown controller.
//!
//! The main.rs of each stack names its library `stack`, and has what differs between the two.

use crate::stack::crypto::rustls::{QuicClientConfig, QuicServerConfig};
use crate::stack::{
    ClientConfig, Endpoint, EndpointConfig, Incoming, ServerConfig, TokioRuntime, TransportConfig,
};
use crate::{CONTROLLERS, STACK, controller, drop_block};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use std::{error::Error, net::SocketAddr, process::exit, sync::Arc, time::Duration};

#[path = "any_server.rs"]
mod any_server;
#[path = "locked.rs"]
mod locked;
#[path = "received.rs"]
mod received;
#[path = "socket.rs"]
mod socket;

pub type Outcome<T> = Result<T, Box<dyn Error>>;

const ALPN: &[u8] = b"endless";
const WINDOW_BYTES: u32 = 64 << 20;
pub const BLOCK_BYTES: usize = 64 << 10;
const RETRY: Duration = Duration::from_secs(1);
const UNSUPPORTED: i32 = 127;

#[tokio::main(flavor = "current_thread")]
pub async fn run() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", address, port, certificate, key, controller] => {
            serve(format!("{address}:{port}").parse()?, certificate, key, controller).await
        }
        ["fetch", address, port, host] => fetch(format!("{address}:{port}").parse()?, host).await,
        ["versions"] => {
            println!(
                r#"{{"stack": "{STACK}", "version": "{}", "gso": true, "pacing": true, "controllers": {CONTROLLERS}}}"#,
                locked::version(STACK)
            );
            Ok(())
        }
        _ => Err("see the head of quinn_program.rs for the arguments".into()),
    }
}

async fn serve(address: SocketAddr, certificate: &str, key: &str, name: &str) -> Outcome<()> {
    let factory = controller(name).unwrap_or_else(|| exit(UNSUPPORTED));
    let mut tls = rustls::ServerConfig::builder().with_no_client_auth().with_single_cert(
        vec![CertificateDer::from_pem_file(certificate)?],
        PrivateKeyDer::from_pem_file(key)?,
    )?;
    tls.alpn_protocols = vec![ALPN.to_vec()];
    let mut transport = TransportConfig::default();
    transport.send_window(WINDOW_BYTES.into()).congestion_controller_factory(factory);
    let mut config = ServerConfig::with_crypto(Arc::new(QuicServerConfig::try_from(tls)?));
    config.transport_config(Arc::new(transport));
    let endpoint = Endpoint::new(
        EndpointConfig::default(),
        Some(config),
        socket::bound(address)?,
        Arc::new(TokioRuntime),
    )?;
    while let Some(incoming) = endpoint.accept().await {
        tokio::spawn(async {
            if let Err(error) = send(incoming).await {
                eprintln!("{error:?}");
            }
        });
    }
    Ok(())
}

/// Sends zeros until the connection ends.
async fn send(incoming: Incoming) -> Outcome<()> {
    let mut stream = incoming.await?.open_uni().await?;
    loop {
        stream.write_all(&[0; BLOCK_BYTES]).await?;
    }
}

async fn fetch(address: SocketAddr, host: &str) -> Outcome<()> {
    received::tell();
    let mut tls = rustls::ClientConfig::builder()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(any_server::AnyServer))
        .with_no_client_auth();
    tls.alpn_protocols = vec![ALPN.to_vec()];
    let mut transport = TransportConfig::default();
    transport.receive_window(WINDOW_BYTES.into()).stream_receive_window(WINDOW_BYTES.into());
    let mut config = ClientConfig::new(Arc::new(QuicClientConfig::try_from(tls)?));
    config.transport_config(Arc::new(transport));
    let socket = socket::bound("0.0.0.0:0".parse()?)?;
    let endpoint = Endpoint::new(EndpointConfig::default(), None, socket, Arc::new(TokioRuntime))?;
    loop {
        if let Err(error) = download(&endpoint, config.clone(), address, host).await {
            eprintln!("{error:?}");
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Reads and drops what the server sends, until the connection breaks.
async fn download(endpoint: &Endpoint, config: ClientConfig, address: SocketAddr, host: &str) -> Outcome<()> {
    let connection = endpoint.connect_with(config, address, host)?.await?;
    let mut stream = connection.accept_uni().await?;
    while let Some(bytes) = drop_block(&mut stream).await? {
        received::add(bytes);
    }
    Ok(())
}
