//! What a past costs: versions and texts that differ little are stored as differences, and are read
//! as they were.

use crate::support;

use std::fmt::Write as _;

use asof::{Database, GcMode, Keep};
use asof_index::{Options, Silent};
use asof_store::Params;
use support::{Copy, differences, dump, dump_at, fresh, texts};

const REVISIONS: u32 = 40;

/// A function and a document of many lines, of which `n` decides one.
fn write(copy: &mut Copy, n: u32) {
    let (mut code, mut notes) =
        (String::from("pub fn long() -> u64 {\n    let mut sum = 0;\n"), String::new());
    for line in 0..60 {
        let value = if line == 20 { n } else { line };
        writeln!(code, "    sum += u64::from({line}_u32).wrapping_mul(u64::from({value}_u32));")
            .unwrap();
        let hash = blake3::hash(&[line as u8, if line == 20 { n as u8 } else { 0 }]);
        writeln!(notes, "{line} {hash}").unwrap();
    }
    code.push_str("    sum\n}\n");
    copy.write("src/lib.rs", &code);
    copy.write("NOTES.md", &notes);
}

fn long_past() -> (Copy, Database) {
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let mut copy = Copy::with(&[("Cargo.toml", manifest), ("src/lib.rs", "")]);
    let database = Database::create_or_open(&copy.root).unwrap();
    for n in 0..REVISIONS {
        // Earlier contents come back now and then.
        write(&mut copy, if n % 7 == 6 { n - 3 } else { n });
        database.refresh(&Options::default(), &Silent).unwrap();
    }
    (copy, database)
}

fn numbers(database: &Database, script: &str) -> Vec<i64> {
    database.store().run(script, &Params::new()).unwrap().column("n").unwrap()
}

#[test]
fn a_long_past_of_small_changes_is_small_and_whole() {
    let (copy, database) = long_past();
    // Every text has its hash and length, whatever form it has.
    let stored = texts(database.store());
    let found = |part: &str| {
        stored
            .values()
            .filter(|text| text.windows(part.len()).any(|w| w == part.as_bytes()))
            .count()
    };
    assert_eq!(found("sum += u64::from(20_u32)"), 35);
    let sizes = numbers(
        &database,
        "?[hash, n] := *text{hash, base, source}, !is_null(base), n = length(source)",
    );
    assert!(sizes.len() > 50, "{} differences", sizes.len());
    assert!(sizes.iter().sum::<i64>() < 100 * sizes.len() as i64, "{sizes:?}");
    let steps = numbers(&database, "?[n] := *text{hash, steps: n}");
    assert_eq!(steps.into_iter().max(), Some(16));
    assert_eq!(differences(&dump(database.store()), &dump(&fresh(&copy.root))), "");
}

#[test]
fn a_past_is_read_as_it_was_after_versions_are_dropped() {
    let (copy, database) = long_past();
    let times = numbers(&database, "?[n] := *revision{at: n}");
    let kept: Vec<_> =
        times.iter().rev().take(11).rev().map(|at| asof_model::Micros(*at)).collect();
    let before: Vec<_> = kept.iter().map(|at| dump_at(database.store(), *at)).collect();
    let all = texts(database.store());
    let report = database.gc(Keep::Revisions(11), GcMode::Drop).unwrap();
    assert!(report.texts > 30, "{report:?}");
    for (at, before) in kept.iter().zip(&before) {
        assert_eq!(differences(&dump_at(database.store(), *at), before), "");
    }
    let left = texts(database.store());
    assert_eq!(left.len(), all.len() - report.texts);
    assert!(left.iter().all(|(hash, text)| all[hash] == *text));
    let verified = database.verify().unwrap();
    assert!(verified.sound, "{:?}", verified.findings);
    assert_eq!(differences(&dump(database.store()), &dump(&fresh(&copy.root))), "");
    let again = database.gc(Keep::Revisions(11), GcMode::Drop).unwrap();
    assert_eq!((again.versions.len(), again.texts), (0, 0));
}
