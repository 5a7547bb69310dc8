//! Opens the user's registry of projects.

use std::path::Path;

use asof::Projects;
use asof_model::ErrorKind;
use asof_surface::problem::Problem;
use etcetera::BaseStrategy;

/// Names the folder of the registry.
const CONFIG_DIR: &str = "ASOF_CONFIG_DIR";

/// The registry of this user.
pub fn registry() -> Result<Projects, Problem> {
    if let Some(folder) = std::env::var_os(CONFIG_DIR).filter(|folder| !folder.is_empty()) {
        return Ok(Projects::at(Path::new(&folder)));
    }
    let home = etcetera::choose_base_strategy().map_err(|error| {
        let hint = format!("set HOME, or {CONFIG_DIR} to a folder");
        Problem::new(ErrorKind::Failure, format!("no folder for configuration: {error}"), hint)
    })?;
    Ok(Projects::at(&home.config_dir().join("asof")))
}
