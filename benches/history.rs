//! What questions about the past cost, and what a past costs questions about NOW. Reads only.
//! See benches/README.md.
//!
//! `cargo bench --bench history -- PATH [--items N]`, where PATH is a workspace whose history was
//! imported (`asof index --history`).
#![allow(clippy::indexing_slicing)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use asof::{Database, ExportKind, Refresh, Snapshot, When};
use asof_index::{Options, Silent};
use asof_model::Micros;
use asof_query::Queries;
use asof_wire::{DiffRequest, HistoryRequest, Merges, ResolveRequest, UseRequest};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let most = match args.iter().position(|a| a == "--items") {
        Some(at) => args.get(at + 1).ok_or("--items N")?.parse()?,
        None => 500,
    };
    let root = Path::new(args.first().map_or(".", String::as_str));
    let database = Database::open(root)?;
    let mut times: Vec<Micros> = Queries::revisions(database.store(), i64::MAX, Micros(i64::MAX))?
        .iter()
        .map(|r| r.at)
        .collect();
    times.reverse();
    let now = database.snapshot(&When::Newest, Refresh::Skip)?;
    let all = items(&now)?;
    let wanted: Vec<&Wanted> = spread(&all, most);
    let some: Vec<&Wanted> = spread(&all, most.min(120));
    println!("{} revisions, {} definitions, {} asked for\n", times.len(), all.len(), wanted.len());
    println!("{:<44}{:>10}{:>10}{:>10}", "milliseconds", "median", "p99", "most");

    histories(root, &wanted)?;
    differences(root, &times)?;
    blames(root, &all)?;
    now_with_and_without(root, &database, &some)?;
    then_against_now(&database, &some, &times)
}

/// What names one definition.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    path: String,
    kind: String,
    file: String,
    id: String,
}

impl Wanted {
    fn request(&self) -> ResolveRequest {
        ResolveRequest {
            kind: self.kind.parse().ok(),
            file_path: Some(self.file.clone()),
            ..ResolveRequest::new(&self.path)
        }
    }
}

fn items(snapshot: &Snapshot<'_>) -> Outcome<Vec<Wanted>> {
    let mut found = Vec::new();
    snapshot.export(ExportKind::Defs, &mut |line| {
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        found.push(Wanted {
            path: text("path"),
            kind: text("kind"),
            file: text("file"),
            id: text("id"),
        });
        Ok(())
    })?;
    found.sort();
    Ok(found)
}

/// As many as this, at even distances.
fn spread<T>(all: &[T], most: usize) -> Vec<&T> {
    let most = most.min(all.len());
    (0..most).filter_map(|n| all.get(n * all.len() / most)).collect()
}

fn histories(root: &Path, wanted: &[&Wanted]) -> Outcome<()> {
    let (mut cold, mut opened, mut work) = (Vec::new(), Vec::new(), Vec::new());
    for item in wanted {
        let begin = Instant::now();
        let database = Database::open(root)?;
        let now = database.snapshot(&When::Newest, Refresh::Skip)?;
        let (ready, before) = (Instant::now(), processor_ms());
        history(&now, item)?;
        cold.push(ms(ready));
        opened.push(ms(begin));
        work.push(processor_ms() - before);
    }
    print("history, first question of a database", &mut cold);
    print("… in processor time", &mut work);
    print("… with opening it", &mut opened);
    let database = Database::open(root)?;
    let now = database.snapshot(&When::Newest, Refresh::Skip)?;
    for pass in ["history, one item after the other", "… a second time"] {
        let (mut times, mut work) = (Vec::new(), Vec::new());
        let mut versions = 0;
        let mut slowest = (0.0, "");
        for item in wanted {
            let (begin, before) = (Instant::now(), processor_ms());
            versions += history(&now, item)?;
            let took = ms(begin);
            work.push(processor_ms() - before);
            if took > slowest.0 {
                slowest = (took, &item.path);
            }
            times.push(took);
        }
        print(pass, &mut times);
        print("… in processor time", &mut work);
        let mean = versions as f64 / wanted.len().max(1) as f64;
        println!("    {mean:.1} versions an item; slowest {}", slowest.1);
    }
    Ok(())
}

fn history(snapshot: &Snapshot<'_>, item: &Wanted) -> Outcome<usize> {
    let request = HistoryRequest {
        item: ResolveRequest::new(&item.path),
        id: Some(item.id.clone()),
        ..HistoryRequest::default()
    };
    Ok(snapshot.history(&request)?.answer.items.len())
}

fn differences(root: &Path, times: &[Micros]) -> Outcome<()> {
    for (name, apart) in [
        ("diff of neighbours", 1),
        ("diff over 10 revisions", 10),
        ("diff over 100 revisions", 100),
        ("diff of first and newest", times.len() - 1),
    ] {
        let starts: Vec<usize> = (0..times.len().saturating_sub(apart)).collect();
        let mut took = Vec::new();
        for start in spread(&starts, 60) {
            let database = Database::open(root)?;
            let then = database.snapshot(&When::At(times[*start]), Refresh::Skip)?;
            let now = database.snapshot(&When::At(times[start + apart]), Refresh::Skip)?;
            let begin = Instant::now();
            black_box(now.diff(&then, &DiffRequest::default())?);
            took.push(ms(begin));
        }
        print(name, &mut took);
    }
    Ok(())
}

fn blames(root: &Path, all: &[Wanted]) -> Outcome<()> {
    let mut files: Vec<&str> = all.iter().map(|item| item.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut took = Vec::new();
    for file in spread(&files, 60) {
        let database = Database::open(root)?;
        let now = database.snapshot(&When::Newest, Refresh::Skip)?;
        let begin = Instant::now();
        black_box(now.blame_file(file, Merges::Follow)?);
        took.push(ms(begin));
    }
    print("blame of a file", &mut took);
    Ok(())
}

type Question = fn(&Snapshot<'_>, &Wanted) -> Outcome<()>;

const QUESTIONS: [(&str, Question); 3] = [
    ("resolve", |snapshot, item| {
        black_box(snapshot.resolve(&item.request())?);
        Ok(())
    }),
    ("refs", |snapshot, item| {
        let symbols = snapshot.symbols(&item.request())?;
        black_box(snapshot.where_used(&symbols, &UseRequest::default())?);
        Ok(())
    }),
    ("show", |snapshot, item| {
        let found = snapshot.resolve(&item.request())?;
        black_box(snapshot.show(found.items())?);
        Ok(())
    }),
];

/// The same questions to both in turn, so that what else the machine does falls on both.
fn compare(a: &Snapshot<'_>, b: &Snapshot<'_>, wanted: &[&Wanted], title: &str) -> Outcome<()> {
    println!("\n{title}");
    println!("{:<44}{:>10}{:>10}{:>10}", "medians, milliseconds", "without", "with", "ratio");
    for (name, ask) in QUESTIONS {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for round in 0..3 {
            for item in wanted {
                let one = |on: &Snapshot<'_>, times: &mut Vec<f64>| -> Outcome<()> {
                    let begin = Instant::now();
                    ask(on, item)?;
                    // The first round fills caches.
                    if round > 0 {
                        times.push(ms(begin));
                    }
                    Ok(())
                };
                one(a, &mut first)?;
                one(b, &mut second)?;
            }
        }
        ratio(name, &mut first, &mut second);
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for round in 0..6 {
        for (on, times) in [(a, &mut first), (b, &mut second)] {
            let begin = Instant::now();
            let mut lines = 0;
            on.export(ExportKind::Defs, &mut |_| {
                lines += 1;
                Ok(())
            })?;
            if round > 0 {
                // A moment with fewer definitions is no faster for that.
                times.push(ms(begin) * 1000.0 / f64::from(lines.max(1)));
            }
        }
    }
    ratio("export, of 1,000 definitions", &mut first, &mut second);
    Ok(())
}

fn now_with_and_without(root: &Path, database: &Database, wanted: &[&Wanted]) -> Outcome<()> {
    let copy = tempfile::tempdir()?;
    let walk = asof_workspace::walk(root)?;
    for file in walk.files.iter().chain(&walk.manifests) {
        let target = copy.path().join(&file.path);
        fs::create_dir_all(target.parent().ok_or("no parent")?)?;
        fs::copy(root.join(&file.path), target)?;
    }
    let plain = Database::create_or_open(copy.path())?;
    plain.refresh(&Options::default(), &Silent)?;
    // The file is whole once nobody has it open.
    drop(plain);
    let plain = Database::open(copy.path())?;
    let size = |root: &Path| fs::metadata(Database::path_of(root)).map_or(0, |m| m.len());
    let (with, without) = (size(root), size(copy.path()));
    println!(
        "\ndatabase: {:.1} MB with its history, {:.1} MB without, ratio {:.2}",
        with as f64 / 1e6,
        without as f64 / 1e6,
        with as f64 / without.max(1) as f64
    );
    let (a, b) = (
        plain.snapshot(&When::Newest, Refresh::Skip)?,
        database.snapshot(&When::Newest, Refresh::Skip)?,
    );
    compare(&a, &b, wanted, "NOW, without and with a history (aim: ratio ≤ 1.15)")
}

fn then_against_now(database: &Database, wanted: &[&Wanted], times: &[Micros]) -> Outcome<()> {
    for (name, at) in [("half way", times[times.len() / 2]), ("the first", times[0])] {
        let then = database.snapshot(&When::At(at), Refresh::Skip)?;
        let now = database.snapshot(&When::Newest, Refresh::Skip)?;
        let there: BTreeMap<String, Wanted> =
            items(&then)?.into_iter().map(|item| (item.id.clone(), item)).collect();
        let both: Vec<&Wanted> =
            wanted.iter().copied().filter(|i| there.get(&i.id) == Some(*i)).collect();
        let title = format!(
            "NOW (without) and as of {name} (with), {} definitions of both (aim: ratio ≤ 2)",
            both.len()
        );
        compare(&now, &then, &both, &title)?;
    }
    Ok(())
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// What all threads of this process worked, where Linux says so: a busy machine does not change
/// it much.
fn processor_ms() -> f64 {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let spent = |task: fs::DirEntry| -> Option<f64> {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    tasks.filter_map(spent).sum::<f64>() / 1e6
}

fn at(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    let place = ((times.len() as f64 - 1.0) * share).ceil().max(0.0) as usize;
    times.get(place).copied().unwrap_or_default()
}

fn print(name: &str, times: &mut [f64]) {
    let [median, high, most] = [0.5, 0.99, 1.0].map(|share| at(times, share));
    println!("{name:<44}{median:>10.2}{high:>10.2}{most:>10.2}");
}

fn ratio(name: &str, first: &mut [f64], second: &mut [f64]) {
    let (a, b) = (at(first, 0.5), at(second, 0.5));
    println!("{name:<44}{a:>10.2}{b:>10.2}{:>10.2}", b / a.max(1e-9));
}
