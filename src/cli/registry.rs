//! The registry of projects of this user.

use std::path::Path;

use asof::Projects;
use etcetera::BaseStrategy;

use super::failure::{Failure, Kind};

/// Names the folder of the registry.
const CONFIG_DIR: &str = "ASOF_CONFIG_DIR";

/// The registry of this user.
pub fn registry() -> Result<Projects, Failure> {
    if let Some(folder) = std::env::var_os(CONFIG_DIR).filter(|folder| !folder.is_empty()) {
        return Ok(Projects::at(Path::new(&folder)));
    }
    let home = etcetera::choose_base_strategy().map_err(|error| {
        let hint = format!("set HOME, or {CONFIG_DIR} to a folder");
        Failure::new(Kind::Failure, format!("no folder for configuration: {error}"), hint)
    })?;
    Ok(Projects::at(&home.config_dir().join("asof")))
}
