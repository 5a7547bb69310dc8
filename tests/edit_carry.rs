//! A planned edit whose file changes before it is applied: carried over if its target is unchanged,
//! refused with the reason if not. Cases that the fuzz driver found have tests of their own.

use crate::support;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asof::{Database, EditOptions, EngineError};
use asof_edit::{
    CanonicalEdit, DeleteEdit, Edit, EditRequest, InsertEdit, Part, Position, Proposal, SpliceEdit,
};
use asof_model::RawHash;
use asof_store::Batch;
use asof_wire::{EditStatus, EditSummary, ProposalStatus};
use support::Copy;

const MANIFEST: (&str, &str) = ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n");

fn workspace(files: &[(&str, &str)]) -> (Copy, Database) {
    let mut all = vec![MANIFEST];
    all.extend_from_slice(files);
    let copy = Copy::with(&all);
    let database = Database::create_or_open(&copy.root).unwrap();
    (copy, database)
}

fn plan(database: &Database, edit: Edit) -> String {
    let request = EditRequest { edits: vec![edit] };
    database.plan_edit(&request, &EditOptions::default()).unwrap().proposal_id.unwrap()
}

/// The edit is planned, the file is given `changed`, and the edit is applied.
fn carried(before: &str, edit: Edit, changed: &str, after: &str) -> EditSummary {
    let (mut copy, database) = workspace(&[("src/lib.rs", before)]);
    let id = plan(&database, edit);
    copy.write("src/lib.rs", changed);
    let summary = match database.apply_edit(&id, &EditOptions::default()) {
        Ok(summary) => summary,
        Err(error) => panic!("{error}"),
    };
    assert_eq!(copy.text("src/lib.rs"), after);
    assert_eq!(summary.edits[0].status, EditStatus::Rebased);
    summary
}

/// The error if the edit cannot be carried over.
fn refused(before: &str, edit: Edit, changed: &str) -> String {
    let (mut copy, database) = workspace(&[("src/lib.rs", before)]);
    let id = plan(&database, edit);
    copy.write("src/lib.rs", changed);
    let error = database.apply_edit(&id, &EditOptions::default()).unwrap_err();
    assert_eq!(copy.text("src/lib.rs"), changed);
    error.to_string()
}

fn delete(canon: &str) -> Edit {
    let path = canon.to_owned();
    let (file_path, kind, has, expected_tracking_hash) = (None, None, None, None);
    Edit::Delete(DeleteEdit {
        path,
        file_path,
        kind,
        has,
        uses: None,
        with_guesses: false,
        empty_modules: false,
        expected_tracking_hash,
    })
}

fn part(canon: &str, part: Part, code: &str) -> Edit {
    Edit::Canonical(CanonicalEdit {
        file_path: None,
        path: canon.to_owned(),
        kind: None,
        has: None,
        find: None,
        all: false,
        part,
        code: code.to_owned(),
        expected_tracking_hash: None,
    })
}

fn splice(text: &str, old: &str, new: &str) -> Edit {
    let start = text.find(old).unwrap();
    Edit::Splice(SpliceEdit {
        file_path: "src/lib.rs".to_owned(),
        expected_file_hash: RawHash::hash(text.as_bytes()),
        start_byte: start as u32,
        end_byte: (start + old.len()) as u32,
        replacement: new.to_owned(),
        namespace: None,
    })
}

/// The blanks around an item belong to it; a change in them is not a reason to refuse.
#[test]
fn a_deletion_looks_at_the_item_and_not_at_the_blanks_around() {
    carried(
        "fn a() {}\n\nfn b() {}\n\nfn c() {}\n",
        delete("p::b"),
        "fn a() {}\n// Of b.\nfn b() {}\nfn c() {}\n",
        "fn a() {}\n// Of b.\nfn c() {}\n",
    );
    carried(
        "enum E {\n    A,\n    B,\n}\n",
        delete("p::E::B"),
        "enum E { A, B }\n",
        "enum E { A, }\n",
    );
}

#[test]
fn an_item_that_moved_within_its_line_moved() {
    carried("fn a() {}\nfn b() {}\n", delete("p::b"), "fn a() {}\n  fn b() {}\n", "fn a() {}\n");
}

#[test]
fn documentation_comes_to_an_item_without_any() {
    carried(
        "fn a() {}\n",
        part("p::a", Part::Docs, "Says."),
        "// Of a.\nfn a() {}\n",
        "// Of a.\n/// Says.\nfn a() {}\n",
    );
}

/// The bytes of `mod name;` are an item of this file, though the module is another file.
#[test]
fn a_splice_within_the_declaration_of_a_module_is_carried_over() {
    let text = "mod a;\nfn b() {}\n";
    let (mut copy, database) = workspace(&[("src/lib.rs", text), ("src/a.rs", "fn c() {}\n")]);
    let id = plan(&database, splice(text, "mod a;", "pub mod a;"));
    copy.write("src/lib.rs", "// First.\nmod a;\nfn b() {}\n");
    let summary = database.apply_edit(&id, &EditOptions::default()).unwrap();
    assert_eq!(summary.edits[0].status, EditStatus::Rebased);
    assert_eq!(copy.text("src/lib.rs"), "// First.\npub mod a;\nfn b() {}\n");
}

/// Meanwhile the file was the root of another crate: its items have other ids.
#[test]
fn a_splice_is_carried_over_though_its_item_has_another_identity() {
    let text = "fn a() { 1; }\n";
    let (mut copy, database) = workspace(&[("src/lib.rs", "mod b;\n"), ("src/b.rs", text)]);
    let mut edit = splice(text, "1", "2");
    if let Edit::Splice(SpliceEdit { file_path, .. }) = &mut edit {
        *file_path = "src/b.rs".to_owned();
    }
    let id = plan(&database, edit);
    copy.write("src/lib.rs", "");
    copy.write("src/b.rs", "// First.\nfn a() { 1; }\n");
    database.apply_edit(&id, &EditOptions::default()).unwrap();
    assert_eq!(copy.text("src/b.rs"), "// First.\nfn a() { 2; }\n");
}

#[test]
fn a_splice_whose_item_changed_is_refused_with_the_difference() {
    let text = "fn a() {\n    1;\n    2;\n}\n";
    let said = refused(text, splice(text, "1", "3"), "\nfn a() {\n    1;\n    4;\n}\n");
    let said: Vec<&str> = said.lines().filter(|line| !line.contains("hash")).collect();
    insta::assert_snapshot!(said.join("\n"), @r"
    stale: the item that holds the bytes has changed (p::a)
     fn a() {
         1;
    -    2;
    +    4;
     }
    ");
}

/// Half an item has no place for children; the reason is that the file changed.
#[test]
fn a_target_that_is_cut_off_is_stale() {
    let edit = Edit::Insert(InsertEdit {
        anchor: "p::m".to_owned(),
        position: Position::FirstChild,
        code: "fn b() {}".to_owned(),
        file_path: None,
        kind: None,
        has: None,
    });
    let said = refused("mod m {\n    fn a() {}\n}\n", edit, "mod m {\n    fn");
    assert!(said.starts_with("stale: "), "{said}");
}

/// The path that the database gives to a method of an unknown type resolves to it.
#[test]
fn every_path_that_is_told_can_be_edited() {
    let text =
        "impl Pair {\n    fn kind() {}\n}\nimpl Named for (Pair, Pair) {\n    fn name() {}\n}\n";
    let (copy, database) = workspace(&[("src/lib.rs", text)]);
    for (canon, code) in
        [("Pair::kind", "fn kind() { 1; }"), ("<(Pair, Pair) as Named>::name", "fn name() { 2; }")]
    {
        let request = EditRequest { edits: vec![part(canon, Part::Whole, code)] };
        if let Err(error) = database.edit(&request, &EditOptions::default()) {
            panic!("{canon}: {error}");
        }
        assert!(copy.text("src/lib.rs").contains(code));
    }
}

/// Documentation is inserted before an item, and does not overlap with the item's replacement.
#[test]
fn two_edits_of_one_item_overlap_unless_they_are_about_different_parts() {
    let (copy, database) = workspace(&[("src/lib.rs", "fn a() { 1; }\n")]);
    let edit = |edits: Vec<Edit>| {
        let result = database.edit(&EditRequest { edits }, &EditOptions::default());
        result.map(|_| copy.text("src/lib.rs")).map_err(|error| error.to_string())
    };
    let docs = || part("p::a", Part::Docs, "Says.");
    let overlap = Err("edits 0 and 1 of the request overlap in src/lib.rs".to_owned());
    assert_eq!(edit(vec![docs(), part("p::a", Part::Whole, "fn a() {}")]), overlap);
    assert_eq!(edit(vec![docs(), docs()]), overlap);
    assert_eq!(edit(vec![delete("p::a"), docs()]), overlap);
    let parts = vec![docs(), part("p::a", Part::Signature, "fn a(b: u8)")];
    assert_eq!(edit(parts), Ok("/// Says.\nfn a(b: u8) { 1; }\n".to_owned()));
}

/// New code may take the blanks of an item that is removed beside it, not a part of the item.
#[test]
fn an_insertion_into_an_item_that_is_removed_overlaps() {
    let text = "/// Says.\nfn a() {}\n\nmod m {\n    fn b() {}\n}\n";
    let (copy, database) = workspace(&[("src/lib.rs", text)]);
    let into = |position| {
        Edit::Insert(InsertEdit {
            anchor: "p::m".to_owned(),
            position,
            code: "fn c() {}".to_owned(),
            file_path: None,
            kind: None,
            has: None,
        })
    };
    // The result is not what is wrong with such a request.
    let broken = EditOptions { allow_broken: true, ..EditOptions::default() };
    for (position, options) in [
        (Position::FirstChild, EditOptions::default()),
        (Position::LastChild, EditOptions::default()),
        (Position::FirstChild, broken.clone()),
        (Position::LastChild, broken),
    ] {
        let edits = vec![part("p::a", Part::Docs, "New."), into(position), delete("p::m")];
        let error = database.edit(&EditRequest { edits }, &options).unwrap_err();
        assert_eq!(error.to_string(), "edits 1 and 2 of the request overlap in src/lib.rs");
        assert_eq!(copy.text("src/lib.rs"), text);
    }
}

/// Documentation and attributes are compared alone: those of changed code stay its own.
#[test]
fn documentation_is_stale_if_it_changed_itself() {
    let text = "enum E {\n    /// A.\n    A {\n        /// Old.\n        b: u8,\n    },\n}\n";
    let docs = |path: &str| part(path, Part::Docs, "New.");
    let attributes = part("p::E::A::b", Part::Attributes, "#[cfg(unix)]");
    let stale = |edit: Edit, changed: &str| {
        let said = refused(text, edit, changed);
        assert!(said.starts_with("stale: the part of the item has changed"), "{said}");
    };
    stale(docs("p::E::A::b"), &text.replace("Old.", "Other."));
    stale(docs("p::E::A"), &text.replace("/// A.", "/// B."));
    stale(attributes, &text.replace("b: u8", "#[doc(hidden)]\n        b: u8"));
    let above = text.replace("enum", "// Above.\nenum");
    for changed in [above.clone(), above.replace("u8", "u16")] {
        carried(text, docs("p::E::A::b"), &changed, &changed.replace("Old", "New"));
    }
}

const TWO: &str = "struct Pair<A>(A);
impl Pair<u8> {
    fn kind() { 1; }
}
impl Pair<char> {
    fn kind() { 2; }
}
";

/// A path means what is there when the edit is planned, if that is one item.
#[test]
fn a_path_of_two_items_means_the_one_that_is_left() {
    let (mut copy, database) = workspace(&[("src/lib.rs", TWO)]);
    let edit = |database: &Database| {
        let edits = vec![part("p::Pair::kind", Part::Body, "{ 3; }")];
        database.edit(&EditRequest { edits }, &EditOptions::default())
    };
    let error = edit(&database).unwrap_err();
    assert!(matches!(error, EngineError::Ambiguous { .. }), "{error}");
    copy.write("src/lib.rs", TWO.replace("    fn kind() { 2; }\n", ""));
    edit(&database).unwrap();
    let left = TWO.replace("    fn kind() { 2; }\n", "").replace("1;", "3;");
    assert_eq!(copy.text("src/lib.rs"), left);
}

/// Of two impls, the one with the method loses it, and the other one gets it.
#[test]
fn an_edit_is_not_carried_over_to_another_item_of_the_same_path() {
    let only = TWO.replace("    fn kind() { 2; }\n", "");
    let body = || part("p::Pair::kind", Part::Body, "{ 3; }");
    refused(&only, body(), TWO);
    let other = TWO.replace("    fn kind() { 1; }\n", "");
    refused(&only, body(), &other);
    refused(&only, body(), &other.replace("2;", "1;"));
}

#[test]
fn an_edit_of_a_file_that_stayed_the_same_did_not_move() {
    let lib = "mod b;\nfn a() {}\nfn c() {}\nfn d() {}\n";
    let (mut copy, database) = workspace(&[("src/lib.rs", lib), ("src/b.rs", "fn f() {}\n")]);
    let request = EditRequest {
        edits: vec![delete("p::c"), delete("p::d"), part("p::b::f", Part::Body, "{ 1; }")],
    };
    let planned = database.plan_edit(&request, &EditOptions::default()).unwrap();
    copy.write("src/b.rs", "\nfn f() {}\n");
    let id = planned.proposal_id.unwrap();
    let summary = database.apply_edit(&id, &EditOptions::default()).unwrap();
    let found: Vec<EditStatus> = summary.edits.iter().map(|edit| edit.status).collect();
    assert_eq!(found, [EditStatus::Applied, EditStatus::Applied, EditStatus::Rebased]);
    assert_eq!(copy.text("src/lib.rs"), "mod b;\nfn a() {}\n");
}

/// Calls `write` with 0, 1, 2… until told to stop, 5 to 30 ms apart. Returns how often.
fn keep_writing(stop: &AtomicBool, mut write: impl FnMut(usize)) -> usize {
    let mut written = 0;
    let mut seed = 7_u64;
    while !stop.load(Ordering::Relaxed) {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros(5_000 + (seed >> 33) % 25_000));
        write(written);
        written += 1;
    }
    written
}

/// What `job` returns while another thread keeps writing, and how often that wrote.
fn beside<T>(write: impl FnMut(usize) + Send, job: impl FnOnce() -> T) -> (T, usize) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| keep_writing(&stop, write));
        std::thread::sleep(Duration::from_millis(100));
        let done = job();
        stop.store(true, Ordering::Relaxed);
        (done, writer.join().unwrap())
    })
}

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("// line {n}\n")).collect()
}

fn append(path: &Path, number: usize) {
    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
    writeln!(file, "// line {number}").unwrap();
}

/// Another program appends to the file every 5 to 30 ms: the edits are applied all the same, and every
/// line of the other is there. `ASOF_BUSY=24` makes more rounds, of which one in ten may be refused,
/// with the count.
#[test]
fn an_edit_beside_a_busy_writer_is_applied_and_loses_nothing() {
    let rounds = std::env::var("ASOF_BUSY").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let mut refused = Vec::new();
    let mut times = Vec::new();
    for round in 0..rounds {
        let other = "fn other() {}\n";
        let (copy, database) =
            workspace(&[("src/lib.rs", "mod other;\nfn a() { 1 }\n"), ("src/other.rs", other)]);
        let path = copy.root.join("src/lib.rs");
        let edits = vec![
            part("p::a", Part::Whole, "fn a() { 2 }"),
            part("p::other::other", Part::Body, "{ 3; }"),
        ];
        let (outcome, written) = beside(
            |number| append(&path, number),
            || {
                let begin = Instant::now();
                let outcome = database.edit(&EditRequest { edits }, &EditOptions::default());
                times.push(begin.elapsed());
                outcome
            },
        );
        let (item, other) = match outcome {
            Ok(_) => ("fn a() { 2 }", "fn other() { 3; }\n"),
            Err(error) => {
                let said = error.to_string();
                assert!(said.contains("src/lib.rs") && said.contains(" times in "), "{said}");
                refused.push(said);
                ("fn a() { 1 }", other)
            }
        };
        let lib = format!("mod other;\n{item}\n{}", lines(written));
        assert_eq!(copy.text("src/lib.rs"), lib, "round {round}");
        assert_eq!(copy.text("src/other.rs"), other, "round {round}");
    }
    println!("{rounds} edits, {} refused: {refused:?}; {times:.1?}", refused.len());
    assert!(refused.len() * 10 <= rounds, "{refused:?}");
}

/// The same for an undo, whose patch is carried below what came later.
#[test]
fn an_undo_beside_a_busy_writer_is_done_and_loses_nothing() {
    let (copy, database) = workspace(&[("src/lib.rs", "fn a() { 1 }\n")]);
    let path = copy.root.join("src/lib.rs");
    let edits = vec![part("p::a", Part::Whole, "fn a() { 2 }")];
    let applied = database.edit(&EditRequest { edits }, &EditOptions::default()).unwrap();
    let (undone, written) = beside(
        |number| append(&path, number),
        || database.undo_edit(applied.proposal_id.as_deref(), &EditOptions::default()),
    );
    undone.unwrap();
    assert_eq!(copy.text("src/lib.rs"), format!("fn a() {{ 1 }}\n{}", lines(written)));
}

/// The item itself changes all the time: nobody can say that it is what the edit was made for.
#[test]
fn an_edit_of_an_item_that_keeps_changing_is_refused_with_the_count() {
    let (copy, database) = workspace(&[("src/lib.rs", "fn a() { 1 }\n")]);
    let (path, draft) = (copy.root.join("src/lib.rs"), copy.root.join("draft"));
    let write = |number| {
        fs::write(&draft, format!("fn a() {{ {} }}\n", number + 100)).unwrap();
        fs::rename(&draft, &path).unwrap();
    };
    // Planned with each change, the edit is refused when it comes to the writing.
    let plan_and_apply = || {
        let id = plan(&database, part("p::a", Part::Body, "{ 2 }"));
        std::thread::sleep(Duration::from_millis(60));
        database.apply_edit(&id, &EditOptions::default())
    };
    let (outcome, written) = beside(write, plan_and_apply);
    let said = outcome.unwrap_err().to_string();
    assert!(said.starts_with("stale: the part of the item has changed"), "{said}");
    assert!(said.contains("; seen to change: src/lib.rs ("), "{said}");
    assert_eq!(copy.text("src/lib.rs"), format!("fn a() {{ {} }}\n", written + 99));
    // The proposal can be applied once the item is as it was.
    let found = database.proposals(None).unwrap();
    assert_eq!(found[0].status, ProposalStatus::Planned);
}

/// A process that died right after it had carried an edit over had noted the first plan.
#[test]
fn an_interrupted_edit_is_recorded_as_it_was_written() {
    let (copy, database) = workspace(&[("src/lib.rs", "fn a() { 1 }\n")]);
    let edits = vec![part("p::a", Part::Whole, "fn a() { 2 }")];
    let id = database.edit(&EditRequest { edits }, &EditOptions::default()).unwrap();
    let id = id.proposal_id.unwrap();
    let written = asof_edit::find(database.store(), &id).unwrap();
    let mut noted = written.clone();
    noted.status = ProposalStatus::Applying;
    let file = &mut noted.plan.files[0];
    (file.before_hash, file.after_hash) = (Some(RawHash::hash(b"x")), Some(RawHash::hash(b"y")));
    file.diff = "of other texts".to_owned();
    let mut batch = Batch::new();
    asof_edit::save(&mut batch, &noted).unwrap();
    database.store().commit(batch).unwrap();
    fs::write(copy.root.join(".asof/edit.pending"), &id).unwrap();
    database.recover_edits().unwrap();
    let recovered = asof_edit::find(database.store(), &id).unwrap();
    assert_eq!(recovered.status, ProposalStatus::Applied);
    let told = |proposal: &Proposal| {
        let file = &proposal.plan.files[0];
        (file.before_hash, file.after_hash, file.diff.clone())
    };
    assert_eq!(told(&recovered), told(&written));
}
