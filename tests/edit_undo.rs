//! Edits are undone below later ones: what was changed elsewhere stays, byte for byte, and only a
//! real overlap is refused.
//!
//! `ASOF_SEQUENCES=500 cargo test --test suite edit_undo::` runs more random sequences, `ASOF_SEED`
//! starts elsewhere.

use crate::support;
use crate::support::tempdir;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use asof::{Database, EditOptions, EngineError};
use asof_edit::{Edit, EditError, EditRequest, SpliceEdit};
use asof_index::{Options, Silent};
use asof_model::RawHash;
use serde_json::{Value as Json, json};
use support::edits::Rng;
use support::shell::Workspace;

const LIB: &str = "/// A.\npub fn a() -> u32 {\n    1\n}\n\npub fn b() -> u32 {\n    2\n}\n\npub fn c() \
                   -> u32 {\n    3\n}\n";

fn body(name: &str, code: &str) -> Json {
    json!([{ "mode": "canonical", "path": format!("crate::{name}"), "part": "body", "code": code }])
}

#[track_caller]
fn apply(ws: &Workspace, edits: &Json, actor: &str) -> String {
    let output = ws.edit("apply", edits, &["--actor", actor]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let done: Json = serde_json::from_slice(&output.stdout).unwrap();
    done["proposal_id"].as_str().unwrap().to_owned()
}

/// Undoes, with this exit code; returns the output.
#[track_caller]
fn undo(ws: &Workspace, args: &[&str], code: i32) -> Json {
    let output = ws.asof(&[&["--format", "json", "edit", "undo"], args].concat());
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{error}");
    let said = if code == 0 { &output.stdout } else { &output.stderr };
    serde_json::from_slice(said).unwrap()
}

#[test]
fn without_an_id_it_is_the_last_edit_of_the_actor() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    apply(&ws, &body("a", "{\n    10\n}"), "ana");
    apply(&ws, &body("b", "{\n    20\n}"), "bo");
    apply(&ws, &body("c", "{\n    30\n}"), "ana");
    apply(&ws, &body("b", "{\n    21\n}"), "bo");
    undo(&ws, &["--actor", "ana"], 0);
    assert_eq!(ws.read("src/lib.rs"), LIB.replace("1\n", "10\n").replace("    2\n", "    21\n"));
    undo(&ws, &["--actor", "ana"], 0);
    assert_eq!(ws.read("src/lib.rs"), LIB.replace("    2\n", "    21\n"));
    for actor in [&["--actor", "ana"][..], &[][..], &["--actor", "eve"][..]] {
        let error = undo(&ws, actor, 1);
        let hint = error["error"]["hint"].as_str().unwrap();
        assert!(hint.contains("bo") && !hint.contains("ana,"), "{hint}");
    }
    undo(&ws, &["--actor", "bo"], 0);
    undo(&ws, &["--actor", "bo"], 0);
    assert_eq!(ws.read("src/lib.rs"), LIB);
    let error = undo(&ws, &["--actor", "bo"], 1);
    assert!(error["error"]["message"].as_str().unwrap().contains("no applied edit"));
}

/// An undo without an id undoes an edit that the same actor applied.
#[test]
fn a_proposal_belongs_to_the_one_who_applied_it() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    let planned = ws.edit("plan", &body("a", "{\n    10\n}"), &["--actor", "ana"]);
    let planned: Json = serde_json::from_slice(&planned.stdout).unwrap();
    let id = planned["proposal_id"].as_str().unwrap();
    assert_eq!(ws.asof(&["edit", "apply", id, "--actor", "bo"]).status.code(), Some(0));
    undo(&ws, &["--actor", "ana"], 1);
    undo(&ws, &["--actor", "bo"], 0);
    assert_eq!(ws.read("src/lib.rs"), LIB);
}

#[test]
fn later_edits_elsewhere_in_the_file_stay() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    let first = apply(&ws, &body("b", "{\n    20\n}"), "ana");
    apply(&ws, &body("a", "{\n    10;\n    11\n}"), "bo");
    apply(
        &ws,
        &json!([
            { "mode": "insert", "anchor": "crate::b", "position": "after", "code": "fn x() {}" },
            { "mode": "delete", "path": "crate::c" },
        ]),
        "bo",
    );
    let text = ws.read("src/lib.rs");
    let undone = undo(&ws, &[&first], 0);
    assert_eq!(ws.read("src/lib.rs"), text.replace("    20\n", "    2\n"));
    let diff = undone["files"][0]["diff"].as_str().unwrap();
    assert!(
        diff.contains("-    20\n+    2\n") && !diff.contains("+fn x") && !diff.contains("-fn x"),
        "{diff}"
    );
    // NOW holds it.
    let shown = ws.json(&["--no-refresh", "show", "crate::b"]);
    assert!(shown["items"][0]["text"].as_str().unwrap().contains("    2\n"));
    assert_eq!(shown["basis"]["revision"], undone["revision"]);
}

#[test]
fn changes_by_other_programs_stay() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    apply(&ws, &body("b", "{\n    20\n}"), "ana");
    let text = ws.read("src/lib.rs");
    // Above, below, and in the same lines as the edit.
    let text = text.replace("/// A.", "//! B.\n\n/// A").replace("3\n", "33\n");
    let text = text.replace("pub fn b() -> u32 {", "pub fn b() -> u64 {");
    ws.write("src/lib.rs", &text);
    apply(&ws, &body("c", "{\n    34\n}"), "bo");
    ws.write("src/lib.rs", &ws.read("src/lib.rs").replace("//! B.", "//! C."));
    let text = ws.read("src/lib.rs");
    undo(&ws, &["--actor", "ana"], 0);
    assert_eq!(ws.read("src/lib.rs"), text.replace("    20\n", "    2\n"));
}

#[test]
fn an_overlap_is_stale_and_says_where_and_whose() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    let first = apply(&ws, &body("b", "{\n    20\n}"), "ana");
    apply(&ws, &body("a", "{\n    10;\n    10\n}"), "ana");
    let find = json!([{ "mode": "canonical", "path": "crate::b", "find": "20", "code": "21" }]);
    let second = apply(&ws, &find, "bo");
    let text = ws.read("src/lib.rs");
    let error = undo(&ws, &[&first], 7);
    let message = error["error"]["message"].as_str().unwrap();
    let place = format!("src/lib.rs:8 (changed by proposal {second} of bo)");
    assert!(message.contains(&place), "{message}");
    assert_eq!(ws.read("src/lib.rs"), text);
    // Once the other one is taken back, nothing is in the way.
    undo(&ws, &[&second], 0);
    undo(&ws, &[&first], 0);
    assert_eq!(ws.read("src/lib.rs"), LIB.replace("    1\n", "    10;\n    10\n"));

    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    apply(&ws, &body("b", "{\n    20\n}"), "ana");
    ws.write("src/lib.rs", &ws.read("src/lib.rs").replace("    20\n", "    22\n"));
    let error = undo(&ws, &["--actor", "ana"], 7);
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("src/lib.rs:7 (changed by another program)"), "{message}");
}

#[test]
fn a_file_that_was_made_or_removed_is_as_the_edit_left_it_or_the_undo_is_refused() {
    let ws = Workspace::with(&[("src/lib.rs", LIB)]);
    let create = json!([{ "mode": "create_file", "file_path": "src/n.rs", "code": "fn n() {}\n" }]);
    apply(&ws, &create, "ana");
    ws.write("src/n.rs", "fn m() {}\n");
    undo(&ws, &["--actor", "ana"], 7);
    assert_eq!(ws.read("src/n.rs"), "fn m() {}\n");
    apply(&ws, &json!([{ "mode": "delete_file", "file_path": "src/n.rs" }]), "bo");
    ws.write("src/n.rs", "fn o() {}\n");
    undo(&ws, &["--actor", "bo"], 7);
    fs::remove_file(ws.root().join("src/n.rs")).unwrap();
    undo(&ws, &["--actor", "bo"], 0);
    assert_eq!(ws.read("src/n.rs"), "fn m() {}\n");
    apply(&ws, &body("a", "{\n    10\n}"), "bo");
    fs::remove_file(ws.root().join("src/lib.rs")).unwrap();
    let error = undo(&ws, &["--actor", "bo"], 7);
    assert!(error["error"]["message"].as_str().unwrap().contains("removed since"));
}

/// A byte of a file, with an identity; no byte for the place of a pure deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    id: usize,
    byte: Option<u8>,
}

/// What an edit removed from a file and inserted.
struct Done {
    proposal: String,
    actor: usize,
    file: usize,
    removed: Vec<Piece>,
    added: Vec<Piece>,
    /// Insertions at the place of this deletion, made since: the number of the edit, none for an
    /// undo, which nothing takes back.
    beside: Vec<Option<usize>>,
    undone: bool,
}

/// Texts as bytes with identities: an edit can be undone if everything that it inserted is there,
/// side by side.
struct Oracle {
    files: Vec<Vec<Piece>>,
    edits: Vec<Done>,
    next: usize,
}

impl Oracle {
    fn new(texts: &[String]) -> Self {
        let mut oracle = Self { files: Vec::new(), edits: Vec::new(), next: 0 };
        for text in texts {
            let pieces = oracle.pieces(text.as_bytes());
            oracle.files.push(pieces);
        }
        oracle
    }

    fn pieces(&mut self, bytes: &[u8]) -> Vec<Piece> {
        let first = self.next;
        self.next += bytes.len();
        bytes.iter().enumerate().map(|(at, b)| Piece { id: first + at, byte: Some(*b) }).collect()
    }

    fn text(&self, file: usize) -> String {
        String::from_utf8(self.files[file].iter().filter_map(|piece| piece.byte).collect()).unwrap()
    }

    /// Pure deletions whose places are these.
    fn deletions(&self, places: &[Piece]) -> Vec<usize> {
        let is = |done: &Done| !done.undone && places.iter().any(|p| done.added == [*p]);
        (0..self.edits.len()).filter(|at| is(&self.edits[*at])).collect()
    }

    fn apply(&mut self, proposal: String, actor: usize, file: usize, splice: (usize, usize, &str)) {
        let (start, end, text) = splice;
        let bytes: Vec<usize> =
            (0..self.files[file].len()).filter(|at| self.files[file][*at].byte.is_some()).collect();
        let first = bytes.get(start).copied().unwrap_or(self.files[file].len());
        let last = if end > start { bytes[end - 1] + 1 } else { first };
        let added = if text.is_empty() {
            self.next += 1;
            vec![Piece { id: self.next - 1, byte: None }]
        } else {
            self.pieces(text.as_bytes())
        };
        if start == end {
            let before = start.checked_sub(1).map_or(0, |at| bytes[at] + 1);
            let places = self.files[file][before..first].to_vec();
            let number = self.edits.len();
            for deletion in self.deletions(&places) {
                self.edits[deletion].beside.push(Some(number));
            }
        }
        let removed = self.files[file].splice(first..last, added.iter().copied()).collect();
        let (beside, undone) = (Vec::new(), false);
        self.edits.push(Done { proposal, actor, file, removed, added, beside, undone });
    }

    /// Where the pieces of an edit are, if they are all there, side by side.
    fn place(&self, edit: usize) -> Option<usize> {
        let done = &self.edits[edit];
        let file = &self.files[done.file];
        let at = file.iter().position(|piece| *piece == done.added[0])?;
        file[at..].starts_with(&done.added).then_some(at)
    }

    /// Whether the order of bytes inserted at one position would be a guess.
    fn is_guess(&self, edit: usize) -> bool {
        let effective = |other: &Option<usize>| other.is_none_or(|at| !self.edits[at].undone);
        self.edits[edit].beside.iter().any(effective)
    }

    fn undo(&mut self, edit: usize) {
        let at = self.place(edit).unwrap();
        let (file, len) = (self.edits[edit].file, self.edits[edit].added.len());
        let pure = self.edits[edit].added[0].byte.is_none();
        let removed = self.edits[edit].removed.clone();
        self.files[file].splice(at..at + len, removed.iter().copied());
        self.edits[edit].undone = true;
        if pure {
            // Other deletions at the very place: what stood first is not in the bytes.
            let all = &self.files[file];
            let empty = |piece: &&Piece| piece.byte.is_none();
            let mut places: Vec<Piece> =
                all[..at].iter().rev().take_while(empty).copied().collect();
            places.extend(all[at + removed.len()..].iter().take_while(empty));
            for deletion in self.deletions(&places) {
                self.edits[deletion].beside.push(None);
            }
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// A change of the text that leaves it Rust: digits, whole lines.
fn random_splice(rng: &mut Rng, text: &str, unique: usize) -> (usize, usize, String) {
    let lines: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let line = rng.pick(&lines).copied().unwrap_or_default();
    let end = text[line..].find('\n').map_or(text.len(), |at| line + at + 1);
    let new = format!("const N{unique}: u64 = {};\n", 100_000 + unique * 7);
    let digits = text[line..end].find("= ").map(|at| line + at + 2);
    match (rng.below(6), digits) {
        (0, _) => (line, line, new),
        (1, Some(_)) => (line, end, String::new()),
        (2, Some(_)) => (line, end, new),
        (_, Some(digits)) => {
            let len = text[digits..end].find(';').unwrap();
            let from = digits + rng.below(len);
            let to = from + rng.below(digits + len - from + 1);
            let new = match rng.below(4) {
                0 if to - from < len => String::new(),
                _ => format!("{}", 1_000 + unique),
            };
            (from, to, new)
        }
        _ => (line, line, new),
    }
}

fn read(root: &Path, file: usize) -> String {
    fs::read_to_string(root.join(format!("src/f{file}.rs"))).unwrap()
}

/// One random sequence of edits and undos; returns the numbers of undos done and refused.
fn sequence(seed: u64) -> (usize, usize) {
    let mut rng = Rng::new(seed);
    let folder = tempdir();
    let root = folder.path();
    fs::create_dir(root.join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::write(root.join("src/lib.rs"), "mod f0;\nmod f1;\n").unwrap();
    let texts = [0, 1].map(|file| {
        let line = |n: usize| format!("const C{n}: u64 = {};\n", 123_456 + n * 1_000 + file);
        (0..5).map(line).collect::<String>()
    });
    for (file, text) in texts.iter().enumerate() {
        fs::write(root.join(format!("src/f{file}.rs")), text).unwrap();
    }
    let database = Database::create_or_open(root).unwrap();
    database.refresh(&Options::default(), &Silent).unwrap();
    let mut oracle = Oracle::new(&texts);
    let actors = ["ana", "bo"];
    let options = |actor: usize| EditOptions {
        actor: Some(actors[actor].to_owned()),
        ..EditOptions::default()
    };
    let (mut done, mut refused) = (0, 0);
    for step in 0..30 {
        let told = format!("seed {seed}, step {step}");
        let open: Vec<usize> =
            (0..oracle.edits.len()).filter(|at| !oracle.edits[*at].undone).collect();
        if rng.below(5) < 3 || open.is_empty() {
            let (file, actor) = (rng.below(2), rng.below(2));
            let before = read(root, file);
            let (start, end, new) = random_splice(&mut rng, &before, step);
            if before[start..end] == new {
                continue;
            }
            let edit = Edit::Splice(SpliceEdit {
                file_path: format!("src/f{file}.rs"),
                expected_file_hash: RawHash::hash(before.as_bytes()),
                start_byte: start as u32,
                end_byte: end as u32,
                replacement: new.clone(),
                namespace: None,
            });
            let summary = database.edit(&EditRequest { edits: vec![edit] }, &options(actor));
            let summary = summary.unwrap_or_else(|error| panic!("{told}: {error}"));
            oracle.apply(summary.proposal_id.unwrap(), actor, file, (start, end, &new));
        } else {
            // By the actor, or one by its id.
            let own = rng.below(3) == 0;
            let actor = rng.below(2);
            let of = |at: &&usize| oracle.edits[**at].actor == actor;
            let edit = if own {
                match open.iter().rfind(of) {
                    Some(edit) => *edit,
                    None => continue,
                }
            } else {
                open[rng.below(open.len())]
            };
            let id = oracle.edits[edit].proposal.clone();
            let result = database.undo_edit((!own).then_some(id.as_str()), &options(actor));
            match result {
                Ok(summary) => {
                    assert_eq!(summary.proposal_id.as_ref(), Some(&id), "{told}");
                    assert!(oracle.place(edit).is_some(), "{told}: an overlap was undone");
                    oracle.undo(edit);
                    done += 1;
                }
                Err(EngineError::Edit(EditError::CannotUndo { files, .. })) => {
                    let fine = oracle.place(edit).is_some() && !oracle.is_guess(edit);
                    assert!(!fine, "{told}: no overlap, and refused: {files:?}");
                    assert!(!files.is_empty());
                    refused += 1;
                }
                Err(error) => panic!("{told}: {error}"),
            }
        }
        for file in 0..2 {
            assert_eq!(read(root, file), oracle.text(file), "{told}");
        }
    }
    (done, refused)
}

#[test]
fn undos_in_any_order_equal_the_oracle() {
    let (count, first) = (number("ASOF_SEQUENCES", 12), number("ASOF_SEED", 1));
    let results: Vec<(usize, usize)> = (first..first + count).map(sequence).collect();
    let sum = |of: fn(&(usize, usize)) -> usize| results.iter().map(of).sum::<usize>();
    let (done, refused) = (sum(|r| r.0), sum(|r| r.1));
    println!("{done} undone, {refused} refused");
    let seen: BTreeSet<bool> = [done > 0, refused > 0].into();
    assert_eq!(seen, BTreeSet::from([true]), "{done} undone, {refused} refused");
}
