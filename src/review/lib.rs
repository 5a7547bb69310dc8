//! The normal form of an item: its tokens with the identity of what each name means in the place of
//! the name, so that two forms are equal if the code is the same, whatever is renamed, moved,
//! imported in another way or reformatted. What the form does not show is kept beside it as facts,
//! each of which may be a reason to read the item. `docs/review.md` defines both.
//!
//! It finds no name (the engine does), and reads no file or database.

mod compare;
mod facts;
mod form_builder;
mod groups;
mod item_text;
mod known;
mod lists;
mod literals;
mod normal_form;
mod token;

#[cfg(test)]
mod tests;

pub use compare::{Difference, compare, with_later_names};
pub use facts::{Facts, MacroText, UnsureName};
pub use form_builder::normal_form;
pub use item_text::{FileText, ItemText, NameUse, Standpoint};
pub use known::{AttributeReads, attribute_reads};
pub use lists::{Element, NewElement, WantedList};
pub use normal_form::NormalForm;
pub use token::{Identity, Meaning, Token};
