//! The token of a server: a secret in `.asof/http-token` that only its owner can read.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use asof_engine::STATE_DIR;
use asof_files::state::{Folder, StateError, publish};
use asof_model::{ErrorKind, Hint};
use uuid::Uuid;

use asof_surface::problem::Problem;

const NAME: &str = "http-token";
/// Hexadecimal digits of a token.
const DIGITS: usize = 64;

/// A token.
#[derive(Clone)]
pub struct Token {
    /// Hashes are compared: in constant time, and whatever the length of what was sent.
    hash: blake3::Hash,
    pub path: PathBuf,
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Token").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Token {
    /// Reads the token of a workspace, or makes it.
    ///
    /// # Errors
    /// A link or another file in its place, one that others may read, or that is not a token.
    pub fn load(root: &Path) -> Result<Self, Problem> {
        let folder = Folder::create(&root.join(STATE_DIR)).map_err(problem)?;
        let path = folder.path().join(NAME);
        if !folder.has(NAME) {
            make(&folder, &path)?;
        }
        let (file, bytes) = folder
            .read_file(NAME, DIGITS as u64 + 1)
            .map_err(problem)?
            .ok_or_else(|| refused(&path, "was removed"))?;
        is_private(&file, &path)?;
        let text = String::from_utf8(bytes).unwrap_or_default();
        let text = text.trim_end();
        if text.len() != DIGITS || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(refused(&path, "does not contain a token"));
        }
        Ok(Self { hash: blake3::hash(text.as_bytes()), path })
    }

    /// Whether a client knows it.
    pub fn is(&self, given: &str) -> bool {
        self.hash == blake3::hash(given.as_bytes())
    }
}

/// Writes a new token beside the name and then gives it the name, so that a reader never sees a
/// part of it. Another server may be first: its token counts.
fn make(folder: &Folder, path: &Path) -> Result<(), Problem> {
    let secret = format!("{}{}\n", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let draft = format!("{NAME}.{}", Uuid::new_v4().simple());
    let failed = |error: std::io::Error| Problem::io("write", path, &error);
    let mut file = folder.create_private_file(&draft).map_err(problem)?;
    let written = file.write_all(secret.as_bytes()).and_then(|()| file.sync_all());
    let done = written.and_then(|()| publish(&folder.path().join(&draft), path));
    if done.is_err() {
        let _ = folder.remove_file(&draft);
    }
    match done {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        done => done.map_err(failed),
    }
}

/// Refuses a file that others may read or write, or that belongs to somebody else.
fn is_private(file: &File, path: &Path) -> Result<(), Problem> {
    let meta = file.metadata().map_err(|error| Problem::io("read", path, &error))?;
    if meta.permissions().mode() & 0o077 != 0 {
        return Err(refused(path, "can be read by other users"));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused(path, "belongs to another user"));
    }
    Ok(())
}

fn refused(path: &Path, why: &str) -> Problem {
    let message = format!("the token file {} {why}", path.display());
    let hint = Hint::advice("remove it; the next server makes a new one");
    Problem::new(ErrorKind::Failure, message, hint)
}

fn problem(error: StateError) -> Problem {
    let mut problem = Problem::new(ErrorKind::Failure, error.to_string(), StateError::HINT);
    if let Some(cause) = std::error::Error::source(&error) {
        problem.causes.push(cause.to_string());
        problem.hint = "check the path, its permissions and the free space".into();
    }
    problem
}
