//! Changes of every use of an item, as far as one text shows them: how a name is written at a place,
//! and which bytes become which. It finds no use (the engine does), and reads no file or database.

mod arguments;
mod bindings;
mod calls;
mod cuts;
mod declaration;
mod doc_links;
mod doc_text;
mod docs;
mod head;
mod imports;
mod indent;
mod list;
mod locals;
mod macro_code;
mod macro_rules;
mod macro_tokens;
mod mention;
mod name;
mod parameter_plan;
mod recall;
mod relative_files;
mod unnamed;
mod words;
mod written;

pub use arguments::Argument;
pub use bindings::{bindings, file_names};
pub use calls::{Around, Call, calls};
pub use cuts::{Bytes, Cut, Flat, Piece, flatten};
pub use declaration::{Declared, Undeclared, declare};
pub use doc_links::{DocLink, doc_links};
pub use docs::{DocName, DocPlace, code_names, doc_names, document_names};
pub use head::{Head, Param, head, lifetimes_of_type};
pub use imports::{ImportedName, Pruned, imported_as, imported_name, without_names};
pub use indent::reindented;
pub use list::{Entry, List, relist};
pub use locals::{LocalName, first_difference, is_text_alone, local_names};
pub use macro_rules::{MacroCall, MacroDefinition, MacroRules, macro_calls, macro_definitions};
pub use mention::Meant;
pub use name::{BadName, NewName};
pub use parameter_plan::{From, Misfit, Wanted, WantedParam, same_tokens};
pub use recall::{Callee, Recalled, Remark, recall};
pub use relative_files::{RelativeFile, join, relative_files};
pub use unnamed::{Lead, unnamed_place};
pub use words::{is_word, path_start, stands_alone, words};
pub use written::{Rewritten, Role, Writer};
