//! An endless download over one stream of s2n-quic.
//!
//!     endpoint serve ADDRESS PORT CERTIFICATE KEY CONTROLLER
//!     endpoint fetch ADDRESS PORT CERTIFICATE HOST
//!     endpoint versions
//!
//! The server sends zeros until the client leaves. The client counts and drops them, and connects again if the
//! connection breaks. SIGTERM ends both at once. Exit status 127: unknown controller.

use bytes::Bytes;
use s2n_quic::provider::congestion_controller::{Bbr, Cubic};
use s2n_quic::provider::{io, limits::Limits};
use s2n_quic::{Client, Connection, Server, client::Connect};
use std::{error::Error, net::SocketAddr, path::Path, process::exit, time::Duration};

#[path = "../../shared/locked.rs"]
mod locked;
#[path = "../../shared/received.rs"]
mod received;

type Outcome<T> = Result<T, Box<dyn Error>>;

const WINDOW_BYTES: u64 = 64 << 20;
const SEND_BUFFER_BYTES: u32 = 4 << 20;
const BLOCK: &[u8] = &[0; 64 << 10];
/// What is asked of the kernel, which gives at most net.core.rmem_max and wmem_max.
const BUFFER_BYTES: usize = 8 << 20;
const RETRY: Duration = Duration::from_secs(1);
const UNSUPPORTED: i32 = 127;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["serve", address, port, certificate, key, controller] => {
            serve(format!("{address}:{port}").parse()?, certificate, key, controller).await
        }
        ["fetch", address, port, certificate, host] => {
            fetch(format!("{address}:{port}").parse()?, certificate, host).await
        }
        ["versions"] => {
            println!(
                r#"{{"stack": "s2n-quic", "version": "{}", "gso": true, "pacing": true, "controllers": {}}}"#,
                locked::version("s2n-quic"),
                r#"{"cubic": "Cubic", "bbr": "BBRv2"}"#
            );
            Ok(())
        }
        _ => Err("see the head of main.rs for the arguments".into()),
    }
}

async fn serve(address: SocketAddr, certificate: &str, key: &str, controller: &str) -> Outcome<()> {
    let builder = Server::builder()
        .with_tls((Path::new(certificate), Path::new(key)))?
        .with_io(socket(address)?)?
        .with_limits(Limits::new().with_max_send_buffer_size(SEND_BUFFER_BYTES)?)?;
    let mut server = match controller {
        "cubic" => builder.with_congestion_controller(Cubic::default())?.start()?,
        "bbr" => builder.with_congestion_controller(Bbr::default())?.start()?,
        _ => exit(UNSUPPORTED),
    };
    while let Some(connection) = server.accept().await {
        tokio::spawn(async {
            if let Err(error) = send(connection).await {
                eprintln!("{error}");
            }
        });
    }
    Ok(())
}

/// Sends zeros until the connection ends.
async fn send(mut connection: Connection) -> Outcome<()> {
    let mut stream = connection.open_send_stream().await?;
    loop {
        stream.send(Bytes::from_static(BLOCK)).await?;
    }
}

async fn fetch(address: SocketAddr, certificate: &str, host: &str) -> Outcome<()> {
    received::tell();
    let limits =
        Limits::new().with_data_window(WINDOW_BYTES)?.with_unidirectional_data_window(WINDOW_BYTES)?;
    let client = Client::builder()
        .with_tls(Path::new(certificate))?
        .with_io(socket("0.0.0.0:0".parse()?)?)?
        .with_limits(limits)?
        .start()?;
    loop {
        if let Err(error) = download(&client, Connect::new(address).with_server_name(host)).await {
            eprintln!("{error}");
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// Reads and drops what the server sends, until the connection breaks.
async fn download(client: &Client, server: Connect) -> Outcome<()> {
    let mut connection = client.connect(server).await?;
    let Some(mut stream) = connection.accept_receive_stream().await? else { return Ok(()) };
    while let Some(block) = stream.receive().await? {
        received::add(block.len());
    }
    Ok(())
}

fn socket(address: SocketAddr) -> Outcome<io::Default> {
    let builder = io::Default::builder().with_receive_address(address)?;
    Ok(builder.with_recv_buffer_size(BUFFER_BYTES)?.with_send_buffer_size(BUFFER_BYTES)?.build()?)
}
