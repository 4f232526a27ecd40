//! engine-service
fn main() {}
