//! Indexing against its limit: reading, parsing with syn and hashing the same files with the same
//! threads, and writing nothing. Ratios of one run. See benches/README.md.
//!
//! `cargo bench --bench index -- PATH [--runs N]`; our own repository without a path.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use asof::{Database, Refresh, When};
use asof_index::{Options, Silent};
use asof_wire::Phase;
use asof_wire::ResolveRequest;
use rayon::prelude::*;

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let runs = match args.iter().position(|a| a == "--runs") {
        Some(at) => args.get(at + 1).ok_or("--runs N")?.parse()?,
        None => 5,
    };
    let root = args.first().filter(|a| !a.starts_with("--")).map_or(".", String::as_str);
    let copy = tempfile::tempdir()?;
    let root = copy_sources(Path::new(root), copy.path())?;
    std::thread::sleep(Duration::from_millis(50));

    let limit = median(runs, || limit(&root))?;
    println!("{:<34}{:>10}", "limit (read, parse, hash)", ms(limit));
    let mut phases = Vec::new();
    let cold = median(runs, || {
        let _ = fs::remove_dir_all(root.join(".asof"));
        let begin = Instant::now();
        let database = Database::create_or_open(&root)?;
        let report = database.refresh(&Options::default(), &Silent)?;
        phases = report.phases;
        Ok(begin.elapsed())
    })?;
    println!("{:<34}{:>10}  {:.2} × limit (aim ≤ 4)", "cold index", ms(cold), ratio(cold, limit));
    for (phase, took) in &phases {
        println!("  {:<32}{:>7.1} ms", name(*phase), took);
    }
    let size = fs::metadata(Database::path_of(&root))?.len();
    println!("{:<34}{:>7.2} MB", "database", size as f64 / 1e6);

    let ready = copy.path().join("ready.db");
    fs::copy(Database::path_of(&root), &ready)?;
    let opened = median(runs * 4, || {
        let begin = Instant::now();
        let work = tempfile::tempdir()?;
        let path = Database::path_of(work.path());
        fs::create_dir_all(path.parent().ok_or("no parent")?)?;
        fs::copy(&ready, &path)?;
        Database::open(work.path())?;
        Ok(begin.elapsed())
    })?;
    let share = ratio(cold, opened);
    println!(
        "{:<34}{:>10}  1/{share:.0} of cold (aim ≥ 10)",
        "open a copy, as tests do",
        ms(opened)
    );

    let database = Database::open(&root)?;
    let idle = median(runs * 4, || timed(|| database.refresh(&Options::default(), &Silent)))?;
    println!("{:<34}{:>10}", "refresh, nothing changed", ms(idle));

    for (which, skip) in [("largest", 0.0), ("median", 0.5)] {
        let (file, mut body) = a_function(&root, skip)?;
        let mut turn = 0;
        let save = median(runs * 4, || {
            turn += 1;
            fs::write(&file, body(turn))?;
            timed(|| database.refresh(&Options::default(), &Silent))
        })?;
        let what = format!("save of a body, {which} file");
        println!("{what:<34}{:>10}  1/{:.0} of cold (aim ≥ 20)", ms(save), ratio(cold, save));
    }

    let paths = sample(&database)?;
    let snapshot = database.snapshot(&When::Now, Refresh::Skip)?;
    let mut at = 0;
    let resolve = median(paths.len().min(200), || {
        at += 1;
        let path = paths.get(at % paths.len()).ok_or("no path")?;
        timed(|| snapshot.resolve(&ResolveRequest::new(path)))
    })?;
    println!("{:<34}{:>10}", "resolve of a canonical path", ms(resolve));
    Ok(())
}

fn timed<T, E: Into<Box<dyn Error + Send + Sync>>>(
    work: impl FnOnce() -> Result<T, E>,
) -> Outcome<Duration> {
    let begin = Instant::now();
    work().map_err(Into::into)?;
    Ok(begin.elapsed())
}

fn median(runs: usize, mut work: impl FnMut() -> Outcome<Duration>) -> Outcome<Duration> {
    let mut times = Vec::new();
    for _ in 0..runs.max(1) {
        times.push(work()?);
    }
    times.sort();
    Ok(times.get(times.len() / 2).copied().unwrap_or_default())
}

fn ms(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Walk => "walk",
        Phase::Parse => "read, parse, hash",
        Phase::Resolve => "resolve",
        Phase::Diff => "compare",
        Phase::Write => "write",
        Phase::History => "history",
        Phase::Embed => "vectors",
        Phase::Copy => "copy",
        Phase::Verify => "verify",
    }
}

/// Rust files and manifests of a tree, copied.
fn copy_sources(from: &Path, to: &Path) -> Outcome<PathBuf> {
    let walk = asof_workspace::walk(from)?;
    for file in walk.files.iter().chain(&walk.manifests) {
        let target = to.join(&file.path);
        fs::create_dir_all(target.parent().ok_or("no parent")?)?;
        fs::copy(from.join(&file.path), target)?;
    }
    Ok(to.to_owned())
}

fn limit(root: &Path) -> Outcome<Duration> {
    let begin = Instant::now();
    let walk = asof_workspace::walk(root)?;
    let pool = rayon::ThreadPoolBuilder::new().stack_size(asof_syntax::STACK_BYTES).build()?;
    let hashes: Vec<Option<blake3::Hash>> = pool.install(|| {
        walk.files
            .par_iter()
            .map(|file| {
                let bytes = fs::read(root.join(&file.path)).ok()?;
                let text = std::str::from_utf8(&bytes).ok()?;
                let parsed = syn::parse_file(text);
                std::hint::black_box(&parsed);
                drop(parsed);
                proc_macro2::extra::invalidate_current_thread_spans();
                Some(blake3::hash(&bytes))
            })
            .collect()
    });
    std::hint::black_box(hashes);
    Ok(begin.elapsed())
}

type Body = Box<dyn FnMut(usize) -> String>;

/// A file that has a function body to edit, and how it looks at each turn: the largest after
/// that share of the files, by size.
fn a_function(root: &Path, skip: f64) -> Outcome<(PathBuf, Body)> {
    let walk = asof_workspace::walk(root)?;
    let mut files: Vec<_> = walk.files.iter().collect();
    files.sort_by_key(|f| std::cmp::Reverse(f.size));
    let skip = (files.len() as f64 * skip) as usize;
    for file in files.into_iter().skip(skip) {
        let path = root.join(&file.path);
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let is_function = |at: &usize| {
            let line = text.get(..*at).and_then(|above| above.lines().last()).unwrap_or_default();
            !line.trim_start().starts_with("//") && line.contains("fn ")
        };
        let mut heads = text.match_indices(") {\n").map(|(at, _)| at);
        let Some(head) = heads.find(is_function) else { continue };
        let (before, after) = text.split_at(head + 4);
        let (before, after) = (before.to_owned(), after.to_owned());
        if syn::parse_file(&format!("{before}    let _ = 1;\n{after}")).is_err() {
            continue;
        }
        return Ok((path, Box::new(move |n| format!("{before}    let _ = {n};\n{after}"))));
    }
    Err("no function to edit".into())
}

fn sample(database: &Database) -> Outcome<Vec<String>> {
    let snapshot = database.snapshot(&When::Now, Refresh::Skip)?;
    let mut paths = Vec::new();
    snapshot.export(asof::ExportKind::Defs, &mut |line| {
        paths.extend(line.get("path").and_then(|p| p.as_str()).map(str::to_owned));
        Ok(())
    })?;
    let step = (paths.len() / 200).max(1);
    Ok(paths.into_iter().step_by(step).collect())
}
