#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| heliopause_fuzzing::drawing::drawing(data));
