//! A text, and what its names mean.

use std::sync::{Arc, OnceLock};

use asof::model::{NodeId, RefKind};
use asof::refactor::{LocalName, bindings};
use asof::wire::{FileSource, LinkTarget, SourceItem, SourceLink};

use super::positions::Lines;
use super::shift::Edits;

/// See the module.
#[derive(Debug)]
pub struct Source {
    pub lines: Lines,
    /// In the order of the text, outer ones first.
    pub items: Vec<SourceItem>,
    links: Vec<SourceLink>,
    targets: Vec<LinkTarget>,
    /// What is bound within the text.
    locals: OnceLock<Vec<LocalName>>,
}

/// A name in a text: its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Name {
    pub start: u32,
    pub end: u32,
}

/// What a name means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning<'s> {
    /// The definition itself is at the name.
    Definition(&'s SourceItem),
    /// A use of an item of the workspace.
    Item { target: &'s LinkTarget, kind: RefKind, confidence: f64 },
    /// A use of an item of another crate, by its path.
    External { target: &'s LinkTarget, kind: RefKind },
    /// A parameter, variable or label, by the place that binds it.
    Local(&'s LocalName),
}

impl Meaning<'_> {
    /// Of an item of the workspace.
    pub fn id(&self) -> Option<NodeId> {
        match self {
            Self::Definition(item) => Some(item.id),
            Self::Item { target, .. } => Some(target.id),
            Self::External { .. } | Self::Local(_) => None,
        }
    }
}

impl Source {
    pub fn of(file: FileSource) -> Self {
        Self {
            lines: Lines::of(file.text.into()),
            items: file.items,
            links: file.links,
            targets: file.targets,
            locals: OnceLock::new(),
        }
    }

    /// The same names in a later text that is not understood.
    pub fn shifted(&self, edits: &Edits, lines: Lines) -> Self {
        let item = |item: &SourceItem| {
            let mut item = item.clone();
            item.name_start = edits.forward(item.name_start)?;
            let span = (item.span.start_byte, item.span.end_byte);
            (item.span.start_byte, item.span.end_byte) = edits.forward_range(span)?;
            Some(item)
        };
        let link = |link: &SourceLink| {
            Some(SourceLink { start: edits.forward(link.start)?, ..link.clone() })
        };
        let local = |local: &LocalName| {
            let binding = local.binding.and_then(|at| edits.forward(at));
            Some(LocalName { at: edits.forward(local.at)?, binding, ..local.clone() })
        };
        let locals: Vec<LocalName> = self.locals().iter().filter_map(local).collect();
        Self {
            lines,
            items: self.items.iter().filter_map(item).collect(),
            links: self.links.iter().filter_map(link).collect(),
            targets: self.targets.clone(),
            locals: locals.into(),
        }
    }

    pub fn text(&self) -> &Arc<str> {
        self.lines.text()
    }

    /// Names that are bound within the text; none if it does not parse.
    pub fn locals(&self) -> &[LocalName] {
        self.locals.get_or_init(|| bindings(self.text()).unwrap_or_default())
    }

    /// The name around a byte, or before it; lifetimes and labels with their mark.
    pub fn name_at(&self, byte: u32) -> Option<Name> {
        name_at(self.text(), byte)
    }

    /// The name that begins at a byte.
    pub fn name_from(&self, start: u32) -> Name {
        name_at(self.text(), start).unwrap_or(Name { start, end: start })
    }

    /// What a name may mean: several things for the short form of a field, whose name is that of a
    /// variable too.
    pub fn meanings(&self, name: Name) -> Vec<Meaning<'_>> {
        let mut found = Vec::new();
        let local = self.locals().binary_search_by_key(&name.start, |local| local.at);
        found.extend(local.ok().and_then(|at| self.locals().get(at)).map(Meaning::Local));
        for start in self.starts(name) {
            found.extend(self.link_at(start));
        }
        let is_here = |item: &&SourceItem| {
            self.starts(name).contains(&item.name_start) && !item.name.is_empty()
        };
        if !matches!(found.last(), Some(Meaning::Item { .. })) || found.is_empty() {
            found.extend(self.items.iter().filter(is_here).map(Meaning::Definition));
        }
        found
    }

    /// A name is stored with its mark `r#` or without.
    fn starts(&self, name: Name) -> Vec<u32> {
        let text = self.text().get(name.start as usize..name.end as usize).unwrap_or_default();
        match text.starts_with("r#") {
            true => vec![name.start, name.start + 2],
            false => vec![name.start],
        }
    }

    fn link_at(&self, start: u32) -> Option<Meaning<'_>> {
        let at = self.links.binary_search_by_key(&start, |link| link.start).ok()?;
        let link = self.links.get(at)?;
        let (kind, confidence) = (link.use_kind, link.confidence);
        let target = self.targets.get(link.target)?;
        match target.kind.as_str() {
            "unknown" => None,
            "external" => Some(Meaning::External { target, kind }),
            _ => Some(Meaning::Item { target, kind, confidence }),
        }
    }

    /// Uses of an item in this text.
    pub fn uses_of(&self, id: NodeId) -> impl Iterator<Item = &SourceLink> {
        self.links
            .iter()
            .filter(move |link| self.targets.get(link.target).is_some_and(|target| target.id == id))
    }

    /// First bytes of the types that are named in a range.
    pub fn types_between(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        let inside = self.links.iter().filter(move |link| (first..last).contains(&link.start));
        let types = [RefKind::Type, RefKind::Bound];
        inside.filter(move |link| types.contains(&link.use_kind)).map(|link| link.start)
    }

    /// Calls in a range, with what they call.
    pub fn calls_between(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, NodeId)> {
        let inside = self.links.iter().filter(move |link| (first..last).contains(&link.start));
        let calls = inside.filter(|link| {
            link.use_kind == RefKind::Macro || RefKind::CALLS.contains(&link.use_kind)
        });
        calls.filter_map(|link| Some((link.start, self.targets.get(link.target)?.id)))
    }

    /// The innermost item around a byte that is not a field or variant.
    pub fn item_around(&self, byte: u32) -> Option<&SourceItem> {
        self.items.iter().rfind(|item| holds(item, byte))
    }
}

fn holds(item: &SourceItem, byte: u32) -> bool {
    item.span.start_byte <= byte && byte < item.span.end_byte
}

pub fn name_at(text: &str, byte: u32) -> Option<Name> {
    let is_part = |c: char| c == '_' || c.is_alphanumeric();
    let byte = (byte as usize).min(text.len());
    let (before, behind) = (text.get(..byte)?, text.get(byte..)?);
    let left: usize = before.chars().rev().take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    let right: usize = behind.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum();
    let (mut start, mut end) = (byte - left, byte + right);
    // At the mark of a lifetime or of a raw name.
    if start == end {
        let rest = behind.strip_prefix('\'')?;
        end += 1 + rest.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
        return (end > start + 1).then_some(Name { start: start as u32, end: end as u32 });
    }
    let own = text.get(start..end)?;
    let before = text.get(..start)?;
    if own == "r" && text.get(end..)?.starts_with('#') {
        let rest = text.get(end + 1..)?;
        end += 1 + rest.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    } else if before.ends_with("r#") {
        start -= 2;
    } else if before.ends_with('\'') && !text.get(end..)?.starts_with('\'') {
        start -= 1;
    }
    let first = text.get(start..)?.chars().next()?;
    (!first.is_numeric()).then_some(Name { start: start as u32, end: end as u32 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(marked: &str, expected: Option<&str>) {
        let at = marked.find('^').unwrap();
        let text = marked.replacen('^', "", 1);
        let found = name_at(&text, at as u32);
        let found = found.map(|name| text.get(name.start as usize..name.end as usize).unwrap());
        assert_eq!(found, expected, "{marked}");
    }

    #[test]
    fn a_name_is_found_from_all_of_its_bytes() {
        check("let a^b = 1", Some("ab"));
        check("let ^ab = 1", Some("ab"));
        check("let ab^ = 1", Some("ab"));
        check("r#ty^pe", Some("r#type"));
        check("^r#type", Some("r#type"));
        check("&'^a u8", Some("'a"));
        check("&^'a u8", Some("'a"));
        check("'x^'", Some("x"));
        check("1^2 + 3", None);
        check("a +^ b", None);
        check("größ^e", Some("größe"));
    }
}
