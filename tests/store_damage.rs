//! A damaged database gives the same answer as an intact one, or an error; never a different one.
//! Damage is random but the same in each run. `ASOF_DAMAGE=2000` makes this many copies of each
//! kind of state instead of a few.

use crate::support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use asof::Database;
use asof_index::Silent;
use asof_model::Hint;
use asof_store::{Relation, Store, StoreError};
use support::Copy;
use support::cli::{self, code};

const PAGE: usize = 16384;
const LOG_HEAD: usize = 32;
const FRAME: usize = 24 + PAGE;

/// Numbers that look random (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) % end as u64) as usize
    }
}

/// How many copies are damaged.
fn copies(few: usize) -> usize {
    std::env::var("ASOF_DAMAGE").ok().map_or(few, |text| text.parse().unwrap())
}

/// A workspace with some revisions; its database, and the contents of the log at the end.
struct Ground {
    copy: Copy,
    /// Before the checkpoint of the log.
    before: Vec<u8>,
    log: Vec<u8>,
    /// With all of the log.
    after: Vec<u8>,
}

impl Ground {
    fn new() -> Self {
        let mut copy = Copy::of_fixture("modules");
        let database = Database::create_or_open(&copy.root).unwrap();
        let index = || database.refresh(&support::options(), &Silent).unwrap();
        index();
        for n in 0..5 {
            let text: String = (0..60)
                .map(|k| format!("/// Adds {n}.\npub fn f{k}(x: u32) -> u32 {{ x + {n} }}\n"))
                .collect();
            copy.write("src/extra.rs", text);
            copy.write(
                &format!("src/bin/tool{n}.rs"),
                format!("fn main() {{ println!(\"{n}\") }}\n"),
            );
            index();
        }
        let path = Database::path_of(&copy.root);
        let before = fs::read(&path).unwrap();
        let log = fs::read(beside(&path, "-wal")).unwrap();
        assert!(log.len() > 20 * FRAME, "the log is in use");
        drop(database);
        let after = fs::read(&path).unwrap();
        assert_ne!(before, after);
        Self { copy, before, log, after }
    }

    fn path(&self) -> PathBuf {
        Database::path_of(&self.copy.root)
    }

    /// Puts this state in the place of the database.
    fn place(&self, database: &[u8], log: Option<&[u8]>) {
        let path = self.path();
        fs::write(&path, database).unwrap();
        let _ = fs::remove_file(beside(&path, "-shm"));
        match log {
            Some(log) => fs::write(beside(&path, "-wal"), log).unwrap(),
            None => drop(fs::remove_file(beside(&path, "-wal"))),
        }
    }

    fn asof(&self, args: &[&str]) -> Output {
        cli::asof(&self.copy.root, args)
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Every row of every relation, all versions.
fn read_all(path: &Path) -> Result<String, StoreError> {
    let store = Store::open(path)?;
    let mut out = String::new();
    for relation in Relation::all() {
        for row in store.versions(relation)?.to_json() {
            out.push_str(&format!("{} {}\n", relation.name, serde_json::Value::from(row)));
        }
    }
    Ok(out)
}

#[track_caller]
fn is_damage(error: &StoreError, about: &str) {
    let fine = matches!(error, StoreError::Corrupt { .. } | StoreError::NotADatabase { .. });
    assert!(fine && error.hint() == Hint::RestoreOrRebuild, "{about}: {error:?}");
}

/// Damages a file at random; returns a description.
fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) -> String {
    let pages = bytes.len() / PAGE;
    match chance.below(10) {
        0 => {
            let page = chance.below(pages);
            bytes[page * PAGE..(page + 1) * PAGE].fill(0);
            format!("page {} is zero", page + 1)
        }
        1 => {
            let len = chance.below(bytes.len());
            bytes.truncate(len);
            format!("cut to {len} bytes")
        }
        2 => {
            let (a, b) = (chance.below(pages), chance.below(pages));
            let page = bytes[a * PAGE..(a + 1) * PAGE].to_vec();
            bytes.copy_within(b * PAGE..(b + 1) * PAGE, a * PAGE);
            bytes[b * PAGE..(b + 1) * PAGE].copy_from_slice(&page);
            format!("pages {} and {} are swapped", a + 1, b + 1)
        }
        3 => {
            let (from, to) = (chance.below(pages), chance.below(pages));
            bytes.copy_within(from * PAGE..(from + 1) * PAGE, to * PAGE);
            format!("page {} is a copy of page {}", to + 1, from + 1)
        }
        4 => {
            let begin = chance.below(bytes.len());
            let end = bytes.len().min(begin + 1 + chance.below(5000));
            bytes[begin..end].iter_mut().for_each(|byte| *byte = chance.below(256) as u8);
            format!("noise in {begin}..{end}")
        }
        // The start of a page steers how all of it is read.
        kind => {
            let at = match kind {
                5 => chance.below(pages) * PAGE + chance.below(200),
                6 => chance.below(100),
                _ => chance.below(bytes.len()),
            };
            let bit = chance.below(8);
            bytes[at] ^= 1 << bit;
            format!("bit {bit} of byte {at} is flipped")
        }
    }
}

const QUESTIONS: &[&[&str]] = &[
    &[
        "--no-refresh",
        "--format",
        "csv",
        "query",
        "?[id, name, path, docs] := *node{id, name, path, docs @ $at}",
    ],
    &[
        "--no-refresh",
        "--format",
        "csv",
        "query",
        "?[target, n] := *refs_by_target{target, sources @ $at}, n = length(sources)",
    ],
    &["--no-refresh", "--format", "csv", "resolve", "f7"],
    &["--no-refresh", "--format", "csv", "log"],
];

#[test]
fn a_damaged_file_gives_the_same_answers_or_errors() {
    let ground = Ground::new();
    let (path, sound) = (ground.path(), ground.after.clone());
    ground.place(&sound, None);
    let expected = read_all(&path).unwrap();
    let answers: Vec<Output> = QUESTIONS.iter().map(|args| ground.asof(args)).collect();
    assert!(answers.iter().all(|answer| answer.status.success()), "{answers:?}");
    assert!(ground.asof(&["status", "--verify"]).status.success());

    let mut chance = Chance(9);
    let (mut same, mut refused) = (0, 0);
    for nth in 0..copies(60) {
        let mut bytes = sound.clone();
        let about = format!("copy {nth}: {}", damage(&mut bytes, &mut chance));
        ground.place(&bytes, None);
        let read = read_all(&path);
        match &read {
            Ok(rows) => assert!(*rows == expected, "{about}: other rows"),
            Err(error) => is_damage(error, &about),
        }
        if read.is_ok() {
            same += 1
        } else {
            refused += 1
        }
        if nth % 8 != 0 {
            continue;
        }
        for (args, answer) in QUESTIONS.iter().zip(&answers) {
            let found = ground.asof(args);
            let said = cli::err(&found);
            match code(&found) {
                0 => assert!(found.stdout == answer.stdout, "{about}: {args:?}"),
                code => {
                    assert_eq!(code, 5, "{about}: {args:?}: {said}");
                    assert!(said.contains("asof index --rebuild"), "{about}: {args:?}: {said}");
                    assert!(!said.contains("panicked"), "{about}: {args:?}: {said}");
                }
            }
        }
        // What any command can meet, the check of everything meets.
        let verified = code(&ground.asof(&["status", "--verify"]));
        assert_eq!(verified, if read.is_ok() { 0 } else { 5 }, "{about}");
    }
    eprintln!("{same} copies read as before, {refused} refused");
    assert!(refused > same / 4, "{same} copies read as before, {refused} refused");
}

/// States that the log holds: up to each commit.
fn states(ground: &Ground) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    ground.place(&ground.before, None);
    states.insert(read_all(&ground.path()).unwrap(), 0);
    for (frame, bytes) in ground.log[LOG_HEAD..].chunks_exact(FRAME).enumerate() {
        if bytes[4..8] != [0; 4] {
            ground.place(&ground.before, Some(&ground.log[..LOG_HEAD + (frame + 1) * FRAME]));
            if let Ok(rows) = read_all(&ground.path()) {
                states.insert(rows, frame + 1);
            }
        }
    }
    states
}

#[test]
fn a_damaged_log_gives_a_whole_state_or_an_error() {
    let ground = Ground::new();
    let states = states(&ground);
    assert!(states.len() > 5, "{} states", states.len());
    ground.place(&ground.after, Some(&ground.log));
    let newest = read_all(&ground.path()).unwrap();
    assert!(states.contains_key(&newest));

    let mut chance = Chance(10);
    let (mut told, mut refused) = (0, 0);
    for nth in 0..copies(30) {
        let mut log = ground.log.clone();
        let about = format!("copy {nth}: {}", damage(&mut log, &mut chance));
        // Not taken over, or taken over in full: then an older part of it would be a mixture.
        for (taken, database) in [(false, &ground.before), (true, &ground.after)] {
            ground.place(database, Some(&log));
            match read_all(&ground.path()) {
                Ok(rows) if taken => assert!(rows == newest, "{about}: other rows"),
                Ok(rows) => assert!(states.contains_key(&rows), "{about}: other rows"),
                Err(StoreError::SchemaVersion { .. }) if !taken => {}
                Err(error) => {
                    is_damage(&error, &about);
                    refused += 1;
                    continue;
                }
            }
            told += 1;
        }
    }
    eprintln!("{told} logs gave a whole state, {refused} were refused");
    assert!(told > 0 && refused > 0, "{told}, {refused}");
}

#[test]
fn a_log_that_is_damaged_while_it_is_in_use_gives_the_same_rows_or_an_error() {
    let ground = Ground::new();
    let path = ground.path();
    let mut chance = Chance(11);
    let (mut same, mut refused) = (0, 0);
    for nth in 0..copies(15) {
        ground.place(&ground.before, Some(&ground.log));
        // Recovers the log, and stays.
        let user = Store::open(&path).unwrap();
        let expected = read_all(&path).unwrap();
        let mut log = ground.log.clone();
        let at = chance.below(log.len());
        log[at] ^= 1 << chance.below(8);
        fs::write(beside(&path, "-wal"), &log).unwrap();
        match read_all(&path) {
            Ok(rows) => {
                assert!(rows == expected, "copy {nth}, byte {at}: other rows");
                same += 1;
            }
            Err(error) => {
                is_damage(&error, &format!("copy {nth}, byte {at}"));
                refused += 1;
            }
        }
        drop(user);
    }
    eprintln!("{same} logs read as before, {refused} were refused");
    assert!(refused > 0);
}

#[test]
fn a_damaged_database_is_mended_as_the_error_says() {
    let ground = Ground::new();
    // The last page: opening and the newest revision do not touch it.
    let mut bytes = ground.after.clone();
    let last = bytes.len() - PAGE / 2;
    bytes[last] ^= 1;
    ground.place(&bytes, None);
    let verified = ground.asof(&["status", "--verify", "--format", "json"]);
    assert_eq!(code(&verified), 5, "{verified:?}");
    let report: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    assert_eq!(report["findings"][0]["check"], "pages", "{report}");
    let mended = ground.asof(&["index", "--rebuild"]);
    assert!(mended.status.success(), "{mended:?}");
    assert!(ground.asof(&["status", "--verify"]).status.success());
}

#[test]
fn wrong_rows_on_sound_pages_are_found() {
    let ground = Ground::new();
    ground.place(&ground.after, None);
    let store = Store::open(&ground.path()).unwrap();
    let mut batch = asof_store::Batch::new();
    let id = uuid::Uuid::from_u128(7);
    batch
        .assert(
            "node_by_name",
            asof_model::Micros(7),
            [asof_store::Value::from("x"), id.into()],
            [],
        )
        .unwrap();
    batch
        .put(
            "text",
            [
                "1AAAAAAAAAAAAAAAAAAAAAA".into(),
                3.into(),
                asof_store::Value::Null,
                0.into(),
                asof_store::Value::Bytes(vec![1]),
            ],
        )
        .unwrap();
    store.commit(batch).unwrap();
    drop(store);
    let database = Database::open(&ground.copy.root).unwrap();
    let found = database.verify().unwrap();
    let checks: Vec<_> =
        found.findings.iter().map(|f| (f.check.as_str(), f.subject.as_str())).collect();
    assert_eq!(
        checks,
        [("times", "node_by_name"), ("texts", "text"), ("mirrors", "node_by_name")],
        "{found:?}"
    );
}
