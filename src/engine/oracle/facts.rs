//! The true answers to questions about items.

use std::collections::BTreeMap;

use super::forms::{field, parameter, return_types, signatures, variant};
use super::subject::clean;
use crate::cache::{Doubts, Known, Subject};
use crate::database::Snapshot;
use crate::error::EngineError;
use crate::items::{Hidden, Members};
use asof_model::NodeKind;
use asof_oracle::{Ask, Fact, Member, Structural, Weight, last_name, same_code};
use asof_query::{OracleMember, Queries};
use asof_wire::{Item, ResolveRequest};

impl Snapshot<'_> {
    /// The true answer for one item.
    pub(super) fn facts(
        &self,
        asked: &Structural,
        subject: &Subject,
    ) -> Result<Known, EngineError> {
        match (asked.ask, subject) {
            (Ask::Callers | Ask::Users, _) => self.users(asked, &subject.symbol()),
            (Ask::IsUsed | Ask::IsUnused, _) => self.is_used(asked, &subject.symbol()),
            (Ask::Implementors, _) => self.implementors(asked, &subject.symbol()),
            (_, Subject::External(symbol)) => {
                Ok(Known::Unknown(format!("`{}` is not defined in the workspace", symbol.path)))
            }
            (_, Subject::Item(item)) => self.facts_of(asked, item),
        }
    }

    fn facts_of(&self, asked: &Structural, item: &Item) -> Result<Known, EngineError> {
        let list = |facts| Ok(Known::List(facts, Doubts::default()));
        match asked.ask {
            Ask::Signature => Ok(Known::Code(signatures(item))),
            Ask::ReturnType => Ok(match self.returned(item)? {
                Some(types) => Known::Code(types),
                None => Known::Unknown(format!("`{}` is not a function", shown(item))),
            }),
            Ask::TypeOf => self.type_of(item, asked.other.as_deref()),
            Ask::Returns => self.is_returning(item, asked.other()),
            Ask::Has => self.has(asked, item),
            Ask::Is => Ok(is_kind(item, asked.other())),
            Ask::Parameters => match asof_syntax::signature_parts(&item.signature) {
                Some(parts) => {
                    list(parts.inputs.iter().map(|(name, ty)| parameter(name, ty)).collect())
                }
                None => Ok(Known::Unknown(format!("`{}` is not a function", shown(item)))),
            },
            Ask::Fields => match item.kind {
                NodeKind::Struct | NodeKind::Union | NodeKind::Variant => {
                    let mut found = self.members(item, &[NodeKind::Field])?;
                    found.retain(|field| !asked.public || field.visibility == "pub");
                    list(found.iter().map(field).collect())
                }
                _ => Ok(Known::Unknown(format!("a {} has no fields", item.kind))),
            },
            Ask::Variants => match item.kind {
                NodeKind::Enum => {
                    list(self.members(item, &[NodeKind::Variant])?.iter().map(variant).collect())
                }
                _ => Ok(Known::Unknown(format!("a {} has no variants", item.kind))),
            },
            Ask::Methods => self.methods(item, asked),
            Ask::Traits => self.traits(item),
            Ask::Implements => self.implements(item, asked.other()),
            Ask::Callees => self.callees(item),
            Ask::Calls => self.is_calling(item, asked.other()),
            Ask::CallsItself => self.is_calling(item, shown(item)),
            Ask::IsPublic => Ok(self.is_public(item)?.map_or_else(Known::Unknown, Known::YesNo)),
            Ask::IsPrivate => {
                let public = self.is_public(item)?.map(|public| !public);
                Ok(public.map_or_else(Known::Unknown, Known::YesNo))
            }
            Ask::Exports => self.exports(item),
            Ask::Place => Ok(Known::Place {
                file: item.file_path.clone(),
                line: item.line,
                lines: item.span.start_line..=item.line,
            }),
            _ => Ok(Known::Unknown("this is not a question about one item".to_owned())),
        }
    }

    fn members(&self, item: &Item, kinds: &[NodeKind]) -> Result<Vec<OracleMember>, EngineError> {
        let kinds: Vec<String> = kinds.iter().map(|kind| kind.as_str().to_owned()).collect();
        Ok(Queries::at(self.store(), self.at).oracle_members(&[item.id], &kinds)?)
    }

    /// The types that an answer may say it returns; `None` if it is no function.
    fn returned(&self, item: &Item) -> Result<Option<Vec<String>>, EngineError> {
        let Some(parts) = asof_syntax::signature_parts(&item.signature) else { return Ok(None) };
        let mut types = return_types(&parts.output);
        if item.kind == NodeKind::Method {
            let path = item.path.as_deref().unwrap_or_default();
            let of = path.rsplit_once("::").map_or("", |(of, _)| of);
            let of = of.strip_prefix('<').and_then(|of| of.split(" as ").next()).unwrap_or(of);
            let parent = item.parent_id.into_iter().collect::<Vec<_>>();
            if self.items(&parent)?.iter().any(|parent| parent.kind == NodeKind::Impl) {
                // `Self` is the type of the impl.
                types.extend(renamed(&parts.output, "Self", last_name(of)));
                types.extend(renamed(&parts.output, last_name(of), "Self"));
            }
        }
        Ok(Some(types))
    }

    fn is_returning(&self, item: &Item, wanted: &str) -> Result<Known, EngineError> {
        let Some(types) = self.returned(item)? else {
            return Ok(Known::Unknown(format!("`{}` is not a function", shown(item))));
        };
        let wanted =
            ["a ", "an ", "the "].iter().find_map(|a| wanted.strip_prefix(a)).unwrap_or(wanted);
        let is_head = |ty: &String| ty.contains('<') && last_name(ty) == last_name(wanted);
        if types.iter().any(|ty| same_code(ty, wanted) || is_head(ty) && !wanted.contains('<')) {
            return Ok(Known::YesNo(true));
        }
        // An alias, or words, may mean it all the same.
        let plain = ["bool", "u8", "u16", "u32", "u64", "usize", "i32", "i64", "str", "String"];
        let is_plain = |ty: &str| plain.contains(&ty.trim_start_matches(['&', ' ']));
        if types.first().is_some_and(|ty| is_plain(ty) || ty == "()") && is_plain(wanted) {
            Ok(Known::YesNo(false))
        } else {
            Ok(Known::Unknown(format!("it returns `{}`", types.join("` or `"))))
        }
    }

    /// The type of a field, by its own item or by that of its struct.
    fn type_of(&self, item: &Item, field: Option<&str>) -> Result<Known, EngineError> {
        let signature = match field {
            None => Some(item.signature.clone()),
            Some(name) => {
                let fields = self.members(item, &[NodeKind::Field])?;
                fields.into_iter().find(|field| field.name == name).map(|field| field.signature)
            }
        };
        let is_value = field.is_some()
            || matches!(item.kind, NodeKind::Field | NodeKind::Const | NodeKind::Static);
        let ty = signature.filter(|_| is_value).and_then(|signature| {
            let (_, ty) = signature.split_once(": ")?;
            Some(ty.split(" = ").next().unwrap_or(ty).trim_end_matches([',', ';']).to_owned())
        });
        Ok(match ty {
            Some(ty) => Known::Code(vec![ty]),
            None => Known::Unknown(format!("`{}` has no such type", shown(item))),
        })
    }

    /// Whether it has a member of a name.
    fn has(&self, asked: &Structural, item: &Item) -> Result<Known, EngineError> {
        let (ask, member) = match asked.member {
            Some(Member::Field) => (Ask::Fields, None),
            Some(Member::Variant) => (Ask::Variants, None),
            Some(Member::Parameter) => (Ask::Parameters, None),
            _ => (Ask::Methods, None),
        };
        let list = Structural { ask, member, public: false, ..asked.clone() };
        let Known::List(facts, doubts) = self.facts_of(&list, item)? else {
            return Ok(Known::Unknown(format!("a {} has no such members", item.kind)));
        };
        let wanted = clean(asked.other());
        if facts.iter().any(|fact| fact.is(wanted)) {
            return Ok(Known::YesNo(true));
        }
        let same_name = facts.iter().find(|fact| fact.is(last_name(wanted)));
        Ok(match doubts.about(wanted).or(same_name.map(|fact| fact.shown.clone())) {
            Some(reason) => Known::Unknown(reason),
            None => Known::YesNo(false),
        })
    }

    /// Methods of the type's own impls, and those of trait impls, which need not be claimed. People
    /// call functions without `self` methods, too, or not.
    fn methods(&self, item: &Item, asked: &Structural) -> Result<Known, EngineError> {
        let mut found = self.members(item, &[NodeKind::Method])?;
        found
            .retain(|one| !asked.public || one.visibility == "pub" || item.kind == NodeKind::Trait);
        let queries = Queries::at(self.store(), self.at);
        let functions = asked.member == Some(Member::Function);
        let facts = found.iter().map(|method| {
            let parts = asof_syntax::signature_parts(&method.signature);
            let has_self = parts.is_some_and(|parts| {
                parts.inputs.first().is_some_and(|(name, ty)| ty.is_empty() || name == "self")
            });
            let weight = if method.trait_impl.is_none() && has_self != functions {
                Weight::Required
            } else {
                Weight::Optional
            };
            Fact {
                forms: vec![method.name.clone(), method.signature.clone()],
                weight,
                path: method.path.clone(),
                ..Fact::new(method.name.clone())
            }
        });
        let mut doubts = Doubts::default();
        if item.kind != NodeKind::Trait {
            // Derives and traits of other crates bring methods that are not written here.
            let foreign = queries.implemented_traits(&[item.id])?;
            if foreign.iter().any(|one| one.derive.is_some()) {
                doubts.names = DERIVED.iter().map(|&name| name.to_owned()).collect();
            }
        }
        let known = self.unresolved_mentions(&item.name)?;
        if known > 0 && item.kind != NodeKind::Trait && self.has_macro_impls(&item.name)? {
            doubts.all = Some(format!("a macro call mentions `{}`", item.name));
        }
        let calls = self.members(item, &[NodeKind::MacroCall])?;
        if !calls.is_empty() && doubts.all.is_none() {
            let mut opaque = queries.opaque_calls(None)?;
            opaque.retain(|call| calls.iter().any(|member| member.id == call.id));
            doubts.all = self.doubts_about(&opaque, &[NodeKind::Method])?.all;
        }
        Ok(Known::List(facts.collect(), doubts))
    }

    /// Number of unresolved uses of a name, macro bodies included.
    fn unresolved_mentions(&self, name: &str) -> Result<u64, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let found = queries.unresolved_uses(std::slice::from_ref(&name.to_owned()))?;
        Ok(found.iter().map(|one| one.uses).sum())
    }

    /// Whether macro calls in the place of items mention a name.
    fn has_macro_impls(&self, name: &str) -> Result<bool, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        Ok(queries.macro_mentions(name)?.into_iter().any(|mentions| mentions > 0))
    }

    /// Whether other crates can name it; or why that depends on what is meant.
    fn is_public(&self, item: &Item) -> Result<Result<bool, String>, EngineError> {
        if item.visibility != "pub" {
            return Ok(match item.kind {
                NodeKind::Variant
                | NodeKind::AssocType
                | NodeKind::AssocConst
                | NodeKind::Method
                | NodeKind::Macro
                    if item.visibility.is_empty() && self.is_inherited(item)? =>
                {
                    Err("its visibility is that of the item around it".to_owned())
                }
                _ => Ok(false),
            });
        }
        let root = item.root_id.into_iter().collect::<Vec<_>>();
        if root.is_empty() || self.libraries_among(&root)? != root {
            return Ok(Err("it is `pub` in a crate that is not a library".to_owned()));
        }
        let names = self.api(&root, Members::List, Hidden::List, None)?;
        let reachable = names.items.iter().any(|name| name.id == Some(item.id));
        Ok(if reachable {
            Ok(true)
        } else {
            Err("it is `pub`, but no public path leads to it".to_owned())
        })
    }

    /// Whether the visibility is that of a trait, an enum or an attribute.
    fn is_inherited(&self, item: &Item) -> Result<bool, EngineError> {
        let path = item.path.clone().unwrap_or_default();
        if item.kind == NodeKind::Method && !path.starts_with('<') {
            let parent = item.parent_id.into_iter().collect::<Vec<_>>();
            let parent = self.items(&parent)?;
            return Ok(parent.iter().any(|parent| parent.kind != NodeKind::Impl));
        }
        Ok(path.contains(" as ") || item.kind != NodeKind::Method)
    }

    fn exports(&self, item: &Item) -> Result<Known, EngineError> {
        let names = self.api(&[item.id], Members::LeaveOut, Hidden::List, None)?;
        let prefix = item.path.clone().unwrap_or_default();
        let every = names.items.iter().flat_map(|name| {
            let paths = std::iter::once(&name.path).chain(&name.other_paths);
            paths.map(|path| (path, name.hidden))
        });
        let facts = every.filter_map(|(path, hidden)| {
            let rest = path.strip_prefix(&prefix)?.strip_prefix("::")?;
            // Items of its modules need not be listed.
            let weight =
                if rest.contains("::") || hidden { Weight::Optional } else { Weight::Required };
            Some(Fact { weight, path: Some(path.clone()), ..Fact::new(rest) })
        });
        let facts = facts.collect();
        let mut opaque = Queries::at(self.store(), self.at).opaque_calls(None)?;
        opaque.retain(|call| call.module_path.as_ref() == Some(&prefix));
        Ok(Known::List(facts, self.doubts_about(&opaque, &NodeKind::ALL)?))
    }

    /// Items of some kinds in a module, a file, or the workspace; `None` without such a place.
    pub(super) fn items_of(
        &self,
        asked: &[NodeKind],
        place: &str,
        file: Option<&str>,
    ) -> Result<Option<Known>, EngineError> {
        let queries = Queries::at(self.store(), self.at);
        let mut kinds: Vec<String> = asked.iter().map(|kind| kind.as_str().to_owned()).collect();
        let functions = kinds == [NodeKind::Function.as_str()];
        if functions {
            kinds.push(NodeKind::Method.as_str().to_owned());
        }
        let file = match file {
            Some(file) => {
                let found = self.resolve_file(file)?;
                if found.is_none() {
                    return Ok(None);
                }
                found
            }
            None => None,
        };
        let modules = kinds.iter().any(|kind| kind == NodeKind::Module.as_str());
        let mut rows = match (&file, modules) {
            // A module is declared in the file of the one around it.
            (Some(file), true) => {
                let mut rows = queries.oracle_items(&kinds, None)?;
                let files: BTreeMap<String, String> =
                    rows.iter().map(|row| (row.path.clone(), row.file_path.clone())).collect();
                rows.retain(|row| {
                    let around = row.path.rsplit_once("::").map_or("", |(around, _)| around);
                    files.get(around) == Some(file)
                });
                rows
            }
            _ => queries.oracle_items(&kinds, file.as_deref())?,
        };
        let mut opaque = queries.opaque_calls(file.as_deref())?;
        if !place.is_empty() {
            let modules = self.named(&ResolveRequest::new(clean(place)), &[NodeKind::Module])?;
            let paths = modules.iter().filter_map(|module| match module {
                Subject::Item(item) if item.kind == NodeKind::Module => item.path.clone(),
                _ => None,
            });
            let paths: Vec<String> = paths.collect();
            if paths.is_empty() {
                return Ok(None);
            }
            rows.retain(|row| paths.iter().any(|path| is_below(&row.path, path)));
            opaque.retain(|call| {
                let module = call.module_path.as_deref().unwrap_or_default();
                paths.iter().any(|path| module == path || is_below(module, path))
            });
        }
        let facts = rows.iter().map(|row| {
            // Functions may mean methods, too.
            let is_method = functions && row.kind == NodeKind::Method;
            let weight = if is_method { Weight::Optional } else { Weight::Required };
            Fact { weight, ..Fact::item(&row.path, true) }
        });
        let facts = facts.collect();
        let doubts = self.doubts_about(&opaque, asked)?;
        Ok(Some(Known::List(facts, doubts)))
    }
}

/// Names that derives of the standard library bring.
const DERIVED: [&str; 12] = [
    "clone", "clone_from", "fmt", "eq", "ne", "partial_cmp", "cmp", "hash", "default", "lt", "le",
    "to_string",
];

fn is_below(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"))
}

fn shown(item: &Item) -> &str {
    item.path.as_deref().unwrap_or(&item.name)
}

/// Whether an item is of a kind, or has a qualifier, by its word.
fn is_kind(item: &Item, word: &str) -> Known {
    let is = |kinds: &[NodeKind]| kinds.contains(&item.kind);
    let head = item.signature.split("fn ").next().unwrap_or_default();
    let has = |word: &str| {
        is(&[NodeKind::Function, NodeKind::Method]) && head.split_whitespace().any(|w| w == word)
    };
    Known::YesNo(match word {
        "struct" => is(&[NodeKind::Struct]),
        "enum" => is(&[NodeKind::Enum]),
        "union" => is(&[NodeKind::Union]),
        "trait" => is(&[NodeKind::Trait]),
        "function" => is(&[NodeKind::Function, NodeKind::Method]),
        "method" => is(&[NodeKind::Method]),
        "module" => is(&[NodeKind::Module]),
        "macro" => is(&[NodeKind::Macro]),
        "constant" => is(&[NodeKind::Const, NodeKind::AssocConst]),
        "const" => is(&[NodeKind::Const, NodeKind::AssocConst]) || has("const"),
        "static" => is(&[NodeKind::Static]),
        "type alias" => is(&[NodeKind::TypeAlias, NodeKind::AssocType]),
        "async" => has("async"),
        "unsafe" => has("unsafe") || item.signature.starts_with("unsafe "),
        other => return Known::Unknown(format!("`{other}` is no kind of item")),
    })
}

/// A type in which one name is written as another, if it has the name.
fn renamed(ty: &str, from: &str, to: &str) -> Option<String> {
    let tokens = asof_oracle::tokens(ty);
    let has = tokens.iter().any(|token| token == from);
    let renamed = tokens.iter().map(|token| if token == from { to } else { token.as_str() });
    has.then(|| renamed.collect::<Vec<_>>().join(" "))
}
