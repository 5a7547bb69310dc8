//! Words in the rules of macros: what a macro makes of a word, or takes from the place of its call,
//! stays the same.

use std::collections::{BTreeMap, BTreeSet};

use super::places::place;
use crate::database::Snapshot;
use crate::edit::edit_target::Refactored;
use crate::edit::target::{Files, Halt};
use crate::items::{WrittenPaths, source_texts};
use asof_edit::line_of;
use asof_index::{PathMeaning, Place, Viewpoint};
use asof_model::{FileFacts, NodeId, normalize_identifier};
use asof_refactor::{MacroDefinition, MacroRules, macro_calls, macro_definitions};
use asof_syntax::{Kind, lex};
use asof_wire::{Doubt, Obligation};

/// The macros of the workspace by name.
pub(in super::super) struct Macros {
    all: BTreeMap<String, Vec<Defined>>,
}

/// A macro, and where it is defined.
struct Defined {
    file_path: String,
    definition: MacroDefinition,
}

impl Macros {
    pub fn load(snapshot: &Snapshot<'_>) -> Result<Self, Halt> {
        let mut all: BTreeMap<String, Vec<Defined>> = BTreeMap::new();
        for (file_path, text) in source_texts(snapshot)? {
            if !text.contains("macro_rules") {
                continue;
            }
            for definition in macro_definitions(&text) {
                let file_path = file_path.clone();
                let named = all.entry(definition.name.clone()).or_default();
                named.push(Defined { file_path, definition });
            }
        }
        Ok(Self { all })
    }

    /// The macros of a name and those that their rules call.
    fn reached(&self, name: &str) -> Vec<&Defined> {
        let (mut open, mut seen) = (vec![name], BTreeSet::new());
        let mut found = Vec::new();
        while let Some(name) = open.pop() {
            let Some(named) = self.all.get(name).filter(|_| seen.insert(name)) else { continue };
            for defined in named {
                found.push(defined);
                open.extend(defined.definition.rules.macros.iter().map(String::as_str));
            }
        }
        found
    }

    /// Names of the macros of which this holds, or which call such a macro.
    fn that(&self, holds: impl Fn(&Defined) -> bool) -> BTreeSet<&str> {
        let names = self.all.keys().map(String::as_str);
        names.filter(|name| self.reached(name).into_iter().any(&holds)).collect()
    }

    /// Those whose rules name something where they are called, unless the edit rewrites the rules.
    fn naming(&self, name: &str, out: &Refactored) -> BTreeSet<&str> {
        self.that(|one| {
            let range = &one.definition.range;
            let splices = out.elsewhere.get(&one.file_path).into_iter().flatten();
            let is_rewritten = splices.into_iter().any(|splice| range.contains(&splice.start));
            one.definition.rules.names.contains(name) && !is_rewritten
        })
    }
}

/// Lists the calls of macros whose rules take a name from where they are called, in places where
/// `meant` means one of these items.
fn list_naming_calls(
    snapshot: &Snapshot<'_>,
    naming: &BTreeSet<&str>,
    meant: &str,
    items: &BTreeSet<NodeId>,
    out: &mut Refactored,
) -> Result<(), Halt> {
    if naming.is_empty() {
        return Ok(());
    }
    let mut paths = WrittenPaths::new(snapshot);
    let (mut found, mut checked) = (Vec::new(), 0);
    for (path, text) in source_texts(snapshot)? {
        if !naming.iter().any(|name| text.contains(name)) {
            continue;
        }
        for call in macro_calls(&text) {
            checked += 1;
            if naming.contains(call.name) && paths.mean(&path, call.name_at, meant, items)? {
                found.push(place(&path, &text, call.name_at, Doubt::MacroNames));
            }
        }
    }
    out.look_at.append(&mut found);
    out.check(Obligation::Macros, checked);
    Ok(())
}

/// Words in front of a name that an item gets.
const DECLARING: [&str; 11] =
    ["as", "const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union", "use"];

/// Whether tokens of a macro call declare or import a name. Which scope that is in, depends on what
/// the rules make of them.
fn declares(text: &str, tokens: std::ops::Range<u32>, name: &str) -> bool {
    let text = text.get(tokens.start as usize..tokens.end as usize).unwrap_or_default();
    let (mut before, mut is_import) = ("", false);
    for token in lex(text, 0) {
        let word = text.get(token.start as usize..token.end as usize).unwrap_or_default();
        match token.kind {
            Kind::Word if word == "use" => is_import = true,
            Kind::Word => {
                let is_name = normalize_identifier(word.trim_start_matches("r#")) == name;
                if is_name && (is_import || DECLARING.contains(&before)) {
                    return true;
                }
            }
            _ if word == ";" => is_import = false,
            _ => {}
        }
        before = word;
    }
    false
}

/// A name that takes the place of another one.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Words<'a> {
    pub old: &'a str,
    pub new: &'a str,
}

/// Checks calls of macros whose rules have the old or the new word of a rename. `items`: the items
/// that get the new name; none for a local name.
pub(in super::super) fn check_new_word(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    Words { old, new }: Words<'_>,
    items: Option<&BTreeSet<NodeId>>,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let macros = Macros::load(snapshot)?;
    let rules = |one: &Defined, holds: fn(&MacroRules, &str) -> bool| {
        holds(&one.definition.rules, old) || holds(&one.definition.rules, new)
    };
    let matching = macros.that(|one| rules(one, |rules, word| rules.literals.contains(word)));
    let declaring = macros.that(|one| {
        let rules = &one.definition.rules;
        rules.declared.contains(new) || rules.has_glob
    });
    let printing = macros.that(|one| one.definition.rules.macros.contains("stringify"));
    let (mut found, mut printed) = (Vec::new(), BTreeSet::new());
    let mut checked = 0;
    for (path, splices) in &out.elsewhere {
        let loaded = files.loaded(snapshot, path)?;
        let places: BTreeSet<u32> = splices.iter().map(|splice| splice.start).collect();
        for call in macro_calls(&loaded.text) {
            checked += 1;
            let arguments = call.arguments.clone();
            let given = places.range(arguments.start..arguments.end).next();
            if matching.contains(call.name)
                && let Some(at) = given
            {
                found.push(place(path, &loaded.text, *at, Doubt::MacroWord));
            }
            if let Some(at) = given.filter(|_| declares(&loaded.text, arguments, new)) {
                found.push(place(path, &loaded.text, *at, Doubt::MacroWord));
            }
            if given.is_some() && (call.name == "stringify" || printing.contains(call.name)) {
                printed.insert((path.clone(), line_of(&loaded.text, call.name_at)));
            }
            if declaring.contains(call.name)
                && let Some((start, end)) = body_around(&loaded.facts, call.name_at)
                && places.range(start..end).next().is_some()
            {
                found.push(place(path, &loaded.text, call.name_at, Doubt::MacroWord));
            }
        }
    }
    let printed =
        printed.iter().map(|(path, line)| format!("a macro prints the name at {path}:{line}"));
    out.warnings.extend(printed);
    out.look_at.append(&mut found);
    out.check(Obligation::Macros, checked);
    if let Some(items) = items {
        let mut naming = macros.naming(old, out);
        naming.extend(macros.that(|one| one.definition.rules.names.contains(new)));
        list_naming_calls(snapshot, &naming, old, items, out)?;
    }
    Ok(())
}

/// Checks calls that stay of macros whose rules name an item which moves.
pub(in super::super) fn check_moved_names(
    snapshot: &Snapshot<'_>,
    macros: &Macros,
    name: &str,
    items: &BTreeSet<NodeId>,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let naming = macros.naming(name, out);
    list_naming_calls(snapshot, &naming, name, items, out)
}

/// Bytes of the innermost item with a body around a byte.
fn body_around(facts: &FileFacts, byte: u32) -> Option<(u32, u32)> {
    let items = facts.items.iter().filter(|item| item.kind.has_body());
    let around = items.map(|item| (item.span.start_byte, item.span.end_byte));
    around
        .filter(|(start, end)| *start <= byte && byte < *end)
        .min_by_key(|(start, end)| end - start)
}

/// Checks the calls in texts that go from one module to another: what the rules of the macros name
/// where they are called must be the same there.
pub(in super::super) fn check_carried_calls(
    snapshot: &Snapshot<'_>,
    files: &mut Files,
    macros: &Macros,
    view: &Viewpoint,
    from: Place,
    to: Place,
    out: &mut Refactored,
) -> Result<(), Halt> {
    let (mut found, mut checked) = (Vec::new(), 0);
    let mut same: BTreeMap<String, bool> = BTreeMap::new();
    for carried in &out.carried {
        let (path, start, end) = &carried.from;
        let loaded = files.loaded(snapshot, path)?;
        let text = loaded.text.get(*start as usize..*end as usize).unwrap_or_default();
        for call in macro_calls(text) {
            checked += 1;
            let names = macros.reached(call.name).into_iter();
            let names = names.flat_map(|one| &one.definition.rules.names);
            let is_same = |name: &String| {
                *same.entry(name.clone()).or_insert_with(|| {
                    let here = view.meaning(from, name);
                    let moves = match &here {
                        PathMeaning::Items(ids) => !ids.is_disjoint(&out.ids),
                        _ => false,
                    };
                    let is_relative = matches!(name.as_str(), "self" | "super");
                    !is_relative && (moves || here == view.meaning(to, name))
                })
            };
            if !names.into_iter().all(is_same) {
                let at = start + call.name_at;
                found.push(place(path, &loaded.text, at, Doubt::MacroNames));
            }
        }
    }
    out.look_at.append(&mut found);
    out.check(Obligation::Macros, checked);
    Ok(())
}
