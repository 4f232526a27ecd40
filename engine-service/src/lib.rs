//! engine-service
