//! References of a workspace, resolved in memory: one JSON object a line on the standard output,
//! time by phase on the standard error.
//!
//! `cargo run --release --example references -- ROOT [--quiet] [--alone]`
//!
//! `--alone`: without the sources of dependencies.
#![allow(clippy::indexing_slicing, clippy::expect_used)]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use asof_index::{dependencies_of, module_tree};
use asof_model::{FileFacts, ItemTree, NodeId, RefTarget, StoredTree};
use asof_resolve::{
    Dependencies, FileId, Input, ItemIndex, Libraries, Source, assemble_with_scopes, grow,
    read_expansion,
};
use index_vec::{IndexSlice, IndexVec};
use rayon::prelude::*;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut args = std::env::args().skip(1);
    let root = args.next().ok_or("which root?")?;
    let flags: Vec<String> = args.collect();
    let has = |flag: &str| flags.iter().any(|given| given == flag);
    let (quiet, alone) = (has("--quiet"), has("--alone"));
    rayon::ThreadPoolBuilder::new()
        .stack_size(asof_syntax::STACK_BYTES)
        .build()?
        .install(|| run(Path::new(&root), quiet, alone))
}

fn run(root: &Path, quiet: bool, alone: bool) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut clock = Clock(Instant::now(), cpu());
    let mut walk = asof_workspace::walk(root)?;
    let (layout, _) = asof_workspace::layout(root, &walk)?;
    let roots = layout.packages.iter().flat_map(|p| p.targets.iter().map(|t| t.root.as_str()));
    walk.include(&asof_workspace::Disk::open(root)?, roots);
    let texts: Vec<(String, Vec<u8>)> = walk
        .files
        .par_iter()
        .filter_map(|f| {
            Some((f.path.clone(), asof_workspace::read_file(root, &f.path, 1 << 30).ok()?))
        })
        .collect();
    clock.tell("read");
    let facts: Vec<FileFacts> =
        texts.par_iter().map(|(path, bytes)| asof_syntax::parse_file(path, bytes)).collect();
    clock.tell("parse");
    let item_trees: BTreeMap<String, StoredTree> = facts
        .par_iter()
        .map(|facts| (facts.path.clone(), ItemTree::from_facts(facts).into()))
        .collect();
    clock.tell("item_trees");
    let map = item_trees.iter().map(|(path, item_tree)| (path.as_str(), item_tree)).collect();
    let tree = module_tree(&layout, &map, &walk.links);
    let dependencies = if alone {
        Dependencies::default()
    } else {
        dependencies_of(&asof_workspace::Disk::open(root)?, &layout)?
    };
    clock.tell("dependencies");
    let written: IndexVec<FileId, (&str, &StoredTree)> = map.into_iter().collect();
    let input = Input {
        packages: IndexSlice::new(&layout.packages),
        crates: &tree.crates,
        files: &written,
        instances: &tree.instances,
        repeats: &tree.repeats,
    };
    let made = grow(input, Some(&dependencies), &read_expansion).items;
    let all: Vec<StoredTree> = written
        .iter_enumerated()
        .map(|(at, (_, tree))| {
            let made = made.get(&at).into_iter().flatten().map(|one| one.item.clone());
            ItemTree { items: tree.items.iter().cloned().chain(made).collect() }.into()
        })
        .collect();
    clock.tell("made items");
    let map = written.iter().zip(&all).map(|((path, _), tree)| (*path, tree)).collect();
    let tree = module_tree(&layout, &map, &walk.links);
    let files: IndexVec<FileId, (&str, &StoredTree)> = map.into_iter().collect();
    let input =
        Input { files: &files, instances: &tree.instances, repeats: &tree.repeats, ..input };
    let (assembly, scopes) = assemble_with_scopes(input, None);
    clock.tell("assemble");
    let libraries = Libraries::new(dependencies, &layout.packages);
    let world = ItemIndex::new(input, &assembly, &scopes, &libraries);
    clock.tell("world");
    let by_path: BTreeMap<&str, &FileFacts> = facts.iter().map(|f| (f.path.as_str(), f)).collect();
    let sources: Vec<Source<'_>> = files
        .iter_enumerated()
        .map(|(file, (path, _))| Source { file, uses: &by_path[path].uses, only: None })
        .collect();
    let references = world.references(&sources);
    clock.tell("references");
    eprintln!("{:10} {}", "count", references.len());
    if quiet {
        return Ok(());
    }
    let mut places: BTreeMap<NodeId, Place<'_>> = BTreeMap::new();
    for node in &assembly.nodes {
        let at = node.declared_in.unwrap_or((node.instance, node.item));
        let file = files[tree.instances[node.instance].file].0;
        let of = files[tree.instances[at.0].file].0;
        // A made item is at its call.
        let written = |file: FileId, mut item: u32| {
            while item as usize >= by_path[files[file].0].items.len() {
                item = files[file].1.items[item as usize].parent;
            }
            item as usize
        };
        let number = tree.instances[node.instance].file;
        let call = written(number, node.item);
        let item = &by_path[file].items[call];
        let declared = written(tree.instances[at.0].file, at.1);
        let declared = &by_path[of].items[declared];
        places.insert(
            node.id,
            Place {
                file: of,
                line: declared.name_line,
                text_file: file,
                start: (item.span.start_line, item.span.start_byte),
                end: item.span.end_line,
                uses: &by_path[file].uses,
                kind: node.kind.as_str(),
                name: &node.name,
                path: &node.path,
                made: call != node.item as usize,
            },
        );
    }
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for one in &references {
        let source = &places[&one.source];
        let at: Vec<(u32, u32)> = one
            .occurrences
            .iter()
            .map(|place| {
                let line = source.start.0 + place.line;
                let first = source.uses.lines[line as usize - 1];
                (line, source.start.1 + place.offset - first + 1)
            })
            .collect();
        let target = match &one.target {
            RefTarget::Node(id) => places[id].json(),
            RefTarget::External(path) => json!({"external": path}),
            RefTarget::Unknown(text) => json!({"unknown": text}),
        };
        let line = json!({
            "source": source.json(), "kind": one.kind.as_str(), "target": target,
            "rule": one.provenance, "confidence": one.confidence,
            "file": source.text_file, "places": at,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

struct Place<'a> {
    file: &'a str,
    line: u32,
    text_file: &'a str,
    start: (u32, u32),
    end: u32,
    uses: &'a asof_model::FileUses,
    kind: &'a str,
    name: &'a str,
    path: &'a str,
    made: bool,
}

impl Place<'_> {
    fn json(&self) -> serde_json::Value {
        json!({"file": self.file, "line": self.line, "name": self.name, "kind": self.kind,
            "path": self.path, "start": self.start.0, "end": self.end,
            "text_file": self.text_file, "made": self.made})
    }
}

struct Clock(Instant, f64);

impl Clock {
    fn tell(&mut self, phase: &str) {
        let ms = self.0.elapsed().as_secs_f64() * 1000.0;
        let now = cpu();
        eprintln!("{phase:10} {ms:7.1} ms {:7.0} ms of processors", now - self.1);
        (self.0, self.1) = (Instant::now(), cpu());
    }
}

/// Milliseconds of all threads so far, where the system tells them: what a busy machine adds to
/// the clock does not show here.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * 10.0
}
