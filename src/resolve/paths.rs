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
use super::ids::{Def, InstanceId};
use super::impl_targets::{ImplSite, ImplTargets};
use super::node_table::Node;
use super::nowhere::OrNowhere;

fn set(assembly: &mut CrateMaps, node: Def, path: String) {
    if assembly.nodes.get(node).is_some_and(|node| node.path != path)
        && let Some(node) = assembly.nodes.get_mut(node)
    {
        node.path = path;
    }
}

fn path_of(assembly: &CrateMaps, node: Def) -> &str {
    assembly.node(node).map_or("", |n| n.path.as_str())
}

/// The path of what a module declares, before its name. That of an included file is that of the module
/// around, which has the path.
pub(super) fn module_path<'m>(
    input: &Input<'_>,
    assembly: &'m CrateMaps,
    module: &'m Node,
) -> &'m str {
    let mut at = module;
    while at.item == 0
        && input.is_included(at.instance)
        && let Some(around) = at.parent.and_then(|parent| assembly.node(parent))
        && let Some(around) = assembly.node(around.module)
    {
        at = around;
    }
    &at.path
}

pub(super) fn join(base: &str, name: &str) -> String {
    format!("{base}::{name}")
}

/// Path of an item outside of impls. `module`: the item of the module that it is in. `path`: gives those
/// of items before.
pub(super) fn item_path<'p>(
    items: &[TreeItem],
    item: &TreeItem,
    module: usize,
    path: impl Fn(usize) -> &'p str,
) -> String {
    if item.kind.is_anonymous() {
        return String::new();
    }
    let holder = holder(items, item);
    match items.get(holder).map(|parent| parent.kind) {
        None | Some(NodeKind::Impl) => String::new(),
        Some(
            NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Trait
            | NodeKind::Variant,
        ) => join(path(holder), &item.name),
        Some(_) => join(path(module), &item.name),
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

/// Paths of the impls of a file and of their items.
pub(super) fn of_impls<'a>(
    input: &Input<'a>,
    assembly: &mut CrateMaps,
    targets: &mut ImplTargets<'_, 'a>,
    number: InstanceId,
) {
    let items = input.item_tree(number);
    let index = assembly.nodes.item_nodes(number).to_vec();
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
