#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| asof_fuzz::requests::run(data));
