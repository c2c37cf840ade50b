//! The version of the stack.

const LOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock"));

/// The version of a package in the lock that this program is built from.
pub fn version(package: &str) -> &'static str {
    let (_, rest) = LOCK.split_once(&format!("name = \"{package}\"\nversion = \"")).expect("it is locked");
    rest.split('"').next().expect("a version has an end")
}
