//! Paths of imports, and what paths begin with: keywords and crates.

use super::super::namespaces::{ANY, MACROS, TYPES};
use super::item_index::Hit;
use super::paths::{End, PathResolver, Target};
use super::rules::Rule;
use super::types::Def;
use asof_model::{NodeKind, PathId, RefKind, Seg};

impl PathResolver<'_, '_> {
    /// Every meaning of a path in a `use` declaration.
    pub(super) fn import(&mut self, id: PathId) {
        self.importing = true;
        self.import_path(id);
        self.importing = false;
    }

    fn import_path(&mut self, id: PathId) {
        let (path, segs) = (self.uses.path(id), self.uses.segs(id));
        // `a::b::{self}` imports what `a::b` means.
        let own = segs.last().filter(|last| segs.len() > 1 && self.text(last.name) == "self");
        let Some(own) = own else {
            self.resolve(id, ANY, RefKind::Use, false);
            return;
        };
        let named = segs.get(..segs.len() - 1).unwrap_or_default();
        let (end, _) = self.follow(named, path.global, ANY, RefKind::Use);
        if let End::Defs(defs, _) = end {
            use NodeKind::{Enum, Module, Struct, Trait, TypeAlias, Union};
            let world = self.world;
            let is_self = |def: &Def| {
                matches!(world.kind(*def), Enum | Module | Struct | Trait | TypeAlias | Union)
            };
            let defs: Vec<Def> = defs.into_iter().filter(is_self).collect();
            self.note_defs(RefKind::Keyword, &defs, Rule::Path, own.at);
        }
    }

    /// A macro that `#[macro_use(name)]` takes from the crate of an `extern crate`.
    pub(super) fn listed_macro(&mut self, declaration: Def, path: PathId) {
        let [seg] = self.uses.segs(path) else { return };
        let (world, name) = (self.world, self.text(seg.name));
        let hit = match world.lexical(self.scope, world.text(world.name(declaration)), TYPES) {
            Hit::Defs(roots) => {
                let found = |(root, _): &(Def, u8)| match world.lookup(*root, name, MACROS, *root) {
                    Hit::Nothing => None,
                    hit => Some(hit),
                };
                roots.iter().find_map(found).unwrap_or(Hit::Nothing)
            }
            Hit::External(krate) => Hit::External(format!("{krate}::{name}").into()),
            Hit::Nothing => Hit::Nothing,
        };
        self.record(hit, seg, RefKind::Use, Rule::Path);
    }

    /// Whether a crate of the same name is meant: by what is only a macro, and in an import, where two
    /// meanings are an error, by what is of another crate.
    pub(super) fn leaves_crate_its_name(&self, hit: &Hit) -> bool {
        let world = self.world;
        match hit {
            Hit::Defs(defs) => {
                let is_macro = |(def, bits): &(Def, u8)| {
                    world.kind(*def) == NodeKind::Macro || *bits == MACROS
                };
                let is_inner =
                    |(def, _): &(Def, u8)| world.is_library(*def) && world.parent(*def).is_some();
                defs.iter().all(is_macro) || self.importing && defs.iter().all(is_inner)
            }
            Hit::External(path) => self.importing && path.contains("::"),
            Hit::Nothing => false,
        }
    }

    /// The module that `self`, `super` or `crate` means.
    pub(super) fn keyword(&mut self, module: Option<Def>, seg: &Seg) -> End {
        let Some(module) = module else { return End::Nothing };
        self.note(RefKind::Keyword, Target::Def(module), Rule::Path, seg.at);
        End::Defs(vec![module], None)
    }
}
