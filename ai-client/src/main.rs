//! ai-client
fn main() {}
