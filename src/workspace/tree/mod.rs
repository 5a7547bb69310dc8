//! Sources of files: a folder on disk, or a commit. The walk, the manifests and the parser read
//! through [`SourceTree`], whose operations follow no links; `links.rs` follows them for both,
//! within the tree. So a commit gives the same result as its checkout, and nothing is ever written.

mod commit;
mod disk;
mod git_index;
mod given;
mod links;
mod object;
mod overlay;
mod read;
mod reader;
mod source;

pub use commit::{CommitTree, Commits};
pub use disk::Disk;
pub use given::GivenFiles;
pub(super) use links::{Lost, resolve};
pub use object::{HashKind, Listing, parse_tree};
pub use overlay::Overlay;
pub use read::{content_id_of, read_from};
pub(super) use read::{file_at, not_plain};
pub(super) use source::within;
pub use source::{Budget, Entry, Kind, NoBytes, Refusal, SourceTree};
