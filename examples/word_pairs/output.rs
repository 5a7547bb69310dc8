//! The files that are written.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{BufWriter, Write};
use std::path::Path;

use asof_search::Term;
use rayon::prelude::*;
use serde_json::json;

use super::items::{Item, Terms, read};

/// A term of all crates.
#[derive(Debug, Default)]
struct InAll {
    number: u32,
    crates: u32,
    items: u32,
    forms: BTreeMap<String, u32>,
    is_word: bool,
}

/// Reads crates, and writes their terms and items.
pub fn write(
    sources: &Path,
    crates: &[(String, String)],
    out: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    std::fs::create_dir_all(out)?;
    let mut lines = BufWriter::new(std::fs::File::create(out.join("items.jsonl"))?);
    let mut known: HashMap<Term, InAll> = HashMap::new();
    // A part at a time, so that not all are in memory.
    for part in crates.chunks(64) {
        let one = |(name, version): &(String, String)| {
            (name.clone(), read(&sources.join(format!("{name}-{version}"))))
        };
        let found: Vec<(String, (Terms, Vec<Item>))> = part.par_iter().map(one).collect();
        for (name, (terms, items)) in found {
            if items.is_empty() {
                eprintln!("{name}: no items");
            }
            let numbers = merge(&terms, &items, &mut known);
            for item in &items {
                serde_json::to_writer(&mut lines, &line(&name, item, &numbers))?;
                lines.write_all(b"\n")?;
            }
        }
    }
    lines.flush()?;
    write_terms(&known, &out.join("terms.tsv"))
}

/// Adds the terms of a crate to those of all. Gives their numbers there.
fn merge(terms: &Terms, items: &[Item], known: &mut HashMap<Term, InAll>) -> Vec<u32> {
    let mut numbers = vec![0; terms.known.len()];
    for (term, number) in &terms.numbers {
        let (at, next) = (*number as usize, known.len() as u32);
        let (Some(to), Some(of_crate)) = (numbers.get_mut(at), terms.known.get(at)) else {
            continue;
        };
        let all = known.entry(*term).or_insert_with(|| InAll { number: next, ..InAll::default() });
        all.crates += 1;
        all.is_word |= of_crate.is_word;
        for (form, count) in &of_crate.forms {
            *all.forms.entry(form.clone()).or_default() += count;
        }
        *to = all.number;
    }
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for item in items {
        let fields = [&item.name, &item.container, &item.signature, &item.first, &item.comments];
        let mut of_item: BTreeSet<u32> = fields.into_iter().flatten().copied().collect();
        of_item.extend(item.rest.iter().flatten().chain(item.body.keys()));
        of_item.into_iter().for_each(|term| *counts.entry(term).or_default() += 1);
    }
    for (term, number) in &terms.numbers {
        if let Some(all) = known.get_mut(term) {
            all.items += counts.get(number).copied().unwrap_or_default();
        }
    }
    numbers
}

fn line(name: &str, item: &Item, numbers: &[u32]) -> serde_json::Value {
    let map = |terms: &[u32]| -> Vec<u32> {
        terms.iter().filter_map(|term| numbers.get(*term as usize)).copied().collect()
    };
    let rest: Vec<Vec<u32>> = item.rest.iter().map(|sentence| map(sentence)).collect();
    let body: Vec<u32> = item
        .body
        .iter()
        .filter_map(|(term, count)| Some([*numbers.get(*term as usize)?, *count]))
        .flatten()
        .collect();
    json!({
        "crate": name, "file": item.file, "at": item.at, "parent": item.parent, "kind": item.kind,
        "trait_impl": item.is_trait_impl, "name": map(&item.name),
        "container": map(&item.container), "path": map(&item.path),
        "signature": map(&item.signature), "first": map(&item.first), "rest": rest,
        "example": map(&item.example), "body": body, "comments": map(&item.comments),
    })
}

fn write_terms(
    known: &HashMap<Term, InAll>,
    path: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut out = BufWriter::new(std::fs::File::create(path)?);
    let mut sorted: Vec<(&Term, &InAll)> = known.iter().collect();
    sorted.sort_by_key(|(_, all)| all.number);
    for (term, all) in sorted {
        let form = all.forms.iter().max_by_key(|(_, count)| **count).map_or("", |(form, _)| form);
        let what = if all.is_word { "word" } else { "whole" };
        writeln!(out, "{}\t{what}\t{}\t{}\t{form}", term.0, all.crates, all.items)?;
    }
    out.flush()?;
    Ok(())
}
