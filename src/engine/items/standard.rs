//! Where items of the standard library are, if its sources are on this machine.

use std::path::PathBuf;

use crate::syntax::{DeclaredAt, Wanted, declared_in};
use crate::workspace::{StandardSources, read_standard};

/// A place in a file of the standard library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandardItem {
    pub file: PathBuf,
    pub text: String,
    /// None for a module: it is its whole file.
    pub at: Option<DeclaredAt>,
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

/// Finds an item by its path: `std::vec::Vec::push`, `<[T]>::len`, `str::trim`. Re-exports are not
/// followed: what is declared in the modules of the path, or below them, is found.
pub fn standard_item(
    sources: &StandardSources,
    path: &str,
    is_macro: bool,
) -> Option<StandardItem> {
    let mut segments: Vec<&str> = path.split("::").collect();
    // The documentation of a primitive type is that of a module `prim_u8`.
    let documented = format!("prim_{path}");
    if segments.len() == 1 && module_of_primitive(path).is_some() {
        segments = vec!["core", "primitive_docs", &documented];
        let found = sources.candidates(&segments).into_iter().find_map(|(file, left)| {
            let text = read_standard(&file)?;
            let at = declared_in(&text, &left, Wanted::Item)?;
            Some(StandardItem { file, text, at: Some(at) })
        });
        return found;
    }
    if let Some(module) = segments.first().and_then(|first| module_of_primitive(first)) {
        segments.splice(0..0, ["core", module]);
    }
    let wanted = if is_macro { Wanted::Macro } else { Wanted::Item };
    for (file, left) in sources.candidates(&segments) {
        let Some(text) = read_standard(&file) else { continue };
        if left.is_empty() && !is_macro {
            return Some(StandardItem { file, text, at: None });
        }
        if let Some(at) = declared_in(&text, &left, wanted) {
            return Some(StandardItem { file, text, at: Some(at) });
        }
    }
    None
}
