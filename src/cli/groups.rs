//! Groups the commands in `asof --help` by purpose; clap would list them in one column.

use clap::Command;
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
            "callees", "lineage", "path", "api", "quality", "unused", "hotspots", "cfg", "verify",
        ],
    },
    Group { purpose: "Look back", first: &["history", "diff"], more: &["review", "log", "blame"] },
    Group {
        purpose: "Change",
        first: &["edit"],
        more: &["rename", "move", "delete", "change-signature"],
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

/// Columns before the description of a command.
const INDENT: usize = 27;

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
    command.help_template(template)
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
            let head = format!("  {purpose:<12}{:<13}", one.get_name());
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
