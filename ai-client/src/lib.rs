//! ai-client
