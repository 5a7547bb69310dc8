//! The clients: where their files are, and what an entry looks like in them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use asof_model::ErrorKind;
use clap::ValueEnum;

use super::entry::Entry;
use super::file::File;
use super::refusal::Refusal;
use super::text::Syntax;
use asof_surface::problem::Problem;

/// An agent or editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    ClaudeCode,
    Codex,
    Cursor,
    #[value(name = "vscode")]
    VsCode,
    Zed,
    Windsurf,
    Gemini,
}

/// For whom the server is set up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scope {
    /// Everybody who works on this project.
    Project,
    /// This user, in every project.
    User,
}

impl Scope {
    pub const ALL: [Self; 2] = [Self::Project, Self::User];

    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// How a client finds the workspace of a server that it starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Folder {
    /// It starts the server there.
    Current,
    /// It replaces this variable in arguments.
    Variable,
    /// Not at all: the entry names the root.
    Fixed,
}

/// A line of the table.
struct Facts {
    name: &'static str,
    title: &'static str,
    /// Path of the project's file.
    project: Option<&'static str>,
    /// Path of the user's file, below the folder of `home`.
    user: &'static str,
    home: Home,
    syntax: Syntax,
    folder: Folder,
    /// What to do after the file was written.
    then: &'static str,
}

/// A folder with files of users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Home {
    /// The home folder.
    Plain,
    /// The variable, else the home folder with this below it.
    Variable(&'static str, &'static str),
    /// The folder of configuration files.
    Config,
    /// The same, but below `Library` on a Mac.
    Library,
}

const SERVERS: Syntax = Syntax::Json { container: "mcpServers", is_typed: false };

impl Client {
    pub const ALL: [Self; 7] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Cursor,
        Self::VsCode,
        Self::Zed,
        Self::Windsurf,
        Self::Gemini,
    ];

    /// Everything that differs between clients.
    const fn facts(self) -> Facts {
        match self {
            Self::ClaudeCode => Facts {
                name: "claude-code",
                title: "Claude Code",
                project: Some(".mcp.json"),
                user: ".claude.json",
                home: Home::Variable("CLAUDE_CONFIG_DIR", ""),
                syntax: SERVERS,
                folder: Folder::Current,
                then: "start Claude Code again; it asks once whether to trust a project's server",
            },
            Self::Codex => Facts {
                name: "codex",
                title: "Codex",
                project: Some(".codex/config.toml"),
                user: "config.toml",
                home: Home::Variable("CODEX_HOME", ".codex"),
                syntax: Syntax::Toml,
                folder: Folder::Current,
                then: "start Codex again; it reads a project's file only in trusted projects",
            },
            Self::Cursor => Facts {
                name: "cursor",
                title: "Cursor",
                project: Some(".cursor/mcp.json"),
                user: ".cursor/mcp.json",
                home: Home::Plain,
                syntax: SERVERS,
                folder: Folder::Variable,
                then: "enable `asof` in the settings of Cursor, under MCP",
            },
            Self::VsCode => Facts {
                name: "vscode",
                title: "VS Code",
                project: Some(".vscode/mcp.json"),
                user: "Code/User/mcp.json",
                home: Home::Library,
                syntax: Syntax::Json { container: "servers", is_typed: true },
                folder: Folder::Variable,
                then: "start `asof` with the command `MCP: List Servers` of VS Code",
            },
            Self::Zed => Facts {
                name: "zed",
                title: "Zed",
                project: Some(".zed/settings.json"),
                user: "zed/settings.json",
                home: Home::Config,
                syntax: Syntax::Json { container: "context_servers", is_typed: false },
                folder: Folder::Current,
                then: "the settings of Zed's agent panel show whether `asof` runs",
            },
            Self::Windsurf => Facts {
                name: "windsurf",
                title: "Windsurf",
                project: None,
                user: ".codeium/windsurf/mcp_config.json",
                home: Home::Plain,
                syntax: SERVERS,
                folder: Folder::Fixed,
                then: "press Refresh in the MCP settings of Windsurf; the entry names this root",
            },
            Self::Gemini => Facts {
                name: "gemini",
                title: "Gemini CLI",
                project: Some(".gemini/settings.json"),
                user: ".gemini/settings.json",
                home: Home::Plain,
                syntax: SERVERS,
                folder: Folder::Current,
                then: "start Gemini CLI again; `/mcp` lists its servers",
            },
        }
    }

    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// What to do after the file was written.
    pub fn then(self) -> &'static str {
        self.facts().then
    }

    /// Its entry for the workspace at `root`: how the program is started, with the arguments that
    /// the client needs, and more of the server.
    pub fn entry(self, start: Entry, root: &Path, more: &[String]) -> Entry {
        let Entry { command, mut args } = start;
        args.extend(match self.facts().folder {
            Folder::Current => Vec::new(),
            Folder::Variable => vec!["-C".to_owned(), WORKSPACE.to_owned()],
            Folder::Fixed => vec!["-C".to_owned(), root.display().to_string()],
        });
        args.push("mcp".to_owned());
        args.extend_from_slice(more);
        Entry { command, args }
    }
}

/// What clients replace by the folder of the workspace.
pub const WORKSPACE: &str = "${workspaceFolder}";

/// Folders and variables of the user.
#[derive(Debug, Clone)]
pub struct Homes {
    home: Option<PathBuf>,
    config: Option<PathBuf>,
    variables: Vec<(&'static str, PathBuf)>,
}

impl Homes {
    /// As the environment says.
    pub fn from_env(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let folder = |name: &str| variable(name).map(PathBuf::from).filter(|at| at.is_absolute());
        let named = ["CLAUDE_CONFIG_DIR", "CODEX_HOME"];
        Self {
            home: folder("HOME"),
            config: folder("XDG_CONFIG_HOME"),
            variables: named
                .into_iter()
                .filter_map(|name| folder(name).map(|folder| (name, folder)))
                .collect(),
        }
    }

    /// A folder that exists, and the path below it.
    fn split(&self, home: Home) -> Option<(PathBuf, &'static str)> {
        let below = |folder: &'static str| Some((self.home.clone()?, folder));
        match home {
            Home::Plain => below(""),
            Home::Variable(name, default) => {
                let given = self.variables.iter().find(|(known, _)| *known == name);
                given.map_or_else(|| below(default), |(_, folder)| Some((folder.clone(), "")))
            }
            Home::Library if cfg!(target_os = "macos") => below("Library/Application Support"),
            // Zed uses `~/.config` on a Mac, too, whatever the variable says.
            Home::Config if cfg!(target_os = "macos") => below(".config"),
            Home::Config | Home::Library => {
                let given = self.config.clone();
                given.map_or_else(|| below(".config"), |folder| Some((folder, "")))
            }
        }
    }
}

/// The file of a client in a scope.
#[derive(Debug, Clone)]
pub struct Place {
    pub client: Client,
    pub scope: Scope,
    pub file: File,
}

impl Place {
    /// # Errors
    /// A client without such a file.
    pub fn new(client: Client, scope: Scope, root: &Path, homes: &Homes) -> Result<Self, Problem> {
        let facts = client.facts();
        let (base, folders, path) = match (scope, facts.project) {
            (Scope::Project, Some(path)) => (root.to_owned(), "", path),
            (Scope::Project, None) => {
                let message = format!("{} has no file for a project", facts.title);
                return Err(Problem::bad_request(
                    message,
                    "set it up for yourself with `--scope user`",
                ));
            }
            (Scope::User, _) => {
                let (base, below) = homes.split(facts.home).ok_or_else(|| {
                    Problem::bad_request(
                        "the home folder is not known".to_owned(),
                        "set the variable HOME",
                    )
                })?;
                (base, below, facts.user)
            }
        };
        let path = Path::new(folders).join(path);
        Ok(Self { client, scope, file: File::new(base, &path, scope == Scope::User) })
    }

    pub fn syntax(&self) -> Syntax {
        self.client.facts().syntax
    }

    /// A file that cannot be edited.
    pub fn refused(&self, refusal: Refusal) -> Problem {
        let message = format!("cannot edit {}: {refusal}", self.file.path().display());
        let hint = "mend the file, or add the server by hand: docs/mcp.md shows how";
        Problem::new(ErrorKind::Failure, message, hint)
    }
}
