//! Compile errors of the derive. `TRYBUILD=overwrite cargo test` updates the expected output.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
