//! Workspaces that have very much of one thing: cost must grow with their size, not with its
//! square. Used by the benchmark of growth and by the test that counts.

use std::fmt::Write as _;

/// A shape of source that can be made of any size.
pub struct Shape {
    pub name: &'static str,
    /// Size at which a cold index takes some hundred milliseconds.
    pub size: usize,
    /// Files of a workspace with that many of what the shape is about. The first holds
    /// [`BODY`] and [`ITEM_TREE`], which a save replaces.
    pub files: fn(usize) -> Vec<(String, String)>,
}

/// A statement in a body: a save that changes it leaves every name as it was.
pub const BODY: &str = "    let _save = 0;\n";
/// An item of its own: a save that changes its name changes what others can see.
pub const ITEM_TREE: &str = "pub fn save_0() {}\n";

/// Every shape.
pub const SHAPES: &[Shape] = &[
    Shape { name: "functions", size: 4_000, files: functions },
    Shape { name: "constants", size: 4_000, files: constants },
    Shape { name: "uses", size: 2_000, files: uses },
    Shape { name: "uses of nothing", size: 4_000, files: uses_of_nothing },
    Shape { name: "uses of std", size: 4_000, files: uses_of_std },
    Shape { name: "uses in a group", size: 2_000, files: group },
    Shape { name: "globs", size: 1_000, files: globs },
    Shape { name: "re-exports", size: 1_000, files: reexports },
    Shape { name: "impls", size: 2_000, files: impls },
    Shape { name: "impls of a trait", size: 2_000, files: trait_impls },
    Shape { name: "methods", size: 2_000, files: methods },
    Shape { name: "variants", size: 2_000, files: variants },
    Shape { name: "fields", size: 2_000, files: fields },
    Shape { name: "parameters", size: 2_000, files: parameters },
    Shape { name: "modules", size: 2_000, files: modules },
    Shape { name: "module files", size: 500, files: module_files },
    Shape { name: "nested modules", size: 2_000, files: nested },
    Shape { name: "chained modules", size: 500, files: chained },
    Shape { name: "calls", size: 10_000, files: calls },
    Shape { name: "method calls", size: 4_000, files: method_calls },
    Shape { name: "unknown calls", size: 4_000, files: unknown_calls },
    Shape { name: "locals", size: 4_000, files: locals },
    Shape { name: "callers", size: 2_000, files: callers },
    Shape { name: "caller files", size: 500, files: caller_files },
    Shape { name: "twins", size: 2_000, files: twins },
    Shape { name: "type twins", size: 2_000, files: type_twins },
    Shape { name: "macro calls", size: 4_000, files: macro_calls },
    Shape { name: "macros", size: 2_000, files: macros },
    Shape { name: "doubling macros", size: 2_000, files: doubling_macros },
    Shape { name: "doubling calls", size: 1_000, files: doubling_calls },
    Shape { name: "doubling types", size: 4_000, files: doubling_types },
    Shape { name: "generous macro calls", size: 2_000, files: generous_calls },
    Shape { name: "attributes", size: 4_000, files: attributes },
    Shape { name: "documentation", size: 10_000, files: documentation },
    Shape { name: "one long line", size: 4_000, files: one_line },
    Shape { name: "broken", size: 2_000, files: broken },
    Shape { name: "packages", size: 100, files: packages },
];

/// Text of the numbers up to a size, one part each.
fn each(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut out = String::new();
    for number in 0..size {
        let _ = out.write_str(&part(number));
    }
    out
}

/// A package of one library with these files beside its root, which can be saved.
fn package(root: String, others: Vec<(String, String)>) -> Vec<(String, String)> {
    let manifest = "[package]\nname = \"flat\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let root = format!("fn saved() {{\n{BODY}}}\n{ITEM_TREE}{root}");
    let mut files = vec![("src/lib.rs".to_owned(), root), ("Cargo.toml".into(), manifest.into())];
    files.extend(others);
    files
}

fn functions(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("pub fn f{n}(x: u32) -> u32 {{\n    x + {n}\n}}\n")), vec![])
}

fn constants(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("pub const C{n}: &str = \"text {n}\";\n")), vec![])
}

fn uses(size: usize) -> Vec<(String, String)> {
    let a = each(size, |n| format!("pub fn b{n}() {{}}\n"));
    let root = each(size, |n| format!("use a::b{n};\n"));
    package(format!("mod a;\n{root}"), vec![("src/a.rs".into(), a)])
}

fn uses_of_nothing(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("use a::b{n};\n")), vec![])
}

fn uses_of_std(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("use std::fmt::Debug as D{n};\n")), vec![])
}

fn group(size: usize) -> Vec<(String, String)> {
    let a = each(size, |n| format!("pub fn b{n}() {{}}\n"));
    let root = each(size, |n| format!("b{n}, "));
    package(format!("mod a;\nuse a::{{{root}}};\n"), vec![("src/a.rs".into(), a)])
}

fn globs(size: usize) -> Vec<(String, String)> {
    let a = each(size, |n| format!("pub mod m{n} {{ pub fn g{n}() {{}} }}\n"));
    let root = each(size, |n| format!("use a::m{n}::*;\n"));
    let calls = each(size, |n| format!("    g{n}();\n"));
    package(format!("mod a;\n{root}fn all() {{\n{calls}}}\n"), vec![("src/a.rs".into(), a)])
}

fn reexports(size: usize) -> Vec<(String, String)> {
    // Each module hands on the name of the one before it; from the last to the first, which is
    // the order in which a pass over all of them learns least. As many links as are followed.
    let chain = |n: usize| match n % 16 {
        0 => format!("pub mod r{n} {{ pub fn f() {{}} }}\n"),
        _ => format!("pub mod r{n} {{ pub use super::r{}::f; }}\n", n - 1),
    };
    let root: String = (0..size).rev().map(chain).collect();
    package(root, vec![])
}

fn impls(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("impl S {{\n    pub fn m{n}(&self) {{}}\n}}\n"));
    package(format!("pub struct S;\n{all}"), vec![])
}

fn trait_impls(size: usize) -> Vec<(String, String)> {
    let all =
        each(size, |n| format!("pub struct S{n};\nimpl T for S{n} {{\n    fn t(&self) {{}}\n}}\n"));
    let calls = each(size, |n| format!("    S{n}.t();\n"));
    package(format!("pub trait T {{ fn t(&self); }}\n{all}fn all() {{\n{calls}}}\n"), vec![])
}

fn methods(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("    fn m{n}(&self);\n"));
    let own = each(size, |n| format!("    fn m{n}(&self) {{}}\n"));
    let calls = each(size, |n| format!("    x.m{n}();\n"));
    let text = format!(
        "pub trait T {{\n{all}}}\npub struct S;\nimpl T for S {{\n{own}}}\nfn all(x: &impl T) {{\n{calls}}}\n"
    );
    package(text, vec![])
}

fn variants(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("    V{n},\n"));
    let arms = each(size, |n| format!("        E::V{n} => {n},\n"));
    let text = format!(
        "pub enum E {{\n{all}}}\nfn all(e: E) -> u32 {{\n    match e {{\n{arms}    }}\n}}\n"
    );
    package(text, vec![])
}

fn fields(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("    pub f{n}: u32,\n"));
    let reads = each(size, |n| format!("    let _ = s.f{n};\n"));
    package(format!("pub struct S {{\n{all}}}\nfn all(s: &S) {{\n{reads}}}\n"), vec![])
}

fn parameters(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("p{n}: T{n}, "));
    let types = each(size, |n| format!("T{n}, "));
    package(format!("pub fn all<{types}>({all}) {{}}\n"), vec![])
}

fn modules(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("pub mod m{n} {{\n    pub fn f() {{}}\n}}\n")), vec![])
}

fn module_files(size: usize) -> Vec<(String, String)> {
    let files = (0..size).map(|n| (format!("src/m{n}.rs"), "pub fn f() {}\n".to_owned()));
    package(each(size, |n| format!("pub mod m{n};\n")), files.collect())
}

fn nested(size: usize) -> Vec<(String, String)> {
    const DEPTH: usize = 100;
    let stack = |n: usize| {
        let open = each(DEPTH, |d| format!("pub mod n{n}_{d} {{\n"));
        format!("{open}pub fn f() {{}}\n{}\n", "}".repeat(DEPTH))
    };
    package(each(size.div_ceil(DEPTH), stack), vec![])
}

fn chained(size: usize) -> Vec<(String, String)> {
    let next = |n: usize| format!("#[path = \"c{n}.rs\"]\npub mod c;\npub fn f() {{}}\n");
    let files = (0..size).map(|n| {
        let text = if n + 1 < size { next(n + 1) } else { String::new() };
        (format!("src/c{n}.rs"), text)
    });
    package(next(0), files.collect())
}

fn calls(size: usize) -> Vec<(String, String)> {
    let calls = each(size, |_| "    target();\n".to_owned());
    package(format!("fn target() {{}}\nfn all() {{\n{calls}}}\n"), vec![])
}

fn method_calls(size: usize) -> Vec<(String, String)> {
    let calls = each(size, |_| "    v.push(s.m());\n".to_owned());
    let text = format!(
        "pub struct S;\nimpl S {{ fn m(&self) -> u32 {{ 1 }} }}\nfn all(s: &S) {{\n    let mut v = Vec::new();\n{calls}}}\n"
    );
    package(text, vec![])
}

fn unknown_calls(size: usize) -> Vec<(String, String)> {
    let calls = each(size, |n| format!("    let y{n} = x.unknown();\n    y{n}.other();\n"));
    package(format!("fn all() {{\n    let x = missing();\n{calls}}}\n"), vec![])
}

fn locals(size: usize) -> Vec<(String, String)> {
    let lets = each(size, |n| format!("    let x{n} = {n};\n"));
    let reads = each(size, |n| format!("    f(x{n}, y{n});\n"));
    package(format!("fn f(_: u32, _: u32) {{}}\nfn all() {{\n{lets}{reads}}}\n"), vec![])
}

fn callers(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("fn c{n}() {{ target(); }}\n"));
    package(format!("fn target() {{}}\n{all}"), vec![])
}

fn caller_files(size: usize) -> Vec<(String, String)> {
    let files = (0..size)
        .map(|n| (format!("src/m{n}.rs"), format!("pub fn c{n}() {{ crate::target(); }}\n")));
    let mods = each(size, |n| format!("pub mod m{n};\n"));
    package(format!("pub fn target() {{}}\n{mods}"), files.collect())
}

fn twins(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("#[cfg(feature = \"f{n}\")]\npub fn twin() {{}}\n"));
    package(format!("{all}fn all() {{\n    twin();\n}}\n"), vec![])
}

fn type_twins(size: usize) -> Vec<(String, String)> {
    // Each use of such a name refers to each declaration, so there are two uses and no more.
    let all = each(size, |n| {
        format!("#[cfg(feature = \"f{n}\")]\npub struct T {{\n    pub a{n}: u8,\n}}\n")
    });
    let reads = each(size, |n| format!("    let _ = t.a{n};\n"));
    package(format!("{all}fn all(t: &T) {{\n{reads}}}\n"), vec![])
}

fn macro_calls(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("m!({n});\nm! {{ pub fn i{n}() {{}} }}\n"));
    package(format!("macro_rules! m {{ ($($t:tt)*) => {{}} }}\n{all}"), vec![])
}

fn macros(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("macro_rules! m{n} {{ () => {{}} }}\n"));
    let same = each(size, |_| "macro_rules! same { () => {} }\n".to_owned());
    let calls = each(size, |n| format!("    m{n}!();\n"));
    let text = format!(
        "#[macro_use]\nmod inner {{\n{all}{same}}}\nfn all() {{\n{calls}    same!();\n}}\n"
    );
    package(text, vec![])
}

/// Macros that call the one before them three times: all items would be a power of 3.
fn doubling_macros(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| {
        let next = n + 1;
        format!("macro_rules! d{next} {{ () => {{ d{n}!(); d{n}!(); d{n}!(); }} }}\n")
    });
    package(format!("macro_rules! d0 {{ () => {{ fn d() {{}} }} }}\n{all}d{size}!();\n"), vec![])
}

/// Functions whose call doubles sixteen times.
fn doubling_calls(size: usize) -> Vec<(String, String)> {
    let rules = each(16, |n| {
        let next = n + 1;
        format!("macro_rules! e{next} {{ ($e:expr) => {{ e{n}!($e); e{n}!($e); }} }}\n")
    });
    let all = each(size, |n| format!("fn f{n}() {{\n    e16!({n});\n}}\n"));
    package(format!("macro_rules! e0 {{ ($e:expr) => {{ $e }} }}\n{rules}{all}"), vec![])
}

/// A value that is paired with itself again and again.
fn doubling_types(size: usize) -> Vec<(String, String)> {
    let all = each(size, |_| "    let x = pair(x);\n".to_owned());
    let pair = "fn pair<T>(t: T) -> (T, T) {\n    loop {}\n}\n";
    package(format!("{pair}pub fn all(x: u8) {{\n{all}    x.0;\n}}\n"), vec![])
}

/// Calls that make twenty items each.
fn generous_calls(size: usize) -> Vec<(String, String)> {
    let rules = "macro_rules! all { ($($n:ident),*) => { $( pub const $n: u8 = 1; )* } }\n";
    let calls = each(size, |n| {
        let names = each(20, |name| format!("A{n}_{name}, "));
        format!("mod m{n} {{\n    all!({});\n}}\n", names.trim_end_matches(", "))
    });
    package(format!("{rules}{calls}"), vec![])
}

fn attributes(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("#[cfg_attr(feature = \"f{n}\", inline)]\n"));
    package(format!("{all}pub fn all() {{}}\n"), vec![])
}

fn documentation(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("/// Line {n}.\n"));
    package(format!("{all}pub fn all() {{}}\n"), vec![])
}

fn one_line(size: usize) -> Vec<(String, String)> {
    package(each(size, |n| format!("pub fn é{n}() {{ let _ = \"ü\"; }} ")), vec![])
}

fn broken(size: usize) -> Vec<(String, String)> {
    let all = each(size, |n| format!("pub fn f{n}() {{\n    let = ;\n}}\n"));
    package(format!("{all}pub fn ("), vec![])
}

fn packages(size: usize) -> Vec<(String, String)> {
    let mut files = package(String::new(), vec![]);
    if let Some((_, manifest)) = files.get_mut(1) {
        manifest.push_str("[workspace]\nmembers = [\"p*\"]\n");
    }
    for n in 0..size {
        let manifest =
            format!("[package]\nname = \"p{n}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        files.push((format!("p{n}/Cargo.toml"), manifest));
        files.push((format!("p{n}/src/lib.rs"), "pub fn f() {}\n".to_owned()));
        files.push((format!("p{n}/examples/stray/one.rs"), "pub fn f() {}\n".to_owned()));
    }
    files
}
