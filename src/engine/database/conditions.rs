//! Compares the conditions of uses and items with the configuration of a question.

use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use super::snapshot::Snapshot;
use crate::error::EngineError;
use asof_model::{
    CompiledIn, Condition, Configuration, Features, Flag, NodeId, Predicate, UnifiedFeatures,
    UnknownFeature, UnknownTarget, WantedFeatures,
};
use asof_query::{ItemCondition, Queries};
use asof_wire::{ConfigurationRequest, Item};

/// A use as far as its condition depends on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge<'a> {
    pub source: NodeId,
    pub target: NodeId,
    /// What has to hold beside the conditions of the two.
    pub condition: Option<&'a str>,
}

/// A definition with its condition.
struct Conditional {
    condition: Condition,
    root: NodeId,
    manifest_path: String,
    in_test: bool,
}

/// What is known of the ends of some uses.
struct Ends<'s> {
    configuration: &'s Configuration,
    items: HashMap<NodeId, Conditional>,
}

impl Snapshot<'_> {
    /// The same moment, for questions about another configuration.
    ///
    /// # Errors
    /// A flag that is none, or a feature or a target that is not known.
    pub fn under(mut self, request: ConfigurationRequest) -> Result<Self, EngineError> {
        // The default one cannot be wrong, and most questions need none.
        if request != self.request {
            self.request = request;
            self.configuration = OnceLock::new();
            self.configuration()?;
        }
        Ok(self)
    }

    /// The configuration of the questions, found once.
    fn configuration(&self) -> Result<&Configuration, EngineError> {
        if let Some(known) = self.configuration.get() {
            return Ok(known);
        }
        let found = self.find_configuration()?;
        Ok(self.configuration.get_or_init(|| found))
    }

    fn find_configuration(&self) -> Result<Configuration, EngineError> {
        let request = &self.request;
        let rows = Queries::at(self.store(), self.at).packages_features()?;
        let mut packages: Vec<(String, String, Features)> = Vec::new();
        let mut built = BTreeSet::new();
        for row in rows {
            if row.has_build_script {
                built.insert(row.manifest_path.clone());
            }
            let features = serde_json::from_value(row.features).map_err(|error| {
                EngineError::State { what: "features of a package", reason: error.to_string() }
            })?;
            packages.push((row.manifest_path, row.name, features));
        }
        let wanted = WantedFeatures {
            named: words(&request.features),
            all: request.all_features,
            no_default: request.no_default_features,
        };
        let given = packages.iter().map(|(path, name, f)| (path.as_str(), name.as_str(), f));
        let features = UnifiedFeatures::unify(given, &wanted).map_err(unknown_feature)?;
        let set = request.cfg.iter().map(|flag| read_flag(flag)).collect::<Result<_, _>>()?;
        Configuration::new(request.target.as_deref(), set, features, built).map_err(unknown_target)
    }

    /// The definitions that the configuration has, if one was chosen and it has any of them: each of
    /// several under one path exists under other conditions.
    pub(crate) fn of_configuration(&self, items: Vec<Item>) -> Result<Vec<Item>, EngineError> {
        if items.len() < 2 || !self.has_configuration() {
            return Ok(items);
        }
        let ids: Vec<NodeId> = items.iter().map(|item| item.id).collect();
        let others = self.other_items(&ids)?;
        if others.iter().all(Option::is_some) {
            return Ok(items);
        }
        let here = items.into_iter().zip(others).filter(|(_, other)| other.is_none());
        Ok(here.map(|(item, _)| item).collect())
    }

    /// Several definitions with their presence conditions, which tell them apart.
    pub(crate) fn with_conditions(&self, mut items: Vec<Item>) -> Result<Vec<Item>, EngineError> {
        if items.len() < 2 {
            return Ok(items);
        }
        let ids: Vec<NodeId> = items.iter().map(|item| item.id).collect();
        let rows = Queries::at(self.store(), self.at).conditions_of_items(&ids, &[])?;
        let mut conditions: HashMap<NodeId, String> =
            rows.into_iter().map(|row| (row.id, row.condition)).collect();
        for item in &mut items {
            item.condition = conditions.remove(&item.id);
        }
        Ok(items)
    }

    /// For each item, its condition if the configuration does not have it.
    pub(crate) fn other_items(&self, ids: &[NodeId]) -> Result<Vec<Option<String>>, EngineError> {
        let itself = |id: &NodeId| Edge { source: *id, target: *id, condition: None };
        self.other_conditions(ids.iter().map(itself))
    }

    /// Whether a configuration was chosen.
    pub(crate) fn has_configuration(&self) -> bool {
        self.request != ConfigurationRequest::default()
    }

    /// What is known of the ends of uses; none if all hold anyway.
    fn ends<'e>(
        &self,
        edges: impl Iterator<Item = Edge<'e>> + Clone,
    ) -> Result<Option<Ends<'_>>, EngineError> {
        if self.request.any_cfg {
            return Ok(None);
        }
        let queries = Queries::at(self.store(), self.at);
        let ids: BTreeSet<NodeId> =
            edges.clone().flat_map(|edge| [edge.source, edge.target]).collect();
        let ids: Vec<NodeId> = ids.into_iter().collect();
        let rows = queries.conditions_of_items(&ids, &[])?;
        let mut items: HashMap<NodeId, Conditional> = rows.into_iter().map(item).collect();
        let conditional: BTreeSet<NodeId> = edges
            .filter(|edge| edge.condition.is_some() || items.contains_key(&edge.target))
            .map(|edge| edge.source)
            .collect();
        if conditional.is_empty() && items.is_empty() {
            return Ok(None);
        }
        // A source without a condition says what its target is compiled for.
        let plain: Vec<NodeId> =
            conditional.into_iter().filter(|id| !items.contains_key(id)).collect();
        let rows = queries.conditions_of_items(&[], &plain)?;
        items.extend(rows.into_iter().map(item));
        Ok(Some(Ends { configuration: self.configuration()?, items }))
    }

    /// For each use, the condition under which it holds if the configuration does not have it.
    pub(crate) fn other_conditions<'e>(
        &self,
        edges: impl Iterator<Item = Edge<'e>> + Clone,
    ) -> Result<Vec<Option<String>>, EngineError> {
        Ok(match self.ends(edges.clone())? {
            Some(ends) => edges.map(|edge| ends.other_condition(edge)).collect(),
            None => edges.map(|_| None).collect(),
        })
    }
}

impl Ends<'_> {
    /// The condition under which a use holds; none if the configuration has it, or may have it.
    fn other_condition(&self, edge: Edge<'_>) -> Option<String> {
        let (source, target) = (self.items.get(&edge.source), self.items.get(&edge.target));
        let own = edge.condition.map(Condition::parse).unwrap_or_default();
        let of_source = match source {
            Some(source) => source.condition.and(&own),
            None => own,
        };
        let manifest_path = source.or(target).map_or("", |item| item.manifest_path.as_str());
        let fails = |condition: &Condition, of: CompiledIn<'_>| {
            condition.holds(&|flag| self.configuration.is_set(flag, of)) == Some(false)
        };
        let in_source = |test| fails(&of_source, CompiledIn { manifest_path, test });
        // Code that is compiled for tests alone is test code, whatever it is called.
        let for_tests = in_source(false) && !in_source(true);
        let test = for_tests || source.is_some_and(|source| source.in_test);
        let source_fails = in_source(test);
        let target_fails = target.is_some_and(|target| {
            let same = source.is_some_and(|source| source.root == target.root);
            let of = CompiledIn { manifest_path: &target.manifest_path, test: test && same };
            fails(&target.condition, of)
        });
        if !source_fails && !target_fails {
            return None;
        }
        let Some(target) = target else { return Some(of_source.to_string()) };
        // Features are those of a package: two of one name in two packages are different flags.
        Some(if target.manifest_path == manifest_path {
            of_source.and(&target.condition).to_string()
        } else if !source_fails {
            target.condition.to_string()
        } else if !target_fails {
            of_source.to_string()
        } else {
            format!("{of_source}; {}", target.condition)
        })
    }
}

/// The condition under which one of several holds; none of none.
pub(crate) fn either<'c>(conditions: impl Iterator<Item = &'c String>) -> Option<String> {
    let all: BTreeSet<&String> = conditions.collect();
    match all.len() {
        0 | 1 => all.into_iter().next().cloned(),
        // Those of two packages are not one predicate.
        _ if all.iter().any(|one| one.contains("; ")) => all.into_iter().next().cloned(),
        _ => {
            let any = all.into_iter().map(|one| Condition::parse(one)).reduce(|a, b| a.or(&b));
            any.map(|any| any.to_string())
        }
    }
}

fn item(row: ItemCondition) -> (NodeId, Conditional) {
    let condition = Condition::parse(&row.condition);
    let ItemCondition { root_id: root, manifest_path, in_test, .. } = row;
    (row.id, Conditional { condition, root, manifest_path, in_test })
}

/// Features as Cargo takes them: with spaces between them as well.
fn words(given: &[String]) -> Vec<String> {
    given.iter().flat_map(|some| some.split_whitespace()).map(str::to_owned).collect()
}

/// A flag as a request gives it.
fn read_flag(text: &str) -> Result<Flag, EngineError> {
    match Predicate::parse(text) {
        Some(Predicate::Is(flag)) => Ok(flag),
        _ => Err(EngineError::BadRequest {
            what: format!("`{text}` is not a flag"),
            hint: "a flag is a name, or a key with a value: loom, backend=\"mock\"".into(),
        }),
    }
}

fn unknown_feature(error: UnknownFeature) -> EngineError {
    let hint = match &error.similar {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => "`[features]` of the manifests has the names".to_owned(),
    };
    EngineError::BadRequest { what: error.to_string(), hint: hint.into() }
}

fn unknown_target(error: UnknownTarget) -> EngineError {
    let similar = error.similar.join(", ");
    EngineError::BadRequest {
        what: error.to_string(),
        hint: format!("targets with a similar name: {similar}").into(),
    }
}
