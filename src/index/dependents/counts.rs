//! How many items have a name: where a name alone tells something, it matters whether there are any.

use super::super::resolved_workspace::ResolvedWorkspace;
use asof_model::{HashMap, HashSet, NodeId, NodeKind, RefTarget};
use asof_resolve::MAX_CANDIDATES;

/// Items of both states by name.
pub(super) struct Counts<'s> {
    sides: [Named<'s>; 2],
}

#[derive(Default)]
struct Named<'s> {
    items: HashSet<&'s str>,
    /// With those that exist under no condition.
    methods: HashMap<&'s str, Vec<(NodeId, bool)>>,
    fields: HashMap<&'s str, Vec<(NodeId, bool)>>,
}

/// Where members of this name are candidates for values of unknown types.
pub(super) enum Guessed {
    Nowhere,
    /// Wherever one of these is used.
    By(Vec<NodeId>),
    Anywhere,
}

impl<'s> Counts<'s> {
    pub fn new(before: &'s ResolvedWorkspace<'_>, after: &'s ResolvedWorkspace<'_>) -> Self {
        Counts { sides: [before, after].map(Named::new) }
    }

    /// Whether both states have items of this name.
    pub fn stays(&self, name: &str) -> bool {
        self.sides.iter().all(|side| side.items.contains(name))
    }

    /// Where members of this name are guessed from, in a file that mentions it.
    pub fn guessed(&self, name: &str) -> Guessed {
        if !self.stays(name) {
            return Guessed::Anywhere;
        }
        let [before, after] = &self.sides;
        let of = |table: &HashMap<&str, Vec<(NodeId, bool)>>| {
            table.get(name).cloned().unwrap_or_default()
        };
        let few = |all: &[(NodeId, bool)]| (1..=MAX_CANDIDATES).contains(&all.len());
        let mut ids = Vec::new();
        let (methods, fields) = (of(&before.methods), of(&before.fields));
        if few(&methods) || few(&of(&after.methods)) {
            if !few(&methods) {
                // Then it is told that nothing is known.
                ids.push(RefTarget::Unknown(format!(".{name}")).id());
            } else if !methods.iter().any(|(_, always)| *always) {
                // Under a condition, a candidate may be none for all who would have it.
                return Guessed::Anywhere;
            }
            ids.extend(methods.iter().map(|(id, _)| *id).take(MAX_CANDIDATES));
        }
        if few(&fields) || few(&of(&after.fields)) {
            if !few(&fields) || !fields.iter().any(|(_, always)| *always) {
                return Guessed::Anywhere;
            }
            ids.extend(fields.iter().map(|(id, _)| *id));
        }
        if ids.is_empty() { Guessed::Nowhere } else { Guessed::By(ids) }
    }
}

impl<'s> Named<'s> {
    fn new(side: &'s ResolvedWorkspace<'_>) -> Self {
        let mut named = Named::default();
        for node in side.assembly.nodes.iter().filter(|node| node.parent.is_some()) {
            if !node.kind.is_anonymous() {
                named.items.insert(&node.name);
            }
            let table = match node.kind {
                NodeKind::Method => &mut named.methods,
                NodeKind::Field => &mut named.fields,
                _ => continue,
            };
            let always = side.assembly.condition(node).is_always();
            table.entry(&node.name).or_default().push((node.id, always));
        }
        named
    }
}
