//! Shared by the drivers that kill processes: numbers from a seed, a log to resume from, a table of
//! results.
#![allow(dead_code, reason = "each driver uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Permission bits and bytes by path; folders have no bytes.
pub type Picture = BTreeMap<String, (u32, Option<Vec<u8>>)>;

/// Everything below a root but `.asof`.
pub fn picture(root: &Path) -> Picture {
    use std::os::unix::fs::PermissionsExt;
    let mut picture = Picture::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path == root.join(".asof") {
                continue;
            }
            let meta = fs::symlink_metadata(&path).unwrap();
            let bytes = meta.is_file().then(|| fs::read(&path).unwrap());
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            picture.insert(name, (meta.permissions().mode() & 0o7777, bytes));
            if meta.is_dir() {
                open.push(path);
            }
        }
    }
    picture
}

/// Which files differ, without their bytes.
pub fn differences(a: &Picture, b: &Picture) -> Vec<String> {
    let paths = a.keys().chain(b.keys()).collect::<std::collections::BTreeSet<_>>();
    let differing = paths.into_iter().filter(|path| a.get(*path) != b.get(*path));
    differing.map(|path| path.to_owned()).collect()
}

/// SplitMix64: the same seed, the same trials.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// From 0 to 1.
    pub fn part(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1 << 20)
    }
}

/// When a process is killed.
#[derive(Debug, Clone)]
pub enum When {
    After(Duration),
    /// By itself, the nth time that it passes a named point.
    At(&'static str, usize),
}

/// Points that a process passes once; the others once a file.
const ONCE: &[&str] = &[
    "mid-prepare", "before-prepare", "after-prepare", "after-steps", "after-write",
    "before-commit", "after-commit", "recover", "after-backs", "mid-delete",
];

/// The median.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

impl When {
    pub fn random(rng: &mut Rng, whole: Duration, points: &[&'static str], most: usize) -> Self {
        // Without debug assertions there are no points.
        if cfg!(debug_assertions) && rng.below(2) == 0 {
            let point = points[rng.below(points.len())];
            Self::At(point, if ONCE.contains(&point) { 1 } else { 1 + rng.below(most) })
        } else {
            Self::After(whole.mul_f64(1.1 * rng.part()))
        }
    }

    pub fn name(&self) -> String {
        match self {
            Self::After(_) => "at a random time".to_owned(),
            Self::At(point, _) => (*point).to_owned(),
        }
    }

    /// Settings from the environment.
    pub fn order(&self, exchange: bool) -> String {
        let point = match self {
            Self::After(_) => String::new(),
            Self::At(point, nth) => format!("{point}:{nth}"),
        };
        if exchange { point } else { format!("no-exchange,{point}") }
    }
}

/// Starts an ignored test of the running program as a process that waits for [`go`].
pub fn child(test: &str, variables: &[(&str, &str)]) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--ignored", "--nocapture"]);
    command.envs(variables.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// In the child: says that it is ready, and waits.
pub fn wait_for_go() {
    println!("ready");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

/// Lets a child that is ready begin.
pub fn go(child: &mut Child) {
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.ends_with("ready\n") {
        line.clear();
        assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the child died before it was killed");
    }
    // Kept open, or the child could not write.
    child.stdout = Some(lines.into_inner());
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
}

/// Kills a process at its time. Returns whether it was killed before it had finished.
pub fn kill(mut child: Child, when: &When) -> bool {
    use std::os::unix::process::ExitStatusExt;
    if let When::After(time) = when {
        let begin = Instant::now();
        while begin.elapsed() < *time {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
    }
    let output = child.wait_with_output().unwrap();
    let killed = output.status.signal() == Some(9);
    assert!(killed || output.status.success(), "{:?}", String::from_utf8_lossy(&output.stdout));
    killed
}

/// Result of a trial.
pub struct Fate {
    pub job: &'static str,
    pub when: String,
    /// Killed before it had finished.
    pub died: bool,
    /// Found all new; otherwise all old.
    pub new: bool,
    /// Times that a recovery was killed too.
    pub again: usize,
}

/// Trials by number, some of them already in the log of an earlier run.
pub struct Run {
    pub seed: u64,
    pub trials: usize,
    log: Option<PathBuf>,
    lines: Vec<String>,
}

impl Run {
    /// `ASOF_KILLS` trials, from the seed `ASOF_SEED`; `ASOF_KILLS_LOG` names a file to which
    /// each is added, and from which the run continues when it is started again.
    pub fn from_environment(name: &str, default: usize) -> Self {
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let log = std::env::var_os("ASOF_KILLS_LOG").map(|path| {
            let path = PathBuf::from(path);
            path.with_extension(format!("{name}.tsv"))
        });
        let text = log.as_ref().and_then(|log| fs::read_to_string(log).ok()).unwrap_or_default();
        Self {
            seed: number("ASOF_SEED").unwrap_or(1),
            trials: number("ASOF_KILLS").map_or(default, |trials| trials as usize),
            log,
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    /// Trials that have to be done.
    pub fn left(&self) -> std::ops::Range<usize> {
        self.lines.len().min(self.trials)..self.trials
    }

    /// The numbers of one trial.
    pub fn rng(&self, trial: usize) -> Rng {
        let mut rng = Rng(self.seed ^ (trial as u64) << 20);
        rng.next();
        rng
    }

    pub fn record(&mut self, trial: usize, fate: &Fate) {
        let Fate { job, when, died, new, again } = fate;
        let state = if *new { "new" } else { "old" };
        let line = format!("{trial}\t{job}\t{when}\t{}\t{state}\t{again}", u8::from(*died));
        if let Some(log) = &self.log {
            let mut file = fs::File::options().append(true).create(true).open(log).unwrap();
            writeln!(file, "{line}").unwrap();
        }
        self.lines.push(line);
    }

    /// Prints what happened, this run's trials and those of the log.
    pub fn tell(&self, name: &str) {
        let mut rows: BTreeMap<(String, String), [usize; 5]> = BTreeMap::new();
        for line in &self.lines {
            let cells: Vec<&str> = line.split('\t').collect();
            let again: usize = cells[5].parse().unwrap();
            for row in [(cells[1], cells[2]), ("total", "")] {
                let row = rows.entry((row.0.to_owned(), row.1.to_owned())).or_default();
                row[0] += 1;
                row[1] += usize::from(cells[3] == "1");
                row[2] += usize::from(cells[4] == "old");
                row[3] += usize::from(cells[4] == "new");
                row[4] += again;
            }
        }
        println!("\n{name}: seed {}; the first torn one would have ended the run", self.seed);
        println!("| job | killed | trials | died | all old | all new | recoveries killed |");
        println!("|---|---|---|---|---|---|---|");
        for ((job, when), [trials, died, old, new, again]) in rows {
            println!("| {job} | {when} | {trials} | {died} | {old} | {new} | {again} |");
        }
    }
}
