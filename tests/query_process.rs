//! The process of a query: it ends with the process that asked and at its own limit, and whatever a
//! call does in the engine, the answer is rows or an error.
//!
//! `ASOF_CALLS=1` tries every function with every pair of values; without it, a sample.

use crate::support::cli;
use crate::support::tempdir;
use crate::support::this_test;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use asof_store::{Limits, Params, Store, StoreError};
use cli::{asof, command};
use tempfile::TempDir;

/// Runs until it is stopped: the engine checks its time limit only between rows.
const ENDLESS: &str = "?[count(a)] := a in int_range(0, 100000), b in int_range(0, 100000), \
                       c in int_range(0, 100000), a + b + c < 0";

fn indexed() -> TempDir {
    let dir = tempdir();
    fs::write(dir.path().join("lib.rs"), "pub fn add() {}\n").unwrap();
    assert!(asof(dir.path(), &["index"]).status.success());
    dir
}

/// Whether a process runs; one that is dead and not yet waited for does not.
#[cfg(target_os = "linux")]
fn runs(pid: u32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let state = stat.rsplit_once(") ").map(|(_, rest)| rest.chars().next());
    !matches!(state, Some(Some('Z' | 'X')))
}

/// The process that a command started for its query.
#[cfg(target_os = "linux")]
fn worker_of(parent: &Child) -> u32 {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(30) {
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
            let ppid = rest.split(' ').nth(1).unwrap_or_default();
            let line = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            if ppid == parent.id().to_string() && line.contains("__query-worker") {
                return entry.file_name().to_str().unwrap().parse().unwrap();
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("no process for the query");
}

fn ends_within(limit: Duration, running: impl Fn() -> bool) -> bool {
    let begin = Instant::now();
    while running() {
        if begin.elapsed() > limit {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

#[test]
#[cfg(target_os = "linux")]
fn a_query_ends_with_the_process_that_asked() {
    let dir = indexed();
    // While the process starts, and while the engine is at work.
    for delay in [0, 700] {
        let mut parent = command(dir.path(), &["query", "--timeout", "600", ENDLESS])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let worker = worker_of(&parent);
        std::thread::sleep(Duration::from_millis(delay));
        assert!(runs(worker), "it has ended by itself");
        parent.kill().unwrap();
        parent.wait().unwrap();
        let ended = ends_within(Duration::from_secs(2), || runs(worker));
        if !ended {
            let _ = Command::new("kill").args(["-9", &worker.to_string()]).status();
        }
        assert!(ended, "killed {delay} ms after its start, the query goes on");
    }
}

/// The process that asked is suspended and cannot end it, and the engine does not check its limit
/// within one expression: it ends by itself.
#[test]
#[cfg(target_os = "linux")]
fn a_query_keeps_its_own_limit_of_time() {
    let dir = indexed();
    let step = "length(union(int_range(0, 3000000), int_range(1, 3000001)))";
    let script = format!("?[x] := x = {}", [step; 40].join(" + "));
    let args = ["query", "--timeout", "1", "--memory", "4096", &script];
    let mut parent =
        command(dir.path(), &args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let worker = worker_of(&parent);
    // Suspended before it has sent the query, it would leave the process waiting for one.
    std::thread::sleep(Duration::from_millis(700));
    let begin = Instant::now();
    let stop = Command::new("kill").args(["-STOP", &parent.id().to_string()]).status().unwrap();
    assert!(stop.success());
    let ended = ends_within(Duration::from_secs(12), || runs(worker));
    let took = begin.elapsed();
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert!(ended, "it goes on");
    assert!(took > Duration::from_secs(2), "{took:?}: it was not at work");
}

/// The same without the system's help: the process that asked is said not to be its parent.
#[test]
fn a_query_of_nobody_ends_at_once() {
    let dir = indexed();
    let database = dir.path().join(".asof/asof.db");
    let request = serde_json::json!({
        "script": { "text": ENDLESS }, "params": [], "explain": false,
        "time_ms": 600_000, "memory_bytes": 512 << 20, "rows": 1000,
    });
    let task = serde_json::json!({
        "database": database, "root": dir.path(), "revision": null, "request": request,
        "parent": 1,
    });
    let mut worker = command(dir.path(), &["__query-worker"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    worker.stdin.take().unwrap().write_all(task.to_string().as_bytes()).unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = worker.try_wait().unwrap() {
            break Some(status);
        }
        if begin.elapsed() > Duration::from_secs(10) {
            worker.kill().unwrap();
            worker.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(status.is_some_and(|status| !status.success()), "{status:?}");
}

/// Calls that make the engine panic are errors of the request, in plain words.
#[test]
fn a_call_that_the_engine_cannot_take_is_a_plain_error() {
    let dir = indexed();
    for (script, name) in [
        ("?[x] := x = regex_extract()", "regex_extract"),
        ("?[x] := x = regex_matches('a')", "regex_matches"),
        ("?[x] := y = length('a'), x = regex_replace()", "regex_replace"),
    ] {
        let output = asof(dir.path(), &["query", script]);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{script}: {err}");
        assert!(err.contains(&format!("the engine rejected the call of `{name}`")), "{err}");
        assert!(err.contains("wrong number of arguments"), "{err}");
        for word in ["panic", "backtrace", "bug in asof", "index out of bounds", "functions.rs"] {
            assert!(!err.contains(word), "{script}: {err}");
        }
    }
}

/// Every function of the engine.
const FUNCTIONS: &str = "cond if try abs acos acosh add and append asin asinh assert atan atan2 atanh bit_and bit_not bit_or \
    bit_xor ceil chars chunks chunks_exact coalesce concat cond cos cos_dist cosh curie_compact \
    curie_expand decode_base64 deg_to_rad difference div dt_add dt_day dt_diff dt_dow dt_doy \
    dt_format dt_hour dt_minute dt_month dt_second dt_to_validity dt_trunc dt_year dump_json \
    encode_base64 ends_with eq exp exp2 first floor format_timestamp from_substrings ge get gt \
    haversine haversine_deg_input if int_range intersection interval_overlaps ip_dist \
    iri_resolve iri_valid is_bytes is_finite is_float is_in is_infinite is_int is_json is_list \
    is_nan is_null is_num is_string is_uuid is_vec json json_object json_to_scalar l2_dist \
    l2_normalize last le length list ln log10 log2 lowercase lt max maybe_get min minus mod mul \
    negate neq now or pack_bits parse_json parse_timestamp pow prepend rad_to_deg rand_bernoulli \
    rand_choose rand_float rand_int rand_ulid rand_uuid_v1 rand_uuid_v4 rand_vec regex_extract \
    regex_extract_first regex_matches regex_replace regex_replace_all remove_json_path reverse \
    round set_json_path signum sin sinh slice slice_string snippet sorted sqrt starts_with \
    str_includes sub t2s tan tanh to_bool to_float to_int to_string to_unity to_uuid trim \
    trim_end trim_start ulid_timestamp unicode_normalize union unpack_bits uppercase \
    uuid_timestamp validity vec windows";

/// A value of every type, unusual ones included.
const VALUES: [&str; 29] = [
    "null",
    "true",
    "0",
    "1",
    "-1",
    "70",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
    "(0.0 / 0.0)",
    "(1.0 / 0.0)",
    "-1e308",
    "''",
    "'a'",
    "'äöü'",
    "'2024-02-30T25:00:00Z'",
    "'day'",
    "'('",
    "[]",
    "[1, 2]",
    "[[1, 'a'], [null, 2]]",
    "['a', 'b']",
    "decode_base64('YWJj')",
    "to_uuid('00000000-0000-1000-8000-000000000000')",
    "parse_json('{\"a\": [1, null]}')",
    "validity(1)",
    "vec([1.0, 2.0])",
    "vec([])",
    "-9223372036854775807",
];

const AGGREGATIONS: &str = "and or unique group_count union intersection count count_unique \
    variance std_dev sum product min max mean choice collect interval_coalesce shortest min_cost \
    bit_and bit_or bit_xor latest_by smallest_by choice_rand min_cost_k pareto_min pareto_max";

const RULES: &str = "ClusteringCoefficients DegreeCentrality ClosenessCentrality \
    BetweennessCentrality DepthFirstSearch DFS BreadthFirstSearch BFS BudgetedTraversal \
    ShortestPathBFS ShortestPathDijkstra ShortestPathAStar KShortestPathYen \
    MinimumSpanningTreePrim MinimumSpanningForestKruskal TopSort ConnectedComponents \
    StronglyConnectedComponents SCC PageRank CommunityDetectionLouvain LabelPropagation RandomWalk \
    ReorderSort ReciprocalRankFusion RRF MaximalMarginalRelevance MMR JsonReader CsvReader Constant";

const OPTIONS: &str = "admit base break_ties condition data delimiter delta descending epsilon \
    fields format heuristic iterations k keep_depth keep_ties lambda limit max_cost max_depth \
    max_iter max_nodes out prepend_index skip sort_by steps take theta undirected url weight";

/// A xorshift generator: the same calls every time.
struct Dice(u64);

impl Dice {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        from[(self.0 % from.len() as u64) as usize]
    }

    fn one_in(&mut self, sides: u64) -> bool {
        self.pick(&["x"]);
        self.0.is_multiple_of(sides)
    }
}

/// Calls of functions, aggregations and fixed rules, with unexpected arguments.
fn scripts(whole: bool) -> Vec<String> {
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut all = Vec::new();
    for name in words(FUNCTIONS) {
        let mut call = |arguments: &[&str]| {
            all.push(format!("?[x] := x = {name}({})", arguments.join(", ")));
        };
        call(&[]);
        for one in VALUES {
            call(&[one]);
            for two in VALUES {
                if whole || dice.one_in(20) {
                    call(&[one, two]);
                }
            }
        }
        for _ in 0..if whole { 300 } else { 12 } {
            let three = [(); 3].map(|()| dice.pick(&VALUES));
            call(&three);
            call(&[three[0], three[1], three[2], dice.pick(&VALUES)]);
        }
    }
    for name in words(AGGREGATIONS) {
        for one in VALUES {
            for _ in 0..if whole { 30 } else { 2 } {
                let (two, option) = (dice.pick(&VALUES), dice.pick(&VALUES));
                all.push(format!("?[{name}(x)] := x in [{one}, {two}]"));
                all.push(format!("?[{name}(x, {option})] := x in [{one}, {two}]"));
                all.push(format!(
                    "r[{name}(x)] := x = {one}; r[{name}(y)] := r[x], y = {two} ?[x] := r[x]"
                ));
            }
        }
    }
    let relations =
        ["", "e[]", "e[], n[]", "e[], n[], n[]", "w[], n[], m[]", "none[]", "e[a, b]", "n[], e[]"];
    let given = "e[a, b] <- [[1, 2], [2, 3], [3, 1]] w[a, b, c] <- [[1, 2, -1.5], [2, 3, 0.0], \
                 [3, 4, 'x']] n[a] <- [[1], [2]] m[a] <- [['z'], [null]] none[a, b] <- []";
    for name in words(RULES) {
        for relation in relations {
            for _ in 0..if whole { 120 } else { 4 } {
                let mut options = String::new();
                while dice.one_in(2) {
                    let (key, value) = (dice.pick(&words(OPTIONS)), dice.pick(&VALUES));
                    options += &format!(", {key}: {value}");
                }
                let inside = format!("{relation}{options}");
                let inside = inside.trim_start_matches(", ");
                let head = dice.pick(&["?[]", "?[a, b]", "?[a, b, c]", "?[a, b, c, d]", "?[a]"]);
                all.push(format!("{given} {head} <~ {name}({inside})"));
            }
        }
    }
    all
}

const SCRIPTS: &str = "ASOF_TEST_SCRIPTS";

#[test]
#[ignore = "runs as a child of the test below"]
fn child_calls_the_engine() {
    let Some(path) = std::env::var_os(SCRIPTS).map(PathBuf::from) else { return };
    let store = Store::in_memory().unwrap();
    let limits = Limits { time: Duration::from_secs(2), memory_bytes: 64 << 20, rows: 10 };
    let done = path.with_extension("done");
    let skip: usize = fs::read_to_string(&done).map_or(0, |text| text.trim().parse().unwrap());
    for (number, script) in fs::read_to_string(&path).unwrap().split('\u{1}').enumerate().skip(skip)
    {
        fs::write(&done, (number + 1).to_string()).unwrap();
        let outcome = store.run_bounded(script, &Params::new(), limits);
        if let Err(
            error @ (StoreError::Engine { .. }
            | StoreError::Corrupt { .. }
            | StoreError::Full { .. }),
        ) = outcome
        {
            let mut file =
                fs::OpenOptions::new().create(true).append(true).open(path.with_extension("bad"));
            writeln!(file.as_mut().unwrap(), "{script}: {error:?}").unwrap();
        }
    }
    std::process::exit(0);
}

/// No call hangs, ends the process, or is a failure of the engine. Running out of memory ends the
/// process of a query, which is reported as its limit.
#[test]
fn no_call_is_more_than_an_error() {
    let dir = tempdir();
    let path = dir.path().join("scripts");
    let scripts = scripts(std::env::var_os("ASOF_CALLS").is_some());
    fs::write(&path, scripts.join("\u{1}")).unwrap();
    let at = || -> usize {
        let text = fs::read_to_string(path.with_extension("done")).unwrap_or_default();
        text.parse().unwrap_or(0)
    };
    let (mut bad, mut out_of_memory) = (Vec::new(), 0);
    loop {
        let program = std::env::current_exe().unwrap();
        let shell = format!(
            "ulimit -v 3000000; ulimit -c 0; exec '{}' --exact {} --ignored --nocapture",
            program.display(),
            this_test(module_path!(), "child_calls_the_engine")
        );
        let said = dir.path().join("said");
        let mut child = Command::new("sh")
            .args(["-c", &shell])
            .env(SCRIPTS, &path)
            .stdout(Stdio::null())
            .stderr(fs::File::create(&said).unwrap())
            .spawn()
            .unwrap();
        let (mut last, mut since) = (at(), Instant::now());
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if at() != last {
                (last, since) = (at(), Instant::now());
            } else if since.elapsed() > Duration::from_secs(30) {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        if status.is_some_and(|status| status.success()) {
            break;
        }
        let said = fs::read_to_string(&said).unwrap();
        let script = &scripts[at().max(1) - 1];
        match status {
            Some(_) if said.contains("memory allocation") => out_of_memory += 1,
            Some(status) => bad.push(format!("{script}: {status}: {said}")),
            None => bad.push(format!("{script}: hangs")),
        }
        assert!(bad.len() < 40 && at() < scripts.len() + 1, "{bad:#?}");
    }
    let failed = fs::read_to_string(path.with_extension("bad")).unwrap_or_default();
    println!("{} calls, {out_of_memory} ran out of memory", scripts.len());
    assert!(bad.is_empty() && failed.is_empty(), "{}\n{failed}", bad.join("\n"));
    assert!(out_of_memory < 40, "{out_of_memory}");
}
