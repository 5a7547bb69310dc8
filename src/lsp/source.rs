//! A text with the meanings of its names.

use std::sync::{Arc, OnceLock};

use asof_index::LocalFacts;
use asof_model::{ByteRange, NodeId, NodeKind, RefKind};
use asof_refactor::{LocalName, bindings, unnamed_place};
use asof_wire::{FileSource, LinkTarget, SourceItem, SourceLink};

use super::positions::Lines;
use super::shift::Edits;

/// What is less certain may be anything of that name.
const GUESS: f64 = 0.5;

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
    /// The earlier text that the names are of, if this one is not understood, and the edits since.
    earlier: Option<(Arc<Self>, Edits)>,
    /// What inference finds out beside references, once it was asked for.
    pub facts: OnceLock<Arc<LocalFacts>>,
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

    /// Whether it is an associated item, of a trait or of an impl.
    pub fn is_associated(&self) -> bool {
        let kind = match self {
            Self::Definition(item) => item.kind.as_str(),
            Self::Item { target, .. } => target.kind.as_str(),
            Self::External { .. } | Self::Local(_) => return false,
        };
        let kinds = [NodeKind::Method, NodeKind::AssocConst, NodeKind::AssocType];
        kinds.iter().any(|one| one.as_str() == kind)
    }
}

impl Source {
    pub fn new(file: FileSource) -> Self {
        Self {
            lines: Lines::new(file.text.into()),
            items: file.items,
            links: file.links,
            targets: file.targets,
            locals: OnceLock::new(),
            earlier: None,
            facts: OnceLock::new(),
        }
    }

    /// The same names in a later text that is not understood.
    pub fn shifted(self: &Arc<Self>, edits: Edits, lines: Lines) -> Self {
        let item = |item: &SourceItem| {
            let mut item = item.clone();
            item.name_start = edits.forward(item.name_start)?;
            let bytes = edits.forward_range(item.span.bytes())?;
            (item.span.start_byte, item.span.end_byte) = (bytes.start, bytes.end);
            Some(item)
        };
        let link = |link: &SourceLink| {
            Some(SourceLink { start: edits.forward(link.start)?, ..link.clone() })
        };
        Self {
            lines,
            items: self.items.iter().filter_map(item).collect(),
            links: self.links.iter().filter_map(link).collect(),
            targets: self.targets.clone(),
            locals: OnceLock::new(),
            earlier: Some((Arc::clone(self), edits)),
            facts: OnceLock::new(),
        }
    }

    /// Whether the names are those of this text, and not of an earlier one.
    pub fn is_understood(&self) -> bool {
        self.earlier.is_none()
    }

    /// The same text with other names that it binds.
    pub fn with_locals(&self, locals: Vec<LocalName>) -> Self {
        Self { locals: OnceLock::from(locals), ..self.with_uses(0, Vec::new()) }
    }

    /// The same text with certain uses at a byte, where it has none.
    pub fn with_uses(&self, start: u32, targets: Vec<(RefKind, LinkTarget)>) -> Self {
        let mut links = self.links.clone();
        let at = links.partition_point(|link| link.start <= start);
        let first = self.targets.len();
        let uses = targets.iter().enumerate().map(|(number, (use_kind, _))| SourceLink {
            start,
            use_kind: *use_kind,
            confidence: 1.0,
            target: first + number,
        });
        links.splice(at..at, uses);
        let added = targets.into_iter().map(|(_, target)| target);
        Self {
            lines: self.lines.clone(),
            items: self.items.clone(),
            links,
            targets: self.targets.iter().cloned().chain(added).collect(),
            locals: self.locals.clone(),
            earlier: self.earlier.clone(),
            facts: self.facts.clone(),
        }
    }

    pub fn text(&self) -> &Arc<str> {
        self.lines.text()
    }

    /// Names that are bound within the text.
    pub fn locals(&self) -> &[LocalName] {
        self.locals.get_or_init(|| {
            if let Some((earlier, edits)) = &self.earlier {
                let moved = |local: &LocalName| {
                    let binding = local.binding.and_then(|at| edits.forward(at));
                    Some(LocalName { at: edits.forward(local.at)?, binding, ..local.clone() })
                };
                return earlier.locals().iter().filter_map(moved).collect();
            }
            let is_item = |at: u32| {
                self.links_at(at).first().is_some_and(|link| {
                    let kind = self.targets.get(link.target).map(|target| target.kind.as_str());
                    let is_path = !matches!(link.use_kind, RefKind::Field | RefKind::Mention);
                    is_path && kind != Some("unknown")
                })
            };
            bindings(self.text(), &is_item).unwrap_or_default()
        })
    }

    /// The name around a byte, or before it; lifetimes and labels with their mark. Else an operator, or
    /// what leads somewhere without a name.
    pub fn name_at(&self, byte: u32) -> Option<Name> {
        name_at(self.text(), byte).or_else(|| self.operator_at(byte)).or_else(|| {
            let (place, _) = unnamed_place(self.text(), byte)?;
            Some(Name { start: place.start, end: place.end })
        })
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
            let here = self.links_at(start);
            let most = here.first().map(|link| link.confidence);
            let surest = here.iter().take_while(|link| Some(link.confidence) == most);
            found.extend(surest.filter_map(|link| self.meaning(link)));
        }
        // A field of a tuple has no name: it begins with its type.
        let is_here = |item: &&SourceItem| {
            self.starts(name).contains(&item.name_start) && self.is_named(name, &item.name)
        };
        if !matches!(found.last(), Some(Meaning::Item { .. })) || found.is_empty() {
            found.extend(self.items.iter().filter(is_here).map(Meaning::Definition));
        }
        found
    }

    /// The name that an import gives another name to: that before `as`.
    pub fn renamed_by(&self, name: Name) -> Option<Name> {
        let before = self.text().get(..name.start as usize)?.trim_end();
        let before = before.strip_suffix("as")?;
        let end = before.trim_end().len();
        let is_import = self.item_around(name.start).map(|item| item.kind);
        let is_import = matches!(is_import, Some(NodeKind::Import | NodeKind::ExternCrate));
        (is_import && end < before.len()).then(|| self.name_at(end as u32))?
    }

    /// A name as it is written.
    pub fn written(&self, name: Name) -> &str {
        self.text().get(name.start as usize..name.end as usize).unwrap_or_default()
    }

    /// Whether a name of the text is this one, with its mark `r#` or without.
    pub fn is_named(&self, name: Name, wanted: &str) -> bool {
        self.written(name).trim_start_matches("r#") == wanted
    }

    /// A name is stored with its mark `r#` or without.
    pub fn starts(&self, name: Name) -> Vec<u32> {
        if self.written(name).starts_with("r#") {
            vec![name.start, name.start + 2]
        } else {
            vec![name.start]
        }
    }

    /// Items of the workspace that the name leads to by way of what it means: `into` to `from`, and
    /// `to_string` to `fmt`.
    pub fn led_to(&self, name: Name) -> impl Iterator<Item = &LinkTarget> {
        let here = self.links_at(name.start).iter().filter_map(|link| self.meaning(link));
        here.filter_map(|meaning| match meaning {
            Meaning::Item { target, .. } => Some(target),
            _ => None,
        })
    }

    /// The uses that begin at a byte, the most certain first.
    pub fn links_at(&self, start: u32) -> &[SourceLink] {
        let from = self.links.partition_point(|link| link.start < start);
        let to = self.links.partition_point(|link| link.start <= start);
        self.links.get(from..to).unwrap_or_default()
    }

    fn meaning(&self, link: &SourceLink) -> Option<Meaning<'_>> {
        let (kind, confidence) = (link.use_kind, link.confidence);
        let target = self.targets.get(link.target)?;
        match target.kind.as_str() {
            "unknown" => None,
            _ if confidence < GUESS => None,
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

    /// What derives of the type around a byte name in other crates.
    pub fn derives_around(&self, byte: u32) -> impl Iterator<Item = &LinkTarget> {
        let is_type = |kind| matches!(kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union);
        let own = self
            .items
            .iter()
            .filter(move |item| is_type(item.kind))
            .rfind(|item| holds(item, byte));
        let head = own.map_or(0..0, |own| own.span.start_byte..own.name_start);
        let inside = self.links.iter().filter(move |link| head.contains(&link.start));
        let targets = inside.filter_map(|link| self.targets.get(link.target));
        targets.filter(|target| target.kind == "external")
    }

    /// The macro of the workspace that is called at the beginning of a range.
    pub fn macro_called(&self, call: ByteRange) -> Option<NodeId> {
        let mut inside = self.links.iter().filter(|link| call.contains(link.start));
        let called = inside.find(|link| link.use_kind == RefKind::Macro)?;
        self.targets.get(called.target).filter(|one| one.kind == "macro").map(|one| one.id)
    }

    /// Calls in a range, with what they call.
    pub fn calls_between(&self, first: u32, last: u32) -> impl Iterator<Item = (u32, NodeId)> {
        let inside = self.links.iter().filter(move |link| (first..last).contains(&link.start));
        let calls = inside.filter(|link| {
            link.use_kind == RefKind::Macro || RefKind::CALLS.contains(&link.use_kind)
        });
        calls.filter_map(|link| Some((link.start, self.targets.get(link.target)?.id)))
    }

    /// What `Self` means at a byte: the first byte of the type in the head of the impl around it, or
    /// the trait.
    pub fn self_type(&self, byte: u32) -> Option<u32> {
        let owns = |item: &&SourceItem| matches!(item.kind, NodeKind::Impl | NodeKind::Trait);
        let around = self.items.iter().filter(owns).rfind(|item| holds(item, byte));
        let is_type = |kind| matches!(kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union);
        let Some(around) = around else {
            let mut own = self.items.iter().filter(|item| is_type(item.kind));
            return own.rfind(|item| holds(item, byte)).map(|item| item.name_start);
        };
        if around.kind == NodeKind::Trait {
            return Some(around.name_start);
        }
        let (from, to) = (around.name_start as usize, around.span.end_byte as usize);
        let head = self.text().get(from..to)?.split('{').next()?;
        Some(around.name_start + self_type_in(head)? as u32)
    }

    /// The type in the head of an impl; none if a macro call makes the impl.
    pub fn implementing_type(&self, of: &SourceItem) -> Option<Name> {
        let (from, to) = (of.name_start as usize, of.span.end_byte as usize);
        let head = self.text().get(from..to)?.split('{').next()?;
        let start = self_type_in(head.starts_with("impl").then_some(head)?)?;
        let ty = head.get(start..)?;
        let bound = ty.match_indices("where").map(|(at, _)| at).find(|at| {
            let (before, behind) = (ty.get(..*at), ty.get(at + "where".len()..));
            let is_apart = |text: Option<&str>, end: fn(&str) -> Option<char>| {
                text.and_then(end).is_none_or(char::is_whitespace)
            };
            is_apart(before, |text| text.chars().next_back())
                && is_apart(behind, |text| text.chars().next())
        });
        let len = ty.get(..bound.unwrap_or(ty.len()))?.trim_end().len();
        let start = of.name_start + start as u32;
        Some(Name { start, end: start + len as u32 })
    }

    /// The innermost item around a byte that is not a field or variant.
    pub fn item_around(&self, byte: u32) -> Option<&SourceItem> {
        self.items.iter().rfind(|item| holds(item, byte))
    }
}

/// First byte of the type in the head of an impl, which begins with `impl`.
fn self_type_in(head: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut begin = None;
    let mut before = ' ';
    for (at, c) in head.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if matches!(before, '-' | '=') => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        let rest = head.get(at..)?;
        if depth == 0 && rest.starts_with("for ") && before.is_whitespace() {
            begin = Some(at + "for ".len());
        }
        before = c;
    }
    let begin = match begin {
        Some(begin) => begin,
        None => {
            let after = "impl".len();
            let generic = head.get(after..)?.trim_start().starts_with('<');
            let mut depth = 0_i32;
            let close = head.char_indices().skip(after).find(|(_, c)| {
                depth += i32::from(*c == '<') - i32::from(*c == '>');
                depth == 0 && *c == '>'
            });
            if generic { close?.0 + 1 } else { after }
        }
    };
    let blank = head.get(begin..)?.len() - head.get(begin..)?.trim_start().len();
    Some(begin + blank)
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
        let raw = if rest.starts_with("r#") { 2 } else { 0 };
        let rest = rest.get(raw..)?.chars().take_while(|c| is_part(*c));
        let len: usize = rest.map(char::len_utf8).sum();
        end += 1 + raw + len;
        return (len > 0).then_some(Name { start: start as u32, end: end as u32 });
    }
    let own = text.get(start..end)?;
    let before = text.get(..start)?;
    if own == "r" && text.get(end..)?.starts_with('#') {
        let rest = text.get(end + 1..)?;
        end += 1 + rest.chars().take_while(|c| is_part(*c)).map(char::len_utf8).sum::<usize>();
    } else if before.ends_with("r#") {
        start -= 2;
    }
    if text.get(..start)?.ends_with('\'') && !text.get(end..)?.starts_with('\'') {
        start -= 1;
    }
    let first = text.get(start..)?.chars().next()?;
    let is_name = !first.is_numeric() || is_tuple_field(text.get(..start)?);
    is_name.then_some(Name { start: start as u32, end: end as u32 })
}

/// Whether a number is that of a field, by what is before it: `pair.`, `f().0.`.
fn is_tuple_field(before: &str) -> bool {
    let mut at = before;
    while let Some(holder) = at.strip_suffix('.') {
        let rest = holder.trim_end_matches(|c: char| c.is_ascii_digit());
        if rest.len() == holder.len() || rest.ends_with(|c: char| c == '_' || c.is_alphanumeric()) {
            return holder
                .ends_with(|c: char| c == '_' || c.is_alphanumeric() || ")]?".contains(c));
        }
        at = rest;
    }
    false
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
    fn numbers_are_names_of_fields_only() {
        check("w.^0", Some("0"));
        check("f().0.1^", Some("1"));
        check("x1.^0", Some("0"));
        check("1.^0", None);
        check("a[1^]", None);
        check("..^2", None);
    }

    #[test]
    fn the_head_of_an_impl_names_its_type() {
        for (head, expected) in [
            ("impl A ", "A "),
            ("impl<T: Into<U>, U> A<T> ", "A<T> "),
            ("impl<T> Tr<T> for a::B<T> where T: Fn() -> u8 ", "a::B<T> where T: Fn() -> u8 "),
            ("impl Tr for &'a [u8] ", "&'a [u8] "),
        ] {
            let found = self_type_in(head).map(|at| head.get(at..).unwrap());
            assert_eq!(found, Some(expected));
        }
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
        check("&'r#^a u8", Some("'r#a"));
        check("&'^r#a u8", Some("'r#a"));
        check("&^'r#a u8", Some("'r#a"));
        check("1^2 + 3", None);
        check("a +^ b", None);
        check("größ^e", Some("größe"));
    }
}
