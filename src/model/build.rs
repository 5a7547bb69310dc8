//! Hands on the target that this program is built for, which is that of default configurations.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ASOF_TARGET={target}");
}
