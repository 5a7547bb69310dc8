//! Macros that crates define, and whether what they make may name another crate.
//!
//! A crate has to be in the sources of a macro for the macro to name it, unless the macro repeats
//! tokens of its call, which are searched as well.

use std::collections::BTreeSet;

use super::mentions::has_word;
use asof_syntax::{Kind, LexToken, lex};

/// A macro that a text defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub source: MacroSource,
}

/// What makes the tokens of a macro.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MacroSource {
    /// `macro_rules!`, with its rules.
    Rules(String),
    /// A function of a procedural macro: any code of its crate.
    Procedural,
    /// None: it is an attribute that a derive reads.
    Helper,
}

/// Functions with which a procedural macro reads files.
const READS: [&str; 3] = ["read_to_string", "File::open", "fs::read"];

/// Macros with which a crate defines procedural macros whose names are not those of functions.
const DEFINERS: [&str; 2] = ["decl_derive!", "decl_attribute!"];

impl MacroSource {
    /// Whether the rules include files.
    pub fn includes(&self) -> bool {
        matches!(self, Self::Rules(rules) if has_word(rules, "include"))
    }

    /// The macros that rules may call.
    pub fn calls(&self) -> BTreeSet<String> {
        match self {
            Self::Rules(rules) => super::scan(rules, &BTreeSet::new()).macros,
            Self::Procedural | Self::Helper => BTreeSet::new(),
        }
    }
}

/// Whether a text of a procedural macro reads files, which may name anything.
pub fn reads_files(text: &str) -> bool {
    READS.iter().any(|name| text.contains(name))
}

/// Whether a text of a procedural macro may define macros of any name.
pub fn defines_any(text: &str) -> bool {
    DEFINERS.iter().any(|name| text.contains(name))
}

/// The macros that a text defines.
pub fn definitions(text: &str) -> Vec<Definition> {
    if !text.contains("macro") {
        return Vec::new();
    }
    let tokens = lex(text, 0);
    let written = |token: &LexToken| text.get(token.start as usize..token.end as usize);
    let word =
        |at: usize| tokens.get(at).filter(|token| token.kind == Kind::Word).and_then(written);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        match word(at) {
            Some("macro_rules") => {
                let (name, open) = (word(at + 2), tokens.get(at + 3));
                let close = open.and_then(|open| tokens.get(open.mate as usize));
                if let (Some(name), Some(open), Some(close)) = (name, open, close) {
                    let rules = text.get(open.start as usize..close.end as usize);
                    let source = MacroSource::Rules(rules.unwrap_or_default().to_owned());
                    found.push(Definition { name: name.to_owned(), source });
                }
            }
            Some("proc_macro_derive") => {
                let end = tokens.get(at + 1).map_or(at, |open| open.mate as usize);
                let mut words = (at + 2..end).filter_map(word);
                found.extend(words.next().map(procedural));
                let helper =
                    |name: &str| Definition { name: name.to_owned(), source: MacroSource::Helper };
                found.extend(words.filter(|name| *name != "attributes").map(helper));
            }
            Some("proc_macro" | "proc_macro_attribute") => {
                // `#[proc_macro] … pub fn name`; not a path of the crate `proc_macro`.
                let is_attribute = tokens.get(at + 1).is_some_and(|next| next.byte == b']');
                let function = (at..tokens.len().min(at + MAX_BETWEEN))
                    .find(|at| word(*at) == Some("fn"))
                    .and_then(|at| word(at + 1));
                found.extend(function.filter(|_| is_attribute).map(procedural));
            }
            _ => {}
        }
    }
    found
}

/// Tokens between the attribute and the function of a macro.
const MAX_BETWEEN: usize = 400;

fn procedural(name: &str) -> Definition {
    Definition { name: name.to_owned(), source: MacroSource::Procedural }
}

/// New names of imports with their old ones: `old as new`.
pub fn renamed_imports(text: &str) -> Vec<(&str, &str)> {
    let is_word = asof_syntax::is_word_part;
    let renamed = text.match_indices(" as ").filter_map(|(at, mark)| {
        let (before, behind) = (text.get(..at)?, text.get(at + mark.len()..)?);
        let new = behind.split(|c| !is_word(c)).next().filter(|new| !new.is_empty())?;
        let old = before.rsplit(|c| !is_word(c)).next().filter(|old| !old.is_empty())?;
        (old != new).then_some((new, old))
    });
    renamed.collect()
}

/// Names of macros that a text defines by rules.
pub fn defined_rules(text: &str) -> Vec<String> {
    let is_rules = |one: &Definition| matches!(one.source, MacroSource::Rules(_));
    definitions(text).into_iter().filter(is_rules).map(|one| one.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_functions_define_macros() {
        let text = "#[macro_export] macro_rules! m { () => { ::x::f!() } }\n\
                    #[proc_macro_derive(D, attributes(h))] pub fn derive(i: TokenStream) {}\n\
                    #[proc_macro_attribute] /// Docs.\n pub fn attr(a: T) {}\n\
                    use proc_macro::TokenStream; fn no() {}";
        let found = definitions(text);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["m", "D", "h", "attr"]);
        assert_eq!(found[0].source, MacroSource::Rules("{ () => { ::x::f!() } }".to_owned()));
        assert_eq!(found[0].source.calls(), BTreeSet::from(["f".to_owned()]));
        assert_eq!(found[1].source, MacroSource::Procedural);
        assert_eq!(found[2].source, MacroSource::Helper);
        assert!(
            MacroSource::Rules("{ include!(concat!(env!(\"OUT_DIR\"), $f)) }".into()).includes()
        );
    }

    #[test]
    fn imports_rename_macros() {
        let found = renamed_imports("pub use m::main_rt as main; use a::{b as b2};");
        assert_eq!(found, [("main", "main_rt"), ("b2", "b")]);
    }
}
