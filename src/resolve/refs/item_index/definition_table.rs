//! Definitions with consecutive numbers, and their children.

use serde::{Deserialize, Serialize};

use super::super::types::{Def, Name};
use asof_model::{HashMap, NodeKind};

/// Macro calls in macro calls that are looked into.
const MAX_CALLS: usize = 8;

/// The data of a definition that is needed most often.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(in super::super) struct Info {
    pub name: Name,
    pub kind: NodeKind,
    /// Syntactic parent; its own number for crate roots.
    pub parent: Def,
}

/// See the module. What is asked for by a number that is none of these is empty.
#[derive(Debug)]
pub(super) struct DefinitionTable {
    /// Number of the first one.
    first: Def,
    infos: Vec<Info>,
    /// Where the children of each definition begin in `children`.
    starts: Vec<u32>,
    children: Vec<Def>,
    /// Children by definition and name: a type may have thousands.
    by_name: Vec<Def>,
    /// Members in macro calls, by definition and name.
    in_calls: HashMap<(Def, Name), Vec<Def>>,
    /// Traits that have a member of this name; sorted.
    traits_with: HashMap<Name, Vec<Def>>,
}

impl DefinitionTable {
    /// Parents are among these definitions.
    pub fn new(first: Def, infos: Vec<Info>) -> Self {
        let mut definitions = DefinitionTable {
            first,
            starts: vec![0; infos.len() + 1],
            infos,
            children: Vec::new(),
            by_name: Vec::new(),
            in_calls: HashMap::default(),
            traits_with: HashMap::default(),
        };
        definitions.place_children();
        definitions.name_children();
        definitions
    }

    pub fn len(&self) -> usize {
        self.infos.len()
    }

    pub fn defs(&self) -> impl DoubleEndedIterator<Item = Def> + use<> {
        let first = self.first.index();
        (first..first + self.infos.len()).map(Def::new)
    }

    fn at(&self, def: Def) -> usize {
        def.index().wrapping_sub(self.first.index())
    }

    pub fn info(&self, def: Def) -> Option<Info> {
        self.infos.get(self.at(def)).copied()
    }

    fn kind(&self, def: Def) -> NodeKind {
        self.info(def).map_or(NodeKind::Unknown, |info| info.kind)
    }

    fn name(&self, def: Def) -> Name {
        self.info(def).map_or(Name::NONE, |info| info.name)
    }

    fn bounds(&self, def: Def) -> std::ops::Range<usize> {
        let start = |at: usize| self.starts.get(at).copied().unwrap_or(0) as usize;
        let at = self.at(def);
        start(at)..start(at.wrapping_add(1))
    }

    pub fn children(&self, def: Def) -> &[Def] {
        self.children.get(self.bounds(def)).unwrap_or_default()
    }

    /// Children of a name, then members of that name in macro calls.
    pub fn named(&self, def: Def, name: Name) -> impl Iterator<Item = Def> + '_ {
        let in_calls = self.in_calls.get(&(def, name)).into_iter().flatten();
        self.children_named(def, name).chain(in_calls.copied())
    }

    pub fn children_named(&self, def: Def, name: Name) -> impl Iterator<Item = Def> + '_ {
        let own = self.by_name.get(self.bounds(def)).unwrap_or_default();
        let from = own.partition_point(|child| self.name(*child) < name);
        let own = own.iter().skip(from).copied();
        own.take_while(move |child| self.name(*child) == name)
    }

    /// Traits that have a member of this name; sorted.
    pub fn traits_with(&self, name: Name) -> &[Def] {
        self.traits_with.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Children, those in macro calls included. `open` is called for whatever is looked into.
    pub fn members(&self, def: Def, open: impl Fn(Def)) -> Vec<Def> {
        let mut all = Vec::new();
        let mut left = vec![(def, 0)];
        while let Some((at, depth)) = left.pop() {
            open(at);
            for &child in self.children(at) {
                match self.kind(child) {
                    NodeKind::MacroCall if depth < MAX_CALLS => left.push((child, depth + 1)),
                    _ => all.push(child),
                }
            }
        }
        all
    }

    fn place_children(&mut self) {
        let first = self.first.index();
        let defs = (first..).map(Def::new);
        let children =
            || self.infos.iter().zip(defs.clone()).filter(|(info, at)| info.parent != *at);
        for (info, _) in children() {
            if let Some(start) = self.starts.get_mut(info.parent.index() - first + 1) {
                *start += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        let mut next = self.starts.clone();
        let mut placed = vec![self.first; sum as usize];
        for (info, at) in children() {
            if let Some(next) = next.get_mut(info.parent.index() - first) {
                if let Some(child) = placed.get_mut(*next as usize) {
                    *child = at;
                }
                *next += 1;
            }
        }
        self.children = placed;
    }

    fn name_children(&mut self) {
        let mut by_name = self.children.clone();
        for bounds in self.starts.windows(2) {
            if let [start, end] = bounds
                && let Some(own) = by_name.get_mut(*start as usize..*end as usize)
            {
                own.sort_by_key(|child| self.name(*child));
            }
        }
        self.by_name = by_name;
        for def in self.defs() {
            let is_call = |child: &Def| self.kind(*child) == NodeKind::MacroCall;
            if self.children(def).iter().any(is_call) {
                for member in self.members(def, |_| {}) {
                    let info = self.info(member).filter(|info| info.parent != def);
                    if let Some(info) = info {
                        self.in_calls.entry((def, info.name)).or_default().push(member);
                    }
                }
            }
            if self.kind(def) == NodeKind::Trait {
                for member in self.members(def, |_| {}) {
                    let traits = self.traits_with.entry(self.name(member)).or_default();
                    if traits.last() != Some(&def) {
                        traits.push(def);
                    }
                }
            }
        }
    }
}
