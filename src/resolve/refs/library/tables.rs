//! The declarations of a crate as tables, in which its own names are resolved, and their bytes.
//! Reading them takes no parser, and costs little: every process does.

use asof_model::NodeKind;

/// Bit of [`Meaning::spaces`]: other crates do not see the name.
pub(super) const PRIVATE: u8 = 1 << 3;

/// A crate's definitions, numbered from its root; parents come before children. A number that is
/// not that of a definition is one of [`Tables::outside`], after those.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Tables {
    /// Names of definitions, and those in signatures; sorted.
    pub names: Texts,
    pub kinds: Vec<NodeKind>,
    /// By definition: its parent, its own number for the root.
    pub parents: Vec<u32>,
    /// By definition: its name, an index into `names`.
    pub named: Vec<u32>,
    /// Signatures and rules of macros, as in [`asof_model::TreeItem::sig`].
    pub sigs: Texts,
    /// What names mean in modules, enums and the like; sorted by scope and name.
    pub bound: Vec<Meaning>,
    /// In order of the definitions.
    pub impls: Vec<Impl>,
    /// By impl: the canonical path of the type, of impls without a trait.
    pub impl_paths: Texts,
    /// Types with the traits that they derive.
    pub derives: Vec<(u32, u32)>,
    /// Paths that lead to other crates, beginning with the crate's name.
    pub outside: Texts,
    /// Modules of other crates of which a scope has all names; sorted by scope.
    pub globs: Vec<OutsideGlob>,
}

/// A glob of a module of another crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct OutsideGlob {
    pub scope: u32,
    /// Index into [`Tables::outside`].
    pub path: u32,
    /// 0, or [`PRIVATE`].
    pub privacy: u8,
}

/// A name in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) struct Meaning {
    pub scope: u32,
    pub name: u32,
    pub target: u32,
    /// Namespaces, as in [`crate::scope`].
    pub spaces: u8,
}

/// An impl: what it is for, and of which trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Impl {
    pub def: u32,
    pub head: ImplHead,
    pub of: Option<u32>,
}

/// The outermost part of the type that an impl is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum ImplHead {
    /// None that a signature can tell.
    Other,
    Def(u32),
    /// A primitive type, an index into the names.
    Prim(u32),
    Ref,
    Ptr,
    Slice,
    Array,
    Tuple,
    Fn,
    Dyn(u32),
    /// A type parameter.
    Param,
}

/// Texts, one after the other.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Texts {
    ends: Vec<u32>,
    text: String,
}

impl Texts {
    pub(in super::super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in super::super) fn get(&self, at: u32) -> &str {
        let start = match at {
            0 => 0,
            at => self.ends.get(at as usize - 1).copied().unwrap_or(u32::MAX),
        };
        let end = self.ends.get(at as usize).copied().unwrap_or(0);
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// Index of a text, if the texts are sorted.
    pub(in super::super) fn find(&self, text: &str) -> Option<u32> {
        let (mut from, mut to) = (0, self.len() as u32);
        while from < to {
            let middle = from + (to - from) / 2;
            match self.get(middle).cmp(text) {
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
    }
}

impl<'t> FromIterator<&'t str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'t str>>(iter: I) -> Self {
        let mut texts = Texts::default();
        iter.into_iter().for_each(|text| texts.push(text));
        texts
    }
}

/// The bytes of the tables, not compressed.
pub(in super::super) fn to_bytes(tables: &Tables) -> Vec<u8> {
    let mut out = Vec::new();
    let kinds: Texts = NodeKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let number = |kind: &NodeKind| NodeKind::ALL.iter().position(|k| k == kind).unwrap_or(0) as u32;
    put_texts(&mut out, &kinds);
    put_texts(&mut out, &tables.names);
    put(&mut out, tables.kinds.iter().map(number));
    // The distance to the parent compresses better.
    let parents = tables.parents.iter().enumerate().map(|(own, parent)| own as u32 - parent);
    put(&mut out, parents);
    put(&mut out, tables.named.iter().copied());
    put_texts(&mut out, &tables.sigs);
    put(&mut out, tables.bound.iter().map(|one| one.scope));
    put(&mut out, tables.bound.iter().map(|one| one.name));
    put(&mut out, tables.bound.iter().map(|one| one.target));
    put(&mut out, tables.bound.iter().map(|one| u32::from(one.spaces)));
    put(&mut out, tables.impls.iter().map(|one| one.def));
    put(&mut out, tables.impls.iter().map(|one| one.head.to_numbers().0));
    put(&mut out, tables.impls.iter().map(|one| one.head.to_numbers().1));
    put(&mut out, tables.impls.iter().map(|one| one.of.map_or(0, |of| of + 1)));
    put_texts(&mut out, &tables.impl_paths);
    put(&mut out, tables.derives.iter().map(|(ty, _)| *ty));
    put(&mut out, tables.derives.iter().map(|(_, of)| *of));
    if tables.outside.len() == 0 {
        // The standard library knows no other crate.
        return out;
    }
    put_texts(&mut out, &tables.outside);
    put(&mut out, tables.globs.iter().map(|one| one.scope));
    put(&mut out, tables.globs.iter().map(|one| one.path));
    put(&mut out, tables.globs.iter().map(|one| u32::from(one.privacy)));
    out
}

fn put(out: &mut Vec<u8>, column: impl ExactSizeIterator<Item = u32>) {
    out.extend((column.len() as u32).to_le_bytes());
    column.for_each(|value| out.extend(value.to_le_bytes()));
}

fn put_texts(out: &mut Vec<u8>, texts: &Texts) {
    put(out, texts.ends.iter().copied());
    out.extend((texts.text.len() as u32).to_le_bytes());
    out.extend(texts.text.as_bytes());
}

/// The tables; none if the bytes are damaged.
pub(in super::super) fn from_bytes(data: &[u8]) -> Option<Tables> {
    let mut rest = data;
    let rest = &mut rest;
    let kinds = texts(rest)?;
    let kinds: Vec<NodeKind> = (0..kinds.len() as u32)
        .map(|kind| kinds.get(kind).parse().unwrap_or(NodeKind::Unknown))
        .collect();
    let names = texts(rest)?;
    let kind = |number: u32| kinds.get(number as usize).copied().unwrap_or(NodeKind::Unknown);
    let kinds = column(rest)?.map(kind).collect();
    let parents = column(rest)?.zip(0u32..).map(|(by, own)| own.saturating_sub(by)).collect();
    let named = column(rest)?.collect();
    let sigs = texts(rest)?;
    let (scopes, scope_names) = (column(rest)?, column(rest)?);
    let (targets, spaces) = (column(rest)?, column(rest)?);
    let bound = scopes
        .zip(scope_names)
        .zip(targets.zip(spaces))
        .map(|((scope, name), (target, spaces))| Meaning {
            scope,
            name,
            target,
            spaces: spaces as u8,
        })
        .collect();
    let (defs, tags) = (column(rest)?, column(rest)?);
    let (args, traits) = (column(rest)?, column(rest)?);
    let impls = defs
        .zip(tags)
        .zip(args.zip(traits))
        .map(|((def, tag), (arg, of))| Impl {
            def,
            head: ImplHead::of_numbers(tag, arg),
            of: of.checked_sub(1),
        })
        .collect();
    let impl_paths = texts(rest)?;
    let derives = column(rest)?.zip(column(rest)?).collect();
    let mut tables = Tables {
        names,
        kinds,
        parents,
        named,
        sigs,
        bound,
        impls,
        impl_paths,
        derives,
        ..Tables::default()
    };
    if !rest.is_empty() {
        tables.outside = texts(rest)?;
        let (scopes, paths, privacies) = (column(rest)?, column(rest)?, column(rest)?);
        let globs = scopes.zip(paths.zip(privacies));
        tables.globs = globs
            .map(|(scope, (path, privacy))| OutsideGlob { scope, path, privacy: privacy as u8 })
            .collect();
    }
    Some(tables)
}

fn take<'d>(rest: &mut &'d [u8], len: usize) -> Option<&'d [u8]> {
    let (taken, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(taken)
}

fn length(rest: &mut &[u8]) -> Option<usize> {
    let bytes = take(rest, 4)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*bytes) as usize)
}

fn column<'d>(rest: &mut &'d [u8]) -> Option<impl Iterator<Item = u32> + use<'d>> {
    let len = length(rest)?;
    let bytes = take(rest, len.checked_mul(4)?)?;
    let values = bytes.chunks_exact(4).filter_map(|four| four.first_chunk::<4>());
    Some(values.map(|four| u32::from_le_bytes(*four)))
}

fn texts(rest: &mut &[u8]) -> Option<Texts> {
    let ends = column(rest)?.collect();
    let len = length(rest)?;
    let text = String::from_utf8(take(rest, len)?.to_vec()).ok()?;
    Some(Texts { ends, text })
}

impl ImplHead {
    fn to_numbers(self) -> (u32, u32) {
        match self {
            ImplHead::Other => (0, 0),
            ImplHead::Def(def) => (1, def),
            ImplHead::Prim(name) => (2, name),
            ImplHead::Ref => (3, 0),
            ImplHead::Ptr => (4, 0),
            ImplHead::Slice => (5, 0),
            ImplHead::Array => (6, 0),
            ImplHead::Tuple => (7, 0),
            ImplHead::Fn => (8, 0),
            ImplHead::Dyn(def) => (9, def),
            ImplHead::Param => (10, 0),
        }
    }

    fn of_numbers(tag: u32, arg: u32) -> Self {
        match tag {
            1 => ImplHead::Def(arg),
            2 => ImplHead::Prim(arg),
            3 => ImplHead::Ref,
            4 => ImplHead::Ptr,
            5 => ImplHead::Slice,
            6 => ImplHead::Array,
            7 => ImplHead::Tuple,
            8 => ImplHead::Fn,
            9 => ImplHead::Dyn(arg),
            10 => ImplHead::Param,
            _ => ImplHead::Other,
        }
    }
}
