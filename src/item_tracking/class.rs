//! Classifies what changed between two versions of a definition.

use std::collections::{BTreeMap, BTreeSet};

use super::state::ItemState;
use asof_model::{Class, NodeKind, Span, TextHash};
use asof_syntax::{Scan, code_tokens};

/// Two versions of a definition, side by side.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'a> {
    pub old: &'a ItemState,
    pub new: &'a ItemState,
}

impl Comparison<'_> {
    /// Texts that [`Comparison::classes`] needs; none where the rows suffice.
    pub fn texts(&self) -> Vec<TextHash> {
        let (old, new) = (self.old, self.new);
        if old.text_hash == new.text_hash {
            return Vec::new();
        }
        let heads = self.head();
        let shapes = old.shape_hash != new.shape_hash;
        let telling = shapes && (!heads.is_empty() || new.is_container());
        let quiet = !shapes && heads.is_empty() && old.docs == new.docs && old.name == new.name;
        if telling || quiet {
            old.text_hash.into_iter().chain(new.text_hash).collect()
        } else {
            Vec::new()
        }
    }

    /// What changed, in the order of [`Class`]; empty if nothing did. `text` gives those of
    /// [`Comparison::texts`]; where one is missing, a changed shape counts as a changed body.
    pub fn classes<'t>(&self, text: &dyn Fn(&TextHash) -> Option<&'t str>) -> Vec<Class> {
        let (old, new) = (self.old, self.new);
        let mut found = self.head();
        if old.name != new.name && !self.only_refers() {
            found.insert(Class::Renamed);
        }
        if old.holder() != new.holder() || old.file_path != new.file_path {
            found.insert(Class::Moved);
        } else if self.only_refers() && old.canonical_path != new.canonical_path {
            // The type or trait of the impl has another name.
            found.insert(Class::Renamed);
        }
        if old.docs != new.docs {
            found.insert(Class::Documentation);
        }
        let get = |hash: Option<TextHash>| hash.and_then(|hash| text(&hash));
        let texts = get(old.text_hash).zip(get(new.text_hash));
        let same_text = old.text_hash == new.text_hash && new.text_hash.is_some();
        if old.shape_hash != new.shape_hash {
            let heads = found.iter().any(|c| c.is_head());
            match texts {
                _ if same_text => _ = found.insert(Class::Contents),
                Some((old_text, new_text)) if heads || new.is_container() => {
                    if body(old_text, old) != body(new_text, new) {
                        found.insert(Class::Body);
                    } else if !heads && new.is_container() {
                        found.insert(Class::Contents);
                        if old.docs == new.docs && tokens(old_text) == tokens(new_text) {
                            let beside = beside_tokens(old_text, new_text);
                            // Whitespace between items changes with the items.
                            found.extend(beside.filter(|class| *class != Class::Format));
                        }
                    }
                }
                _ if heads && new.is_part() => {}
                _ if heads && old.name != new.name && old.text_hash.is_none() => {}
                _ => _ = found.insert(Class::Body),
            }
        } else if found.is_empty() && old.tracking_hash != new.tracking_hash {
            // Documentation of its contents.
            found.insert(if new.is_container() || same_text {
                Class::Contents
            } else {
                Class::Documentation
            });
        }
        if found.is_empty() && old.text_hash != new.text_hash {
            match texts {
                Some((old, new)) => found.extend(beside_tokens(old, new)),
                None => _ = found.insert(Class::Format),
            }
        }
        found.into_iter().collect()
    }

    /// What the columns say about the head.
    fn head(&self) -> BTreeSet<Class> {
        let (old, new) = (self.old, self.new);
        let mut found = BTreeSet::new();
        if old.visibility != new.visibility {
            found.insert(Class::Visibility);
        }
        if (&old.attrs, &old.cfg) != (&new.attrs, &new.cfg) {
            found.insert(Class::Attributes);
        }
        if old.kind != new.kind || self.is_head_changed() {
            found.insert(Class::Signature);
        }
        found
    }

    /// Whether the head differs by more than the names of what it refers to.
    fn is_head_changed(&self) -> bool {
        let (old, new) = (self.old, self.new);
        match new.kind {
            NodeKind::Impl => {
                let renamed = renamed_words(old.label(), new.label());
                let head = tokens(&old.signature);
                let now = head.iter().map(|word| renamed.get(word).copied().unwrap_or(word));
                !now.eq(tokens(&new.signature))
            }
            _ => bare_signature(old) != bare_signature(new) && !self.only_refers(),
        }
    }

    /// Whether the name only repeats what an impl or import refers to: it changes with it.
    fn only_refers(&self) -> bool {
        self.new.kind.is_anonymous() && self.old.id != self.new.id
    }
}

/// The words of a path that have others in their places in another path of the same form: names
/// that the types and traits of an impl had, with those that they have now.
fn renamed_words<'t>(old: &'t str, new: &'t str) -> BTreeMap<&'t str, &'t str> {
    let (old, new) = (tokens(old), tokens(new));
    let same_form = old.len() == new.len();
    let pairs = old.into_iter().zip(new).filter(|(old, new)| same_form && old != new);
    pairs.collect()
}

/// The head without visibility, the name replaced by a placeholder.
fn bare_signature(state: &ItemState) -> Vec<&str> {
    let head = state.signature.strip_prefix(state.visibility.as_str());
    let head = head.unwrap_or(&state.signature);
    let mut named = false;
    let mark = |token: &str| token.strip_prefix("r#").unwrap_or(token) == state.name;
    let tokens = code_tokens(head).into_iter().map(|token| {
        if mark(token.text) && !named {
            named = true;
            ""
        } else {
            token.text
        }
    });
    tokens.collect()
}

/// Tokens of the body, value or fields, if any, the item's own name replaced by a placeholder.
fn body<'t>(text: &'t str, state: &ItemState) -> Vec<&'t str> {
    let own = |token: &'t str| if token == state.name { "" } else { token };
    code_tokens(inside(text, state.kind)).into_iter().map(|token| own(token.text)).collect()
}

/// The body, value or fields of an item, if any.
pub(super) fn inside(text: &str, kind: NodeKind) -> &str {
    let span = Span { start_byte: 0, end_byte: text.len() as u32, start_line: 1, end_line: 1 };
    let file = kind == NodeKind::Module && !text.trim_end().ends_with('}');
    let inside = if file {
        Some(0..span.end_byte)
    } else {
        Scan::new(text).anatomy(&span, kind, false).inside
    };
    inside.and_then(|r| text.get(r.start as usize..r.end as usize)).unwrap_or_default()
}

fn tokens(text: &str) -> Vec<&str> {
    code_tokens(text).into_iter().map(|token| token.text).collect()
}

/// What differs besides tokens: comments, or only whitespace.
fn beside_tokens(old: &str, new: &str) -> impl Iterator<Item = Class> {
    let solid = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let class = if solid(old) == solid(new) { Class::Format } else { Class::Comments };
    std::iter::once(class)
}
