//! Resolves the words that name an item in a question to items.

use crate::cache::Subject;
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::ErrorKind;
use asof_model::NodeKind;
use asof_oracle::{Ask, Structural, is_file, last_name, tokens};
use asof_wire::{Item, ResolveRequest};

/// Most items that one name may mean.
const MAX_SUBJECTS: usize = 20;

impl Subject {
    /// Whether it is in tests, benches or examples of a package.
    pub fn is_aside(&self) -> bool {
        let file = self.symbol().file_path.unwrap_or_default();
        let folders = ["tests", "benches", "examples"];
        file.split('/').any(|folder| folders.contains(&folder)) && !file.starts_with("src/")
    }

    /// Whether it is in a file, folder, crate, module or type.
    fn is_in(&self, place: &str) -> bool {
        let symbol = self.symbol();
        is_in(&symbol.path, symbol.file_path.as_deref(), place)
    }
}

/// Whether an item is in a file, folder, crate, module or type.
pub(super) fn is_in(path: &str, file: Option<&str>, place: &str) -> bool {
    let place = place.trim_start_matches("crate::").trim_end_matches('/');
    let file = file.unwrap_or_default();
    if place.ends_with(".rs") {
        return is_file(place, file);
    }
    if place.contains('/') {
        return file.starts_with(&format!("{place}/")) || file.contains(&format!("/{place}/"));
    }
    let place = last_name(place).replace('-', "_");
    let of = path.rsplit_once("::").map_or("", |(of, _)| of);
    tokens(of).contains(&place) || file.split('/').any(|folder| folder.replace('-', "_") == place)
}

/// Whether a place may be that of the answer rather than that of the subject.
pub(super) fn is_about_others(ask: Ask) -> bool {
    matches!(ask, Ask::Callers | Ask::Users | Ask::Implementors | Ask::IsUsed | Ask::IsUnused)
}

impl Snapshot<'_> {
    /// The items that a question may be about, or why there is none.
    pub(super) fn subjects(
        &self,
        asked: &Structural,
        file: Option<&str>,
    ) -> Result<Result<Vec<Subject>, String>, EngineError> {
        let request = ResolveRequest {
            kind: asked.kind,
            file_path: file.map(str::to_owned),
            ..ResolveRequest::new(clean(&asked.subject))
        };
        let mut found = self.named(&request, fitting(asked.ask))?;
        if found.is_empty() && asked.kind.is_some() {
            // People say method for function, and the other way round.
            found = self.named(&ResolveRequest { kind: None, ..request }, fitting(asked.ask))?;
        }
        if let Some(place) = &asked.place {
            let inside = found.iter().filter(|subject| subject.is_in(place));
            let inside: Vec<Subject> = inside.cloned().collect();
            if !inside.is_empty() {
                found = inside;
            } else if !found.is_empty() && !is_about_others(asked.ask) {
                return Ok(Err(format!("no item named `{}` in `{place}`", asked.subject)));
            }
        }
        Ok(match found {
            found if found.len() > MAX_SUBJECTS => {
                Err(format!("`{}` means {} items; give a longer path", asked.subject, found.len()))
            }
            found if found.is_empty() => Err(format!("no item named `{}`", asked.subject)),
            found => Ok(found),
        })
    }

    /// What a path means: definitions, of these kinds if there are such, else an external symbol.
    pub(super) fn named(
        &self,
        request: &ResolveRequest,
        kinds: &[NodeKind],
    ) -> Result<Vec<Subject>, EngineError> {
        let items = match self.resolve(request) {
            Ok(found) => found.answer.items,
            Err(error) if error.kind() == ErrorKind::BadRequest => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        if !items.is_empty() {
            let only = |is: &dyn Fn(NodeKind) -> bool| -> Vec<Item> {
                items.iter().filter(|item| is(item.kind)).cloned().collect()
            };
            let is_member = |kind| {
                matches!(
                    kind,
                    NodeKind::Variant
                        | NodeKind::Field
                        | NodeKind::Import
                        | NodeKind::AssocType
                        | NodeKind::AssocConst
                )
            };
            // A name of a type and of a variant means the type.
            let tiers = [
                only(&|kind| kinds.contains(&kind) && !is_member(kind)),
                only(&|kind| kinds.contains(&kind)),
                only(&|kind| !is_member(kind)),
            ];
            let items = tiers.into_iter().find(|tier| !tier.is_empty()).unwrap_or(items);
            return Ok(items.into_iter().map(|item| Subject::Item(Box::new(item))).collect());
        }
        match self.symbols(request) {
            Ok(symbols) => Ok(symbols.into_iter().map(Subject::External).collect()),
            Err(error) if matches!(error.kind(), ErrorKind::NoMatch | ErrorKind::BadRequest) => {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}

/// A name as a path: without a call's brackets and a macro's mark.
pub(super) fn clean(name: &str) -> &str {
    name.trim().trim_end_matches("()").trim_end_matches('!').trim_start_matches('&')
}

/// Kinds that a question is usually about.
fn fitting(ask: Ask) -> &'static [NodeKind] {
    use NodeKind as K;
    match ask {
        Ask::Parameters
        | Ask::ReturnType
        | Ask::Returns
        | Ask::Callers
        | Ask::Callees
        | Ask::Calls
        | Ask::CallsItself => &[K::Function, K::Method],
        Ask::Signature => &[
            K::Function,
            K::Method,
            K::Struct,
            K::Enum,
            K::Union,
            K::Trait,
            K::TypeAlias,
            K::Const,
            K::Static,
            K::Macro,
        ],
        Ask::Fields => &[K::Struct, K::Union, K::Variant],
        Ask::Variants => &[K::Enum],
        Ask::Implementors => &[K::Trait],
        Ask::Methods => &[K::Struct, K::Enum, K::Union, K::Trait, K::TypeAlias],
        Ask::Traits | Ask::Implements => &[K::Struct, K::Enum, K::Union],
        Ask::Exports => &[K::Module],
        _ => &[],
    }
}
