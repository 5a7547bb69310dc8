//! Names of a text whose meaning only inference knows: variables that macros bind, items that their
//! calls make, types of values.

use std::sync::Arc;

use asof_engine::UnsavedText;
use asof_index::LocalFacts;
use asof_model::{ByteRange, NodeId, PRIMITIVES, RefKind, RefTarget, is_keyword};
use asof_refactor::{LocalName, words};
use asof_syntax::{Kind, Wanted, lex};
use asof_wire::{LinkTarget, SourceItem};

use super::session::Failure;
use super::source::{Meaning, Name, Source};
use super::spot::Spot;
use super::view::View;

impl View<'_> {
    /// What inference finds out about a text beside its references. Nothing is known of the past, and
    /// of a text that is not understood.
    pub fn facts(&self, path: &str, source: &Source) -> Result<Arc<LocalFacts>, Failure> {
        if let Some(known) = source.facts.get() {
            return Ok(Arc::clone(known));
        }
        self.call.go_on()?;
        let is_known = self.revision.is_none() && source.is_understood();
        let text = if is_known { UnsavedText::parse(path, source.text()) } else { None };
        let found = match text {
            Some(text) => self.with_unsaved(path, text)?.local_facts(path)?.unwrap_or_default(),
            None => LocalFacts::default(),
        };
        Ok(Arc::clone(source.facts.get_or_init(|| Arc::new(found))))
    }

    /// The text with what a name means that calls of macros make or bind; none if they do not.
    pub fn explained(
        &self,
        path: &str,
        source: &Source,
        name: Name,
    ) -> Result<Option<Arc<Source>>, Failure> {
        let meanings = source.meanings(name);
        // A macro may bind the name of a variable again, before its last use.
        let is_doubtful = |meaning: &Meaning<'_>| match meaning {
            Meaning::Local(LocalName { binding: Some(binding), .. }) => {
                let same = source.locals().iter().filter(|one| one.binding == Some(*binding));
                let last = same.map(|one| one.at).max().unwrap_or(*binding);
                calls_macro(source.text(), *binding, last)
            }
            _ => false,
        };
        let is_asked = meanings.is_empty() && is_identifier(source.text(), name);
        if !is_asked && !meanings.iter().any(is_doubtful) {
            return Ok(None);
        }
        let facts = self.facts(path, source)?;
        let starts = source.starts(name);
        if facts.variables.iter().any(|one| starts.contains(&one.at)) {
            return Ok(Some(Arc::new(source.with_locals(locals(source, &facts)))));
        }
        let made = facts.made.iter().filter(|one| starts.contains(&one.at)).map(|one| one.item);
        let items = self.snapshot.items(&made.collect::<Vec<_>>())?;
        let target = |item: asof_wire::Item| {
            let path = item.path.unwrap_or(item.name);
            let (kind, file_path) = (item.kind.as_str().to_owned(), Some(item.file_path));
            (RefKind::Mention, LinkTarget { id: item.id, kind, path, file_path })
        };
        let targets: Vec<(RefKind, LinkTarget)> = items.into_iter().map(target).collect();
        Ok((!targets.is_empty()).then(|| Arc::new(source.with_uses(name.start, targets))))
    }

    /// The items that a call of a macro makes which use the name at a byte in its tokens.
    pub fn made_around(&self, path: &str, at: u32) -> Result<Vec<NodeId>, Failure> {
        let source = self.source(path)?;
        let facts = self.facts(path, &source)?;
        let here = facts.uses_in_made.iter().filter(|one| one.at == at);
        Ok(here.map(|one| one.item).collect())
    }

    /// Where the call of a macro in a range of a file names an item that it makes.
    pub fn made_at(
        &self,
        path: &str,
        item: NodeId,
        call: ByteRange,
        name: &str,
    ) -> Result<Option<u32>, Failure> {
        let source = self.source(path)?;
        let facts = self.facts(path, &source)?;
        if facts.named_by_rules.contains(&item) {
            return Ok(None);
        }
        let mut made = facts.made.iter().filter(|one| one.item == item);
        let named = made.find(|one| call.contains(one.at)).map(|one| one.at);
        Ok(named.or_else(|| named_in(source.text(), call, name)))
    }

    /// The places of an item that a call of a macro in a text makes: its name in the tokens of the call,
    /// else the call and the name in the rules of the macro.
    pub fn made_places(
        &self,
        path: &str,
        source: &Source,
        item: &SourceItem,
    ) -> Result<Vec<Spot>, Failure> {
        let call = item.span.bytes();
        let named = self.made_at(path, item.id, call, &item.name)?;
        let at = named.unwrap_or(item.name_start);
        let mut found = vec![self.spot_at(path, &source.lines, at, call)];
        if named.is_none()
            && let Some(called) = source.macro_called(call)
        {
            for rules in self.snapshot.items(&[called])? {
                let text = self.source(&rules.file_path)?;
                let places = declared_words(text.text(), rules.span.bytes(), &item.name);
                // Of several rules, only the macro knows which one.
                if let [only] = places.as_slice() {
                    let span = rules.span.bytes();
                    found.push(self.spot_at(&rules.file_path, &text.lines, *only, span));
                }
            }
        }
        Ok(found)
    }

    /// Where the types are of the value that a name stands for, as far as inference knows them.
    pub fn types_at(&self, path: &str, source: &Source, at: u32) -> Result<Vec<Spot>, Failure> {
        let facts = self.facts(path, source)?;
        let typed = facts.types.binary_search_by_key(&at, |one| one.at);
        let typed = typed.ok().and_then(|number| facts.types.get(number));
        let mut found = Vec::new();
        for target in typed.into_iter().flat_map(|typed| &typed.types) {
            match target {
                RefTarget::Node(id) => {
                    found.extend(self.placed(&[*id])?.into_iter().map(|one| one.spot));
                }
                RefTarget::External(name) if PRIMITIVES.contains(&name.as_str()) => {
                    let item = self.call.session.standard(name, Wanted::Item);
                    found.extend(item.map(|item| item.spot));
                }
                RefTarget::External(path) => found.extend(self.outside(path, RefKind::Type)?),
                RefTarget::Unknown(_) => {}
            }
        }
        Ok(found)
    }
}

/// The bound names of a text, those that inference knows as it knows them.
fn locals(source: &Source, facts: &LocalFacts) -> Vec<LocalName> {
    let known = |at: u32| facts.variables.binary_search_by_key(&at, |one| one.at);
    let mut all: Vec<LocalName> =
        source.locals().iter().filter(|one| known(one.at).is_err()).cloned().collect();
    all.extend(facts.variables.iter().map(|one| {
        let name = source.written(source.name_from(one.at)).trim_start_matches("r#").to_owned();
        LocalName { at: one.at, name, binding: Some(one.binding), certain: true }
    }));
    all.sort_by_key(|one| one.at);
    all
}

/// Whether a name is one of code: not in a comment or a literal, and no keyword.
fn is_identifier(text: &str, name: Name) -> bool {
    let tokens = lex(text, 0);
    let at = tokens.partition_point(|token| token.start < name.start);
    let token = tokens.get(at).filter(|token| token.start == name.start);
    let word = text.get(name.start as usize..name.end as usize).unwrap_or_default();
    token.is_some_and(|token| token.kind == Kind::Word) && !is_keyword(word)
}

/// Whether a text calls a macro between two bytes, which may bind names.
fn calls_macro(text: &str, from: u32, to: u32) -> bool {
    let between = text.get(from as usize..to as usize).unwrap_or_default();
    between.match_indices('!').any(|(at, _)| {
        let rest = between.get(at + 1..).unwrap_or_default();
        rest.trim_start().starts_with(['(', '[', '{'])
    })
}

/// Where the call of a macro names an item that it makes: after a keyword, else the first time.
fn named_in(text: &str, range: ByteRange, name: &str) -> Option<u32> {
    let call = range.slice(text)?;
    let declared = declared_words(text, range, name).first().copied();
    declared.or_else(|| words(call, name).next().map(|at| range.start + at as u32))
}

/// Where a name stands behind a keyword that declares an item.
fn declared_words(text: &str, range: ByteRange, name: &str) -> Vec<u32> {
    let keywords = ["struct", "enum", "union", "trait", "fn", "const", "static", "type", "mod"];
    let places = words(range.slice(text).unwrap_or_default(), name);
    let places = places.map(|at| range.start + at as u32);
    let is_declared = |at: &u32| {
        let before = text.get(..*at as usize).unwrap_or_default().trim_end();
        keywords.iter().any(|keyword| before.ends_with(keyword))
    };
    places.filter(is_declared).collect()
}
