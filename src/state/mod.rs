//! Files of our own state: what is in `.asof`, beside a database, and in temporary folders.
//!
//! A repository may contain a `.asof` of its own. So nothing of ours is opened through a link, no
//! file with a second name is written, new files are created exclusively, and anything other than
//! a plain file or folder is refused before it is opened: a FIFO would hang, a device could act.
//! It never decides what a file contains, and never touches a source file.

mod error;
mod folder;
mod lock;
mod scratch;

pub use error::StateError;
pub use folder::{Folder, check_file, publish};
pub use lock::acquire;
pub use scratch::{Scratch, sweep};
