//! asof's own files: in `.asof`, beside a database, and in temporary folders.
//!
//! A hostile repository may contain a `.asof` folder. So state files are never opened through a
//! link, no file with a second name is written, new files are created exclusively, and anything but
//! a regular file or folder is refused before it is opened: a FIFO would hang, and opening a device
//! may have effects. It never decides what a file contains, and never touches a source file.

mod error;
mod folder;
mod lock;
mod scratch;

pub use error::StateError;
pub use folder::{Folder, check_file, publish};
pub use lock::{acquire, is_held};
pub use scratch::{Scratch, sweep};
