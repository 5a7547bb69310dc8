//! What a name was found to mean, noted with the conditions under which imports bring it.

use super::paths::{End, Paths, Target};
use super::rules::Rule;
use super::types::{Def, Type};
use super::world::Hit;
use crate::model::{RefKind, Seg};

impl Paths<'_, '_> {
    pub(super) fn noted(&mut self, hit: Hit, seg: &Seg, kind: RefKind, rule: Rule) -> End {
        self.noted_in(self.scope, hit, seg, kind, rule)
    }

    /// As [`Self::noted`], of a name in a scope.
    pub(super) fn noted_in(
        &mut self,
        scope: Def,
        hit: Hit,
        seg: &Seg,
        kind: RefKind,
        rule: Rule,
    ) -> End {
        match hit {
            Hit::Defs(found) => {
                let defs = found.iter().map(|(def, _)| *def);
                let name = self.text(seg.name);
                let under = |def: Def| self.world.import_condition(scope, name, def);
                let defs: Vec<Def> = defs
                    .filter(|def| !self.world.excludes(self.def, *def))
                    .filter(|def| !self.world.excludes_import(self.def, under(*def)))
                    .collect();
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
                for &def in defs.iter().filter(|def| !outside || !self.world.is_library(**def)) {
                    let under = self.world.import_condition(scope, name, def);
                    self.note_under(kind, Target::Def(def), rule, seg.at, under);
                }
                End::Defs(defs, None)
            }
            Hit::External(path) => {
                if !self.note_outside(scope, seg, kind, rule) {
                    self.note(kind, Target::External(path.clone()), rule, seg.at);
                }
                End::External(path)
            }
            Hit::Nothing => End::Nothing,
        }
    }

    /// Notes what imports bring from outside of the workspace under conditions; false if nothing.
    fn note_outside(&mut self, scope: Def, seg: &Seg, kind: RefKind, rule: Rule) -> bool {
        let outside = self.world.imports_of_outside(scope, self.text(seg.name));
        let mut noted = false;
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
                    self.note_under(kind, target, rule, seg.at, under);
                }
                noted = true;
            }
        }
        noted
    }
}
