//! A workspace's database as a whole: it is opened, brought up to date, and read at one moment
//! ([`Snapshot`]). Here is what concerns no single item: names of revisions, state, backups, dropped
//! and imported history, edits that a dead process left, and the registry of projects.

mod backup;
mod bundle;
pub(crate) mod cached_commits;
mod conditions;
mod gc;
mod handle;
mod import;
mod matching;
mod named;
mod note;
mod projects;
mod recover;
mod scip_rows;
mod scoped_thread;
mod snapshot;
mod status;
mod timeline;
mod verify;
mod worktree;

pub use backup::{inspect_backup, verify_backup};
pub use bundle::{BundleCheck, KeptBundles};
pub use gc::{GcMode, Keep};
pub use handle::{Database, Recreated, STATE_DIR};
pub use projects::Projects;
pub use recover::needs_attention;
pub use snapshot::{Refresh, Snapshot};
pub use worktree::{Origin, StartFrom};

pub(super) use conditions::{Edge, either};
pub(super) use handle::canonical;
pub(super) use named::{alike, no_repository, repository};
pub(super) use note::{UNDO, planned_paths, undo_id, unsettled};
pub(super) use scip_rows::{FileKey, use_key};
pub(super) use timeline::{Window, commit_times, is_moved};
