//! Several source files written all or nothing: [`apply`], [`undo`] and, after a process died in
//! the middle, [`recover`]. It knows only paths and bytes, never why they change.
//!
//! # What is guaranteed
//!
//! *All or nothing.* A transaction is prepared when `<id>.open` appears in the journal, and
//! committed when that folder is renamed to `<id>.done`. Files are renamed only in between, so a
//! process that dies at any moment leaves either no prepared transaction, and the old files; or a
//! prepared one, which [`recover`] rolls **back**; or a committed one, whose files are all new and
//! on disk. There is no third case and no state that is rolled forward. The same code rolls back
//! when a step fails. Each step back checks what is there instead of relying on a note about how
//! far the dead process came, so it can itself be killed and repeated.
//!
//! *Where new content waits.* In the folder of the journal, which Git, watchers and the walk leave
//! out; there, old content waits for the commit. Beside the file only if the journal is on another
//! file system, or if the folder gives new files a group or an access list: a process that dies then
//! leaves `.asof-...` files until the next recovery. They are neither indexed nor watched, but Git sees
//! them.
//!
//! *The order on disk.* Saved bytes, manifest, their folder: synced. Rename to `.open`, journal
//! folder: synced. New contents, under temporary names: synced. Renames into
//! place; then [`AfterWrite`]; then every folder that was touched: synced. Rename to `.done`,
//! journal folder: synced. So the guarantee also holds for a loss of power, if the disk honours
//! syncs; a temporary file without a journal may remain.
//!
//! *No lost update.* A new file is exchanged for the old one in one step (`RENAME_EXCHANGE`). Only
//! then is the old one, which can no longer be reached by its name, compared with what was
//! expected. If it differs, the two are exchanged back. What another program renamed or wrote into
//! place up to that moment is therefore seen and kept. A program that writes later into a file that
//! it had opened before is noticed until the commit. Without `RENAME_EXCHANGE` (some network and
//! old file systems) content is compared immediately before the rename, and the time between the
//! two is open. New files are renamed with `RENAME_NOREPLACE`, or linked.
//!
//! *Never outside.* Folders are opened from the root one name at a time, following no link, and
//! every step works on names within an open folder. A link that replaces a folder or file at
//! any time is refused or has no effect. A folder that is moved away between check and rename
//! may be written to at its new place: the file in it is still the one that was checked, and it is
//! changed back, because folders are checked again before [`AfterWrite`].
//!
//! *What a file keeps.* Permission bits, owner and extended attributes, the latter two as far as
//! the system allows. Not its inode: a file with several hard links is separated from the
//! others, which keep the old text (see [`DoneFile::hard_links`]), because writing through a link
//! could reach outside the root. Its time of modification always changes, so that new text is not
//! taken for old. A rollback restores the very same file, unless the system has no exchange.
//!
//! *Edits by others during a transaction* are never overwritten: if a file is neither old nor new
//! when it is rolled back, it stays as it is, and the journal is kept as `<id>.conflict` with both
//! texts. A journal that cannot be read is kept as `<id>.damaged`, and no source file is
//! touched.
//!
//! # The journal
//!
//! `<state>/journal/<id>.<state>/` holds `bytes.zst` (old and new contents, one after the other)
//! and `manifest` (a line with its own checksum, a line of JSON). `.new`: being written, means
//! nothing. `.open`: prepared. `.done`: committed, temporary files not yet removed. No suffix:
//! finished, kept for undo as long as [`Retention`] says. `.gone`: being deleted.
//! `<state>/edit.lock` is held from before `.new` until after `.done`, so that no process recovers
//! a running transaction of another.

mod apply;
mod change;
mod disk;
mod error;
mod fault;
mod folders;
mod journal;
mod lock;
mod manifest;
mod path;
mod place;
mod recover;
mod retain;
mod step;

// They inject failures at named points, which release builds do not have.
#[cfg(test)]
#[cfg(debug_assertions)]
mod tests;

pub use apply::{AfterWrite, apply, undo};
pub use change::{
    Carried, Done, DoneFile, FileChange, FileFate, FileOutcome, Outcome, Recovered, RecoveredFile,
    Saved, SavedFile, Texts, Transaction,
};
pub use error::FilesError;
pub use journal::{previous, since, texts};
pub use lock::is_editing;
pub use path::{check_path, is_temporary};
pub use recover::{recover, try_recover, unfinished};
pub use retain::{Retention, prune};
