//! Measures how well items are followed across moves, renames, splits and merges.
//!
//! Real crates are copied, and known operations are done to their items over many commits. Each
//! commit goes into a git repository and into a database; then `asof diff` and `asof history`
//! are asked what happened, and so are `git log -L`, `git log --follow`, and hashes alone.
//!
//! ```sh
//! cargo run --release --example item_tracking -- --commits 30 --seed 1 PATH PATH …
//! ```
//!
//! `benches/README.md` says what each line of the output means.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod baselines;
mod code;
mod operations;
mod parts;
mod rng;
mod score;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use asof::{Database, Refresh, When};
use asof_index::{Options, Silent};
use asof_wire::{Detail, DiffRequest, HistoryRequest, ResolveRequest};

use baselines::Git;
use code::{Files, Key, Pool, items, text_of, tokens};
use operations::{ALL, Held, Op, Scene, Truth, is_free};
use rng::Rng;
use score::Score;

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut commits, mut operations, mut seed, mut paths) = (30, 8, 1, Vec::new());
    let mut sweep = false;
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok()).expect("a number");
        match arg.as_str() {
            "--commits" => commits = number(),
            "--operations" => operations = number(),
            "--seed" => seed = number() as u64,
            "--sweep" => sweep = true,
            _ => paths.push(PathBuf::from(arg)),
        }
    }
    if paths.is_empty() {
        paths.push(PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    }
    let scratch = tempfile::tempdir().unwrap();
    if sweep {
        sweep::run(&paths, seed, scratch.path());
        return;
    }
    let donors: Vec<Vec<String>> = paths
        .iter()
        .enumerate()
        .map(|(n, path)| donors(&code::copy(path, &scratch.path().join(format!("donor{n}")))))
        .collect();
    let mut score = Score::default();
    for (n, path) in paths.iter().enumerate() {
        // Functions to add come from the crate after this one.
        let donors = &donors[(n + 1) % donors.len()];
        let root = scratch.path().join(format!("crate{n}"));
        let run = Run::new(path, &root, donors, seed.wrapping_add(n as u64 * 7919));
        run.play(commits, operations, &mut score);
    }
    score.print();
}

/// Free functions of a middle size.
fn donors(files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        for (key, item) in items(path, text) {
            let text = text_of(files, path, &item);
            let size = tokens(text).len();
            if key.kind == "function" && item.parent == 0 && (15..300).contains(&size) {
                found.push(text.to_owned());
            }
        }
    }
    found
}

/// Takes items out of a crate, a twentieth of those that stand directly in their file: what is
/// added later is then as like to the rest as real code is.
fn hold_out(files: &mut Files, rng: &mut Rng) -> Vec<Held> {
    let whole: String = files.values().map(String::as_str).collect();
    let fits = |key: &Key, item: &asof_model::ItemFacts| {
        let part = [format!("impl {}", key.name), format!("for {}", key.name)];
        is_free(item) && key.kind != "trait" && !part.iter().any(|text| whole.contains(text))
    };
    let mut held = Vec::new();
    let paths: Vec<String> = files.keys().filter(|path| path.contains("src/")).cloned().collect();
    for path in paths {
        let mut found = items(&path, &files[&path]);
        found.retain(|(key, item)| fits(key, item) && rng.below(20) == 0);
        for (key, item) in found.into_iter().rev() {
            let text = text_of(files, &path, &item).to_owned();
            code::splice(files, &path, item.span.start_byte, item.span.end_byte, "");
            held.push(Held { key, text });
        }
    }
    held
}

struct Run<'a> {
    root: PathBuf,
    files: Files,
    donors: &'a [String],
    /// Of these, added before: two that are the same could not be told apart.
    added: BTreeSet<String>,
    held: Vec<Held>,
    pool: Pool,
    git: Git,
    rng: Rng,
    serial: usize,
    /// Where items of now were at the beginning, and how many steps they made.
    chains: BTreeMap<Key, (Key, usize)>,
}

impl<'a> Run<'a> {
    fn new(from: &Path, root: &Path, donors: &'a [String], seed: u64) -> Self {
        let mut files = code::copy(from, root);
        let pool = Pool::collect(&files);
        let mut rng = Rng::new(seed);
        let held = hold_out(&mut files, &mut rng);
        for held in &held {
            fs::write(root.join(&held.key.file), &files[&held.key.file]).unwrap();
        }
        let git = Git::init(root);
        Self {
            root: root.to_owned(),
            files,
            donors,
            added: BTreeSet::new(),
            held,
            pool,
            git,
            rng,
            serial: 0,
            chains: BTreeMap::new(),
        }
    }

    fn play(mut self, commits: usize, operations: usize, score: &mut Score) {
        let database = Database::create_or_open(&self.root).unwrap();
        database.refresh(&Options::default(), &Silent).unwrap();
        self.git.commit("Begin");
        for (path, text) in &self.files {
            for (key, _) in items(path, text) {
                self.chains.insert(key.clone(), (key, 0));
            }
        }
        for n in 0..commits {
            let before = database.snapshot(&When::Newest, Refresh::Skip).unwrap().at();
            let old = self.files.clone();
            let truths = self.step(operations);
            self.write(&old);
            self.git.commit(&format!("Step {n}"));
            database.refresh(&Options::default(), &Silent).unwrap();
            self.follow(&truths);
            let then = database.snapshot(&When::At(before), Refresh::Skip).unwrap();
            let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
            let started = Instant::now();
            let request = DiffRequest { detail: Detail::All, ..DiffRequest::default() };
            let diff = now.diff(&then, &request).unwrap();
            score.diff_ms.push(started.elapsed().as_secs_f64() * 1e3);
            let sides = score::Sides::new(&old, &self.files, &database, before, now.at());
            score.judge(&sides, &truths, &diff.answer.items);
            score.baselines(&sides, &truths, &mut self.git, &database, before, now.at());
        }
        drop(database);
        self.histories(score);
    }

    /// Operations of one commit. Renames come first: they reach into other items.
    fn step(&mut self, operations: usize) -> Vec<Truth> {
        let total: usize = ALL.iter().map(|(_, weight)| weight).sum();
        let mut chosen: Vec<Op> = Vec::new();
        for _ in 0..operations {
            let mut at = self.rng.below(total);
            for (op, weight) in ALL {
                if at < *weight {
                    chosen.push(*op);
                    break;
                }
                at -= weight;
            }
        }
        chosen.sort_by_key(|op| !matches!(op, Op::Rename | Op::RenameEdit20));
        let mut scene = Scene {
            files: &mut self.files,
            donors: self.donors,
            added: &mut self.added,
            held: &mut self.held,
            pool: &self.pool,
            used: BTreeSet::new(),
            serial: &mut self.serial,
        };
        let mut truths = Vec::new();
        for op in chosen {
            truths.extend(scene.apply(op, &mut self.rng).into_iter().flatten());
        }
        truths
    }

    fn write(&self, old: &Files) {
        for path in old.keys().filter(|path| !self.files.contains_key(*path)) {
            fs::remove_file(self.root.join(path)).unwrap();
        }
        for (path, text) in &self.files {
            if old.get(path) != Some(text) {
                fs::create_dir_all(self.root.join(path).parent().unwrap()).unwrap();
                fs::write(self.root.join(path), text).unwrap();
            }
        }
    }

    /// Brings the chains up to date with what is true of a commit.
    fn follow(&mut self, truths: &[Truth]) {
        let mut moved = Vec::new();
        for truth in truths {
            match (&truth.op, &truth.old, &truth.new) {
                (Op::Split | Op::Add | Op::AddOwn, _, Some(new))
                | (Op::Replace, None, Some(new)) => moved.push((new.clone(), None)),
                (Op::Merge | Op::Delete, Some(old), _) | (Op::Replace, Some(old), None) => {
                    self.chains.remove(old);
                }
                (_, Some(old), Some(new)) if old != new => {
                    moved.push((new.clone(), self.chains.remove(old)));
                }
                _ => {}
            }
        }
        for (new, chain) in moved {
            if let Some((first, steps)) = chain {
                self.chains.insert(new, (first, steps + 1));
            }
        }
    }

    /// Asks for the whole history of every item that moved, and of as many that did not.
    fn histories(&self, score: &mut Score) {
        let database = Database::open(&self.root).unwrap();
        let now = database.snapshot(&When::Newest, Refresh::Skip).unwrap();
        let paths = score::paths(&database, now.at());
        let known: BTreeSet<Key> =
            self.files.iter().flat_map(|(p, t)| items(p, t)).map(|(key, _)| key).collect();
        for (key, (first, steps)) in self.chains.iter().filter(|(key, _)| known.contains(*key)) {
            let Some(path) = paths.get(key) else { continue };
            let mut item = ResolveRequest::new(path);
            item.kind = key.kind.parse().ok();
            item.file_path = Some(key.file.clone());
            let request = HistoryRequest { item, ..HistoryRequest::default() };
            let started = Instant::now();
            let Ok(history) = now.history(&request) else { continue };
            score.history_ms.push(started.elapsed().as_secs_f64() * 1e3);
            let told = history.answer.items.iter().filter(|v| v.similarity.is_some()).count();
            let oldest = history.answer.items.last();
            let right = oldest.is_some_and(|v| {
                v.file_path == first.file && v.path.rsplit("::").next() == Some(&first.name)
            });
            // A step of the container is one of the item's too.
            score.chain(*steps, right && told >= *steps);
        }
    }
}
