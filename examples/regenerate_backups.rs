//! Makes the backups of all fixtures anew: `cargo run --example regenerate_backups`.
//! To be run whenever a fixture, the schema or what is indexed changes; the test
//! `every_backup_equals_a_fresh_index` says when.

use std::error::Error;
use std::fs;
use std::path::Path;

use asof::Database;
use asof_index::{Options, Silent};
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut fixtures: Vec<_> =
        fs::read_dir(home.join("fixtures"))?.collect::<Result<Vec<_>, _>>()?;
    fixtures.retain(|entry| entry.path().is_dir());
    fixtures.sort_by_key(fs::DirEntry::file_name);
    fs::create_dir_all(home.join("backups"))?;
    let mut registry = Vec::new();
    for entry in fixtures {
        let name = entry.file_name().to_string_lossy().into_owned();
        let work = tempfile::tempdir()?;
        let copy = work.path().join(&name);
        copy_tree(&entry.path(), &copy)?;
        let database = Database::create_or_open(&copy)?;
        database.refresh(&Options::default(), &Silent)?;
        let file = home.join("backups").join(format!("{name}.backup"));
        let _ = fs::remove_file(&file);
        let manifest = database.backup(&file)?;
        registry.push(json!({
            "fixture": name,
            "file": format!("{name}.backup"),
            "content_hash": manifest.content_hash,
            "schema_version": manifest.schema_version,
            "made_by": "cargo run --example regenerate_backups",
        }));
        println!("{name}: {} bytes", fs::metadata(&file)?.len());
    }
    let text = serde_json::to_string_pretty(&registry)?;
    fs::write(home.join("backups").join("registry.json"), text + "\n")?;
    Ok(())
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
