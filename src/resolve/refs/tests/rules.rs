//! The rules of the language for names, as `docs/names.md` lists them: for each a case that it
//! allows and a trap. `fixtures/rules/*.txt` has the texts; `//# name` begins one. A line of carets
//! says what the names in the line above it mean:
//!
//! ```text
//! fn f() { go() }
//! //       ^^ a::go
//! ```
//!
//! Several meanings are joined by ` | `; `variable` stands for what is no reference to an item.
//! Names without carets are not looked at. A place that has no reference, or
//! one of little confidence only, is marked `nothing`. What is no reference is marked with a verb:
//! `binds NAME` and `is NAME`, with any name for the variable; `has type a::A, u8`; `makes a::item`,
//! and `makes a::item beside` if the macro makes something else of the name, too; `within a::item` where
//! an item that a call makes uses something.

use std::collections::BTreeMap;

use super::super::LocalFacts;
use super::super::types::Def;
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/refs/tests/fixtures/rules");

/// Every text with its name.
pub(super) fn cases() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let files = std::fs::read_dir(FOLDER).unwrap();
    let mut files: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let texts: Vec<String> =
        files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    for line in texts.iter().flat_map(|text| text.lines()) {
        match (line.strip_prefix("//# "), all.last_mut()) {
            (Some(name), _) => all.push((name.to_owned(), String::new())),
            (None, Some((_, text))) => text.extend([line, "\n"]),
            (None, None) => {}
        }
    }
    all
}

/// A marked name: file, line from 1, and what it means.
struct Mark {
    path: String,
    line: u32,
    columns: std::ops::Range<usize>,
    meaning: String,
}

fn marks(text: &str) -> Vec<Mark> {
    let (mut path, mut line, mut code) = ("a/lib.rs".to_owned(), 0, 0);
    let mut marks = Vec::new();
    for text in text.lines() {
        if let Some(file) = text.strip_prefix("//- ") {
            (path, line, code) = (file.trim().to_owned(), 0, 0);
            continue;
        }
        line += 1;
        if !text.trim_start().starts_with("//") || !text.contains('^') {
            code = line;
            continue;
        }
        let mut at = 0;
        while let Some(start) = text[at..].find('^').map(|from| at + from) {
            let len = text[start..].bytes().take_while(|byte| *byte == b'^').count();
            let end = text[start + len..].find('^').map_or(text.len(), |next| start + len + next);
            marks.push(Mark {
                path: path.clone(),
                line: code,
                columns: start..start + len,
                meaning: text[start + len..end].trim().to_owned(),
            });
            at = end;
        }
    }
    marks
}

/// What the names of a text mean, by file, line and column.
fn meanings(text: &str) -> BTreeMap<(String, u32, usize), BTreeSet<String>> {
    let workspace = Workspace::parse(text);
    let mut found: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    workspace.resolved(|world, sources, called| {
        let spans: BTreeMap<NodeId, (String, u32)> = world
            .own_defs()
            .filter_map(|def| {
                let node = world.node(def)?;
                let instance = world.input().instances.get(node.instance)?;
                let (path, _) = world.input().files.get(instance.file)?;
                let start = workspace.facts[*path].items.get(node.item as usize)?.span.start_byte;
                Some((node.id, ((*path).to_owned(), start)))
            })
            .collect();
        // Items of bodies have the path of an item of the module: the function tells them apart.
        let in_body: BTreeMap<NodeId, String> = world
            .own_defs()
            .filter_map(|def| {
                let node = world.node(def).filter(|_| world.item_tree(def).unwrap().in_body)?;
                let above = std::iter::successors(world.parent(def), |def| world.parent(*def));
                let is_outside = |def: &Def| !world.item_tree(*def).unwrap().in_body;
                let holder = world.node(above.into_iter().find(is_outside)?)?;
                let module = world.node(node.module)?;
                let rest = node.path.strip_prefix(module.path.as_str())?;
                Some((node.id, format!("{}{rest}", holder.path)))
            })
            .collect();
        for one in world.references(sources) {
            if matches!(one.kind, RefKind::Mention | RefKind::Overrides) || one.confidence < 90 {
                continue;
            }
            let target = match &one.target {
                RefTarget::Node(id) => in_body.get(id).unwrap_or(&called[id]).clone(),
                RefTarget::External(path) => format!("extern {path}"),
                RefTarget::Unknown(_) => continue,
            };
            let (path, start) = &spans[&one.source];
            let lines = &workspace.facts[path].uses.lines;
            for place in &one.occurrences {
                let byte = start + place.offset;
                let line = lines.partition_point(|first| *first <= byte);
                let column = byte - lines[line - 1];
                let key = (path.clone(), line as u32, column as usize);
                found.entry(key).or_default().insert(target.clone());
            }
        }
    });
    found
}

/// What is marked with a verb, by file, line and column: where a variable is bound, or a text.
fn facts(text: &str) -> BTreeMap<(String, u32, usize), BTreeSet<String>> {
    let workspace = Workspace::parse(text);
    let mut found: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    workspace.resolved(|world, sources, called| {
        for source in sources {
            let path = world.input().files[source.file].0;
            let lines = &source.uses.lines;
            let place = |byte: u32| {
                let line = lines.partition_point(|first| *first <= byte);
                (path.to_owned(), line as u32, (byte - lines[line - 1]) as usize)
            };
            let LocalFacts { variables, types, made, uses_in_made, .. } = world.local_facts(source);
            for one in variables {
                let (_, line, column) = place(one.binding);
                found.entry(place(one.at)).or_default().insert(format!("is {line}:{column}"));
            }
            for one in types {
                let name = |target: &RefTarget| match target {
                    RefTarget::Node(id) => called[id].clone(),
                    RefTarget::External(path) | RefTarget::Unknown(path) => path.clone(),
                };
                let all: Vec<String> = one.types.iter().map(name).collect();
                let all = format!("has type {}", all.join(", "));
                found.entry(place(one.at)).or_default().insert(all);
            }
            for one in uses_in_made {
                let within = format!("within {}", called[&one.item]);
                found.entry(place(one.at)).or_default().insert(within);
            }
            for one in made {
                let beside = if one.is_only { "" } else { " beside" };
                let makes = format!("makes {}{beside}", called[&one.item]);
                found.entry(place(one.at)).or_default().insert(makes);
            }
        }
    });
    found
}

/// The marked names of the text mean what is written below them.
fn differences(text: &str) -> Vec<String> {
    let found = meanings(text);
    let facts = facts(text);
    let bound: BTreeMap<String, String> = marks(text)
        .iter()
        .filter_map(|mark| {
            let name = mark.meaning.strip_prefix("binds ")?;
            Some((name.to_owned(), format!("is {}:{}", mark.line, mark.columns.start)))
        })
        .collect();
    let none = BTreeSet::new();
    let mut wrong = Vec::new();
    let marks = marks(text);
    assert!(!marks.is_empty(), "no name is marked:\n{text}");
    for mark in marks {
        let key = (mark.path.clone(), mark.line, mark.columns.start);
        let verb = mark.meaning.split(' ').next().unwrap_or_default();
        if ["binds", "is", "has", "makes", "within"].contains(&verb) {
            let name = mark.meaning.split_once(' ').map_or("", |(_, rest)| rest);
            let want = match verb {
                "binds" | "is" => bound[name].clone(),
                _ => mark.meaning.clone(),
            };
            let have = facts.get(&key).unwrap_or(&none);
            if !have.contains(&want) {
                let place = format!("{}:{}:{}", mark.path, mark.line, mark.columns.start);
                wrong.push(format!("  {place} has {have:?}, not {want:?}"));
            }
            continue;
        }
        let have = found.get(&key).unwrap_or(&none);
        let want: BTreeSet<String> = match mark.meaning.as_str() {
            "variable" | "nothing" => BTreeSet::new(),
            several => several.split(" | ").map(str::to_owned).collect(),
        };
        if *have != want {
            let place = format!("{}:{}:{}", mark.path, mark.line, mark.columns.start);
            wrong.push(format!("  {place} means {have:?}, not {want:?}"));
        }
    }
    wrong
}

#[test]
fn names_mean_what_the_reference_says() {
    let cases = cases();
    let mut wrong = Vec::new();
    for (name, text) in &cases {
        let found = differences(text);
        if !found.is_empty() {
            wrong.push(format!("{name}:\n{}", found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
