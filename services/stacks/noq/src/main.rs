//! An endless download over one stream of noq: its controllers. ../../shared/quinn_program.rs has the rest.

use noq as stack;
use noq::congestion::{Bbr3Config, ControllerFactory, CubicConfig, NewRenoConfig};
use noq::{ReadError, RecvStream};
use std::sync::Arc;

#[path = "../../shared/quinn_program.rs"]
mod program;

const STACK: &str = "noq";
const CONTROLLERS: &str = r#"{"cubic": "Cubic", "reno": "NewReno", "bbr3": "BBRv3"}"#;

fn controller(name: &str) -> Option<Arc<dyn ControllerFactory + Send + Sync>> {
    Some(match name {
        "cubic" => Arc::new(CubicConfig::default()),
        "reno" => Arc::new(NewRenoConfig::default()),
        "bbr3" => Arc::new(Bbr3Config::default()),
        _ => return None,
    })
}

/// Drops a block of what arrived. Returns its length, and None at the end of the stream.
async fn drop_block(stream: &mut RecvStream) -> Result<Option<usize>, ReadError> {
    Ok(stream.read_chunk(program::BLOCK_BYTES).await?.map(|block| block.len()))
}

fn main() -> program::Outcome<()> {
    program::run()
}
