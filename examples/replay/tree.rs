//! A version of a crate: its files with their facts, and the canonical path of each item.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use asof::{Database, ExportKind, Refresh, When};
use asof_index::{Options, Silent};
use asof_model::{FileFacts, Header, ItemFacts, NodeKind};

use crate::Outcome;

#[derive(Debug)]
pub struct File {
    pub path: String,
    pub text: String,
    pub facts: FileFacts,
    /// Canonical path of each item; none where it has none.
    pub paths: Vec<Option<String>>,
}

/// Where an item stands: file, and index among its facts.
pub type Place = (String, usize);

#[derive(Debug)]
pub struct Tree {
    pub files: BTreeMap<String, File>,
    /// Items by canonical path.
    pub by_path: HashMap<String, Vec<Place>>,
    /// Items without a path, by the path that they stand below and their kind.
    pub nameless: HashMap<(String, NodeKind), Vec<Place>>,
    /// Path, kind, cfg and tracking hash of every definition.
    pub definitions: Vec<String>,
}

impl File {
    pub fn item(&self, index: usize) -> &ItemFacts {
        &self.facts.items[index]
    }

    pub fn text_of(&self, index: usize) -> &str {
        let span = self.item(index).span;
        &self.text[span.start_byte as usize..span.end_byte as usize]
    }

    /// Items directly in this one that paths can reach.
    pub fn children(&self, index: usize) -> Vec<usize> {
        let items = self.facts.items.iter().enumerate().skip(1);
        items.filter(|(_, i)| i.parent as usize == index && !i.in_body).map(|(at, _)| at).collect()
    }

    /// The path below which a nameless item stands: macro calls and extern blocks have none.
    pub fn container(&self, index: usize) -> Option<&str> {
        let mut at = self.item(index).parent as usize;
        loop {
            let transparent =
                matches!(self.item(at).kind, NodeKind::MacroCall | NodeKind::ForeignMod);
            if at == 0 || !transparent {
                return self.paths[at].as_deref();
            }
            at = self.item(at).parent as usize;
        }
    }

    /// What tells an item from the others, wherever its file has it.
    pub fn key(&self, index: usize) -> String {
        let item = self.item(index);
        let mut out = format!("{} {} [{}]", item.kind, item.name, item.cfg);
        let mut at = item.parent as usize;
        while at != 0 {
            out = format!("{} > {out}", self.item(at).name);
            at = self.item(at).parent as usize;
        }
        format!("{}: {out}", self.path)
    }

    pub fn is_declaration(&self, index: usize) -> bool {
        index != 0 && matches!(self.item(index).header, Header::Module { inline: false, .. })
    }
}

impl Tree {
    /// The files as they are now, indexed.
    pub fn read(database: &Database, root: &Path) -> Outcome<Self> {
        database.refresh(&Options::default(), &Silent)?;
        let mut defs: Vec<serde_json::Value> = Vec::new();
        database.snapshot(&When::Now, Refresh::Skip)?.export(ExportKind::Defs, &mut |line| {
            defs.push(line);
            Ok(())
        })?;
        let mut known: HashMap<(String, u64, String), String> = HashMap::new();
        let mut modules: HashMap<String, String> = HashMap::new();
        let mut declared: HashMap<String, String> = HashMap::new();
        let mut definitions = Vec::new();
        for def in &defs {
            let text = |name: &str| def[name].as_str().unwrap_or_default().to_owned();
            let (path, kind, file) = (text("path"), text("kind"), text("file"));
            definitions.push(format!("{kind} {path} [{}] {}", text("cfg"), text("tracking_hash")));
            let (start, end) = (def["start_byte"].as_u64(), def["end_byte"].as_u64());
            let whole = fs::metadata(root.join(&file)).map(|m| m.len()).ok() == end;
            if kind == "module" && start == Some(0) && whole {
                declared.insert(path.clone(), file.clone());
                modules.entry(file).or_insert(path);
            } else {
                known.entry((file, start.unwrap_or_default(), kind)).or_insert(path);
            }
        }
        definitions.sort();
        let mut tree = Self {
            files: BTreeMap::new(),
            by_path: HashMap::new(),
            nameless: HashMap::new(),
            definitions,
        };
        for walked in asof_workspace::walk(root)?.files {
            let bytes = fs::read(root.join(&walked.path))?;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let facts = asof_syntax::parse_file_isolated(&walked.path, text.as_bytes());
            let mut paths: Vec<Option<String>> = Vec::new();
            for (at, item) in facts.items.iter().enumerate() {
                let start = u64::from(item.span.start_byte);
                let named = (walked.path.clone(), start, item.kind.to_string());
                let mut path = match at {
                    0 => modules.get(&walked.path).cloned(),
                    _ => known.get(&named).cloned(),
                };
                if path.is_none() && at > 0 && item.kind == NodeKind::Module {
                    let mut parent = item.parent as usize;
                    while facts.items[parent].kind == NodeKind::MacroCall {
                        parent = facts.items[parent].parent as usize;
                    }
                    let below = paths[parent].as_ref().map(|p| format!("{p}::{}", item.name));
                    path = below.filter(|path| declared.contains_key(path));
                }
                paths.push(path);
            }
            let path = walked.path.clone();
            tree.files.insert(path.clone(), File { path, text, facts, paths });
        }
        tree.note();
        Ok(tree)
    }

    fn note(&mut self) {
        for file in self.files.values() {
            for (at, path) in file.paths.iter().enumerate() {
                let place = (file.path.clone(), at);
                // A declaration is the same item as the file that it names.
                let repeats = file.is_declaration(at);
                match path {
                    Some(path) if !repeats => {
                        self.by_path.entry(path.clone()).or_default().push(place);
                    }
                    Some(_) => {}
                    None if at > 0 && file.item(at).kind.is_anonymous() => {
                        if let Some(path) = file.container(at) {
                            let key = (path.to_owned(), file.item(at).kind);
                            self.nameless.entry(key).or_default().push(place);
                        }
                    }
                    None => {}
                }
            }
        }
    }

    pub fn file(&self, place: &Place) -> &File {
        &self.files[&place.0]
    }

    /// File of the module that a declaration names.
    pub fn file_of(&self, path: &str) -> Option<&str> {
        let places = self.by_path.get(path)?;
        places.iter().find(|(_, at)| *at == 0).map(|(file, _)| file.as_str())
    }

    /// Whether a module has modules in files of their own.
    pub fn has_nested(&self, file: &str) -> bool {
        let file = &self.files[file];
        let mut declared = (1..file.facts.items.len()).filter(|at| file.is_declaration(*at));
        declared.any(|at| file.paths[at].as_ref().is_some_and(|p| self.file_of(p).is_some()))
    }
}
