//! Interns the presence conditions of a workspace's items.

use serde::{Deserialize, Serialize};

use asof_model::{Condition, HashMap};

/// Number of the condition that always holds.
pub(super) const ALWAYS: u32 = 0;

/// Conditions by number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Condition>", into = "Vec<Condition>")]
pub struct Conditions {
    all: Vec<Condition>,
    numbers: HashMap<Condition, u32>,
    /// By predicate as written.
    read: HashMap<String, u32>,
    joined: HashMap<(u32, u32), u32>,
}

impl From<Vec<Condition>> for Conditions {
    /// With all numbers as they were; what else is known is found again.
    fn from(all: Vec<Condition>) -> Self {
        let numbers = all.iter().cloned().zip(0..).collect();
        Conditions { all, numbers, ..Conditions::default() }
    }
}

impl From<Conditions> for Vec<Condition> {
    fn from(conditions: Conditions) -> Self {
        conditions.all
    }
}

impl Default for Conditions {
    fn default() -> Self {
        let always = Condition::default();
        Conditions {
            all: vec![always.clone()],
            numbers: HashMap::from_iter([(always, ALWAYS)]),
            read: HashMap::from_iter([(String::new(), ALWAYS)]),
            joined: HashMap::default(),
        }
    }
}

impl Conditions {
    /// The condition of a number.
    pub fn get(&self, number: u32) -> &Condition {
        static ALWAYS: std::sync::LazyLock<Condition> = std::sync::LazyLock::new(Default::default);
        self.all.get(number as usize).unwrap_or(&ALWAYS)
    }

    /// All of them, by number.
    pub fn all(&self) -> &[Condition] {
        &self.all
    }

    /// What is in something with a condition and has a predicate of its own.
    pub(super) fn under(&mut self, above: u32, cfg: &str) -> u32 {
        let own = match self.read.get(cfg) {
            Some(own) => *own,
            None => {
                let own = self.number(Condition::parse(cfg));
                self.read.insert(cfg.to_owned(), own);
                own
            }
        };
        self.and(above, own)
    }

    pub(super) fn and(&mut self, a: u32, b: u32) -> u32 {
        if b == ALWAYS || a == b {
            return a;
        }
        if a == ALWAYS {
            return b;
        }
        if let Some(known) = self.joined.get(&(a, b)) {
            return *known;
        }
        let joined = self.get(a).and(self.get(b));
        let joined = self.number(joined);
        self.joined.insert((a, b), joined);
        joined
    }

    pub(super) fn or(&mut self, a: u32, b: u32) -> u32 {
        let either = self.get(a).or(self.get(b));
        self.number(either)
    }

    pub(super) fn number(&mut self, condition: Condition) -> u32 {
        if let Some(known) = self.numbers.get(&condition) {
            return *known;
        }
        let number = self.all.len() as u32;
        self.all.push(condition.clone());
        self.numbers.insert(condition, number);
        number
    }
}
