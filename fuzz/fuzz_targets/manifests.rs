#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| asof_fuzz::manifests::run(data));
