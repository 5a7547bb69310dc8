//! Where Cargo keeps the sources of locked dependencies: registry, git checkouts, vendor folders.
//! It reads a lock file and looks for folders. It never runs Cargo, and needs no network.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Crates of a lock file that are read.
const MAX_CRATES: usize = 10_000;
/// Folders of a registry or of git checkouts that are looked through.
const MAX_FOLDERS: usize = 10_000;

/// A crate of a lock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LockedCrate {
    pub name: String,
    pub version: String,
    /// Registry or repository as Cargo writes it; none for a path.
    pub source: Option<String>,
    /// SHA-256 of the package; only registries have one.
    pub checksum: Option<String>,
    /// As written: `name`, `name version` or `name version (source)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
}

/// Folders in which sources are looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFolders {
    /// `CARGO_HOME`; none if no sources shall be read from it.
    pub cargo_home: Option<PathBuf>,
    /// Folder that replaces a registry, as `cargo vendor` makes it.
    pub vendor: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
struct LockFile {
    #[serde(default)]
    package: Vec<LockedCrate>,
}

impl LockedCrate {
    /// Without its own dependencies.
    #[must_use]
    pub fn plain(&self) -> Self {
        Self { dependencies: Vec::new(), ..self.clone() }
    }
}

/// The crates of a lock file; sorted.
///
/// # Errors
/// The reason, if the text is no lock file.
pub fn locked_crates(lock: &str) -> Result<Vec<LockedCrate>, String> {
    let file: LockFile = toml::from_str(lock).map_err(|error| error.message().to_owned())?;
    let mut crates: Vec<LockedCrate> = file.package.into_iter().take(MAX_CRATES).collect();
    crates.sort();
    Ok(crates)
}

impl SourceFolders {
    /// Where Cargo keeps sources for this user, and for a workspace in this folder: `CARGO_HOME`,
    /// else `~/.cargo`; and the folder below the workspace that its `.cargo/config.toml` replaces
    /// a source with.
    pub fn find(root: &Path) -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty());
        let home = || set("HOME").map(|home| PathBuf::from(home).join(".cargo"));
        let cargo_home = set("CARGO_HOME").map(PathBuf::from).or_else(home);
        SourceFolders {
            cargo_home: cargo_home.filter(|home| home.is_absolute()),
            vendor: vendor_folder(root),
        }
    }

    /// The folder with the sources of a crate. That of a crate from git is its whole repository,
    /// in which the package has a manifest somewhere. None if the sources are not there.
    pub fn folder_of(&self, krate: &LockedCrate) -> Option<PathBuf> {
        // Both become parts of paths.
        if !is_plain(&krate.name) || !is_plain(&krate.version) {
            return None;
        }
        let source = krate.source.as_deref()?;
        if let Some(vendored) = self.vendored(krate) {
            return Some(vendored);
        }
        let home = self.cargo_home.as_deref()?;
        match source.strip_prefix("git+") {
            Some(git) => checkout(home, git),
            None => registry(home, source, krate),
        }
    }

    fn vendored(&self, krate: &LockedCrate) -> Option<PathBuf> {
        let vendor = self.vendor.as_deref()?;
        // The version is in the name of the folder only where there are several.
        let names = [format!("{}-{}", krate.name, krate.version), krate.name.clone()];
        names.iter().map(|name| vendor.join(name)).find(|folder| {
            let is_whole = is_file(&folder.join(".cargo-checksum.json"));
            is_folder(folder) && is_whole && is_package(folder, krate)
        })
    }
}

/// The folder of vendored sources. One that is not below the root is not read: the file is the
/// repository's.
fn vendor_folder(root: &Path) -> Option<PathBuf> {
    let bytes = super::read_file(root, ".cargo/config.toml", 4 << 20).ok()?;
    let config: toml::Table = String::from_utf8(bytes).ok()?.parse().ok()?;
    let sources = config.get("source")?.as_table()?;
    let folder = sources.values().find_map(|source| source.get("directory")?.as_str())?;
    let folder = super::paths::join("", folder)?;
    let full = root.join(folder);
    is_folder(&full).then_some(full)
}

fn registry(home: &Path, source: &str, krate: &LockedCrate) -> Option<PathBuf> {
    let host = host(source)?;
    // The public registry has another host since its index is sparse.
    let hosts = if source.ends_with("/crates.io-index") {
        vec!["index.crates.io", host]
    } else {
        vec![host]
    };
    let folders = folders(&home.join("registry/src"));
    let of_host = hosts.iter().flat_map(|host| {
        // `HOST-HASH`
        folders.iter().filter(move |(name, _)| {
            name.rsplit_once('-').is_some_and(|(before, _)| before == *host)
        })
    });
    let name = format!("{}-{}", krate.name, krate.version);
    // Cargo writes `.cargo-ok` once all is unpacked.
    of_host
        .map(|(_, folder)| folder.join(&name))
        .find(|folder| is_folder(folder) && is_file(&folder.join(".cargo-ok")))
}

/// `git`: `URL?branch=…#REVISION`.
fn checkout(home: &Path, git: &str) -> Option<PathBuf> {
    let (url, revision) = git.rsplit_once('#')?;
    let url = url.split('?').next()?.trim_end_matches('/');
    let name = url.rsplit('/').next()?.trim_end_matches(".git").to_lowercase();
    let is_revision = revision.len() >= 7 && revision.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_revision || !is_plain(&name) {
        return None;
    }
    let of_name = folders(&home.join("git/checkouts"))
        .into_iter()
        .filter(|(folder, _)| folder.rsplit_once('-').is_some_and(|(before, _)| before == name));
    // The folder of a revision has the shortest prefix that was unique.
    let mut found = of_name.flat_map(|(_, folder)| folders(&folder)).filter(|(short, folder)| {
        short.len() >= 7
            && revision.starts_with(short.as_str())
            && is_file(&folder.join(".cargo-ok"))
    });
    let (_, only) = found.next()?;
    // Repositories of one name may share the beginning of a revision.
    found.next().is_none().then_some(only)
}

/// `registry+https://HOST/…` or `sparse+https://HOST/…`.
fn host(source: &str) -> Option<&str> {
    let (_, rest) = source.split_once("://")?;
    let host = rest.split(['/', ':']).next()?;
    (!host.is_empty()).then_some(host)
}

fn is_plain(part: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_+.".contains(c);
    !part.is_empty() && !part.starts_with('.') && part.chars().all(plain)
}

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// Folders in a folder with their names, sorted; links are left out.
fn folders(path: &Path) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let entries = entries.take(MAX_FOLDERS).filter_map(Result::ok);
    let is_dir = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    let named = entries.filter(is_dir).filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some((name, entry.path()))
    });
    let mut all: Vec<_> = named.collect();
    all.sort();
    all
}

/// Whether the manifest of a folder is that of the crate.
fn is_package(folder: &Path, krate: &LockedCrate) -> bool {
    #[derive(Deserialize)]
    struct Manifest {
        package: Package,
    }
    #[derive(Deserialize)]
    struct Package {
        name: String,
        version: String,
    }
    let Ok(bytes) = super::read_file(folder, "Cargo.toml", 4 << 20) else { return false };
    let Ok(text) = String::from_utf8(bytes) else { return false };
    toml::from_str(&text).is_ok_and(|Manifest { package }| {
        (&package.name, &package.version) == (&krate.name, &krate.version)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::tree;
    use super::*;

    const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

    const HOME: &str = "
        //- registry/src/index.crates.io-1949cf8c6b5b557f/log-0.4.2/.cargo-ok
        //- registry/src/index.crates.io-1949cf8c6b5b557f/half-1.0.0/Cargo.toml
        //- registry/src/crates.example.org-00/log-0.4.3/.cargo-ok
        //- git/checkouts/tool-0f/abcdef0/.cargo-ok
        //- git/checkouts/tool-1a/1234567/.cargo-ok
        //- vendor/log/.cargo-checksum.json
        //- vendor/log/Cargo.toml
        [package]
        name = \"log\"
        version = \"0.4.9\"
        //- secret/.cargo-ok
        ";

    #[track_caller]
    fn check(name: &str, version: &str, source: &str, expected: Option<&str>) {
        let home = tree(HOME);
        let folders = SourceFolders {
            cargo_home: Some(home.path().to_owned()),
            vendor: Some(home.path().join("vendor")),
        };
        let krate = LockedCrate {
            name: name.to_owned(),
            version: version.to_owned(),
            source: (!source.is_empty()).then(|| source.to_owned()),
            checksum: None,
            dependencies: Vec::new(),
        };
        let found = folders.folder_of(&krate);
        let found = found.as_deref().map(|found| found.strip_prefix(home.path()).unwrap());
        assert_eq!(found, expected.map(Path::new), "{name} {version} {source}");
        assert_eq!(SourceFolders::default().folder_of(&krate), None);
    }

    #[test]
    fn registries_are_told_apart_by_their_host() {
        let own = "registry/src/index.crates.io-1949cf8c6b5b557f/log-0.4.2";
        check("log", "0.4.2", CRATES_IO, Some(own));
        check("log", "0.4.3", CRATES_IO, None);
        let other = "registry/src/crates.example.org-00/log-0.4.3";
        check("log", "0.4.3", "sparse+https://crates.example.org/index/", Some(other));
        // Not all of it was unpacked.
        check("half", "1.0.0", CRATES_IO, None);
        // A path has no source.
        check("log", "0.4.2", "", None);
    }

    #[test]
    fn checkouts_are_found_by_repository_and_revision() {
        let url = "git+https://example.org/a/Tool.git?branch=main";
        let found = Some("git/checkouts/tool-0f/abcdef0");
        check("tool", "1.0.0", &format!("{url}#abcdef0123456789"), found);
        check("tool", "1.0.0", &format!("{url}#fedcba0123456789"), None);
        check("tool", "1.0.0", url, None);
    }

    #[test]
    fn a_vendored_crate_has_the_version_of_its_manifest() {
        check("log", "0.4.9", CRATES_IO, Some("vendor/log"));
        check("log", "0.4.8", CRATES_IO, None);
    }

    #[test]
    fn names_lead_nowhere_else() {
        check("../../../secret", "1", CRATES_IO, None);
        check("..", "", CRATES_IO, None);
        check("log", "0.4.2/../../../secret", CRATES_IO, None);
        check("x", "1.0.0", "git+https://example.org/..#abcdef0123456789", None);
    }

    #[test]
    fn a_lock_file_lists_all_crates() {
        let lock = format!(
            "version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\
             dependencies = [\"log\"]\n[[package]]\nname = \"log\"\nversion = \"0.4.2\"\n\
             source = \"{CRATES_IO}\"\nchecksum = \"00ff\"\n"
        );
        let found = locked_crates(&lock).unwrap();
        let names: Vec<_> =
            found.iter().map(|k| (k.name.as_str(), k.checksum.as_deref())).collect();
        assert_eq!(names, [("app", None), ("log", Some("00ff"))]);
        assert_eq!(locked_crates("").unwrap(), []);
        assert!(locked_crates("not toml [").is_err());
    }
}
