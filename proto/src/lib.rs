//! The contract of Heliopause as Rust types, generated from the `.proto` files in this folder, and
//! the rules for text written by players ([`text`]).
//!
//! | feature | adds |
//! | --- | --- |
//! | `messages` (default) | the messages |
//! | `reflection` | their descriptors |
//! | `json` | their proto3 JSON |
//! | `client` | gRPC clients |
//! | `server` | gRPC server traits |
//!
//! **Invariant.** With only `messages`, this crate depends on no network or async code, so rules
//! crates can use it.

#[cfg(feature = "json")]
pub mod json;
pub mod text;

// One module per package: `heliopause.store.v1` is `store::v1`.
include!(concat!(env!("OUT_DIR"), "/packages.rs"));

impl v1::Pace {
    pub fn closes_early(&self) -> bool {
        self.close_early.unwrap_or(true)
    }
}

/// The encoded descriptor set of the contract, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

/// The descriptors of all messages.
#[cfg(feature = "reflection")]
pub static POOL: std::sync::LazyLock<prost_reflect::DescriptorPool> =
    std::sync::LazyLock::new(|| {
        prost_reflect::DescriptorPool::decode(DESCRIPTORS)
            .expect("the build made these descriptors")
    });
