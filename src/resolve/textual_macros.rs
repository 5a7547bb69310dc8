//! Textual scope of `macro_rules!` (Rust reference, "Macros by example", "Textual scope"): a
//! definition counts from its end to the end of the block or module around it, in the modules
//! declared there as well, until another of its name follows. `#[macro_use]` on a module lets the
//! definitions in it count after its declaration, too.

use super::ids::InstanceId;
use super::nowhere::OrNowhere;
use asof_model::{HashMap, Header, NodeKind, TreeItem};

/// An item of an instance.
pub(super) type Place = (InstanceId, u32);

/// Items and how their files are put together.
pub(super) trait ItemTrees {
    fn tree_item(&self, place: Place) -> Option<&TreeItem>;

    /// Where the module is declared that an instance is the body of.
    fn declared_in(&self, instance: InstanceId) -> Option<Place>;

    /// Whether an instance stands in the place of an `include!`.
    fn is_part(&self, instance: InstanceId) -> bool;
}

/// Where an item stands in the text of its container: the outermost macro call around it, or the item
/// itself, then the item.
type Order = (u32, u32);

/// A position among the items of one container: a module, or what has a body.
#[derive(Debug, Clone, Copy)]
struct Position {
    container: Place,
    order: Order,
}

/// Positions are followed through at most so many modules.
const MAX_MODULES: usize = 256;

/// The definitions of one name, by the containers that show them, in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    by_container: HashMap<Place, Vec<Shown>>,
}

/// A definition as a module or block shows it.
#[derive(Debug, Clone, Copy)]
struct Shown {
    definition: Place,
    order: Order,
    /// Number of the block that it is in.
    block: Option<u32>,
    /// Whether there are builds without it that have the container.
    is_conditional: bool,
}

impl Definitions {
    /// Adds a definition where it stands, and after each module that passes it on.
    pub(super) fn add(&mut self, trees: &dyn ItemTrees, definition: Place) {
        let mut at = definition;
        let mut is_conditional = false;
        for _ in 0..MAX_MODULES {
            is_conditional |= self::is_conditional(trees, at);
            let Position { container, order } = position(trees, at);
            let block = trees.tree_item((container.0, order.0)).and_then(|item| item.block);
            let block = block.map(|block| block.number);
            let shown = Shown { definition, order, block, is_conditional };
            let here = self.by_container.entry(container).or_default();
            here.insert(here.partition_point(|one| one.order < order), shown);
            let Some(declaration) = declaration(trees, container) else { break };
            let is_passed = passes_on(trees, declaration)
                || container.1 == 0 && (passes_on(trees, container) || trees.is_part(container.0));
            if !is_passed {
                break;
            }
            at = declaration;
        }
    }

    /// Those that a call at an item means: the last one before it, and those after that which exist
    /// under a condition only. `is_before`: whether a definition in the body of the item itself comes
    /// before the call, in a block around it.
    pub(super) fn before(
        &self,
        trees: &dyn ItemTrees,
        call: Place,
        is_before: &dyn Fn(u32) -> bool,
    ) -> Vec<Place> {
        let mut found = Vec::new();
        let shown = |container: Place| self.by_container.get(&container).into_iter().flatten();
        let own = shown(call).filter(|one| call.1 != 0 && is_before(one.order.0));
        if take_last(own, &mut found) {
            return found;
        }
        let mut at = Some(call);
        for _ in 0..MAX_MODULES {
            let Some(place) = at else { break };
            let Position { container, order } = position(trees, place);
            let around = blocks_around(trees, (container.0, order.0));
            let before = shown(container).filter(|one| {
                one.order < order && one.block.is_none_or(|block| around.contains(&block))
            });
            if take_last(before, &mut found) {
                break;
            }
            at = declaration(trees, container);
        }
        found
    }
}

/// Takes the last definition, and those before it as long as all of them are under conditions; true if
/// one is not.
fn take_last<'s>(
    shown: impl DoubleEndedIterator<Item = &'s Shown>,
    found: &mut Vec<Place>,
) -> bool {
    for one in shown.rev() {
        found.push(one.definition);
        if !one.is_conditional {
            return true;
        }
    }
    false
}

/// The item that a container is, from outside: a module's declaration.
fn declaration(trees: &dyn ItemTrees, (instance, item): Place) -> Option<Place> {
    if item == 0 { trees.declared_in(instance) } else { Some((instance, item)) }
}

fn passes_on(trees: &dyn ItemTrees, module: Place) -> bool {
    let header = trees.tree_item(module).map(|item| &item.header);
    matches!(header, Some(Header::Module { macro_use: true, .. }))
}

/// Numbers of the block that declares an item and of those around it.
fn blocks_around(trees: &dyn ItemTrees, (instance, item): Place) -> Vec<u32> {
    let mut around = Vec::new();
    let Some(item) = trees.tree_item((instance, item)) else { return around };
    let mut next = item.block;
    while let Some(block) = next {
        around.push(block.number);
        // A block around another has a lower number.
        let outer = block.outer.filter(|outer| *outer < block.number);
        let items = (item.parent + 1..).map_while(|at| trees.tree_item((instance, at)));
        let mut siblings =
            items.filter(|one| one.parent == item.parent).filter_map(|one| one.block);
        next = outer.and_then(|outer| siblings.find(|block| block.number == outer));
    }
    around
}

/// Whether an item, or a macro call around it, is under a condition, as far as can be seen here.
fn is_conditional(trees: &dyn ItemTrees, (instance, item): Place) -> bool {
    let mut at = item;
    while let Some(item) = trees.tree_item((instance, at)) {
        let is_wrapped = at != 0 && matches!(item.header, Header::MacroCall { items: true });
        if !item.cfg.is_empty() || is_wrapped {
            return true;
        }
        let parent = trees.tree_item((instance, item.parent));
        if parent.is_none_or(|parent| parent.kind != NodeKind::MacroCall) {
            break;
        }
        at = item.parent;
    }
    false
}

fn position(trees: &dyn ItemTrees, (instance, item): Place) -> Position {
    let parent = |at: u32| {
        let item = trees.tree_item((instance, at));
        item.map(|item| item.parent).or_nowhere("macros and calls are items of their files")
    };
    let is_call = |at: u32| {
        trees.tree_item((instance, at)).is_some_and(|item| item.kind == NodeKind::MacroCall)
    };
    let mut at = item;
    while at != 0 && is_call(parent(at)) {
        at = parent(at);
    }
    Position { container: (instance, parent(at)), order: (at, item) }
}
