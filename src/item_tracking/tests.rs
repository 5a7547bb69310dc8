//! Small steps, with what is to be said of them.

mod parts;

use std::collections::BTreeMap;
use std::convert::Infallible;

use uuid::Uuid;

use super::*;
use asof_model::{NodeId, NodeKind, TextHash};
use asof_syntax::parse_file_isolated;

/// The items of a workspace of one crate, with their texts. A file `a.rs` is the module `c::a`.
#[derive(Default)]
struct World {
    items: BTreeMap<NodeId, ItemState>,
    texts: BTreeMap<TextHash, String>,
}

fn id(key: &str) -> NodeId {
    NodeId(Uuid::new_v5(&Uuid::nil(), key.as_bytes()))
}

impl World {
    fn parse(files: &[(&str, &str)]) -> Self {
        let mut world = Self::default();
        for (file, text) in files {
            let facts = parse_file_isolated(file, text.as_bytes());
            assert!(!facts.partial, "{file}: {:?}", facts.issues);
            let mut paths: Vec<String> = Vec::new();
            for (at, item) in facts.items.iter().enumerate() {
                let above = paths.get(item.parent as usize).cloned().unwrap_or_default();
                let path = match (at, item.kind) {
                    (0, _) => format!("c::{}", file.trim_end_matches(".rs")),
                    (_, NodeKind::Impl) => {
                        let name = item.name.trim_start_matches("impl ");
                        match name.split_once(" for ") {
                            Some((of, ty)) => format!("<{above}::{ty} as {of}>"),
                            None => format!("<{above}::{name}>"),
                        }
                    }
                    _ if above.contains(" as ") => format!("{above}::{}", item.name),
                    _ => format!("{}::{}", above.trim_matches(['<', '>']), item.name),
                };
                let parent = (at > 0).then(|| id(&above));
                if let Some((hash, bytes)) = &item.text {
                    world.texts.insert(*hash, String::from_utf8(bytes.clone()).unwrap());
                }
                let state = ItemState {
                    id: id(&path),
                    kind: item.kind,
                    name: item.name.clone(),
                    canonical_path: Some(path.clone()),
                    module_id: id(&path),
                    parent_id: parent,
                    file_path: (*file).to_owned(),
                    visibility: item.visibility.clone(),
                    signature: item.signature.clone(),
                    docs: item.docs.clone(),
                    cfg: item.cfg.clone(),
                    tracking_hash: item.tracking_hash,
                    shape_hash: item.shape_hash,
                    attrs: item.attrs.iter().map(|attr| attr.text.clone()).collect(),
                    text_hash: item.text.as_ref().map(|(hash, _)| *hash),
                };
                world.items.insert(state.id, state);
                paths.push(path);
            }
        }
        world
    }
}

/// What became of the items: `old -> new` with the classes, `old => new` for a split or merge, one
/// per line.
fn step(old: &[(&str, &str)], new: &[(&str, &str)]) -> String {
    let (old, new) = (World::parse(old), World::parse(new));
    let only = |a: &World, b: &World| -> Vec<ItemState> {
        a.items.values().filter(|i| !b.items.contains_key(&i.id)).cloned().collect()
    };
    let (removed, added) = (only(&old, &new), only(&new, &old));
    let changed = old.items.values().filter_map(|was| {
        let is = new.items.get(&was.id)?;
        (was != is).then(|| (was.clone(), is.clone()))
    });
    let changed: Vec<_> = changed.collect();
    let text = |hash: &TextHash| old.texts.get(hash).or(new.texts.get(hash)).map(String::as_str);
    let mut read = |hashes: &[TextHash]| -> Result<Vec<(TextHash, String)>, Infallible> {
        Ok(hashes.iter().filter_map(|h| Some((*h, text(h)?.to_owned()))).collect())
    };
    let mut texts = Texts::new(&mut read);
    let Ok(item_matches) =
        ItemMatches::compute(&removed, &added, || Ok(changed.clone()), &mut texts);
    let label = |id: &NodeId| new.items.get(id).or(old.items.get(id)).unwrap().label().to_owned();
    let classes = |old: &ItemState, new: &ItemState| {
        let classes = Comparison { old, new }.classes(&text);
        classes.iter().map(|c| c.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut lines = Vec::new();
    for found in item_matches.iter() {
        match (old.items.get(&found.old), new.items.get(&found.new)) {
            (Some(was), Some(is)) if found.kind.is_same_item() => {
                lines.push(format!("{} -> {}: {}", was.label(), is.label(), classes(was, is)));
            }
            _ => lines.push(format!("{} => {}", label(&found.old), label(&found.new))),
        }
    }
    for (was, is) in &changed {
        lines.push(format!("{}: {}", is.label(), classes(was, is)));
    }
    lines.sort();
    lines.retain(|line| !line.ends_with(": contents"));
    lines.join("\n")
}

const LOAD: &str = "pub fn load(path: &str) -> Result<String, Error> {
    let text = std::fs::read_to_string(path)?;
    let trimmed = text.trim().to_owned();
    let lines = trimmed.lines().filter(|l| !l.starts_with('#')).collect::<Vec<_>>();
    report(lines.len());
    Ok(lines.join(\"\\n\"))
}
";

#[test]
fn a_rename_and_a_move_are_one_item() {
    let renamed = LOAD.replace("load", "read");
    assert_eq!(step(&[("a.rs", LOAD)], &[("a.rs", &renamed)]), "c::a::load -> c::a::read: renamed");
    let moved = step(&[("a.rs", LOAD), ("b.rs", "")], &[("a.rs", ""), ("b.rs", LOAD)]);
    assert_eq!(moved, "c::a::load -> c::b::load: moved");
    let both = step(&[("a.rs", LOAD), ("b.rs", "")], &[("a.rs", ""), ("b.rs", &renamed)]);
    assert_eq!(both, "c::a::load -> c::b::read: moved renamed");
}

#[test]
fn a_recursive_function_keeps_its_shape_in_a_bag() {
    let fact = "fn factorial(n: u64) -> u64 { if n < 2 { 1 } else { n * factorial(n - 1) } }";
    let new = fact.replace("factorial", "product");
    assert_eq!(
        step(&[("a.rs", fact)], &[("a.rs", &new)]),
        "c::a::factorial -> c::a::product: renamed body"
    );
}

#[test]
fn a_moved_and_edited_item_is_found_by_its_tokens() {
    let edited = LOAD.replace("report(lines.len());", "let count = lines.len();\n    log(count);");
    let found = step(&[("a.rs", LOAD), ("b.rs", "")], &[("a.rs", ""), ("b.rs", &edited)]);
    assert_eq!(found, "c::a::load -> c::b::load: moved body");
}

#[test]
fn what_says_nothing_is_not_followed_elsewhere() {
    let small = |ty: &str| {
        format!(
            "pub struct {ty} {{ a: {ty}Inner }}\nimpl {ty} {{ pub fn new() -> Self {{ Self::default() }} }}\n"
        )
    };
    let found = step(&[("a.rs", &small("Hen"))], &[("a.rs", &small("Axle"))]);
    // The types share no more than a form; the constructors are those of any type.
    assert!(!found.contains("new"), "{found}");
}

#[test]
fn other_functions_are_other_items() {
    let other = "pub fn weigh(cart: &Cart) -> f64 {
    let mut sum = 0.0;
    for wheel in cart.wheels() { sum += wheel.mass * wheel.count as f64; }
    sum + cart.frame.mass
}
";
    assert_eq!(step(&[("a.rs", LOAD)], &[("a.rs", other)]), "");
}

#[test]
fn a_type_takes_its_fields_and_methods_along() {
    let text = "pub struct Policy { pub tries: u32, pub base: u64 }
impl Policy { pub fn new() -> Self { Self { tries: 1, base: 2 } } }
";
    let found = step(&[("a.rs", text), ("b.rs", "")], &[("a.rs", ""), ("b.rs", text)]);
    let expected = "<c::a::Policy> -> <c::b::Policy>: moved
c::a::Policy -> c::b::Policy: moved
c::a::Policy::base -> c::b::Policy::base: moved
c::a::Policy::new -> c::b::Policy::new: moved
c::a::Policy::tries -> c::b::Policy::tries: moved";
    assert_eq!(found, expected);
    let renamed = text.replace("Policy", "Backoff");
    let found = step(&[("a.rs", text)], &[("a.rs", &renamed)]);
    assert!(found.contains("c::a::Policy::new -> c::a::Backoff::new: moved"), "{found}");
    assert!(found.contains("c::a::Policy -> c::a::Backoff: renamed"), "{found}");
}

#[test]
fn a_module_under_another_name_is_what_it_holds() {
    let text = format!(
        "{LOAD}\npub fn one() -> u8 {{ 1 }}\npub mod inner {{ pub fn two() -> u8 {{ 2 }} }}\n"
    );
    let found = step(&[("a.rs", &text)], &[("z.rs", &text)]);
    let expected = "c::a -> c::z: moved
c::a::inner -> c::z::inner: moved
c::a::inner::two -> c::z::inner::two: moved
c::a::load -> c::z::load: moved
c::a::one -> c::z::one: moved";
    assert_eq!(found, expected);
}

#[test]
fn a_method_is_followed_between_the_impls_of_a_type() {
    let text = |header: &str, body: &str| {
        format!("pub struct Policy;\nimpl {header} {{ fn next(&self) -> u8 {{ {body} }} }}\n")
    };
    let (own, of_trait) = (text("Policy", "1"), text("Delay for Policy", "self.one() + 2"));
    let to_trait = step(&[("a.rs", &own)], &[("a.rs", &of_trait)]);
    let expected = "<c::a::Policy> -> <c::a::Policy as Delay>: renamed signature
c::a::Policy::next -> <c::a::Policy as Delay>::next: moved body";
    assert_eq!(to_trait, expected);
    let back = step(&[("a.rs", &of_trait)], &[("a.rs", &own)]);
    assert!(back.contains("<c::a::Policy as Delay>::next -> c::a::Policy::next"), "{back}");
}

#[test]
fn a_name_with_more_words_is_the_likelier_one() {
    let old = "pub fn is_hidden(dent: &DirEntry) -> bool {
    dent.file_name().to_str().map(|name| name.starts_with('.')).unwrap_or(false)
}
";
    let new = "pub fn is_hidden_entry(dent: &DirEntry, depth: usize) -> bool {
    depth > 0 && dent.file_name().to_str().map(|name| name.starts_with('.')) == Some(true)
}
pub fn is_visible(dent: &DirEntry) -> bool {
    dent.file_name().to_str().map(|name| !name.ends_with('~')).unwrap_or(false)
}
";
    let found = step(&[("a.rs", old)], &[("a.rs", new)]);
    assert_eq!(found, "c::a::is_hidden -> c::a::is_hidden_entry: renamed signature body");
}

#[test]
fn changed_calls_say_which_item_has_another_name() {
    let item = |name: &str, body: &str| format!("pub fn {name}(n: u32) -> u32 {{ {body} }}\n");
    let old = item("weigh", "let mut sum = 0; for wheel in 0..n { sum += mass(wheel) * 2; } sum");
    let one =
        item("total", "let mut all = 0; for wheel in 0..n { all += mass(wheel) * 2; } all + 1");
    let two = item("count", "let mut sum = 0; for spoke in 0..n { sum += mass(spoke) * 3; } sum");
    let user =
        |name: &str| format!("pub fn ship(cart: Cart) {{ book(cart.id, {name}(cart.n)); }}\n");
    let with = |items: &[&str]| items.concat();
    let told = step(
        &[("a.rs", &with(&[&old, &user("weigh")]))],
        &[("a.rs", &with(&[&one, &two, &user("total")]))],
    );
    assert_eq!(told, "c::a::ship: body\nc::a::weigh -> c::a::total: renamed body");
}

#[test]
fn small_bodies_are_no_parts_of_other_packages() {
    let whole = "pub fn open(path: &Path) -> Reader {
    let file = File::open(path).expect(path);
    log(file.len());
    Reader::new(BufReader::with_capacity(1 << 16, file))
}
";
    let less = whole.replace("Reader::new(BufReader::with_capacity(1 << 16, file))", "wrap(file)");
    let part = "fn wrap(file: File) -> Reader {
    Reader::new(BufReader::with_capacity(1 << 16, file))
}
";
    let near = step(
        &[("one/src/a.rs", whole), ("one/src/b.rs", "")],
        &[("one/src/a.rs", &less), ("one/src/b.rs", part)],
    );
    assert!(near.contains("::open => "), "{near}");
    let far = step(
        &[("one/src/a.rs", whole), ("two/src/b.rs", "")],
        &[("one/src/a.rs", &less), ("two/src/b.rs", part)],
    );
    assert!(!far.contains("=>"), "{far}");
}

#[test]
fn a_change_is_told_by_its_parts() {
    let base = "/// Adds.\n#[inline]\npub fn add(a: u8, b: u8) -> u8 { a + b }\n";
    let change = |from: &str, to: &str| {
        assert!(base.contains(from));
        step(&[("a.rs", base)], &[("a.rs", &base.replace(from, to))])
    };
    assert_eq!(change("a + b", "a - b"), "c::a::add: body");
    assert_eq!(change("a: u8", "a: u16"), "c::a::add: signature");
    assert_eq!(change("pub fn", "pub(crate) fn"), "c::a::add: visibility");
    assert_eq!(change("#[inline]", "#[inline(always)]"), "c::a::add: attributes");
    assert_eq!(change("/// Adds.", "/// Sums."), "c::a::add: documentation");
    assert_eq!(change("a + b", "a  +  b"), "c::a::add: format");
    assert_eq!(change("a + b", "a + b // sum\n"), "c::a::add: comments");
    assert_eq!(
        change("pub fn add(a: u8, b: u8) -> u8 { a + b }", "fn add(a: u8) -> u8 { a }"),
        "c::a::add: signature visibility body"
    );
    let types = |from: &str, to: &str| step(&[("a.rs", from)], &[("a.rs", to)]);
    assert_eq!(
        types("struct A { x: u8 }", "struct A { x: u16 }"),
        "c::a::A: body\nc::a::A::x: signature"
    );
    assert_eq!(types("const A: u8 = 1;", "const A: u8 = 2;"), "c::a::A: body");
    assert_eq!(
        types("struct A { x: u8 }", "struct A { y: u8 }"),
        "c::a::A: body\nc::a::A::x -> c::a::A::y: renamed"
    );
    assert_eq!(
        types("fn a() {\n    fn b() { 1; }\n}", "fn a() {\n    fn b() { 2; }\n}"),
        "c::a::a::b: body"
    );
}

#[test]
fn the_path_of_a_holder_ends_before_the_last_name() {
    let mut state = World::parse(&[("a.rs", "fn f() {}")]).items.into_values().next().unwrap();
    let mut holder = |path: &str| {
        state.canonical_path = Some(path.to_owned());
        state.holder().to_owned()
    };
    assert_eq!(holder("c::a::f"), "c::a");
    assert_eq!(holder("<c::A as x::B>::m"), "<c::A as x::B>");
    assert_eq!(holder("<c::A<fn() -> u8> as x::B>::m"), "<c::A<fn() -> u8> as x::B>");
    assert_eq!(holder("<c::A as x::B>"), "");
    assert_eq!(holder("c"), "");
}

#[test]
fn a_function_drawn_in_is_known_by_its_body() {
    // The head is longer than the body, and stays nowhere.
    let old = "pub fn scan(paths: &[PathBuf], patterns: Vec<Regex>, config: Config) -> ExitCode {
    Workers::start(patterns, config).walk(paths)
}

pub fn run(paths: &[PathBuf], patterns: Vec<Regex>, config: Config) -> ExitCode {
    report(paths.len());
    scan(paths, patterns, config)
}
";
    let new = "pub fn run(paths: &[PathBuf], patterns: Vec<Regex>, config: Config) -> ExitCode {
    report(paths.len());
    Workers::start(patterns, config).walk(paths)
}
";
    assert_eq!(
        step(&[("a.rs", old)], &[("a.rs", new)]),
        "c::a::run: body\nc::a::scan => c::a::run"
    );
}

#[test]
fn a_head_alone_is_no_part_of_another() {
    // What `sum` gained is the head of `product`, not what it did.
    let old = "pub fn product(values: &[u64], start: u64, limit: usize) -> Option<u64> {
    values.iter().take(limit).try_fold(start, |all, value| all.checked_mul(*value))
}

pub fn sum() -> u64 {
    0
}
";
    let new = "pub fn sum(values: &[u64], start: u64, limit: usize) -> Option<u64> {
    None
}
";
    assert_eq!(step(&[("a.rs", old)], &[("a.rs", new)]), "c::a::sum: signature body");
}

#[test]
fn a_type_is_no_part_of_a_function() {
    let old = "pub fn send(batch: Arc<Mutex<Option<Vec<WorkerResult>>>>, limit: Duration) {
    let items: Arc<Mutex<Option<Vec<WorkerResult>>>> = batch;
    flush(items, limit);
}
";
    let new = "pub struct Batch {
    items: Arc<Mutex<Option<Vec<WorkerResult>>>>,
}

pub fn send(batch: Batch, limit: Duration) {
    flush(batch.items, limit);
}
";
    let told = step(&[("a.rs", old)], &[("a.rs", new)]);
    assert!(!told.contains("=>"), "{told}");
}

#[test]
fn what_any_code_has_is_no_part_of_another_item() {
    let old = "pub struct Quiet(Option<AtomicBool>);
impl Quiet {
    pub fn set_match(&self, yes: bool) -> bool {
        match self.0 {
            None => false,
            Some(_) if !yes => false,
            Some(ref m) => { m.store(true, Ordering::SeqCst); true }
        }
    }
}
";
    let new = "static MESSAGES: AtomicBool = AtomicBool::new(false);
pub fn set_messages(yes: bool) {
    MESSAGES.store(yes, Ordering::SeqCst)
}
";
    assert_eq!(step(&[("a.rs", old)], &[("a.rs", new)]), "");
    let old = "macro_rules! case {
    ($name:ident, $arg:expr, $text:expr, $status:expr) => {
        #[test]
        fn $name() {
            let test = crate::Test::new();
            test.arg($arg).justfile($text).status($status).run();
        }
    };
}
";
    let new = "#[test]
fn one() { crate::Test::new().arg(\"a\").justfile(\"x := y\").status(1).run(); }
#[test]
fn two() { crate::Test::new().arg(\"b\").justfile(\"foo: bar\").status(0).run(); }
";
    assert_eq!(step(&[("a.rs", old)], &[("a.rs", new)]), "", "a function is no part of a macro");
}

#[test]
fn bodies_in_each_other_are_one_item() {
    let old = "impl Args {
    fn specs(&self) -> Result<Specs> {
        let mut specs = default_color_specs();
        for spec in self.values_of_lossy_vec(\"colors\") { specs.push(spec.parse()?); }
        Ok(Specs::new(&specs))
    }
}
";
    let new = "fn take_colors(_: &mut State, low: &mut LowLevel, all: Everything) -> anyhow::Result<Colors> {
    let mut specs = default_color_specs();
    specs.append(&mut low.colors);
    for spec in &specs { specs.push(spec.parse()?); }
    Ok(Specs::new(&specs))
}
";
    let found = step(&[("a.rs", old), ("b.rs", "")], &[("a.rs", "impl Args {}\n"), ("b.rs", new)]);
    assert_eq!(found, "c::a::Args::specs -> c::b::take_colors: moved renamed signature body");
}

#[test]
fn a_type_goes_where_its_methods_go() {
    let text = |name: &str, field: &str, rest: &str| {
        format!(
            "pub struct {name}Builder {{ {field} }}
impl {name}Builder {{
    pub fn new() -> {name}Builder {{ {name}Builder {{ strip: false }} }}
    pub fn build(&self, entry: Option<u8>) -> Option<{name}> {{
        let depth = entry?;
        if depth > 7 && self.strip {{ return None; }}
        Some({name}(depth))
    }}
    pub fn strip(&mut self, yes: bool) -> &mut {name}Builder {{ self.strip = yes; self }}
}}
{rest}"
        )
    };
    let config = "struct Config { strip: bool }\n";
    let found = step(
        &[("a.rs", &text("Subject", "config: Config", config)), ("b.rs", "")],
        &[("a.rs", ""), ("b.rs", &text("Haystack", "strip: bool", ""))],
    );
    assert!(found.contains("c::a::SubjectBuilder -> c::b::HaystackBuilder"), "{found}");
    assert!(
        found.contains("c::a::SubjectBuilder::strip -> c::b::HaystackBuilder::strip"),
        "{found}"
    );
    assert!(!found.contains("Config"), "{found}");
}

#[test]
fn an_impl_goes_with_its_type() {
    let display = |ty: &str, extra: &str| {
        format!(
            "impl fmt::Display for {ty} {{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {{
        let shown = self.text.lines().take(3).collect::<Vec<_>>().join(\" \");
        write!(f, \"{{}}: {{}}\", self.name, shown){extra}
    }}
}}
"
        )
    };
    let old = format!("pub struct Cmd {{ args: Vec<String>, child: u8 }}\n{}", display("Cmd", ""));
    let new = format!("pub enum Invalid {{ Utf8(usize) }}\n{}", display("Invalid", "?; Ok(())"));
    assert_eq!(step(&[("a.rs", &old), ("b.rs", "")], &[("a.rs", ""), ("b.rs", &new)]), "");
}

#[test]
fn a_name_is_no_evidence_for_another_value() {
    let old = "const TEMPLATE: &str = \"{bin} {version}\";\n";
    let new = "const TEMPLATE: &str = \"complete -c rg -n use\";\n";
    assert_eq!(step(&[("a.rs", old), ("b.rs", "")], &[("a.rs", ""), ("b.rs", new)]), "");
    let wider = old.replace("const", "pub const");
    let found = step(&[("a.rs", old), ("b.rs", "")], &[("a.rs", ""), ("b.rs", &wider)]);
    assert_eq!(found, "c::a::TEMPLATE -> c::b::TEMPLATE: moved visibility");
}

#[test]
fn setters_and_getters_are_alike_everywhere() {
    let old = "pub struct Printer<W> { wtr: W, colors: u8 }
impl<W> Printer<W> {
    pub fn colors(mut self, colors: u8) -> Printer<W> { self.colors = colors; self }
}
";
    let new = "pub struct Worker<W> { printer: Option<W>, quiet: bool, limit: usize }
impl<W> Worker<W> {
    pub fn printer(&mut self) -> &mut Option<W> { &mut self.printer }
}
";
    assert_eq!(step(&[("a.rs", old), ("b.rs", "")], &[("a.rs", ""), ("b.rs", new)]), "");
}
