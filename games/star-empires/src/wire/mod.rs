//! Encodings of types whose messages have a different structure than the Rust type.
// The wire macro passes a reference to each field.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::ref_option)]

mod galaxy;
mod options;
mod parts;
mod position;
#[cfg(test)]
mod tests;
mod texts;
