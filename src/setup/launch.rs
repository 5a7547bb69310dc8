//! How a client starts this program: by its name, by its path, or through the package manager that
//! runs it without installing it.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::clients::Scope;
use super::entry::{Entry, NAME};

/// A package manager that runs programs from its cache, where they may be deleted at any time.
struct Runner {
    /// Folders in the path of such a program.
    folders: &'static [&'static str],
    command: &'static str,
    args: &'static [&'static str],
}

const RUNNERS: [Runner; 2] = [
    Runner { folders: &["_npx"], command: "npx", args: &["-y", NAME] },
    Runner { folders: &["archive-v0", "environments-v2"], command: "uvx", args: &[NAME] },
];

/// How to start the program at `program`, without the arguments of the server; `path` is the value
/// of PATH.
///
/// The file of a project is shared with others: it has no path of this machine.
pub fn start(program: &Path, path: &OsStr, scope: Scope) -> Entry {
    let plain = |command: &str| Entry { command: command.to_owned(), args: Vec::new() };
    if let Some(runner) = runner(program) {
        let args = runner.args.iter().map(|arg| (*arg).to_owned()).collect();
        return Entry { args, ..plain(runner.command) };
    }
    match (find(NAME, path), scope, program.to_str()) {
        (None, Scope::User, Some(program)) => plain(program),
        _ => plain(NAME),
    }
}

/// Whether a package manager starts the program.
pub fn is_by_runner(start: &Entry) -> bool {
    RUNNERS.iter().any(|runner| runner.command == start.command)
}

fn runner(program: &Path) -> Option<&'static Runner> {
    let is_in = |folder: &&str| program.iter().any(|part| part == OsStr::new(folder));
    RUNNERS.iter().find(|runner| runner.folders.iter().any(is_in))
}

/// A program as a shell finds it, without those that a package manager put into PATH for its own
/// processes.
pub fn find(name: &str, path: &OsStr) -> Option<PathBuf> {
    let programs = std::env::split_paths(path).map(|folder| folder.join(name));
    programs.into_iter().find(|program| is_program(program) && runner(program).is_none())
}

/// Whether a path leads to a file that can be run.
pub fn is_program(path: &Path) -> bool {
    let meta = path.metadata();
    meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_in_a_cache_is_started_by_its_package_manager() {
        let check = |program: &str, scope: Scope, command: &str| {
            let start = start(Path::new(program), OsStr::new("/no/such/folder"), scope);
            assert_eq!(start.to_string(), format!("`{command}`"));
        };
        let npx = "/home/a/.npm/_npx/0a1b/node_modules/asof/bin/asof";
        check(npx, Scope::User, "npx -y asof");
        check(npx, Scope::Project, "npx -y asof");
        let uvx = "/home/a/.cache/uv/archive-v0/Xy_z/bin/asof";
        check(uvx, Scope::User, "uvx asof");
        check(uvx, Scope::Project, "uvx asof");
        let installed = "/home/a/.local/share/uv/tools/asof/bin/asof";
        check(installed, Scope::User, installed);
        check(installed, Scope::Project, "asof");
    }

    #[test]
    fn a_program_in_path_is_started_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("_npx/1/node_modules/.bin");
        std::fs::create_dir_all(&cache).unwrap();
        for at in [folder.path(), &cache] {
            let program = at.join(NAME);
            std::fs::write(&program, "").unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let elsewhere = Path::new("/opt/asof/bin/asof");
        let of = |path: &Path| start(elsewhere, path.as_os_str(), Scope::User).command;
        assert_eq!(of(folder.path()), NAME);
        assert_eq!(of(&cache), "/opt/asof/bin/asof", "gone when npx has ended");
    }
}
