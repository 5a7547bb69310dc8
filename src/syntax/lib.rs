//! From the text of one Rust file to its facts: items, hashes, texts, issues.
//! A pure function of the text: it reads no disk and no clock, knows no other file, resolves no
//! name, and takes any bytes without a panic or unbounded work.

mod anatomy;
mod attrs;
mod build;
mod declarations;
mod depth;
mod docs;
mod editions;
mod extent;
mod file;
mod format_strings;
mod hashes;
mod hazards;
mod head;
mod highlight;
mod lexer;
mod lifetimes;
mod macro_arguments;
mod macros;
mod markdown;
mod mention;
mod metrics;
mod normal_names;
mod parts;
mod query;
mod ranges;
mod recover;
mod signature;
mod skeleton;
mod source;
mod spacing;
mod split;
mod strict;
mod test_code;
mod tokens;
mod uses;
mod walk;

#[cfg(test)]
mod tests;

pub use anatomy::{Anatomy, Scan, is_closed};
pub use declarations::{
    DeclaredAt, DeriveMacro, Wanted, declared_anywhere, declared_in, declared_publicly,
    derive_macros,
};
pub use docs::without_docs;
pub use file::{
    MAX_FILE_BYTES, STACK_BYTES, parse_file, parse_file_isolated, parse_whole, with_large_stack,
};
pub use format_strings::{before_format, captured};
pub use hazards::{Hazard, HazardKind, Hazards, hazards};
pub use highlight::{Highlight, HighlightClass, highlights};
pub use lexer::{Kind, Token as LexToken, is_word_part, lex};
pub use lifetimes::without_lifetimes;
pub use macro_arguments::MAX_MACRO_DEPTH;
pub use macros::parse_all;
pub use markdown::{MAX_DOCUMENT_BYTES, MAX_SECTIONS, doc_sections, sections};
pub use metrics::{Component, Figures, GRADES, Tdg, points, tdg};
pub use query::{
    SyntaxCapture, SyntaxMatch, SyntaxMatches, SyntaxQuery, SyntaxQueryError, TreeCache,
};
pub use ranges::{Block, blocks, nodes_around};
pub use signature::{SignatureParts, signature_parts};
pub use skeleton::{parse_declarations, parse_item_tree};
pub use spacing::{as_written, in_one_line};
pub use tokens::{Token, TokenClass, code_tokens};
pub use uses::{ExpandedCode, read_expansion};
