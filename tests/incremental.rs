//! The state at NOW after any sequence of edits equals that of a new index, row by row.
//!
//! `ASOF_SEQUENCES=1000 cargo test --test suite incremental::` runs more; `ASOF_SEED` starts elsewhere.

use crate::support;
use crate::support::tempdir;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use asof_index::{IndexError, Memory, Options, Silent, refresh};
use asof_model::Micros;
use asof_query::Library;
use asof_store::{Batch, Limits, Params, Store, Value};
use support::edits::{Rng, edit};
use support::{
    Copy, Dump, FIXTURES, differences, differences_from_fresh, dump, index, newest, options,
    try_index, was_wide,
};

/// Steps of a sequence; each is one run of the indexer after one or more edits.
const STEPS: usize = 6;

#[derive(Default)]
struct Paths {
    wide: AtomicUsize,
    narrow: AtomicUsize,
    none: AtomicUsize,
    refused: AtomicUsize,
}

/// How what was resolved comes from run to run.
enum Kept {
    Nowhere,
    /// In the memory of one process.
    InMemory,
    /// In a file beside the database, which is opened for each run.
    InFile(tempfile::TempDir),
}

impl Kept {
    /// A third of the sequences each.
    fn new(steps: &[u64]) -> Self {
        match steps.first().map(|seed| seed / 1_000 % 3) {
            Some(1) => Kept::InMemory,
            Some(2) => Kept::InFile(tempdir()),
            _ => Kept::Nowhere,
        }
    }

    fn create(&self) -> Store {
        match self {
            Kept::InFile(folder) => Store::create(&folder.path().join("db")).unwrap(),
            _ => Store::in_memory().unwrap(),
        }
    }

    fn open_again(&self, store: Store) -> Store {
        let Kept::InFile(folder) = self else { return store };
        drop(store);
        Store::open(&folder.path().join("db")).unwrap()
    }
}

/// Applies the steps (a seed each) to a copy of a fixture; what differs after the last, with
/// the edits so far, if anything does.
fn run(fixture: &str, steps: &[u64], paths: &Paths) -> Result<(), (usize, String)> {
    let mut copy = Copy::of_fixture(fixture);
    let kept = Kept::new(steps);
    let mut store = kept.create();
    index(&store, &copy.root);
    let memory = matches!(kept, Kept::InMemory).then(Memory::with_parsed);
    let options = Options { memory, ..options() };
    let mut before = dump(&store);
    let mut told = String::new();
    for (number, seed) in steps.iter().enumerate() {
        store = kept.open_again(store);
        let mut rng = Rng::new(*seed);
        for _ in 0..1 + rng.below(5) / 3 {
            told.push_str(&format!("{number}: {}\n", edit(&mut copy, &mut rng)));
        }
        let report = match refresh(&store, &copy.root, &options, &Silent) {
            Ok(report) => report,
            Err(error) => {
                paths.refused.fetch_add(1, Ordering::Relaxed);
                match refused(&store, &copy, &before, &error) {
                    found if found.is_empty() => continue,
                    found => return Err((number, format!("{told}{found}"))),
                }
            }
        };
        let path = match (report.revision, was_wide(&report)) {
            (None, _) => &paths.none,
            (_, true) => &paths.wide,
            (_, false) => &paths.narrow,
        };
        path.fetch_add(1, Ordering::Relaxed);
        let found = differences_from_fresh(&store, &copy.root);
        if !found.is_empty() {
            return Err((number, format!("{told}{found}")));
        }
        before = dump(&store);
        if let Some(revision) = index(&store, &copy.root).revision {
            return Err((number, format!("{told}{revision} though nothing changed\n")));
        }
    }
    Ok(())
}

/// Names that were saved of another state, or that are damaged, are resolved again.
#[test]
fn saved_names_that_do_not_fit_are_not_used() {
    let mut copy = Copy::of_fixture("items");
    let folder = tempdir();
    let (database, saved) = (folder.path().join("db"), folder.path().join("db-names"));
    index(&Store::create(&database).unwrap(), &copy.root);
    let first = std::fs::read(&saved).unwrap();
    let mut flipped = first.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let cases: [(&str, Option<&[u8]>); 5] = [
        ("as it is", Some(&first)),
        ("gone", None),
        ("empty", Some(b"")),
        ("cut", Some(&first[..first.len() / 2])),
        ("flipped", Some(&flipped)),
    ];
    for (number, (what, bytes)) in cases.into_iter().enumerate() {
        match bytes {
            Some(bytes) => std::fs::write(&saved, bytes).unwrap(),
            None => std::fs::remove_file(&saved).unwrap(),
        }
        copy.write("src/late.rs", format!("pub fn late() {{ let _ = {number}; crate::late() }}"));
        let store = Store::open(&database).unwrap();
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{what}");
        copy.edit("src/late.rs", "let _ =", "let _x =");
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{what}, body");
    }
    // Whoever can write the file can say what it is of: nothing in it is trusted to be in range.
    let now = std::fs::read(&saved).unwrap();
    let head = 2 * blake3::OUT_LEN;
    for at in (head..now.len()).step_by(1 + now.len() / 60) {
        let mut bytes = now.clone();
        bytes[at] = bytes[at].wrapping_add(0x55);
        let hash = blake3::hash(&bytes[head..]);
        bytes[blake3::OUT_LEN..head].copy_from_slice(hash.as_bytes());
        std::fs::write(&saved, bytes).unwrap();
        copy.write("src/late.rs", format!("pub fn late() {{ let _x = {at}; crate::late() }}"));
        // Its rows may be wrong, but it ends.
        let _ = try_index(&Store::open(&database).unwrap(), &copy.root);
    }
}

/// What is wrong with a refusal: the last good state has to stay, and a new index has to be
/// refused for the same reason (a root manifest that does not parse).
fn refused(store: &Store, copy: &Copy, before: &Dump, error: &IndexError) -> String {
    let mut found = differences(before, &dump(store));
    let new = try_index(&Store::in_memory().unwrap(), &copy.root).map(|_| ());
    match new {
        Err(new) if new.to_string() == error.to_string() => {}
        new => found.push_str(&format!("{error}, but of a new index {new:?}\n")),
    }
    found
}

/// The fewest steps that still fail.
fn shrink(fixture: &str, steps: &[u64], failed: (usize, String)) -> String {
    let mut steps = steps[..=failed.0].to_vec();
    let mut message = failed.1;
    let mut at = 0;
    while at < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(at);
        match run(fixture, &fewer, &Paths::default()) {
            Err((last, found)) => {
                fewer.truncate(last + 1);
                (steps, message) = (fewer, found);
            }
            Ok(()) => at += 1,
        }
    }
    message.chars().take(6_000).collect()
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn incremental_equals_fresh() {
    let count = number("ASOF_SEQUENCES", 40);
    let first = number("ASOF_SEED", 0);
    let paths = Paths::default();
    let mut failures = Vec::new();
    for sequence in first..first + count {
        let fixture = FIXTURES[sequence as usize % FIXTURES.len()];
        let steps: Vec<u64> = (0..STEPS as u64).map(|n| sequence * 1_000 + n).collect();
        if let Err(failed) = run(fixture, &steps, &paths) {
            let message = shrink(fixture, &steps, failed);
            failures.push(format!("sequence {sequence} of {fixture}:\n{message}"));
            if failures.len() >= 8 {
                break;
            }
        }
    }
    let outcomes =
        [paths.wide, paths.narrow, paths.none, paths.refused].map(AtomicUsize::into_inner);
    let [wide, narrow, none, refused] = outcomes;
    let outcomes_told = format!(
        "{count} sequences: {wide} runs wide, {narrow} narrow, {none} without a revision, \
         {refused} refused, {} failures",
        failures.len()
    );
    println!("{outcomes_told}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // A refusal is rare; the other outcomes are in any forty sequences.
    assert!(count < 40 || [wide, narrow, none].iter().all(|runs| *runs > 0), "{outcomes_told}");
}

/// After `edit`, the next run ends in the rows of a new index.
fn check_edit(mut copy: Copy, edit: impl FnOnce(&mut Copy)) {
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    edit(&mut copy);
    index(&store, &copy.root);
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
}

/// Names that another version of the tool resolved may mean something else, though no file changed.
#[test]
fn names_resolved_with_another_standard_library_are_resolved_again() {
    let copy = Copy::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "pub fn f(text: &str) { g(text.len()); }\nfn g(n: usize) { n.pow(2); }\n"),
    ]);
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    assert_eq!(index(&store, &copy.root).parsed, 0);
    // It knew nothing of `str` and `usize`.
    let script = "?[source] := *refs_by_source{source @ $at}";
    let at = newest(&store);
    let rows = store.run(script, &Params::new().with("at", at)).unwrap();
    let mut batch = Batch::new();
    batch.put("meta", ["library".into(), "another".into()]).unwrap();
    for row in rows.iter() {
        let source = row.get::<Value>("source").unwrap();
        batch.assert("refs_by_source", at, [source], [Value::List(Vec::new())]).unwrap();
    }
    let lock = store.write_lock(Duration::ZERO).unwrap();
    lock.commit(batch).unwrap();
    drop(lock);
    assert_ne!(differences_from_fresh(&store, &copy.root), "");
    let report = index(&store, &copy.root);
    assert!(report.revision.is_some());
    assert_eq!((report.parsed, report.changed), (1, vec![]));
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
    assert_eq!(index(&store, &copy.root).parsed, 0);
}

/// A condition reaches files whose texts stay as they are.
#[test]
fn conditions_of_what_an_item_is_in_follow_every_edit() {
    let mut copy = Copy::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "#[cfg(a)]\nmod m;\n#[cfg(b)]\nmod twice;\n#[cfg(c)]\nmod twice;\n"),
        ("src/m.rs", "pub mod deep;\nimpl S {\n    fn f() {}\n}\nstruct S;\n"),
        ("src/m/deep.rs", "fn g() {}\n"),
        ("src/twice.rs", "fn h() {}\n"),
        ("src/sys.rs", "fn plain() {}\n"),
        ("src/other.rs", "fn other() {}\n"),
    ]);
    let store = Store::in_memory().unwrap();
    let conditions = |store: &Store| -> String {
        let script = "?[path, condition] := *condition{id, condition @ $at}, *node{id, path @ $at}, \
                      is_in(path, ['p::m::S::f', 'p::m::deep::g', 'p::twice::h', 'p::sys::plain', 'p::sys::other'])\n\
                      :order path, condition";
        let rows = store.run(script, &Params::new().with("at", newest(store))).unwrap();
        let line = |path: String, condition: String| format!("{path}: {condition}");
        let rows =
            rows.iter().map(|row| line(row.get("path").unwrap(), row.get("condition").unwrap()));
        rows.collect::<Vec<_>>().join("; ")
    };
    let steps: [(&str, &str, &str, &str); 9] = [
        ("", "", "", "p::m::S::f: a; p::m::deep::g: a; p::twice::h: any(b, c)"),
        (
            "src/lib.rs",
            "cfg(a)",
            "cfg(unix)",
            "p::m::S::f: unix; p::m::deep::g: unix; p::twice::h: any(b, c)",
        ),
        (
            "src/m.rs",
            "impl S {\n",
            "#[cfg(x)]\nimpl S {\n",
            "p::m::S::f: all(unix, x); p::m::deep::g: unix; p::twice::h: any(b, c)",
        ),
        (
            "src/m.rs",
            "pub mod deep",
            "#[cfg(windows)]\npub mod deep",
            "p::m::S::f: all(unix, x); p::m::deep::g: false; p::twice::h: any(b, c)",
        ),
        (
            "src/m/deep.rs",
            "fn g",
            "#![cfg(test)]\nfn g",
            "p::m::S::f: all(unix, x); p::m::deep::g: false; p::twice::h: any(b, c)",
        ),
        (
            "src/lib.rs",
            "#[cfg(unix)]\n",
            "",
            "p::m::S::f: x; p::m::deep::g: all(test, windows); p::twice::h: any(b, c)",
        ),
        ("src/lib.rs", "cfg(c)", "cfg(not(b))", "p::m::S::f: x; p::m::deep::g: all(test, windows)"),
        (
            "src/lib.rs",
            "#[cfg(not(b))]\nmod twice;\n",
            "",
            "p::m::S::f: x; p::m::deep::g: all(test, windows); p::twice::h: b",
        ),
        (
            "src/lib.rs",
            "mod m;",
            "mod m;\n#[cfg_attr(unix, path = \"other.rs\")]\nmod sys;\n",
            "p::m::S::f: x; p::m::deep::g: all(test, windows); p::sys::other: unix; p::sys::plain: not(unix); p::twice::h: b",
        ),
    ];
    for (path, from, to, expected) in steps {
        if !path.is_empty() {
            copy.edit(path, from, to);
        }
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{path}: {from} to {to}");
        assert_eq!(conditions(&store), expected, "{path}: {from} to {to}");
    }
}

/// A call of a macro declares a module for each file of a folder, so a file that comes or goes changes
/// what others mean.
#[test]
fn modules_that_a_macro_call_declares_come_and_go_with_their_files() {
    let mut copy = Copy::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        (
            "src/lib.rs",
            "#[cfg(unix)]\nmod all {\n    automod::dir!(pub \"src/all\");\n}\nfn f() { all::one::g(); all::two::g(); all::a_b::g(); all::mod_rs::g(); }\n",
        ),
        ("src/all/one.rs", "pub fn g() {}\nmod deep;\n"),
        ("src/all/one/deep.rs", "fn h() { super::g(); }\n"),
        ("src/all/a-b.rs", "pub fn g() {}\n"),
        ("src/all/mod.rs", "fn left_out() {}\n"),
        ("src/other/two.rs", "pub fn g() {}\n"),
    ]);
    let store = Store::in_memory().unwrap();
    let used = |store: &Store| -> String {
        let script = "seen[path] := *refs_by_target{target @ $at}, *node{id: target, path, name: 'g' @ $at}\n\
                      seen[path] := *node{path, kind: 'module', visibility: 'pub' @ $at}, starts_with(to_string(path), 'p::all::')\n\
                      ?[path] := seen[path]\n:order path";
        let rows = store.run(script, &Params::new().with("at", newest(store))).unwrap();
        let paths = rows.iter().map(|row| row.get::<String>("path").unwrap());
        paths.collect::<Vec<_>>().join(" ")
    };
    let check = |copy: &Copy, expected: &str| {
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "");
        assert_eq!(used(&store), expected);
    };
    let both = "p::all::a_b p::all::a_b::g p::all::one p::all::one::g";
    check(&copy, both);
    copy.write("src/all/two.rs", "pub fn g() {}\n");
    check(&copy, &format!("{both} p::all::two p::all::two::g"));
    copy.edit("src/lib.rs", "pub \"src/all\"", "pub \"src/none\"");
    check(&copy, "");
    copy.edit("src/lib.rs", "pub \"src/none\"", "pub(crate) \"src/all\"");
    check(&copy, "p::all::a_b::g p::all::one::g p::all::two::g");
    copy.remove("src/all/one.rs");
    check(&copy, "p::all::a_b::g p::all::two::g");
}

/// Which of several definitions a use may mean depends on the conditions of both, however far away
/// these are.
#[test]
fn uses_follow_the_conditions_of_both_ends() {
    let twin = "pub struct S;\nimpl S {\n    pub fn m(&self) {}\n}\n";
    let lib = "#[cfg(a)]\nmod one;\n#[cfg(b)]\nmod two;\n#[cfg(a)]\npub use one::S;\n\
               #[cfg(b)]\npub use two::S;\n#[cfg(a)]\nmod user;\n";
    let mut copy = Copy::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        ("src/lib.rs", lib),
        ("src/one.rs", twin),
        ("src/two.rs", twin),
        ("src/user.rs", "mod deep;\n"),
        ("src/user/deep.rs", "fn f(s: &crate::S) {\n    s.m()\n}\n"),
    ]);
    let store = Store::in_memory().unwrap();
    let called = |store: &Store| -> Vec<String> {
        let script = "?[path] := *refs_by_target{target @ $at}, *node{id: target, path, name: 'm' @ $at}\n:order path";
        let rows = store.run(script, &Params::new().with("at", newest(store))).unwrap();
        rows.iter().map(|row| row.get("path").unwrap()).collect()
    };
    let (one, two) = ("p::one::S::m", "p::two::S::m");
    let steps: [(&str, &str, &[&str]); 5] = [
        ("", "", &[one, two]),
        ("#[cfg(b)]\nmod two", "#[cfg(not(a))]\nmod two", &[one]),
        ("#[cfg(a)]\nmod user", "#[cfg(not(a))]\nmod user", &[two]),
        // The import of the other one is not there.
        ("#[cfg(a)]\nmod one", "mod one", &[two]),
        ("#[cfg(not(a))]\nmod user", "mod user", &[one, two]),
    ];
    for (from, to, expected) in steps {
        if !from.is_empty() {
            copy.edit("src/lib.rs", from, to);
        }
        index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{from} to {to}");
        assert_eq!(called(&store), expected, "{from} to {to}");
    }
}

#[test]
fn a_file_that_becomes_ignored_leaves() {
    check_edit(Copy::of_fixture("modules"), |copy| {
        std::fs::write(copy.root.join(".gitignore"), "sibling.rs\n").unwrap();
    });
}

#[test]
fn a_target_that_is_ignored_stays_until_no_manifest_names_it() {
    let manifest = "[package]\nname = \"p\"\nedition = \"2021\"\n[lib]\npath = \"made/lib.rs\"\n";
    let files =
        [("Cargo.toml", manifest), (".gitignore", "made\n"), ("made/lib.rs", "fn a() {}\n")];
    let store = Store::in_memory().unwrap();
    let mut copy = Copy::with(&files);
    assert_eq!(index(&store, &copy.root).files, 1);
    copy.write("made/lib.rs", "fn b() {}\nfn c() {}\n");
    assert_eq!(index(&store, &copy.root).changed, ["made/lib.rs"]);
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
    copy.write("src/lib.rs", "");
    copy.write("Cargo.toml", manifest.replace("made", "src"));
    assert_eq!(index(&store, &copy.root).removed, ["made/lib.rs"]);
    assert_eq!(differences_from_fresh(&store, &copy.root), "");
}

#[test]
fn a_manifest_in_an_ignored_folder_is_watched() {
    let member = "[package]\nname = \"m\"\nedition = \"2021\"\n";
    let copy = Copy::with(&[
        ("Cargo.toml", "[workspace]\nmembers = [\"made\"]\n"),
        (".gitignore", "made\n"),
        ("made/Cargo.toml", member),
        ("made/src/lib.rs", "pub fn a() {}\n"),
    ]);
    check_edit(copy, |copy| copy.write("made/Cargo.toml", member.replace("\"m\"", "\"other\"")));
}

#[test]
fn a_link_to_nowhere_comes_and_goes() {
    let link = |copy: &Copy| copy.root.join("src/nowhere.rs");
    check_edit(Copy::of_fixture("modules"), |copy| {
        std::os::unix::fs::symlink("none.rs", link(copy)).unwrap();
    });
    let copy = Copy::of_fixture("modules");
    std::os::unix::fs::symlink("none.rs", link(&copy)).unwrap();
    check_edit(copy, |copy| std::fs::remove_file(link(copy)).unwrap());
}

#[test]
fn a_file_that_could_not_be_read_goes() {
    let mut copy = Copy::of_fixture("modules");
    copy.write("src/huge.rs", "");
    let huge = std::fs::File::options().write(true).open(copy.root.join("src/huge.rs")).unwrap();
    huge.set_len(asof_syntax::MAX_FILE_BYTES as u64 + 1).unwrap();
    check_edit(copy, |copy| copy.remove("src/huge.rs"));
}

/// Enough files that texts are written early, in the first or in the second round of parsing.
#[test]
fn texts_stay_whole_when_files_are_parsed_in_two_rounds() {
    let mut library = String::new();
    let mut files = vec![];
    for n in 0..80 {
        library.push_str(&format!("pub mod m{n};\n"));
        files.push((format!("src/m{n}.rs"), format!("pub fn f{n}() {{ {n}; }}\n")));
    }
    files.push(("src/lib.rs".to_owned(), library));
    files.push(("Cargo.toml".to_owned(), "[package]\nname = \"p\"\n".to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(p, t)| (p.as_str(), t.as_str())).collect();
    for changed in [1, 70] {
        check_edit(Copy::with(&files), |copy| {
            copy.write("Cargo.toml", "[package]\nname = \"q\"\n");
            for n in 0..changed {
                copy.edit(&format!("src/m{n}.rs"), "pub fn", "pub(crate) fn");
            }
        });
    }
}

/// Macros come by their own names, which the declaration that brings them does not tell.
#[test]
fn macro_use_comes_and_goes() {
    let member = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nedition = \"2021\"\n{more}")
    };
    let lib = "#[macro_use]\nextern crate b;\n#[macro_use]\nmod mac;\nmod user;\npub struct A;\n";
    let copy = || {
        Copy::with(&[
            ("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n"),
            ("a/Cargo.toml", &member("a", "[dependencies]\nb = { path = \"../b\" }\n")),
            ("a/src/lib.rs", lib),
            ("a/src/mac.rs", "macro_rules! own { () => { crate::A }; }\n"),
            ("a/src/user.rs", "pub fn f() { shared!().m(); own!().n(); }\n"),
            ("b/Cargo.toml", &member("b", "")),
            (
                "b/src/lib.rs",
                "pub struct B;\nimpl B { pub fn m(&self) {} }\n\
                 #[macro_export]\nmacro_rules! shared { () => { $crate::B }; }\n",
            ),
        ])
    };
    check_edit(copy(), |copy| copy.edit("a/src/lib.rs", "#[macro_use]\nextern", "extern"));
    check_edit(copy(), |copy| copy.edit("a/src/lib.rs", "#[macro_use]\nmod", "mod"));
    let mut without = copy();
    without.edit("a/src/lib.rs", "#[macro_use]\nextern", "extern");
    check_edit(without, |copy| copy.edit("a/src/lib.rs", "extern", "#[macro_use]\nextern"));
    check_edit(copy(), |copy| copy.edit("b/src/lib.rs", "$crate::B", "*$crate::B"));
}

/// The bug: nothing but the impl's own item had the name of the trait's.
#[test]
fn an_item_of_a_trait_comes_and_goes_under_its_impls() {
    let copy = || {
        Copy::with(&[
            ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
            ("src/lib.rs", "pub mod a;\npub struct S;\nimpl a::Tr for S { fn go(&self) {} }\n"),
            ("src/a.rs", "pub trait Tr { fn go(&self); fn stay(&self) {} }\n"),
        ])
    };
    check_edit(copy(), |copy| copy.edit("src/a.rs", "fn go(&self); ", ""));
    check_edit(copy(), |copy| copy.edit("src/a.rs", "go", "went"));
    check_edit(copy(), |copy| copy.edit("src/a.rs", "stay", "go"));
    let mut copy = copy();
    copy.edit("src/a.rs", "fn go(&self); ", "");
    check_edit(copy, |copy| copy.edit("src/a.rs", "{ ", "{ fn go(&self); "));
}

/// Names of what is test code, and of what the newest revision touched.
fn tests_and_touched(store: &Store) -> [String; 2] {
    let names = |text: &str| {
        let last = Micros(i64::MAX - 1);
        let rows = Library::run_text(store, text, &[], last, Limits::default()).unwrap();
        rows.column::<String>("name").unwrap().join(" ")
    };
    [
        names("?[name] := *node{name, in_test @ $at}, in_test\n:order name"),
        names(
            "newest[max(at)] := *changes{at}\n\
             ?[name] := newest[at], *changes{at, changed}, id in changed, *node{id, name @ $at}\n\
             :order name",
        ),
    ]
}

#[test]
fn test_code_is_what_is_nested_in_it_and_that_alone_changes_no_item() {
    let mut copy = Copy::with(&[
        ("Cargo.toml", "[package]\nname = \"p\"\nedition = \"2021\"\n"),
        ("src/lib.rs", "mod a;\nmod b;\n"),
        ("src/a.rs", "pub mod deep;\npub fn f() {}\n"),
        ("src/a/deep.rs", "fn g() {\n    fn h() {}\n}\n"),
        ("src/b.rs", "fn i() {}\n#[test]\nfn j() {}\n"),
        ("tests/t.rs", "fn k() {}\n"),
    ]);
    let store = Store::in_memory().unwrap();
    index(&store, &copy.root);
    assert_eq!(tests_and_touched(&store)[0], "j k t");
    let below = "a deep f g h j k t";
    for (file, from, to, tests, touched) in [
        ("src/lib.rs", "mod a;", "#[cfg(test)] mod a;", below, "a p"),
        ("src/lib.rs", "test)] mod a;", "all(test, unix))] mod a;", below, "a p"),
        ("src/lib.rs", "#[cfg(all(test, unix))] ", "", "j k t", "a p"),
        ("src/a.rs", "pub mod deep", "#![cfg(test)]\npub mod deep", below, "a"),
        ("src/a.rs", "#![cfg(test)]\n", "", "j k t", "a"),
        ("src/b.rs", "#[test]\n", "", "k t", "b j"),
    ] {
        copy.edit(file, from, to);
        index(&store, &copy.root);
        assert_eq!(tests_and_touched(&store), [tests, touched], "{from} to {to}");
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{from} to {to}");
    }
}

/// Real workspaces under `ASOF_CORPUS`, with edits of every kind.
#[test]
#[ignore = "needs checkouts of real workspaces: ASOF_CORPUS names their folder"]
fn incremental_equals_fresh_on_real_workspaces() {
    let folder = std::env::var("ASOF_CORPUS").unwrap();
    let steps = number("ASOF_STEPS", 6);
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.into_iter().filter(|path| path.is_dir()) {
        let mut copy = Copy::from_folder(&path);
        let store = Store::in_memory().unwrap();
        let first = index(&store, &copy.root);
        assert_eq!(differences_from_fresh(&store, &copy.root), "", "{}", path.display());
        let mut wide = 0;
        for step in 0..steps {
            let mut rng = Rng::new(number("ASOF_SEED", 0) + step);
            let told = edit(&mut copy, &mut rng);
            let report = try_index(&store, &copy.root).unwrap();
            wide += usize::from(was_wide(&report));
            let found = differences_from_fresh(&store, &copy.root);
            let found: String = found.chars().take(4_000).collect();
            assert_eq!(found, "", "{}: {told}", path.display());
        }
        println!(
            "{}: {} files, {} lines, {steps} edits, {wide} of them wide, 0 differences",
            path.display(),
            first.files,
            first.lines
        );
    }
}
