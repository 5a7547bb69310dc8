//! The modules of the library's crates, with their items and what their names mean.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::{Attribute, Item, UseTree, Visibility};

use crate::strip::{is_punct, is_word, strip};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    Type,
    Value,
    Macro,
}

#[derive(Debug, Clone)]
pub enum Target {
    Module(usize),
    Item(usize),
    Import(Vec<String>),
}

#[derive(Debug, Clone)]
pub struct Binding {
    pub space: Option<Space>,
    pub target: Target,
    pub public: bool,
}

#[derive(Debug, Default)]
pub struct Module {
    pub krate: usize,
    pub parent: Option<usize>,
    /// Declared with `pub`.
    pub public: bool,
    pub names: BTreeMap<String, Vec<Binding>>,
    pub globs: Vec<(Vec<String>, bool)>,
}

/// An item with the text that its spans are of.
pub struct Declared {
    pub module: usize,
    pub item: Item,
    pub text: usize,
    pub space: Space,
}

#[derive(Default)]
pub struct Library {
    pub modules: Vec<Module>,
    pub items: Vec<Declared>,
    /// Impls.
    pub impls: Vec<Declared>,
    pub texts: Vec<String>,
    /// Root module of each crate.
    pub roots: Vec<usize>,
    /// Rules of macros by crate and name.
    macros: HashMap<(usize, String), Vec<String>>,
}

/// Names of modules without a declaration that a user of stable Rust can name.
const LEFT_OUT: &[&str] = &[
    "tests", "benches", "core_arch", "core_simd", "std_float", "std_detect", "backtrace_rs",
    "intrinsics", "unicode", "autodiff", "contracts", "bignum", "sys", "simd", "arch", "rt",
    "panicking", "rustc", "testing", "bstr",
];

type Failure = Box<dyn Error + Send + Sync>;

impl Library {
    pub fn read_crate(&mut self, name: &str, folder: &Path) -> Result<(), Failure> {
        let krate = self.roots.len();
        self.collect_macros(krate, folder)?;
        let root = self.modules.len();
        self.modules.push(Module { krate, public: true, ..Module::default() });
        self.roots.push(root);
        self.read_file(root, &folder.join("lib.rs"), folder)?;
        eprintln!("{name}: {} modules, {} items so far", self.modules.len(), self.items.len());
        Ok(())
    }

    /// `is_x86_feature_detected` and its kin, which a crate of their own makes for `std`.
    pub fn read_detection(&mut self, folder: &Path) -> Result<(), Failure> {
        let mut texts = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            texts.push(std::fs::read_to_string(entry?.path())?);
        }
        texts.sort();
        let root = *self.roots.last().ok_or("no crate was read")?;
        for text in texts {
            let Some((_, rest)) = text.split_once("@MACRO_NAME: ") else { continue };
            let Some((name, rest)) = rest.split_once(';') else { continue };
            // Attributes of the macro come before its features.
            let attributes = rest.split("@FEATURE").next().unwrap_or_default();
            if !attributes.contains("#[unstable") {
                let item = Item::Verbatim(TokenStream::new());
                self.declare(root, name, item, 0, Space::Macro, true);
            }
        }
        Ok(())
    }

    /// All `macro_rules!` of a crate, which are in scope in files after their own.
    fn collect_macros(&mut self, krate: usize, folder: &Path) -> Result<(), Failure> {
        let mut open = vec![folder.to_owned()];
        while let Some(at) = open.pop() {
            for entry in std::fs::read_dir(at)? {
                let path = entry?.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path)?;
                    if text.contains("macro")
                        && let Ok(tokens) = text.parse::<TokenStream>()
                    {
                        self.macros_in(krate, strip(tokens));
                    }
                }
            }
        }
        Ok(())
    }

    fn macros_in(&mut self, krate: usize, tokens: TokenStream) {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        for window in all.windows(4) {
            if let [word, bang, TokenTree::Ident(name), TokenTree::Group(rules)] = window
                && is_word(word, "macro_rules")
                && is_punct(bang, '!')
            {
                let key = (krate, name.to_string());
                self.macros.entry(key).or_default().push(rules.stream().to_string());
            }
            if let [word, TokenTree::Ident(name), TokenTree::Group(rules), _] = window
                && is_word(word, "macro")
                && rules.delimiter() == Delimiter::Brace
            {
                let key = (krate, name.to_string());
                let rules = rules.stream().to_string();
                // Rules of `macro` are separated by commas.
                let rules = rules.replace("} ,", "} ;").replace("},", "} ;");
                self.macros.entry(key).or_default().push(rules);
            }
        }
    }

    fn read_file(&mut self, module: usize, file: &Path, folder: &Path) -> Result<(), Failure> {
        let text = std::fs::read_to_string(file)?;
        let text = text.strip_prefix("#!").filter(|t| !t.starts_with('[')).unwrap_or(&text);
        let tokens: TokenStream = text.parse().map_err(|e| format!("{}: {e}", file.display()))?;
        self.read_tokens(module, strip(tokens), folder, &mut HashMap::new(), file, 0);
        Ok(())
    }

    fn read_tokens(
        &mut self,
        module: usize,
        tokens: TokenStream,
        folder: &Path,
        local: &mut HashMap<String, String>,
        file: &Path,
        depth: u32,
    ) {
        let text = tokens.to_string();
        let parsed = match syn::parse_file(&text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let at = error.span().byte_range();
                let around = text.get(at.start.saturating_sub(80)..(at.start + 60).min(text.len()));
                eprintln!("{}: {error}: …{}…", file.display(), around.unwrap_or_default());
                return;
            }
        };
        self.texts.push(text);
        let text = self.texts.len() - 1;
        self.read_items(module, parsed.items, text, folder, local, file, depth);
    }

    #[allow(clippy::too_many_arguments)]
    fn read_items(
        &mut self,
        module: usize,
        items: Vec<Item>,
        text: usize,
        folder: &Path,
        local: &mut HashMap<String, String>,
        file: &Path,
        depth: u32,
    ) {
        for item in items {
            if !attributes(&item).iter().all(enabled) {
                continue;
            }
            match item {
                Item::Mod(item) => {
                    let name = unraw(&item.ident.to_string());
                    // `std::range` is unstable, `std::ops::range` is not.
                    let range = name == "range" && self.modules[module].parent.is_none();
                    if range || LEFT_OUT.contains(&name.as_str()) {
                        continue;
                    }
                    let own = self.modules.len();
                    let krate = self.modules[module].krate;
                    self.modules.push(Module {
                        krate,
                        parent: Some(module),
                        public: is_public(&item.vis),
                        ..Module::default()
                    });
                    let public = is_public(&item.vis) && !hidden(&item.attrs);
                    self.bind(module, &name, Some(Space::Type), Target::Module(own), public);
                    let inner = folder.join(&name);
                    match item.content {
                        Some((_, items)) => {
                            self.read_items(own, items, text, &inner, local, file, depth);
                        }
                        None => {
                            let given = path_attribute(&item.attrs)
                                .map(|path| file.parent().unwrap_or(folder).join(path));
                            let plain = folder.join(format!("{name}.rs"));
                            let (path, inner) = match given {
                                Some(path) => {
                                    let inner = path.parent().unwrap_or(folder).to_owned();
                                    (path, inner)
                                }
                                None if plain.is_file() => (plain, inner),
                                None => (inner.join("mod.rs"), inner),
                            };
                            if let Err(error) = self.read_file(own, &path, &inner) {
                                eprintln!("{}: {error}", path.display());
                            }
                        }
                    }
                }
                Item::Use(item) => {
                    let public = is_public(&item.vis) && !hidden(&item.attrs);
                    self.imports(module, &item.tree, Vec::new(), public);
                }
                Item::ExternCrate(item) => {
                    let name =
                        item.rename.map_or(item.ident.to_string(), |(_, name)| name.to_string());
                    let path = vec!["".to_owned(), item.ident.to_string()];
                    let path = if item.ident == "self" { vec!["crate".to_owned()] } else { path };
                    self.bind(module, &name, Some(Space::Type), Target::Import(path), false);
                }
                Item::Macro(item) => {
                    let name = item.mac.path.segments.last().map(|s| s.ident.to_string());
                    let name = name.unwrap_or_default();
                    if let Some(ident) = item.ident.clone() {
                        local.insert(ident.to_string(), item.mac.tokens.to_string());
                        if item.attrs.iter().any(|a| a.path().is_ident("macro_export"))
                            && !unstable(&item.attrs)
                        {
                            let root = self.roots[self.modules[module].krate];
                            let name = ident.to_string();
                            self.declare(root, &name, Item::Macro(item), text, Space::Macro, true);
                        }
                        continue;
                    }
                    if matches!(name.as_str(), "cfg_select" | "cfg_if") {
                        if let Some(chosen) = select(item.mac.tokens) {
                            self.read_tokens(module, chosen, folder, local, file, depth);
                        }
                        continue;
                    }
                    self.call(module, &name, &item.mac.tokens, folder, local, file, depth);
                }
                Item::Verbatim(tokens) => {
                    // `pub macro name(…) { … }`
                    let words: Vec<TokenTree> = tokens.clone().into_iter().collect();
                    let at = words.iter().position(|t| is_word(t, "macro"));
                    if let Some(TokenTree::Ident(name)) = at.and_then(|at| words.get(at + 1)) {
                        let name = name.to_string();
                        // A derive macro is named by its trait.
                        let derive = name.starts_with(char::is_uppercase);
                        if derive || words.iter().any(is_unstable) {
                            continue;
                        }
                        let public = words.iter().any(|t| is_word(t, "pub"));
                        self.declare(
                            module,
                            &name,
                            Item::Verbatim(tokens),
                            text,
                            Space::Macro,
                            public,
                        );
                    }
                }
                Item::Impl(item) => {
                    let header = item.span().byte_range().start
                        ..item.brace_token.span.open().byte_range().start;
                    let header = self.texts[text][header].to_owned();
                    for inner in &item.items {
                        let syn::ImplItem::Macro(call) = inner else { continue };
                        let made = self.members_of_call(module, &call.mac, local);
                        if let Some(tokens) = made.and_then(|made| {
                            format!("{header} {{ {made} }}").parse::<TokenStream>().ok()
                        }) {
                            self.read_tokens(module, tokens, folder, local, file, depth + 1);
                        }
                    }
                    self.impls.push(Declared {
                        module,
                        item: Item::Impl(item),
                        text,
                        space: Space::Type,
                    });
                }
                item => {
                    let Some((name, public, space)) = named(&item) else { continue };
                    let public = public && !hidden(attributes(&item));
                    // A tuple struct is a function too.
                    self.declare(module, &name, item, text, space, public);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        module: usize,
        name: &str,
        input: &TokenStream,
        folder: &Path,
        local: &mut HashMap<String, String>,
        file: &Path,
        depth: u32,
    ) {
        let krate = self.modules[module].krate;
        let rules = self.rules(krate, name, local);
        if depth > 12 || matches!(name, "thread_local" | "static_assert") {
            return;
        }
        if rules.is_empty() {
            eprintln!("{}: no macro {name}", file.display());
            return;
        }
        let input = input.to_string();
        match rules.iter().find_map(|rules| asof_resolve::expand_call(rules, &input)) {
            Some(expanded) => match expanded.parse::<TokenStream>() {
                Ok(tokens) => {
                    self.read_tokens(module, strip(tokens), folder, local, file, depth + 1)
                }
                Err(error) => eprintln!("{}: {name}!: {error}", file.display()),
            },
            None => eprintln!("{}: no rule of {name}! matches", file.display()),
        }
    }

    /// The rules that a name may mean: several modules have macros of one name.
    fn rules(&self, krate: usize, name: &str, local: &HashMap<String, String>) -> Vec<String> {
        if let Some(rules) = local.get(name) {
            return vec![rules.clone()];
        }
        let own = self.macros.get(&(krate, name.to_owned()));
        own.or_else(|| self.macros.get(&(0, name.to_owned()))).cloned().unwrap_or_default()
    }

    /// The items that calls of macros inside impls make.
    fn members_of_call(
        &self,
        module: usize,
        mac: &syn::Macro,
        local: &HashMap<String, String>,
    ) -> Option<String> {
        let name = mac.path.segments.last()?.ident.to_string();
        let krate = self.modules[module].krate;
        let input = mac.tokens.to_string();
        let rules = self.rules(krate, &name, local);
        let expanded = rules.iter().find_map(|rules| asof_resolve::expand_call(rules, &input));
        let Some(expanded) = expanded else {
            eprintln!("no rule of a macro in an impl matches: {}", mac.path.segments[0].ident);
            return None;
        };
        match expanded.parse::<TokenStream>() {
            Ok(tokens) => Some(strip(tokens).to_string()),
            Err(error) => {
                eprintln!("{}: {error}", mac.path.segments[0].ident);
                None
            }
        }
    }

    fn declare(
        &mut self,
        module: usize,
        name: &str,
        item: Item,
        text: usize,
        space: Space,
        public: bool,
    ) {
        let name = unraw(name);
        // Of declarations for several platforms the first that is enabled counts.
        let known = self.modules[module].names.get(&name).into_iter().flatten();
        if known.filter(|b| matches!(b.target, Target::Item(_))).any(|b| b.space == Some(space)) {
            return;
        }
        let own = self.items.len();
        self.items.push(Declared { module, item, text, space });
        self.bind(module, &name, Some(space), Target::Item(own), public);
    }

    fn bind(
        &mut self,
        module: usize,
        name: &str,
        space: Option<Space>,
        target: Target,
        public: bool,
    ) {
        let names = &mut self.modules[module].names;
        names.entry(name.to_owned()).or_default().push(Binding { space, target, public });
    }

    fn imports(&mut self, module: usize, tree: &UseTree, mut path: Vec<String>, public: bool) {
        match tree {
            UseTree::Path(inner) => {
                path.push(unraw(&inner.ident.to_string()));
                self.imports(module, &inner.tree, path, public);
            }
            UseTree::Name(name) => {
                let name = unraw(&name.ident.to_string());
                if name == "self" {
                    let Some(name) = path.last().cloned() else { return };
                    self.bind(module, &name, Some(Space::Type), Target::Import(path), public);
                    return;
                }
                path.push(name.clone());
                self.bind(module, &name, None, Target::Import(path), public);
            }
            UseTree::Rename(rename) => {
                let own = rename.ident.to_string();
                let space = (own == "self").then_some(Space::Type);
                if own != "self" {
                    path.push(unraw(&own));
                }
                let name = unraw(&rename.rename.to_string());
                self.bind(module, &name, space, Target::Import(path), public);
            }
            UseTree::Glob(_) => self.modules[module].globs.push((path, public)),
            UseTree::Group(group) => {
                for inner in &group.items {
                    self.imports(module, inner, path.clone(), public);
                }
            }
        }
    }
}

fn unraw(name: &str) -> String {
    name.strip_prefix("r#").unwrap_or(name).to_owned()
}

pub fn is_public(vis: &Visibility) -> bool {
    matches!(vis, Visibility::Public(_))
}

pub fn unstable(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("unstable"))
}

/// Whether this is the `[unstable(…)]` of an attribute.
fn is_unstable(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else { return false };
    let first = group.stream().into_iter().next();
    group.delimiter() == Delimiter::Bracket && first.is_some_and(|t| is_word(&t, "unstable"))
}

pub fn hidden(attrs: &[Attribute]) -> bool {
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    docs.filter_map(|attr| attr.meta.require_list().ok())
        .any(|list| list.tokens.to_string().contains("hidden"))
}

fn path_attribute(attrs: &[Attribute]) -> Option<PathBuf> {
    let attr = attrs.iter().find(|attr| attr.path().is_ident("path"))?;
    let syn::Expr::Lit(lit) = &attr.meta.require_name_value().ok()?.value else { return None };
    let syn::Lit::Str(text) = &lit.lit else { return None };
    Some(PathBuf::from(text.value()))
}

/// Name, whether it is public, and space of an item.
fn named(item: &Item) -> Option<(String, bool, Space)> {
    Some(match item {
        Item::Struct(i) => (i.ident.to_string(), is_public(&i.vis), Space::Type),
        Item::Enum(i) => (i.ident.to_string(), is_public(&i.vis), Space::Type),
        Item::Union(i) => (i.ident.to_string(), is_public(&i.vis), Space::Type),
        Item::Trait(i) => (i.ident.to_string(), is_public(&i.vis), Space::Type),
        Item::Type(i) => (i.ident.to_string(), is_public(&i.vis), Space::Type),
        Item::Fn(i) => {
            let public = is_public(&i.vis) && !unstable(&i.attrs);
            (i.sig.ident.to_string(), public, Space::Value)
        }
        Item::Const(i) => {
            (i.ident.to_string(), is_public(&i.vis) && !unstable(&i.attrs), Space::Value)
        }
        Item::Static(i) => {
            (i.ident.to_string(), is_public(&i.vis) && !unstable(&i.attrs), Space::Value)
        }
        _ => return None,
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Struct(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Union(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Const(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::ExternCrate(i) => &i.attrs,
        _ => &[],
    }
}

/// Whether an attribute leaves its item in: predicates of `cfg` as in the library's documentation
/// for 64-bit Linux.
pub fn enabled(attr: &Attribute) -> bool {
    if !attr.path().is_ident("cfg") {
        return true;
    }
    attr.meta.require_list().is_ok_and(|list| holds(list.tokens.clone()))
}

fn holds(tokens: TokenStream) -> bool {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let Some(TokenTree::Ident(name)) = all.first() else { return false };
    let parts = |group: &proc_macro2::Group| {
        let mut parts: Vec<Vec<TokenTree>> = vec![Vec::new()];
        for token in group.stream() {
            if is_punct(&token, ',') {
                parts.push(Vec::new())
            } else {
                parts.last_mut().expect("one").push(token)
            }
        }
        parts.retain(|part| !part.is_empty());
        parts.into_iter().map(|part| holds(part.into_iter().collect())).collect::<Vec<_>>()
    };
    let value = match all.get(2) {
        Some(TokenTree::Literal(value)) => value.to_string().trim_matches('"').to_owned(),
        _ => String::new(),
    };
    match (name.to_string().as_str(), all.get(1)) {
        ("any", Some(TokenTree::Group(group))) => parts(group).contains(&true),
        ("all", Some(TokenTree::Group(group))) => !parts(group).contains(&false),
        ("not", Some(TokenTree::Group(group))) => parts(group) != [true],
        ("true" | "unix" | "doc" | "target_thread_local" | "panic_unwind", None) => true,
        ("target_os", _) => value == "linux",
        ("target_family", _) => value == "unix",
        ("target_arch", _) => value == "x86_64",
        ("target_env", _) => value == "gnu",
        ("target_pointer_width", _) => value == "64",
        ("target_endian", _) => value == "little",
        ("target_has_atomic" | "target_has_atomic_load_store", _) => value != "128",
        ("target_has_atomic_primitive_alignment", _) => value != "128",
        ("panic", _) => value == "unwind",
        ("feature", _) => value == "backtrace",
        _ => false,
    }
}

/// The arm of `cfg_select!` that holds.
fn select(tokens: TokenStream) -> Option<TokenStream> {
    let mut predicate: Vec<TokenTree> = Vec::new();
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < all.len() {
        let arrow = is_punct(&all[at], '=') && all.get(at + 1).is_some_and(|t| is_punct(t, '>'));
        if arrow
            && let Some(TokenTree::Group(body)) = all.get(at + 2)
            && body.delimiter() == Delimiter::Brace
        {
            let first = predicate.first();
            let any = first.is_some_and(|t| is_word(t, "_"));
            if any || holds(predicate.drain(..).collect()) {
                return Some(body.stream());
            }
            predicate.clear();
            at += 3;
            if all.get(at).is_some_and(|t| is_punct(t, ',')) {
                at += 1;
            }
            continue;
        }
        predicate.push(all[at].clone());
        at += 1;
    }
    None
}
