//! Procedural macros: functions of their crate, which users know as macros.

use super::interface::Declaration;
use super::tokens::{closing, split};
use asof_model::NodeKind;
use asof_syntax::code_tokens;

impl Declaration {
    /// The macro that a function of a crate of procedural macros is: by the name of the derive, with
    /// its helper attributes as members. None for other functions.
    #[must_use]
    pub fn as_procedural_macro(&self) -> Option<Self> {
        let (kind, list) = self.attrs.iter().find_map(|attr| {
            let tokens: Vec<&str> = code_tokens(attr).iter().map(|token| token.text).collect();
            let at = tokens.iter().position(|token| token.starts_with("proc_macro"))?;
            let list = match tokens.get(at + 1) {
                Some(&"(") => tokens.get(at + 2..closing(&tokens, at + 1)).unwrap_or_default(),
                _ => &[],
            };
            let list: Vec<String> = list.iter().map(|token| (*token).to_owned()).collect();
            Some(((*tokens.get(at)?).to_owned(), list))
        })?;
        let words: Vec<&str> = list.iter().map(String::as_str).collect();
        let name = match kind.as_str() {
            "proc_macro_derive" => (*words.first()?).to_owned(),
            "proc_macro" | "proc_macro_attribute" => self.name.clone(),
            _ => return None,
        };
        let helpers = words.iter().position(|word| *word == "attributes");
        let helpers = helpers
            .map_or(&[][..], |at| words.get(at + 2..closing(&words, at + 1)).unwrap_or_default());
        let helper = |name: &str| Self {
            name: name.to_owned(),
            kind: Some(NodeKind::Macro),
            is_public: true,
            signature: format!("#[{name}]"),
            file_path: self.file_path.clone(),
            line: self.line,
            ..Self::default()
        };
        let members =
            split(helpers, ",").into_iter().filter_map(|name| name.first()).map(|n| helper(n));
        // What says that it is one is no derive of the macro itself.
        let attrs = self.attrs.iter().filter(|attr| !attr.contains("proc_macro"));
        Some(Self {
            attrs: attrs.cloned().collect(),
            signature: format!("{kind} {name}"),
            kind: Some(NodeKind::Macro),
            members: members.collect(),
            name,
            ..self.clone()
        })
    }
}
