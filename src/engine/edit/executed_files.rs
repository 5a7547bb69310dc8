//! Finds files of a plan that Cargo runs, or that decide what it runs: whoever builds the
//! workspace, an editor included, runs them.

use std::collections::BTreeMap;

use crate::database::Snapshot;
use crate::error::EngineError;
use asof_edit::Plan;
use asof_model::NodeId;
use asof_query::Queries;
use asof_workspace::parent_folder;

/// Adds a warning for each of these files.
pub(super) fn warn(snapshot: &Snapshot<'_>, plan: &mut Plan) -> Result<(), EngineError> {
    let queries = Queries::at(snapshot.store(), snapshot.at());
    let mut targets = None;
    let mut warnings = Vec::new();
    for file in &plan.files {
        let path = file.file_path.as_str();
        let says = match by_name(path) {
            Some(says) => Some(says),
            None => {
                let targets = match &targets {
                    Some(known) => known,
                    None => targets.insert(Targets::load(&queries)?),
                };
                targets.says(&queries, path)?
            }
        };
        warnings.extend(says.map(|says| format!("{path} {says}")));
    }
    plan.warnings.extend(warnings);
    Ok(())
}

fn by_name(path: &str) -> Option<&'static str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name {
        "build.rs" => Some(BUILD_SCRIPT),
        "Cargo.toml" | "Cargo.lock" => {
            Some("decides what Cargo builds, and which code it runs then")
        }
        "rust-toolchain" | "rust-toolchain.toml" => Some("decides which compiler runs"),
        "config" | "config.toml" if folder.rsplit('/').next() == Some(".cargo") => {
            Some("decides which programs Cargo runs")
        }
        _ => None,
    }
}

const BUILD_SCRIPT: &str = "is code of a build script: whoever builds the workspace runs it";
const PROC_MACRO: &str = "is code of a procedural macro: whoever builds its users runs it";

/// Crates that run while others are compiled.
struct Targets {
    /// What is said of each, by its root module.
    roots: BTreeMap<NodeId, &'static str>,
    /// Where files that are not known yet would be theirs.
    folders: Vec<(String, &'static str)>,
}

impl Targets {
    fn load(queries: &Queries<'_>) -> Result<Self, EngineError> {
        let (mut roots, mut folders) = (BTreeMap::new(), Vec::new());
        for krate in queries.crates()? {
            // Modules of a library are beside its root; those of a script that is beside the
            // manifest are in a folder of its name.
            let (folder, says) = match krate.target_kind.as_str() {
                "build_script" => {
                    (krate.root_file.trim_end_matches(".rs").to_owned(), BUILD_SCRIPT)
                }
                "proc_macro" => {
                    let folder = parent_folder(&krate.root_file);
                    (folder.to_owned(), PROC_MACRO)
                }
                _ => continue,
            };
            roots.insert(krate.root_id, says);
            folders.push((format!("{folder}/"), says));
        }
        Ok(Self { roots, folders })
    }

    fn says(&self, queries: &Queries<'_>, path: &str) -> Result<Option<&'static str>, EngineError> {
        if self.roots.is_empty() || !path.ends_with(".rs") {
            return Ok(None);
        }
        let modules = queries.file_modules(path)?;
        if let Some(says) = modules.iter().find_map(|module| self.roots.get(&module.root_id)) {
            return Ok(Some(says));
        }
        let is_below = |(folder, _): &&(String, _)| path.starts_with(folder.as_str());
        let below = || self.folders.iter().find(is_below).map(|(_, says)| *says);
        Ok(if modules.is_empty() { below() } else { None })
    }
}
