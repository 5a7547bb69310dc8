//! Changes of every use of an item, as far as one text shows them: how a name is written at a place,
//! and which bytes become which. It finds no use (the engine does), and reads no file or database.

mod docs;
mod format;
mod generics;
mod imports;
mod indent;
mod locals;
mod mention;
mod name;
mod written;

pub use docs::{DocName, DocPlace, doc_names};
pub use generics::{generic_names, has_generic};
pub use imports::{ImportedName, Pruned, imported_as, imported_name, without_names};
pub use indent::reindented;
pub use locals::{LocalName, first_difference, local_names};
pub use mention::Meant;
pub use name::{BadName, NewName};
pub use written::{Rewritten, Role, Writer};
