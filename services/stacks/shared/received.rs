//! How many bytes of the stream the client has read: a line each second, beside which packets can be counted.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::{thread, time::Duration, time::SystemTime};

static BYTES: AtomicU64 = AtomicU64::new(0);

/// Adds what was read.
pub fn add(bytes: usize) {
    BYTES.fetch_add(bytes as u64, Relaxed);
}

/// Prints the Unix time and the sum of the bytes every second.
pub fn tell() {
    thread::spawn(|| {
        while let Ok(now) = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
            println!("{:.3} {}", now.as_secs_f64(), BYTES.load(Relaxed));
            thread::sleep(Duration::from_secs(1));
        }
    });
}
