//! Reads a file named on the command line. `-` is standard input; streams that the shell passes
//! below `/dev` are read to their end. Elsewhere only regular files are read, so that a named pipe
//! in a workspace is refused instead of blocking.

use std::io::{self, Read};
use std::path::Path;

use asof_files::plain::{Links, Unread};
use asof_surface::problem::Problem;

/// Name, for messages, and contents of a file of at most `cap` bytes.
pub fn read(path: &Path, cap: u64) -> Result<(String, Vec<u8>), Problem> {
    let name = path.display().to_string();
    if path.as_os_str() == "-" {
        return Ok(("standard input".to_owned(), stream(io::stdin().lock(), path, cap)?));
    }
    let is_stream = path == Path::new("/dev/stdin")
        || path.starts_with("/dev/fd")
        || path.starts_with("/proc/self/fd");
    if is_stream {
        let file = std::fs::File::open(path);
        let file = file.map_err(|error| Problem::io("read", path, &error))?;
        return Ok((name, stream(file, path, cap)?));
    }
    match asof_files::plain::read(path, cap, Links::Follow) {
        Ok(bytes) => Ok((name, bytes)),
        Err(Unread::Io(error)) => Err(Problem::io("read", path, &error)),
        Err(error) => Err(refused(path, &error)),
    }
}

fn stream(from: impl Read, path: &Path, cap: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let read = from.take(cap.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Problem::io("read", path, &error))?;
    match bytes.len() as u64 {
        len if len > cap => Err(refused(path, &Unread::TooLarge { len, cap })),
        _ => Ok(bytes),
    }
}

fn refused(path: &Path, reason: &Unread) -> Problem {
    let hint = "give a regular file, or `-` for standard input";
    Problem::bad_request(format!("cannot read {}: {reason}", path.display()), hint)
}
