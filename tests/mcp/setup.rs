//! `asof mcp install`, `uninstall` and `doctor`, and `asof agents`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::cli::{self, code, err, out, program};
use super::{bare, indexed, write};

use crate::support::tempdir;

/// A workspace and a home folder; the program is in PATH.
struct Home {
    work: TempDir,
    home: TempDir,
}

impl Home {
    fn new(work: TempDir) -> Self {
        Self { work, home: tempdir() }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = cli::command(self.work.path(), &[&["mcp"], args].concat());
        for variable in ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR"] {
            command.env_remove(variable);
        }
        command.env("HOME", self.home.path()).env("PATH", program().parent().unwrap());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    #[track_caller]
    fn succeeds(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(code(&output), 0, "{args:?}: {}", err(&output));
        format!("{}{}", out(&output), err(&output))
    }

    #[track_caller]
    fn fails(&self, args: &[&str], expected: i32, says: &str) {
        let output = self.run(args);
        assert_eq!(code(&output), expected, "{args:?}: {}", err(&output));
        assert!(err(&output).contains(says), "{args:?}: {}", err(&output));
    }
}

#[test]
fn every_client_is_set_up_and_left_as_it_was() {
    let home = Home::new(bare());
    let (work, user) = (home.work.path().to_owned(), home.home.path().to_owned());
    let check = |client: &str, scope: &str, file: &Path, servers: &str| {
        let options = ["--client", client, "--scope", scope];
        let both = |verb| [&[verb], options.as_slice()].concat();
        // A file that does not exist yet.
        home.succeeds(&both("install"));
        let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{client}: {e}"));
        assert!(text.contains(servers) && text.contains("\"mcp\""), "{client}: {text}");
        assert!(home.succeeds(&both("install")).contains("as it should be"), "{client}");
        assert_eq!(fs::read_to_string(file).unwrap(), text, "{client}: installed twice");
        home.succeeds(&both("uninstall"));
        assert!(!file.exists(), "{client}");
        assert!(home.succeeds(&both("uninstall")).contains("as it should be"), "{client}");
        // One that has something else.
        let old = match file.extension().unwrap().to_str().unwrap() {
            "toml" => "# mine\n[mcp_servers.other]\ncommand = \"other\" # keep\n".to_owned(),
            _ => "{\r\n\t\"theme\": \"dark\" // keep\r\n}".to_owned(),
        };
        fs::write(file, &old).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o640)).unwrap();
        home.succeeds(&both("install"));
        let new = fs::read_to_string(file).unwrap();
        assert!(new.contains(servers) && new.contains("keep"), "{client}: {new}");
        home.succeeds(&both("uninstall"));
        assert_eq!(fs::read_to_string(file).unwrap(), old, "{client}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640, "{client}");
    };
    check("claude-code", "project", &work.join(".mcp.json"), "\"mcpServers\": {");
    check("claude-code", "user", &user.join(".claude.json"), "\"mcpServers\": {");
    check("codex", "project", &work.join(".codex/config.toml"), "[mcp_servers.asof]");
    check("codex", "user", &user.join(".codex/config.toml"), "[mcp_servers.asof]");
    check("cursor", "project", &work.join(".cursor/mcp.json"), "${workspaceFolder}");
    check("cursor", "user", &user.join(".cursor/mcp.json"), "${workspaceFolder}");
    check("vscode", "project", &work.join(".vscode/mcp.json"), "\"type\": \"stdio\"");
    check("zed", "project", &work.join(".zed/settings.json"), "\"context_servers\": {");
    check("windsurf", "user", &user.join(".codeium/windsurf/mcp_config.json"), "\"mcpServers\"");
    check("gemini", "project", &work.join(".gemini/settings.json"), "\"mcpServers\": {");
    check("gemini", "user", &user.join(".gemini/settings.json"), "\"mcpServers\": {");
    if cfg!(target_os = "linux") {
        check("vscode", "user", &user.join(".config/Code/User/mcp.json"), "\"servers\": {");
        check("zed", "user", &user.join(".config/zed/settings.json"), "\"context_servers\": {");
    }
    home.fails(&["install", "--client", "windsurf"], 2, "no file for a project");
}

#[test]
fn a_dry_run_prints_the_diff_and_writes_nothing() {
    let home = Home::new(bare());
    let file = home.work.path().join(".mcp.json");
    let install = ["install", "--client", "claude-code"];
    let dry = home.succeeds(&[&install[..], &["--dry-run"]].concat());
    assert!(dry.contains("--- /dev/null") && dry.contains("+    \"asof\": {"), "{dry}");
    assert!(!file.exists());
    home.succeeds(&install);
    let text = fs::read_to_string(&file).unwrap();
    let dry = home.succeeds(&["uninstall", "--client", "claude-code", "--dry-run"]);
    assert!(dry.contains("+++ /dev/null") && dry.contains("-    \"asof\": {"), "{dry}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    let change = home.run(&["--format", "json", "install", "--client", "cursor", "--dry-run"]);
    let change: Json = serde_json::from_slice(&change.stdout).unwrap();
    assert_eq!((&change["action"], &change["client"]), (&json!("create"), &json!("cursor")));
}

#[test]
fn options_of_the_server_are_part_of_the_entry() {
    let home = Home::new(bare());
    let install = ["install", "--client", "claude-code", "--"];
    home.fails(&[&install[..], &["--alow-edits"]].concat(), 2, "--alow-edits");
    home.fails(&[&["--index"], &install[..]].concat(), 2, "come last, after `--`");
    home.succeeds(&[&install[..], &["--allow-edits", "--index"]].concat());
    let text = fs::read_to_string(home.work.path().join(".mcp.json")).unwrap();
    let config: Json = serde_json::from_str(&text).unwrap();
    let entry = json!({ "command": "asof", "args": ["mcp", "--allow-edits", "--index"] });
    assert_eq!(config["mcpServers"]["asof"], entry);
    // Another entry of this name is never replaced.
    home.fails(&install, 3, "has a server `asof` already");
}

#[test]
fn an_entry_starts_the_program_as_it_was_started() {
    let home = Home::new(bare());
    let entry = |name: &str, path: &Path, program: &Path, scope: &str| {
        let mut command = Command::new(program);
        command.current_dir(home.work.path()).args(["mcp", "--format", "json", "install"]);
        command.args(["--client", "gemini", "--scope", scope, "--dry-run"]);
        let output = command.env("HOME", home.home.path()).env("PATH", path).output().unwrap();
        assert_eq!(code(&output), 0, "{name}: {}", err(&output));
        let change: Json = serde_json::from_slice(&output.stdout).unwrap();
        let diff = change["diff"].as_str().unwrap();
        let line = diff.lines().find(|line| line.contains("\"asof\":")).unwrap();
        line.split_once("{ ").unwrap().1.trim_end_matches(" }").to_owned()
    };
    let nowhere = Path::new("/no/such/folder");
    let by_name = "\"command\": \"asof\", \"args\": [\"mcp\"]";
    let folder = program().parent().unwrap();
    assert_eq!(entry("in PATH", folder, program(), "user"), by_name);
    assert_eq!(entry("shared", nowhere, program(), "project"), by_name);
    let by_path = format!("\"command\": \"{}\", \"args\": [\"mcp\"]", program().display());
    assert_eq!(entry("elsewhere", nowhere, program(), "user"), by_path);
    // As npx runs it: from its cache, with a folder in PATH that is gone afterwards.
    let cache = home.home.path().join(".npm/_npx/0a1b/node_modules/asof/bin");
    fs::create_dir_all(&cache).unwrap();
    let cached = cache.join("asof");
    if fs::hard_link(program(), &cached).is_err() {
        fs::copy(program(), &cached).unwrap();
    }
    let by_npx = "\"command\": \"npx\", \"args\": [\"-y\", \"asof\", \"mcp\"]";
    assert_eq!(entry("npx", &cache, &cached, "project"), by_npx);
    assert_eq!(entry("npx", &cache, &cached, "user"), by_npx);
}

#[test]
fn links_and_broken_files_are_refused() {
    let home = Home::new(bare());
    let (work, elsewhere) = (home.work.path(), home.home.path());
    write(elsewhere, "theirs.json", "{}\n");
    symlink(elsewhere.join("theirs.json"), work.join(".mcp.json")).unwrap();
    home.fails(&["install", "--client", "claude-code"], 5, "is a symbolic link");
    symlink(elsewhere, work.join(".cursor")).unwrap();
    home.fails(&["install", "--client", "cursor"], 5, "is a symbolic link");
    fs::create_dir_all(work.join(".gemini/settings.json")).unwrap();
    home.fails(&["install", "--client", "gemini"], 5, "is a folder");
    write(work, ".vscode/mcp.json", "{ \"servers\": [] }");
    home.fails(&["install", "--client", "vscode"], 5, "`servers` is not an object");
    write(work, ".zed/settings.json", "{ \"a\" 1 }");
    home.fails(&["uninstall", "--client", "zed"], 5, "does not parse");
    fs::create_dir_all(work.join(".codex")).unwrap();
    fs::write(work.join(".codex/config.toml"), [0xff]).unwrap();
    home.fails(&["install", "--client", "codex"], 5, "is not UTF-8");
    assert_eq!(fs::read_to_string(elsewhere.join("theirs.json")).unwrap(), "{}\n");
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 1, "nothing was written through links");
}

#[test]
fn the_doctor_says_what_mends_each_failure() {
    let home = Home::new(bare());
    let doctor = |more: &[&str]| {
        let output = home.run(&[&["--format", "json", "doctor"], more].concat());
        let found: Json = serde_json::from_slice(&output.stdout).unwrap();
        (code(&output), found["items"].as_array().unwrap().clone())
    };
    let failed = |checks: &[Json]| -> Vec<String> {
        let failed = checks.iter().filter(|check| check["ok"] == false);
        failed.map(|check| check["mend"].as_str().unwrap().to_owned()).collect()
    };
    let (status, checks) = doctor(&["--client", "claude-code", "--scope", "project"]);
    assert_eq!((status, checks[0]["ok"].as_bool()), (5, Some(true)), "{checks:#?}");
    let mends = failed(&checks);
    assert!(mends[0].starts_with("asof -C '") && mends[0].ends_with("' index"), "{mends:?}");
    assert_eq!(mends[1], "asof mcp install --client claude-code --scope project");
    super::index(home.work.path());
    // Without a client asked for, none needs an entry.
    let (status, checks) = doctor(&[]);
    assert_eq!((status, failed(&checks).len()), (0, 0), "{checks:#?}");
    let (status, checks) = doctor(&["--client", "cursor"]);
    assert_eq!((status, failed(&checks)), (5, vec!["asof mcp install --client cursor".into()]));
    assert_eq!(checks.len(), 3, "{checks:#?}");
    home.succeeds(&["install", "--client", "claude-code"]);
    home.succeeds(&["install", "--client", "cursor"]);
    let (status, checks) = doctor(&[]);
    assert_eq!((status, failed(&checks).len()), (0, 0), "{checks:#?}");
    // Program, database, two files, two servers.
    assert_eq!(checks.len(), 6, "{checks:#?}");
    let answers = |check: &&Json| check["found"].as_str().unwrap().ends_with(" answers");
    assert_eq!(checks.iter().filter(answers).count(), 2, "{checks:#?}");
    // An entry whose program is gone.
    write(
        home.work.path(),
        ".mcp.json",
        r#"{"mcpServers": {"asof": {"command": "/no/asof", "args": ["mcp"]}}}"#,
    );
    let (status, checks) = doctor(&["--client", "claude-code"]);
    assert_eq!((status, failed(&checks).len()), (5, 1), "{checks:#?}");
    let text = home.run(&["doctor", "--client", "claude-code"]);
    assert!(out(&text).contains("failed  server `/no/asof mcp`"), "{}", out(&text));
    assert!(err(&text).contains("1 check failed"), "{}", err(&text));
}

#[test]
fn agents_are_told_in_few_lines() {
    let work = indexed();
    let block = cli::text(work.path(), &["agents"]);
    assert!(block.lines().count() <= 25, "{block}");
    let skill = cli::text(work.path(), &["agents", "--skill"]);
    assert!(skill.starts_with("---\nname: asof\ndescription: "), "{skill}");
    // The commands exist.
    for text in [&block, &skill] {
        for command in text.split('`').filter_map(|code| code.strip_prefix("asof ")) {
            let name = command.split_whitespace().next().unwrap();
            if !name.starts_with('-') {
                cli::text(work.path(), &[name, "--help"]);
            }
        }
    }
}
