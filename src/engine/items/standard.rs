//! Finds declarations of the standard library and of other crates in their sources, without
//! resolving names or indexing a crate.

use std::path::{Path, PathBuf};

use asof_syntax::{DeclaredAt, Wanted, declared_anywhere, declared_in, declared_publicly};
use asof_workspace::{StandardSources, candidates_in, read_declared};

/// A place in a file of another crate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredItem {
    pub file: PathBuf,
    pub text: String,
    /// None for a module: it is its whole file.
    pub at: Option<DeclaredAt>,
}

impl DeclaredItem {
    /// What `find` finds in a file.
    pub(super) fn in_file(
        file: PathBuf,
        find: impl FnOnce(&str) -> Option<DeclaredAt>,
    ) -> Option<Self> {
        let text = read_declared(&file)?;
        let at = find(&text)?;
        Some(Self { file, text, at: Some(at) })
    }

    /// The item without its body, in one line.
    pub fn head(&self) -> String {
        let Some(at) = self.at else { return String::new() };
        let text = self.text.get(at.start as usize..at.end as usize).unwrap_or_default();
        let end = text.find(['{', ';']).unwrap_or(text.len());
        text.get(..end).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Its documentation; that of a module is at the beginning of its file.
    pub fn docs(&self) -> String {
        let Some(at) = self.at else {
            let lines = self.text.lines().map(str::trim_start);
            let docs = lines.take_while(|line| line.starts_with("//!"));
            return docs.map(|line| undocumented(line, "//!")).collect::<Vec<_>>().join("\n");
        };
        let above = self.text.get(..at.start as usize).unwrap_or_default();
        let lines = above.lines().rev().map(str::trim_start);
        let belongs = |line: &&str| line.starts_with("///") || line.starts_with("#[");
        // The last line is the beginning of the item's own.
        let lines = lines.skip_while(|line| line.is_empty()).take_while(belongs);
        let mut docs: Vec<&str> = lines
            .filter(|line| line.starts_with("///"))
            .map(|line| undocumented(line, "///"))
            .collect();
        docs.reverse();
        docs.join("\n")
    }
}

fn undocumented<'l>(line: &'l str, mark: &str) -> &'l str {
    let text = line.strip_prefix(mark).unwrap_or(line);
    text.strip_prefix(' ').unwrap_or(text)
}

/// Module of the methods that a primitive type has.
fn module_of_primitive(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "str" => "str",
        "char" => "char",
        "bool" => "bool",
        "f32" | "f64" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32"
        | "i64" | "i128" | "isize" => "num",
        _ if ty.starts_with("<[") => "slice",
        _ if ty.starts_with("<*") => "ptr",
        _ => return None,
    })
}

/// File of the macro that makes the methods of an integer type.
fn macro_of_integers(ty: &str) -> Option<&'static str> {
    Some(match ty {
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" => "core/src/num/uint_macros.rs",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "core/src/num/int_macros.rs",
        _ => return None,
    })
}

/// Finds an item by its path: `std::vec::Vec::push`, `<[T]>::len`, `str::trim`. Re-exports are not
/// followed: what is declared in the modules of the path, or below them, is found.
pub fn standard_item(
    sources: &StandardSources,
    path: &str,
    wanted: Wanted,
) -> Option<DeclaredItem> {
    let mut segments: Vec<&str> = path.split("::").collect();
    // The documentation of a primitive type is that of a module `prim_u8`.
    let documented = format!("prim_{path}");
    if segments.len() == 1 && module_of_primitive(path).is_some() {
        segments = vec!["core", "primitive_docs", &documented];
        return sources.candidates(&segments).into_iter().find_map(|(file, left)| {
            DeclaredItem::in_file(file, |text| declared_in(text, &left, Wanted::Item))
        });
    }
    if let [ty, name] = segments.as_slice()
        && let Some(file) = macro_of_integers(ty)
    {
        return DeclaredItem::in_file(sources.file(file), |text| declared_anywhere(text, name));
    }
    // A module with functions and old constants has the name of the type.
    if let [ty @ ("f32" | "f64"), _] = segments.as_slice() {
        return ["core", "std"].into_iter().find_map(|krate| {
            let file = sources.file(&format!("{krate}/src/num/{ty}.rs"));
            DeclaredItem::in_file(file, |text| declared_in(text, &segments, Wanted::Item))
        });
    }
    if let Some(module) = segments.first().and_then(|first| module_of_primitive(first)) {
        segments.splice(0..0, ["core", module]);
    }
    let is_macro = wanted == Wanted::Macro;
    let candidates = match segments.last() {
        Some(name) if is_macro && sources.has(&segments) => sources.of_macro(name),
        _ => Vec::new(),
    };
    for (file, left) in candidates.into_iter().chain(sources.candidates(&segments)) {
        let Some(text) = read_declared(&file) else { continue };
        if let Some(at) = declared_at(&text, &segments, &left, wanted) {
            return Some(DeclaredItem { file, text, at });
        }
    }
    None
}

/// Where the file of a module declares what is `left` of a path. If nothing is left, the path is that of
/// the module, which is the whole file, or of an item of its name, as `std::future::ready` is: only the
/// beginning of a longer path means the module.
fn declared_at(
    text: &str,
    path: &[&str],
    left: &[&str],
    wanted: Wanted,
) -> Option<Option<DeclaredAt>> {
    match (left, path.last(), wanted) {
        (_, _, Wanted::Macro) | ([_, ..], ..) => declared_in(text, left, wanted).map(Some),
        (_, Some(name), Wanted::Item | Wanted::Field) => {
            let like_it = declared_publicly(text, name);
            Some(like_it.or_else(|| declared_in(text, &[name], Wanted::Macro)))
        }
        _ => Some(None),
    }
}

/// Finds an item in the sources of a crate: in the file of the deepest module of its path, or in the
/// file below that module that declares it, of several in that with its name. `path` begins below the
/// crate, whose root file is `lib.rs` in the folder `source`.
pub fn declared_item(source: &Path, path: &[&str], wanted: Wanted) -> Option<DeclaredItem> {
    let candidates = candidates_in(source, path);
    let (file, left) = &candidates.exact;
    let text = read_declared(file)?;
    if let Some(at) = declared_at(&text, path, left, wanted) {
        return Some(DeclaredItem { file: file.clone(), text, at });
    }
    // One of this name may be anywhere, and need not be the one that is brought.
    if wanted == Wanted::Module {
        return None;
    }
    let around = candidates.around().filter_map(|(file, left)| {
        let is_named = file.file_stem().is_some_and(|stem| path.last().is_some_and(|n| stem == *n));
        let item = DeclaredItem::in_file(file, |text| match left.as_slice() {
            [name] if wanted == Wanted::Item => declared_publicly(text, name)
                // Most of a file may be in calls of macros.
                .or_else(|| declared_anywhere(text, name).filter(|_| is_named)),
            left => declared_in(text, left, wanted),
        });
        Some((is_named, item?))
    });
    let mut found: Vec<(bool, DeclaredItem)> = around.collect();
    if found.len() > 1 {
        found.retain(|(is_named, _)| *is_named);
    }
    found.pop().filter(|_| found.is_empty()).map(|(_, item)| item)
}
