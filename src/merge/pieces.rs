//! A text as the pieces that are merged: the head of a file or container, its members, and its end.
//! Every byte is in one piece.

use std::collections::BTreeMap;
use std::ops::Range;

use asof_model::{FileFacts, ItemFacts, NodeKind, ShapeHash};
use asof_syntax::{Kind as LexKind, LexToken, lex, parse_whole};

/// A text with its items.
pub(super) struct Parsed<'t> {
    pub text: &'t str,
    facts: FileFacts,
    tokens: Vec<LexToken>,
    /// Children of each item that have a place in the text, in its order.
    children: Vec<Vec<usize>>,
}

/// What a member is, on all sides.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    kind: &'static str,
    /// Its name; the head of an impl.
    name: String,
    cfg: String,
    /// Among members that are the same by all this.
    ordinal: usize,
}

/// What an item is, and where: the names of it and of what it is in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Defined {
    pub kind: NodeKind,
    pub path: Vec<String>,
    pub cfg: String,
}

/// A member: an item with the comments and blank lines before it, and the end of its last line.
#[derive(Debug, Clone)]
pub(super) struct Member<'t> {
    pub key: Key,
    pub kind: NodeKind,
    pub shape: ShapeHash,
    /// Comments and blank lines before it.
    pub gap: &'t str,
    pub text: &'t str,
    /// The number of its item.
    pub item: usize,
}

impl Key {
    /// Whether another member differs from it by its condition alone.
    pub fn is_named_as(&self, other: &Self) -> bool {
        (self.kind, &self.name, self.ordinal) == (other.kind, &other.name, other.ordinal)
    }
}

impl<'t> Member<'t> {
    /// Whether another member cannot have this one's name.
    pub fn clashes(&self, other: &Self) -> bool {
        let spaces = other.kind.namespaces();
        let share = self.kind.namespaces().chars().any(|one| one != '-' && spaces.contains(one));
        self.key.name == other.key.name && (self.kind == other.kind || share)
    }

    /// Its text before the code, with documentation and attributes, and the rest.
    pub fn parts(&self) -> (&'t str, &'t str) {
        let tokens = lex(self.text, 0);
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if token.kind == LexKind::Doc {
                at += 1;
            } else if token.byte == b'#'
                && let Some(open) = tokens.get(at + 1).filter(|open| open.byte == b'[')
            {
                at = open.mate as usize + 1;
            } else {
                break;
            }
        }
        let start = tokens.get(at).map_or(0, |token| token.start as usize);
        let before = self.text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        self.text.split_at(line)
    }

    pub fn whole(&self) -> String {
        format!("{}{}", self.gap, self.text)
    }
}

/// A file, or an item with members.
#[derive(Debug, Clone)]
pub(super) struct Container<'t> {
    pub head: &'t str,
    pub members: Vec<Member<'t>>,
    pub tail: &'t str,
    /// Whether its members end in commas.
    pub is_list: bool,
}

impl<'t> Parsed<'t> {
    /// None if the text does not parse.
    pub fn read(text: &'t str) -> Option<Self> {
        let facts = parse_whole("", text.as_bytes())?;
        let mut children = vec![Vec::new(); facts.items.len()];
        for (at, item) in facts.items.iter().enumerate().skip(1) {
            if item.made || item.in_body {
                continue;
            }
            if let Some(list) = children.get_mut(item.parent as usize) {
                list.push(at);
            }
        }
        let start = |at: &usize| facts.items.get(*at).map_or(0, |item| item.span.start_byte);
        for list in &mut children {
            list.sort_by_key(start);
        }
        Some(Self { text, tokens: lex(text, 0), facts, children })
    }

    pub fn item(&self, at: usize) -> Option<&ItemFacts> {
        self.facts.items.get(at)
    }

    /// The items that are not in the body of another, by what they are: with the lines of their names.
    pub fn defined(&self) -> BTreeMap<Defined, Vec<u32>> {
        let mut found: BTreeMap<Defined, Vec<u32>> = BTreeMap::new();
        let all = self.facts.items.iter().skip(1);
        for item in all.filter(|item| !item.made && !item.in_body && item.kind != NodeKind::Import)
        {
            let mut path = vec![name_of(item)];
            let mut cfg = vec![item.cfg.as_str()];
            let mut at = item.parent;
            while let Some(above) = self.item(at as usize).filter(|_| at != 0) {
                path.push(name_of(above));
                cfg.push(&above.cfg);
                at = above.parent;
            }
            let defined = Defined { kind: item.kind, path, cfg: cfg.concat() };
            found.entry(defined).or_default().push(item.name_line);
        }
        found
    }

    /// The file as a container.
    pub fn file(&self) -> Option<Container<'t>> {
        self.container(0, 0..self.text.len())
    }

    /// An item as a container; none if it has no members that can be merged apart.
    pub fn inside(&self, member: &Member<'t>) -> Option<Container<'t>> {
        let item = self.item(member.item)?;
        let is_container = matches!(
            item.kind,
            NodeKind::Module
                | NodeKind::Impl
                | NodeKind::Trait
                | NodeKind::ForeignMod
                | NodeKind::Struct
                | NodeKind::Union
                | NodeKind::Enum
        );
        if !is_container || self.children.get(member.item)?.is_empty() {
            return None;
        }
        let start = self.offset(member.text)?;
        self.container(member.item, start..start + member.text.len())
    }

    /// Where a part of the text is.
    fn offset(&self, part: &str) -> Option<usize> {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (start + part.len() <= self.text.len()).then_some(start)
    }

    fn container(&self, at: usize, range: Range<usize>) -> Option<Container<'t>> {
        let item = self.item(at)?;
        let is_list = matches!(item.kind, NodeKind::Struct | NodeKind::Union | NodeKind::Enum);
        let (open, close) = if at == 0 {
            (range.start, range.end)
        } else {
            let end = item.span.end_byte;
            let last = self.tokens.iter().rfind(|token| token.end <= end)?;
            let mate = self.tokens.get(last.mate as usize)?;
            if last.byte != b'}' || mate.byte != b'{' {
                return None;
            }
            (mate.end as usize, last.start as usize)
        };
        let inside = self.children.get(at)?;
        let first = inside.first().and_then(|first| self.item(*first));
        let before = first.map_or(close, |first| first.span.start_byte as usize);
        let head_end = self.head_end(open..before);
        let mut members: Vec<Member<'t>> = Vec::new();
        let mut taken = head_end;
        for (n, child) in inside.iter().enumerate() {
            let item = self.item(*child)?;
            let start = item.span.start_byte as usize;
            let next = inside.get(n + 1).and_then(|next| self.item(*next));
            let limit = next.map_or(close, |next| next.span.start_byte as usize);
            let end = self.member_end(item.span.end_byte as usize, limit, is_list);
            // Items that overlap are those of a macro.
            if start < taken || end < start {
                return None;
            }
            // The indentation of the line belongs to the item, the lines before it do not.
            let gap = self.text.get(taken..start)?;
            let line = gap.rfind('\n').map_or(0, |at| at + 1);
            let indent = gap.get(line..)?;
            let start = if indent.trim().is_empty() { taken + line } else { start };
            let mut key = Key {
                kind: item.kind.as_str(),
                name: name_of(item),
                cfg: item.cfg.clone(),
                ordinal: 0,
            };
            key.ordinal = members
                .iter()
                .filter(|one| {
                    (&one.key.name, one.key.kind, &one.key.cfg) == (&key.name, key.kind, &key.cfg)
                })
                .count();
            members.push(Member {
                key,
                kind: item.kind,
                shape: item.shape_hash,
                gap: self.text.get(taken..start)?,
                text: self.text.get(start..end)?,
                item: *child,
            });
            taken = end;
        }
        Some(Container {
            head: self.text.get(range.start..head_end)?,
            members,
            tail: self.text.get(taken..range.end)?,
            is_list,
        })
    }

    /// The end of what is about the container itself: its inner attributes and documentation.
    fn head_end(&self, range: Range<usize>) -> usize {
        let mut end = range.start;
        let tokens = self
            .tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| (range.start..range.end).contains(&(token.start as usize)));
        for (at, token) in tokens {
            let text = self.text.get(token.start as usize..token.end as usize).unwrap_or_default();
            let is_inner_doc =
                token.kind == LexKind::Doc && (text.starts_with("//!") || text.starts_with("/*!"));
            let next =
                |n: usize| self.tokens.get(at + n).filter(|next| next.end <= range.end as u32);
            if is_inner_doc {
                end = token.end as usize;
            } else if token.byte == b'#'
                && let Some([bang, open]) = next(1).zip(next(2)).map(<[_; 2]>::from)
                && bang.byte == b'!'
                && open.byte == b'['
                && let Some(close) = self.tokens.get(open.mate as usize)
            {
                end = close.end as usize;
            }
        }
        self.line_end(end, range.end)
    }

    /// The end of a member: behind its comma or semicolon, and the comment in its last line.
    fn member_end(&self, end: usize, limit: usize, is_list: bool) -> usize {
        let next = self.tokens.iter().find(|token| token.start as usize >= end);
        let end = match next {
            Some(next) if (next.start as usize) < limit => match next.byte {
                b',' if is_list => next.end as usize,
                b';' => next.end as usize,
                _ => end,
            },
            _ => end,
        };
        self.line_end(end, limit)
    }

    /// The end of the line of a byte if only blanks and a comment are left of it; else the byte.
    fn line_end(&self, at: usize, limit: usize) -> usize {
        let rest = self.text.get(at..limit).unwrap_or_default();
        let Some(line) = rest.split_inclusive('\n').next().filter(|line| line.ends_with('\n'))
        else {
            return at;
        };
        let rest = line.trim();
        if rest.is_empty() || rest.starts_with("//") { at + line.len() } else { at }
    }
}

/// What names an item among its siblings.
fn name_of(item: &ItemFacts) -> String {
    let text = match item.kind {
        NodeKind::Impl | NodeKind::ForeignMod | NodeKind::Import | NodeKind::ExternCrate => {
            &item.signature
        }
        _ => &item.name,
    };
    text.split_whitespace().collect()
}
