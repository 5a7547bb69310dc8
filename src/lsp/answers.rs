//! Writes answers of commands to files, for clients that can show nothing else.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

/// The files of a session, in a folder that is removed with it.
#[derive(Debug, Default)]
pub struct Answers(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    folder: Option<TempDir>,
    count: usize,
}

impl Answers {
    /// A new read-only file with a text.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn file(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let kept = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match kept.folder.take() {
            Some(folder) => folder,
            None => new_folder()?,
        };
        let folder = kept.folder.insert(folder);
        kept.count += 1;
        let path = folder.path().join(format!("{}-{name}", kept.count));
        fs::write(&path, text)?;
        let mut permissions = fs::metadata(&path)?.permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions)?;
        Ok(path)
    }

    pub fn remove(&self) {
        let folder = self.0.lock().unwrap_or_else(PoisonError::into_inner).folder.take();
        // What cannot be removed is left to the system.
        drop(folder);
    }
}

/// Nobody else can read it.
fn new_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("asof-lsp-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_removed_with_their_folder() {
        let answers = Answers::default();
        let (one, two) = (answers.file("a.txt", "1").unwrap(), answers.file("a.txt", "2").unwrap());
        assert_eq!(fs::read_to_string(&one).unwrap(), "1");
        assert_eq!(fs::read_to_string(&two).unwrap(), "2");
        assert!(fs::metadata(&one).unwrap().permissions().readonly());
        answers.remove();
        assert!(!one.parent().unwrap().exists());
    }
}
