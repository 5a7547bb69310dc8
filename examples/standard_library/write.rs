//! Declarations as text, with every path written from the crate's root.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{GenericArgument, GenericParam, Generics, ImplItem, Item, TraitItem, WherePredicate};

use crate::names::{Meaning, Public};
use crate::read::{Declared, Library, Space, enabled, hidden, is_public, unstable};

/// Traits without a method that matter to the compiler only, or whose impls every type has.
const PLAIN: &[&str] =
    &["Destruct", "MetaSized", "PointeeSized", "Freeze", "Tuple", "Allocator", "Unsize"];

/// Traits whose impls say nothing about methods.
const SILENT: &[&str] = &[
    "Send",
    "Sync",
    "Unpin",
    "UnwindSafe",
    "RefUnwindSafe",
    "Freeze",
    "StructuralPartialEq",
    "TrustedLen",
    "TrustedStep",
    "TrustedFused",
    "TrustedRandomAccess",
    "InPlaceIterable",
    "SourceIter",
    "CoerceUnsized",
    "DispatchFromDyn",
    "DerefPure",
    "PinCoerceUnsized",
    "Allocator",
    "PinSafePointer",
    "UseCloned",
    "CloneToUninit",
    "TrivialClone",
    "PinDerefMutHelper",
    // Its methods are found wherever it is in scope, which is not known of other crates' traits.
    "Borrow",
    "BorrowMut",
    "ConstParamTy_",
    "UnsizedConstParamTy",
    "ZeroablePrimitive",
    "LegacyReceiver",
];

const PRIMITIVES: &[&str] = &[
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32",
    "f64", "f16", "f128", "bool", "char", "str",
];

#[derive(Default)]
struct Folder {
    own: Vec<String>,
    inner: BTreeMap<String, Folder>,
}

impl Folder {
    fn at(&mut self, path: &str) -> &mut Folder {
        let mut folder = self;
        for name in path.split("::").skip(1) {
            folder = folder.inner.entry(name.to_owned()).or_default();
        }
        folder
    }

    fn print(&self, out: &mut String) {
        for text in &self.own {
            out.push_str(text);
            out.push('\n');
        }
        for (name, inner) in &self.inner {
            let raw = if is_keyword(name) { "r#" } else { "" };
            let _ = writeln!(out, "pub mod {raw}{name} {{");
            inner.print(out);
            out.push_str("}\n");
        }
    }
}

fn is_keyword(name: &str) -> bool {
    syn::parse_str::<syn::Ident>(name).is_err()
}

pub fn text(library: &Library, public: &Public) -> String {
    let mut root = Folder::default();
    for path in public.by_path.keys() {
        root.at(path);
    }
    let mut items: Vec<(&String, usize)> = public.items.iter().map(|(i, p)| (p, *i)).collect();
    items.sort();
    for (path, item) in items {
        let Some((folder, name)) = path.rsplit_once("::") else { continue };
        let declared = &library.items[item];
        if let Some(text) = declaration(library, public, declared, name) {
            match declared.space {
                Space::Macro => root.own.push(text),
                _ => root.at(folder).own.push(text),
            }
        }
    }
    for (folder, name, target) in &public.exports {
        let last = target.rsplit("::").next().unwrap_or_default();
        let renamed = if last == name { String::new() } else { format!(" as {name}") };
        root.at(folder).own.push(format!("pub use {target}{renamed};"));
    }
    prelude(library, public, root.at("crate::prelude"));
    let mut impls: Vec<String> =
        library.impls.iter().filter_map(|one| of_impl(library, public, one)).collect();
    impls.dedup();
    let folder = root.at("crate::impls");
    folder.own = impls;
    let mut out = String::new();
    root.print(&mut out);
    out
}

/// The names that need no import, and the modules that have them too.
fn prelude(library: &Library, public: &Public, folder: &mut Folder) {
    let path = ["std", "prelude", "rust_2021"].map(str::to_owned);
    let mut lines = BTreeSet::from([
        "pub use crate::fmt::Debug;".to_owned(),
        "pub use crate::hash::Hash;".to_owned(),
    ]);
    for (_, meaning) in library.resolve(library.roots[2], &path) {
        let Meaning::Module(module) = meaning else { continue };
        for (_, found) in library.exports(module) {
            for (space, meaning) in found {
                if space != Space::Macro
                    && !matches!(meaning, Meaning::Module(_))
                    && let Some(path) = public.path(&meaning)
                {
                    lines.insert(format!("pub use {path};"));
                }
            }
        }
    }
    folder.own = lines.into_iter().collect();
    for name in ["v1", "rust_2015", "rust_2018", "rust_2021"] {
        folder.inner.entry(name.to_owned()).or_default().own = vec!["pub use super::*;".to_owned()];
    }
    let latest = "pub use super::*; pub use crate::future::{Future, IntoFuture};".to_owned();
    folder.inner.entry("rust_2024".to_owned()).or_default().own = vec![latest];
}

/// Changes to a text that write its paths from the root.
struct Paths<'a> {
    library: &'a Library,
    public: &'a Public,
    module: usize,
    generics: BTreeSet<String>,
    allocators: BTreeSet<String>,
    edits: Vec<(Range<usize>, String)>,
}

impl<'a> Paths<'a> {
    fn new(library: &'a Library, public: &'a Public, module: usize) -> Self {
        Paths {
            library,
            public,
            module,
            generics: BTreeSet::from(["Self".to_owned()]),
            allocators: BTreeSet::new(),
            edits: Vec::new(),
        }
    }

    fn enter(&mut self, generics: &Generics) {
        for param in &generics.params {
            let (GenericParam::Type(syn::TypeParam { ident, .. })
            | GenericParam::Const(syn::ConstParam { ident, .. })) = param
            else {
                continue;
            };
            self.generics.insert(ident.to_string());
            if let GenericParam::Type(param) = param
                && param.bounds.iter().any(is_allocator)
            {
                self.allocators.insert(ident.to_string());
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let WherePredicate::Type(predicate) = predicate
                && predicate.bounds.iter().any(is_allocator)
                && let syn::Type::Path(path) = &predicate.bounded_ty
                && let Some(name) = path.path.get_ident()
            {
                self.allocators.insert(name.to_string());
            }
        }
    }

    /// The public path of a type or trait; none if there is none.
    fn meaning(&self, path: &syn::Path, upto: usize) -> (usize, Option<Meaning>) {
        let mut names: Vec<String> = Vec::new();
        if path.leading_colon.is_some() {
            names.push(String::new());
        }
        for (at, segment) in path.segments.iter().take(upto).enumerate() {
            let name = segment.ident.to_string();
            names.push(name.strip_prefix("r#").map_or(name.clone(), str::to_owned));
            let found = self.library.resolve(self.module, &names);
            let types = found.iter().find(|(space, _)| *space == Space::Type).map(|(_, m)| m);
            match types {
                Some(Meaning::Module(_)) if at + 1 < upto => {}
                Some(Meaning::Item(item)) => return (at, Some(Meaning::Item(*item))),
                _ => {
                    // The prelude.
                    let prelude = self.in_prelude(&names);
                    return (at, prelude);
                }
            }
        }
        (upto.saturating_sub(1), None)
    }

    /// The primitive type that an alias means: `c_int` is one of a private alias.
    fn primitive(&self, meaning: &Meaning) -> Option<String> {
        let Meaning::Item(item) = meaning else { return None };
        let Item::Type(alias) = &self.library.items[*item].item else { return None };
        let syn::Type::Path(path) = &*alias.ty else { return None };
        let name = path.path.get_ident()?.to_string();
        PRIMITIVES.contains(&name.as_str()).then_some(name)
    }

    fn in_prelude(&self, names: &[String]) -> Option<Meaning> {
        let [name] = names else { return None };
        if PRIMITIVES.contains(&name.as_str()) {
            return None;
        }
        let path = ["std", "prelude", "rust_2021", name].map(str::to_owned);
        let found = self.library.resolve(self.library.roots[2], &path);
        found.into_iter().find(|(space, _)| *space == Space::Type).map(|(_, meaning)| meaning)
    }

    fn path(&mut self, path: &syn::Path, upto: usize) {
        let Some(first) = path.segments.first() else { return };
        let own = first.ident.to_string();
        if self.generics.contains(&own) && path.leading_colon.is_none() {
            return;
        }
        let (at, meaning) = self.meaning(path, upto);
        if meaning.is_none() && path.segments.len() == 1 && PRIMITIVES.contains(&own.as_str()) {
            return;
        }
        let Some(last) = path.segments.iter().nth(at) else { return };
        let name = last.ident.to_string();
        let primitive = meaning.as_ref().and_then(|meaning| self.primitive(meaning));
        let public = meaning.and_then(|meaning| self.public.path(&meaning)).or(primitive);
        let to = match public {
            _ if PLAIN.contains(&name.as_str()) => "crate::marker::Sized".to_owned(),
            Some(path) => path,
            None => format!("crate::private::{name}"),
        };
        // A bound by a private trait tells nothing.
        let to = match to.as_str() {
            "crate::private::Sealed" | "crate::private::Thin" | "crate::private::NonDrop" => {
                "crate::marker::Sized".to_owned()
            }
            _ => to,
        };
        let start = path.leading_colon.as_ref().map_or(first.ident.span(), |colon| colon.span());
        let range = start.byte_range().start..last.ident.span().byte_range().end;
        self.edits.push((range, to));
    }

    /// The text of a node with the changes applied.
    fn apply(&self, text: &str, range: Range<usize>) -> String {
        let mut edits: Vec<_> = self.edits.iter().collect();
        edits.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut out = String::new();
        let mut at = range.start;
        for (edit, to) in edits {
            if edit.start < at || edit.end > range.end {
                continue;
            }
            out.push_str(&text[at..edit.start]);
            out.push_str(to);
            at = edit.end;
        }
        out.push_str(&text[at..range.end]);
        out
    }

    fn is_allocator_argument(&self, argument: &GenericArgument) -> bool {
        let GenericArgument::Type(syn::Type::Path(path)) = argument else { return false };
        let last = path.path.segments.last().map(|segment| segment.ident.to_string());
        match last {
            Some(last) if last == "Global" => true,
            Some(last) => path.path.segments.len() == 1 && self.allocators.contains(&last),
            None => false,
        }
    }
}

fn is_allocator(bound: &syn::TypeParamBound) -> bool {
    let syn::TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|segment| segment.ident == "Allocator")
}

/// Ranges that remove some parts of a list between commas.
fn without(all: &[Range<usize>], removed: &[bool]) -> Vec<(Range<usize>, String)> {
    let mut edits = Vec::new();
    for at in 0..all.len() {
        if !removed[at] {
            continue;
        }
        let kept_before = (0..at).any(|before| !removed[before]);
        let range = match (at.checked_sub(1), all.get(at + 1)) {
            (Some(before), _) if kept_before => all[before].end..all[at].end,
            (_, Some(next)) => all[at].start..next.start,
            _ => all[at].clone(),
        };
        edits.push((range, String::new()));
    }
    edits
}

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_type_path(&mut self, node: &'ast syn::TypePath) {
        match &node.qself {
            Some(qself) if qself.position > 0 => self.path(&node.path, qself.position),
            Some(_) => {}
            None => self.path(&node.path, node.path.segments.len()),
        }
        visit::visit_type_path(self, node);
    }

    fn visit_trait_bound(&mut self, node: &'ast syn::TraitBound) {
        self.path(&node.path, node.path.segments.len());
        visit::visit_trait_bound(self, node);
    }

    fn visit_expr(&mut self, _: &'ast syn::Expr) {}

    fn visit_generics(&mut self, node: &'ast Generics) {
        let ranges: Vec<_> = node.params.iter().map(|p| p.span().byte_range()).collect();
        let removed: Vec<_> = node
            .params
            .iter()
            .map(|param| match param {
                GenericParam::Type(param) => self.allocators.contains(&param.ident.to_string()),
                _ => false,
            })
            .collect();
        self.edits.extend(without(&ranges, &removed));
        visit::visit_generics(self, node);
    }

    fn visit_where_predicate(&mut self, node: &'ast WherePredicate) {
        if let WherePredicate::Type(predicate) = node
            && let syn::Type::Path(path) = &predicate.bounded_ty
            && path
                .path
                .segments
                .first()
                .is_some_and(|s| self.allocators.contains(&s.ident.to_string()))
        {
            self.edits.push((node.span().byte_range(), "() : Sized".to_owned()));
            return;
        }
        visit::visit_where_predicate(self, node);
    }

    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        node: &'ast syn::AngleBracketedGenericArguments,
    ) {
        let ranges: Vec<_> = node.args.iter().map(|a| a.span().byte_range()).collect();
        let removed: Vec<_> = node.args.iter().map(|a| self.is_allocator_argument(a)).collect();
        self.edits.extend(without(&ranges, &removed));
        visit::visit_angle_bracketed_generic_arguments(self, node);
    }
}

fn derives(attrs: &[syn::Attribute]) -> String {
    let mut names: Vec<String> = Vec::new();
    for attr in attrs {
        if (attr.path().is_ident("derive") || attr.path().is_ident("derive_const"))
            && let Ok(list) = attr.meta.require_list()
        {
            let all = list.tokens.to_string();
            let own = all.split(',').map(|name| name.trim().to_owned());
            names.extend(own.filter(|name| {
                let last = name.rsplit("::").next().unwrap_or_default().trim();
                !name.is_empty() && !SILENT.contains(&last)
            }));
        }
    }
    if names.is_empty() { String::new() } else { format!("#[derive({})] ", names.join(", ")) }
}

fn declaration(library: &Library, public: &Public, of: &Declared, name: &str) -> Option<String> {
    let text = &library.texts[of.text];
    let mut paths = Paths::new(library, public, of.module);
    let name = if is_keyword(name) { format!("r#{name}") } else { name.to_owned() };
    let found = match &of.item {
        Item::Macro(_) | Item::Verbatim(_) => {
            format!("#[macro_export] macro_rules! {name} {{ () => {{}}; }}")
        }
        Item::Fn(item) => {
            paths.enter(&item.sig.generics);
            paths.visit_signature(&item.sig);
            format!("pub fn {name}{} {{}}", after_name(&paths, text, &item.sig))
        }
        Item::Const(item) => {
            paths.visit_type(&item.ty);
            format!("pub const {name}: {} = 0;", paths.apply(text, item.ty.span().byte_range()))
        }
        Item::Static(item) => {
            paths.visit_type(&item.ty);
            format!("pub const {name}: {} = 0;", paths.apply(text, item.ty.span().byte_range()))
        }
        Item::Type(item) => {
            paths.enter(&item.generics);
            paths.visit_generics(&item.generics);
            paths.visit_type(&item.ty);
            let generics = generic_text(&paths, text, &item.generics);
            let ty = paths.apply(text, item.ty.span().byte_range());
            format!("pub type {name}{generics} = {ty};")
        }
        Item::Struct(item) => {
            paths.enter(&item.generics);
            paths.visit_generics(&item.generics);
            paths.visit_fields(&item.fields);
            let generics = generic_text(&paths, text, &item.generics);
            let shown =
                |f: &&syn::Field| is_public(&f.vis) && !unstable(&f.attrs) && !hidden(&f.attrs);
            let body = match &item.fields {
                syn::Fields::Named(fields) => {
                    let own: Vec<String> = fields
                        .named
                        .iter()
                        .filter(shown)
                        .filter_map(|f| {
                            let ty = paths.apply(text, f.ty.span().byte_range());
                            Some(format!("pub {}: {ty}", f.ident.as_ref()?))
                        })
                        .collect();
                    if own.is_empty() {
                        ";".to_owned()
                    } else {
                        format!(" {{ {} }}", own.join(", "))
                    }
                }
                syn::Fields::Unnamed(fields) if fields.unnamed.iter().all(|f| shown(&f)) => {
                    let types = fields.unnamed.iter();
                    let types: Vec<String> = types
                        .map(|f| format!("pub {}", paths.apply(text, f.ty.span().byte_range())))
                        .collect();
                    format!("({});", types.join(", "))
                }
                _ => ";".to_owned(),
            };
            format!("{}pub struct {name}{generics}{body}", derives(&item.attrs))
        }
        Item::Union(item) => {
            paths.enter(&item.generics);
            paths.visit_generics(&item.generics);
            let generics = generic_text(&paths, text, &item.generics);
            format!("{}pub struct {name}{generics};", derives(&item.attrs))
        }
        Item::Enum(item) => {
            paths.enter(&item.generics);
            paths.visit_generics(&item.generics);
            let generics = generic_text(&paths, text, &item.generics);
            let mut variants = Vec::new();
            for variant in item.variants.iter().filter(|v| !hidden(&v.attrs)) {
                paths.visit_fields(&variant.fields);
                let fields = match &variant.fields {
                    syn::Fields::Unit => String::new(),
                    fields => paths.apply(text, fields.span().byte_range()),
                };
                variants.push(format!("{}{fields}", variant.ident));
            }
            format!(
                "{}pub enum {name}{generics} {{ {} }}",
                derives(&item.attrs),
                variants.join(", ")
            )
        }
        Item::Trait(item) => {
            paths.enter(&item.generics);
            paths.visit_generics(&item.generics);
            for bound in &item.supertraits {
                paths.visit_type_param_bound(bound);
            }
            let generics = generic_text(&paths, text, &item.generics);
            let above: Vec<String> = item
                .supertraits
                .iter()
                .map(|bound| paths.apply(text, bound.span().byte_range()))
                .collect();
            let above =
                if above.is_empty() { String::new() } else { format!(": {}", above.join(" + ")) };
            let mut body = String::new();
            for inner in &item.items {
                trait_item(&mut paths, text, inner, &mut body);
            }
            format!("pub trait {name}{generics}{above} {{ {body} }}")
        }
        _ => return None,
    };
    Some(found)
}

fn trait_item(paths: &mut Paths<'_>, text: &str, item: &TraitItem, out: &mut String) {
    let before = (paths.generics.clone(), paths.allocators.clone());
    match item {
        TraitItem::Fn(item) if !unstable(&item.attrs) && item.attrs.iter().all(enabled) => {
            paths.enter(&item.sig.generics);
            paths.visit_signature(&item.sig);
            let _ = write!(out, "fn {}{}; ", item.sig.ident, after_name(paths, text, &item.sig));
        }
        TraitItem::Type(item) => {
            paths.visit_trait_item_type(item);
            let end = item.default.as_ref().map_or_else(
                || item.semi_token.span().byte_range().start,
                |(equals, _)| equals.span().byte_range().start,
            );
            let start = item.type_token.span().byte_range().start;
            let _ = write!(out, "{}; ", paths.apply(text, start..end));
        }
        TraitItem::Const(item) if !unstable(&item.attrs) => {
            paths.visit_type(&item.ty);
            let ty = paths.apply(text, item.ty.span().byte_range());
            let _ = write!(out, "const {}: {ty}; ", item.ident);
        }
        _ => {}
    }
    (paths.generics, paths.allocators) = before;
}

/// A signature from its generic parameters on.
fn after_name(paths: &Paths<'_>, text: &str, sig: &syn::Signature) -> String {
    let start = sig.ident.span().byte_range().end;
    let end = sig.span().byte_range().end;
    paths.apply(text, start..end)
}

fn generic_text(paths: &Paths<'_>, text: &str, generics: &Generics) -> String {
    match (&generics.lt_token, &generics.gt_token) {
        (Some(lt), Some(gt)) => {
            let range = lt.span().byte_range().start..gt.span().byte_range().end;
            paths.apply(text, range)
        }
        _ => String::new(),
    }
}

/// A type without a reference to it.
fn plain(ty: &str) -> &str {
    let to = ty.trim().trim_start_matches('&').trim();
    match to.split_once(' ') {
        Some((lifetime, to)) if lifetime.starts_with('\'') => to.trim(),
        _ => to,
    }
}

fn of_impl(library: &Library, public: &Public, of: &Declared) -> Option<String> {
    let Item::Impl(item) = &of.item else { return None };
    let text = &library.texts[of.text];
    let mut paths = Paths::new(library, public, of.module);
    paths.enter(&item.generics);
    paths.visit_generics(&item.generics);
    paths.visit_type(&item.self_ty);
    let own = paths.apply(text, item.self_ty.span().byte_range());
    if own.contains("crate::private::") {
        return None;
    }
    let mut of_trait = String::new();
    if let Some((path, _)) = &item.trait_ {
        let last = path.segments.last()?.ident.to_string();
        if item.modifiers.polarity.is_some() || SILENT.contains(&last.as_str()) {
            return None;
        }
        paths.path(path, path.segments.len());
        for segment in &path.segments {
            paths.visit_path_segment(segment);
        }
        let path = paths.apply(text, path.span().byte_range());
        if path.contains("crate::private::") {
            return None;
        }
        // Operators between numbers give their left operand's type.
        let is_number = |of: &str| plain(of) != "str" && PRIMITIVES.contains(&plain(of));
        let operand = path.split_once('<').and_then(|(_, args)| args.trim().strip_suffix('>'));
        let numbers = is_number(&own) && operand.is_none_or(is_number);
        if numbers && path.starts_with("crate::ops::") {
            return None;
        }
        of_trait = format!("{path} for ");
    } else if unstable(&item.attrs) {
        return None;
    }
    let mut body = String::new();
    for inner in &item.items {
        member(&mut paths, text, inner, item.trait_.is_some(), &mut body);
    }
    if item.trait_.is_none() && body.is_empty() {
        return None;
    }
    let generics = generic_text(&paths, text, &item.generics);
    let clause = item.generics.where_clause.as_ref().map_or_else(String::new, |clause| {
        format!(" {}", paths.apply(text, clause.span().byte_range()))
    });
    // Function pointers are no type that a signature can tell from others.
    if generics.contains("FnPtr") {
        return None;
    }
    Some(format!("impl{generics} {of_trait}{own}{clause} {{ {body}}}"))
}

fn member(paths: &mut Paths<'_>, text: &str, item: &ImplItem, of_trait: bool, out: &mut String) {
    let before = (paths.generics.clone(), paths.allocators.clone());
    match item {
        ImplItem::Fn(item)
            if !of_trait
                && is_public(&item.vis)
                && !unstable(&item.attrs)
                && !hidden(&item.attrs)
                && item.attrs.iter().all(enabled) =>
        {
            paths.enter(&item.sig.generics);
            paths.visit_signature(&item.sig);
            let sig = after_name(paths, text, &item.sig);
            let _ = write!(out, "pub fn {}{sig} {{}} ", item.sig.ident);
        }
        ImplItem::Const(item)
            if !of_trait
                && is_public(&item.vis)
                && !unstable(&item.attrs)
                && !hidden(&item.attrs) =>
        {
            paths.visit_type(&item.ty);
            let ty = paths.apply(text, item.ty.span().byte_range());
            let _ = write!(out, "pub const {}: {ty} = 0; ", item.ident);
        }
        ImplItem::Type(item) if of_trait => {
            paths.visit_type(&item.ty);
            let ty = paths.apply(text, item.ty.span().byte_range());
            let generics = generic_text(paths, text, &item.generics);
            let _ = write!(out, "type {}{generics} = {ty}; ", item.ident);
        }
        _ => {}
    }
    (paths.generics, paths.allocators) = before;
}
