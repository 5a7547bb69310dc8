//! What was found against what is true.

use std::collections::{BTreeMap, BTreeSet};

use asof::Database;
use asof_item_tracking::Class;
use asof_model::{Micros, ShapeHash};
use asof_query::Queries;
use asof_wire::DiffItem;

use crate::baselines::Git;
use crate::code::{Files, Key, edited, find, items, replace_word, text_of};
use crate::operations::{Op, Truth};

/// Both sides of a commit.
pub struct Sides<'a> {
    pub old: &'a Files,
    pub new: &'a Files,
    old_keys: BTreeSet<Key>,
    new_keys: BTreeSet<Key>,
    old_paths: BTreeMap<String, Key>,
    new_paths: BTreeMap<String, Key>,
}

/// Canonical paths of items at a time.
pub fn paths(database: &Database, at: Micros) -> BTreeMap<Key, String> {
    let definitions = Queries::at(database.store(), at).definitions().unwrap();
    let key = |d: &asof_query::Definition| Key {
        file: d.file_path.clone(),
        kind: d.kind.as_str(),
        name: d.canonical_path.rsplit("::").next().unwrap_or_default().to_owned(),
    };
    definitions.into_iter().map(|d| (key(&d), d.canonical_path)).collect()
}

impl<'a> Sides<'a> {
    pub fn new(
        old: &'a Files,
        new: &'a Files,
        database: &Database,
        then: Micros,
        now: Micros,
    ) -> Self {
        let keys = |files: &Files| {
            files
                .iter()
                .flat_map(|(p, t)| items(p, t))
                .map(|(key, _)| key)
                .collect::<BTreeSet<Key>>()
        };
        let by_path =
            |at: Micros| paths(database, at).into_iter().map(|(key, path)| (path, key)).collect();
        Self {
            old_keys: keys(old),
            new_keys: keys(new),
            old_paths: by_path(then),
            new_paths: by_path(now),
            old,
            new,
        }
    }

    /// Whether the items of a claim can be told apart on both sides.
    fn have(&self, truth: &Truth) -> bool {
        truth.old.as_ref().is_none_or(|key| self.old_keys.contains(key))
            && truth.new.as_ref().is_none_or(|key| self.new_keys.contains(key))
    }

    /// Prints both texts of a pair.
    fn show(&self, old: &Key, new: &Key) {
        for (files, key) in [(self.old, old), (self.new, new)] {
            let text = find(files, key).map(|item| text_of(files, &key.file, &item));
            eprintln!("---- {}\n{}", key.file, text.unwrap_or_default());
        }
    }

    /// Share of the tokens of a pair that differ, the names aside.
    fn share(&self, old: &Key, new: &Key) -> Option<f64> {
        let (before, after) = (find(self.old, old)?, find(self.new, new)?);
        let before = text_of(self.old, &old.file, &before);
        let after = text_of(self.new, &new.file, &after);
        Some(edited(before, &replace_word(after, &new.name, &old.name)))
    }
}

/// Found, true, and both.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    right: usize,
    of: usize,
}

impl Count {
    fn add(&mut self, right: bool) {
        self.of += 1;
        self.right += usize::from(right);
    }

    fn percent(self) -> String {
        match self.of {
            0 => "     –          ".to_owned(),
            of => format!("{:6.2} % ({}/{of})", 100.0 * self.right as f64 / of as f64, self.right),
        }
    }
}

#[derive(Debug, Default)]
pub struct Score {
    recall: BTreeMap<Op, Count>,
    hashes: BTreeMap<Op, Count>,
    git: BTreeMap<Op, Count>,
    /// By the share of tokens that differ between the two.
    precision: BTreeMap<&'static str, Count>,
    hash_precision: Count,
    git_precision: Count,
    split_precision: Count,
    merge_precision: Count,
    /// Pairs that name an item of the class on either side.
    by_class: BTreeMap<Op, Count>,
    /// Pairs found of the true ones, by the share of tokens that differ.
    by_share: BTreeMap<&'static str, Count>,
    all_pairs: Count,
    /// Claims about items that are not told apart by their keys at the end of the commit.
    dropped: usize,
    chains: BTreeMap<usize, Count>,
    pub diff_ms: Vec<f64>,
    pub history_ms: Vec<f64>,
}

fn bucket(share: f64) -> &'static str {
    match share {
        s if s <= 0.0 => "unchanged",
        s if s <= 0.10 => "edited, to 10 %",
        s if s <= 0.20 => "edited, to 20 %",
        s if s <= 0.30 => "edited, to 30 %",
        s if s <= 0.40 => "edited, to 40 %",
        _ => "more than 40 %",
    }
}

const BUCKETS: [&str; 6] = [
    "unchanged", "edited, to 10 %", "edited, to 20 %", "edited, to 30 %", "edited, to 40 %",
    "more than 40 %",
];

fn is_pair(op: Op) -> bool {
    let new_or_gone = matches!(op, Op::Add | Op::AddOwn | Op::Delete | Op::Replace);
    !new_or_gone && !matches!(op, Op::Split | Op::Merge | Op::Signature | Op::Body)
}

impl Score {
    /// Scores the answer of a diff.
    pub fn judge(&mut self, sides: &Sides<'_>, truths: &[Truth], found: &[DiffItem]) {
        let verbose = std::env::var_os("ITEM_TRACKING_VERBOSE").is_some();
        let name = |path: &str| path.rsplit("::").next().unwrap_or_default().to_owned();
        let new_key = |item: &DiffItem| Key {
            file: item.file_path.clone(),
            kind: item.kind.as_str(),
            name: name(&item.path),
        };
        let old_key = |item: &DiffItem| Key {
            file: item.previous_file_path.clone().unwrap_or_else(|| item.file_path.clone()),
            kind: item.kind.as_str(),
            name: name(item.previous_path.as_ref().unwrap_or(&item.path)),
        };
        let pairs: BTreeSet<(Key, Key)> = found
            .iter()
            .filter(|item| item.previous_id.is_some())
            .map(|item| (old_key(item), new_key(item)))
            .filter(|(old, new)| sides.old_keys.contains(old) && sides.new_keys.contains(new))
            // An item that stayed where it was, in a container that moved or was renamed.
            .filter(|(old, new)| old != new)
            .collect();
        let mut splits = BTreeSet::new();
        let mut merges = BTreeSet::new();
        for item in found {
            let other = |paths: &BTreeMap<String, Key>| paths.get(item.other.as_deref()?).cloned();
            if item.classes.contains(&Class::SplitOff) {
                splits.insert((other(&sides.old_paths), Some(new_key(item))));
            } else if item.classes.contains(&Class::Removed)
                && item.classes.contains(&Class::MergedIn)
            {
                merges.insert((Some(new_key(item)), other(&sides.new_paths)));
            }
        }
        let mut truth = BTreeSet::new();
        let mut true_splits = BTreeSet::new();
        let mut true_merges = BTreeSet::new();
        for t in truths {
            if !sides.have(t) {
                self.dropped += 1;
                continue;
            }
            let ends = (t.old.clone(), t.new.clone());
            let right = match (t.op, &t.old, &t.new) {
                (Op::Split, ..) => {
                    true_splits.insert(ends.clone());
                    splits.contains(&ends)
                }
                (Op::Merge, ..) => {
                    true_merges.insert(ends.clone());
                    merges.contains(&ends)
                }
                (Op::Add | Op::AddOwn | Op::Replace, None, Some(new)) => {
                    !pairs.iter().any(|(_, n)| n == new)
                        && !splits.iter().any(|s| s.1.as_ref() == Some(new))
                }
                (Op::Delete | Op::Replace, Some(old), None) => {
                    !pairs.iter().any(|(o, _)| o == old)
                        && !merges.iter().any(|m| m.0.as_ref() == Some(old))
                }
                (Op::Signature | Op::Body, _, Some(new)) => {
                    let class = if t.op == Op::Body { Class::Body } else { Class::Signature };
                    found.iter().any(|item| new_key(item) == *new && item.classes.contains(&class))
                }
                (_, Some(old), Some(new)) if old == new => continue,
                (_, Some(old), Some(new)) => {
                    truth.insert((old.clone(), new.clone()));
                    let right = pairs.contains(&(old.clone(), new.clone()));
                    let share = bucket(sides.share(old, new).unwrap_or(1.0));
                    self.by_share.entry(share).or_default().add(right);
                    if verbose && !right {
                        eprintln!("{share}; {:?}", sides.share(old, new));
                    }
                    right
                }
                _ => continue,
            };
            if verbose && !right {
                eprintln!("missed {:?}: {:?} -> {:?}", t.op, t.old, t.new);
                if let (Some(old), Some(new)) = (&t.old, &t.new) {
                    sides.show(old, new);
                }
            }
            self.recall.entry(t.op).or_default().add(right);
        }
        for (old, new) in &pairs {
            let right = truth.contains(&(old.clone(), new.clone()));
            if verbose && !right {
                eprintln!("wrong pair: {old:?} -> {new:?}, {:?}", sides.share(old, new));
                sides.show(old, new);
            }
            let share = sides.share(old, new).unwrap_or(1.0);
            self.precision.entry(bucket(share)).or_default().add(right);
            self.all_pairs.add(right);
            let classes: BTreeSet<Op> = truths
                .iter()
                .filter(|t| t.old.as_ref() == Some(old) || t.new.as_ref() == Some(new))
                .map(|t| t.op)
                .collect();
            for class in classes {
                self.by_class.entry(class).or_default().add(right);
            }
        }
        for split in &splits {
            let right = true_splits.contains(split);
            if verbose && !right {
                eprintln!("wrong split: {split:?}");
            }
            self.split_precision.add(right);
        }
        for merge in &merges {
            let right = true_merges.contains(merge);
            if verbose && !right {
                eprintln!("wrong merge: {merge:?}");
            }
            self.merge_precision.add(right);
        }
    }

    /// Scores hashes alone and git on the same commit.
    pub fn baselines(
        &mut self,
        sides: &Sides<'_>,
        truths: &[Truth],
        git: &mut Git,
        database: &Database,
        then: Micros,
        now: Micros,
    ) {
        let changes = Queries::changes_between(database.store(), then, now).unwrap();
        let shapes = |at: Micros, ids: &dyn Fn(&asof_query::Changes) -> Vec<asof_model::NodeId>| {
            let ids: Vec<_> = changes.iter().flat_map(ids).collect();
            let mut found: BTreeMap<(&'static str, ShapeHash), Vec<Key>> = BTreeMap::new();
            for state in Queries::at(database.store(), at).states(&ids).unwrap() {
                let kind = state.kind.as_str();
                let key = Key { file: state.file_path, kind, name: state.name };
                found.entry((kind, state.shape_hash)).or_default().push(key);
            }
            found
        };
        let removed = shapes(then, &|c| c.removed.clone());
        let added = shapes(now, &|c| c.added.clone());
        let mut pairs = BTreeSet::new();
        for (shape, old) in &removed {
            if let ([old], Some([new])) = (old.as_slice(), added.get(shape).map(Vec::as_slice)) {
                pairs.insert((old.clone(), new.clone()));
            }
        }
        let wanted = truths.iter().filter(|t| is_pair(t.op) && sides.have(t));
        let mut truth = BTreeSet::new();
        for t in wanted {
            let (Some(old), Some(new)) = (&t.old, &t.new) else { continue };
            if old == new {
                continue;
            }
            truth.insert((old.clone(), new.clone()));
            self.hashes.entry(t.op).or_default().add(pairs.contains(&(old.clone(), new.clone())));
            let lines = |files: &Files, key: &Key| {
                find(files, key).map(|i| [i.span.start_line, i.span.end_line])
            };
            let (Some(was), Some(is)) = (lines(sides.old, old), lines(sides.new, new)) else {
                continue;
            };
            let told = git.line_log(&new.file, is);
            let by_lines = told.as_ref().is_some_and(|(file, [from, to])| {
                *file == old.file && (*to == 0 || *from <= was[1] && was[0] <= *to)
            });
            let by_file = old.file != new.file && git.follow(&new.file).as_ref() == Some(&old.file);
            self.git.entry(t.op).or_default().add(by_lines || by_file);
            if by_lines || by_file || told.is_some() {
                self.git_precision.add(by_lines || by_file);
            }
        }
        for t in truths.iter().filter(|t| t.old.is_none()) {
            let Some(new) = &t.new else { continue };
            let Some(item) = find(sides.new, new) else { continue };
            if git.line_log(&new.file, [item.span.start_line, item.span.end_line]).is_some() {
                self.git_precision.add(false);
            }
        }
        let worked = |key: &Key, keys: &BTreeSet<Key>| keys.contains(key);
        for (old, new) in pairs {
            if old != new && worked(&old, &sides.old_keys) && worked(&new, &sides.new_keys) {
                self.hash_precision.add(truth.contains(&(old, new)));
            }
        }
    }

    /// Counts a whole history of this many steps.
    pub fn chain(&mut self, steps: usize, right: bool) {
        self.chains.entry(steps).or_default().add(right);
    }

    pub fn print(&mut self) {
        println!(
            "{:<18} {:<22} {:<22} {:<22} git log -L, --follow",
            "class", "precision", "recall", "recall, hashes alone"
        );
        for (op, count) in &self.recall {
            let other =
                |of: &BTreeMap<Op, Count>| of.get(op).copied().unwrap_or_default().percent();
            println!(
                "{:<18} {:<22} {:<22} {:<22} {}",
                format!("{op:?}"),
                if is_pair(*op) { other(&self.by_class) } else { Count::default().percent() },
                count.percent(),
                other(&self.hashes),
                other(&self.git)
            );
        }
        println!("\npairs, by the share of tokens that differ between the two");
        for name in BUCKETS {
            let of = |of: &BTreeMap<&str, Count>| of.get(name).copied().unwrap_or_default();
            let (precision, recall) = (of(&self.precision), of(&self.by_share));
            println!("{name:<18} {:<22} {}", precision.percent(), recall.percent());
        }
        println!("{:<18} {}", "all pairs", self.all_pairs.percent());
        println!("{:<18} {}", "git log", self.git_precision.percent());
        println!("{:<18} {}", "hashes alone", self.hash_precision.percent());
        println!("{:<18} {}", "split off", self.split_precision.percent());
        println!("{:<18} {}", "merged in", self.merge_precision.percent());
        println!("{:<18} {}", "claims left out", self.dropped);
        println!("\nwhole histories, by the number of moves and renames");
        for (steps, count) in &self.chains {
            println!("{steps:<18} {}", count.percent());
        }
        for (name, times) in [("diff", &mut self.diff_ms), ("history", &mut self.history_ms)] {
            times.sort_by(f64::total_cmp);
            let at = |q: f64| {
                times.get(((times.len() as f64 - 1.0) * q) as usize).copied().unwrap_or_default()
            };
            println!(
                "\n{name} (ms): median {:.2}, p99 {:.2}, most {:.2}, of {}",
                at(0.5),
                at(0.99),
                at(1.0),
                times.len()
            );
        }
    }
}
