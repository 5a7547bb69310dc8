//! How cost grows with the size of flat sources: very many of one thing in one file. Each shape
//! is indexed at a size, twice and four times that, cold and after one changed line; the exponent
//! is that of the power of the size that fits best. See benches/README.md.
//!
//! `cargo bench --bench growth -- [--only NAME] [--scale F] [--sizes K] [--cpu]`

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use asof::Database;
use asof_index::{Options, Silent};
use asof_wire::Phase;

#[path = "../tests/support/flat.rs"]
mod flat;

use flat::{BODY, ITEM_TREE, SHAPES, Shape};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// An exponent above this is marked: N log N stays below it.
const BOUND: f64 = 1.3;
/// Below this, times are those of the machine and not of the size.
const FLOOR: Duration = Duration::from_millis(20);

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let value = |name: &str| {
        let at = args.iter().position(|a| a == name)?;
        args.get(at + 1).map(String::as_str)
    };
    let scale: f64 = value("--scale").unwrap_or("1").parse()?;
    let sizes: u32 = value("--sizes").unwrap_or("3").parse()?;
    let only = value("--only");
    let clock = if args.iter().any(|a| a == "--cpu") { spent } else { passed };
    println!(
        "{:<18}{:>8}  {:<34}{:<34}{:<34}",
        "shape", "size", "cold", "save of a body", "save of a name"
    );
    let mut steep = Vec::new();
    for shape in SHAPES.iter().filter(|s| only.is_none_or(|only| s.name == only)) {
        let first = ((shape.size as f64 * scale) as usize).max(1);
        let sizes: Vec<usize> = (0..sizes).map(|n| first << n).collect();
        let runs: Vec<Run> =
            sizes.iter().map(|size| run(shape, *size, clock)).collect::<Outcome<_>>()?;
        let mut line = format!("{:<18}{first:>8}  ", shape.name);
        for (what, of) in [
            ("cold", (|run| run.cold) as fn(&Run) -> Duration),
            ("body", |run| run.body),
            ("name", |run| run.name),
        ] {
            let times: Vec<Duration> = runs.iter().map(of).collect();
            let exponent = exponent(&sizes, &times);
            let slow = times.last().is_some_and(|last| *last >= FLOOR);
            let mark = if exponent > BOUND && slow { "!" } else { " " };
            if mark == "!" {
                steep.push(format!("{} ({what})", shape.name));
            }
            let times: Vec<String> = times.iter().map(ms).collect();
            let cell = format!("{} N^{exponent:.2}{mark}", times.join(" "));
            line.push_str(&format!("{cell:<34}"));
        }
        println!("{}", line.trim_end());
        if only.is_some()
            && let Some(last) = runs.last()
        {
            for (phase, took) in &last.phases {
                println!("  {phase:?}: {took:.0} ms");
            }
        }
    }
    if steep.is_empty() {
        println!("no exponent above {BOUND}")
    } else {
        println!("above N^{BOUND}: {}", steep.join(", "))
    }
    Ok(())
}

struct Run {
    cold: Duration,
    body: Duration,
    name: Duration,
    phases: Vec<(Phase, f64)>,
}

/// Time since the first call.
fn passed() -> Outcome<Duration> {
    static START: OnceLock<Instant> = OnceLock::new();
    Ok(START.get_or_init(Instant::now).elapsed())
}

/// Time of processors that this process took, in hundredths of a second: Linux tells it.
fn spent() -> Outcome<Duration> {
    let told = fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in parentheses; these are the 14th and 15th.
    let (_, behind) = told.rsplit_once(')').ok_or("no name of the process")?;
    let mut ticks = 0;
    for field in behind.split_whitespace().skip(11).take(2) {
        ticks += field.parse::<u64>()?;
    }
    Ok(Duration::from_millis(ticks * 10))
}

fn run(shape: &Shape, size: usize, clock: fn() -> Outcome<Duration>) -> Outcome<Run> {
    let folder = tempfile::tempdir()?;
    let root = folder.path();
    let files = (shape.files)(size);
    for (path, text) in &files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
        fs::write(path, text)?;
    }
    let (path, text) = files.first().ok_or("a shape without files")?;
    let path = root.join(path);
    let begin = clock()?;
    let database = Database::create_or_open(root)?;
    let report = database.refresh(&Options::default(), &Silent)?;
    let cold = clock()?.saturating_sub(begin);
    // A process of its own for each save: nothing is in memory from the one before.
    let save = |changed: String| -> Outcome<Duration> {
        fs::write(&path, changed)?;
        let begin = clock()?;
        Database::open(root)?.refresh(&Options::default(), &Silent)?;
        Ok(clock()?.saturating_sub(begin))
    };
    let changed = text.replacen(BODY, &BODY.replace('0', "1"), 1);
    let body = save(changed.clone())?;
    let name = save(changed.replacen(ITEM_TREE, &ITEM_TREE.replace('0', "1"), 1))?;
    Ok(Run { cold, body, name, phases: report.phases })
}

/// Slope of the line that fits the logarithms best.
fn exponent(sizes: &[usize], times: &[Duration]) -> f64 {
    let points: Vec<(f64, f64)> = sizes
        .iter()
        .zip(times)
        .map(|(size, time)| ((*size as f64).ln(), time.as_secs_f64().max(1e-9).ln()))
        .collect();
    let mean = |of: fn(&(f64, f64)) -> f64| {
        points.iter().map(of).sum::<f64>() / points.len().max(1) as f64
    };
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let above: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let below: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    above / below
}

fn ms(time: &Duration) -> String {
    format!("{:.0}", time.as_secs_f64() * 1e3)
}
