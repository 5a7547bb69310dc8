//! A workspace at the moment of a document, with the texts that are open in the place of those that
//! were indexed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use asof_engine::{Database, Snapshot, Unsaved, UnsavedText, declared_item};
use asof_model::{ByteRange, NodeId, NodeKind, RefKind};
use asof_syntax::Wanted;
use asof_wire::{Item, LinkTarget, ResolveRequest, SourceItem, Symbol, UseRequest};
use gen_lsp_types::{Range, Uri};

use super::documents::{Document, Good};
use super::folder::Folder;
use super::places;
use super::positions::Lines;
use super::session::{Call, Failure, snapshot};
use super::source::{Meaning, Name, Source};
use super::spot::{Outside, Spot, spot_in, spot_in_file};
use asof_surface::problem::Problem;

/// See the module.
pub struct View<'d> {
    pub call: &'d Call,
    pub folder: &'d Folder,
    pub database: &'d Database,
    pub snapshot: Snapshot<'d>,
    /// Of a document of the past, as it is written in its name.
    pub revision: Option<String>,
    /// Lines of files that were asked for.
    known_lines: RefCell<HashMap<String, Lines>>,
}

impl View<'_> {
    /// Asks about a document, with its path in the workspace; none if it is of no workspace.
    pub fn with_document<T>(
        call: &Call,
        uri: &Uri,
        ask: impl FnOnce(&View<'_>, &str) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let Some(place) = call.place(uri) else { return Ok(None) };
        // Manifests and others have no names.
        if !place.path.ends_with(".rs") {
            return Ok(None);
        }
        let when = place.document.when();
        let when = when.map_err(|error| Failure::Invalid(error.to_string()))?;
        let database = call.database_at(&place, &when)?;
        let view = View {
            call,
            folder: &place.folder,
            database: &database,
            snapshot: snapshot(&database, &when)?,
            revision: place.document.revision.clone(),
            known_lines: RefCell::default(),
        };
        ask(&view, &place.path).map(Some)
    }

    /// Asks about the newest state of a workspace.
    pub fn newest<T>(
        call: &Call,
        folder: &Folder,
        ask: impl FnOnce(&View<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let database = call.database(folder)?;
        let snapshot = snapshot(&database, &asof_wire::When::Newest)?;
        let known_lines = RefCell::default();
        ask(&View { call, folder, database: &database, snapshot, revision: None, known_lines })
    }

    /// The lines of a document: the open text, else that of the disk or of the past; none if there is
    /// no such document.
    pub fn text(call: &Call, uri: &Uri) -> Result<Option<Lines>, Failure> {
        if let Some(document) = call.documents.get(uri) {
            return Ok(Some(document.lines.clone()));
        }
        View::with_document(call, uri, |view, path| view.lines(path))
    }

    pub fn uri(&self, path: &str) -> Uri {
        let document =
            places::Document { path: self.folder.root.join(path), revision: self.revision.clone() };
        document.uri()
    }

    /// The open document of a file, if it has another text than the indexed one.
    fn unsaved(&self, path: &str) -> Result<Option<&Arc<Document>>, Failure> {
        if self.revision.is_some() {
            return Ok(None);
        }
        let Some(document) = self.call.documents.at(&self.folder.real.join(path)) else {
            return Ok(None);
        };
        let indexed = self.snapshot.file_hash(path)?;
        Ok(Some(document).filter(|document| indexed != Some(document.raw_hash)))
    }

    /// Text of a file with what its names mean: the open text, if the file is open.
    pub fn source(&self, path: &str) -> Result<Arc<Source>, Failure> {
        self.call.go_on()?;
        if let Some(document) = self.unsaved(path)? {
            return self.unsaved_source(path, document);
        }
        let source = self.folder.source(&self.snapshot, path)?;
        let open = self.call.documents.at(&self.folder.real.join(path));
        let open = open.filter(|_| self.revision.is_none());
        if let Some(document) = open {
            document.is_known(&source, self.snapshot.at());
        }
        Ok(source)
    }

    /// [`View::source`] of an open document that is not saved.
    pub fn unsaved_source_of(&self, path: &str) -> Result<Option<Arc<Source>>, Failure> {
        let document = self.unsaved(path)?;
        document.map(|document| self.unsaved_source(path, document)).transpose()
    }

    /// All documents of the workspace that are not saved.
    pub fn unsaved_sources(&self) -> Result<Vec<(String, Arc<Source>)>, Failure> {
        let mut found = Vec::new();
        for (path, _) in self.documents() {
            if let Some(source) = self.unsaved_source_of(&path)? {
                found.push((path, source));
            }
        }
        Ok(found)
    }

    /// The open documents of the workspace with their paths in it.
    fn documents(&self) -> impl Iterator<Item = (String, &Arc<Document>)> {
        self.call.documents.iter().filter_map(|(place, document)| {
            let path = self.folder.relative(&place.path).filter(|_| place.revision.is_none())?;
            Some((path, document))
        })
    }

    fn unsaved_source(&self, path: &str, document: &Document) -> Result<Arc<Source>, Failure> {
        let at = self.snapshot.at();
        let Good { source, edits, at: known_at } = document.good();
        if edits.is_empty()
            && known_at == Some(at)
            && let Some(source) = &source
        {
            return Ok(Arc::clone(source));
        }
        let parsed = document.parsed(path);
        let text = match (parsed, source) {
            (Some(parsed), _) => parsed,
            (None, Some(source)) => {
                return Ok(Arc::new(source.shifted(edits, document.lines.clone())));
            }
            (None, None) => document.recovered(path),
        };
        let unsaved = self.with_unsaved(path, text.clone())?;
        let file = self.snapshot.unsaved_source(&unsaved, path)?.ok_or_else(|| {
            Failure::Problem(Problem::internal("an unsaved text is not among those resolved"))
        })?;
        let source = Arc::new(Source::new(file));
        if parsed.is_some() {
            document.is_known(&source, at);
        }
        Ok(source)
    }

    /// The names of a text of a file, beside the other texts that are not saved.
    pub fn with_unsaved(&self, path: &str, text: UnsavedText) -> Result<Arc<Unsaved>, Failure> {
        let mut texts = vec![text];
        for (other_path, other) in self.documents() {
            if other_path != path && self.unsaved(&other_path)?.is_some() {
                texts.extend(other.parsed(&other_path).cloned());
            }
        }
        Ok(self.folder.unsaved(self.database, self.snapshot.at(), texts)?)
    }

    /// Lines of a file: of the open text, if the file is open.
    pub fn lines(&self, path: &str) -> Result<Lines, Failure> {
        if let Some(document) = self.unsaved(path)? {
            return Ok(document.lines.clone());
        }
        if let Some(lines) = self.known_lines.borrow().get(path) {
            return Ok(lines.clone());
        }
        let lines = Lines::new(self.snapshot.file_text(path)?);
        self.known_lines.borrow_mut().insert(path.to_owned(), lines.clone());
        Ok(lines)
    }

    /// The place of an item; none of one that the open text does not have any more.
    pub fn spot(&self, item: &Item) -> Result<Option<Spot>, Failure> {
        let encoding = self.call.session.encoding;
        let span = item.span.bytes();
        if let Some(of) = &item.dependency {
            let Some(file) = self.snapshot.dependency_file(of, &item.file_path)? else {
                return Ok(None);
            };
            return Ok(spot_in_file(&file, span, item.name_start, encoding));
        }
        let path = &item.file_path;
        if self.unsaved(path)?.is_some() {
            let source = self.source(path)?;
            let found = source.items.iter().find(|one| one.id == item.id);
            return Ok(found.map(|one| {
                let span = one.span.bytes();
                self.spot_at(path, &source.lines, one.name_start, span)
            }));
        }
        let lines = self.lines(path)?;
        let name = if item.made {
            let named = self.made_at(path, item.id, span, &item.name)?;
            named.unwrap_or(item.name_start)
        } else {
            item.name_start
        };
        Ok(Some(self.spot_at(path, &lines, name, span)))
    }

    pub fn spot_at(&self, path: &str, lines: &Lines, name: u32, whole: ByteRange) -> Spot {
        spot_in(lines, self.uri(path), name, whole, self.call.session.encoding)
    }

    /// Items of the workspace by their ids, with their places, in this order.
    pub fn spots(&self, ids: &[NodeId]) -> Result<Vec<(Item, Spot)>, Failure> {
        let items = self.snapshot.items(ids)?;
        let mut found = Vec::new();
        for id in ids {
            let Some(item) = items.iter().find(|item| item.id == *id) else { continue };
            if let Some(spot) = self.spot(item)? {
                found.push((item.clone(), spot));
            }
        }
        Ok(found)
    }

    /// Where what a name means is defined.
    pub fn definitions(
        &self,
        path: &str,
        source: &Source,
        name: Name,
    ) -> Result<Vec<Spot>, Failure> {
        let (text, meanings) = (source.written(name), source.meanings(name));
        let mut found = Vec::new();
        if meanings.iter().all(|one| matches!(one, Meaning::External { .. })) {
            for target in source.led_to(name) {
                found.extend(self.target(path, source, target)?);
            }
        }
        for meaning in meanings {
            match meaning {
                Meaning::Definition(SourceItem { kind: NodeKind::Module, id, .. }) => {
                    found.extend(self.module(*id)?);
                }
                // As rust-analyzer does: of types, the trait says more.
                Meaning::Definition(item)
                    if item.kind == NodeKind::AssocType
                        && let Some(spot) = self.of_traits(item.id)?.into_iter().next() =>
                {
                    found.push(spot);
                }
                Meaning::Definition(item) => {
                    let span = item.span.bytes();
                    found.push(self.spot_at(path, &source.lines, item.name_start, span));
                }
                Meaning::Item { target, .. } => found.extend(self.target(path, source, target)?),
                Meaning::External { target, kind } => {
                    // Names of the standard library are those of `std`, but not those of its crates.
                    let krate = Some(text).filter(|name| matches!(*name, "core" | "alloc"));
                    found.extend(self.outside(krate.unwrap_or(&target.path), kind)?);
                }
                Meaning::Local(local) => {
                    let Some(at) = local.binding else { continue };
                    let name = source.name_from(at);
                    found.push(self.spot_at(
                        path,
                        &source.lines,
                        at,
                        ByteRange::new(name.start, name.end),
                    ));
                }
            }
        }
        if found.is_empty() && is_attribute(source.text(), name) {
            found.extend(self.helper_of_derive(source, name)?);
        }
        if found.is_empty() {
            match text {
                "Self" => {
                    let at = source.self_type(name.start);
                    found.extend(
                        at.map(|at| self.spot_at(path, &source.lines, at, ByteRange::new(at, at))),
                    );
                }
                // A primitive type is described in the standard library.
                _ if asof_model::PRIMITIVES.contains(&text) => {
                    let item = self.call.session.standard(text, Wanted::Item);
                    found.extend(item.map(|item| item.spot));
                }
                // `#[test]` and others are macros of the standard library.
                _ if is_attribute(source.text(), name) => {
                    let path = format!("std::{text}");
                    let item = self.call.session.standard(&path, Wanted::Macro);
                    found.extend(item.map(|item| item.spot));
                }
                _ => {}
            }
        }
        if found.is_empty() {
            found.extend(self.unnamed(path, source, name));
        }
        found.dedup();
        Ok(found)
    }

    /// The items of impls that implement an item of a trait.
    pub fn implementing(&self, item: &Item) -> Result<Vec<NodeId>, Failure> {
        let kinds = [NodeKind::Method, NodeKind::AssocConst, NodeKind::AssocType];
        if !kinds.contains(&item.kind) {
            return Ok(Vec::new());
        }
        let use_kinds = vec![RefKind::Overrides];
        let request = UseRequest { use_kinds, ..UseRequest::default() };
        let used = self.snapshot.uses(&[Symbol::from(item)], &request)?;
        Ok(used.answer.items.iter().map(|one| one.item.id).collect())
    }

    /// An item of a trait together with those that implement it; another item alone. An associated
    /// type of an impl stands for that of the trait, as `Self::Name` does.
    pub fn with_implementing(&self, items: Vec<Item>) -> Result<Vec<Item>, Failure> {
        let mut ids = Vec::new();
        for item in &items {
            if item.kind == NodeKind::AssocType {
                let declared: Vec<NodeId> =
                    self.snapshot.overridden(item.id)?.iter().map(|target| target.id).collect();
                for declared in self.snapshot.items(&declared)? {
                    ids.push(declared.id);
                    ids.extend(self.implementing(&declared)?);
                }
            }
            ids.extend(self.implementing(item)?);
        }
        let known: Vec<NodeId> = items.iter().map(|item| item.id).collect();
        ids.retain(|id| !known.contains(id));
        ids.sort_unstable();
        ids.dedup();
        let mut all = items;
        all.extend(self.snapshot.items(&ids)?);
        Ok(all)
    }

    /// The items of traits that an item of an impl implements.
    pub fn of_traits(&self, id: NodeId) -> Result<Vec<Spot>, Failure> {
        let mut found = Vec::new();
        for target in self.snapshot.overridden(id)? {
            match target.kind.as_str() {
                "external" => found.extend(self.outside(&target.path, RefKind::MethodCall)?),
                _ => found.extend(self.spots(&[target.id])?.into_iter().map(|(_, spot)| spot)),
            }
        }
        Ok(found)
    }

    /// The derive macro that an attribute of a type, or of a part of it, is of.
    fn helper_of_derive(&self, source: &Source, name: Name) -> Result<Option<Spot>, Failure> {
        let helper = source.written(name);
        for derive in source.derives_around(name.start) {
            if let Some(found) = self.snapshot.derive_macro(&derive.path, Some(helper))? {
                return Ok(Some(Outside::new(found, self.call.session.encoding).spot));
            }
        }
        Ok(None)
    }

    /// Where an item is that a text uses.
    fn target(
        &self,
        path: &str,
        source: &Source,
        target: &LinkTarget,
    ) -> Result<Vec<Spot>, Failure> {
        if target.kind == "module" {
            return self.module(target.id);
        }
        let Some(item) = source.items.iter().find(|item| item.id == target.id) else {
            return Ok(self.placed(&[target.id])?.into_iter().map(|one| one.spot).collect());
        };
        if source.is_named(source.name_from(item.name_start), &item.name) {
            let span = item.span.bytes();
            Ok(vec![self.spot_at(path, &source.lines, item.name_start, span)])
        } else {
            self.made_places(path, source, item)
        }
    }

    /// Whether a module is the whole of a file.
    pub fn has_own_file(&self, module: &Item) -> Result<bool, Failure> {
        let files = self.snapshot.module_files(std::slice::from_ref(module))?.items;
        Ok(files.iter().any(|one| matches!(one.module_kind.as_str(), "root" | "file")))
    }

    /// Where a module is: its file, or its place if it is inline.
    fn module(&self, id: NodeId) -> Result<Vec<Spot>, Failure> {
        let mut found = Vec::new();
        for item in self.snapshot.items(&[id])? {
            let files = self.snapshot.module_files(std::slice::from_ref(&item))?.items;
            let own = files.iter().find(|one| matches!(one.module_kind.as_str(), "root" | "file"));
            match own {
                Some(own) => {
                    let uri = self.uri(&own.file_path);
                    found.push(Spot { uri, name: Range::default(), whole: Range::default() });
                }
                None => found.extend(self.spot(&item)?),
            }
        }
        Ok(found)
    }

    /// Where a module is declared: in the file of the module around it.
    pub fn declared_module(&self, module: &Item) -> Result<Option<Spot>, Failure> {
        let around = self.snapshot.items(&module.parent_id().into_iter().collect::<Vec<_>>())?;
        let Some(around) = around.first() else { return Ok(None) };
        let source = self.source(&around.file_path)?;
        let here = source.items.iter().find(|item| item.id == module.id);
        Ok(here.map(|item| {
            let span = item.span.bytes();
            self.spot_at(&around.file_path, &source.lines, item.name_start, span)
        }))
    }

    /// An item of another crate as its text says, if its sources are on this machine.
    pub fn declared_outside(&self, path: &str, kind: RefKind) -> Result<Option<Outside>, Failure> {
        let wanted = match kind {
            RefKind::Macro | RefKind::Attribute => Wanted::Macro,
            RefKind::Field => Wanted::Field,
            RefKind::Path | RefKind::Keyword => Wanted::Module,
            _ => Wanted::Item,
        };
        if let Some(found) = self.call.session.standard(path, wanted) {
            return Ok(Some(found));
        }
        if kind == RefKind::Attribute
            && let Some(found) = self.snapshot.derive_macro(path, None)?
        {
            return Ok(Some(Outside::new(found, self.call.session.encoding)));
        }
        let segments: Vec<&str> = path.split("::").collect();
        let Some(of) = self.snapshot.dependency_of(path)? else { return Ok(None) };
        let Some(source) = self.snapshot.dependency_file(&of, "src")? else { return Ok(None) };
        let below = segments.get(1..).unwrap_or_default();
        // Exported macros are at the root of their crate, wherever they are declared.
        let is_brought = kind == RefKind::Use && below.len() == 1;
        let found = is_brought.then(|| declared_item(&source, below, Wanted::Macro)).flatten();
        let found = found.or_else(|| declared_item(&source, below, wanted));
        Ok(found.map(|found| Outside::new(found, self.call.session.encoding)))
    }

    /// Where an item of another crate is. If its text does not say, the crate is indexed in memory.
    pub fn outside(&self, path: &str, kind: RefKind) -> Result<Vec<Spot>, Failure> {
        if let Some(found) = self.declared_outside(path, kind)? {
            return Ok(vec![found.spot]);
        }
        // What is not there is no failure of the request.
        let Ok(found) = self.snapshot.resolve_anywhere(&ResolveRequest::new(path)) else {
            return Ok(Vec::new());
        };
        let mut spots = Vec::new();
        // A field and a method may have one name.
        let is_meant = |item: &&Item| {
            item.dependency.is_some() && (item.kind == NodeKind::Field) == (kind == RefKind::Field)
        };
        for item in found.items().iter().filter(is_meant) {
            spots.extend(self.spot(item)?);
        }
        Ok(spots)
    }
}

/// Whether an attribute begins with the name.
fn is_attribute(text: &str, name: Name) -> bool {
    text.get(..name.start as usize).is_some_and(|before| before.ends_with("#["))
}
