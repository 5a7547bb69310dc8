//! Over real code, by hand: `ASOF_CORPUS=dir cargo test --lib syntax::tests::corpus -- --ignored`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::*;

fn rust_files(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    let mut entries: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

fn corpus() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let dirs = std::env::var("ASOF_CORPUS").expect("ASOF_CORPUS names folders, `:` between them");
    for dir in dirs.split(':') {
        rust_files(Path::new(dir), &mut files);
    }
    assert!(!files.is_empty(), "no Rust files in {dirs}");
    files
}

#[test]
#[ignore = "needs ASOF_CORPUS"]
fn every_file_keeps_the_invariants() {
    let files = corpus();
    let (mut items, mut bytes, mut issues) = (0, 0, 0);
    with_large_stack(|| {
        for path in &files {
            let text = std::fs::read(path).expect("readable");
            let facts = parse_file(&path.to_string_lossy(), &text);
            invariants(&facts, &text);
            items += facts.items.len();
            bytes += text.len();
            issues += facts.issues.len();
            for issue in &facts.issues {
                let line = issue.span.map_or(0, |span| span.start_line);
                println!("{:?} {}:{line}: {}", issue.kind, issue.file_path, issue.message);
            }
        }
    })
    .expect("no panic");
    println!("{} files, {bytes} bytes, {items} items, {issues} issues", files.len());
}

#[test]
#[ignore = "needs ASOF_CORPUS"]
fn speed_against_syn_alone() {
    let texts: Vec<String> =
        corpus().iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect();
    with_large_stack(|| {
        let (mut plain, mut ours) = (Duration::MAX, Duration::MAX);
        for _ in 0..7 {
            let start = Instant::now();
            for text in &texts {
                drop(syn::parse_file(text));
                proc_macro2::extra::invalidate_current_thread_spans();
            }
            plain = plain.min(start.elapsed());
            let start = Instant::now();
            for text in &texts {
                drop(parse_file("", text.as_bytes()));
            }
            ours = ours.min(start.elapsed());
        }
        let ratio = ours.as_secs_f64() / plain.as_secs_f64();
        println!("syn {plain:?}, parse_file {ours:?}, ratio {ratio:.2}");
    })
    .expect("no panic");
}

/// One line an item for comparison with other tools: file, kind, name, line of the name.
#[test]
#[ignore = "needs ASOF_CORPUS"]
fn listing() {
    let root = PathBuf::from(std::env::var("ASOF_CORPUS").expect("one folder"));
    let mut out = String::new();
    with_large_stack(|| {
        for path in corpus() {
            let text = std::fs::read(&path).expect("readable");
            let relative = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy();
            for item in parse_file(&relative, &text).items.iter().skip(1) {
                let Span { start_line, end_line, .. } = item.span;
                out.push_str(&format!(
                    "{relative}\t{}\t{}\t{}\t{start_line}\t{end_line}\t{}\n",
                    item.kind, item.name, item.name_line, item.signature
                ));
            }
        }
    })
    .expect("no panic");
    std::fs::write(std::env::var("ASOF_LISTING").expect("a file to write"), out).expect("written");
}
