//! Items that nothing in the workspace uses. An item is a certain one if no use, no name that is not
//! resolved and no macro may mean it; what leaves a doubt is the reason of the others.

mod attributes;
mod candidate;
mod text;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

use attributes::Attributes;
use candidate::{Best, Candidate, Reach};
use text::Text;

use crate::database::Snapshot;
use crate::error::EngineError;
use crate::history::Scope;
use crate::items::{PackageFiles, package_names};
use asof_model::{Hint, NodeId, NodeKind};
use asof_query::{CrateRoot, Declared, Queries, UnresolvedName};
use asof_wire::{Tests, UnusedItem, UnusedItems, UnusedReason, UnusedRequest};

/// Kinds of items that are listed.
const KINDS: [NodeKind; 11] = [
    NodeKind::Function,
    NodeKind::Method,
    NodeKind::Struct,
    NodeKind::Enum,
    NodeKind::Union,
    NodeKind::Trait,
    NodeKind::TypeAlias,
    NodeKind::Const,
    NodeKind::Static,
    NodeKind::Macro,
    NodeKind::AssocConst,
];

impl Snapshot<'_> {
    /// Items that nothing in the workspace uses, the certain ones first.
    ///
    /// # Errors
    /// A path that names nothing, a package that does not exist, a kind that is never listed; a
    /// failure of the database.
    pub fn unused(&self, request: &UnusedRequest) -> Result<UnusedItems, EngineError> {
        let started = Instant::now();
        let queries = Queries::at(self.store(), self.at);
        if let Some(kind) = request.kind.filter(|kind| !KINDS.contains(kind)) {
            let names: Vec<&str> = KINDS.into_iter().map(NodeKind::as_str).collect();
            return Err(EngineError::BadRequest {
                what: format!("a {kind} is never listed as unused"),
                hint: Hint::Advice(format!("kinds are {}", names.join(", "))),
            });
        }
        let crates = queries.crates()?;
        let chosen = Chosen {
            request,
            scope: request.path.as_ref().map(|path| self.scope(self, path)).transpose()?,
            package: request
                .package
                .as_deref()
                .map(|wanted| find_package(&crates, wanted))
                .transpose()?,
        };
        let definitions = queries.declarations()?;
        let code = Code::new(&queries, &definitions, &crates)?;
        let candidates: Vec<Candidate<'_>> = definitions
            .iter()
            .filter(|item| chosen.holds(item))
            .filter_map(|item| code.candidate(item, request))
            .collect();
        let unused = code.unused(&queries, candidates, request)?;
        let certain = unused.iter().filter(|(_, reason)| reason.is_certain()).count();
        let uncertain = unused.len() - certain;
        let mut listed: Vec<(Candidate<'_>, UnusedReason)> = unused
            .into_iter()
            .filter(|(_, reason)| {
                request.guesses
                    || matches!(reason, UnusedReason::Unmentioned | UnusedReason::Public)
            })
            .collect();
        listed.sort_by_cached_key(|(one, reason)| {
            let package = code.package(one);
            (*reason, package, one.item.file_path.clone(), one.path.to_owned(), one.item.id)
        });
        let total = listed.len();
        listed.truncate(request.limit.unwrap_or(usize::MAX));
        let ids: Vec<NodeId> = listed.iter().map(|(one, _)| one.item.id).collect();
        let lines: BTreeMap<NodeId, u32> =
            queries.describe(&ids)?.iter().map(|item| (item.id, item.name_line)).collect();
        let items = listed.into_iter().map(|(one, reason)| {
            let line = lines.get(&one.item.id).copied().ok_or_else(|| EngineError::State {
                what: "item",
                reason: format!("{} has no place", one.item.id),
            })?;
            Ok(UnusedItem {
                id: one.item.id,
                path: one.path.to_owned(),
                kind: one.item.kind,
                package: code.package(&one),
                file_path: one.item.file_path.clone(),
                line,
                visibility: one.item.visibility.clone(),
                in_test: one.item.in_test,
                certain: reason.is_certain(),
                reason,
            })
        });
        let items = items.collect::<Result<Vec<_>, EngineError>>()?;
        let mut answer = self.answer(started, items, None);
        (answer.total, answer.truncated) = (total, answer.items.len() < total);
        Ok(UnusedItems { certain, uncertain, answer })
    }
}

/// The files of a package.
///
/// # Errors
/// No package has the name.
pub(super) fn find_package(
    crates: &[CrateRoot],
    wanted: &str,
) -> Result<PackageFiles, EngineError> {
    PackageFiles::find(crates, wanted).ok_or_else(|| {
        let names = package_names(crates).into_iter().collect::<Vec<_>>().join(", ");
        EngineError::NotFound {
            what: format!("no package `{wanted}` in the workspace"),
            hint: Hint::Advice(format!("the packages are: {names}")),
        }
    })
}

/// What a request asks about.
struct Chosen<'r> {
    request: &'r UnusedRequest,
    scope: Option<Scope>,
    package: Option<PackageFiles>,
}

impl Chosen<'_> {
    fn holds(&self, item: &Declared) -> bool {
        let Some(path) = item.path.as_deref() else { return false };
        self.request.kind.is_none_or(|kind| kind == item.kind)
            && (self.request.tests == Tests::Include || !item.in_test)
            && self.scope.as_ref().is_none_or(|scope| scope.covers(path, &item.file_path))
            && self.package.as_ref().is_none_or(|package| package.holds(&item.file_path))
    }
}

struct Module {
    parent: Option<NodeId>,
    root: NodeId,
    is_globbed: bool,
}

/// The definitions of the workspace with what is around them.
struct Code<'d> {
    items: HashMap<NodeId, &'d Declared>,
    modules: HashMap<NodeId, Module>,
    crates: HashMap<NodeId, &'d CrateRoot>,
    /// What the attributes of each container and of those around it say.
    around: HashMap<NodeId, Attributes>,
    /// Modules with files that did not parse.
    partial: Vec<NodeId>,
    /// Crates that include files whose code is not known.
    including: HashSet<NodeId>,
}

impl<'d> Code<'d> {
    fn new(
        queries: &Queries<'_>,
        definitions: &'d [Declared],
        crates: &'d [CrateRoot],
    ) -> Result<Self, EngineError> {
        let partial: BTreeSet<String> = queries.partial_files()?.into_iter().collect();
        let modules = queries.modules_of_crates()?.into_iter().map(|row| {
            let module =
                Module { parent: row.parent_id, root: row.root_id, is_globbed: row.globbed };
            (row.id, module)
        });
        let mut code = Self {
            items: definitions.iter().map(|item| (item.id, item)).collect(),
            modules: modules.collect(),
            crates: crates.iter().map(|krate| (krate.root_id, krate)).collect(),
            around: HashMap::new(),
            partial: definitions
                .iter()
                .filter(|item| item.kind == NodeKind::Module && partial.contains(&item.file_path))
                .map(|item| item.id)
                .collect(),
            including: queries.including()?.into_iter().collect(),
        };
        for item in definitions {
            if let Some(parent) = item.parent_id {
                code.read_around(parent);
            }
        }
        Ok(code)
    }

    /// Reads the attributes of a container, from the outermost one in.
    fn read_around(&mut self, container: NodeId) {
        let mut chain = Vec::new();
        let mut at = Some(container);
        while let Some(id) = at {
            if self.around.contains_key(&id) {
                break;
            }
            chain.push(id);
            at = self.items.get(&id).and_then(|item| item.parent_id);
        }
        let mut above = at.and_then(|id| self.around.get(&id)).copied().unwrap_or_default();
        for id in chain.into_iter().rev() {
            if let Some(item) = self.items.get(&id) {
                above = above.or(read_all(item));
                // The linker finds an item, not what is in it.
                above.is_entry = false;
                above.is_exported_macro = false;
                // What a macro makes of the tokens around an item is not known.
                above.is_doubtful |= item.kind == NodeKind::MacroCall;
            }
            self.around.insert(id, above);
        }
    }

    fn candidate(&self, item: &'d Declared, request: &UnusedRequest) -> Option<Candidate<'d>> {
        let path = item.path.as_deref()?;
        let is_of_trait_impl = path.starts_with('<') && path.contains(" as ");
        let is_left_out = !KINDS.contains(&item.kind)
            || item.made
            || is_of_trait_impl
            || item.name == "main"
            || item.name.starts_with('_');
        if is_left_out {
            return None;
        }
        let root = self.modules.get(&item.module_id)?.root;
        let own = read_all(item);
        let around =
            item.parent_id.and_then(|id| self.around.get(&id)).copied().unwrap_or_default();
        let attributes = own.or(around);
        let is_test = item.in_test && item.kind == NodeKind::Function && own.is_doubtful;
        if attributes.is_entry || is_test || attributes.is_allowed && !request.allowed {
            return None;
        }
        let reach = self.reach(item, root, own);
        if reach == Reach::Public && !request.public {
            return None;
        }
        Some(Candidate { item, path, root, attributes, reach })
    }

    fn reach(&self, item: &Declared, root: NodeId, own: Attributes) -> Reach {
        let parent = item.parent_id.and_then(|id| self.items.get(&id));
        let of_trait = parent.filter(|parent| parent.kind == NodeKind::Trait);
        let visibility = of_trait.map_or(item.visibility.as_str(), |of| of.visibility.as_str());
        let target = self.crates.get(&root).map_or("", |krate| krate.target_kind.as_str());
        let is_library = matches!(target, "lib" | "proc_macro");
        let is_public = if item.kind == NodeKind::Macro {
            own.is_exported_macro
        } else {
            let is_member = parent.is_some_and(|parent| parent.kind != NodeKind::Module);
            // Values of a type whose path is private may still leave the crate.
            visibility == "pub" && (is_member || self.is_nameable(item.module_id))
        };
        if is_public && is_library {
            Reach::Public
        } else if visibility.is_empty() && item.kind != NodeKind::Macro {
            Reach::Module(item.module_id)
        } else {
            Reach::Crate
        }
    }

    /// Whether other crates may name what a module has.
    fn is_nameable(&self, module: NodeId) -> bool {
        let mut at = module;
        loop {
            let Some(Module { parent, is_globbed, .. }) = self.modules.get(&at) else {
                return false;
            };
            let Some(parent) = *parent else { return true };
            let is_public = self.items.get(&at).is_some_and(|item| item.visibility == "pub");
            if !is_public && !is_globbed {
                return false;
            }
            at = parent;
        }
    }

    fn is_within(&self, module: NodeId, outer: NodeId) -> bool {
        let mut at = Some(module);
        while let Some(id) = at {
            if id == outer {
                return true;
            }
            at = self.modules.get(&id).and_then(|module| module.parent);
        }
        false
    }

    /// Whether code of a module can name an item.
    fn is_visible(&self, one: &Candidate<'_>, module: NodeId) -> bool {
        match one.reach {
            Reach::Module(outer) => self.is_within(module, outer),
            Reach::Crate => self.modules.get(&module).is_some_and(|found| found.root == one.root),
            Reach::Public => true,
        }
    }

    fn package(&self, one: &Candidate<'_>) -> Option<String> {
        self.crates.get(&one.root).and_then(|krate| krate.package.clone())
    }

    /// The candidates that nothing uses, each with why it is thought so; of those with one text, the
    /// first by path.
    fn unused(
        &self,
        queries: &Queries<'_>,
        candidates: Vec<Candidate<'d>>,
        request: &UnusedRequest,
    ) -> Result<Vec<(Candidate<'d>, UnusedReason)>, EngineError> {
        let mut best = Best::load(queries, candidates.iter().map(|one| one.item.id))?;
        let idle = candidates.into_iter().filter(|one| !best.is_use(one.item.id)).collect();
        let texts = Text::collect(queries, idle, &mut best, |id| {
            self.items.get(&id).and_then(|item| self.candidate(item, request))
        })?;
        let decided: Vec<(Text<'_>, UnusedReason)> = texts
            .into_iter()
            .filter_map(|text| {
                let is_guessed = text.definitions().any(|one| best.is_known(one.item.id));
                let reason = text.definitions().map(|one| self.reason(one, is_guessed)).max()?;
                Some((text, reason))
            })
            .collect();
        // Where a doubt is known, names say nothing more.
        let is_open = |reason: UnusedReason| reason <= UnusedReason::IncludedCode;
        let open = decided.iter().filter(|(_, reason)| is_open(*reason));
        let names: BTreeSet<String> = open.map(|(text, _)| text.shown.item.name.clone()).collect();
        let mut unresolved: HashMap<String, Vec<UnresolvedName>> = HashMap::new();
        for row in queries.unresolved_names(&names.into_iter().collect::<Vec<_>>())? {
            unresolved.entry(row.name.clone()).or_default().push(row);
        }
        let mut found = Vec::with_capacity(decided.len());
        for (text, reason) in decided {
            let names = unresolved.get(&text.shown.item.name).filter(|_| is_open(reason));
            let names = names.map_or(&[][..], Vec::as_slice);
            match text.definitions().map(|one| self.mentioned(one, names)).max() {
                Some(Mentioned::Nowhere) => found.push((text.shown, reason)),
                Some(Mentioned::Somewhere) => {
                    found.push((text.shown, UnusedReason::UnresolvedName));
                }
                Some(Mentioned::ByDerive) | None => {}
            }
        }
        Ok(found)
    }

    fn mentioned(&self, one: &Candidate<'_>, names: &[UnresolvedName]) -> Mentioned {
        let mut mentioned = Mentioned::Nowhere;
        for row in names {
            // The rules of a macro are read where it is called.
            let is_macro = row.source_kind == NodeKind::Macro;
            if !may_mean(one.item.kind, &row.text)
                || !is_macro && !self.is_visible(one, row.module_id)
            {
                continue;
            }
            // Only attributes of a type have names that nothing resolves: `#[serde(default = "f")]`.
            let is_type =
                matches!(row.source_kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Union);
            if is_type && row.use_kind == "mention" {
                return Mentioned::ByDerive;
            }
            mentioned = Mentioned::Somewhere;
        }
        mentioned
    }

    /// What is known without names that are not resolved.
    fn reason(&self, one: &Candidate<'_>, is_guessed: bool) -> UnusedReason {
        let root = one.root;
        let kind = self.crates.get(&root).map_or("detached", |krate| krate.target_kind.as_str());
        if one.reach == Reach::Public {
            UnusedReason::Public
        } else if is_guessed {
            UnusedReason::Guess
        } else if one.attributes.is_doubtful {
            UnusedReason::Attribute
        } else if kind == "detached" {
            UnusedReason::Detached
        } else if self.partial.iter().any(|module| self.is_visible(one, *module)) {
            UnusedReason::Partial
        } else if self.including.contains(&root) {
            UnusedReason::IncludedCode
        } else {
            UnusedReason::Unmentioned
        }
    }
}

/// Where names that are not resolved may mean an item, the surest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mentioned {
    Nowhere,
    Somewhere,
    /// A derive uses it by its name.
    ByDerive,
}

/// Whether a name that is written like this may mean an item of this kind.
fn may_mean(kind: NodeKind, text: &str) -> bool {
    let is_macro = kind == NodeKind::Macro;
    if text.ends_with('!') {
        is_macro
    } else if text.starts_with('.') {
        kind == NodeKind::Method
    } else {
        true
    }
}

fn read_all(item: &Declared) -> Attributes {
    let texts = item.attrs.iter().filter_map(|attr| attr.get(1).and_then(|text| text.as_str()));
    texts.map(attributes::read).fold(Attributes::default(), Attributes::or)
}
