//! Records the target of a resolved name, with the conditions under which imports bring it.

use super::super::conditions::ALWAYS;
use super::super::namespaces::ANY;
use super::choices::{Reached, Share};
use super::item_index::Hit;
use super::paths::{End, PathResolver, Target};
use super::reads;
use super::rules::Rule;
use super::types::{Def, Type};
use crate::ids::ConditionId;
use asof_model::{RefKind, Seg};

impl PathResolver<'_, '_> {
    /// Definitions with the conditions under which they are meant.
    pub(super) fn note_each(
        &mut self,
        kind: RefKind,
        defs: &[(Def, ConditionId)],
        rule: Rule,
        at: u32,
    ) {
        for &(def, under) in defs {
            self.note_under(kind, Target::Def(def), rule, at, under);
        }
    }

    pub(super) fn record(&mut self, hit: Hit, seg: &Seg, kind: RefKind, rule: Rule) -> End {
        self.reached = Reached::default();
        self.noted_by(&[self.scope], hit, seg, kind, rule)
    }

    /// As [`Self::noted`], of a name in some scopes.
    pub(super) fn noted_in(&mut self, scopes: &[Def], hit: Hit, seg: &Seg, kind: RefKind) -> End {
        self.noted_by(scopes, hit, seg, kind, Rule::Path)
    }

    /// The conditions under which a name in some scopes means what it may mean.
    fn meanings(&self, scopes: &[Def], name: &str, defs: &[(Def, u8)]) -> Vec<(Def, ConditionId)> {
        let world = self.world;
        let under = |def: Def| {
            let of_scope = |scope: &Def| {
                let own = world.import_condition(*scope, name, def);
                let own = world.seen_from(self.def, *scope, own);
                world.joined.and(self.reached.under(*scope), own)
            };
            let has = |scope: &&Def| {
                let there = || world.lookup(**scope, name, ANY, self.scope);
                scopes.len() == 1
                    || matches!(there(), Hit::Defs(all) if all.iter().any(|(one, _)| *one == def))
            };
            let all = scopes.iter().filter(has).map(of_scope);
            all.reduce(|a, b| world.joined.or(a, b)).unwrap_or(ALWAYS)
        };
        defs.iter().map(|(def, _)| (*def, under(*def))).collect()
    }

    fn noted_by(&mut self, scopes: &[Def], hit: Hit, seg: &Seg, kind: RefKind, rule: Rule) -> End {
        let scope = scopes.first().copied().unwrap_or(self.scope);
        match hit {
            Hit::Defs(found) => {
                found.iter().for_each(|(def, _)| reads::read(*def));
                let mut meanings = self.meanings(scopes, self.text(seg.name), &found);
                meanings.retain(|(def, under)| {
                    !self.world.excludes(self.def, *def)
                        && !self.world.excludes_import(self.def, *under)
                });
                let defs: Vec<Def> = meanings.iter().map(|(def, _)| *def).collect();
                if defs.is_empty() {
                    return End::Nothing;
                }
                if self.sink.is_some()
                    && defs.iter().all(|def| self.world.is_made_by(*def, self.def))
                {
                    // The name of what the call makes, among its own tokens.
                    return End::Type(Type::Unknown);
                }
                let outside = self.note_outside(scope, seg, kind, rule);
                for &(def, under) in &meanings {
                    if outside.is_none() || !self.world.is_library(def) {
                        self.note_under(kind, Target::Def(def), rule, seg.at, under);
                    }
                }
                let mut share = Share::All;
                let mut defs = defs;
                for (target, under) in outside.into_iter().flatten() {
                    match target {
                        Target::Def(def) if !defs.contains(&def) => {
                            defs.push(def);
                            meanings.push((def, under));
                        }
                        Target::Def(_) => {}
                        _ => share = Share::Some,
                    }
                }
                meanings.retain(|(_, under)| *under != ALWAYS);
                self.reached = Reached { under: meanings, share };
                End::Defs(defs, None)
            }
            Hit::External(path) => {
                if self.note_outside(scope, seg, kind, rule).is_none() {
                    self.note(kind, Target::External(path.clone()), rule, seg.at);
                }
                End::External(path)
            }
            Hit::Nothing => End::Nothing,
        }
    }

    /// Notes what imports bring from outside of the workspace under conditions; none if nothing.
    fn note_outside(
        &mut self,
        scope: Def,
        seg: &Seg,
        kind: RefKind,
        rule: Rule,
    ) -> Option<Vec<(Target, ConditionId)>> {
        let outside = self.world.imports_of_outside(scope, self.text(seg.name));
        let mut noted = Vec::new();
        for (hit, under) in outside {
            if self.world.excludes_import(self.def, under) {
                continue;
            }
            let targets: Vec<Target> = match hit {
                Hit::Defs(found) => found.iter().map(|(def, _)| Target::Def(*def)).collect(),
                Hit::External(path) => vec![Target::External(path)],
                Hit::Nothing => Vec::new(),
            };
            for target in targets {
                let known = self.sink.as_ref().is_some_and(|sink| {
                    let mut here = sink.iter().rev().take_while(|one| one.at == seg.at);
                    here.any(|one| one.target == target)
                });
                if !known {
                    self.note_under(kind, target.clone(), rule, seg.at, under);
                }
                noted.push((target, under));
            }
        }
        (!noted.is_empty()).then_some(noted)
    }
}
