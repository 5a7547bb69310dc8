//! Text of a change's impact.

use super::plural;
use asof_wire::{AffectedTest, ChangeImpact};

/// The changed items, the reasons to run everything, and the tests.
pub fn change_impact(found: &ChangeImpact, limit: Option<usize>) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for path in &found.removed {
        out.push_str(&format!("removed  {bold}{path}{bold:#}\n"));
    }
    for item in &found.answer.items {
        let classes: Vec<&str> = item.classes.iter().map(|class| class.as_str()).collect();
        let what = match (item.depth, classes.is_empty()) {
            (0, false) => classes.join(", "),
            (0, true) => "names".to_owned(),
            (depth, _) => depth.to_string(),
        };
        let (open, close) = match item.depth {
            0 => (bold.render().to_string(), bold.render_reset().to_string()),
            _ => Default::default(),
        };
        out.push_str(&format!(
            "{what:>7}  {open}{}{close}  {dim}{} {}{dim:#}\n",
            item.item.path, item.item.kind, item.file_path
        ));
    }
    let tests = &found.tests;
    let blank = |out: &str| if out.is_empty() { "" } else { "\n" };
    if !tests.run_everything.is_empty() {
        let blank = blank(&out);
        out.push_str(&format!("{blank}{bold}run all tests{bold:#}\n"));
        let shown = limit.unwrap_or(usize::MAX);
        for reason in tests.run_everything.iter().take(shown) {
            out.push_str(&format!("  {}: {}\n", reason.what, reason.reason));
        }
        if let Some(more) = tests.run_everything.len().checked_sub(shown).filter(|more| *more > 0) {
            out.push_str(&format!("  and {}\n", plural(more, "more reason")));
        }
    }
    let blank = blank(&out);
    out.push_str(&format!(
        "{blank}{bold}{} of {} affected{bold:#}\n",
        tests.count,
        plural(tests.total, "test")
    ));
    let shown = limit.unwrap_or(usize::MAX);
    for test in tests.selected.iter().take(shown) {
        out.push_str(&format!("  {}\n", line(test)));
    }
    if let Some(more) = tests.selected.len().checked_sub(shown).filter(|more| *more > 0) {
        out.push_str(&format!("  and {more} more\n"));
    }
    if !tests.doc_tests.is_empty() {
        out.push_str(&format!("  documentation tests of {}\n", tests.doc_tests.join(", ")));
    }
    if !tests.ignored_files.is_empty() {
        let files = tests.ignored_files.join(", ");
        out.push_str(&format!("{dim}taken for documentation: {files}{dim:#}\n"));
    }
    out
}

fn line(test: &AffectedTest) -> String {
    let target = match test.target_kind.as_str() {
        "lib" => test.package.clone(),
        kind => format!("{} {kind} {}", test.package, test.target),
    };
    match (&test.name, test.is_module) {
        (None, _) => format!("{target}: all tests"),
        (Some(module), true) => format!("{target}: all tests of {module}"),
        (Some(name), false) => format!("{target}: {name}"),
    }
}
