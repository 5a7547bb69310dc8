//! Help: groups the commands in `asof --help` by purpose, which clap would list in one column, and
//! makes `-h` of a command a screen: its own options and two examples.

use clap::{Arg, Command};
use textwrap::{Options, WordSplitter};

use super::terminal;

/// Commands of one purpose.
struct Group {
    purpose: &'static str,
    /// Those that most people need; they are listed before all others.
    first: &'static [&'static str],
    more: &'static [&'static str],
}

const GROUPS: [Group; 6] = [
    Group {
        purpose: "Set up",
        first: &["index"],
        more: &["status", "watch", "embed", "gc", "cache", "completions", "man"],
    },
    Group {
        purpose: "Find",
        first: &["search", "show", "query"],
        more: &["resolve", "file", "inspect", "ast-query", "project"],
    },
    Group {
        purpose: "Understand",
        first: &["outline", "context", "refs", "callers", "impact"],
        more: &[
            "affected", "callees", "implementations", "lineage", "path", "api", "quality",
            "unused", "reach", "deps", "hotspots", "cfg", "verify",
        ],
    },
    Group { purpose: "Look back", first: &["history", "diff"], more: &["review", "log", "blame"] },
    Group {
        purpose: "Change",
        first: &["edit"],
        more: &["rename", "move", "delete", "change-signature", "merge"],
    },
    Group {
        purpose: "Share",
        first: &[],
        more: &[
            "mcp", "lsp", "agents", "trace", "serve", "web", "export", "import", "diff-edges",
            "backup",
        ],
    },
];

/// Columns of a purpose.
const PURPOSE: usize = 14;

/// Columns of a name, a blank behind the longest included.
const NAME: usize = 17;

/// Columns before the description of a command.
const INDENT: usize = PURPOSE + NAME;

/// The widest line, as of all other help.
const WIDTH: usize = 100;

/// The command line with its commands listed by purpose.
pub fn grouped(command: Command) -> Command {
    let width = terminal::width().map_or(WIDTH, |width| width.min(WIDTH));
    let style = *command.get_styles().get_header();
    let listings = [("Most used", Pick::First), ("More commands", Pick::More)]
        .map(|(title, pick)| format!("{style}{title}:{style:#}\n{}", list(&command, pick, width)));
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}\n`asof help COMMAND` explains \
         one, with examples.\n\n{style}Options:{style:#}\n{{options}}{{after-help}}",
        listings.join("\n")
    );
    command.help_template(template).mut_subcommands(short_help).mut_args(hidden_if_global)
}

/// Examples that `-h` shows.
const SHORT_EXAMPLES: usize = 2;

/// A command whose `-h` leaves out what all commands have, and most examples; `--help` has all.
fn short_help(command: Command) -> Command {
    let command = command.mut_subcommands(short_help);
    let all = command.get_after_help().map(|text| text.ansi().to_string()).unwrap_or_default();
    let rest = "`--help` has the options of all commands, and more examples";
    let short = match all.split_once('\n') {
        Some((heading, examples)) if heading.starts_with("Examples") => {
            let two: Vec<&str> = examples.lines().take(SHORT_EXAMPLES).collect();
            format!("{heading}\n{}\n\n{rest}", two.join("\n"))
        }
        _ if all.is_empty() => rest.to_owned(),
        _ => format!("{all}\n\n{rest}"),
    };
    command.after_help(short).after_long_help(all)
}

fn hidden_if_global(arg: Arg) -> Arg {
    let is_global = arg.is_global_set();
    arg.hide_short_help(is_global)
}

#[derive(Clone, Copy)]
enum Pick {
    First,
    More,
}

/// A line for each command, with its purpose before the first one of a group.
fn list(command: &Command, pick: Pick, width: usize) -> String {
    let indent = " ".repeat(INDENT);
    let wrapping =
        Options::new(width).subsequent_indent(&indent).word_splitter(WordSplitter::NoHyphenation);
    let mut out = String::new();
    for group in &GROUPS {
        let mut purpose = group.purpose;
        let names = match pick {
            Pick::First => group.first,
            Pick::More => group.more,
        };
        for one in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let head = format!("{:<PURPOSE$}{:<NAME$}", format!("  {purpose}"), one.get_name());
            let options = wrapping.clone().initial_indent(&head);
            out.push_str(&textwrap::fill(&description(one), options));
            out.push('\n');
            purpose = "";
        }
    }
    out
}

fn description(command: &Command) -> String {
    let mut text = command.get_about().map(ToString::to_string).unwrap_or_default();
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    match aliases.as_slice() {
        [] => {}
        [one] => text.push_str(&format!(" [alias: {one}]")),
        several => text.push_str(&format!(" [aliases: {}]", several.join(", "))),
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::args::Cli;

    #[test]
    fn every_command_is_in_one_group() {
        let command = Cli::command();
        let mut all: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        let mut grouped: Vec<&str> =
            GROUPS.iter().flat_map(|group| [group.first, group.more]).flatten().copied().collect();
        all.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, all, "each command belongs in one group of `GROUPS`");
    }

    /// The command and those below it, with the words that call it.
    fn all_below(command: &Command, path: &str) -> Vec<(String, Command)> {
        let path = format!("{path}{} ", command.get_name());
        let is_listed = |command: &&Command| !command.is_hide_set() && command.get_name() != "help";
        let below = command.get_subcommands().filter(is_listed);
        let mut all: Vec<_> = below.flat_map(|command| all_below(command, &path)).collect();
        all.push((path, command.clone()));
        all
    }

    #[test]
    fn short_help_is_a_screen_with_two_examples() {
        let mut command = grouped(Cli::command());
        command.build();
        let all = all_below(&command, "");
        assert!(all.len() > 60, "{}", all.len());
        for (path, mut command) in all {
            let short = command.render_help().to_string();
            let long = command.render_long_help().to_string();
            let examples = |help: &str| {
                let listed = help.split("Examples").nth(1).unwrap_or_default();
                listed.lines().filter(|line| line.starts_with("  asof ")).count()
            };
            assert!(!short.contains("--no-pager") && long.contains("--no-pager"), "{path}{short}");
            // Commands of commands list these, with an example of each.
            if command.get_subcommands().next().is_some() {
                continue;
            }
            assert!(short.lines().count() <= SCREEN, "{path}{}", short.lines().count());
            assert!(examples(&short) <= SHORT_EXAMPLES && examples(&short) <= examples(&long));
        }
    }

    /// Lines of a screen.
    const SCREEN: usize = 60;

    #[test]
    fn the_first_screen_has_the_twelve_that_matter_most() {
        let help = grouped(Cli::command()).render_long_help().to_string();
        let (screen, rest) = help.split_once("\nMore commands:\n").unwrap();
        assert!(screen.lines().count() <= 24, "{screen}");
        let listed = screen.split_once("\nMost used:\n").unwrap().1;
        let name = |line: &str| line.as_bytes().get(14).is_some_and(|byte| *byte != b' ');
        assert_eq!(listed.lines().filter(|line| name(line)).count(), 12, "{listed}");
        assert!(help.lines().all(|line| line.len() <= WIDTH), "{help}");
        assert!(rest.contains("\nOptions:\n") && rest.contains("\nExit codes:\n"), "{rest}");
    }
}
