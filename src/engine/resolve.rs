//! From a path to the items that it means.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use super::canonical::{CanonicalPath, SelfType, squeeze};
use super::database::Snapshot;
use super::error::EngineError;
use super::suggest;
use crate::model::{NodeId, NodeKind, Span};
use crate::query::{CrateRoot, Described, Queries, TraitItem};
use crate::syntax;
use crate::wire::{Filter, Hint, Item, Mode, Resolution, ResolveRequest};

impl From<Described> for Item {
    fn from(d: Described) -> Self {
        Self {
            id: d.id,
            kind: d.kind,
            name: d.name,
            path: d.canonical_path,
            file_path: d.file_path,
            file_hash: d.file_hash,
            tracking_hash: d.tracking_hash,
            shape_hash: d.shape_hash,
            span: Span {
                start_byte: d.start_byte,
                end_byte: d.end_byte,
                start_line: d.start_line,
                end_line: d.end_line,
            },
            line: d.name_line,
            namespace: d.namespace,
            module_path: d.module_path,
            visibility: d.visibility,
            signature: d.signature,
            cfg: d.cfg,
            docs: d.docs,
            parent_id: d.parent_id,
            root_id: Some(d.root_id),
        }
    }
}

impl Resolution {
    /// The one definition; an error that says what to do for none and for several.
    pub fn one(&self) -> Result<&Item, EngineError> {
        match self.items() {
            [item] => Ok(item),
            [] => Err(EngineError::NotFound { what: self.describe(), hint: self.hint() }),
            many => Err(EngineError::Ambiguous {
                what: format!("`{}` means {} definitions", self.query, many.len()),
                hint: self.hint(),
                candidates: many.iter().map(Self::line).collect(),
            }),
        }
    }

    /// A candidate in a line: kind, path, place, cfg.
    pub fn line(item: &Item) -> String {
        let path = item.path.as_deref().unwrap_or(&item.name);
        let cfg = if item.cfg.is_empty() { String::new() } else { format!(" cfg({})", item.cfg) };
        format!("{} {path} {}:{}{cfg}", item.kind, item.file_path, item.span.start_line)
    }

    fn describe(&self) -> String {
        match &self.failed_segment {
            Some(segment) if *segment != self.query => {
                format!("no item named `{}`: `{segment}` was not found", self.query)
            }
            _ => format!("no item named `{}`", self.query),
        }
    }

    fn hint(&self) -> Hint {
        match (&self.disambiguator, self.suggestions.as_slice()) {
            (Some(filter), _) => Hint::Narrow(filter.clone()),
            (None, []) => Hint::ListOutline,
            (None, suggestions) => Hint::DidYouMean(suggestions.to_vec()),
        }
    }
}

/// What is asked at one moment.
pub(super) struct Resolver<'a> {
    pub queries: Queries<'a>,
    root: Option<&'a Path>,
    request: &'a ResolveRequest,
}

/// Definitions found for a path, before filters.
#[derive(Default)]
struct Candidates {
    direct: Vec<NodeId>,
    relaxed: Vec<NodeId>,
    /// Whether the path is that of modules only: a `use` may give it another meaning beside.
    modules_only: bool,
    /// How many segments after the crate's lead somewhere.
    matched: usize,
    failed: Option<String>,
}

impl Snapshot<'_> {
    /// Finds what a path means. No match and several matches are answers, not errors:
    /// [`Resolution::one`] makes them errors.
    pub fn resolve(&self, request: &ResolveRequest) -> Result<Resolution, EngineError> {
        let started = Instant::now();
        let path = CanonicalPath::parse(&request.path)?;
        let queries = Queries::at(self.store(), self.at);
        let resolver = Resolver { queries, root: self.database.root.as_deref(), request };
        let found = resolver.find(&path)?;

        let mut strict = resolver.describe(&found.direct, true)?;
        if found.modules_only && !strict.is_empty() {
            // `mod escape; pub use escape::escape;`, `extern crate grep_cli as cli;`
            let mut others = resolver.describe(&found.relaxed, true)?;
            others.retain(|item| strict.iter().all(|known| known.id != item.id));
            if others.iter().any(|item| is_module(item.kind)) {
                strict.retain(|item| item.kind != NodeKind::ExternCrate);
            } else {
                others.retain(|item| item.kind != NodeKind::ExternCrate);
            }
            strict.extend(others);
        }
        let (mode, items) = if strict.is_empty() {
            let ids: Vec<_> = found.direct.iter().chain(&found.relaxed).copied().collect();
            let mut items = resolver.describe(&ids, false)?;
            if items.is_empty() {
                items = resolver.describe(&resolver.by_ending(&path)?, false)?;
            }
            (Mode::Relaxed, items)
        } else {
            (Mode::Strict, strict)
        };
        let (mode, failed_segment, suggestions) = if items.is_empty() {
            let suggestions = suggest::nearest(&resolver.queries, &path, found.matched)?;
            (Mode::Strict, found.failed, suggestions)
        } else {
            (mode, None, Vec::new())
        };
        let disambiguator = disambiguator(&items);
        let answer = self.answer(started, items, None);
        let query = path.to_string();
        Ok(Resolution { query, mode, answer, failed_segment, suggestions, disambiguator })
    }
}

impl Resolver<'_> {
    fn find(&self, path: &CanonicalPath) -> Result<Candidates, EngineError> {
        match &path.self_type {
            Some(self_type) => self.find_in_type(self_type, &path.segments),
            None => self.find_plain(&path.segments),
        }
    }

    fn crates(&self, first: &str) -> Result<Vec<CrateRoot>, EngineError> {
        let mut crates = match first {
            "crate" => self.queries.crates()?,
            name => {
                let by_crate = self.queries.roots(&name.replace('-', "_"))?;
                if by_crate.is_empty() {
                    let all = self.queries.crates()?;
                    all.into_iter().filter(|c| c.package.as_deref() == Some(name)).collect()
                } else {
                    by_crate
                }
            }
        };
        if let Some(package) = &self.request.package {
            crates.retain(|c| c.package.as_ref() == Some(package));
        }
        Ok(crates)
    }

    fn find_plain(&self, segments: &[String]) -> Result<Candidates, EngineError> {
        let mut found = Candidates::default();
        let Some((first, rest)) = segments.split_first() else { return Ok(found) };
        let crates = self.crates(first)?;
        if crates.is_empty() {
            found.failed = Some(first.clone());
            return Ok(found);
        }
        if rest.is_empty() {
            found.direct = crates.iter().map(|c| c.root_id).collect();
            return Ok(found);
        }
        let names: BTreeSet<&str> = crates.iter().map(|c| c.crate_name.as_str()).collect();
        found.modules_only = true;
        for name in names {
            let path = format!("{name}::{}", rest.join("::"));
            for hit in self.queries.by_path(&path)? {
                found.modules_only &= is_module(hit.kind);
                found.direct.push(hit.id);
            }
        }
        if !found.direct.is_empty() && !found.modules_only {
            return Ok(found);
        }
        let mut roots: Vec<NodeId> = crates.iter().map(|c| c.root_id).collect();
        // Libraries first: where `crate` means many crates, most paths are theirs.
        roots.sort_unstable();
        roots.dedup();
        let hits = self.queries.walk(&roots, rest)?;
        let matched = hits.iter().map(|hit| hit.segments_matched as usize).max().unwrap_or(0);
        found.matched = matched;
        if matched < rest.len() {
            found.failed = rest.get(matched).cloned();
            return Ok(found);
        }
        let best = hits.iter().map(|hit| (!hit.public, &hit.rank)).min();
        found.relaxed = hits
            .iter()
            .filter(|hit| Some((!hit.public, &hit.rank)) == best)
            .map(|hit| hit.id)
            .collect();
        Ok(found)
    }

    /// `<Type as Trait>::item`, and impls themselves where no item is named.
    fn find_in_type(&self, ty: &SelfType, rest: &[String]) -> Result<Candidates, EngineError> {
        let mut found = Candidates::default();
        let types = self.find_plain(&ty.path)?;
        let types: Vec<NodeId> = types.direct.into_iter().chain(types.relaxed).collect();
        let bare = |t: &str| t.split('<').next().unwrap_or(t).to_owned();
        // Paths are stored without lifetimes and with the spaces of rustfmt.
        let of_trait = ty.of_trait.as_deref().map(syntax::without_lifetimes);
        if let [name] = rest {
            let mut items = self.queries.trait_method(&types, name)?;
            items.retain(|item| trait_matches(item, of_trait.as_deref()));
            found.direct = items.iter().map(|item| item.id).collect();
        }
        let suffix = if rest.is_empty() { String::new() } else { format!("::{}", rest.join("::")) };
        let mut texts = vec![syntax::without_lifetimes(&ty.text), ty.written.clone()];
        texts.extend(ty.path.last().cloned());
        let described = self.queries.describe(&types)?;
        texts.extend(described.into_iter().filter_map(|d| d.canonical_path));
        for text in texts {
            let impl_path = match &of_trait {
                Some(of_trait) => format!("<{text} as {of_trait}>{suffix}"),
                None => format!("<{text}>{suffix}"),
            };
            found.direct.extend(self.queries.by_path(&impl_path)?.iter().map(|hit| hit.id));
        }
        found.direct.sort_unstable();
        found.direct.dedup();
        if found.direct.is_empty() {
            found.failed = rest.last().cloned().or_else(|| Some(bare(&ty.text)));
        }
        Ok(found)
    }

    /// Definitions whose canonical path ends in the segments: for paths without a crate.
    fn by_ending(&self, path: &CanonicalPath) -> Result<Vec<NodeId>, EngineError> {
        let starts_at_crate = match path.segments.first() {
            Some(first) => !self.crates(first)?.is_empty(),
            None => true,
        };
        let (Some(name), None, false) = (path.name(), &path.self_type, starts_at_crate) else {
            return Ok(Vec::new());
        };
        let ending = format!("::{}", path.segments.join("::"));
        let hits = self.queries.by_name(name)?;
        // The path of what is in an impl of an unknown type has no crate in front.
        let whole = ending.trim_start_matches("::");
        let ends =
            |p: &str| p.ends_with(&ending) || plain_ending(p).ends_with(&ending) || p == whole;
        Ok(hits
            .iter()
            .filter(|hit| hit.canonical_path.as_deref().is_some_and(ends))
            .map(|hit| hit.id)
            .collect())
    }

    fn describe(&self, ids: &[NodeId], strict: bool) -> Result<Vec<Item>, EngineError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut unique = ids.to_vec();
        unique.sort_unstable();
        unique.dedup();
        let mut items: Vec<Item> =
            self.queries.describe(&unique)?.into_iter().map(Item::from).collect();
        if let Some(kind) = self.request.kind {
            items.retain(|item| item.kind == kind);
        }
        if let Some(package) = &self.request.package {
            let roots: BTreeSet<NodeId> = self
                .queries
                .crates()?
                .into_iter()
                .filter(|c| c.package.as_ref() == Some(package))
                .map(|c| c.root_id)
                .collect();
            items.retain(|item| item.root_id.is_some_and(|root| roots.contains(&root)));
        }
        if let Some(file) = &self.request.file_path {
            items.retain(|item| self.file_matches(file, &item.file_path, strict));
        }
        Ok(items)
    }

    /// Strict: the file relative to the root. Relaxed: one path ends in the other.
    fn file_matches(&self, given: &str, have: &str, strict: bool) -> bool {
        let given = given.replace('\\', "/");
        let inside = self.root.and_then(|root| {
            Path::new(&given).strip_prefix(root).ok().map(|p| p.to_string_lossy().into_owned())
        });
        let given = inside.unwrap_or(given);
        let given = given.trim_start_matches("./");
        if given == have {
            return true;
        }
        let ends = |long: &str, short: &str| {
            long.strip_suffix(short).is_some_and(|before| before.ends_with('/'))
        };
        !strict && (ends(given, have) || ends(have, given))
    }
}

fn is_module(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Module | NodeKind::ExternCrate)
}

/// `<a::T as Trait>::m` → `a::T::m`.
fn plain_ending(path: &str) -> String {
    match path.strip_prefix('<').and_then(|p| p.rsplit_once(">::")) {
        Some((head, item)) => {
            let ty = head.split(" as ").next().unwrap_or(head);
            format!("{ty}::{item}")
        }
        None => path.to_owned(),
    }
}

/// Whether an item's impl is of the trait that was asked for, lifetimes left out; arguments count
/// if given.
fn trait_matches(item: &TraitItem, asked: Option<&str>) -> bool {
    let of = item.impl_path.as_deref().and_then(|path| {
        path.strip_prefix('<')?.strip_suffix('>')?.split_once(" as ").map(|(_, of)| of)
    });
    match (asked, of) {
        (None, of) => of.is_none(),
        (Some(_), None) => false,
        (Some(asked), Some(of)) => {
            let bare = |t: &str| t.split('<').next().unwrap_or(t).to_owned();
            match asked.contains('<') {
                true => squeeze(asked) == squeeze(of),
                false => asked == bare(of),
            }
        }
    }
}

/// The filter that leaves one of several.
fn disambiguator(items: &[Item]) -> Option<Filter> {
    if items.len() < 2 {
        return None;
    }
    let distinct = |of: &dyn Fn(&Item) -> String| {
        items.iter().map(of).collect::<BTreeSet<_>>().len() == items.len()
    };
    let first = items.first()?;
    if distinct(&|i| i.kind.to_string()) {
        return Some(Filter::Kind(first.kind));
    }
    if distinct(&|i| i.file_path.clone()) {
        return Some(Filter::FilePath(first.file_path.clone()));
    }
    if distinct(&|i| i.path.clone().unwrap_or_default()) {
        return first.path.clone().map(Filter::Path);
    }
    Some(Filter::Id(first.id))
}
