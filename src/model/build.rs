//! Passes the target of this build to the code: default configurations are for it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ASOF_TARGET={target}");
}
