//! Expands macro calls among items: what they make is added to the item trees of the files of the
//! calls, where the passes of resolution treat it like written items.
//!
//! Macros are found by their names, before names are resolved: in the modules around a call, through
//! the imports of these, then in the crate, in other crates. What is ambiguous is not expanded.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::crate_maps::Input;
use super::expansion_budget::ExpansionBudget;
use super::ids::{CrateId, FileId, InstanceId, LibraryId};
use super::macro_rules::expand_items;
use super::nowhere::OrNowhere;
use super::outside_macros::{OutsideMacro, OutsideMacros};
use super::textual_macros::{Definitions, ItemTrees, Place};
use asof_model::{HashMap, Header, MadeItem, NodeKind, TreeItem, never};

/// Calls in calls that are followed.
const MAX_DEPTH: u32 = 16;

/// Stands for the items that a call is given.
const GIVEN: &str = "__Given";

/// Marks a module that a call puts the items into that it is given.
pub(super) const PASSED: &str = "#[passed]";

/// Imports of macros that lead to one another.
const MAX_HOPS: u32 = 8;

/// Items with their parents among them.
pub type Parented = Vec<(Option<u32>, MadeItem)>;

/// Reads what a call expands to, within an item of a kind.
pub type Read<'r> = dyn Fn(&str, NodeKind) -> Parented + Sync + 'r;

/// What the calls of all files make.
#[derive(Debug, Default)]
pub struct Grown {
    /// The items, by number of the file.
    pub items: BTreeMap<FileId, Vec<MadeItem>>,
    /// Files whose calls would make too many: some are not expanded.
    pub cut: BTreeSet<FileId>,
}

/// The items that calls make. `outside`: other crates, if they are known;
/// `read`: [`super::read_expansion`], or what gives the same.
pub fn grow(input: Input<'_>, outside: Option<&dyn OutsideMacros>, read: &Read<'_>) -> Grown {
    let mut growth = Growth {
        input,
        outside,
        grown: Grown::default(),
        macros: HashMap::default(),
        textual: HashMap::default(),
        imports: HashMap::default(),
        modules: HashMap::default(),
        names: 0,
        budget: ExpansionBudget::new(),
    };
    let (mut open, suites) = growth.calls();
    for call in suites {
        if let Some(items) = growth.suite(&call, read) {
            open.extend(growth.add(&call, items));
        }
    }
    let mut waiting: Vec<Call> = Vec::new();
    while !open.is_empty() {
        let known = growth.names;
        let expanded = growth.expand(std::mem::take(&mut open), &mut waiting);
        let items: Vec<(Call, Parented)> = expanded
            .into_par_iter()
            .map(|(call, text)| {
                let items = read(&text, call.within);
                (call, items)
            })
            .collect();
        for (call, items) in items {
            open.extend(growth.add(&call, items));
        }
        if growth.names > known {
            // Macros that calls made.
            open.append(&mut waiting);
        }
    }
    growth.grown
}

/// A call among items.
struct Call {
    instance: InstanceId,
    file: FileId,
    item: u32,
    /// What it is in.
    within: NodeKind,
    depth: u32,
    /// The crate whose macro wrote it.
    origin: Option<LibraryId>,
}

/// A macro of the workspace.
struct Rules {
    krate: CrateId,
    place: Place,
    module: Place,
    exported: bool,
    text: String,
}

/// The macro that a call means: its rules, what `$crate` is written as, and the crate if it is not of
/// the workspace.
struct Found<'g> {
    rules: &'g str,
    krate: String,
    outside: Option<LibraryId>,
}

struct Growth<'a> {
    input: Input<'a>,
    outside: Option<&'a dyn OutsideMacros>,
    grown: Grown,
    macros: HashMap<String, Vec<Rules>>,
    /// The same, by the order of the text.
    textual: HashMap<String, Definitions>,
    /// Paths that names of a module are imported by.
    imports: HashMap<(Place, String), Vec<Vec<String>>>,
    /// Modules by their parents and names.
    modules: HashMap<(Place, String), Place>,
    /// Macros and imports that are known.
    names: usize,
    budget: ExpansionBudget,
}

impl<'a> Growth<'a> {
    /// Reads the macros and imports of the texts, and returns the calls, and those whose tokens are
    /// items.
    fn calls(&mut self) -> (Vec<Call>, Vec<Call>) {
        let (mut calls, mut of_items) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        let mut called = BTreeSet::new();
        for (number, instance) in self.input.instances.iter_enumerated() {
            for (at, item) in self.input.item_tree(number).iter().enumerate() {
                let at = at as u32;
                let Header::MacroCall { items } = item.header else { continue };
                if items && item.in_body
                    || !items && item.sig.is_empty()
                    || !seen.insert((instance.file, at))
                {
                    continue;
                }
                called.extend(segments(&item.name).last().map(|name| (*name).to_owned()));
                let call = self.call((number, at), item.parent, 0, None);
                if items { of_items.push(call) } else { calls.push(call) }
            }
        }
        if calls.is_empty() && of_items.is_empty() {
            return (calls, of_items);
        }
        for (number, instance) in self.input.instances.iter_enumerated() {
            if let Some((by, item)) = instance.declared_in
                && let Some(declaration) = self.input.item_tree(by).get(item as usize)
            {
                let key = (self.module_around((by, item)), declaration.name.clone());
                self.modules.insert(key, (number, 0));
            }
            for (at, item) in self.input.item_tree(number).iter().enumerate() {
                self.name((number, at as u32), item, &|name| called.contains(name));
            }
        }
        (calls, of_items)
    }

    /// What a call adds around the items that it is given, if it puts them into modules: a test suite
    /// for several flavours. The modules are marked with [`PASSED`].
    fn suite(&mut self, call: &Call, read: &Read<'_>) -> Option<Parented> {
        let before = self.tokens_left(call.file);
        let mut left = before;
        let item = self.item(call.file, call.item)?;
        let found = self.called(call, &segments(&item.name))?;
        if found.outside.is_some() || !found.rules.contains("mod ") {
            return None;
        }
        let given = format!("struct {GIVEN};");
        let text = expand_items(found.rules, &given, &found.krate, &mut left);
        self.budget.spend(call.file, before - left);
        let mut made = read(&text?, call.within);
        let is_given = |one: &MadeItem| one.item.name == GIVEN;
        let into: BTreeSet<u32> = made
            .iter()
            .filter(|(_, one)| is_given(one))
            .filter_map(|(parent, _)| *parent)
            .collect();
        for at in &into {
            let module = made.get_mut(*at as usize).map(|(_, one)| &mut one.item);
            module.filter(|of| of.kind == NodeKind::Module)?.attrs = vec![PASSED.to_owned()];
        }
        let mut numbers = Vec::with_capacity(made.len());
        let mut next = 0;
        for (_, one) in &made {
            numbers.push(next);
            next += u32::from(!is_given(one));
        }
        made.retain(|(_, one)| !is_given(one));
        for (parent, _) in &mut made {
            *parent = parent.and_then(|parent| numbers.get(parent as usize).copied());
        }
        (!into.is_empty()).then_some(made)
    }

    fn call(
        &self,
        (instance, item): Place,
        parent: u32,
        depth: u32,
        origin: Option<LibraryId>,
    ) -> Call {
        let file = self.file_of(instance);
        let mut parent = parent;
        let mut within = NodeKind::Module;
        while let Some(item) = self.item(file, parent) {
            within = item.kind;
            if within != NodeKind::MacroCall || parent == 0 {
                break;
            }
            parent = item.parent;
        }
        Call { instance, file, item, within, depth, origin }
    }

    /// Notes the names of macros that an item brings.
    fn name(&mut self, (instance, at): Place, item: &TreeItem, is_called: &dyn Fn(&str) -> bool) {
        match &item.header {
            Header::Macro { exported } if !item.sig.is_empty() => {
                let Some(krate) = self.input.instances.get(instance).map(|of| of.krate) else {
                    never!("macros are of files of the workspace");
                    return;
                };
                let module = self.module_around((instance, at));
                let (exported, text) = (*exported, item.sig.clone());
                let place = (instance, at);
                let rules = Rules { krate, place, module, exported, text };
                self.macros.entry(item.name.clone()).or_default().push(rules);
                let mut textual = self.textual.remove(&item.name).unwrap_or_default();
                textual.add(self, place);
                self.textual.insert(item.name.clone(), textual);
                self.names += 1;
            }
            Header::Module { inline: true, .. } if at != 0 => {
                let key = (self.module_around((instance, at)), item.name.clone());
                self.modules.insert(key, (instance, at));
            }
            Header::Import { leaves } => {
                let leaves = leaves.iter().filter(|leaf| !leaf.glob && is_called(&leaf.name));
                for leaf in leaves {
                    let module = self.module_around((instance, at));
                    let known = self.imports.entry((module, leaf.name.clone())).or_default();
                    known.push(leaf.path.clone());
                    self.names += 1;
                }
            }
            _ => {}
        }
    }

    fn item(&self, file: FileId, at: u32) -> Option<&TreeItem> {
        let (_, tree) = self.input.files.get(file)?;
        let at = at as usize;
        let made =
            || self.grown.items.get(&file)?.get(at - tree.items.len()).map(|made| &made.item);
        if at < tree.items.len() { tree.items.get(at) } else { made() }
    }

    /// The file of an instance.
    fn file_of(&self, instance: InstanceId) -> FileId {
        let file = self.input.instances.get(instance).map(|of| of.file);
        file.or_nowhere("calls are of files of the workspace")
    }

    /// The module that an item is in.
    fn module_around(&self, (instance, item): Place) -> Place {
        let file = self.file_of(instance);
        let mut at = self.item(file, item).map_or(0, |item| item.parent);
        while at != 0 {
            match self.item(file, at) {
                Some(item) if item.kind == NodeKind::Module => break,
                Some(item) => at = item.parent,
                None => at = 0,
            }
        }
        (instance, at)
    }

    /// The module around a module, in the same crate.
    fn parent(&self, (instance, item): Place) -> Option<Place> {
        match item {
            0 => {
                let declared_in = self.input.instances.get(instance)?.declared_in?;
                Some(self.module_around(declared_in))
            }
            _ => Some(self.module_around((instance, item))),
        }
    }

    /// Tokens that the next call of a file may expand to.
    fn tokens_left(&mut self, file: FileId) -> usize {
        let written = self.input.files.get(file).map_or(&[][..], |(_, tree)| &tree.items);
        self.budget.tokens_left(file, written)
    }

    /// What the calls expand to; those whose macro is not known wait.
    fn expand(&mut self, calls: Vec<Call>, waiting: &mut Vec<Call>) -> Vec<(Call, String)> {
        let mut expanded = Vec::new();
        for mut call in calls {
            let before = self.tokens_left(call.file);
            if before == 0 {
                self.grown.cut.insert(call.file);
                continue;
            }
            let Some(item) = self.item(call.file, call.item) else { continue };
            let Some(found) = self.called(&call, &segments(&item.name)) else {
                waiting.push(call);
                continue;
            };
            let mut left = before;
            let text = expand_items(found.rules, &item.sig, &found.krate, &mut left);
            call.origin = found.outside;
            self.budget.spend(call.file, before - left);
            if let Some(text) = text {
                expanded.push((call, text));
            }
        }
        expanded
    }

    /// Adds items to the file of the call, and returns the calls among them.
    fn add(&mut self, call: &Call, items: Parented) -> Vec<Call> {
        let written = self.input.files.get(call.file).map_or(0, |(_, tree)| tree.items.len());
        let first = (written + self.grown.items.get(&call.file).map_or(0, Vec::len)) as u32;
        let mut calls = Vec::new();
        if items.is_empty() {
            return calls;
        }
        if !self.budget.take_items(call.file, items.len()) {
            self.grown.cut.insert(call.file);
            return calls;
        }
        let end = first + items.len() as u32;
        let made = self.grown.items.entry(call.file).or_default();
        for (parent, mut one) in items {
            one.item.parent = parent.map_or(call.item, |parent| first + parent);
            made.push(one);
        }
        for at in first..end {
            let place = (call.instance, at);
            let Some(item) = self.item(call.file, at).cloned() else { continue };
            self.name(place, &item, &|_| true);
            if is_call(&item) && call.depth + 1 < MAX_DEPTH {
                calls.push(self.call(place, item.parent, call.depth + 1, call.origin));
            }
        }
        calls
    }

    /// The macro that a call means: that of the textual scope, if its path is a name, else that which
    /// its path means.
    fn called(&self, call: &Call, path: &[&str]) -> Option<Found<'_>> {
        self.textual(call, path).or_else(|| {
            let module = self.module_around((call.instance, call.item));
            self.find(module, path, call.origin, MAX_HOPS)
        })
    }

    fn textual(&self, call: &Call, path: &[&str]) -> Option<Found<'_>> {
        let ([name], None) = (path, call.origin) else { return None };
        let definitions = self.textual.get(*name)?;
        let found = definitions.before(self, (call.instance, call.item), &|_| false);
        let [only] = found.as_slice() else { return None };
        let krate = self.input.instances.get(call.instance)?.krate;
        let named = self.macros.get(*name)?;
        named.iter().find(|rules| rules.place == *only).map(|rules| self.own(rules, krate))
    }

    /// The macro that a path in a module means.
    fn find(
        &self,
        module: Place,
        path: &[&str],
        origin: Option<LibraryId>,
        hops: u32,
    ) -> Option<Found<'_>> {
        let hops = hops.checked_sub(1)?;
        let (name, before) = path.split_last()?;
        let krate = self.input.instances.get(module.0)?.krate;
        if let Some(first) = before.first() {
            let root = self.root(module);
            let start = match *first {
                "crate" | "$crate" => Some(root),
                "self" => Some(module),
                "super" => self.parent(module),
                first => self.modules.get(&(module, first.to_owned())).copied(),
            };
            let below = before.get(1..).unwrap_or_default();
            let end = start.and_then(|start| {
                below.iter().try_fold(start, |at, segment| match *segment {
                    "super" => self.parent(at),
                    segment => self.modules.get(&(at, segment.to_owned())).copied(),
                })
            });
            if let Some(found) = end.and_then(|end| self.imported(end, name, hops)) {
                return Some(found);
            }
            let outside = self.outside.filter(|_| start.is_none());
            let outside = outside.and_then(|outside| outside.macro_at(path));
            return outside
                .and_then(|found| self.of_outside(found))
                .or_else(|| self.of_workspace(krate, name, true));
        }
        // Names of macros that are written in rules mean those of their crate first.
        let in_crate = origin.and_then(|origin| self.outside?.macro_in(origin, name));
        if let Some(found) = in_crate {
            return self.of_outside(found);
        }
        let mut at = Some(module);
        while let Some(here) = at {
            let named = self.macros.get(*name).into_iter().flatten();
            let mut own = named.filter(|rules| rules.module == here);
            if let Some(only) = own.next() {
                return own.next().is_none().then(|| self.own(only, krate));
            }
            if self.imports.contains_key(&(here, (*name).to_owned())) {
                return self.imported(here, name, hops);
            }
            at = self.parent(here);
        }
        if let Some(own) = self.of_workspace(krate, name, false) {
            return Some(own);
        }
        let outside = self.outside.and_then(|outside| {
            let of_std = outside.macro_at(&["std", name]);
            of_std.or_else(|| outside.only_macro(name, &self.crates_of(krate)))
        });
        let outside = outside.and_then(|found| self.of_outside(found));
        outside.or_else(|| self.of_workspace(krate, name, true))
    }

    /// The macro that a module imports under a name.
    fn imported(&self, module: Place, name: &str, hops: u32) -> Option<Found<'_>> {
        let paths = self.imports.get(&(module, name.to_owned()))?;
        let [path] = paths.as_slice() else { return None };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        self.find(module, skip_root(&path), None, hops)
    }

    /// The root of the crate that a module is in.
    fn root(&self, module: Place) -> Place {
        let mut at = module;
        while let Some(parent) = self.parent(at) {
            at = parent;
        }
        at
    }

    /// Names of the crates that the code of a crate can name.
    fn crates_of(&self, krate: CrateId) -> Vec<String> {
        let package = self.input.crates.get(krate).and_then(|krate| krate.package);
        let package = package.and_then(|package| self.input.packages.get(package));
        let names = package.into_iter().flat_map(|package| &package.dependencies);
        names.map(|(name, _)| name.replace('-', "_")).collect()
    }

    /// The only macro of this name in a crate, or that others of the workspace export.
    fn of_workspace(&self, krate: CrateId, name: &str, of_others: bool) -> Option<Found<'_>> {
        let named = self.macros.get(name)?;
        let mut own = named.iter().filter(|rules| rules.krate == krate).peekable();
        let only = match own.peek() {
            Some(_) => {
                let first = own.next();
                first.filter(|_| own.next().is_none())
            }
            None if of_others => {
                let mut exported = named.iter().filter(|rules| rules.exported);
                let first = exported.next();
                first.filter(|_| exported.next().is_none())
            }
            None => None,
        };
        only.map(|rules| self.own(rules, krate))
    }

    fn own<'g>(&'g self, rules: &'g Rules, from: CrateId) -> Found<'g> {
        let krate = if rules.krate == from {
            "crate".to_owned()
        } else {
            let name = self.input.crates.get(rules.krate);
            format!("::{}", name.map_or("", |krate| krate.target.crate_name.as_str()))
        };
        Found { rules: &rules.text, krate, outside: None }
    }

    fn of_outside(&self, found: OutsideMacro<'a>) -> Option<Found<'_>> {
        let name = self.outside?.name_of(found.krate)?;
        let outside = Some(found.krate);
        Some(Found { rules: found.rules, krate: format!("::{name}"), outside })
    }
}

impl ItemTrees for Growth<'_> {
    fn tree_item(&self, (instance, item): Place) -> Option<&TreeItem> {
        self.item(self.input.instances.get(instance)?.file, item)
    }

    fn declared_in(&self, instance: InstanceId) -> Option<Place> {
        self.input.declared_in(instance)
    }

    fn is_part(&self, instance: InstanceId) -> bool {
        self.input.is_part(instance)
    }
}

/// Whether an item is a call whose tokens are known, and are no items.
fn is_call(item: &TreeItem) -> bool {
    matches!(item.header, Header::MacroCall { items: false }) && !item.sig.is_empty()
}

/// The segments of a path, without the root mark.
fn segments(path: &str) -> Vec<&str> {
    path.split("::").map(str::trim).filter(|segment| !segment.is_empty()).collect()
}

fn skip_root<'s, 'p>(path: &'s [&'p str]) -> &'s [&'p str] {
    match path.split_first() {
        Some((&"", rest)) => rest,
        _ => path,
    }
}
