//! One edit of one function body, planned and applied: medians by phase. See benches/README.md.
//!
//! `cargo bench --bench edit -- PATH [--runs N]`; our own repository without a path.
#![allow(clippy::indexing_slicing)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use asof::{Database, EditOptions, ExportKind, Refresh, When};
use asof_edit::{CanonicalEdit, Edit, EditRequest, Part};
use asof_index::{Options, Silent};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let runs = match args.iter().position(|a| a == "--runs") {
        Some(at) => args.get(at + 1).ok_or("--runs N")?.parse()?,
        None => 50,
    };
    let root = args.first().filter(|a| !a.starts_with("--")).map_or(".", String::as_str);
    let copy = tempfile::tempdir()?;
    let walk = asof_workspace::walk(Path::new(root))?;
    for file in walk.files.iter().chain(&walk.manifests) {
        let target = copy.path().join(&file.path);
        fs::create_dir_all(target.parent().ok_or("no parent")?)?;
        fs::copy(Path::new(root).join(&file.path), target)?;
    }
    let database = Database::create_or_open(copy.path())?;
    database.refresh(&Options::default(), &Silent)?;
    let mut files: Vec<_> = walk.files.iter().collect();
    files.sort_by_key(|f| std::cmp::Reverse(f.size));
    for (name, skip) in [("largest", 0), ("median", files.len() / 2)] {
        let paths = files.iter().skip(skip).map(|file| file.path.as_str());
        let mut found = None;
        for path in paths {
            if let Some(function) = function_of(&database, path)? {
                found = Some((path, function));
                break;
            }
        }
        let (path, canon) = found.ok_or("no function to edit")?;
        let lines = fs::read_to_string(copy.path().join(path))?.lines().count();
        println!("{name} file: {path}, {lines} lines, `{canon}`");
        measure(&database, &canon, runs)?;
    }
    Ok(())
}

/// A function with a path of its own in a file.
fn function_of(database: &Database, file: &str) -> Outcome<Option<String>> {
    let mut found = None;
    database.snapshot(&When::Now, Refresh::Skip)?.export(ExportKind::Defs, &mut |line| {
        let is = |name: &str, value: &str| line[name].as_str() == Some(value);
        if is("file", file) && (is("kind", "function") || is("kind", "method")) {
            found = found.take().or_else(|| line["path"].as_str().map(str::to_owned));
        }
        Ok(())
    })?;
    let Some(canon) = found else { return Ok(None) };
    let fits = database.try_edit(&body(&canon, 0), &EditOptions::default()).is_ok();
    Ok(fits.then_some(canon))
}

fn body(canon: &str, turn: usize) -> EditRequest {
    let edit = Edit::Canonical(CanonicalEdit {
        file_path: None,
        path: canon.to_owned(),
        kind: None,
        part: Part::Body,
        has: None,
        find: None,
        all: false,
        code: format!("let turn = {turn};\nunimplemented!(\"{{turn}}\")"),
        expected_tracking_hash: None,
    });
    EditRequest { edits: vec![edit] }
}

fn measure(database: &Database, canon: &str, runs: usize) -> Outcome<()> {
    let mut dry = Vec::new();
    let mut whole = Vec::new();
    let mut phases: Vec<(String, Vec<f64>)> = Vec::new();
    for turn in 1..=runs.max(1) {
        let request = body(canon, turn);
        let started = Instant::now();
        database.try_edit(&request, &EditOptions::default())?;
        dry.push(started.elapsed().as_secs_f64() * 1e3);
        let started = Instant::now();
        let summary = database.edit(&request, &EditOptions::default())?;
        whole.push(started.elapsed().as_secs_f64() * 1e3);
        for (name, took) in summary.phases {
            match phases.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.push(took),
                None => phases.push((name, vec![took])),
            }
        }
    }
    println!("  {:<20}{:>8.1} ms", "dry run", median(dry));
    println!("  {:<20}{:>8.1} ms", "plan and apply", median(whole));
    for (name, all) in phases {
        println!("    {name:<18}{:>8.1} ms", median(all));
    }
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or_default()
}
