//! `asof merge`: three files for Git, what a merge would be, and the driver in a repository.

use std::collections::BTreeMap;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};

use asof::{
    Database, DriverCall, DriverFiles, DriverMerge, DriverSetup, EngineError, MarkerStyle, Markers,
    MergeLabels, NamesUnknown, merge_driver,
};
use asof_model::ErrorKind;
use asof_setup::{Scope, start};
use asof_wire::{MergeOutcome, MergePrediction, MergeRequest};
use clap::{ArgGroup, Args};

use super::context::Context;
use super::diff_prose::code;
use super::globals::Format;
use super::output;
use super::progress::Bars;
use asof_surface::problem::Problem;
use asof_surface::text::merge::{conflict_line, headline, prediction};

/// Merge by items where lines conflict, as Git's merge driver, and say what a merge would be
///
/// Three files are merged into the second one, as Git asks a merge driver to: by lines, and where
/// these conflict by items: each function, type and impl with what it is on the other sides, imports
/// as sets, and both of what both sides add at one place. What is left is in conflict markers. A file
/// that does not parse is merged by lines. When Git asks, the names in the file are compared with what
/// they mean in the commits that are merged, and uses of one side follow what the other one renames in
/// other files.
///
/// `--finish` does that after a merge, in the files that only one side changed and in those whose
/// conflicts are decided: Git passes the former to no driver.
///
/// With `--predict`, nothing is written: the whole workspace is merged in memory and its names are
/// resolved, so that conflicts show that no line has: a new caller of what the other side renames or
/// deletes, a second item of a name, a `match` that lacks a new variant.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["files", "predict", "finish", "install", "uninstall"]))]
#[command(after_help = "Examples, in the repository of asof itself:
  asof merge --predict HEAD~3                     what a merge into the files on disk would be
  asof merge --predict HEAD~1 --into HEAD~2 --format json
  asof merge --install                            Git merges Rust files with it, in this repository
  asof merge --uninstall
  asof merge src/lib.rs src/lib.rs src/lib.rs --print     three files, to standard output

Exit code 8: there are conflicts.")]
pub struct MergeArgs {
    /// The common ancestor, our file, which gets the result, and theirs
    #[arg(value_names = ["BASE", "OURS", "THEIRS"], num_args = 3)]
    files: Vec<PathBuf>,
    /// Say what merging this would be: a branch, tag, commit, or the folder of another worktree
    #[arg(long, value_name = "BRANCH|WORKTREE")]
    predict: Option<String>,
    #[command(flatten)]
    request: MergeRequest,
    /// After a merge: write the uses that follow what the other side does, and list what does not fit
    #[arg(long)]
    finish: bool,
    /// Make Git merge Rust files with this program: in this repository's own configuration
    #[arg(long)]
    install: bool,
    /// Undo `--install`
    #[arg(long)]
    uninstall: bool,
    /// Print the merged file instead of writing it
    #[arg(long, requires = "files")]
    print: bool,
    /// What the file is called in messages
    #[arg(long, value_name = "PATH", requires = "files")]
    path: Option<String>,
    /// Characters of a conflict marker
    #[arg(long, value_name = "N", requires = "files")]
    marker_size: Option<NonZeroU8>,
    /// Names of the sides in conflict markers
    #[arg(long, value_names = ["BASE", "OURS", "THEIRS"], num_args = 3, requires = "files")]
    labels: Vec<String>,
    /// Show the base between conflict markers, too
    #[arg(long, requires = "files")]
    show_base: bool,
}

pub fn run(context: &Context, args: &MergeArgs) -> anyhow::Result<()> {
    if let [base, ours, theirs] = args.files.as_slice() {
        return three_files(context, args, [base, ours, theirs]);
    }
    if let Some(theirs) = &args.predict {
        let request = MergeRequest { theirs: theirs.clone(), ..args.request.clone() };
        return predict(context, &request);
    }
    if args.finish {
        let bars = Bars::new(context.quiet());
        let found = context.database()?.finish_merge(&bars);
        bars.finish();
        return report(context, &found?, "decide them, and ask again");
    }
    let root = context.root();
    if args.uninstall {
        let done = Database::uninstall_merge_driver(&root)?;
        return report_setup(context, &done, "removed from", "was not installed in");
    }
    let program = std::env::current_exe()?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let entry = start(&program, &path, Scope::User);
    let words = std::iter::once(&entry.command).chain(&entry.args);
    let program: Vec<String> = words.map(|word| quoted(word)).collect();
    // Git takes 1 to 128 for conflicts: a failure must not look like one.
    let command = format!(
        "{} merge %O %A %B --path %P --marker-size %L --labels %S %X %Y || {{ test $? -eq 8 && exit 8; exit 129; }}",
        program.join(" ")
    );
    let done = Database::install_merge_driver(&root, &command)?;
    report_setup(context, &done, "installed in", "was installed in")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.+@:,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

fn report_setup(
    context: &Context,
    done: &DriverSetup,
    changed: &str,
    unchanged: &str,
) -> anyhow::Result<()> {
    let what = if done.changed { changed } else { unchanged };
    let (config, attributes) = (done.config.display(), done.attributes.display());
    output::print(context, &format!("merge driver {what} {config} and {attributes}\n"))
}

fn three_files(
    context: &Context,
    args: &MergeArgs,
    [base, ours, theirs]: [&PathBuf; 3],
) -> anyhow::Result<()> {
    let markers = Markers {
        labels: labels(&args.labels),
        size: args.marker_size,
        style: if args.show_base { MarkerStyle::Base } else { MarkerStyle::Sides },
    };
    let path = args.path.clone().unwrap_or_else(|| ours.display().to_string());
    let files =
        DriverFiles { base: base.clone(), ours: ours.clone(), theirs: theirs.clone(), path };
    // Git gives a path and names of the sides; three files of no repository have neither.
    let is_git = args.path.is_some() && !args.labels.is_empty();
    let DriverMerge { file: merged, bytes, adapted, semantic, elsewhere, unknown } = if is_git {
        let bars = Bars::new(true);
        let call = DriverCall { markers, heads: heads() };
        let known = context.database().ok();
        Database::merge_for_git(&context.root(), known.as_ref(), &files, &call, &bars)?
    } else {
        let (file, bytes) = merge_driver(&files, &markers)?;
        DriverMerge::of_texts(file, bytes)
    };
    if args.print {
        use std::io::Write;
        std::io::stdout().write_all(&bytes)?;
    } else {
        write(ours, &bytes)?;
    }
    let path = &merged.file_path;
    if let Some(note) = &merged.note {
        context.note(&format!("{path}: {note}"));
    }
    for one in &adapted {
        context.note(&format!("{path}:{}: `{}` becomes `{}`", one.line, one.before, one.after));
    }
    for one in &semantic {
        context.note(&format!("{path}:{}: {}", one.line, conflict_line(one)));
    }
    if let Some(unknown) = &unknown {
        context.note(&format!("{path}: names are not compared: {}", why(unknown)));
    }
    if elsewhere > 0 {
        let places = output::plural(elsewhere, "place");
        let what = "in files that one side changed is to be compared: `asof merge --finish`";
        context.note(&format!("{places} {what}"));
    }
    match merged.outcome {
        MergeOutcome::Clean => Ok(()),
        MergeOutcome::Resolved => {
            context.note(&format!("{path}: merged by items"));
            Ok(())
        }
        MergeOutcome::Conflict => {
            let conflicts = output::plural(merged.conflicts, "conflict");
            let hint = if semantic.is_empty() {
                "edit the file, and remove the markers"
            } else {
                "edit the file: no line conflicts"
            };
            Err(Problem::new(ErrorKind::Check, format!("{path}: {conflicts}"), hint).into())
        }
    }
}

/// Why names are not compared.
fn why(unknown: &NamesUnknown) -> String {
    match unknown {
        NamesUnknown::Conflicts => "decide the conflicts, then `asof merge --finish`".to_owned(),
        NamesUnknown::Commits => "which commits are merged is not known".to_owned(),
        NamesUnknown::Outside => "it is not below the root".to_owned(),
        NamesUnknown::OtherTexts => "the commits have other texts of it".to_owned(),
        NamesUnknown::Failed(reason) => reason.clone(),
    }
}

/// The commits that Git merges, by their names: `git merge` tells them to the programs that it runs.
fn heads() -> BTreeMap<String, String> {
    let all = std::env::vars();
    let heads = all.filter_map(|(name, label)| {
        name.strip_prefix("GITHEAD_").map(|hash| (label, hash.to_owned()))
    });
    heads.collect()
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    std::fs::write(path, bytes).map_err(|source| EngineError::Io {
        action: "write",
        path: path.to_owned(),
        source,
    })
}

/// The names of the sides. A version of Git that does not know a placeholder leaves it as it is.
fn labels(given: &[String]) -> MergeLabels {
    let known = |text: &&String| !text.is_empty() && !text.starts_with('%');
    let mut labels = MergeLabels::default();
    let places = [&mut labels.base, &mut labels.ours, &mut labels.theirs];
    for (place, text) in places.into_iter().zip(given) {
        if known(&text) {
            place.clone_from(text);
        }
    }
    labels
}

fn predict(context: &Context, request: &MergeRequest) -> anyhow::Result<()> {
    let bars = Bars::new(context.quiet());
    let known = context.database().ok();
    let found = Database::predict_merge(&context.root(), known.as_ref(), request, &bars);
    bars.finish();
    report(context, &found?, "decide them before you merge, or after it")
}

fn report(context: &Context, found: &MergePrediction, hint: &str) -> anyhow::Result<()> {
    if context.is_prose() {
        output::print(context, &prediction(found))?;
    } else if context.format() == Format::Markdown && context.fields().is_empty() {
        output::print_plain(context, &markdown(found))?;
    } else {
        output::record(context, found)?;
    }
    if found.is_clean() {
        return Ok(());
    }
    let conflicts = output::plural(found.summary.conflicts, "file");
    let semantic = output::plural(found.semantic.len(), "conflict");
    let what = format!("{conflicts} with conflicts, and {semantic} of names");
    Err(Problem::new(ErrorKind::Check, what, hint).into())
}

/// The text of a comment on a pull request.
fn markdown(found: &MergePrediction) -> String {
    let mut out = format!("**{}**\n", headline(found));
    for one in found.files.iter().filter(|one| one.outcome == MergeOutcome::Conflict) {
        let note = one.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        out.push_str(&format!("\n- conflict in {}{note}\n", code(&one.file_path)));
    }
    for one in &found.semantic {
        let place = format!("{}:{}", one.file_path, one.line);
        out.push_str(&format!("\n- {}: {}\n", code(&place), conflict_line(one)));
    }
    for one in &found.adapted {
        let place = format!("{}:{}", one.file_path, one.line);
        let (before, after) = (code(&one.before), code(&one.after));
        out.push_str(&format!("\n- {}: {before} becomes {after}\n", code(&place)));
    }
    out
}
