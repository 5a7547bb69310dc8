//! Crates: the root of each, and the crates that its code can name.

use super::crate_maps::{CrateMaps, Input};
use asof_model::HashMap;

/// Node of the crate root of each instance's crate, by instance.
pub(super) fn crate_roots(input: &Input<'_>, assembly: &CrateMaps) -> Vec<u32> {
    let mut roots: Vec<u32> = Vec::with_capacity(input.instances.len());
    for (number, instance) in input.instances.iter().enumerate() {
        let root = match instance.declared_in {
            Some((by, _)) => roots.get(by).copied(),
            None => assembly.index.get(number).and_then(|i| i.first()).copied(),
        };
        roots.push(root.unwrap_or(0));
    }
    roots
}

/// For each crate, the crates that its code can name: a root where it is of the workspace.
pub(super) fn extern_preludes(
    input: &Input<'_>,
    assembly: &CrateMaps,
) -> Vec<HashMap<String, Option<u32>>> {
    let mut libraries: HashMap<usize, (&str, u32)> = HashMap::default();
    for (number, instance) in input.instances.iter().enumerate() {
        let Some(krate) = input.crates.get(instance.krate) else { continue };
        let is_library = matches!(krate.target.kind.as_str(), "lib" | "proc_macro");
        let root = assembly.index.get(number).and_then(|i| i.first()).copied();
        if let (None, true, Some(package), Some(root)) =
            (instance.declared_in, is_library, krate.package, root)
        {
            libraries.insert(package, (&krate.target.crate_name, root));
        }
    }
    let by_name: HashMap<&str, usize> =
        input.packages.iter().enumerate().rev().map(|(i, p)| (p.name.as_str(), i)).collect();
    input
        .crates
        .iter()
        .map(|krate| {
            let mut names = HashMap::default();
            let Some(package) = krate.package.and_then(|p| input.packages.get(p)) else {
                return names;
            };
            for (in_code, name) in &package.dependencies {
                let library = by_name.get(name.as_str()).and_then(|p| libraries.get(p));
                // A library may have another name than its package, unless the dependency is
                // renamed.
                let known_as = match library {
                    Some((own, _)) if in_code.replace('-', "_") == name.replace('-', "_") => {
                        (*own).to_owned()
                    }
                    _ => in_code.replace('-', "_"),
                };
                names.insert(known_as, library.map(|(_, root)| *root));
            }
            let is_library = matches!(krate.target.kind.as_str(), "lib" | "proc_macro");
            if let (false, Some((own, root))) =
                (is_library, krate.package.and_then(|p| libraries.get(&p)))
            {
                names.insert((*own).to_owned(), Some(*root));
            }
            names
        })
        .collect()
}
