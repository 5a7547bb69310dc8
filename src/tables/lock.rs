//! Lock files of Cargo: which version of a dependency a package was built with.

use serde::Deserialize;

/// The lock file of a workspace from a moment on.
#[derive(Debug, Clone)]
pub struct LockAt {
    pub at: i64,
    /// Contents; none if there was no lock file.
    pub text: Option<String>,
}

/// A locked dependency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locked {
    pub version: String,
    /// Registry or repository; none for a path.
    pub source: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
struct File {
    #[serde(default)]
    package: Vec<Package>,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    version: String,
    source: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// A lock file that was read. One that is damaged locks nothing.
#[derive(Debug, Default)]
pub(super) struct Lock(File);

impl Lock {
    pub fn read(text: Option<&str>) -> Self {
        Self(text.and_then(|text| toml::from_str(text).ok()).unwrap_or_default())
    }

    /// What a package of the workspace depends on under this name. None if the file does not say,
    /// or if two versions fit.
    pub fn dependency(&self, package: &str, name: &str) -> Option<Locked> {
        let own = self.0.package.iter().find(|p| p.name == package && p.source.is_none())?;
        // `name`, `name version` or `name version (source)`: as much as tells them apart.
        let mut fitting = own.dependencies.iter().filter_map(|text| {
            let mut words = text.split(' ');
            (words.next() == Some(name)).then(|| words.next())
        });
        let version = fitting.next()?;
        if fitting.next().is_some() {
            return None;
        }
        let mut found = self
            .0
            .package
            .iter()
            .filter(|p| p.name == name && version.is_none_or(|version| p.version == version));
        let one = found.next()?;
        if found.next().is_some() {
            return None;
        }
        Some(Locked { version: one.version.clone(), source: one.source.clone() })
    }
}

/// What a package depends on under this name, by the text of a lock file.
pub fn locked(text: &str, package: &str, name: &str) -> Option<Locked> {
    Lock::read(Some(text)).dependency(package, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["log", "rand 0.8.5", "util"]
[[package]]
name = "two"
version = "0.1.0"
dependencies = ["rand 0.8.5", "rand 0.9.1"]
[[package]]
name = "log"
version = "0.4.2"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "rand"
version = "0.9.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "util"
version = "0.2.0"
"#;

    #[track_caller]
    fn check(package: &str, name: &str, expected: Option<(&str, bool)>) {
        let found = locked(LOCK, package, name);
        let found = found.as_ref().map(|f| (f.version.as_str(), f.source.is_some()));
        assert_eq!(found, expected, "{package} → {name}");
    }

    #[test]
    fn versions_are_those_of_the_package() {
        check("app", "log", Some(("0.4.2", true)));
        check("app", "rand", Some(("0.8.5", true)));
        check("app", "util", Some(("0.2.0", false)));
        // Under two names in the code; the file does not say which is which.
        check("two", "rand", None);
        check("app", "serde", None);
        check("missing", "log", None);
        assert_eq!(locked("not toml [", "app", "log"), None);
    }
}
