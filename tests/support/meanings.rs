//! Edits that change what names elsewhere mean, and code that names them.

use asof_model::{ItemFacts, NodeKind};

use super::Copy;
use super::edits::{Rng, facts, pick_item, splice};

/// Types and functions of few names, so that files speak of each other's.
const TYPES: [&str; 6] = ["Delta", "Omega", "Square", "Wrap", "Link", "Turn"];
const FUNCTIONS: [&str; 6] = ["alpha", "beta", "gamma", "engine", "run", "next_one"];
const WHERE: [&str; 6] = ["crate::", "self::", "super::", "", "crate::alpha::", "crate::Delta::"];

fn choose<'a>(rng: &mut Rng, from: &[&'a str]) -> &'a str {
    from[rng.below(from.len())]
}

/// A type as it may stand in a signature.
fn written(rng: &mut Rng) -> String {
    let ty = choose(rng, &TYPES);
    match rng.below(7) {
        0 => format!("Option<{ty}>"),
        1 => format!("&'static {ty}"),
        2 => "u8".to_owned(),
        3 => format!("Vec<{ty}>"),
        4 => format!("crate::{ty}"),
        5 => "Self".to_owned(),
        _ => ty.to_owned(),
    }
}

/// Changes one signature, field, alias or impl.
pub fn signature(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let text = String::from_utf8(copy.read(path)).ok()?;
    let (marks, end): (&[&str], &[char]) = match rng.below(4) {
        0 => (&[") -> "], &['{', ';', '\n']),
        1 => (&["type T = ", "type Target = ", "type Item = ", "type Output = "], &[';']),
        2 => (&["    pub ", "    b: "], &[',', '\n', '}']),
        _ => (&["impl "], &['{', ' ']),
    };
    let mut places = Vec::new();
    for mark in marks {
        places.extend(text.match_indices(mark).map(|(at, found)| at + found.len()));
    }
    let at = *rng.pick(&places)?;
    let stop = at + text.get(at..)?.find(end)?;
    let old = text.get(at..stop)?;
    let new = match old.split_once(": ") {
        // A field keeps its name.
        Some((name, _)) if !old.contains("fn ") => format!("{name}: {}", written(rng)),
        _ if old.contains("fn ") => return None,
        _ => format!("{} ", written(rng)),
    };
    splice(copy, path, at as u32, stop as u32, &new);
    Some(format!("{old:?} to {new:?} in"))
}

/// Removes or renames an item of a trait, or of a trait's impl, which the other side of it has.
pub fn member(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let facts = facts(copy, path);
    let item = pick_item(&facts, rng, |item| {
        let parent = facts.items.get(item.parent as usize);
        let of_trait = |one: &ItemFacts| {
            one.kind == NodeKind::Trait || one.kind == NodeKind::Impl && one.name.contains(" for ")
        };
        item.text.is_some() && parent.is_some_and(of_trait)
    })?;
    let (start, end) = (item.span.start_byte, item.span.end_byte);
    if rng.below(2) == 0 {
        splice(copy, path, start, end, "");
        return Some(format!("remove member {} from", item.name));
    }
    let bytes = copy.read(path);
    let text = std::str::from_utf8(bytes.get(start as usize..end as usize)?).ok()?;
    let to = choose(rng, &["alpha", "Trace", "trace", "name", "next"]);
    splice(copy, path, start, end, &text.replacen(&item.name, to, 1));
    Some(format!("rename member {} to {to} in", item.name))
}

/// Adds something that others can reach without naming it.
pub fn meaning(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let (ty, other) = (choose(rng, &TYPES), choose(rng, &TYPES));
    let (f, g) = (choose(rng, &FUNCTIONS), choose(rng, &FUNCTIONS));
    let sig = written(rng);
    let text = match rng.below(16) {
        0 => format!("pub struct {ty} {{ pub a: {sig}, pub {f}: {other} }}\n"),
        1 => format!("pub struct {ty}(pub {sig}, pub {other});\n"),
        2 => format!(
            "impl std::ops::Deref for {ty} {{ type Target = {other}; fn deref(&self) -> &{other} {{ loop {{}} }} }}\n"
        ),
        3 => format!(
            "impl Iterator for {ty} {{ type Item = {other}; fn next(&mut self) -> Option<{other}> {{ None }} }}\n"
        ),
        4 => format!(
            "impl {ty} {{ pub fn {f}(&self) -> {sig} {{ loop {{}} }} pub fn new() -> Self {{ loop {{}} }} }}\n"
        ),
        5 => format!("pub fn {f}(x: {sig}) -> {other} {{ x.{g}() }}\n"),
        6 => format!(
            "pub trait Tr{ty}: Sized {{ type T; fn {f}(&self) -> Self::T; fn {g}(&self) {{}} }}\n"
        ),
        7 => format!(
            "impl Tr{other} for {ty} {{ type T = {sig}; fn {f}(&self) -> Self::T {{ loop {{}} }} }}\n"
        ),
        8 => format!("pub type {ty} = {other};\n"),
        9 => {
            format!("pub enum {ty} {{ One({sig}), Two {{ a: {other} }}, {f} }}\npub use {ty}::*;\n")
        }
        10 => format!("#[derive(Clone, Default)]\npub struct {ty};\n"),
        11 => format!("macro_rules! {f} {{ ($x:expr) => {{ $x.{g}() }} }}\n"),
        12 => format!(
            "impl<T: Tr{ty}> Tr{other} for T {{ type T = {sig}; fn {f}(&self) -> Self::T {{ loop {{}} }} }}\n"
        ),
        13 => format!("pub static {}: {sig} = {f}();\n", f.to_uppercase()),
        14 => format!(
            "impl std::ops::Add<{other}> for {ty} {{ type Output = {sig}; fn add(self, o: {other}) -> {sig} {{ loop {{}} }} }}\n"
        ),
        _ => format!(
            "pub mod {f} {{ pub use super::*; pub fn {g}() -> {sig} {{ loop {{}} }} pub struct {ty}; }}\n"
        ),
    };
    insert(copy, rng, path, &text)
}

/// Adds a function that names and chains what others may define.
pub fn user(copy: &mut Copy, rng: &mut Rng, path: &str) -> Option<String> {
    let mut body = String::new();
    for _ in 0..1 + rng.below(4) {
        let (ty, f, g) = (choose(rng, &TYPES), choose(rng, &FUNCTIONS), choose(rng, &FUNCTIONS));
        let at = choose(rng, &WHERE);
        body.push_str(&match rng.below(12) {
            0 => format!(" let x = {at}{f}(); x.{g}().a.{f}();"),
            1 => format!(" for x in {at}{ty}::new() {{ x.{f}(); x.a.{g}; }}"),
            2 => format!(" let {at}{ty}(p, q) = {at}{f}(); p.{g}(); q.{f}();"),
            3 => format!(" let y: {at}{ty} = Default::default(); y.{f}().{g}();"),
            4 => format!(" ({at}{f}() + {at}{g}()).{f}();"),
            5 => format!(
                " match {at}{f}() {{ {ty}::One(x) => x.{g}(), Two {{ a }} => a.{f}(), _ => {{}} }}"
            ),
            6 => format!(" println!(\"{{}} {{:?}}\", {at}{f}().{g}(), {at}{ty}::{f});"),
            7 => format!(" {f}!({at}{g}().a);"),
            8 => format!(" use {at}{ty}::*; One(1); {f}();"),
            9 => format!(" {at}{ty} {{ a: {f}(), ..{g}() }}.{f}.{g}();"),
            10 => format!(" {}.{f}().{g}();", f.to_uppercase()),
            _ => format!(" [1].iter().map(|v| {at}{f}(v)).map({at}{g}).next().unwrap().{f}();"),
        });
    }
    let bound = choose(rng, &TYPES);
    let text = format!("fn user_{}<T: Tr{bound}>(t: T) {{ t.run();{body} }}\n", rng.below(1000));
    insert(copy, rng, path, &text)
}

fn insert(copy: &mut Copy, rng: &mut Rng, path: &str, text: &str) -> Option<String> {
    let whole = |item: &ItemFacts| item.parent == 0 && item.text.is_some();
    let item = pick_item(&facts(copy, path), rng, whole);
    let at = item.map_or(copy.read(path).len() as u32, |item| item.span.start_byte);
    splice(copy, path, at, at, text);
    Some(format!("insert {text:?} in"))
}
