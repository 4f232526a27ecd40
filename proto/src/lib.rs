//! The contract of Heliopause as Rust types, generated from the `.proto` files beside this crate.
//!
//! | feature | adds |
//! | --- | --- |
//! | `messages` (default) | the messages, with proto3 JSON through serde |
//! | `client` | gRPC clients |
//! | `server` | gRPC server traits |
//!
//! **Invariant.** With `messages` alone this crate pulls in no network and no async code, so a rules crate may use it.

/// The services and everything that is the same for all games.
pub mod v1 {
    #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
    include!(concat!(env!("OUT_DIR"), "/heliopause.v1.rs"));
    include!(concat!(env!("OUT_DIR"), "/heliopause.v1.serde.rs"));

    impl Pace {
        /// Whether phases close as soon as all are ready: yes, unless it says otherwise.
        pub fn closes_early(&self) -> bool {
            self.early.unwrap_or(true)
        }
    }
}

/// Diplomacy, and "...It Came From Outer Space!".
pub mod diplomacy {
    /// The messages of both games.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.diplomacy.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.diplomacy.v1.serde.rs"));
    }
}

/// Starships at Large.
pub mod starships_at_large {
    /// The messages of Starships at Large.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.starships_at_large.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.starships_at_large.v1.serde.rs"));
    }
}

/// Star Empires.
pub mod star_empires {
    /// The messages of Star Empires.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.star_empires.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.star_empires.v1.serde.rs"));
    }
}

/// Stellar Conquest and its variants.
pub mod stellar_conquest {
    /// The messages of Stellar Conquest.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.stellar_conquest.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.stellar_conquest.v1.serde.rs"));
    }
}

/// Slingshot, the game that authors of games copy.
pub mod template {
    /// The messages of Slingshot.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.template.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.template.v1.serde.rs"));
    }
}

/// What the server keeps: journal entries and snapshots. An export of a finished game holds entries too.
pub mod store {
    /// The messages of the store.
    pub mod v1 {
        #![allow(missing_docs, clippy::all, clippy::pedantic, unreachable_pub, unused_qualifications)]
        include!(concat!(env!("OUT_DIR"), "/heliopause.store.v1.rs"));
        include!(concat!(env!("OUT_DIR"), "/heliopause.store.v1.serde.rs"));
    }
}

/// The encoded descriptor set of the whole contract, for reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
