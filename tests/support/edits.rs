//! Random edits of a workspace, such as people make them.

use std::fs;

use asof_model::{FileFacts, ItemFacts, NodeKind};
use asof_syntax::parse_file;

use super::{Copy, files, meanings};

/// A small generator: the same seed, the same edits (xorshift64*).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n.max(1)
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    fn number(&mut self) -> u64 {
        self.next() % 1_000
    }
}

/// Few names, so that they meet.
const NAMES: [&str; 8] = ["alpha", "beta", "gamma", "Delta", "Omega", "engine", "run", "Square"];

/// Edits that change nothing that other files can see.
fn light(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let n = rng.number();
    let own = |item: &ItemFacts| {
        has_text(item) && !matches!(item.kind, NodeKind::Module | NodeKind::Import)
    };
    let item = pick_item(&facts, rng, own)?;
    let start = item.span.start_byte;
    let what = match rng.below(5) {
        0 => format!("/// Documented, {n}.\n"),
        1 => format!("// TODO: only a comment, {n}.\n\n"),
        2 => format!("#[must_use = \"{n}\"]\n"),
        3 => "  \n\t".to_owned(),
        _ => {
            let is_fn = |i: &ItemFacts| matches!(i.kind, NodeKind::Function | NodeKind::Method);
            let item = pick_item(&facts, rng, is_fn)?;
            let last = item.span.end_byte.checked_sub(1)?;
            if copy.read(path).get(last as usize) != Some(&b'}') {
                return None;
            }
            let statement = format!("\n let _é = {n};\n");
            splice(copy, path, last, last, &statement);
            return Some(format!("light body of {} in", item.name));
        }
    };
    splice(copy, path, start, start, &what);
    Some(format!("light {what:?} on {} in", item.name))
}

/// Makes one edit, and says which. Edits that find nothing to work on append a function.
pub fn edit(copy: &mut Copy, rng: &mut Rng) -> String {
    let all = files(&copy.root);
    let rust: Vec<String> = all.iter().filter(|p| p.ends_with(".rs")).cloned().collect();
    let Some(path) = rng.pick(&rust).cloned() else {
        copy.write("src/lib.rs", "pub fn first() {}\n");
        return "write src/lib.rs".to_owned();
    };
    let done = match rng.below(88) {
        80.. => return document(copy, rng, &all),
        70.. => meanings::signature(copy, rng, &path),
        60.. => meanings::meaning(copy, rng, &path),
        50.. => meanings::user(copy, rng, &path),
        45.. => meanings::member(copy, rng, &path),
        34.. => light(copy, rng, &path),
        0 => {
            copy.touch(&path);
            Some("touch".to_owned())
        }
        1..=3 => body(copy, rng, &path),
        4..=7 => insert(copy, rng, &path),
        8 | 9 => delete(copy, rng, &path),
        10 => swap(copy, rng, &path),
        11 => duplicate(copy, rng, &path),
        12..=14 => rename_item(copy, rng, &path),
        15 | 16 => visibility(copy, rng, &path),
        17 | 18 => docs(copy, rng, &path),
        19 | 20 => imports(copy, rng, &path),
        21 => break_syntax(copy, rng, &path),
        22 => not_utf8(copy, &path),
        23 => bom_or_line_ends(copy, rng, &path),
        24 | 25 => move_file(copy, rng, &path),
        26 => rename_module(copy, rng, &path),
        27 => add_file(copy, rng, &path),
        28 => remove_file(copy, &path),
        29 | 30 => manifest(copy, rng, &all),
        31 => same_size(copy, &path),
        32 => impl_header(copy, rng, &path),
        _ => link_or_hide(copy, rng, &path),
    };
    match done {
        Some(what) => format!("{what} {path}"),
        None => {
            let text = format!("\npub fn added_{}() {{}}\n", rng.number());
            append(copy, &path, &text);
            format!("append{text:?} {path}")
        }
    }
}

/// Edits of Markdown files, and of the documentation of modules.
fn document(copy: &mut Copy, rng: &mut Rng, all: &[String]) -> String {
    let known: Vec<&String> = all.iter().filter(|path| path.ends_with(".md")).collect();
    let n = rng.number();
    let path = match rng.pick(&known) {
        Some(path) if rng.below(3) > 0 => (*path).clone(),
        _ => ["README.md", "docs/guide.md", "src/notes.md"][rng.below(3)].to_owned(),
    };
    let text = match rng.below(7) {
        0 => format!("# Guide {n}\n\nCalls `run` and crate::engine::run.\n\n## Part\n\ntext {n}\n"),
        1 => format!("Title {n}\n=====\n\n```\n# no heading\n```\n"),
        2 => String::new(),
        3 => {
            copy.write(&path, [b"# Binary \xff\x00".as_slice(), &n.to_le_bytes()].concat());
            return format!("write bytes {path}");
        }
        4 if copy.root.join(&path).exists() => {
            copy.remove(&path);
            return format!("remove {path}");
        }
        5 => {
            let rust: Vec<&String> = all.iter().filter(|path| path.ends_with(".rs")).collect();
            let Some(path) = rng.pick(&rust) else { return "nothing".to_owned() };
            let text = [format!("//! # Module {n}\n").as_bytes(), &copy.read(path)].concat();
            copy.write(path, text);
            return format!("documentation {n} {path}");
        }
        _ => {
            let mut text = String::from_utf8_lossy(&copy.read(&path)).into_owned();
            text.push_str(&format!("\n### Added {n}\n\n`alpha` and `Delta::run`\n"));
            text
        }
    };
    copy.write(&path, &text);
    format!("write {text:?} {path}")
}

fn append(copy: &mut Copy, path: &str, text: &str) {
    let mut bytes = copy.read(path);
    bytes.extend_from_slice(text.as_bytes());
    copy.write(path, bytes);
}

pub fn facts(copy: &Copy, path: &str) -> FileFacts {
    parse_file(path, &copy.read(path))
}

/// Items of a file with a text of their own, at any depth.
pub fn pick_item(
    facts: &FileFacts,
    rng: &mut Rng,
    which: impl Fn(&ItemFacts) -> bool,
) -> Option<ItemFacts> {
    let items: Vec<_> = facts.items.iter().skip(1).filter(|item| which(item)).collect();
    rng.pick(&items).map(|item| (*item).clone())
}

pub fn splice(copy: &mut Copy, path: &str, start: u32, end: u32, text: &str) {
    let mut bytes = copy.read(path);
    bytes.splice(start as usize..end as usize, text.bytes());
    copy.write(path, bytes);
}

fn has_text(item: &ItemFacts) -> bool {
    item.text.is_some()
}

fn body(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let is_fn = |i: &ItemFacts| matches!(i.kind, NodeKind::Function | NodeKind::Method);
    let item = pick_item(&facts, rng, is_fn)?;
    let bytes = copy.read(path);
    let last = item.span.end_byte.checked_sub(1)?;
    if bytes.get(last as usize) != Some(&b'}') {
        return None;
    }
    let n = rng.number();
    let statement = match rng.below(6) {
        4 => "\n #[cfg(unix)] { use super::*; fn alpha() { beta::go() } alpha(); }\n".to_owned(),
        5 => "\n #[cfg(test)] { use std::fmt; struct Inner(fmt::Error); }\n".to_owned(),
        0 => format!("\n fn alpha() {{ {n}; }} \n"),
        1 => format!("\n\n struct Inner{n}; impl Inner{n} {{ fn go(&self) {{}} }}\n"),
        2 => "\n use super::*; { use std::fmt as alpha; }\n".to_owned(),
        _ => format!("\n let _ = {n};\n"),
    };
    splice(copy, path, last, last, &statement);
    Some(format!("body {statement:?} of {}", item.name))
}

fn insert(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let item = pick_item(&facts, rng, |item| item.parent == 0 && has_text(item))?;
    let name = rng.pick(&NAMES)?;
    let other = pick_item(&facts, rng, |item| {
        matches!(item.kind, NodeKind::Struct | NodeKind::Enum | NodeKind::Trait)
    });
    let other = other.map_or("Square".to_owned(), |item| item.name);
    let n = rng.number();
    let text = match rng.below(18) {
        0 => format!("pub fn {name}() -> u64 {{ {n} }}\n"),
        1 => format!("pub struct {name} {{ pub a: u8, b: {other} }}\n"),
        2 => format!("impl {other} {{ pub fn {name}(&self) {{}} }}\n"),
        3 => format!("impl Clone for {other} {{ fn clone(&self) -> Self {{ loop {{}} }} }}\n"),
        4 => format!(
            "pub enum {name} {{ One, Two(u8), Three {{ a: u8 }} }}\npub use self::{name}::*;\n"
        ),
        5 => format!("pub mod {name} {{ pub fn run() {{}} pub use super::*; }}\n"),
        6 => format!("#[cfg(unix)]\nfn {name}() {{}}\n#[cfg(not(unix))]\nfn {name}() {{ {n}; }}\n"),
        7 => format!(
            "#[macro_export]\nmacro_rules! {name} {{ () => {{ {n} }}; ($n:ident $($m:ident)*) => \
             {{ pub struct $n; impl $n {{ pub fn {name}(&self) {{}} $(pub fn $m() {{}})* }} }}; }}\n\
             {name}!(Made{n});\n{name}!({other}Made  alpha /* made */);\n"
        ),
        15 | 16 => format!(
            "macro_rules! suite {{ ($($t:tt)*) => {{ mod {name} {{ $($t)* fn run() {{}} }} mod two \
             {{ $($t)* fn run() {{}} }} }}; }}\n\
             suite! {{ fn alpha() {{ run() }} mod inner {{ pub fn beta() {{}} }} }}\n"
        ),
        8 => format!("cfg_rt! {{ pub fn {name}() {{}} pub struct {name}; mod inner_{n}; }}\n"),
        9 => format!("extern \"C\" {{ fn {name}(a: u8); static alpha: u8; }}\n"),
        10 => format!("pub trait {name} {{ type T; const C: u8 = 1; fn run(&self) {{}} }}\n"),
        11 => format!("impl<T> {name} for T {{ fn run(&self) {{}} }}\n"),
        12 => format!("const _: () = {{ struct {name}; }};\nconst _: u8 = {n};\n"),
        13 => format!("pub type {name} = {other};\npub static {}: u8 = 1;\n", name.to_uppercase()),
        14 => format!("pub fn {name}() {{ mod inside {{ pub fn {name}() {{}} }} }}\n"),
        _ => format!(
            "impl crate::{name}::{other} {{ const A: u8 = 1; }}\nimpl std::fmt::Debug for {other} {{}}\n"
        ),
    };
    splice(copy, path, item.span.start_byte, item.span.start_byte, &text);
    Some(format!("insert {text:?} in"))
}

fn delete(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let item = pick_item(&facts(copy, path), rng, has_text)?;
    splice(copy, path, item.span.start_byte, item.span.end_byte, "");
    Some(format!("delete {} from", item.name))
}

/// Two neighbours of one parent change places: twins change their ordinals.
fn swap(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let first = pick_item(&facts, rng, has_text)?;
    let second = facts.items.iter().skip(1).find(|item| {
        has_text(item) && item.parent == first.parent && item.span.start_byte >= first.span.end_byte
    })?;
    let bytes = copy.read(path);
    let part = |from: u32, to: u32| bytes.get(from as usize..to as usize).map(<[u8]>::to_vec);
    let between = part(first.span.end_byte, second.span.start_byte)?;
    let mut text = part(second.span.start_byte, second.span.end_byte)?;
    text.extend(between);
    text.extend(part(first.span.start_byte, first.span.end_byte)?);
    let text = String::from_utf8(text).ok()?;
    splice(copy, path, first.span.start_byte, second.span.end_byte, &text);
    Some(format!("swap {} and {} in", first.name, second.name))
}

fn duplicate(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let item = pick_item(&facts(copy, path), rng, has_text)?;
    let bytes = copy.read(path);
    let text = bytes.get(item.span.start_byte as usize..item.span.end_byte as usize)?;
    let text = format!("{}\n", std::str::from_utf8(text).ok()?);
    splice(copy, path, item.span.start_byte, item.span.start_byte, &text);
    Some(format!("duplicate {} in", item.name))
}

fn rename_item(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let item = pick_item(&facts(copy, path), rng, |item| {
        !item.kind.is_anonymous() && item.kind != NodeKind::Import
    })?;
    let bytes = copy.read(path);
    let start = item.name_start as usize;
    if bytes.get(start..start + item.name.len()) != Some(item.name.as_bytes()) {
        return None;
    }
    let new = rng.pick(&NAMES)?;
    splice(copy, path, item.name_start, item.name_start + item.name.len() as u32, new);
    Some(format!("rename {} to {new} in", item.name))
}

fn visibility(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let text = String::from_utf8(copy.read(path)).ok()?;
    let places: Vec<(usize, &str)> = text.match_indices("pub ").collect();
    let keywords = ["fn ", "struct ", "mod ", "use ", "enum ", "trait ", "const "];
    if let (0 | 1, Some((at, _))) = (rng.below(3), rng.pick(&places)) {
        let new = *rng.pick(&["", "pub(crate) ", "pub(super) ", "pub(in crate::alpha) "])?;
        splice(copy, path, *at as u32, *at as u32 + 4, new);
        return Some(format!("visibility {new:?} at {at} in"));
    }
    let mut places: Vec<usize> = Vec::new();
    for keyword in keywords {
        places.extend(text.match_indices(&format!("\n{keyword}")).map(|(at, _)| at + 1));
    }
    let at = *rng.pick(&places)? as u32;
    splice(copy, path, at, at, "pub ");
    Some(format!("pub at {at} in"))
}

fn docs(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let n = rng.number();
    if rng.below(3) == 0 {
        let text = match rng.below(4) {
            0 => format!("//! Of the file, {n}.\n"),
            2 => "#![cfg(test)]\n".to_owned(),
            1 => "#![allow(dead_code)]\n".to_owned(),
            _ => "#![cfg(unix)]\n".to_owned(),
        };
        let start = if copy.read(path).starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        splice(copy, path, start, start, &text);
        return Some(format!("{text:?} at the top of"));
    }
    if rng.below(4) == 0 {
        return predicate(copy, rng, path);
    }
    let facts = facts(copy, path);
    let modules = rng.below(2) == 0;
    let item = pick_item(&facts, rng, |item| !modules || item.kind == NodeKind::Module)?;
    let text = match rng.below(6) {
        0 => format!("/// Of the item, {n}.\n"),
        3 => "#[cfg(test)]\n".to_owned(),
        4 => "#[test]\n".to_owned(),
        1 => "#[cfg(feature = \"x\")]\n".to_owned(),
        2 => "#[doc(hidden)]\n".to_owned(),
        _ => format!("// Nothing, {n}.\n"),
    };
    splice(copy, path, item.span.start_byte, item.span.start_byte, &text);
    Some(format!("{text:?} on {} in", item.name))
}

/// Another predicate for a `cfg`.
fn predicate(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let text = String::from_utf8(copy.read(path)).ok()?;
    let all: Vec<usize> = text.match_indices("cfg(").map(|(at, _)| at + 4).collect();
    let start = *rng.pick(&all)?;
    let (end, _) = text.get(start..)?.match_indices([')', '(']).next()?;
    let new = *rng.pick(&["unix", "test", "feature = \"x\"", "not(unix)"])?;
    splice(copy, path, start as u32, (start + end) as u32, new);
    Some(format!("cfg({new}) at {start} in"))
}

fn imports(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    if rng.below(3) == 0 {
        let item = pick_item(&facts, rng, |item| item.kind == NodeKind::Import)?;
        splice(copy, path, item.span.start_byte, item.span.end_byte, "");
        return Some(format!("delete {} from", item.name));
    }
    let visibility = rng.pick(&["", "pub ", "pub(crate) "])?;
    let start = rng.pick(&["crate", "super", "self", "base", "front", "targets_core", "std"])?;
    let (name, other) = (rng.pick(&NAMES)?, rng.pick(&NAMES)?);
    let rest = match rng.below(5) {
        0 => "*".to_owned(),
        1 => format!("{name}::*"),
        2 => format!("{name} as {other}"),
        3 => format!("{name}::{{self, {other}}}"),
        _ => format!("{name}::{other}"),
    };
    let text = format!("{visibility}use {start}::{rest};\n");
    let at = pick_item(&facts, rng, |item| item.parent == 0 && has_text(item));
    match at {
        Some(item) => splice(copy, path, item.span.start_byte, item.span.start_byte, &text),
        None => append(copy, path, &text),
    }
    Some(format!("insert {text:?} in"))
}

/// Breaks a file, or mends the one that is broken.
fn break_syntax(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    const MARK: &str = "\nfn half( -> { ] \"";
    let text = String::from_utf8(copy.read(path)).ok()?;
    if text.contains(MARK) {
        copy.write(path, text.replace(MARK, ""));
        return Some("mend".to_owned());
    }
    let places: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let at = *rng.pick(&places)? as u32;
    splice(copy, path, at, at, MARK);
    Some(format!("break at {at}"))
}

fn not_utf8(copy: &mut Copy, path: &str) -> Option<String> {
    const MARK: &[u8] = b"\n// \xff\xfe";
    let bytes = copy.read(path);
    match bytes.strip_suffix(MARK) {
        Some(rest) => copy.write(path, rest),
        None => copy.write(path, [bytes.as_slice(), MARK].concat()),
    }
    Some("not UTF-8, or again:".to_owned())
}

fn bom_or_line_ends(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let text = String::from_utf8(copy.read(path)).ok()?;
    let new = match (rng.below(2), text.strip_prefix('\u{feff}')) {
        (0, Some(rest)) => rest.to_owned(),
        (0, None) => format!("\u{feff}{text}"),
        _ if text.contains("\r\n") => text.replace("\r\n", "\n"),
        _ => text.replace('\n', "\r\n"),
    };
    copy.write(path, new);
    Some("BOM or line ends of".to_owned())
}

/// `name.rs` to `name/mod.rs` or back, or to another name.
fn move_file(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let to = match path.strip_suffix("/mod.rs") {
        Some(folder) => format!("{folder}.rs"),
        None if rng.below(4) == 0 => {
            let name = rng.pick(&NAMES)?;
            match path.rsplit_once('/') {
                Some((folder, _)) => format!("{folder}/{name}.rs"),
                None => format!("{name}.rs"),
            }
        }
        None => format!("{}/mod.rs", path.strip_suffix(".rs")?),
    };
    if copy.root.join(&to).exists() {
        return None;
    }
    copy.rename(path, &to);
    Some(format!("move to {to}"))
}

/// Renames a declaration of a module and, half of the time, its file.
fn rename_module(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let item = pick_item(&facts, rng, |item| item.kind == NodeKind::Module)?;
    let new = rng.pick(&NAMES)?;
    let bytes = copy.read(path);
    let start = item.name_start as usize;
    if bytes.get(start..start + item.name.len()) != Some(item.name.as_bytes()) {
        return None;
    }
    splice(copy, path, item.name_start, item.name_start + item.name.len() as u32, new);
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let (from, to) = (format!("{folder}{}.rs", item.name), format!("{folder}{new}.rs"));
    if rng.below(2) == 0 && copy.root.join(&from).is_file() && !copy.root.join(&to).exists() {
        copy.rename(&from, &to);
    }
    Some(format!("rename module {} to {new} in", item.name))
}

fn add_file(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let name = rng.pick(&NAMES)?;
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let new = format!("{folder}{name}.rs");
    if copy.root.join(&new).exists() {
        return None;
    }
    let n = rng.number();
    copy.write(
        &new,
        format!("//! New, {n}.\npub struct Delta;\nimpl super::Square {{ fn new() {{}} }}\n"),
    );
    if rng.below(3) > 0 {
        append(copy, path, &format!("\n/// Added.\npub mod {name};\n"));
    }
    Some(format!("add {new} from"))
}

fn remove_file(copy: &mut Copy, path: &str) -> Option<String> {
    copy.remove(path);
    Some("remove".to_owned())
}

fn manifest(copy: &mut Copy, rng: &mut Rng, all: &[String]) -> Option<String> {
    const MARK: &str = "\n[broken";
    let manifests: Vec<&String> = all.iter().filter(|p| p.ends_with("Cargo.toml")).collect();
    let path = (*rng.pick(&manifests)?).clone();
    let text = String::from_utf8(copy.read(&path)).ok()?;
    if text.contains(MARK) {
        copy.write(&path, text.replace(MARK, ""));
        return Some(format!("mend {path}, not"));
    }
    let n = rng.number();
    let name = rng.pick(&NAMES)?;
    let roots: Vec<&String> = all.iter().filter(|p| p.ends_with(".rs")).collect();
    let folder = path.strip_suffix("Cargo.toml")?;
    let root = rng.pick(&roots).and_then(|root| root.strip_prefix(folder)).unwrap_or("src/none.rs");
    let new = match rng.below(8) {
        0 => format!("{text}\n[[bin]]\nname = \"bin-{n}\"\npath = \"{root}\"\n"),
        1 if !text.contains("[lib]") => format!("{text}\n[lib]\nname = \"lib_{n}\"\n"),
        1 => text.replace("[lib]\n", &format!("[lib]\nname = \"lib_{n}\"\n")),
        2 => text.replace("edition = \"2024\"", "edition = \"2015\""),
        3 => text.replace("name = \"", &format!("name = \"x{n}-")),
        4 => format!("{text}{MARK}"),
        5 => format!("{text}\n[dependencies.{name}]\npackage = \"base\"\npath = \"../base\"\n"),
        6 => text.replace("members = [\"base\", ", "members = ["),
        _ => format!("{text}\n[[test]]\nname = \"{name}\"\npath = \"{root}\"\n"),
    };
    copy.write(&path, &new);
    Some(format!("manifest {path} to {new:?}, not"))
}

/// One character for another, in a file whose time vouches for nothing.
fn same_size(copy: &mut Copy, path: &str) -> Option<String> {
    let mut bytes = copy.read(path);
    let at = bytes.iter().position(|b| b.is_ascii_digit() || *b == b'p')?;
    let byte = bytes.get_mut(at)?;
    *byte = match *byte {
        b'p' => b'q',
        b'9' => b'1',
        digit => digit + 1,
    };
    copy.write(path, bytes);
    copy.touch_racy(path);
    Some("same size, same moment:".to_owned())
}

fn impl_header(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let item = pick_item(&facts(copy, path), rng, |item| item.kind == NodeKind::Impl)?;
    let bytes = copy.read(path);
    let text = bytes.get(item.span.start_byte as usize..item.span.end_byte as usize)?;
    let text = String::from_utf8(text.to_vec()).ok()?;
    let name = rng.pick(&NAMES)?;
    let new = match rng.below(3) {
        0 => text.replacen("impl ", &format!("impl {name} for "), 1),
        1 => text.replacen("impl ", "impl<'a, T: Clone> ", 1),
        _ => text.replacen(" for ", &format!(" for {name}::"), 1),
    };
    splice(copy, path, item.span.start_byte, item.span.end_byte, &new);
    Some(format!("header of {} in", item.name))
}

/// Links, whole and broken, and files that the walk must not see.
fn link_or_hide(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let name = rng.pick(&NAMES)?;
    let folder = path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let file = path.rsplit('/').next()?;
    if rng.below(3) == 0 {
        let ignore = copy.root.join(".gitignore");
        let hidden = if ignore.exists() {
            fs::remove_file(ignore).unwrap();
            "nothing"
        } else {
            let hidden = if rng.below(2) == 0 { file } else { path.split('/').next()? };
            fs::write(ignore, format!("{hidden}\n")).unwrap();
            hidden
        };
        return Some(format!("hide {hidden}, from"));
    }
    let link = copy.root.join(format!("{folder}{name}.rs"));
    if link.is_symlink() {
        fs::remove_file(link).unwrap();
        return Some(format!("unlink {name}.rs beside"));
    }
    if link.exists() {
        return None;
    }
    let target = if rng.below(3) == 0 { "nowhere.rs" } else { file };
    std::os::unix::fs::symlink(target, link).unwrap();
    Some(format!("link {name}.rs to {target} beside"))
}
