//! The graph of what may run after some items, read level by level from the stored uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::sets::Members;
use crate::database::{Edge as ConditionalEdge, Snapshot};
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind, RefKind};
use asof_query::{Queries, ReachItem, StoredUse};

/// Kinds of uses that lead on.
const FOLLOWED: [RefKind; 6] = [
    RefKind::Call,
    RefKind::MethodCall,
    RefKind::Implicit,
    RefKind::Macro,
    RefKind::Value,
    RefKind::Mention,
];

/// First segments of paths of the language and its library.
const STANDARD: [&str; 27] = [
    "std", "core", "alloc", "proc_macro", "test", "str", "slice", "array", "char", "bool", "f32",
    "f64", "pointer", "tuple", "fn", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
    "i32", "i64", "i128", "isize",
];

/// How a step is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Use(RefKind),
    /// From an item of a trait to one of an impl, or to the trait's own body.
    Dispatch,
    /// A place of the source's own text.
    Text,
}

impl How {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Use(kind) => kind.as_str(),
            Self::Dispatch => "dispatch",
            Self::Text => "text",
        }
    }
}

/// A step from a source.
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub how: How,
    /// From 0 to 1; none of a dispatch.
    pub confidence: Option<f64>,
    /// Whether the text certainly means what is next.
    pub is_certain: bool,
    /// Bytes and lines from the start of the source's item to each place.
    pub places: Vec<(u32, u32)>,
    /// The line of the place in its file, if the text was read.
    pub line: Option<u32>,
    /// What has to hold beside the conditions of source and target.
    pub condition: Option<Box<str>>,
    /// The condition that the configuration does not have.
    pub other_condition: Option<String>,
}

/// A step to another node.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    pub to: usize,
    pub step: Step,
}

/// A step to a member of a set.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    /// Number of the set.
    pub set: usize,
    /// Path of the member, or what it is.
    pub what: String,
    /// The item or name that is used; the source itself for what is no name.
    pub target: NodeId,
    pub step: Step,
}

/// What something is at which calls arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Role {
    /// The body of an item.
    Body,
    /// An item of a trait, of which the impl is not known.
    Dispatch,
    /// The `async` blocks of an item.
    AsyncBlocks,
}

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub id: NodeId,
    pub role: Role,
    pub path: String,
    /// None for an item of another crate's trait.
    pub item: Option<ReachItem>,
    pub edges: Vec<Edge>,
    pub hits: Vec<Hit>,
    /// Calls that are not resolved.
    pub unresolved: usize,
    /// Calls of dependencies.
    pub outside: usize,
}

#[derive(Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    pub numbers: HashMap<(NodeId, Role), usize>,
}

/// What the targets of uses are.
#[derive(Default)]
struct Targets {
    items: HashMap<NodeId, ReachItem>,
    /// Names without a definition in the workspace, and whether they are of another crate.
    names: HashMap<NodeId, (String, bool)>,
    /// Items of impls for items of traits.
    overriding: BTreeMap<NodeId, Vec<NodeId>>,
}

impl Graph {
    /// Reads what may run after some items.
    pub fn load(
        snapshot: &Snapshot<'_>,
        members: &Members,
        starts: &[NodeId],
    ) -> Result<Self, EngineError> {
        let queries = Queries::at(snapshot.store(), snapshot.at);
        let mut graph = Self::default();
        let mut targets = Targets::default();
        targets.learn(&queries, starts)?;
        let mut level: Vec<NodeId> = starts.to_vec();
        for id in starts {
            graph.number(&targets, *id, Role::Body);
        }
        while !level.is_empty() {
            let rows = queries.uses_of(&level)?;
            let followed = |row: &[StoredUse]| -> Vec<StoredUse> {
                row.iter().filter(|one| FOLLOWED.contains(&one.kind)).cloned().collect()
            };
            let rows: Vec<(NodeId, Vec<StoredUse>)> =
                rows.into_iter().map(|row| (row.source, followed(&row.refs))).collect();
            let named: BTreeSet<NodeId> =
                rows.iter().flat_map(|(_, refs)| refs).map(|one| one.target).collect();
            targets.learn(&queries, &named.into_iter().collect::<Vec<_>>())?;
            let dispatched: BTreeSet<NodeId> = rows
                .iter()
                .flat_map(|(_, refs)| refs)
                .filter(|one| targets.is_dispatched(one))
                .map(|one| one.target)
                .collect();
            targets.learn_overriding(&queries, dispatched)?;
            let before = graph.nodes.len();
            for (source, refs) in &rows {
                for one in refs {
                    graph.add(&targets, members, *source, one);
                }
            }
            let new = graph.nodes.get(before..).unwrap_or_default();
            let bodies = new.iter().filter(|node| node.role == Role::Body);
            level = bodies.map(|node| node.id).collect();
            // A dispatch may come upon bodies that were known, and add further ones.
        }
        graph.add_unsafe_functions(members);
        Ok(graph)
    }

    /// The node of an item, which is added if it is not there.
    fn number(&mut self, targets: &Targets, id: NodeId, role: Role) -> Option<usize> {
        if let Some(number) = self.numbers.get(&(id, role)) {
            return Some(*number);
        }
        let item = targets.items.get(&id).cloned();
        let path = match (&item, targets.names.get(&id)) {
            (Some(item), _) => item.path.clone().unwrap_or_else(|| item.name.clone()),
            (None, Some((text, _))) => text.clone(),
            (None, None) => return None,
        };
        let number = self.nodes.len();
        self.numbers.insert((id, role), number);
        let (edges, hits) = (Vec::new(), Vec::new());
        self.nodes.push(Node { id, role, path, item, edges, hits, unresolved: 0, outside: 0 });
        Some(number)
    }

    /// Adds what a use leads to.
    fn add(&mut self, targets: &Targets, members: &Members, source: NodeId, one: &StoredUse) {
        let Some(from) = self.number(targets, source, Role::Body) else { return };
        let is_call = RefKind::CALLS.contains(&one.kind);
        let is_sure = one.confidence >= 1.0;
        let mut step = Step {
            how: How::Use(one.kind),
            confidence: Some(one.confidence),
            is_certain: is_sure && (is_call || one.kind == RefKind::Macro),
            places: one.occurrences.0.iter().map(|[offset, line, _]| (*offset, *line)).collect(),
            line: None,
            condition: one.condition.clone(),
            other_condition: None,
        };
        let (path, kind) = match (targets.items.get(&one.target), targets.names.get(&one.target)) {
            (Some(item), _) => (item.path.as_deref(), Some(item.kind)),
            (None, Some((text, true))) => (Some(text.as_str()), None),
            (None, Some((_, false))) => {
                if let Some(node) =
                    self.nodes.get_mut(from).filter(|_| is_call || one.kind == RefKind::Macro)
                {
                    node.unresolved += one.occurrences.0.len();
                }
                return;
            }
            (None, None) => return,
        };
        let Some(path) = path else { return };
        if let Some(set) = members.find_name(path)
            && (is_call || one.kind == RefKind::Macro || is_function_name(path, kind))
        {
            let mut step = step.clone();
            if path.starts_with("std::debug_assert") {
                step.condition = Some(joined(step.condition.as_deref(), "debug_assertions"));
            }
            let hit = Hit { set, what: path.to_owned(), target: one.target, step };
            if let Some(node) = self.nodes.get_mut(from) {
                node.hits.push(hit);
            }
        }
        if kind.is_none()
            && is_call
            && !is_standard(path)
            && let Some(node) = self.nodes.get_mut(from)
        {
            node.outside += one.occurrences.0.len();
        }
        let is_dispatched = targets.is_dispatched(one);
        let role = if is_dispatched { Role::Dispatch } else { Role::Body };
        let leads_on = match kind {
            Some(NodeKind::Macro) => one.kind == RefKind::Macro,
            Some(kind) => kind.has_body() && one.kind != RefKind::Macro,
            None => false,
        };
        let has_impls = || targets.overriding.get(&one.target).is_some_and(|all| !all.is_empty());
        if !(leads_on || is_dispatched && kind.is_none() && has_impls()) {
            return;
        }
        // What a macro makes of its rules, and which impl is called, the use does not say.
        step.is_certain &= is_call && !is_dispatched;
        let Some(to) = self.number(targets, one.target, role) else { return };
        if is_dispatched {
            self.add_dispatch(targets, to, one.target);
        }
        if let Some(node) = self.nodes.get_mut(from) {
            node.edges.push(Edge { to, step });
        }
    }

    /// Leads from an item of a trait to those that may run for it.
    fn add_dispatch(&mut self, targets: &Targets, from: usize, id: NodeId) {
        if self.nodes.get(from).is_none_or(|node| !node.edges.is_empty()) {
            return;
        }
        let overriding = targets.overriding.get(&id).into_iter().flatten().copied();
        let own = targets.items.contains_key(&id).then_some(id);
        let mut edges = Vec::new();
        for id in overriding.chain(own) {
            let Some(to) = self.number(targets, id, Role::Body) else { continue };
            let step = Step {
                how: How::Dispatch,
                confidence: None,
                is_certain: false,
                places: Vec::new(),
                line: None,
                condition: None,
                other_condition: None,
            };
            edges.push(Edge { to, step });
        }
        if let Some(node) = self.nodes.get_mut(from) {
            node.edges = edges;
        }
    }

    /// An `unsafe fn` is a member of the set itself.
    fn add_unsafe_functions(&mut self, members: &Members) {
        let Some(set) = members.find_hazard(asof_syntax::HazardKind::Unsafe) else { return };
        for node in &mut self.nodes {
            let is_unsafe = |item: &ReachItem| has_qualifier(&item.signature, "unsafe");
            if node.role == Role::Body && node.item.as_ref().is_some_and(is_unsafe) {
                let step = Step::of_text(None);
                node.hits.push(Hit { set, what: "unsafe fn".to_owned(), target: node.id, step });
            }
        }
    }

    /// Marks the steps that the configuration does not have.
    pub fn compare_conditions(&mut self, snapshot: &Snapshot<'_>) -> Result<(), EngineError> {
        let mut steps: Vec<(usize, NodeId, &Step)> = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let edges = node
                .edges
                .iter()
                .filter_map(|edge| Some((number, self.nodes.get(edge.to)?.id, &edge.step)));
            steps.extend(edges.chain(node.hits.iter().map(|hit| (number, hit.target, &hit.step))));
        }
        let edges: Vec<ConditionalEdge<'_>> = steps
            .iter()
            .filter_map(|(from, target, step)| {
                let source = self.nodes.get(*from)?.id;
                Some(ConditionalEdge {
                    source,
                    target: *target,
                    condition: step.condition.as_deref(),
                })
            })
            .collect();
        let others = snapshot.other_conditions(edges.iter().copied())?;
        let mut others = others.into_iter();
        for node in &mut self.nodes {
            let hits = node.hits.iter_mut().map(|hit| &mut hit.step);
            for step in node.edges.iter_mut().map(|edge| &mut edge.step).chain(hits) {
                step.other_condition = others.next().flatten();
            }
        }
        Ok(())
    }
}

impl Step {
    /// A place of a text; none for the head of an item.
    pub fn of_text(line: Option<u32>) -> Self {
        Self {
            how: How::Text,
            confidence: Some(1.0),
            is_certain: true,
            places: Vec::new(),
            line,
            condition: None,
            other_condition: None,
        }
    }
}

impl Targets {
    fn learn(&mut self, queries: &Queries<'_>, ids: &[NodeId]) -> Result<(), EngineError> {
        let new = |id: &&NodeId| !self.items.contains_key(id) && !self.names.contains_key(id);
        let ids: Vec<NodeId> = ids.iter().filter(new).copied().collect();
        if ids.is_empty() {
            return Ok(());
        }
        self.items.extend(queries.reach_items(&ids)?.into_iter().map(|item| (item.id, item)));
        let left: Vec<NodeId> = ids.into_iter().filter(|id| !self.items.contains_key(id)).collect();
        let names = Queries::external(queries.store(), &left)?;
        self.names.extend(names.into_iter().map(|row| (row.id, (row.text, row.external))));
        Ok(())
    }

    fn learn_overriding(
        &mut self,
        queries: &Queries<'_>,
        ids: BTreeSet<NodeId>,
    ) -> Result<(), EngineError> {
        let new: Vec<NodeId> =
            ids.into_iter().filter(|id| !self.overriding.contains_key(id)).collect();
        if new.is_empty() {
            return Ok(());
        }
        let rows = queries.overrides(&new)?;
        self.overriding.extend(new.into_iter().map(|id| (id, Vec::new())));
        let sources: Vec<NodeId> = rows.iter().map(|row| row.source).collect();
        self.learn(queries, &sources)?;
        for row in rows {
            self.overriding.entry(row.target).or_default().push(row.source);
        }
        Ok(())
    }

    /// Whether a use calls an item of a trait, of which the impl is not known.
    fn is_dispatched(&self, one: &StoredUse) -> bool {
        if !RefKind::CALLS.contains(&one.kind) && one.kind != RefKind::Value {
            return false;
        }
        let is_of_known_type = matches!(&*one.provenance, "trait_impl" | "member");
        match self.items.get(&one.target) {
            Some(item) => item.around == "trait" && !is_of_known_type,
            // Only such a call says that it means an item of a trait.
            None => &*one.provenance == "bound",
        }
    }
}

/// Whether a use that calls nothing may name a function.
fn is_function_name(path: &str, kind: Option<NodeKind>) -> bool {
    match kind {
        Some(kind) => matches!(kind, NodeKind::Function | NodeKind::Method),
        None => {
            let name = path.rsplit("::").next().unwrap_or_default();
            name.starts_with(|c: char| c.is_lowercase() || c == '_')
        }
    }
}

fn is_standard(path: &str) -> bool {
    path.split("::").next().is_some_and(|first| STANDARD.contains(&first))
}

/// Whether a head has a word before `fn`.
pub(super) fn has_qualifier(signature: &str, word: &str) -> bool {
    let mut words = signature.split_whitespace().take_while(|one| *one != "fn");
    signature.contains("fn ") && words.any(|one| one == word)
}

/// Both of two predicates.
pub(super) fn joined(one: Option<&str>, other: &str) -> Box<str> {
    match one {
        Some(one) => format!("all({one}, {other})").into(),
        None => other.into(),
    }
}
