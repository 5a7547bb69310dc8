//! Where thresholds of similarity lie: how like edited items stay to what they were, and how like
//! items are by chance.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use asof_item_tracking::Bag;
use asof_model::ItemFacts;

use crate::code::{self, Key, Pool, edited, facts, items, text_of, tokens};
use crate::rng::Rng;

/// Pairs of different items are drawn this often for each item.
const DRAWN: usize = 20;
/// Edits of each share that are made of each crate.
const EDITS: usize = 150;

/// From this weight on an item is a large one.
const LARGE: f64 = 60.0;

struct Sampled {
    key: Key,
    holder: (String, String),
    bag: Bag,
}

/// Likenesses, by what they are of.
type Found = BTreeMap<&'static str, Vec<(bool, f64)>>;

/// Prints, for each threshold, what share of pairs is as like as that or more.
pub fn run(paths: &[PathBuf], seed: u64, scratch: &Path) {
    let (mut edits, mut chance) = (Found::new(), Found::new());
    let mut rng = Rng::new(seed);
    for (n, path) in paths.iter().enumerate() {
        let files = code::copy(path, &scratch.join(format!("sweep{n}")));
        let pool = Pool::collect(&files);
        let mut all = Vec::new();
        let mut texts = Vec::new();
        for (file, text) in &files {
            let holders = facts(file, text).items;
            for (key, item) in items(file, text) {
                let text = text_of(&files, file, &item);
                if tokens(text).len() < 20 {
                    continue;
                }
                let holder = holders.get(item.parent as usize).map_or("", |i: &ItemFacts| &i.name);
                let holder = (file.clone(), holder.to_owned());
                let bag = Bag::parse(text, &key.name);
                texts.push((key.name.clone(), text.to_owned()));
                all.push(Sampled { key, holder, bag });
            }
        }
        by_chance(&all, &mut rng, &mut chance);
        by_edits(&texts, &pool, &mut rng, &mut edits);
    }
    for large in [false, true] {
        print("edited items", &edits, large);
        print("different items", &chance, large);
    }
}

/// Each item against others: those of the same place, of the same name, and some elsewhere. Of
/// those elsewhere the likest counts, as it would in a commit that adds that many.
fn by_chance(all: &[Sampled], rng: &mut Rng, found: &mut Found) {
    for (at, item) in all.iter().enumerate() {
        let mut best: BTreeMap<&'static str, f64> = BTreeMap::new();
        let mut see = |name: &'static str, other: &Sampled| {
            let similarity = item.bag.similarity(&other.bag);
            let most = best.entry(name).or_default();
            *most = most.max(similarity);
        };
        let others =
            || all.iter().enumerate().filter(|(n, o)| *n != at && o.key.kind == item.key.kind);
        let near: Vec<&Sampled> =
            others().map(|(_, o)| o).filter(|o| o.holder == item.holder).collect();
        if let Some(other) = rng.pick(&near) {
            see("same place", other);
        }
        for other in &near {
            see("same place, likest", other);
        }
        let named: Vec<&Sampled> = others()
            .map(|(_, o)| o)
            .filter(|o| o.key.name == item.key.name && o.holder != item.holder)
            .collect();
        if let Some(other) = rng.pick(&named) {
            let of_trait = |item: &Sampled| item.holder.1.contains(" for ");
            let name = match (item.key.kind, of_trait(item) || of_trait(other)) {
                ("method", true) => "same name, trait",
                ("method", false) => "same name, type",
                _ => "same name",
            };
            see(name, other);
        }
        let far: Vec<&Sampled> =
            others().map(|(_, o)| o).filter(|o| o.key.file != item.key.file).collect();
        if let Some(other) = rng.pick(&far) {
            see("elsewhere", other);
        }
        for _ in 0..DRAWN {
            if let Some(other) = rng.pick(&far) {
                see("elsewhere, of 20", other);
            }
        }
        for (name, similarity) in best {
            found.entry(name).or_default().push((item.bag.weight() >= LARGE, similarity));
        }
    }
}

fn by_edits(texts: &[(String, String)], pool: &Pool, rng: &mut Rng, found: &mut Found) {
    let shares = [
        ("to 10 %", 0.05, 0.1),
        ("to 20 %", 0.1, 0.2),
        ("to 30 %", 0.2, 0.3),
        ("to 40 %", 0.3, 0.4),
    ];
    for (label, from, to) in shares {
        for _ in 0..EDITS {
            let Some((name, text)) = rng.pick(texts) else { continue };
            let Some(new) = pool.edit(text, from, to, rng) else { continue };
            assert!(edited(text, &new) >= from, "an edit is as large as it says");
            let old = Bag::parse(text, name);
            let similarity = old.similarity(&Bag::parse(&new, name));
            found.entry(label).or_default().push((old.weight() >= LARGE, similarity));
        }
    }
}

fn print(title: &str, found: &Found, large: bool) {
    let size = if large { "large" } else { "small" };
    println!("\n{title}, {size}: share that is as like as this, percent");
    print!("{:<10}", "threshold");
    let of = |values: &[(bool, f64)]| -> Vec<f64> {
        values.iter().filter(|(is, _)| *is == large).map(|(_, value)| *value).collect()
    };
    for (name, values) in found {
        print!(" {:>24}", format!("{name} ({})", of(values).len()));
    }
    println!();
    for step in 5..=17 {
        let threshold = f64::from(step) * 0.05;
        print!("{threshold:<10.2}");
        for values in found.values() {
            let values = of(values);
            let above = values.iter().filter(|value| **value >= threshold).count();
            print!(" {:>24.2}", 100.0 * above as f64 / values.len().max(1) as f64);
        }
        println!();
    }
}
