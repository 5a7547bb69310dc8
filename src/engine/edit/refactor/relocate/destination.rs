//! The destination of a move: an existing module, or a new one.

use super::super::modules;
use super::refuse::Refuse;
use crate::database::Snapshot;
use crate::edit::target::{self, Files, Halt};
use crate::error::EngineError;
use asof_edit::{EditError, FileView, Splice};
use asof_index::{Place, Viewpoint};
use asof_model::{FileFacts, Header, ItemFacts, NodeId};
use asof_query::{Described, Queries};
use asof_refactor::NewName;
use asof_wire::Position;
use asof_workspace::parent_folder;

/// See the module.
#[derive(Debug)]
pub(super) struct Destination {
    pub place: Place,
    /// Its canonical path.
    pub path: String,
    /// It, unless it is new, and the modules around it, from the inside out.
    pub around: Vec<NodeId>,
    /// The file that it is in.
    pub file_path: String,
    /// Its number in the facts of the file; none if it is new.
    pub index: Option<u32>,
    /// Where it is declared, if it is new.
    declared: Option<Declared>,
}

/// Where a new module is declared.
#[derive(Debug)]
struct Declared {
    name: NewName,
    file_path: String,
    index: u32,
}

impl Destination {
    /// Reads a path of a module, or of a file.
    pub(super) fn locate(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        to: &str,
        from: NodeId,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        if to.contains('/') || to.ends_with(".rs") {
            return Self::of_file(snapshot, files, view, to, from, refuse);
        }
        let around = view.around(from);
        let root = around.last().copied().unwrap_or(from);
        let krate = view.path(root).unwrap_or_default();
        let mut segments = to.split("::").peekable();
        let mut path = match segments.next() {
            Some("crate") => krate.to_owned(),
            Some(name) if name == krate => krate.to_owned(),
            Some(first @ ("self" | "super")) => {
                let mut supers = usize::from(first == "super");
                while segments.next_if_eq(&"super").is_some() {
                    supers += 1;
                }
                let above = around.get(supers).and_then(|module| view.path(*module));
                above
                    .map(str::to_owned)
                    .ok_or_else(|| refuse("there is no such module".to_owned()))?
            }
            _ => {
                let reason = "the path of a module of its crate begins with `crate::`, or the name \
                              of the crate";
                return Err(refuse(reason.to_owned()));
            }
        };
        for segment in segments {
            path = format!("{path}::{segment}");
        }
        if let Some(module) = view.module_named(root, &path) {
            return Self::existing(snapshot, files, view, module, refuse);
        }
        let Some((parent, name)) = path.rsplit_once("::") else {
            return Err(refuse("there is no such module".to_owned()));
        };
        let Some(parent) = view.module_named(root, parent) else {
            return Err(refuse(format!("there is no module `{parent}`")));
        };
        Self::new(snapshot, files, view, parent, name, refuse)
    }

    fn of_file(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        to: &str,
        from: NodeId,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        let path = target::relative(snapshot, to)?;
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let root = view.around(from).last().copied();
        let modules_of = |path: &str| -> Result<Vec<NodeId>, Halt> {
            let modules = queries.file_modules(path).map_err(EngineError::from)?.into_iter();
            let own = modules.filter(|one| Some(one.root_id) == root);
            Ok(own.map(|one| one.id).collect())
        };
        if let Some(module) = modules_of(&path)?.first() {
            return Self::existing(snapshot, files, view, *module, refuse);
        }
        if snapshot.database.need_root()?.join(&path).exists() {
            return Err(refuse("that file is of no module of the crate".to_owned()));
        }
        let Some(stem) = path.strip_suffix(".rs") else {
            return Err(refuse("a file of a module ends with `.rs`".to_owned()));
        };
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
        let mut parents = vec![format!("{folder}.rs"), format!("{folder}/mod.rs")];
        if let Some(root) = root.and_then(|root| queries.describe(&[root]).ok()?.pop())
            && parent_folder(&root.file_path) == folder
        {
            parents.push(root.file_path);
        }
        for parent in parents {
            if let Some(module) = modules_of(&parent)?.first() {
                let found = Self::new(snapshot, files, view, *module, name, refuse)?;
                if found.file_path == path {
                    return Ok(found);
                }
            }
        }
        Err(refuse("no module would have that file".to_owned()))
    }

    fn existing(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        module: NodeId,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        let (described, index) = place_of(snapshot, files, module, refuse)?;
        Ok(Self {
            place: Place { module, is_new: false },
            path: path_of(&described)?,
            around: view.around(module),
            file_path: described.file_path,
            index: Some(index),
            declared: None,
        })
    }

    fn new(
        snapshot: &Snapshot<'_>,
        files: &mut Files,
        view: &Viewpoint,
        parent: NodeId,
        name: &str,
        refuse: &Refuse<'_>,
    ) -> Result<Self, Halt> {
        let name = NewName::parse(name).map_err(|error| refuse(error.to_string()))?;
        let (described, index) = place_of(snapshot, files, parent, refuse)?;
        let Some(folder) = folder_below(snapshot, files, &described)? else {
            let reason = "an attribute says where the file of its parent is: declare the module \
                          first";
            return Err(refuse(reason.to_owned()));
        };
        let file_path = if folder.is_empty() {
            format!("{}.rs", name.bare)
        } else {
            format!("{folder}/{}.rs", name.bare)
        };
        if snapshot.database.need_root()?.join(&file_path).exists() {
            return Err(EditError::FileExists { file_path }.into());
        }
        let path = path_of(&described)?;
        Ok(Self {
            place: Place { module: parent, is_new: true },
            path: format!("{path}::{}", name.bare),
            around: view.around(parent),
            file_path,
            index: None,
            declared: Some(Declared { name, file_path: described.file_path, index }),
        })
    }

    /// The folder of the modules in it; none if an attribute says where these are.
    pub(super) fn folder(
        &self,
        snapshot: &Snapshot<'_>,
        files: &mut Files,
    ) -> Result<Option<String>, Halt> {
        if self.place.is_new {
            return Ok(self.file_path.strip_suffix(".rs").map(str::to_owned));
        }
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let described = queries.describe(&[self.place.module]).map_err(EngineError::from)?.pop();
        let Some(described) = described else { return Ok(None) };
        folder_below(snapshot, files, &described)
    }

    /// Whether it sees what is visible within a module.
    pub(super) fn is_within(&self, module: NodeId) -> bool {
        self.around.contains(&module)
    }

    /// The declaration of a new module with this visibility: its file, and the splice.
    pub(super) fn declaration(
        &self,
        files: &Files,
        visibility: &str,
        number: usize,
    ) -> Result<Option<(String, Splice)>, Halt> {
        let Some(declared) = &self.declared else { return Ok(None) };
        let Some(loaded) = files.get(&declared.file_path) else {
            return Err(Halt::Again { file_path: declared.file_path.clone() });
        };
        let file = FileView::new(&declared.file_path, &loaded.text, &loaded.facts);
        let space = if visibility.is_empty() { "" } else { " " };
        let code = format!("{visibility}{space}mod {};", declared.name.written);
        let children = children(&loaded.facts, declared.index);
        let last = children
            .filter(|(_, item)| matches!(item.header, Header::Module { inline: false, .. }));
        let (anchor, position) = match last.last() {
            Some((at, _)) => (at, Position::After),
            None => (declared.index, Position::FirstChild),
        };
        let (at, text) = asof_edit::insertion(&file, anchor, &self.path, position, &code)?;
        let splice = Splice { start: at, end: at, text, edit: number };
        Ok(Some((declared.file_path.clone(), splice)))
    }
}

/// Items directly in a module, in the order of the text.
pub(in crate::edit::refactor) fn children(
    facts: &FileFacts,
    index: u32,
) -> impl Iterator<Item = (u32, &ItemFacts)> {
    let items = facts.items.iter().enumerate().skip(1);
    let own = items
        .filter(move |(at, item)| item.parent == index && *at as u32 != index && !item.in_body);
    own.map(|(at, item)| (at as u32, item))
}

/// The canonical path of a stored module.
fn path_of(described: &Described) -> Result<String, EngineError> {
    described.canonical_path.clone().ok_or_else(|| EngineError::State {
        what: "module",
        reason: format!("`{}` has no path", described.name),
    })
}

/// A module, and its number in the facts of its file.
pub(super) fn place_of(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    module: NodeId,
    refuse: &Refuse<'_>,
) -> Result<(Described, u32), Halt> {
    let queries = Queries::at(snapshot.store(), snapshot.at);
    let described = queries.describe(&[module]).map_err(EngineError::from)?.pop();
    let Some(described) = described else {
        return Err(refuse("there is no such module".to_owned()));
    };
    files.load(snapshot, &described.file_path)?;
    let item = asof_wire::Item::from(described.clone());
    let index = target::index_of(snapshot, files, &item)?;
    let modules = queries.file_modules(&described.file_path).map_err(EngineError::from)?;
    if modules.len() > 1 {
        return Err(refuse(format!("{} is the body of several modules", described.file_path)));
    }
    Ok((described, index))
}

/// The folder of the modules in a module; none if an attribute says where these are.
fn folder_below(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    module: &Described,
) -> Result<Option<String>, Halt> {
    match module.parent_id {
        None => Ok(Some(parent_folder(&module.file_path).to_owned())),
        Some(_) => Ok(modules::place(snapshot, files, module)?.map(|(_, folder)| folder)),
    }
}
