//! Circles of files: which file takes names from which, read from the paths in the code.
//!
//! A name that a module hands on (`pub use`) counts for the file that defines it, and a module by
//! itself for nothing. Calls of methods name no file, and are not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{code, is_test};

type Names = Vec<String>;

struct Module {
    /// Relative to `src`.
    file: String,
    code: Vec<String>,
    /// What `use` lines bind: a local name, or `*`, to a path.
    bound: Vec<(String, Names)>,
    defined: BTreeSet<String>,
}

/// The modules of a crate, from the `mod` lines that are not of tests.
fn modules(src: &Path, root: &str) -> BTreeMap<Names, Module> {
    let mut found = BTreeMap::new();
    let mut open: Vec<(Names, PathBuf)> = vec![(Vec::new(), src.join(root))];
    while let Some((name, file)) = open.pop() {
        let text = std::fs::read_to_string(&file).unwrap();
        let mut defined = BTreeSet::new();
        for item in syn::parse_file(&text).unwrap().items.iter().filter(|item| !is_test(item)) {
            match item {
                syn::Item::Mod(module) if module.content.is_none() => {
                    let child = module.ident.to_string();
                    let is_door = file.ends_with("mod.rs") || name.is_empty();
                    let folder = if is_door {
                        file.parent().unwrap().to_owned()
                    } else {
                        file.with_extension("")
                    };
                    let alone = folder.join(format!("{child}.rs"));
                    let door = folder.join(&child).join("mod.rs");
                    let path = if alone.is_file() { alone } else { door };
                    open.push(([name.as_slice(), &[child]].concat(), path));
                }
                item => defined.extend(ident(item)),
            }
        }
        let code = code(&file);
        let bound = (0..code.len()).filter(|at| code[*at] == "use").flat_map(|at| {
            let leaves = leaves(&code, at + 1).0;
            leaves.into_iter().map(|leaf| (leaf.local, leaf.path))
        });
        let bound = bound.collect();
        let file = file.strip_prefix(src).unwrap().to_str().unwrap().to_owned();
        found.insert(name, Module { file, code, bound, defined });
    }
    found
}

fn ident(item: &syn::Item) -> Option<String> {
    Some(match item {
        syn::Item::Const(item) => item.ident.to_string(),
        syn::Item::Enum(item) => item.ident.to_string(),
        syn::Item::Fn(item) => item.sig.ident.to_string(),
        syn::Item::Macro(item) => item.ident.as_ref()?.to_string(),
        syn::Item::Static(item) => item.ident.to_string(),
        syn::Item::Struct(item) => item.ident.to_string(),
        syn::Item::Trait(item) => item.ident.to_string(),
        syn::Item::Type(item) => item.ident.to_string(),
        _ => return None,
    })
}

struct Leaf {
    local: String,
    path: Names,
}

fn is_word(token: &str) -> bool {
    token == "*" || token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The paths of a path or of a `use` tree at a place in the code, and where it ends.
fn leaves(code: &[String], mut at: usize) -> (Vec<Leaf>, usize) {
    let word = |at: usize| code.get(at).map_or("", String::as_str);
    let mut path = Names::new();
    while is_word(word(at)) {
        path.push(word(at).to_owned());
        at += 1;
        if (word(at), word(at + 1)) != (":", ":") {
            break;
        }
        if word(at + 2) == "(" {
            at += 3;
            let mut all = Vec::new();
            while at < code.len() && word(at) != ")" {
                let (inner, end) = leaves(code, at);
                all.extend(inner.into_iter().map(|leaf| {
                    // `a::{self}` is `a`.
                    let is_self = leaf.path.first().is_some_and(|first| first == "self");
                    let rest = &leaf.path[usize::from(is_self)..];
                    let whole = [path.as_slice(), rest].concat();
                    let renamed = leaf.local != "self";
                    let local = if renamed { leaf.local } else { whole.last().unwrap().clone() };
                    Leaf { local, path: whole }
                }));
                at = end + usize::from(word(end) == "," || end == at);
            }
            return (all, at + 1);
        }
        if !is_word(word(at + 2)) {
            break;
        }
        at += 2;
    }
    let Some(mut local) = path.last().cloned() else { return (Vec::new(), at) };
    if word(at) == "as" {
        local = word(at + 1).to_owned();
        at += 2;
    }
    (vec![Leaf { local, path }], at)
}

/// The module that defines what a path names, seen from a module. None: a module, or another
/// crate's.
fn definer(
    all: &BTreeMap<Names, Module>,
    from: &Names,
    path: &[String],
    left: u8,
) -> Option<Names> {
    let left = left.checked_sub(1)?;
    let mut here = from.clone();
    let mut rest = path;
    let mut is_inside = false;
    while let Some((first, others)) = rest.split_first() {
        let child = [here.as_slice(), std::slice::from_ref(first)].concat();
        match first.as_str() {
            "crate" => here.clear(),
            "super" => drop(here.pop()?),
            "self" => {}
            "*" => return Some(here),
            _ if all.contains_key(&child) => here = child,
            name => {
                let module = &all[&here];
                if module.defined.contains(name) {
                    return Some(here);
                }
                for (_, target) in module.bound.iter().filter(|(local, _)| local == name) {
                    let whole = [target.as_slice(), others].concat();
                    if target.first() != Some(first) || target.len() > 1 {
                        return definer(all, &here, &whole, left);
                    }
                }
                for (_, target) in module.bound.iter().filter(|(local, _)| local == "*") {
                    let whole = [&target[..target.len() - 1], rest].concat();
                    if let Some(found) = definer(all, &here, &whole, left)
                        && all[&found].defined.contains(name)
                    {
                        return Some(found);
                    }
                }
                return is_inside.then_some(here);
            }
        }
        is_inside = true;
        rest = others;
    }
    None
}

/// Which file takes which names from which other file.
pub(super) type Arrows = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// The arrows in the crate of a root file, such as `lib.rs`.
pub(super) fn arrows(src: &Path, root: &str) -> Arrows {
    let all = modules(src, root);
    let mut arrows = Arrows::new();
    for (name, module) in &all {
        let into = arrows.entry(module.file.clone()).or_default();
        for at in 0..module.code.len() {
            let is_colon = |back: usize| at >= back && module.code[at - back] == ":";
            if is_colon(1) && is_colon(2) || !is_word(&module.code[at]) {
                continue;
            }
            for leaf in leaves(&module.code, at).0 {
                if leaf.path.len() < 2 {
                    continue;
                }
                let Some(other) = definer(&all, name, &leaf.path, 20) else { continue };
                if other != *name {
                    let word = leaf.path.last().unwrap().clone();
                    into.entry(all[&other].file.clone()).or_default().insert(word);
                }
            }
        }
    }
    arrows
}

/// The sets of files of which each reaches every other.
pub(super) fn circles(arrows: &Arrows) -> BTreeSet<BTreeSet<&str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (file.as_str(), reached(arrows, file))).collect();
    let circle = |file: &&str| -> BTreeSet<&str> {
        reach[file].iter().copied().filter(|other| reach[other].contains(file)).collect()
    };
    reach.keys().map(circle).filter(|circle| !circle.is_empty()).collect()
}

fn reached<'a>(arrows: &'a Arrows, from: &'a str) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(file) = open.pop() {
        let next = arrows.get(file).into_iter().flat_map(|to| to.keys());
        open.extend(next.map(String::as_str).filter(|to| seen.insert(*to)));
    }
    seen
}

/// The names that tie the files of a circle.
pub(super) fn ties(arrows: &Arrows, circle: &BTreeSet<&str>) -> String {
    let inside = |file: &&str| {
        let to = arrows[*file].iter().filter(|(other, _)| circle.contains(other.as_str()));
        to.map(|(other, names)| format!("{file} -> {other}: {names:?}")).collect::<Vec<_>>()
    };
    circle.iter().flat_map(inside).collect::<Vec<_>>().join("\n")
}
