//! What names mean across the library's crates, and the public path of each item.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::read::{Library, Space, Target};

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Meaning {
    Module(usize),
    Item(usize),
    Variant(usize, String),
}

const MAX_HOPS: usize = 40;

impl Library {
    /// What a path means at a module.
    pub fn resolve(&self, module: usize, path: &[String]) -> Vec<(Space, Meaning)> {
        self.resolve_in(module, path, &mut HashSet::new(), 0)
    }

    fn resolve_in(
        &self,
        module: usize,
        path: &[String],
        seen: &mut HashSet<(usize, String)>,
        hops: usize,
    ) -> Vec<(Space, Meaning)> {
        if hops > MAX_HOPS {
            return Vec::new();
        }
        let root = self.roots[self.modules[module].krate];
        let mut rest = path;
        let mut at = match rest.first().map(String::as_str) {
            None => return Vec::new(),
            Some("crate") => vec![(Space::Type, Meaning::Module(root))],
            Some("self") => vec![(Space::Type, Meaning::Module(module))],
            Some("super") => {
                let mut up = module;
                while rest.get(1).is_some_and(|s| s == "super") {
                    up = self.modules[up].parent.unwrap_or(up);
                    rest = &rest[1..];
                }
                let up = self.modules[up].parent.unwrap_or(up);
                vec![(Space::Type, Meaning::Module(up))]
            }
            Some("") => {
                rest = &rest[1..];
                rest.first().and_then(|name| self.krate(name)).into_iter().collect()
            }
            Some(name) => {
                let key = if rest.len() > 1 { format!("{name}::") } else { name.to_owned() };
                let found = self.lookup_as(key, module, name, false, seen, hops + 1);
                if found.is_empty() { self.krate(name).into_iter().collect() } else { found }
            }
        };
        rest = rest.get(1..).unwrap_or_default();
        for (number, segment) in rest.iter().enumerate() {
            let last = number + 1 == rest.len();
            let key = if last { segment.clone() } else { format!("{segment}::") };
            let mut next = Vec::new();
            for (_, meaning) in &at {
                match meaning {
                    Meaning::Module(inner) => {
                        next.extend(self.lookup_as(
                            key.clone(),
                            *inner,
                            segment,
                            false,
                            &mut seen.clone(),
                            hops + 1,
                        ));
                    }
                    Meaning::Item(item) => {
                        if let syn::Item::Enum(of) = &self.items[*item].item
                            && of.variants.iter().any(|v| v.ident == segment)
                        {
                            let variant = Meaning::Variant(*item, segment.clone());
                            next.push((Space::Value, variant));
                        }
                    }
                    Meaning::Variant(..) => {}
                }
            }
            at = next;
        }
        at
    }

    fn krate(&self, name: &str) -> Option<(Space, Meaning)> {
        let at = match name {
            "core" => 0,
            "alloc" | "alloc_crate" => 1,
            "std" => 2,
            _ => return None,
        };
        Some((Space::Type, Meaning::Module(*self.roots.get(at)?)))
    }

    fn lookup(
        &self,
        module: usize,
        name: &str,
        public_only: bool,
        seen: &mut HashSet<(usize, String)>,
        hops: usize,
    ) -> Vec<(Space, Meaning)> {
        self.lookup_as(name.to_owned(), module, name, public_only, seen, hops)
    }

    /// `key` is the name, with `::` after it where a path goes on: `self::repeat::repeat` is no
    /// circle.
    fn lookup_as(
        &self,
        key: String,
        module: usize,
        name: &str,
        public_only: bool,
        seen: &mut HashSet<(usize, String)>,
        hops: usize,
    ) -> Vec<(Space, Meaning)> {
        if hops > MAX_HOPS || !seen.insert((module, key)) {
            return Vec::new();
        }
        let mut found: Vec<(Space, Meaning)> = Vec::new();
        for binding in self.modules[module].names.get(name).into_iter().flatten() {
            if public_only && !binding.public {
                continue;
            }
            match &binding.target {
                Target::Module(inner) => found.push((Space::Type, Meaning::Module(*inner))),
                Target::Item(item) => {
                    found.push((self.items[*item].space, Meaning::Item(*item)));
                }
                Target::Import(path) => {
                    let all = self.resolve_in(module, path, &mut seen.clone(), hops + 1);
                    // `pub use` of a function leaves out the private module of its name.
                    let seen_from_outside = |meaning: &Meaning| match meaning {
                        Meaning::Module(inner) => !binding.public || self.modules[*inner].public,
                        _ => true,
                    };
                    found.extend(all.into_iter().filter(|(space, meaning)| {
                        binding.space.is_none_or(|own| own == *space) && seen_from_outside(meaning)
                    }));
                }
            }
        }
        for (path, public) in &self.modules[module].globs {
            if public_only && !public {
                continue;
            }
            for (_, meaning) in self.resolve_in(module, path, &mut seen.clone(), hops + 1) {
                match meaning {
                    Meaning::Module(inner) if inner != module => {
                        let own: Vec<_> = found.iter().map(|(space, _)| *space).collect();
                        // `use super::*` brings in what is private there.
                        let outside = public_only || !self.is_within(module, inner);
                        let more = self.lookup(inner, name, outside, seen, hops + 1);
                        found.extend(more.into_iter().filter(|(s, _)| !own.contains(s)));
                    }
                    Meaning::Item(item) => {
                        if let syn::Item::Enum(of) = &self.items[item].item
                            && of.variants.iter().any(|v| v.ident == name)
                        {
                            found.push((Space::Value, Meaning::Variant(item, name.to_owned())));
                        }
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }

    fn is_within(&self, module: usize, outer: usize) -> bool {
        let mut at = Some(module);
        while let Some(own) = at.filter(|own| *own != outer) {
            at = self.modules[own].parent;
        }
        at.is_some()
    }

    /// All names that others can see in a module.
    pub fn exports(&self, module: usize) -> BTreeMap<String, Vec<(Space, Meaning)>> {
        let mut names: HashSet<String> = HashSet::new();
        let mut open = vec![module];
        let mut seen = HashSet::from([module]);
        while let Some(at) = open.pop() {
            let own = self.modules[at].names.iter();
            names.extend(own.filter(|(_, b)| b.iter().any(|b| b.public)).map(|(n, _)| n.clone()));
            for (path, _) in self.modules[at].globs.iter().filter(|(_, public)| *public) {
                for (_, meaning) in self.resolve(at, path) {
                    match meaning {
                        Meaning::Module(inner) if seen.insert(inner) => open.push(inner),
                        Meaning::Item(item) => {
                            if let syn::Item::Enum(of) = &self.items[item].item {
                                names.extend(of.variants.iter().map(|v| v.ident.to_string()));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        let with = |name: String| {
            let found = self.lookup(module, &name, true, &mut HashSet::new(), 0);
            (name, found)
        };
        names.into_iter().map(with).filter(|(_, found)| !found.is_empty()).collect()
    }
}

/// Public paths.
#[derive(Debug, Default)]
pub struct Public {
    pub items: HashMap<usize, String>,
    pub modules: HashMap<usize, String>,
    /// Re-exports: module's path, name, path of the target.
    pub exports: Vec<(String, String, String)>,
    /// Public modules by path.
    pub by_path: BTreeMap<String, usize>,
}

const SKIPPED: &[&str] = &["prelude", "primitive"];

impl Public {
    pub fn new(library: &Library) -> Self {
        let mut public = Public::default();
        let root = library.roots[2];
        let mut open = VecDeque::from([(root, "crate".to_owned())]);
        public.modules.insert(root, "crate".to_owned());
        public.by_path.insert("crate".to_owned(), root);
        let mut seen: Vec<(String, String, Meaning)> = Vec::new();
        while let Some((module, path)) = open.pop_front() {
            for (name, found) in library.exports(module) {
                if SKIPPED.contains(&name.as_str()) {
                    continue;
                }
                for (_, meaning) in found {
                    let own = format!("{path}::{name}");
                    match &meaning {
                        Meaning::Module(inner) if !public.modules.contains_key(inner) => {
                            public.modules.insert(*inner, own.clone());
                            public.by_path.insert(own.clone(), *inner);
                            open.push_back((*inner, own));
                        }
                        // `HashMap` is declared in `collections::hash_map`.
                        Meaning::Item(item)
                            if !public.items.contains_key(item) && path != "crate::collections" =>
                        {
                            public.items.insert(*item, own);
                        }
                        _ => seen.push((path.clone(), name.clone(), meaning)),
                    }
                }
            }
        }
        for (path, name, meaning) in &seen {
            if let Meaning::Item(item) = meaning {
                public.items.entry(*item).or_insert_with(|| format!("{path}::{name}"));
            }
        }
        for (path, name, meaning) in seen {
            let Some(target) = public.path(&meaning) else { continue };
            if target != format!("{path}::{name}") {
                public.exports.push((path, name, target));
            }
        }
        public.exports.sort();
        public.exports.dedup();
        public
    }

    pub fn path(&self, meaning: &Meaning) -> Option<String> {
        match meaning {
            Meaning::Module(module) => self.modules.get(module).cloned(),
            Meaning::Item(item) => self.items.get(item).cloned(),
            Meaning::Variant(item, name) => {
                self.items.get(item).map(|path| format!("{path}::{name}"))
            }
        }
    }
}
