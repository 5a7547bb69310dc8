//! Uses of an item: places, calls, lineages, impact.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::NodeId;
use asof_wire::{
    Call, CallsResult, Caveat, Certainty, ImpactResult, LineageResult, Reached, Snippet, Symbol,
    UseSummary, WhereUsedResult,
};

use super::words::plural;

/// The places of uses, by file.
pub fn where_used(found: &WhereUsedResult) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    found.symbols.iter().for_each(|symbol| out.push_str(&heading(symbol)));
    let (mut file, mut others) = ("", false);
    for place in &found.answer.items {
        if place.other_condition.is_some() && !others {
            (file, others) = ("", true);
            out.push_str(&other_conditions());
        }
        if place.file_path != file {
            file = &place.file_path;
            out.push_str(&format!("{bold}{file}{bold:#}\n"));
        }
        let spot = format!("{}:{}", place.line, place.column);
        let doubt = doubt(place.confidence);
        let under = under(place.other_condition.as_deref());
        out.push_str(&format!(
            "  {spot:<9} {:<11} {dim}in{dim:#} {} {dim}{doubt}{under}{dim:#}\n",
            place.use_kind.as_str(),
            place.item.path
        ));
        if let Some(lines) = &place.snippet {
            out.push_str(&snippet(lines, "    "));
        }
    }
    out
}

/// The files with uses, by package.
pub fn use_summary(found: &UseSummary) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let items = &found.answer.items;
    let mut out: String = found.symbols.iter().map(heading).collect();
    for of_package in items.chunk_by(|one, next| one.package == next.package) {
        if let Some(first) = of_package.first() {
            let package = first.package.as_deref().unwrap_or("in no package");
            let uses = plural(first.uses_in_package, "use");
            out.push_str(&format!("{bold}{package}{bold:#}  {uses}\n"));
        }
        for file in of_package {
            let tests = match file.uses_in_tests {
                0 => String::new(),
                all if all == file.uses => "  in tests".to_owned(),
                some => format!("  {some} in tests"),
            };
            out.push_str(&format!("  {:>5}  {}{dim}{tests}{dim:#}\n", file.uses, file.file_path));
        }
    }
    out
}

/// Heading of what the configuration does not have.
fn other_conditions() -> String {
    let dim = anstyle::Style::new().dimmed();
    format!("{dim}under other conditions:{dim:#}\n")
}

/// The condition of what the configuration does not have, after a space.
pub fn under(other_condition: Option<&str>) -> String {
    other_condition.map(|condition| format!(" under {condition}")).unwrap_or_default()
}

/// The items as a tree, each below the one before it on its way; then guesses, then what the
/// configuration does not have.
pub fn calls(found: &CallsResult) -> String {
    let dim = anstyle::Style::new().dimmed();
    let items = found.answer.items.as_slice();
    let here = items.partition_point(|call| call.reached.other_condition.is_none());
    let (items, others) = items.split_at(here);
    let guesses = found.guesses - found.guesses_left_out;
    let sure = found.answer.total - found.other_conditions - guesses;
    let (sure, guesses) = items.split_at(sure.min(items.len()));
    let mut out = String::new();
    let mut below: BTreeMap<NodeId, Vec<&Call>> = BTreeMap::new();
    for call in sure {
        below.entry(call.reached.via).or_default().push(call);
    }
    for symbol in &found.symbols {
        out.push_str(&heading(symbol));
        let mut open = vec![below.remove(&symbol.id).unwrap_or_default().into_iter()];
        while let Some(calls) = open.last_mut() {
            let Some(call) = calls.next() else {
                open.pop();
                continue;
            };
            let indent = "  ".repeat(open.len());
            out.push_str(&call_line(call, &indent));
            open.push(below.remove(&call.reached.item.id).unwrap_or_default().into_iter());
        }
    }
    if !guesses.is_empty() {
        out.push_str(&format!("{dim}guesses:{dim:#}\n"));
        guesses.iter().for_each(|call| out.push_str(&call_line(call, "  ")));
    }
    if !others.is_empty() {
        out.push_str(&other_conditions());
        others.iter().for_each(|call| out.push_str(&call_line(call, "  ")));
    }
    out
}

fn call_line(call: &Call, indent: &str) -> String {
    let dim = anstyle::Style::new().dimmed();
    let reached = &call.reached;
    let doubt = doubt(reached.confidence);
    let site = sites(call);
    let test = if reached.in_test { "  test" } else { "" };
    let recursive = if reached.item.id == reached.via { "  recursive" } else { "" };
    let under = under(reached.other_condition.as_deref());
    let mut out =
        format!("{indent}{}{dim}{site}{recursive}{doubt}{test}{under}{dim:#}\n", reached.item.path);
    out.push_str(&site_snippets(call, &format!("{indent}  ")));
    out
}

/// The lines of the calls after two spaces: `src/a.rs:4,9`.
pub fn sites(call: &Call) -> String {
    let lines: Vec<String> = call.sites().map(|site| site.line.to_string()).collect();
    let file = call.site.as_ref().map(|site| format!("  {}:{}", site.file_path, lines.join(",")));
    file.unwrap_or_default()
}

/// The lines around each call, if the answer has them.
pub fn site_snippets(call: &Call, indent: &str) -> String {
    call.sites().filter_map(|site| site.snippet.as_ref()).map(|s| snippet(s, indent)).collect()
}

/// The items as a tree, each below the one before it on its path.
pub fn lineage(found: &LineageResult) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut below: BTreeMap<NodeId, Vec<&Reached>> = BTreeMap::new();
    let known: BTreeSet<NodeId> = found
        .symbols
        .iter()
        .map(|symbol| symbol.id)
        .chain(found.answer.items.iter().map(|item| item.item.id))
        .collect();
    let mut loose = Vec::new();
    let (mut others, mut here) = (Vec::new(), Vec::new());
    for item in &found.answer.items {
        match item.other_condition {
            Some(_) => others.push(item),
            None => here.push(item),
        }
    }
    for item in here {
        if known.contains(&item.via) {
            below.entry(item.via).or_default().push(item)
        } else {
            // A filter left out the items in between.
            loose.push(item)
        }
    }
    let mut out = String::new();
    for symbol in &found.symbols {
        out.push_str(&heading(symbol));
        branches(&mut out, symbol.id, &mut below, "");
    }
    if !loose.is_empty() {
        out.push_str(&format!("{dim}through items that are not listed:{dim:#}\n"));
        for item in loose {
            out.push_str(&format!("  {}\n", line(item)));
        }
    }
    if !others.is_empty() {
        out.push_str(&other_conditions());
        others.iter().for_each(|item| out.push_str(&format!("  {}\n", line(item))));
    }
    out
}

/// The branches below an item. An explicit stack avoids recursion as deep as the tree.
fn branches(
    out: &mut String,
    root: NodeId,
    below: &mut BTreeMap<NodeId, Vec<&Reached>>,
    indent: &str,
) {
    let mut open: Vec<(String, std::vec::IntoIter<&Reached>)> = Vec::new();
    if let Some(items) = below.remove(&root) {
        open.push((indent.to_owned(), items.into_iter()));
    }
    while let Some((indent, items)) = open.last_mut() {
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        let last = items.len() == 0;
        let (branch, deeper) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        out.push_str(&format!("{indent}{branch}{}\n", line(item)));
        let indent = format!("{indent}{deeper}");
        if let Some(lines) = &item.snippet {
            out.push_str(&snippet(lines, &indent));
        }
        if let Some(items) = below.remove(&item.item.id) {
            open.push((indent, items.into_iter()));
        }
    }
}

/// One item: path, how it is reached, where it is.
fn line(item: &Reached) -> String {
    let dim = anstyle::Style::new().dimmed();
    let doubt = doubt(item.confidence);
    let place = match (&item.file_path, item.line) {
        (Some(file), Some(line)) => format!("  {file}:{line}"),
        _ => "  external".to_owned(),
    };
    let test = if item.in_test { " test" } else { "" };
    let under = under(item.other_condition.as_deref());
    format!("{} {dim}{}{doubt}{place}{test}{under}{dim:#}", item.item.path, item.use_kind)
}

/// What a change affects, most likely first.
pub fn impact(found: &ImpactResult) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = String::new();
    for symbol in &found.lineage.symbols {
        out.push_str(&format!("{} {bold}{}{bold:#}\n", symbol.kind, symbol.path));
    }
    let mut others = false;
    for item in &found.lineage.answer.items {
        if item.other_condition.is_some() && !others {
            others = true;
            out.push_str(&other_conditions());
        }
        out.push_str(&format!("  {:>4.2}  {}  {}\n", item.score, item.depth, line(item)));
        if let Some(lines) = &item.snippet {
            out.push_str(&snippet(lines, "    "));
        }
    }
    out
}

/// The counts of an impact.
pub fn impact_summary(found: &ImpactResult) -> String {
    let s = &found.summary;
    format!(
        "{} directly, {} through others, {} of them in tests, in {}",
        plural(s.direct, "item"),
        s.transitive,
        s.in_tests,
        plural(s.files, "file")
    )
}

/// A snippet, indented, with line numbers.
pub fn snippet(snippet: &Snippet, indent: &str) -> String {
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for (line, text) in (snippet.location.start_line..).zip(snippet.text.lines()) {
        // Control characters in a source must not reach the terminal.
        let text: String =
            text.chars().map(|c| if c.is_control() && c != '\t' { ' ' } else { c }).collect();
        out.push_str(&format!("{indent}{dim}{line:>5} │{dim:#} {text}\n"));
    }
    out
}

/// A confidence after a space; empty if the use is certain.
pub fn doubt(confidence: f64) -> String {
    if confidence < 0.995 { format!(" {:.0} %", confidence * 100.0) } else { String::new() }
}

/// Number of uses up to which an answer says how complete it is.
const FEW: usize = 10;

/// Uses that an answer lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lacking {
    Unresolved,
    Guesses,
    /// Those that are not calls.
    Other,
    /// Those of items that implement the item.
    Implementations,
}

/// Places in examples that a line names.
const EXAMPLES: usize = 3;

/// Why a list of uses may be incomplete; `listing` says how to list what it lacks.
pub fn caveat(caveat: &Caveat, listing: impl FnOnce(Lacking) -> String) -> String {
    match caveat {
        Caveat::UnresolvedUses => listing(Lacking::Unresolved),
        Caveat::Guesses(n) => {
            let guesses = if *n == 1 { "guess is" } else { "guesses are" };
            format!("{n} {guesses} left out; {}", listing(Lacking::Guesses))
        }
        Caveat::OtherUses(n) => {
            let uses = if *n == 1 { "use is not a call" } else { "uses are not calls" };
            format!("{n} {uses}; {}", listing(Lacking::Other))
        }
        Caveat::Filtered => "leave the filters out to see every use".to_owned(),
        Caveat::UnknownName(name) => {
            format!("`{name}` is not defined in the workspace: any item of that name may be meant")
        }
        Caveat::ImplementationUses(n) => {
            format!(
                "{} of implementations left out; {}",
                plural(*n, "use"),
                listing(Lacking::Implementations)
            )
        }
        Caveat::TraitItem => "calls through the trait are uses of the trait's item".to_owned(),
        Caveat::Unparsed(file) => format!("`{file}` does not parse: its uses are not all known"),
        Caveat::Examples(places) => {
            let shown = places.iter().take(EXAMPLES).map(String::as_str).collect::<Vec<_>>();
            let more = match places.len().saturating_sub(EXAMPLES) {
                0 => String::new(),
                n => format!(" and {}", plural(n, "more place")),
            };
            format!("examples in documentation may use it: {}{more}", shown.join(", "))
        }
    }
}

/// Whether a list of uses is complete; nothing for one that is long or sure.
pub fn certainty(known: &Certainty, total: usize) -> Option<String> {
    let why = known.hint.as_deref().unwrap_or_default();
    let is_in_examples = matches!(known.caveat, Some(Caveat::Examples(_)));
    match (known.unresolved_uses, total) {
        (_, total) if total > FEW => None,
        (0, 0) if known.proven => Some("no use in the workspace (proven)".to_owned()),
        (0, 0) if is_in_examples => Some(format!("no use in code (proven); {why}")),
        (0, 0) => Some(format!("no use found; not proven: {why}")),
        (0, _) => {
            let is_said = known.caveat == Some(Caveat::TraitItem) || is_in_examples;
            is_said.then(|| why.to_owned())
        }
        (n, 0) => Some(format!("no use found, but {}: {why}", unresolved(n))),
        (n, _) => Some(format!("{}: {why}", unresolved(n))),
    }
}

/// That calls of a trait's item may be calls of one that implements it.
pub fn by_trait(path: &str, calls: usize) -> String {
    format!("{} of `{path}`, by `dyn` or a type parameter, may lead here", plural(calls, "call"))
}

/// How many uses of a name are not resolved.
fn unresolved(uses: u64) -> String {
    match uses {
        1 => "1 use of this name is not resolved".to_owned(),
        n => format!("{n} uses of this name are not resolved"),
    }
}

/// Part of a line about uses of implementations that are not listed, and the argument that lists them.
pub fn implementations_left_out(known: &Certainty, option: &str) -> String {
    let lists = |one: &str| format!(" of implementations left out (`{option}` lists {one})");
    match known.implementation_uses {
        0 => String::new(),
        1 => format!("; 1 use{}", lists("it")),
        n => format!("; {n} uses{}", lists("them")),
    }
}

/// Part of a line about uses that the configuration does not have.
pub fn others_counted(others: usize) -> String {
    match others {
        0 => String::new(),
        n => format!(", {n} of them under other conditions"),
    }
}

/// Part of a line about guesses that are not listed, and the option that lists them.
pub fn guesses_left_out(guesses: usize, option: &str) -> String {
    match guesses {
        0 => String::new(),
        1 => format!("; 1 guess left out (`{option}` lists it)"),
        n => format!("; {n} guesses left out (`{option}` lists them)"),
    }
}

/// Heading of a list: kind, path and place of an item.
pub fn heading(symbol: &Symbol) -> String {
    let bold = anstyle::Style::new().bold();
    format!("{} {bold}{}{bold:#}{}\n", symbol.kind, symbol.path, place(symbol))
}

/// Where a symbol is defined, dimmed; empty for names of other crates.
pub fn place(symbol: &Symbol) -> String {
    let dim = anstyle::Style::new().dimmed();
    match (&symbol.file_path, symbol.line) {
        (Some(file), Some(line)) => format!("{dim}  {file}:{line}{dim:#}"),
        _ => String::new(),
    }
}
