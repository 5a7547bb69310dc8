//! Assigns nodes to items: ids, conditions, paths of what is outside of impls.

use std::borrow::Cow;

use index_vec::IndexVec;

use super::block_scopes;
use super::conditions::{ALWAYS, Conditions};
use super::crate_maps::{CrateMaps, Input};
use super::earlier_state::{EarlierState, repeats};
use super::ids::{ConditionId, Def, InstanceId};
use super::item_ids::item_ids;
use super::node_table::{FileNodes, Node, NodeTable};
use super::nowhere::OrNowhere;
use super::paths;
use super::shared_files::Shared;
use super::wrappers::{MacroPredicate, Wrappers, macro_predicates};
use asof_model::{HashMap, NodeId, NodeKind};
use std::sync::Arc;

/// Assigns a node to every item of every instance. What an earlier state has of a file is shared, if all of
/// it is the same.
pub(super) fn identify(input: &Input<'_>, before: Option<EarlierState<'_>>) -> CrateMaps {
    let mut assembly = CrateMaps {
        conditions: before.map_or_else(Conditions::default, |of| of.scopes.conditions.clone()),
        ..CrateMaps::default()
    };
    let files = Files::new(input, before);
    let mut roots: HashMap<(String, &'static str, String), u32> = HashMap::default();
    for number in input.instances.indices() {
        let file = match root_node(input, &files, &mut assembly, number, &mut roots) {
            None => Arc::new(FileNodes::new(files.first(number)).into()),
            Some(root) => match files.shared(&assembly, number, &root) {
                Some(shared) => Arc::clone(shared),
                None => Arc::new(file_nodes(input, &files, &mut assembly, number, root).into()),
            },
        };
        assembly.nodes.push(file, files.end(number));
    }
    assembly
}

/// What is known of files before their items are looked at.
struct Files<'i> {
    input: &'i Input<'i>,
    before: Option<EarlierState<'i>>,
    /// What an earlier state has of the same text.
    same: IndexVec<InstanceId, Option<&'i Arc<Shared<FileNodes>>>>,
    firsts: IndexVec<InstanceId, Def>,
    end: Def,
    /// By the declaring instance: items with a file of their own, sorted.
    bodies: IndexVec<InstanceId, Vec<(u32, InstanceId)>>,
    macros: IndexVec<InstanceId, Cow<'i, [MacroPredicate]>>,
    wrappers: Wrappers,
    /// Whether calls put their items under the conditions that they did.
    has_same_wrappers: bool,
}

impl<'i> Files<'i> {
    fn new(input: &'i Input<'i>, before: Option<EarlierState<'i>>) -> Self {
        let numbers = input.instances.indices();
        let same = |number| before.and_then(|before| same_file(before, input, number));
        let same: IndexVec<InstanceId, _> = numbers.clone().map(same).collect();
        let mut bodies: IndexVec<InstanceId, Vec<(u32, InstanceId)>> =
            index_vec::index_vec![Vec::new(); input.instances.len()];
        for (number, instance) in input.instances.iter_enumerated() {
            if let (Some((by, item)), None, None) =
                (instance.declared_in, &instance.variant, &instance.made)
                && let Some(bodies) = bodies.get_mut(by)
            {
                bodies.push((item, number));
            }
        }
        for bodies in &mut bodies {
            bodies.sort_unstable();
            bodies.dedup_by_key(|(item, _)| *item);
        }
        let macros = same.iter_enumerated().map(|(number, same)| match same {
            Some(file) => Cow::Borrowed(file.macros.as_slice()),
            None => Cow::Owned(macro_predicates(input.item_tree(number))),
        });
        let macros: IndexVec<InstanceId, Cow<'_, [MacroPredicate]>> = macros.collect();
        let crates = input.instances.iter().map(|instance| instance.krate);
        let wrappers = Wrappers::new(crates.zip(&macros));
        let mut files = Files {
            input,
            before,
            same,
            firsts: IndexVec::new(),
            end: Def::new(0),
            bodies,
            has_same_wrappers: before.is_some_and(|before| wrappers_then(before) == wrappers),
            macros,
            wrappers,
        };
        files.place();
        files
    }

    /// Gives each file its numbers.
    fn place(&mut self) {
        let before = self.before.map(|before| &before.assembly.nodes);
        for (number, same) in self.same.iter_enumerated() {
            let same = same.map(|file| &***file);
            let count = block_scopes::most_numbers(self.input, number, same);
            self.firsts.push(self.end);
            let room = before.and_then(|before| before.room(number));
            self.end = NodeTable::next_block(self.end, count, room);
        }
    }

    fn first(&self, number: InstanceId) -> Def {
        self.firsts.get(number).copied().or_nowhere("each instance has numbers")
    }

    fn end(&self, number: InstanceId) -> Def {
        self.firsts.get(InstanceId::new(number.index() + 1)).copied().unwrap_or(self.end)
    }

    fn bodies(&self, number: InstanceId) -> &[(u32, InstanceId)] {
        self.bodies.get(number).map_or(&[], Vec::as_slice)
    }

    /// The instance that is the body of a module which an item declares.
    fn body(&self, number: InstanceId, item: u32) -> Option<InstanceId> {
        let bodies = self.bodies(number);
        let at = bodies.binary_search_by_key(&item, |(item, _)| *item).ok()?;
        bodies.get(at).map(|(_, body)| *body)
    }

    /// The nodes of the file in the earlier state, if they are the present ones.
    fn shared(
        &self,
        assembly: &CrateMaps,
        number: InstanceId,
        root: &Node,
    ) -> Option<&'i Arc<Shared<FileNodes>>> {
        let known = (*self.same.get(number)?)?;
        let first = self.first(number);
        let declared = known.declarations.iter().map(|(item, node)| (*item, node.module));
        let bodies = self.bodies(number).iter().map(|(item, body)| (*item, self.first(*body)));
        let is_shared = |by: InstanceId| {
            let before = self.before.map(|before| &before.assembly.nodes);
            before.is_some_and(|before| assembly.nodes.shares(before, by, by))
        };
        // Paths of what is in an included file begin with that of the module around.
        let has_same_path = || match root.declared_in {
            Some((by, _)) if self.input.is_included(number) => is_shared(by),
            _ => true,
        };
        let is_same = self.has_same_wrappers
            && known.first == first
            && known.nodes.first() == Some(root)
            && declared.eq(bodies)
            && has_same_path();
        is_same.then_some(known)
    }
}

/// What an earlier state has of a file, if items and repeated declarations are the same.
fn same_file<'b>(
    before: EarlierState<'b>,
    input: &Input<'_>,
    number: InstanceId,
) -> Option<&'b Arc<Shared<FileNodes>>> {
    let (was, is) = (before.input.instances.get(number)?, input.instances.get(number)?);
    let (was, is) = (before.input.files.get(was.file)?, input.files.get(is.file)?);
    let is_same = was == is && repeats(&before.input, number).eq(repeats(input, number));
    before.assembly.nodes.file(number).filter(|_| is_same)
}

/// The wrappers of an earlier state.
fn wrappers_then(before: EarlierState<'_>) -> Wrappers {
    let files = before.input.instances.iter_enumerated();
    let files = files.filter_map(|(number, instance)| {
        let file = before.assembly.nodes.file(number)?;
        Some((instance.krate, &file.macros))
    });
    Wrappers::new(files)
}

/// What the items in an item are in.
#[derive(Clone, Copy)]
struct Around {
    module: Def,
    /// The item of the module; 0 if it is the file.
    module_item: usize,
    in_test: bool,
    condition: ConditionId,
}

/// The nodes of a file that is the body of this module.
fn file_nodes(
    input: &Input<'_>,
    files: &Files<'_>,
    assembly: &mut CrateMaps,
    number: InstanceId,
    root: Node,
) -> FileNodes {
    let mut file = FileNodes::new(files.first(number));
    file.macros = files.macros.get(number).map_or_else(Vec::new, |macros| macros.to_vec());
    let own = file.first;
    let root_path = paths::module_path(input, assembly, &root).to_owned();
    let module_id = root.id;
    let of_root =
        Around { module: own, module_item: 0, in_test: root.in_test, condition: root.condition };
    file.nodes.push(root);
    file.index.push(own);
    let instance = input.instances.get(number);
    let tree = instance.and_then(|of| Some((of, input.files.get(of.file)?)));
    let Some((instance, (_, tree))) = tree else { return file };
    let ids = tree.ids(module_id, |tree| item_ids(&tree.items, module_id));
    // Conditions that calls of wrappers give to their items, by item.
    let mut wrapped: HashMap<u32, ConditionId> = HashMap::default();
    let mut around = Vec::with_capacity(tree.items.len());
    around.push(of_root);
    for ((at, item), id) in tree.items.iter().enumerate().zip(&*ids).skip(1) {
        let parent = file.index.get(item.parent as usize).copied();
        let parent = parent.or_nowhere("items follow those that they are in");
        let above = around.get(item.parent as usize).copied().unwrap_or(of_root);
        let body = files.body(number, at as u32);
        let own = match body {
            Some(body) => files.first(body),
            None => Def::new(file.first.index() + file.nodes.len()),
        };
        let condition = wrapped.get(&item.parent).copied().unwrap_or(above.condition);
        let condition = assembly.conditions.under(condition, &item.cfg);
        if item.kind == NodeKind::MacroCall
            && let Some(predicate) = files.wrappers.predicate(instance.krate, &item.name)
        {
            wrapped.insert(at as u32, assembly.conditions.under(condition, predicate));
        }
        let path = if input.repeats.contains_key(&(number, at as u32)) {
            String::new()
        } else {
            let text = |item: usize| file.path(item, &root_path);
            paths::item_path(&tree.items, item, above.module_item, text)
        };
        let in_test = above.in_test || item.marks_test;
        let (module, module_item) = match item.kind {
            NodeKind::Module => (own, at),
            _ => (above.module, above.module_item),
        };
        around.push(Around { module, module_item, in_test, condition });
        let node = Node {
            id: *id,
            kind: item.kind,
            name: item.name.clone(),
            parent: Some(parent),
            module,
            instance: number,
            item: at as u32,
            declared_in: None,
            path,
            in_test,
            condition,
        };
        match body {
            Some(_) => file.declarations.push((at as u32, node)),
            None => file.nodes.push(node),
        }
        file.index.push(own);
    }
    block_scopes::collect(&tree.items, &mut file);
    file
}

impl FileNodes {
    /// The path of an item; of the module, this one.
    fn path<'p>(&'p self, item: usize, root: &'p str) -> &'p str {
        if item == 0 {
            return root;
        }
        let place = |def: &Def| def.index().checked_sub(self.first.index());
        let node = self.index.get(item).and_then(place).and_then(|place| self.nodes.get(place));
        node.map_or("", |node| &node.path)
    }
}

/// The module of an instance: a new one for a crate root and for the further files of a declaration, else
/// that of the declaration.
fn root_node(
    input: &Input<'_>,
    files: &Files<'_>,
    assembly: &mut CrateMaps,
    number: InstanceId,
    roots: &mut HashMap<(String, &'static str, String), u32>,
) -> Option<Node> {
    let instance = input.instances.get(number)?;
    let own = files.first(number);
    let first = input.item_tree(number).first();
    let marks_test = first.is_some_and(|file| file.marks_test);
    let cfg = first.map_or("", |file| file.cfg.as_str());
    let Some((by, item)) = instance.declared_in else {
        let krate = input.crates.get(instance.krate)?;
        let package = krate.package.and_then(|p| input.packages.get(p));
        let package_name = package.map_or("", |p| p.name.as_str());
        let kind = krate.target.kind.as_str();
        let seen = roots
            .entry((package_name.to_owned(), kind, krate.target.name.clone()))
            .and_modify(|n| *n += 1)
            .or_insert(0);
        // Packages with the same name are distinguished by their folder, from the second on.
        let package_key = match *seen {
            0 => package_name.to_owned(),
            _ => format!("{package_name}\0{}", krate.target.root),
        };
        return Some(Node {
            id: NodeId::of_target(&package_key, kind, &krate.target.name),
            kind: NodeKind::Module,
            name: krate.target.crate_name.clone(),
            parent: None,
            module: own,
            instance: number,
            item: 0,
            declared_in: None,
            path: krate.target.crate_name.clone(),
            in_test: marks_test || krate.target.kind.is_test(),
            condition: assembly.conditions.under(ALWAYS, cfg),
        });
    };
    let declaration = assembly.declaration(by, item)?.clone();
    // It exists where one of its declarations does.
    let mut condition = declared(input, assembly, by, item)?;
    for ((_, repeat), first) in input.repeats.range((by, 0)..=(by, u32::MAX)) {
        if *first == item {
            let other = declared(input, assembly, by, *repeat)?;
            condition = assembly.conditions.or(condition, other);
        }
    }
    let condition = assembly.conditions.under(condition, &instance.cfg);
    let condition = assembly.conditions.under(condition, cfg);
    let place = (by, item);
    let module = |name: &str, id: NodeId| {
        let parent = declaration.parent.and_then(|parent| assembly.node(parent));
        let around = parent.and_then(|parent| assembly.node(parent.module));
        let around = around.map_or("", |around| paths::module_path(input, assembly, around));
        let path =
            if input.is_included(number) { String::new() } else { paths::join(around, name) };
        Node {
            id,
            kind: NodeKind::Module,
            name: name.to_owned(),
            parent: declaration.parent,
            module: own,
            instance: number,
            item: 0,
            declared_in: Some(place),
            path,
            in_test: declaration.in_test || marks_test,
            condition,
        }
    };
    let another = |name: &str, key: &str| module(name, declaration.id.child(key));
    let node = if let Some(made) = &instance.made {
        if made.is_included() {
            let (path, _) = input.files.get(instance.file)?;
            another(path.rsplit('/').next().unwrap_or_default(), &format!("include\0{path}"))
        } else {
            another(&made.name, &format!("mod\0{}", made.name))
        }
    } else if let Some(predicate) = &instance.variant {
        another(&declaration.name, &format!("path\0{predicate}"))
    } else {
        return Some(module(&declaration.name, declaration.id));
    };
    assembly.variants.entry(place).or_default().push(own);
    Some(node)
}

/// The condition of a declaration, whichever files it means.
fn declared(
    input: &Input<'_>,
    assembly: &mut CrateMaps,
    by: InstanceId,
    item: u32,
) -> Option<ConditionId> {
    let parent = assembly.declaration(by, item)?.parent?;
    let above = assembly.node(parent)?.condition;
    Some(assembly.conditions.under(above, &input.item_tree(by).get(item as usize)?.cfg))
}
