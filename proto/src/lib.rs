//! The contract of Heliopause as Rust types, generated from the `.proto` files beside this crate.
//!
//! | feature | adds |
//! | --- | --- |
//! | `messages` (default) | the messages |
//! | `reflection` | their descriptors |
//! | `json` | their proto3 JSON |
//! | `client` | gRPC clients |
//! | `server` | gRPC server traits |
//!
//! **Invariant.** With `messages` alone this crate pulls in no network and no async code, so a
//! rules crate may use it.

#[cfg(feature = "json")]
pub mod json;

// A module for each package: `heliopause.store.v1` is `store::v1`.
include!(concat!(env!("OUT_DIR"), "/packages.rs"));

impl v1::Pace {
    /// Whether phases close as soon as all are ready: yes, unless it says otherwise.
    pub fn closes_early(&self) -> bool {
        self.early.unwrap_or(true)
    }
}

/// The encoded descriptor set of the whole contract, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// Every message of the contract.
#[cfg(feature = "reflection")]
pub static POOL: std::sync::LazyLock<prost_reflect::DescriptorPool> =
    std::sync::LazyLock::new(|| {
        prost_reflect::DescriptorPool::decode(DESCRIPTORS)
            .expect("the build made these descriptors")
    });
