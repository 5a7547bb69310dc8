//! Interns the presence conditions of a workspace's items.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use index_vec::{IndexSlice, IndexVec, index_vec};

use super::ids::ConditionId;
use asof_model::{Condition, HashMap};

/// Number of the condition that always holds.
pub(super) const ALWAYS: ConditionId = ConditionId::from_raw_unchecked(0);

/// Conditions by number. Those of one state are the first of the next: what has a condition keeps its
/// number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Condition>", into = "Vec<Condition>")]
pub struct Conditions(Arc<Known>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    all: IndexVec<ConditionId, Condition>,
    numbers: HashMap<Condition, ConditionId>,
    /// By predicate as written.
    read: HashMap<String, ConditionId>,
    joined: HashMap<(ConditionId, ConditionId), ConditionId>,
}

impl From<Vec<Condition>> for Conditions {
    /// With all numbers as they were; what else is known is found again.
    fn from(all: Vec<Condition>) -> Self {
        let all = IndexVec::from_vec(all);
        let numbers = all.iter_enumerated().map(|(number, one)| (one.clone(), number)).collect();
        Conditions(Arc::new(Known { all, numbers, ..Known::default() }))
    }
}

impl From<Conditions> for Vec<Condition> {
    fn from(conditions: Conditions) -> Self {
        conditions.0.all.raw.clone()
    }
}

impl Default for Known {
    fn default() -> Self {
        let always = Condition::default();
        Known {
            all: index_vec![always.clone()],
            numbers: HashMap::from_iter([(always, ALWAYS)]),
            read: HashMap::from_iter([(String::new(), ALWAYS)]),
            joined: HashMap::default(),
        }
    }
}

impl Conditions {
    /// The condition of a number.
    pub fn get(&self, number: ConditionId) -> &Condition {
        static ALWAYS: std::sync::LazyLock<Condition> = std::sync::LazyLock::new(Default::default);
        self.0.all.get(number).unwrap_or(&ALWAYS)
    }

    /// For writing. Other states keep what they have.
    fn known(&mut self) -> &mut Known {
        Arc::make_mut(&mut self.0)
    }

    /// All of them, by number.
    pub fn all(&self) -> &IndexSlice<ConditionId, [Condition]> {
        &self.0.all
    }

    /// What is in something with a condition and has a predicate of its own.
    pub(super) fn under(&mut self, above: ConditionId, cfg: &str) -> ConditionId {
        if cfg.is_empty() {
            return above;
        }
        let own = match self.0.read.get(cfg) {
            Some(own) => *own,
            None => {
                let own = self.number(Condition::parse(cfg));
                self.known().read.insert(cfg.to_owned(), own);
                own
            }
        };
        self.and(above, own)
    }

    pub(super) fn and(&mut self, a: ConditionId, b: ConditionId) -> ConditionId {
        if b == ALWAYS || a == b {
            return a;
        }
        if a == ALWAYS {
            return b;
        }
        if let Some(known) = self.0.joined.get(&(a, b)) {
            return *known;
        }
        let joined = self.get(a).and(self.get(b));
        let joined = self.number(joined);
        self.known().joined.insert((a, b), joined);
        joined
    }

    pub(super) fn or(&mut self, a: ConditionId, b: ConditionId) -> ConditionId {
        let either = self.get(a).or(self.get(b));
        self.number(either)
    }

    pub(super) fn number(&mut self, condition: Condition) -> ConditionId {
        if let Some(known) = self.0.numbers.get(&condition) {
            return *known;
        }
        let known = self.known();
        let number = known.all.push(condition.clone());
        known.numbers.insert(condition, number);
        number
    }
}
