//! Canonical paths.
//!
//! A crate has the name that code uses, a module its path, an item of a module the module's path
//! and its own name, wherever it is in the module (paths of items in function bodies do not contain
//! the function's name). What is in an impl is named by the type: `a::Type::method`, and
//! `<a::Type as Trait>::method` in a trait's impl, where the type is the definition that the
//! header means, without generic arguments, and the trait is written as in the header, by its
//! last segment.

use asof_model::{Header, NodeKind, PathRef, TreeItem};
use asof_syntax::without_lifetimes;

use super::bindings::PathTarget;
use super::crate_maps::{CrateMaps, Input};
use super::enclosing::scope_of;
use super::ids::Def;
use super::impl_targets::{ImplSite, ImplTargets};
use super::nowhere::OrNowhere;

/// Paths of everything outside impls.
pub(super) fn of_modules_and_items(input: &Input<'_>, assembly: &mut CrateMaps) {
    // Parents come before children within a file, and declaring files before declared ones.
    for number in input.instances.indices() {
        let items = input.item_tree(number);
        let Some(index) = assembly.index.get(number).cloned() else { continue };
        for (at, own) in index.iter().enumerate() {
            let path = match at {
                0 if input.is_included(number) => around(assembly, *own),
                0 => module_path(assembly, *own),
                at if input.repeats.contains_key(&(number, at as u32)) => String::new(),
                _ => items
                    .get(at)
                    .map_or(String::new(), |item| item_path(assembly, items, &index, at, item)),
            };
            set(assembly, *own, path);
        }
    }
    // What they are in has the path.
    for number in input.instances.indices().filter(|number| input.is_included(*number)) {
        if let Some(own) = assembly.index.get(number).and_then(|index| index.first()).copied() {
            set(assembly, own, String::new());
        }
    }
}

fn set(assembly: &mut CrateMaps, node: Def, path: String) {
    if let Some(node) = assembly.nodes.get_mut(node) {
        node.path = path;
    }
}

fn path_of(assembly: &CrateMaps, node: Def) -> &str {
    assembly.node(node).map_or("", |n| n.path.as_str())
}

fn module_path(assembly: &CrateMaps, own: Def) -> String {
    let Some(node) = assembly.node(own) else { return String::new() };
    match node.parent.and_then(|p| assembly.node(p)) {
        Some(parent) => join(path_of(assembly, parent.module), &node.name),
        None => node.name.clone(),
    }
}

/// Path of the module that an included file is put into.
fn around(assembly: &CrateMaps, own: Def) -> String {
    let parent = assembly.node(own).and_then(|node| assembly.node(node.parent?));
    parent.map_or(String::new(), |parent| path_of(assembly, parent.module).to_owned())
}

fn join(base: &str, name: &str) -> String {
    format!("{base}::{name}")
}

fn item_path(
    assembly: &CrateMaps,
    items: &[TreeItem],
    index: &[Def],
    at: usize,
    item: &TreeItem,
) -> String {
    if item.kind.is_anonymous() {
        return String::new();
    }
    let holder = holder(items, item);
    let Some(parent) = items.get(holder) else { return String::new() };
    let parent_node = index.get(holder).copied().or_nowhere("each item has a node");
    match parent.kind {
        NodeKind::Impl => String::new(),
        NodeKind::Struct
        | NodeKind::Enum
        | NodeKind::Union
        | NodeKind::Trait
        | NodeKind::Variant => join(path_of(assembly, parent_node), &item.name),
        _ => {
            let module = index
                .get(at)
                .and_then(|n| assembly.node(*n))
                .and_then(|n| if n.kind == NodeKind::Module { n.parent } else { Some(n.module) })
                .and_then(|n| assembly.node(n))
                .map(|n| n.module)
                .or_nowhere("each item is in a module");
            join(path_of(assembly, module), &item.name)
        }
    }
}

/// The nearest enclosing item that is neither a macro call nor an extern block.
fn holder(items: &[TreeItem], item: &TreeItem) -> usize {
    let mut holder = item.parent as usize;
    while holder != 0 {
        match items.get(holder) {
            Some(p) if matches!(p.kind, NodeKind::MacroCall | NodeKind::ForeignMod) => {
                holder = p.parent as usize;
            }
            _ => break,
        }
    }
    holder
}

/// Paths of impls and of their items.
pub(super) fn of_impls<'a>(
    input: &Input<'a>,
    assembly: &mut CrateMaps,
    targets: &mut ImplTargets<'_, 'a>,
) {
    for number in input.instances.indices() {
        let items = input.item_tree(number);
        let Some(index) = assembly.index.get(number).cloned() else { continue };
        for (at, item) in items.iter().enumerate().skip(1) {
            let Some(&own) = index.get(at) else { continue };
            if let (NodeKind::Impl, Header::Impl { self_type, of_trait, .. }) =
                (item.kind, &item.header)
            {
                let scope = scope_of(assembly, items, &index, at);
                let site = ImplSite { instance: number, scope, node: own, item };
                let ty = type_path(assembly, targets, site, self_type);
                let path = match of_trait {
                    Some(of_trait) => format!("<{ty} as {}>", trait_text(of_trait)),
                    None => format!("<{ty}>"),
                };
                set(assembly, own, path);
                continue;
            }
            if item.kind.is_anonymous() {
                continue;
            }
            let above = holder(items, item);
            let Some(parent) = items.get(above) else { continue };
            let parent_node = index.get(above).copied().or_nowhere("each item has a node");
            if parent.kind != NodeKind::Impl {
                continue;
            }
            let impl_path = path_of(assembly, parent_node);
            let base = match &parent.header {
                Header::Impl { of_trait: Some(_), .. } => impl_path,
                // An inherent impl for a type that is not a path keeps the brackets:
                // `<[T]>::method`.
                _ => match impl_path.strip_prefix('<').and_then(|p| p.strip_suffix('>')) {
                    Some(inner) if is_plain(inner) => inner,
                    _ => impl_path,
                },
            };
            let path = join(base, &item.name);
            set(assembly, own, path);
        }
    }
}

fn is_plain(path: &str) -> bool {
    path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':')
}

/// The type that an impl is for, by canonical path; as written, without lifetimes, if it is not in
/// the workspace.
fn type_path<'a>(
    assembly: &CrateMaps,
    targets: &mut ImplTargets<'_, 'a>,
    site: ImplSite<'a>,
    ty: &'a PathRef,
) -> String {
    match targets.self_type(assembly, site, ty) {
        PathTarget::Nodes(found) => match found.first().and_then(|(n, _)| assembly.node(*n)) {
            Some(node) if !node.path.is_empty() => node.path.clone(),
            _ => written(ty),
        },
        _ => written(ty),
    }
}

fn written(ty: &PathRef) -> String {
    match ty.path.last() {
        Some(last) => last.clone(),
        None => without_lifetimes(&ty.text),
    }
}

fn trait_text(of_trait: &PathRef) -> String {
    let last = of_trait.path.last().map_or(of_trait.text.as_str(), String::as_str);
    without_lifetimes(&format!("{last}{}", of_trait.args))
}
