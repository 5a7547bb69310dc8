//! What came of the edits, by class.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What must never happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Fault {
    WrongSpan,
    Torn,
    FalseRefusal,
    NotFresh,
    Undo,
    Outside,
    Lookup,
}

const FAULTS: [(Fault, &str); 7] = [
    (Fault::WrongSpan, "wrong spans"),
    (Fault::Torn, "torn or lost writes"),
    (Fault::FalseRefusal, "false refusals"),
    (Fault::NotFresh, "NOW not as a fresh index"),
    (Fault::Undo, "undo not exact"),
    (Fault::Outside, "files outside touched"),
    (Fault::Lookup, "items not where syn has them"),
];

/// Failures that are kept word for word.
const KEPT: usize = 40;

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Table {
    pub sessions: u64,
    pub requests: u64,
    pub edits: u64,
    /// Result → edits.
    pub results: BTreeMap<String, u64>,
    /// Mode of the edit → applied edits.
    pub modes: BTreeMap<String, u64>,
    /// How the other process meddled → requests.
    pub company: BTreeMap<String, u64>,
    /// Changes by the other process.
    pub changes: BTreeMap<String, u64>,
    pub undone: BTreeMap<String, u64>,
    pub fresh: u64,
    pub faults: BTreeMap<Fault, u64>,
    pub told: Vec<String>,
}

pub fn count(map: &mut BTreeMap<String, u64>, name: &str, n: usize) {
    *map.entry(name.to_owned()).or_default() += n as u64;
}

impl Table {
    pub fn fault(&mut self, fault: Fault, what: String) {
        *self.faults.entry(fault).or_default() += 1;
        if self.told.len() < KEPT {
            let mut what = format!("{fault:?}: {what}");
            what.truncate(what.char_indices().nth(3_000).map_or(what.len(), |(at, _)| at));
            self.told.push(what);
        }
    }

    pub fn add(&mut self, other: Self) {
        self.sessions += other.sessions;
        self.requests += other.requests;
        self.edits += other.edits;
        self.fresh += other.fresh;
        let maps = [
            (&mut self.results, other.results),
            (&mut self.modes, other.modes),
            (&mut self.company, other.company),
            (&mut self.changes, other.changes),
            (&mut self.undone, other.undone),
        ];
        for (map, more) in maps {
            more.into_iter().for_each(|(name, n)| *map.entry(name).or_default() += n);
        }
        for (fault, n) in other.faults {
            *self.faults.entry(fault).or_default() += n;
        }
        let room = KEPT.saturating_sub(self.told.len());
        self.told.extend(other.told.into_iter().take(room));
    }

    pub fn is_clean(&self) -> bool {
        self.faults.values().all(|n| *n == 0)
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { sessions, requests, edits, fresh, .. } = self;
        writeln!(f, "{edits} edits in {requests} requests, {sessions} sessions")?;
        let maps = [
            ("result (edits)", &self.results),
            ("applied and rebased by mode (edits)", &self.modes),
            ("the other process (requests)", &self.company),
            ("changes by the other process", &self.changes),
            ("undo (requests)", &self.undone),
        ];
        for (title, map) in maps {
            writeln!(f, "\n| {title} | |\n|---|---:|")?;
            for (name, n) in map {
                writeln!(f, "| {name} | {n} |")?;
            }
        }
        writeln!(f, "\n| checked | |\n|---|---:|\n| NOW against a fresh index | {fresh} |")?;
        for (fault, name) in FAULTS {
            writeln!(f, "| **{name}** | **{}** |", self.faults.get(&fault).unwrap_or(&0))?;
        }
        Ok(())
    }
}
