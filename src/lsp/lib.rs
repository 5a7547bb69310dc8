//! The language server: requests of editors, answered from the database, with unsaved texts in the
//! place of those on disk.
//!
//! `server` runs a session, `session` is what its requests share, `view` is what each of them asks:
//! a workspace at the moment of a document. Nothing here asks the store.

mod answers;
mod capabilities;
mod doc_links;
mod documents;
mod folder;
mod item_places;
mod local_facts;
mod operators;
mod places;
mod positions;
mod requests;
mod server;
mod session;
mod shift;
mod source;
mod spot;
mod transport;
mod unnamed;
mod view;

pub use server::{End, serve};
