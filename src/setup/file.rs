//! Reading and writing a client's file: never through a link, and all or nothing.

use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use asof_files::state::{Folder, StateError};
use asof_model::ErrorKind;

use asof_surface::problem::Problem;

/// A file below a folder that exists.
#[derive(Debug, Clone)]
pub struct File {
    base: PathBuf,
    folders: Vec<String>,
    name: String,
    /// Whether a new one is readable by its owner alone: other entries may have secrets.
    is_private: bool,
}

/// Larger files are refused: 16 MiB.
const MOST: u64 = 16 << 20;

impl File {
    pub fn new(base: PathBuf, path: &Path, is_private: bool) -> Self {
        let mut folders: Vec<String> =
            path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = folders.pop().unwrap_or_default();
        Self { base, folders, name, is_private }
    }

    pub fn path(&self) -> PathBuf {
        let mut path = self.base.clone();
        path.extend(&self.folders);
        path.join(&self.name)
    }

    /// The folder of the file, if it exists. The path to `base` was chosen by the user, links
    /// included; below it, links are refused.
    fn folder(&self) -> Result<Option<Folder>, Problem> {
        let Ok(base) = std::fs::canonicalize(&self.base) else { return Ok(None) };
        let mut folder = Folder::open(&base).map_err(problem)?;
        for name in &self.folders {
            let Some(open) = folder else { return Ok(None) };
            folder = open.sub(name).map_err(problem)?;
        }
        Ok(folder)
    }

    fn make_folder(&self) -> Result<Folder, Problem> {
        let io = |error| Problem::io("create", &self.base, &error);
        std::fs::create_dir_all(&self.base).map_err(io)?;
        let base = std::fs::canonicalize(&self.base).map_err(io)?;
        let mut folder = Folder::create(&base).map_err(problem)?;
        for name in &self.folders {
            folder = folder.make_sub(name).map_err(problem)?;
        }
        Ok(folder)
    }
}

/// The text of a file; none if it does not exist.
pub fn read(file: &File) -> Result<Option<String>, Problem> {
    let Some(folder) = file.folder()? else { return Ok(None) };
    let Some(bytes) = folder.read(&file.name, MOST).map_err(problem)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = format!("{} is not UTF-8", file.path().display());
        Problem::new(ErrorKind::Failure, message, "save it as UTF-8")
    })?;
    Ok(Some(text))
}

/// Writes a file whose text was `old`: the whole new text, or nothing.
pub fn write(file: &File, old: Option<&str>, new: &str) -> Result<(), Problem> {
    let folder = file.make_folder()?;
    let path = file.path();
    let mode = match path.symlink_metadata() {
        Ok(meta) => Some(meta.mode() & 0o7777),
        Err(_) => file.is_private.then_some(0o600),
    };
    let temporary = format!(".{}.asof-{}", file.name, std::process::id());
    let output = folder.replace_file(&temporary).map_err(problem)?;
    let done = fill(output, mode, new)
        .map_err(|error| Problem::io("write", &path, &error))
        .and_then(|()| expect(file, old))
        .and_then(|()| folder.rename(&temporary, &file.name).map_err(problem));
    if done.is_err() {
        folder.remove_file(&temporary).map_err(problem)?;
    }
    done?;
    folder.sync().map_err(problem)
}

fn fill(mut output: std::fs::File, mode: Option<u32>, text: &str) -> io::Result<()> {
    if let Some(mode) = mode {
        output.set_permissions(Permissions::from_mode(mode))?;
    }
    output.write_all(text.as_bytes())?;
    output.sync_all()
}

/// Removes a file whose text was `old`.
pub fn remove(file: &File, old: &str) -> Result<(), Problem> {
    expect(file, Some(old))?;
    match file.folder()? {
        Some(folder) => folder.remove_file(&file.name).map_err(problem),
        None => Ok(()),
    }
}

/// Checks that nobody has changed the file since it was read.
fn expect(file: &File, old: Option<&str>) -> Result<(), Problem> {
    if read(file)?.as_deref() == old {
        return Ok(());
    }
    let message = format!("{} was changed by another program just now", file.path().display());
    Err(Problem::new(ErrorKind::Stale, message, "run the command again"))
}

fn problem(error: StateError) -> Problem {
    let hint = match &error {
        StateError::NotOurs { .. } => "edit the file that it leads to by hand",
        _ => "check the path, its permissions and the free space",
    };
    let causes = match &error {
        StateError::Io { source, .. } => vec![source.to_string()],
        _ => Vec::new(),
    };
    Problem { causes, ..Problem::new(ErrorKind::Failure, error.to_string(), hint) }
}
