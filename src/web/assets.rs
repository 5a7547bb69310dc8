//! Stylesheet, script and icon, as they are in `assets/`: nothing is built. Addresses contain a
//! hash, so that browsers keep them.

use std::io::Write;
use std::sync::LazyLock;

use asof_model::OrNever;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file of the explorer.
#[derive(Debug)]
pub struct Asset {
    name: &'static str,
    pub kind: &'static str,
    pub bytes: &'static [u8],
    pub gzip: Vec<u8>,
    hash: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let files: [(&str, &str, &[u8]); 3] = [
        ("style.css", "text/css; charset=utf-8", include_bytes!("assets/style.css")),
        ("script.js", "text/javascript; charset=utf-8", include_bytes!("assets/script.js")),
        ("icon.svg", "image/svg+xml", include_bytes!("assets/icon.svg")),
    ];
    let asset = |(name, kind, bytes): (&'static str, &'static str, &'static [u8])| {
        let hash = blake3::hash(bytes).to_hex().as_str().chars().take(12).collect();
        Asset { name, kind, bytes, gzip: compressed(bytes), hash }
    };
    files.into_iter().map(asset).collect()
});

/// The file with this name.
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

/// The address of a file.
pub fn address(name: &str) -> String {
    let hash = find(name).map_or("", |asset| asset.hash.as_str());
    format!("/assets/{name}?{hash}")
}

/// Changes with any of the files: a page names them.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let all: Vec<&str> = ASSETS.iter().map(|asset| asset.hash.as_str()).collect();
        all.concat()
    });
    &VERSION
}

/// Compressed with gzip.
pub fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), Compression::new(6));
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.or_never("a `Vec` takes every byte")
}
