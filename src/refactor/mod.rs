//! Changes of every use of an item, as far as one text shows them: how a name is written at a place,
//! and which bytes become which. It finds no use (the engine does), and reads no file or database.

mod format;
mod generics;
mod locals;
mod name;
mod written;

pub use generics::{generic_names, has_generic};
pub use locals::{LocalName, first_difference, local_names};
pub use name::{BadName, NewName};
pub use written::{Role, Rewritten, Writer};
