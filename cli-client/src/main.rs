//! cli-client
fn main() {}
