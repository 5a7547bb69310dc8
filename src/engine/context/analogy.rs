//! What a task can follow that asks for one more of a kind, such as `add a new flag`: where the kind is
//! listed, a whole member of it with its test, and where the member's value is read.
//!
//! The kind is a trait whose types, an enum whose variants or a struct whose fields are its members,
//! and the task names it. The rules are in `queries/context/families.cozo` and `values.cozo`.

use std::collections::{BTreeMap, BTreeSet};

use super::nouns::{Nouns, share_words, words_in};
use crate::database::Snapshot;
use crate::error::EngineError;
use asof_model::{NodeId, NodeKind};
use asof_query::{Described, FamilyMember, Queries};
use asof_wire::{Example, ExampleItem, ExampleRole, Item};

/// Fewer members are no kind of thing.
const FEW: usize = 3;

/// Members that are looked at as a whole.
const TRIED: usize = 6;

/// Items that one role has at most.
const EACH: usize = 2;

/// Users of one value that are looked at.
const MAX_USERS: usize = 200;

/// An example, with its items in the order in which they are worth reading.
pub(super) struct Analogy {
    family: NodeKind,
    path: String,
    members: usize,
    pub parts: Vec<(ExampleRole, Item)>,
}

/// A kind of thing with its members.
struct Family {
    id: NodeId,
    kind: NodeKind,
    path: String,
    members: Vec<Member>,
}

/// A member, with the impls that make it one; a variant or field is its own part.
struct Member {
    id: NodeId,
    name: String,
    parts: Vec<NodeId>,
}

/// Uses of items by the items that have them.
type Users = BTreeMap<NodeId, BTreeSet<NodeId>>;

impl Analogy {
    pub fn example(&self) -> Example {
        let item = |(role, item): &(ExampleRole, Item)| ExampleItem {
            role: *role,
            id: item.id,
            path: item.path.clone().unwrap_or_else(|| item.name.clone()),
            kind: item.kind,
            file_path: item.file_path.clone(),
            start_line: item.span.start_line,
            end_line: item.span.end_line,
            signature: item.signature.clone(),
        };
        Example {
            path: self.path.clone(),
            kind: self.family,
            members: self.members,
            items: self.parts.iter().map(item).collect(),
        }
    }

    /// Why an item is listed.
    pub fn reason(&self, role: ExampleRole) -> String {
        let name = self.path.rsplit("::").next().unwrap_or(&self.path);
        match role {
            ExampleRole::Registry => format!("lists each `{name}`"),
            ExampleRole::Member => format!("one of {} of `{name}`", self.members),
            ExampleRole::Kind => format!("what each `{name}` has"),
            ExampleRole::Test => "tests that one".to_owned(),
            ExampleRole::Reader => "reads its value".to_owned(),
        }
    }
}

impl Snapshot<'_> {
    /// What to follow for a task that asks for one more of a kind; none if it does not, or if the
    /// workspace has no such kind.
    pub(super) fn analogy(
        &self,
        queries: &Queries<'_>,
        task: &str,
    ) -> Result<Option<Analogy>, EngineError> {
        let Some(nouns) = Nouns::parse(task) else { return Ok(None) };
        let names: Vec<&str> = nouns.spellings().collect();
        let mut families = families(queries.family_members(&names)?);
        families.retain(|family| {
            let name = family.path.rsplit("::").next().unwrap_or_default();
            let is_meant = family.kind != NodeKind::Struct || nouns.may_be_fields_of(name);
            is_meant && family.members.len() >= FEW
        });
        let rank = |family: &Family| {
            let name = family.path.rsplit("::").next().unwrap_or_default();
            let kind = match family.kind {
                NodeKind::Trait => 0,
                NodeKind::Enum => 1,
                _ => 2,
            };
            (nouns.rank(name), kind, usize::MAX - family.members.len(), family.id)
        };
        let Some(family) = families.into_iter().min_by_key(rank) else { return Ok(None) };
        Ok(Some(self.follow(queries, &nouns, family)?))
    }

    fn follow(
        &self,
        queries: &Queries<'_>,
        nouns: &Nouns,
        family: Family,
    ) -> Result<Analogy, EngineError> {
        let ids: Vec<NodeId> = family.members.iter().map(|member| member.id).collect();
        let users = users(queries, &ids)?;
        let parts: BTreeSet<NodeId> =
            family.members.iter().flat_map(|member| member.parts.iter().copied()).collect();
        let registries = registries(queries, &family, &parts, &users)?;
        let listed: BTreeSet<NodeId> = registries.iter().map(|item| item.id).collect();

        // A word that few members have says more.
        let mut common: BTreeMap<String, f64> = BTreeMap::new();
        for member in &family.members {
            for word in nouns.shared_with(&member.name) {
                *common.entry(word).or_default() += 1.0;
            }
        }
        let shared = |member: &Member| -> f64 {
            let words = nouns.shared_with(&member.name).into_iter();
            words.map(|word| 1.0 / common.get(&word).copied().unwrap_or(1.0)).sum()
        };
        let mut order: Vec<(f64, usize, &Member)> = Vec::new();
        for member in &family.members {
            order.push((shared(member), users.get(&member.id).map_or(0, BTreeSet::len), member));
        }
        order.sort_by(|(a, less, one), (b, more, other)| {
            b.total_cmp(a).then(more.cmp(less)).then(one.name.cmp(&other.name))
        });
        let mut best: Option<(f64, usize, Followed)> = None;
        for (shared, _, member) in order.into_iter().take(TRIED) {
            // Only one with as many words of the task, and more beside it, is better.
            if best.as_ref().is_some_and(|(most, had, _)| shared < *most || *had == 2) {
                break;
            }
            let followed = self.member(queries, &family, member, &parts, &listed)?;
            let whole =
                usize::from(!followed.tests.is_empty()) + usize::from(!followed.readers.is_empty());
            if best.as_ref().is_none_or(|(most, had, _)| (shared, whole) > (*most, *had)) {
                best = Some((shared, whole, followed));
            }
        }
        let role = |role: ExampleRole| move |item: Described| (role, Item::from(item));
        let mut found: Vec<(ExampleRole, Item)> =
            registries.into_iter().map(role(ExampleRole::Registry)).collect();
        if let Some((_, _, Followed { own, tests, readers })) = best {
            found.extend(own.into_iter().map(role(ExampleRole::Member)));
            if family.kind == NodeKind::Trait {
                found.extend(
                    queries.describe(&[family.id])?.into_iter().map(role(ExampleRole::Kind)),
                );
            }
            found.extend(tests.into_iter().map(role(ExampleRole::Test)));
            found.extend(readers.into_iter().map(role(ExampleRole::Reader)));
        }
        let Family { kind, path, members, .. } = family;
        Ok(Analogy { family: kind, path, members: members.len(), parts: found })
    }

    /// A member with its test, and where its value is read. The value of a type that implements a
    /// trait is the field or variant elsewhere that the fewest other members use.
    fn member(
        &self,
        queries: &Queries<'_>,
        family: &Family,
        member: &Member,
        parts: &BTreeSet<NodeId>,
        listed: &BTreeSet<NodeId>,
    ) -> Result<Followed, EngineError> {
        let mut own: Vec<NodeId> = vec![member.id];
        own.extend(member.parts.iter().filter(|part| **part != member.id));
        let mut values = vec![member.id];
        if family.kind == NodeKind::Trait {
            let mut used = queries.used_values(&own)?;
            used.retain(|value| value.owner != Some(member.id));
            let ids: Vec<NodeId> = used.iter().map(|value| value.id).collect();
            let users = users(queries, &ids)?;
            let sources: Vec<NodeId> = users.values().flatten().copied().collect();
            let parents: BTreeMap<NodeId, Option<NodeId>> =
                queries.describe(&sources)?.into_iter().map(|d| (d.id, d.parent_id)).collect();
            let in_members = |value: &NodeId| {
                let of = users.get(value).into_iter().flatten();
                let parent = |id: &NodeId| parents.get(id).copied().flatten();
                of.filter_map(parent).filter(|id| parts.contains(id)).collect::<BTreeSet<_>>().len()
            };
            used.sort_by_key(|value| {
                let alike = share_words(&value.name, &member.name);
                (in_members(&value.id), usize::MAX - alike, value.id)
            });
            values.extend(used.first().map(|value| value.id));
        }
        let users = users(queries, &values)?;
        let mut sources: Vec<NodeId> = users.values().flatten().copied().collect();
        sources.truncate(MAX_USERS);
        let mut described = queries.describe(&sources)?;
        let is_own = |item: &Described| {
            let inside = |id: &NodeId| parts.contains(id);
            inside(&item.id) || item.parent_id.as_ref().is_some_and(inside)
        };
        described
            .retain(|item| !is_own(item) && item.id != family.id && !listed.contains(&item.id));
        let (mut tests, mut readers): (Vec<Described>, Vec<Described>) =
            described.into_iter().filter(|item| is_code(item.kind)).partition(|item| item.in_test);
        // A test is of the member whose name it has.
        let alike = |item: &Described| usize::MAX - share_words(&item.name, &member.name);
        tests.sort_by_key(|item| (alike(item), item.id));
        if tests.first().is_none_or(|test| share_words(&test.name, &member.name) == 0) {
            tests = self.tests_named(queries, member)?.into_iter().chain(tests).collect();
        }
        tests.truncate(EACH);
        readers.sort_by_key(|item| (alike(item), item.id));
        readers.truncate(EACH);
        let mut own = queries.describe(&own)?;
        own.sort_by_key(|item| (item.file_path.clone(), item.start_byte));
        Ok(Followed { own, tests, readers })
    }

    /// Tests whose names have all words of a member's name: one that is asked for by text is used by
    /// no name.
    fn tests_named(
        &self,
        queries: &Queries<'_>,
        member: &Member,
    ) -> Result<Vec<Described>, EngineError> {
        let words = words_in(&member.name);
        let request = asof_wire::SearchRequest {
            query: format!("test {}", words.join(" ")),
            kinds: vec![NodeKind::Function, NodeKind::Method],
            limit: Some(TESTS),
            ..asof_wire::SearchRequest::default()
        };
        let found = self.each_result(&request)?;
        let named = found.results.iter().filter(|hit| {
            hit.in_test && share_words(&hit.function_name, &member.name) == words.len()
        });
        Ok(queries.describe(&named.map(|hit| hit.id).collect::<Vec<_>>())?)
    }
}

/// Results of a search for tests.
const TESTS: usize = 40;

/// A member with its code.
struct Followed {
    own: Vec<Described>,
    tests: Vec<Described>,
    readers: Vec<Described>,
}

fn families(rows: Vec<FamilyMember>) -> Vec<Family> {
    let mut found: BTreeMap<NodeId, Family> = BTreeMap::new();
    for row in rows {
        let (id, kind) = (row.family, row.family_kind);
        let family = found.entry(id).or_insert_with(|| Family {
            id,
            kind,
            path: row.family_path,
            members: Vec::new(),
        });
        match family.members.iter_mut().find(|member| member.id == row.id) {
            Some(member) => member.parts.push(row.part),
            None => {
                family.members.push(Member { id: row.id, name: row.name, parts: vec![row.part] });
            }
        }
    }
    found.into_values().collect()
}

fn users(queries: &Queries<'_>, ids: &[NodeId]) -> Result<Users, EngineError> {
    let mut users = Users::new();
    for row in queries.users_of(ids)? {
        users.entry(row.target).or_default().insert(row.source);
    }
    Ok(users)
}

/// Where members are listed: the enum or struct itself, and what uses at least a third of the members
/// outside of test code and of the members themselves, those with the most first.
fn registries(
    queries: &Queries<'_>,
    family: &Family,
    parts: &BTreeSet<NodeId>,
    users: &Users,
) -> Result<Vec<Described>, EngineError> {
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for source in users.values().flatten() {
        *counts.entry(*source).or_default() += 1;
    }
    let least = FEW.max(family.members.len().div_ceil(3));
    counts.retain(|_, count| *count >= least);
    let mut ids: Vec<NodeId> = counts.keys().copied().collect();
    if family.kind != NodeKind::Trait {
        ids.push(family.id);
    }
    let mut found = queries.describe(&ids)?;
    found.retain(|item| {
        let is_part = item.parent_id.is_some_and(|parent| parts.contains(&parent));
        item.id == family.id || !item.in_test && !is_part && item.kind != NodeKind::Import
    });
    found.sort_by_key(|item| {
        let count = counts.get(&item.id).copied().unwrap_or_default();
        (item.id != family.id, usize::MAX - count, item.id)
    });
    found.truncate(EACH);
    Ok(found)
}

/// Whether an item runs, or holds a value.
fn is_code(kind: NodeKind) -> bool {
    kind.has_body() || kind == NodeKind::MacroCall
}
