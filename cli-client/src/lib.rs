//! cli-client
