//! Macro calls among items, and whether they may define what a question asks about.

use std::sync::LazyLock;

use regex::Regex;

use crate::cache::Doubts;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::NodeKind;
use asof_oracle::{last_name, tokens};
use asof_query::{OpaqueCall, Queries};

/// A macro called in another one's body.
static CALL: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(\w+)!\s*(?:\w+\s*)?[(\[{]").ok());

/// Macros that define no items.
const HARMLESS: [&str; 24] = [
    "assert", "assert_eq", "assert_ne", "cfg", "compile_error", "concat", "debug_assert",
    "debug_assert_eq", "debug_assert_ne", "eprintln", "env", "file", "format", "format_args",
    "line", "matches", "panic", "println", "stringify", "todo", "unreachable", "vec", "write",
    "writeln",
];

impl Snapshot<'_> {
    /// Why the calls may define more items of these kinds.
    pub(super) fn doubts_about(
        &self,
        calls: &[OpaqueCall],
        kinds: &[NodeKind],
    ) -> Result<Doubts, EngineError> {
        for call in calls {
            if self.may_define(call, kinds)? {
                let name = last_name(&call.name);
                return Ok(Doubts::of_all(format!("the call of `{name}!` may define more")));
            }
        }
        Ok(Doubts::default())
    }

    /// Whether the keyword of a kind is in the call, in the body of the macro, or may be in that of
    /// another macro. Macros of other crates may define anything.
    fn may_define(&self, call: &OpaqueCall, kinds: &[NodeKind]) -> Result<bool, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let name = last_name(&call.name);
        let mut ids = vec![call.id];
        let definitions = queries.by_name(name)?;
        ids.extend(definitions.iter().filter(|hit| hit.kind == NodeKind::Macro).map(|hit| hit.id));
        if ids.len() == 1 {
            return Ok(true);
        }
        for item in self.items(&ids)? {
            let text = self.item_source(&queries, &item)?;
            // The head of a definition says `macro_rules`, too.
            let text = if item.id == call.id {
                text.as_str()
            } else {
                text.split_once(['{', '(', '[']).map_or("", |(_, rules)| rules)
            };
            let words = tokens(text);
            let others = CALL.iter().flat_map(|call| call.captures_iter(text));
            let mut others = others.filter_map(|found| found.get(1)).map(|found| found.as_str());
            let is_known =
                |other: &str| other == name || other == "macro_rules" || HARMLESS.contains(&other);
            if words.iter().any(|word| kinds.iter().any(|kind| keyword(*kind) == Some(word)))
                || others.any(|other| !is_known(other))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The word with which an item of a kind is declared.
fn keyword(kind: NodeKind) -> Option<&'static str> {
    Some(match kind {
        NodeKind::Function | NodeKind::Method => "fn",
        NodeKind::Struct => "struct",
        NodeKind::Enum => "enum",
        NodeKind::Union => "union",
        NodeKind::Trait => "trait",
        NodeKind::Const | NodeKind::AssocConst => "const",
        NodeKind::Static => "static",
        NodeKind::TypeAlias | NodeKind::AssocType => "type",
        NodeKind::Module => "mod",
        NodeKind::Macro => "macro_rules",
        _ => return None,
    })
}
