//! One pair of versions: copies, rounds of edits, and what came of them.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::time::Instant;

use asof::{Database, EditOptions};
use asof_edit::{Edit, EditRequest};

use crate::Outcome;
use crate::derive::{Derive, Stage, Unit};
use crate::tree::Tree;

/// What came of one pair.
#[derive(Debug)]
pub struct Played {
    pub name: String,
    pub units: Vec<Unit>,
    /// Whether the items of each unit are as in the new version.
    pub reached: Vec<bool>,
    pub requests: usize,
    /// Bytes of all requests as they were sent.
    pub sent: usize,
    /// Why requests of many edits were refused, before their edits were tried alone.
    pub refused: Vec<String>,
    pub definitions: usize,
    pub missing: Vec<String>,
    pub extra: Vec<String>,
    pub files_changed: usize,
    pub files_identical: usize,
    /// Planning and applying, all requests.
    pub ms: f64,
}

pub fn play(from: &Path, to: &Path, with_find: bool) -> Outcome<Played> {
    let temp = tempfile::tempdir()?;
    let (a, b) = (temp.path().join("a"), temp.path().join("b"));
    copy(from, &a)?;
    copy(to, &b)?;
    let (old_db, new_db) = (Database::create_or_open(&a)?, Database::create_or_open(&b)?);
    let new = Tree::read(&new_db, &b)?;
    let first = Tree::read(&old_db, &a)?;
    let changed: BTreeSet<&str> = new
        .files
        .values()
        .filter(|f| first.files.get(&f.path).is_none_or(|old| old.text != f.text))
        .map(|f| f.path.as_str())
        .collect();
    let name = |path: &Path| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let mut played = Played {
        name: format!("{} → {}", name(from).unwrap_or_default(), version(to)),
        units: Vec::new(),
        reached: Vec::new(),
        requests: 0,
        sent: 0,
        refused: Vec::new(),
        definitions: new.definitions.len(),
        missing: Vec::new(),
        extra: Vec::new(),
        files_changed: changed.len(),
        files_identical: 0,
        ms: 0.0,
    };
    for stage in [Stage::Files, Stage::Files, Stage::Files, Stage::Items] {
        let old = Tree::read(&old_db, &a)?;
        let mut units = Derive { old: &old, new: &new, stage, with_find, units: Vec::new() }.run();
        // What failed in one round is not counted again in the next.
        let known = |unit: &Unit| {
            let same = |other: &Unit| other.class == unit.class && other.leaves == unit.leaves;
            played
                .units
                .iter()
                .any(|other| other.failed.is_some() && other.file == unit.file && same(other))
        };
        units.retain(|unit| stage == Stage::Items || !known(unit));
        apply(&old_db, &mut units, &mut played)?;
        played.units.append(&mut units);
    }
    // Manifests are no Rust: they say which files are crates.
    for manifest in asof_workspace::walk(&b)?.manifests {
        fs::copy(b.join(&manifest.path), a.join(&manifest.path))?;
    }
    let end = Tree::read(&old_db, &a)?;
    let counts = |tree: &Tree| {
        let mut out: HashMap<(String, String), usize> = HashMap::new();
        for file in tree.files.values() {
            for at in (1..file.facts.items.len()).filter(|at| !file.item(*at).in_body) {
                let hash = file.item(at).tracking_hash.to_string();
                *out.entry((file.key(at), hash)).or_default() += 1;
            }
        }
        out
    };
    let (is, should) = (counts(&end), counts(&new));
    let count = |of: &HashMap<_, usize>, item: &(String, String)| of.get(item).copied();
    played.reached = played
        .units
        .iter()
        .map(|unit| {
            unit.becomes.iter().all(|item| count(&is, item) >= count(&should, item))
                && unit.leaves.iter().all(|item| count(&is, item) <= count(&should, item))
                && unit.failed.is_none()
        })
        .collect();
    played.missing = without(&new.definitions, &end.definitions);
    played.extra = without(&end.definitions, &new.definitions);
    let same =
        |path: &&&str| end.files.get(**path).map(|f| &f.text) == Some(&new.files[**path].text);
    played.files_identical = changed.iter().filter(same).count();
    Ok(played)
}

/// All edits as one request; those that are refused in it are tried file by file, then alone.
fn apply(database: &Database, units: &mut [Unit], played: &mut Played) -> Outcome<()> {
    let all: Vec<usize> = (0..units.len()).filter(|at| !units[*at].edits.is_empty()).collect();
    if all.is_empty() || send(database, units, &all, played) {
        return Ok(());
    }
    // Those that are refused alone too are left out.
    let mut good = Vec::new();
    for at in all {
        let request = EditRequest { edits: units[at].edits.clone() };
        match database.try_edit(&request, &EditOptions::default()) {
            Ok(_) => good.push(at),
            Err(error) => units[at].failed = Some(format!("{error} — {:?}", error.hint())),
        }
    }
    let all = good;
    if all.is_empty() || send(database, units, &all, played) {
        return Ok(());
    }
    let files: BTreeSet<String> = units.iter().map(|unit| unit.file.clone()).collect();
    for file in files {
        let mine: Vec<usize> = all.iter().filter(|at| units[**at].file == file).copied().collect();
        if mine.is_empty() || send(database, units, &mine, played) {
            continue;
        }
        halves(database, units, &mine, played);
    }
    Ok(())
}

/// Smaller requests, until those that are refused are single edits.
fn halves(database: &Database, units: &mut [Unit], which: &[usize], played: &mut Played) {
    if which.len() < 2 {
        return;
    }
    // The lower half first: what stands above keeps its place.
    let (above, below) = which.split_at(which.len() / 2);
    for half in [below, above] {
        if !send(database, units, half, played) {
            halves(database, units, half, played);
        }
    }
}

fn send(database: &Database, units: &mut [Unit], which: &[usize], played: &mut Played) -> bool {
    let edits: Vec<Edit> = which.iter().flat_map(|at| units[*at].edits.clone()).collect();
    let request = EditRequest { edits };
    let sent = serde_json::to_string(&request).unwrap();
    // As an agent sends it: through the reader of requests.
    let request = EditRequest::parse(&sent).expect("what was written can be read");
    let started = Instant::now();
    let outcome = database.edit(&request, &EditOptions::default());
    match outcome {
        Ok(_) => {
            played.ms += started.elapsed().as_secs_f64() * 1e3;
            played.requests += 1;
            played.sent += sent.len();
            true
        }
        Err(error) => {
            let said = format!("{error} — {:?}", error.hint());
            match which {
                [one] => units[*one].failed = Some(said),
                _ => {
                    eprintln!("  refused together: {said}");
                    played.refused.push(said);
                }
            }
            false
        }
    }
}

/// The first without the second, as often as it is there.
fn without(of: &[String], other: &[String]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in other {
        *counts.entry(line).or_default() += 1;
    }
    let mut out = Vec::new();
    for line in of {
        match counts.get_mut(line.as_str()) {
            Some(count) if *count > 0 => *count -= 1,
            _ => out.push(line.clone()),
        }
    }
    out
}

fn version(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.rsplit_once('-').map_or(name.clone(), |(_, version)| version.to_owned())
}

fn copy(from: &Path, to: &Path) -> Outcome<()> {
    let walk = asof_workspace::walk(from)?;
    for file in walk.files.iter().chain(&walk.manifests) {
        let target = to.join(&file.path);
        fs::create_dir_all(target.parent().ok_or("no parent")?)?;
        fs::copy(from.join(&file.path), target)?;
    }
    Ok(())
}
