//! Pages of the manual that are made, not written.
//! `WRITE_DOCS=1 cargo nextest run --workspace -E 'test(manual)'` makes them anew.

mod errors;
mod refusals;
