//! The merge driver in the files of a repository: a section of its local configuration, and a line of
//! its local attributes. Neither is part of what is committed.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use gix::bstr::BStr;
use gix::config::{File, Source};

use super::error::WorkspaceError;
use super::git::Git;

/// The driver's name.
const NAME: &str = "asof";
/// The files that it merges.
const ATTRIBUTE: &str = "*.rs merge=asof";

/// What was done to the files of a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverSetup {
    pub config: PathBuf,
    pub attributes: PathBuf,
    /// Whether anything was changed.
    pub changed: bool,
}

impl Git {
    /// Makes a command the driver that merges Rust files in all worktrees of the repository.
    ///
    /// # Errors
    /// A file cannot be read or written, or another process is writing it.
    pub fn install_merge_driver(&self, command: &str) -> Result<DriverSetup, WorkspaceError> {
        self.set_up(
            |config| {
                let named = Some(BStr::new(NAME));
                let mut changed = false;
                let values = [
                    ("name", "merge of Rust files by items"),
                    ("driver", command),
                    // What several bases have in common has no use for items.
                    ("recursive", "text"),
                ];
                for (key, value) in values {
                    if config
                        .string_by("merge", named, key)
                        .is_some_and(|is| is == BStr::new(value))
                    {
                        continue;
                    }
                    let set = config.set_raw_value_by("merge", named, key, BStr::new(value));
                    set.map_err(|error| error.to_string())?;
                    changed = true;
                }
                Ok(changed)
            },
            |lines| {
                let is_there = lines.iter().any(|line| line.trim() == ATTRIBUTE);
                if !is_there {
                    lines.push(ATTRIBUTE.to_owned());
                }
            },
        )
    }

    /// Removes what [`Self::install_merge_driver`] has written.
    ///
    /// # Errors
    /// A file cannot be read or written, or another process is writing it.
    pub fn uninstall_merge_driver(&self) -> Result<DriverSetup, WorkspaceError> {
        self.set_up(
            |config| Ok(config.remove_section("merge", Some(BStr::new(NAME))).is_some()),
            |lines| lines.retain(|line| line.trim() != ATTRIBUTE),
        )
    }

    fn set_up(
        &self,
        configure: impl FnOnce(&mut File) -> Result<bool, String>,
        attribute: impl FnOnce(&mut Vec<String>),
    ) -> Result<DriverSetup, WorkspaceError> {
        let common = self.repository.common_dir();
        let (config, attributes) = (common.join("config"), common.join("info/attributes"));
        let bad = |what: &Path, reason: &dyn std::fmt::Display| {
            self.bad(&format!("`{}`", what.display()), reason)
        };
        let old = read(&config).map_err(|error| bad(&config, &error))?;
        let meta = gix::config::file::Metadata::from(Source::Local);
        let parsed = File::from_bytes_no_includes(old.as_bytes(), meta, Default::default());
        let mut file = parsed.map_err(|error| bad(&config, &error))?;
        let is_configured = configure(&mut file).map_err(|error| bad(&config, &error))?;
        let listed = read(&attributes).map_err(|error| bad(&attributes, &error))?;
        let mut lines: Vec<String> = listed.lines().map(str::to_owned).collect();
        let before = lines.len();
        attribute(&mut lines);
        let is_listed = lines.len() != before;
        if is_configured {
            let text = file.to_bstring();
            replace(&config, &text).map_err(|error| bad(&config, &error))?;
        }
        if is_listed {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let folder = common.join("info");
            fs::create_dir_all(&folder).map_err(|error| bad(&folder, &error))?;
            replace(&attributes, text.as_bytes()).map_err(|error| bad(&attributes, &error))?;
        }
        Ok(DriverSetup { config, attributes, changed: is_configured || is_listed })
    }
}

fn read(path: &Path) -> std::io::Result<String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Replaces a file as Git does: through a lock beside it.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let lock = PathBuf::from(name);
    let mut file = OpenOptions::new().write(true).create_new(true).open(&lock)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    drop(file);
    let done = written.and_then(|()| fs::rename(&lock, path));
    if done.is_err() {
        let _ = fs::remove_file(&lock);
    }
    done
}
