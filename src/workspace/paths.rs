//! Paths relative to the root, as text with `/` between the parts. The root itself is empty.

use std::path::Path;

/// The folder of a path: all before the last `/`.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(dir, _)| dir)
}

/// The last part of a path.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The last part of a path without its `.rs`.
pub(super) fn stem(path: &str) -> &str {
    let name = name(path);
    name.strip_suffix(".rs").unwrap_or(name)
}

/// `path` as seen from the folder `dir`, with `.` and `..` resolved as text.
/// `None` if it is absolute or leaves the root.
pub fn join(dir: &str, path: &str) -> Option<String> {
    if Path::new(path).is_absolute() || path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(is_separator) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn is_separator(c: char) -> bool {
    c == '/' || (cfg!(windows) && c == '\\')
}

/// Path of the manifest of `dir`.
pub fn manifest_of(dir: &str) -> String {
    if dir.is_empty() { "Cargo.toml".to_owned() } else { format!("{dir}/Cargo.toml") }
}

/// The name of a crate in paths: every character that is not valid in an identifier becomes `_`.
pub(super) fn crate_name(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert(0, '_');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_never_leaves_the_root() {
        assert_eq!(join("a/b", "../c.rs").as_deref(), Some("a/c.rs"));
        assert_eq!(join("a/b", "./x/./y.rs").as_deref(), Some("a/b/x/y.rs"));
        assert_eq!(join("", "x.rs").as_deref(), Some("x.rs"));
        assert_eq!(join("a", "..").as_deref(), Some(""));
        assert_eq!(join("a", "../../x.rs"), None);
        assert_eq!(join("a", "b/../../../a/x.rs"), None);
        assert_eq!(join("a", "/etc/passwd"), None);
    }

    #[test]
    fn crate_names_are_identifiers() {
        assert_eq!(crate_name("my-crate"), "my_crate");
        assert_eq!(crate_name("2024.day"), "_2024_day");
        assert_eq!(crate_name("naïve"), "naïve");
    }
}
