//! A case: a program, a refactoring of it, and what the program does before and after.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use crate::support::cli::{self, code, err, out};
use crate::support::tempdir;
use serde_json::Value as Json;

pub type Edition = &'static str;

/// What of a package is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Observation {
    /// What `src/main.rs` prints, and how it ends.
    Output,
    /// How many tests of `src/main.rs` pass.
    Tests,
    /// How many documentation tests of `src/lib.rs` pass.
    Docs,
    /// How many tests of all targets that Cargo finds pass.
    Targets,
}

pub struct Case {
    pub kind: &'static str,
    pub edition: Edition,
    pub position: String,
    pub files: Vec<(String, String)>,
    pub command: Vec<String>,
    pub observation: Observation,
    pub names_are_printed: bool,
}

/// What a refactoring did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    Proven,
    ProvenAndWrong,
    /// With places to look at.
    Listed,
    ListedAndWrong,
    Refused,
    /// Wrong whatever is claimed: a crash, an inexact undo, or a case that does not build.
    Faulty,
}

impl Outcome {
    pub const ALL: [Self; 6] = [
        Self::Proven,
        Self::ProvenAndWrong,
        Self::Listed,
        Self::ListedAndWrong,
        Self::Refused,
        Self::Faulty,
    ];
}

pub struct Trial {
    pub outcome: Outcome,
    /// What the program did before and after, and what `asof` answered.
    pub report: String,
}

/// For a compiler and for the program of a case.
const LIMIT: Duration = Duration::from_secs(60);

impl Case {
    /// The files and the command, as text.
    pub fn text(&self) -> String {
        let mut text = format!("asof {}\n", self.command.join(" "));
        for (path, content) in &self.files {
            text.push_str(&format!("--- {path}\n{content}\n"));
        }
        text
    }

    pub fn write(&self, root: &Path) {
        for (path, text) in &self.files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    /// Applies it in a new folder, and takes it back.
    pub fn try_out(&self) -> Trial {
        let folder = tempdir();
        let (root, built) = (folder.path().join("case"), folder.path().join("built"));
        fs::create_dir(&built).unwrap();
        self.write(&root);
        let observer = Observer { case: self, root: &root, built: &built };
        self.judge(&observer)
            .unwrap_or_else(|fault| Trial { outcome: Outcome::Faulty, report: fault })
    }

    fn judge(&self, observer: &Observer) -> Result<Trial, String> {
        let root = observer.root;
        let before = observer.observe();
        if !before.built {
            return Err(format!("the case does not build:\n{}", before.text));
        }
        let sources = read(root);
        let index = cli::asof(root, &["index", "-q", "--threads", "1"]);
        if code(&index) != 0 {
            return Err(format!("`asof index`: {}", err(&index)));
        }
        let mut args = vec!["--format", "json"];
        args.extend(self.command.iter().map(String::as_str));
        let done = cli::asof(root, &args);
        // The request cannot be met, or several items have the path.
        if [2, 3].contains(&code(&done)) {
            let report = err(&done);
            if read(root) != sources {
                return Err(format!("refused, and files have changed: {report}"));
            }
            return Ok(Trial { outcome: Outcome::Refused, report });
        }
        if code(&done) != 0 {
            return Err(format!("exit code {}: {}", code(&done), err(&done)));
        }
        let after = observer.observe();
        let answer: Json = serde_json::from_slice(&done.stdout).unwrap();
        let trial = self.compare(&before, &after, &answer);
        let undone = cli::asof(root, &["--format", "json", "edit", "undo"]);
        if code(&undone) != 0 || read(root) != sources {
            return Err(format!("not as it was after undo: {}\n{}", err(&undone), trial.report));
        }
        Ok(trial)
    }

    fn compare(&self, before: &Observed, after: &Observed, answer: &Json) -> Trial {
        let warnings = answer["warnings"].as_array().into_iter().flatten();
        let is_warned = warnings.flat_map(Json::as_str).any(|warning| warning.contains("print"));
        // What prints names prints others: that it builds and says so is all that can be asked.
        let may_differ = self.names_are_printed && is_warned;
        let is_right = after.built && (may_differ || after.text == before.text);
        let outcome = match (answer["proof"]["proven"] == true, is_right) {
            (true, true) => Outcome::Proven,
            (true, false) => Outcome::ProvenAndWrong,
            (false, true) => Outcome::Listed,
            (false, false) => Outcome::ListedAndWrong,
        };
        let diffs = answer["files"].as_array().into_iter().flatten();
        let diffs: String = diffs.filter_map(|file| file["diff"].as_str()).collect();
        let (proof, warnings) = (&answer["proof"], &answer["warnings"]);
        let report =
            format!("{proof}\n{warnings}\nbefore: {}\nafter: {}\n{diffs}", before.text, after.text);
        Trial { outcome, report }
    }
}

/// The files of a case by path; what was built lies elsewhere.
fn read(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let is_source = |path: &String| !path.starts_with(".asof") && path != "Cargo.lock";
    let paths = crate::support::files(root).into_iter().filter(is_source);
    paths.map(|path| (path.clone(), fs::read(root.join(path)).unwrap())).collect()
}

/// What a program did, or why it could not be built.
struct Observed {
    built: bool,
    text: String,
}

struct Observer<'a> {
    case: &'a Case,
    root: &'a Path,
    built: &'a Path,
}

impl Observer<'_> {
    fn observe(&self) -> Observed {
        match self.case.observation {
            Observation::Output => self.run(&[], &[]),
            Observation::Tests => self.run(&["--test"], &["--test-threads=1"]),
            Observation::Docs => self.run_docs(),
            Observation::Targets => self.run_cargo(),
        }
    }

    /// A compiler, as Cargo would call it.
    fn compiler(&self, program: &str, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.root).env("CARGO_MANIFEST_DIR", self.root);
        command.env("CARGO_PKG_NAME", "t").env_remove("RUSTFLAGS");
        command.args(["--edition", self.case.edition, "--crate-name", "t"]).args(args);
        command
    }

    fn run(&self, flags: &[&str], args: &[&str]) -> Observed {
        let program = self.built.join("program");
        let mut compiler = self.compiler("rustc", &["src/main.rs", "-A", "warnings"]);
        compiler.args(["-C", "debuginfo=0", "-o"]).arg(&program).args(flags);
        let output = cli::within(LIMIT, compiler);
        if code(&output) != 0 {
            return Observed { built: false, text: err(&output) };
        }
        let mut command = Command::new(&program);
        command.current_dir(self.root).args(args);
        let output = cli::within(LIMIT, command);
        let text = if flags.is_empty() { out(&output) } else { count_passed(&output) };
        Observed { built: true, text: format!("{text}exit code {}", code(&output)) }
    }

    fn run_docs(&self) -> Observed {
        let library: PathBuf = self.built.join("libt.rlib");
        let mut compiler = self.compiler("rustc", &["src/lib.rs", "-A", "warnings"]);
        compiler.args(["--crate-type", "rlib", "-C", "debuginfo=0", "-o"]).arg(&library);
        let output = cli::within(LIMIT, compiler);
        if code(&output) != 0 {
            return Observed { built: false, text: err(&output) };
        }
        let mut docs = self.compiler("rustdoc", &["--test", "src/lib.rs", "-A", "warnings"]);
        docs.arg("--extern").arg(format!("t={}", library.display()));
        self.judge_tests(&cli::within(LIMIT, docs))
    }

    fn run_cargo(&self) -> Observed {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(self.root).args(["test", "--offline", "--no-fail-fast"]);
        cargo.env("CARGO_TARGET_DIR", self.built).env("CARGO_INCREMENTAL", "0");
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_PROFILE_TEST_DEBUG", "0");
        cargo.env("RUSTFLAGS", "-Awarnings").env_remove("CARGO_ENCODED_RUSTFLAGS");
        self.judge_tests(&cli::within(LIMIT, cargo))
    }

    fn judge_tests(&self, output: &Output) -> Observed {
        let built = code(output) == 0;
        let text = if built { count_passed(output) } else { err(output) + out(output).as_str() };
        Observed { built, text }
    }
}

/// How many tests passed, over all programs.
fn count_passed(output: &Output) -> String {
    let results = out(output);
    let results = results.lines().filter_map(|line| line.split_once("test result: ok. "));
    let passed =
        results.filter_map(|(_, rest)| rest.split_once(" passed")?.0.parse::<usize>().ok());
    format!("{} passed\n", passed.sum::<usize>())
}
