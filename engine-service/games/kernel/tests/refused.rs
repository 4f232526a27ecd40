//! What the derive refuses, and what the compiler says of it. `TRYBUILD=overwrite cargo test`
//! writes the answers anew.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
