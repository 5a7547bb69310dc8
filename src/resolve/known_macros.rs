//! Items that well-known procedural macros make: `known_macros.txt`, read once.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use asof_model::{HashMap, Header, TreeItem};

const TABLE: &str = include_str!("known_macros.txt");

/// What a macro makes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Makes {
    /// A module for each file of a folder.
    Modules,
    /// Impls of traits, by their paths.
    Traits(Vec<&'static str>),
    /// Types with the variants and fields of the item, by the arguments that name them.
    Projections(Vec<&'static str>),
}

/// How a macro is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Call,
    Derive,
    Attribute,
}

struct Known {
    by: Use,
    path: &'static str,
    makes: Makes,
}

/// A folder for whose files a macro call declares modules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleFolder {
    /// As written: relative to the package.
    pub path: String,
    pub visibility: String,
}

/// A module that a macro call declares. Without a name, it stands for a file that `include!` puts
/// into the module around: its items are those of that module.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MadeModule {
    pub name: String,
    pub visibility: String,
}

impl MadeModule {
    /// Whether it stands for an included file.
    pub fn is_included(&self) -> bool {
        self.name.is_empty()
    }
}

/// The file that a call among items includes, as written.
pub fn included_file(call: &TreeItem) -> Option<&str> {
    let is_call = matches!(call.header, Header::MacroCall { items: false }) && !call.in_body;
    let name = call.name.rsplit("::").next().unwrap_or_default().trim();
    if !is_call || name != "include" {
        return None;
    }
    let path = call.sig.trim().trim_end_matches(',').trim_end();
    let path = path.strip_prefix('"')?.strip_suffix('"')?;
    (!path.contains(['"', '\\'])).then_some(path)
}

/// Paths of what a file imports, by name; of several, the first.
#[derive(Debug, Default)]
pub struct FileImports<'t>(HashMap<&'t str, &'t [String]>);

impl<'t> FileImports<'t> {
    /// The imports among the items of a file.
    pub fn read(items: &'t [TreeItem]) -> Self {
        let mut by_name = HashMap::default();
        for item in items {
            let Header::Import { leaves } = &item.header else { continue };
            for leaf in leaves.iter().filter(|leaf| !leaf.glob) {
                by_name.entry(leaf.name.as_str()).or_insert(leaf.path.as_slice());
            }
        }
        FileImports(by_name)
    }

    /// A path as written, from the name of a crate on where the file imports its first segment.
    fn written(&self, path: &str) -> Option<String> {
        let path: String = path.split_whitespace().collect();
        let path = path.trim_start_matches("::");
        let first = path.split("::").next()?;
        let Some(imported) = self.0.get(first) else { return Some(path.to_owned()) };
        Some(format!("{}{}", imported.join("::"), path.strip_prefix(first)?))
    }
}

impl ModuleFolder {
    /// The folder of a call among the items of a file, if it is a call of such a macro. `names`:
    /// dependencies by their names in code.
    pub fn parse(
        imports: &FileImports<'_>,
        call: &TreeItem,
        names: &[(String, String)],
    ) -> Option<Self> {
        let is_call = matches!(call.header, Header::MacroCall { items: false }) && !call.in_body;
        if !is_call || call.sig.is_empty() || *of_call(imports, call, names)? != Makes::Modules {
            return None;
        }
        let (visibility, path) = call.sig.trim().strip_suffix('"')?.split_once('"')?;
        let visibility = visibility.trim().to_owned();
        let is_plain = !path.contains(['"', '\\']);
        is_plain.then(|| ModuleFolder { path: path.to_owned(), visibility })
    }

    /// The module of a file in the folder, and its file if another than that of its name is meant.
    pub fn module(&self, file: &str) -> Option<(MadeModule, Option<String>)> {
        let stem = file.strip_suffix(".rs")?;
        if stem.is_empty() || stem.contains('/') || matches!(stem, "mod" | "lib" | "main") {
            return None;
        }
        let name = stem.replace('-', "_");
        let other = (name != stem).then(|| file.to_owned());
        Some((MadeModule { name, visibility: self.visibility.clone() }, other))
    }
}

/// What a call among the items of a file makes; none if its macro is not in the table.
fn of_call(
    imports: &FileImports<'_>,
    call: &TreeItem,
    names: &[(String, String)],
) -> Option<&'static Makes> {
    let path = imports.written(&call.name)?;
    let (krate, rest) = path.split_once("::")?;
    let package = names.iter().find(|(name, _)| name == krate);
    let package = package.map_or(krate.to_owned(), |(_, package)| package.replace('-', "_"));
    known(Use::Call, &format!("{package}::{rest}"))
}

/// Traits that a derive implements, if it is in the table.
pub(super) fn traits_of_derive(path: &str) -> &'static [&'static str] {
    match known(Use::Derive, path) {
        Some(Makes::Traits(traits)) => traits,
        _ => &[],
    }
}

/// Whether an argument of an attribute names a type with the variants and fields of its item.
pub(super) fn names_projection(attribute: &str, argument: &str) -> bool {
    match known(Use::Attribute, attribute) {
        Some(Makes::Projections(arguments)) => arguments.contains(&argument),
        _ => false,
    }
}

fn known(by: Use, path: &str) -> Option<&'static Makes> {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    let all = ALL.get_or_init(|| TABLE.lines().filter_map(read).collect());
    all.iter().find(|known| known.by == by && known.path == path).map(|known| &known.makes)
}

/// A line of the table; none for comments.
fn read(line: &'static str) -> Option<Known> {
    let mut words = line.split_whitespace();
    let by = match words.next()? {
        "call" => Use::Call,
        "derive" => Use::Derive,
        "attribute" => Use::Attribute,
        _ => return None,
    };
    let path = words.next()?;
    let makes: Vec<&str> = words.collect();
    let makes = match makes.as_slice() {
        ["modules"] => Makes::Modules,
        ["projections", arguments @ ..] if !arguments.is_empty() => {
            Makes::Projections(arguments.to_vec())
        }
        traits if traits.iter().all(|path| path.contains("::")) && !traits.is_empty() => {
            Makes::Traits(makes)
        }
        _ => return None,
    };
    Some(Known { by, path, makes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            assert!(read(line).is_some(), "{line}");
        }
    }

    #[test]
    fn folders_of_calls() {
        let folder = |text: &str| {
            let tree = asof_syntax::parse_item_tree("", text.as_bytes());
            let names = [("renamed".to_owned(), "automod".to_owned())];
            let imports = FileImports::read(&tree.items);
            tree.items.iter().find_map(|item| ModuleFolder::parse(&imports, item, &names))
        };
        let of = |path: &str, visibility: &str| {
            Some(ModuleFolder { path: path.to_owned(), visibility: visibility.to_owned() })
        };
        assert_eq!(folder(r#"automod::dir!("tests/x");"#), of("tests/x", ""));
        assert_eq!(folder(r#"automod::dir!(pub(crate) "a");"#), of("a", "pub(crate)"));
        assert_eq!(folder(r#"use automod::dir; dir! { pub "a" }"#), of("a", "pub"));
        assert_eq!(folder(r#"use automod as all; mod m { all::dir!("a"); }"#), of("a", ""));
        assert_eq!(folder(r#"use renamed::dir; dir!("a");"#), of("a", ""));
        assert_eq!(folder(r#"dir!("a");"#), None);
        assert_eq!(folder(r#"other::dir!("a");"#), None);
        assert_eq!(folder(r#"automod::dir!(FOLDER);"#), None);
        let modules = ModuleFolder { path: "a".to_owned(), visibility: "pub".to_owned() };
        let names = ["b.rs", "c-d.rs", "mod.rs", "e/f.rs", ".rs", "g.txt"];
        let found: Vec<_> = names.iter().filter_map(|name| modules.module(name)).collect();
        let made = |name: &str| MadeModule { name: name.to_owned(), visibility: "pub".to_owned() };
        assert_eq!(found, [(made("b"), None), (made("c_d"), Some("c-d.rs".to_owned()))]);
    }
}
