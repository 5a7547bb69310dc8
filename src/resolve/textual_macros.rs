//! Textual scope of `macro_rules!` (Rust reference, "Macros by example", "Textual scope"): a
//! definition counts from its end to the end of the block or module around it, in the modules
//! declared there as well, until another of its name follows. `#[macro_use]` on a module lets the
//! definitions in it count after its declaration, too.

use asof_model::{Header, NodeKind, TreeItem};

/// An item of an instance.
pub(super) type Place = (usize, u32);

/// Items and how their files are put together.
pub(super) trait ItemTrees {
    fn tree_item(&self, place: Place) -> Option<&TreeItem>;

    /// Where the module is declared that an instance is the body of.
    fn declared_in(&self, instance: usize) -> Option<Place>;

    /// Whether an instance stands in the place of an `include!`.
    fn is_part(&self, instance: usize) -> bool;
}

/// A position among the items of one container: the item that stands there, outside of macro calls,
/// and the item itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Position {
    instance: usize,
    /// The item whose body it is in: a module, or what has a block.
    container: u32,
    order: (u32, u32),
}

/// Positions are followed through at most so many modules.
const MAX_MODULES: usize = 256;

/// The definitions among these, of one name, that a call at an item means: the last one before it,
/// and those after that which exist under a condition only. `is_before`: whether a definition in
/// the body of the item itself comes before the call, in a block around it.
pub(super) fn lookup(
    trees: &dyn ItemTrees,
    definitions: &[Place],
    call: Place,
    is_before: &dyn Fn(u32) -> bool,
) -> Vec<Place> {
    let mut found = Vec::new();
    let in_body = |place: &Place| {
        let at = position(trees, *place);
        at.instance == call.0 && at.container == call.1 && is_before(at.order.0)
    };
    let own = definitions.iter().filter(|place| call.1 != 0 && in_body(place));
    let own: Vec<Shown> = own.map(|place| Shown::new(trees, *place)).collect();
    if take_last(own, &mut found) {
        return found;
    }
    let shown: Vec<Vec<Shown>> =
        definitions.iter().map(|place| Shown::all(trees, *place)).collect();
    let mut at = Some(call);
    for _ in 0..MAX_MODULES {
        let Some(place) = at else { break };
        let here = position(trees, place);
        let counts = |one: &&Shown| {
            (one.at.instance, one.at.container) == (here.instance, here.container)
                && one.at.order < here.order
                && is_around(trees, here.instance, one.at.order.0, here.order.0)
        };
        let before = shown.iter().flatten().filter(counts).copied().collect();
        if take_last(before, &mut found) {
            break;
        }
        at = match here.container {
            0 => trees.declared_in(here.instance),
            container => Some((here.instance, container)),
        };
    }
    found
}

/// Takes the last definition, and those before it as long as all of them are under conditions; true if
/// one is not.
fn take_last(mut shown: Vec<Shown>, found: &mut Vec<Place>) -> bool {
    shown.sort_unstable_by_key(|one| std::cmp::Reverse(one.at.order));
    for one in shown {
        found.push(one.definition);
        if !one.is_conditional {
            return true;
        }
    }
    false
}

/// Whether the block that declares an item is, or is around, the one that declares another.
fn is_around(trees: &dyn ItemTrees, instance: usize, item: u32, other: u32) -> bool {
    let block = |item: u32| {
        Some((trees.tree_item((instance, item))?.parent, trees.tree_item((instance, item))?.block?))
    };
    let Some((parent, own)) = block(item) else { return true };
    let Some((_, mut at)) = block(other) else { return false };
    // A block around another has a lower number.
    loop {
        if at.number == own.number {
            return true;
        }
        let Some(outer) = at.outer.filter(|outer| *outer < at.number) else { return false };
        let siblings = (parent + 1..).map_while(|item| trees.tree_item((instance, item)));
        let mut blocks =
            siblings.filter(|item| item.parent == parent).filter_map(|item| item.block);
        match blocks.find(|block| block.number == outer) {
            Some(block) => at = block,
            None => return false,
        }
    }
}

/// A definition as a module or block shows it.
#[derive(Debug, Clone, Copy)]
struct Shown {
    definition: Place,
    at: Position,
    /// Whether there are builds without it that have the module.
    is_conditional: bool,
}

impl Shown {
    /// A definition where it stands.
    fn new(trees: &dyn ItemTrees, definition: Place) -> Self {
        let at = position(trees, definition);
        let is_conditional = is_conditional(trees, definition);
        Shown { definition, at, is_conditional }
    }

    /// A definition where it stands, and after each module that passes it on.
    fn all(trees: &dyn ItemTrees, definition: Place) -> Vec<Self> {
        let mut all = vec![Self::new(trees, definition)];
        while let Some(last) = all.last().copied().filter(|_| all.len() < MAX_MODULES) {
            let Position { instance, container, .. } = last.at;
            let passes_on = |place: Place| {
                trees.tree_item(place).is_some_and(|item| {
                    matches!(item.header, Header::Module { macro_use: true, .. })
                })
            };
            let declaration = match container {
                0 => trees.declared_in(instance),
                _ => Some((instance, container)),
            };
            let Some(declaration) = declaration else { break };
            let is_passed = passes_on(declaration)
                || container == 0 && (passes_on((instance, 0)) || trees.is_part(instance));
            if !is_passed {
                break;
            }
            let is_conditional = last.is_conditional || is_conditional(trees, declaration);
            let at = position(trees, declaration);
            all.push(Shown { definition, at, is_conditional });
        }
        all
    }
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
    let parent = |at: u32| trees.tree_item((instance, at)).map_or(0, |item| item.parent);
    let is_call = |at: u32| {
        trees.tree_item((instance, at)).is_some_and(|item| item.kind == NodeKind::MacroCall)
    };
    let mut at = item;
    while at != 0 && is_call(parent(at)) {
        at = parent(at);
    }
    Position { instance, container: parent(at), order: (at, item) }
}
