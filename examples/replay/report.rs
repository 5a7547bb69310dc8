//! Tables of what was replayed.

use std::collections::BTreeMap;

use crate::derive::Unit;
use crate::play::Played;

/// One pair, on the way.
pub fn progress(played: &Played, verbose: bool) {
    let reached = played.reached.iter().filter(|r| **r).count();
    eprintln!("{}: {reached} of {} changes reached", played.name, played.units.len());
    if !verbose {
        return;
    }
    for why in &played.refused {
        eprintln!("  a request was refused: {why}");
    }
    for (unit, reached) in played.units.iter().zip(&played.reached) {
        if *reached {
            continue;
        }
        let why = unit.failed.as_deref().unwrap_or("applied, and not as it should be");
        let what = unit.edits.first().map_or("", |edit| edit.subject());
        let items: Vec<&str> =
            unit.becomes.iter().chain(&unit.leaves).map(|(key, _)| key.as_str()).take(2).collect();
        eprintln!("  {} {} {} {what} {items:?}: {why}", unit.file, unit.class.0, unit.class.1);
    }
    for line in played.missing.iter().take(12) {
        eprintln!("  missing {line}");
    }
    for line in played.extra.iter().take(12) {
        eprintln!("  extra {line}");
    }
}

fn sum(units: &[&Unit], of: impl Fn(&Unit) -> usize) -> f64 {
    units.iter().map(|unit| of(unit)).sum::<usize>() as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

fn share(part: usize, whole: usize) -> String {
    format!("{:.2} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// All pairs.
pub fn tables(all: &[Played]) {
    println!(
        "| Versions | Changes | Expressible | Reached | Requests | Bytes | Only whole and parts | \
         Blocks | Bytes ÷ blocks | Definitions | Missing | Files changed | Identical | ms |"
    );
    println!("|{}", "---|".repeat(14));
    for played in all {
        let units: Vec<&Unit> = played.units.iter().collect();
        let failed = units.iter().filter(|unit| unit.failed.is_some()).count();
        let reached = played.reached.iter().filter(|r| **r).count();
        let (bytes, blocks) = (sum(&units, |u| u.bytes), sum(&units, |u| u.blocks.0));
        println!(
            "| {} | {} | {} | {reached} | {} | {bytes} | {} | {blocks} | {:.2} | {} | {} | {} | \
             {} | {:.0} |",
            played.name,
            units.len(),
            units.len() - failed,
            played.requests,
            sum(&units, |u| u.bytes_parts),
            bytes / blocks,
            played.definitions,
            played.missing.len() + played.extra.len(),
            played.files_changed,
            played.files_identical,
            played.ms,
        );
    }
    let units: Vec<(&Unit, bool)> =
        all.iter().flat_map(|p| p.units.iter().zip(p.reached.iter().copied())).collect();
    let done = units.iter().filter(|(_, reached)| *reached).count();
    let expressible = units.iter().filter(|(unit, _)| unit.failed.is_none()).count();
    println!(
        "\n{} changes: expressible {} ({}), reached {} ({})",
        units.len(),
        expressible,
        share(expressible, units.len()),
        done,
        share(done, units.len())
    );
    bytes(&units);
    modes(&units);
    classes(&units);
}

/// Bytes against search/replace blocks.
fn bytes(units: &[(&Unit, bool)]) {
    println!(
        "\n| Bytes | Changes | Requests | Only whole and parts | Blocks, marked | Blocks, JSON | Requests ÷ marked | ÷ JSON | Parts ÷ marked | Median ÷ marked | Median, parts |"
    );
    println!("|{}", "---|".repeat(11));
    let rows: [(&str, &[&str]); 5] = [
        ("all", &["changed", "added", "removed", "moved"]),
        ("changed", &["changed"]),
        ("added", &["added"]),
        ("removed", &["removed"]),
        ("moved", &["moved"]),
    ];
    for (name, classes) in rows {
        let some: Vec<&Unit> = units
            .iter()
            .filter(|(unit, _)| classes.contains(&unit.class.1) && unit.failed.is_none())
            .map(|(unit, _)| *unit)
            .collect();
        let (all, parts) = (sum(&some, |u| u.bytes), sum(&some, |u| u.bytes_parts));
        let (marked, json) = (sum(&some, |u| u.blocks.0), sum(&some, |u| u.blocks.1));
        let each = |of: &dyn Fn(&Unit) -> usize| {
            let with = some.iter().filter(|u| u.blocks.0 > 0);
            median(with.map(|u| of(u) as f64 / u.blocks.0 as f64).collect())
        };
        println!(
            "| {name} | {} | {all} | {parts} | {marked} | {json} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            some.len(),
            all / marked,
            all / json,
            parts / marked,
            each(&|u| u.bytes),
            each(&|u| u.bytes_parts),
        );
    }
}

/// How often each form of edit was the shortest.
fn modes(units: &[(&Unit, bool)]) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for edit in units.iter().flat_map(|(unit, _)| &unit.edits) {
        let json = serde_json::to_value(edit).unwrap_or_default();
        let mut name = edit.mode().to_owned();
        if let Some(part) = json.get("part").and_then(|part| part.as_str()) {
            name = format!("{name} {part}");
        }
        for field in ["find", "has"] {
            if json.get(field).is_some() {
                name = format!("{name} +{field}");
            }
        }
        *counts.entry(name).or_default() += 1;
    }
    println!("\n| Form of edit | Times |\n|---|---|");
    for (name, count) in counts {
        println!("| {name} | {count} |");
    }
}

/// What is not expressible or not reached, by class.
fn classes(units: &[(&Unit, bool)]) {
    let mut rows: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for (unit, reached) in units {
        let row = rows.entry(format!("{} {}", unit.class.0, unit.class.1)).or_default();
        row[0] += 1;
        row[1] += usize::from(unit.failed.is_none());
        row[2] += usize::from(*reached);
    }
    println!("\n| Class | Changes | Expressible | Reached |\n|---|---|---|---|");
    for (name, [all, expressible, reached]) in rows {
        println!("| {name} | {all} | {expressible} | {reached} |");
    }
}
