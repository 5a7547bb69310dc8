//! Resolves paths as written, segment by segment.

use std::sync::Arc;

use super::super::bindings::Found;
use super::super::conditions::ALWAYS;
use super::super::namespaces::{MACROS, TYPES, VALUES};
use super::call_places::CallInFile;
use super::choices::Reached;
use super::item_index::{Hit, ItemIndex};
use super::reads;
use super::rules::Rule;
use super::types::{Bound, Def, Name, TraitRef, Type};
use super::unify::Table;
use crate::ids::ConditionId;
use asof_model::{Arg, ExprId, FileUses, HashMap, NodeKind, PathId, RefKind, Seg, Sym};

/// Targets of a place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Target {
    Def(Def),
    External(Arc<str>),
    Unknown(Arc<str>),
}

/// A name at a place, with a target.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ResolvedName {
    pub kind: RefKind,
    pub target: Target,
    pub rule: Rule,
    /// Number of targets that the place may have.
    pub several: u8,
    /// The condition, by its number, under which imports bring the name.
    pub under: ConditionId,
    /// The innermost region of the file that the place is in, from 1; 0 outside of all.
    pub region: u32,
    pub at: u32,
}

/// Result of following a path.
#[derive(Debug, Clone)]
pub(super) enum End {
    /// With the type that an associated item was found through.
    Defs(Vec<Def>, Option<Type>),
    External(Arc<str>),
    Type(Type),
    Nothing,
}

/// Generic arguments: types, and `Name = Type`.
pub(super) type GenericArgs = (Vec<Type>, Vec<(Name, Type)>);

/// Reads paths and types in the text of one definition.
pub(super) struct PathResolver<'w, 'a> {
    pub world: &'w ItemIndex<'a>,
    pub uses: &'w FileUses,
    /// By [`asof_model::Sym`] of the uses.
    pub names: &'w [Name],
    pub scope: Def,
    /// Blocks around, from the outside in, that declare items.
    pub blocks: Vec<Def>,
    /// The definition whose text it is.
    pub def: Def,
    /// Definitions whose generic parameters can be named.
    pub owners: Vec<Def>,
    pub own_type: Option<Type>,
    /// Meanings of names in the scope, as far as they were looked up.
    pub cache: HashMap<(Sym, u8), Hit>,
    /// Where names are noted; none where only types are wanted.
    pub sink: Option<Vec<ResolvedName>>,
    pub table: Table,
    /// Lengths of arrays and const arguments that were skipped.
    pub consts: Vec<ExprId>,
    pub aliases: u32,
    /// Whether it is the path of an import that is read.
    pub importing: bool,
    /// Of the path that was followed last.
    pub reached: Reached,
    /// The call in the file whose expansion the text is.
    pub within_call: Option<CallInFile<'w>>,
}

impl<'w, 'a> PathResolver<'w, 'a> {
    pub(super) fn new(
        world: &'w ItemIndex<'a>,
        uses: &'w FileUses,
        names: &'w [Name],
        def: Def,
        owners: Vec<Def>,
        own_type: Option<Type>,
    ) -> Self {
        PathResolver {
            world,
            uses,
            names,
            scope: world.scope(def),
            blocks: Vec::new(),
            def,
            owners,
            own_type,
            cache: HashMap::default(),
            sink: None,
            table: Table::new(&world.choices),
            consts: Vec::new(),
            aliases: 0,
            importing: false,
            reached: Reached::default(),
            within_call: None,
        }
    }

    pub(super) fn name(&self, sym: Sym) -> Name {
        self.names.get(sym.0 as usize).copied().unwrap_or(Name::NONE)
    }

    /// Text of a name of the file: signatures have theirs in the item index only.
    pub(super) fn text(&self, sym: Sym) -> &'w str {
        match self.names.get(sym.0 as usize) {
            Some(&name) if name != Name::NONE => self.world.text(name),
            _ => self.uses.name(sym),
        }
    }

    pub(super) fn note(&mut self, kind: RefKind, target: Target, rule: Rule, at: u32) {
        self.note_under(kind, target, rule, at, ALWAYS);
    }

    pub(super) fn note_under(
        &mut self,
        kind: RefKind,
        target: Target,
        rule: Rule,
        at: u32,
        under: ConditionId,
    ) {
        if at != u32::MAX
            && let Some(sink) = &mut self.sink
        {
            sink.push(ResolvedName { kind, target, rule, several: 1, under, region: 0, at });
        }
    }

    /// A name of which it is only known that some item of the workspace has it.
    pub(super) fn mention(&mut self, sym: Sym, before: &str, at: u32) {
        let told = self.sink.as_ref().is_none_or(|sink| sink.last().is_some_and(|f| f.at == at));
        if told {
            return;
        }
        reads::ask(self.text(sym));
        if self.world.names_item(self.name(sym)) {
            let text = format!("{before}{}", self.text(sym)).into();
            self.note(RefKind::Mention, Target::Unknown(text), Rule::Nothing, at);
        }
    }

    pub(super) fn note_defs(&mut self, kind: RefKind, defs: &[Def], rule: Rule, at: u32) {
        for &def in defs {
            self.note(kind, Target::Def(def), rule, at);
        }
    }

    /// A type variable, if types are inferred.
    pub(super) fn hole(&mut self) -> Type {
        if self.sink.is_some() { self.table.fresh() } else { Type::Unknown }
    }

    /// Generic arguments: types, and `Name = Type`.
    fn args(&mut self, list: asof_model::List) -> GenericArgs {
        let uses = self.uses;
        let mut types = Vec::new();
        let mut assoc = Vec::new();
        for arg in uses.args(list) {
            match *arg {
                Arg::Type(ty) if self.is_value(ty) => types.push(Type::Unknown),
                Arg::Type(ty) => types.push(self.ty(ty)),
                Arg::Assoc(name, _, ty) => {
                    let ty = self.ty(ty);
                    assoc.push((self.name(name), ty));
                }
                Arg::Bound(name, _, bounds) => {
                    let bounds = uses.type_ids(bounds).map(|b| self.bound(b)).collect();
                    assoc.push((self.name(name), Type::Bounded(bounds)));
                }
                Arg::Const(value) => {
                    self.consts.push(value);
                    types.push(Type::Unknown);
                }
            }
        }
        (types, assoc)
    }

    /// Notes a const argument that is written as a name: no type has it.
    fn is_value(&mut self, ty: asof_model::TypeId) -> bool {
        let uses = self.uses;
        let asof_model::Ty::Path(path) = uses.ty(ty) else { return false };
        let [seg] = uses.segs(path) else { return false };
        if self.sink.is_none()
            || uses.path(path).qself.is_some()
            || !seg.args.is_empty()
            || self.generic(self.name(seg.name)).is_some()
                && !self.is_declared_since(0, seg.name, TYPES)
            || self.text(seg.name) == "Self"
            || self.lexical(seg.name, TYPES) != Hit::Nothing
        {
            return false;
        }
        match self.lexical(seg.name, VALUES) {
            Hit::Nothing => false,
            found => {
                self.record(found, seg, RefKind::Value, Rule::Path);
                true
            }
        }
    }

    /// Turbofish of a method.
    pub(super) fn turbofish(&mut self, list: asof_model::List) -> Vec<Type> {
        self.args(list).0
    }

    /// Follows a path, noting the target of every segment. `spaces`: where the last is looked
    /// up; `kind`: how it is used. `infer`: arguments left out are inferred. Returns the
    /// arguments of the last segment as well.
    pub(super) fn resolve(
        &mut self,
        id: PathId,
        spaces: u8,
        kind: RefKind,
        infer: bool,
    ) -> (End, GenericArgs) {
        let uses = self.uses;
        let path = uses.path(id);
        let segs = uses.segs(id);
        let mut args = (Vec::new(), Vec::new());
        let mut at;
        self.reached = Reached::default();
        let mut end = match path.qself {
            Some((ty, of_trait)) => {
                let base = self.ty(ty);
                at = of_trait as usize;
                if at > 0 {
                    let of = segs.get(..at).unwrap_or_default();
                    let (end, bound_args) = self.follow(of, path.global, TYPES, RefKind::Bound);
                    let bound =
                        Bound { of: as_trait(&end), args: bound_args.0.into(), assoc: vec![] };
                    let Some(seg) = segs.get(at) else { return (End::Type(base), args) };
                    let last = at + 1 == segs.len();
                    let kind = if last { kind } else { RefKind::Path };
                    let spaces = if last { spaces } else { TYPES };
                    args = self.args(seg.args);
                    at += 1;
                    self.qualified(base, bound, seg, spaces, kind)
                } else {
                    End::Type(base)
                }
            }
            None => {
                let (end, found) = self.follow_with(segs, path.global, spaces, kind, infer);
                return (end, found);
            }
        };
        while let Some(seg) = segs.get(at) {
            let last = at + 1 == segs.len();
            let (kind, spaces) = if last { (kind, spaces) } else { (RefKind::Path, TYPES) };
            end = self.step(end, args.0, seg, spaces, kind, infer);
            args = self.args(seg.args);
            at += 1;
        }
        if let (End::Nothing, Some((_, of_trait))) = (&end, path.qself) {
            self.nowhere(segs, of_trait as usize, kind);
        }
        (end, args)
    }

    pub(super) fn follow(
        &mut self,
        segs: &[Seg],
        global: bool,
        spaces: u8,
        kind: RefKind,
    ) -> (End, GenericArgs) {
        self.follow_with(segs, global, spaces, kind, false)
    }

    fn follow_with(
        &mut self,
        segs: &[Seg],
        global: bool,
        spaces: u8,
        kind: RefKind,
        infer: bool,
    ) -> (End, GenericArgs) {
        let mut args = (Vec::new(), Vec::new());
        let mut end = End::Nothing;
        self.reached = Reached::default();
        let mark = self.sink.as_ref().map_or(0, Vec::len);
        for (at, seg) in segs.iter().enumerate() {
            let last = at + 1 == segs.len();
            let (kind, spaces) = if last { (kind, spaces) } else { (RefKind::Path, TYPES) };
            end = match at {
                0 => self.first(seg, global, spaces, kind),
                1 if let Some(own) = self.type_of_own_trait(segs, spaces, kind) => own,
                1 if let Some(prim) = self.hidden_primitive(segs, &end, spaces) => {
                    if let Some(sink) = &mut self.sink {
                        sink.truncate(mark);
                    }
                    self.associated(prim, seg, spaces, kind)
                }
                _ => self.step(end, args.0.clone(), seg, spaces, kind, infer),
            };
            let parent = std::mem::take(&mut args.0);
            let reached = std::mem::take(&mut self.reached);
            args = self.args(seg.args);
            self.reached = reached;
            self.names_in_args(&end, seg.args);
            // `Enum::<T>::Variant`.
            if args.0.is_empty() && self.is_variant(&end) && !parent.is_empty() {
                args.0 = parent;
            }
            if matches!(end, End::Nothing) {
                self.nowhere(segs, at, kind);
                // The rest cannot be resolved either, except for its arguments.
                for seg in segs.get(at + 1..).unwrap_or_default() {
                    self.args(seg.args);
                }
                return (End::Nothing, args);
            }
        }
        (end, args)
    }

    /// The names of a path from the first segment on that does not resolve.
    fn nowhere(&mut self, segs: &[Seg], from: usize, kind: RefKind) {
        // Macro calls are noted by themselves, as `name!`.
        if kind == RefKind::Macro {
            return;
        }
        for (at, seg) in segs.iter().enumerate().skip(from) {
            self.mention(seg.name, if at == 0 { "" } else { "::" }, seg.at);
        }
    }

    fn is_variant(&self, end: &End) -> bool {
        match end {
            End::Defs(defs, _) => {
                defs.first().is_some_and(|def| self.world.kind(*def) == NodeKind::Variant)
            }
            _ => false,
        }
    }

    /// The first segment of a path.
    fn first(&mut self, seg: &Seg, global: bool, spaces: u8, kind: RefKind) -> End {
        let world = self.world;
        let text = self.text(seg.name);
        if global {
            let hit = world.global(self.scope, text, spaces);
            return self.record(hit, seg, kind, Rule::Path);
        }
        match text {
            "Self" if self.own_type.is_some() => {
                return End::Type(self.own_type.clone().unwrap_or(Type::Unknown));
            }
            "crate" | "$crate" => return self.keyword(Some(world.root(self.scope)), seg),
            "self" if spaces & VALUES == 0 || kind == RefKind::Path => {
                return self.keyword(Some(world.module(self.scope)), seg);
            }
            "super" => {
                return self.keyword(world.parent_module(world.module(self.scope)), seg);
            }
            // Before edition 2018, imports begin at the crate root.
            _ if self.importing && world.is_2015(self.scope) => {
                let hit = world.global(self.scope, text, spaces);
                return self.record(hit, seg, kind, Rule::Path);
            }
            _ => {}
        }
        if let Some(root) = world.written_root(text) {
            return End::Defs(vec![root], None);
        }
        if kind == RefKind::Macro
            && let defs = self.textual_macros(seg)
            && !defs.is_empty()
        {
            let found = defs.into_iter().map(|def| (def, MACROS)).collect();
            return self.record(Hit::Defs(found), seg, kind, Rule::Path);
        }
        if spaces & (TYPES | VALUES) != 0
            && let Some(param) = self.generic(self.name(seg.name))
            && !self.is_declared_since(0, seg.name, spaces)
        {
            return End::Type(param);
        }
        let mut hit = self.lexical(seg.name, spaces);
        if spaces == TYPES && self.leaves_crate_its_name(&hit) {
            match world.krate(self.scope, text) {
                Hit::Nothing => {}
                krate => hit = krate,
            }
        }
        if matches!(hit, Hit::Nothing)
            && let Some(projection) = self.projection_named(seg, kind)
        {
            return projection;
        }
        // A module of the name of a primitive type hides it at the beginning of a longer path only, and
        // a macro, which a glob may bring with a name of unknown namespace, nowhere.
        let no_type = |def: &Def| matches!(world.kind(*def), NodeKind::Module | NodeKind::Macro);
        let are_no_types = |hit: &Hit| match hit {
            Hit::Defs(defs) => defs.iter().all(|(def, _)| no_type(def)),
            Hit::External(_) => true,
            Hit::Nothing => false,
        };
        let is_type = spaces == TYPES && kind != RefKind::Path;
        if (matches!(hit, Hit::Nothing) || is_type && are_no_types(&hit))
            && let Some((&prim, _)) = world.known.prims.iter().find(|(_, name)| **name == text)
        {
            return End::Type(Type::Prim(prim));
        }
        self.record(hit, seg, kind, Rule::Path)
    }

    /// A further segment.
    fn step(
        &mut self,
        end: End,
        args: Vec<Type>,
        seg: &Seg,
        spaces: u8,
        kind: RefKind,
        infer: bool,
    ) -> End {
        let world = self.world;
        let text = self.text(seg.name);
        match end {
            End::External(path) => {
                let path: Arc<str> = format!("{path}::{text}").into();
                self.note(kind, Target::External(path.clone()), Rule::Path, seg.at);
                End::External(path)
            }
            End::Type(ty) => self.associated(ty, seg, spaces, kind),
            End::Nothing => End::Nothing,
            End::Defs(defs, _) => {
                if let (Some(&module), "super") = (defs.first(), text) {
                    return self.keyword(world.parent_module(world.module(module)), seg);
                }
                let mut found = Found::new();
                for &def in &defs {
                    match world.lookup(def, text, spaces, self.scope) {
                        Hit::Defs(more) => {
                            for one in more {
                                if !found.iter().any(|(def, _)| *def == one.0) {
                                    found.push(one);
                                }
                            }
                        }
                        Hit::External(path) if found.is_empty() => {
                            return self.noted_in(&[def], Hit::External(path), seg, kind);
                        }
                        _ => {}
                    }
                }
                if !found.is_empty() {
                    return self.noted_in(&defs, Hit::Defs(found), seg, kind);
                }
                let Some(&def) = defs.first() else { return End::Nothing };
                let infer = infer || kind != RefKind::Type;
                match world.kind(def) {
                    NodeKind::Struct
                    | NodeKind::Enum
                    | NodeKind::Union
                    | NodeKind::TypeAlias
                    | NodeKind::Trait => {
                        let ty = self.type_of_defs(&defs, args, infer);
                        self.associated(ty, seg, spaces, kind)
                    }
                    NodeKind::AssocType => {
                        let base = Type::Unknown;
                        let ty = Type::Assoc(Arc::new((base, None, world.name(def))));
                        self.associated(ty, seg, spaces, kind)
                    }
                    _ if world.is_library(def) => {
                        let path: Arc<str> = format!("{}::{text}", world.path(def)).into();
                        self.note(kind, Target::External(path.clone()), Rule::Path, seg.at);
                        End::External(path)
                    }
                    _ => End::Nothing,
                }
            }
        }
    }

    pub(super) fn macro_path(&mut self, id: PathId) -> End {
        self.resolve(id, MACROS, RefKind::Macro, false).0
    }
}

pub(super) fn as_trait(end: &End) -> TraitRef {
    match end {
        End::Defs(defs, _) => defs.first().map_or(TraitRef::Unknown, |def| TraitRef::Def(*def)),
        End::External(path) => TraitRef::External(path.clone()),
        _ => TraitRef::Unknown,
    }
}
