//! An endless download over one stream of quinn: its controllers. ../../shared/quinn_program.rs has the rest.

use quinn as stack;
use quinn::congestion::{BbrConfig, ControllerFactory, CubicConfig, NewRenoConfig};
use quinn::{ReadError, RecvStream};
use std::sync::Arc;

mod floor;
#[path = "../../shared/quinn_program.rs"]
mod program;

const STACK: &str = "quinn";
const CONTROLLERS: &str =
    r#"{"cubic": "Cubic", "reno": "NewReno", "bbr": "BBRv1", "cubic-floor": "Cubic-500"}"#;

fn controller(name: &str) -> Option<Arc<dyn ControllerFactory + Send + Sync>> {
    Some(match name {
        "cubic" => Arc::new(CubicConfig::default()),
        "reno" => Arc::new(NewRenoConfig::default()),
        "bbr" => Arc::new(BbrConfig::default()),
        "cubic-floor" => Arc::new(floor::FloorConfig::default()),
        _ => return None,
    })
}

/// Drops a block of what arrived. Returns its length, and None at the end of the stream.
async fn drop_block(stream: &mut RecvStream) -> Result<Option<usize>, ReadError> {
    Ok(stream.read_chunk(program::BLOCK_BYTES, true).await?.map(|chunk| chunk.bytes.len()))
}

fn main() -> program::Outcome<()> {
    program::run()
}
