//! `asof diff`: items that differ between two moments.

use std::collections::BTreeMap;
use std::path::Path;

use asof::{Database, When};
use asof_wire::{Diff, DiffRequest, FileTexts, Patch};
use clap::Args;

use super::between::{End, between};
use super::context::Context;
use super::diff_prose;
use super::globals::{DEFAULT_LIMIT, Format, Limit};
use super::input;
use super::output::{self, Listing};
use super::paint;
use asof_surface::problem::Problem;
use asof_surface::text::past::shorten_items;

/// List the items that differ between two moments, and how
///
/// Commits need not be imported, and no database is needed for them: of two commits, or a commit and
/// the staged files or those on disk, only what differs is then read and parsed. Two Rust files
/// can be compared as well, and the arguments that Git gives to `git difftool` and external diff
/// drivers are understood. With `--stdin`, the texts come as JSON:
/// [{"file_path": "src/a.rs", "before": "…", "after": "…"}], without `before` for a new file and
/// without `after` for a removed one.
///
/// Only with `--all`: containers where only nested items changed, fields and the items of a trait or
/// of an impl of one that were added or removed with it, other impls whose items are listed, items
/// moved with their container, `use` declarations, and all but the first of the items that a changed
/// macro, or one changed call, makes.
#[derive(Debug, Args)]
#[command(mut_arg("guesses", |guesses| guesses.help(
    "Also match removed and added items that share less than half of their tokens"
)))]
#[command(after_help = "Examples, in the repository of asof itself:
  asof diff                                    what differs from the last commit
  asof diff -1h NOW
  asof diff HEAD~1
  asof diff HEAD~3..HEAD asof::wire
  asof diff --staged --stat
  asof diff old.rs new.rs
  asof diff --stdin < texts.json
  asof diff HEAD~3..HEAD --patch --format markdown
  asof diff 2026-11-22T10:00:00Z NOW src/wire --patch
  asof diff -1d NOW --kind function --format json")]
pub struct DiffArgs {
    /// The earlier moment, or both as T1..T2: a time (RFC 3339), a date (2026-11-01, UTC), an
    /// age (-10min, -2w, '2 weeks ago'), a revision id, or a Git commit, branch or tag; or a file
    /// [default: HEAD]
    #[arg(value_name = "T1", allow_hyphen_values = true)]
    from: Option<String>,
    /// The later moment, or file [default: that of --at, else NOW]
    #[arg(value_name = "T2", allow_hyphen_values = true)]
    to: Option<String>,
    /// Only this item, module, file or folder
    path: Option<String>,
    /// Further arguments that Git gives to an external diff driver
    #[arg(hide = true)]
    rest: Vec<String>,
    /// Compare the staged files with T1 [default: HEAD]
    #[arg(long, visible_alias = "cached")]
    staged: bool,
    /// Compare texts given as JSON on standard input
    #[arg(long, conflicts_with_all = ["from", "staged"])]
    stdin: bool,
    #[command(flatten)]
    request: DiffRequest,
    /// List at most N items; 0 lists all [default: 50, with --patch 20]
    #[arg(short = 'n', long, value_name = "N")]
    limit: Option<usize>,
    /// Print how many items of each file differ, and how
    #[arg(long, conflicts_with = "patch")]
    stat: bool,
}

const ITEM: Listing<'_> = Listing {
    columns: &[
        ("what", "{what}"),
        ("kind", "{kind}"),
        ("path", "{path}"),
        ("file", "{file_path}"),
        ("note", "{note}"),
    ],
    keys: "classes kind path previous_path other expansion file_path previous_file_path id \
           previous_id matched similarity signature previous_signature tracking_hash \
           previous_tracking_hash patch",
};

/// Default limit with `--patch`, where each item prints its text.
const PATCHES: usize = 20;

pub fn run(context: &Context, args: &DiffArgs) -> anyhow::Result<()> {
    let sides = Sides::from_args(args)?;
    let patch = args.request.patch == Patch::Unified;
    let default = if patch { PATCHES } else { DEFAULT_LIMIT };
    let limit = if args.stat { None } else { Limit { limit: args.limit.unwrap_or(default) }.get() };
    let request = DiffRequest { limit, ..args.request.clone() };
    let diff = match &sides {
        Sides::Skipped { path, reason } => return diff_prose::skipped(context, path, reason),
        Sides::Files { path, places, driver } => {
            let diff = Database::diff_two_files(path, *places, &request)?;
            if *driver && context.format() == Format::Text {
                diff_prose::heading(context, path, diff.answer.total)?;
            }
            diff
        }
        Sides::Texts => {
            let [old, new] = texts()?;
            Database::diff_texts([old, new], &request)?
        }
        Sides::Moments(Ends { from, to, path }) => {
            let to = match (to, context.is_at()) {
                (Some(_), true) => {
                    let hint = "leave one of them out";
                    return Err(Problem::bad_request(
                        "T2 and --at are both the later moment",
                        hint,
                    )
                    .into());
                }
                (Some(to), false) => to.clone(),
                (None, _) => End::Moment(context.when()?),
            };
            let path = path
                .map(|path| if path.contains("::") { path.to_owned() } else { context.file(path) });
            let request = DiffRequest { path, ..request };
            between(
                context,
                from,
                &to,
                |earlier, later| later.diff(earlier, &request),
                |root, known, earlier, later, bars| {
                    Database::diff_files(root, known, earlier, later, &request, bars)
                },
            )?
        }
    };
    if args.stat {
        diff_prose::stat(context, &diff)?;
    } else if context.format() == Format::Markdown && context.fields().is_empty() {
        diff_prose::markdown(context, &diff)?;
    } else if patch && context.format() == Format::Text && context.fields().is_empty() {
        patches(context, &diff)?;
    } else {
        let mut answer = serde_json::to_value(&diff)?;
        if context.format() != Format::Json || !context.fields().is_empty() {
            shorten_items(&mut answer);
        }
        output::listing(context, &answer, ITEM)?;
    }
    if matches!(context.format(), Format::Text | Format::Markdown) {
        context.note(&diff_prose::summary(&diff));
    }
    Ok(())
}

/// What is compared.
enum Sides<'a> {
    Moments(Ends<'a>),
    /// Those on standard input.
    Texts,
    /// Two files under one name. `driver`: Git lists the files, and each needs a heading.
    Files {
        path: String,
        places: [Option<&'a Path>; 2],
        driver: bool,
    },
    /// A file that Git lists and that is not compared.
    Skipped {
        path: &'a str,
        reason: &'static str,
    },
}

impl<'a> Sides<'a> {
    fn from_args(args: &'a DiffArgs) -> anyhow::Result<Self> {
        if args.stdin {
            return Ok(Self::Texts);
        }
        let given = [&args.from, &args.to, &args.path].into_iter().flatten().chain(&args.rest);
        let given: Vec<&str> = given.map(String::as_str).collect();
        match *given.as_slice() {
            // With the new name and the similarity if the file was renamed.
            [path, old, _, _, new, _, _] | [_, old, _, _, new, _, _, path, _] => {
                if !path.ends_with(".rs") {
                    return Ok(Self::Skipped { path, reason: "not a Rust file" });
                }
                let places = [place(old), place(new)];
                Ok(Self::Files { path: shown(path), places, driver: true })
            }
            [path] if std::env::var_os("GIT_DIFF_PATH_TOTAL").is_some() => {
                Ok(Self::Skipped { path, reason: "it has conflicts" })
            }
            [old, new] if !args.staged && are_files(old, new) => {
                let places = [place(old), place(new)];
                let named = [new, old].into_iter().find(|path| path.ends_with(".rs"));
                let named = named.ok_or_else(|| {
                    let what = format!("neither `{old}` nor `{new}` is a Rust file");
                    Problem::bad_request(what, "the name of one of them ends with `.rs`")
                })?;
                Ok(Self::Files { path: shown(named), places, driver: false })
            }
            [_, _, _, _, ..] => {
                let what = format!("{} arguments are too many", given.len());
                Err(Problem::bad_request(what, "the forms are `T1 T2 PATH` and `T1..T2 PATH`")
                    .into())
            }
            _ => Ok(Self::Moments(Ends::from_args(args)?)),
        }
    }
}

/// Bytes of the JSON of `--stdin`.
const MAX_TEXTS: u64 = 256 << 20;

/// The texts on standard input, by path.
fn texts() -> Result<[BTreeMap<String, Vec<u8>>; 2], Problem> {
    let (_, bytes) = input::read(Path::new("-"), MAX_TEXTS)?;
    let given: Vec<FileTexts> = serde_json::from_slice(&bytes).map_err(|error| {
        let hint =
            "the form is [{\"file_path\": \"src/a.rs\", \"before\": \"…\", \"after\": \"…\"}]";
        Problem::bad_request(format!("standard input is not a list of texts: {error}"), hint)
    })?;
    let mut sides = [BTreeMap::new(), BTreeMap::new()];
    for FileTexts { file_path, before, after } in given {
        for (side, text) in sides.iter_mut().zip([before, after]) {
            let Some(text) = text else { continue };
            if side.insert(file_path.clone(), text.into_bytes()).is_some() {
                let what = format!("`{file_path}` is given twice");
                return Err(Problem::bad_request(what, "give each file once"));
            }
        }
    }
    Ok(sides)
}

/// Where a file is; Git names the null device for one that does not exist.
fn place(given: &str) -> Option<&Path> {
    let missing = matches!(given, "/dev/null" | "nul" | "NUL");
    (!missing).then(|| Path::new(given))
}

fn are_files(old: &str, new: &str) -> bool {
    let places = [place(old), place(new)];
    places.iter().any(Option::is_some) && places.iter().flatten().all(|place| place.is_file())
}

/// The name of a file in the answer: as given below this folder, else without its folder.
fn shown(given: &str) -> String {
    let given = given.replace('\\', "/");
    let path = given.trim_start_matches("./");
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.');
    if path.split('/').all(is_plain) {
        path.to_owned()
    } else {
        path.rsplit('/').next().unwrap_or(path).trim_start_matches('.').to_owned()
    }
}

/// The parsed arguments: `T1 [T2] [PATH]` or `T1..T2 [PATH]`; with `--staged`, `[T1] [PATH]`.
struct Ends<'a> {
    from: When,
    to: Option<End>,
    path: Option<&'a str>,
}

impl<'a> Ends<'a> {
    fn from_args(args: &'a DiffArgs) -> anyhow::Result<Self> {
        let given = args.from.as_deref().unwrap_or("HEAD");
        let both = When::parse_range(given);
        if args.staged {
            if both.is_some() || args.path.is_some() {
                let what = "the staged files are the later side";
                return Err(Problem::bad_request(what, "the form is `--staged T1 PATH`").into());
            }
            let from = When::parse(given)?;
            return Ok(Self { from, to: Some(End::Staged), path: args.to.as_deref() });
        }
        let Some(both) = both else {
            let to = args.to.as_deref().map(When::parse).transpose()?.map(End::Moment);
            return Ok(Self { from: When::parse(given)?, to, path: args.path.as_deref() });
        };
        let (from, to) = both?;
        if args.path.is_some() {
            let what = format!("too many arguments: `{given}` already names both moments");
            return Err(
                Problem::bad_request(what, "the forms are `T1 T2 PATH` and `T1..T2 PATH`").into()
            );
        }
        Ok(Self { from, to: Some(End::Moment(to)), path: args.to.as_deref() })
    }
}

fn patches(context: &Context, diff: &Diff) -> anyhow::Result<()> {
    for item in &diff.answer.items {
        let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
        let was = item.previous_path.as_ref().map_or(String::new(), |p| format!(" (was {p})"));
        let head = format!("{} {}{was}: {}", item.kind, item.path, classes.join(", "));
        let dim = anstyle::Style::new().dimmed();
        output::print(context, &format!("{dim}# {head}{dim:#}\n"))?;
        output::print_painted(context, item.patch.as_deref().unwrap_or_default(), paint::diff)?;
    }
    output::basis(context, &serde_json::to_value(diff)?)
}
