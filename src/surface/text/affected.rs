//! Text of the packages that a difference can reach.

use super::plural;
use asof_wire::{AffectedPackage, AffectedPackages, AffectedTarget, SelectionReason};

/// Whether each package has its reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasons {
    Show,
    Hide,
}

/// The packages with their targets, and how many there are.
pub fn affected(found: &AffectedPackages, reasons: Reasons) -> String {
    let bold = anstyle::Style::new().bold();
    let dim = anstyle::Style::new().dimmed();
    let mut out = String::new();
    for package in &found.answer.items {
        let targets = targets_line(package);
        out.push_str(&format!("{bold}{}{bold:#}  {targets}\n", package.package));
        if reasons == Reasons::Show {
            for line in reason_lines(package) {
                out.push_str(&format!("    {dim}{line}{dim:#}\n"));
            }
        }
    }
    if found.answer.total > 0 {
        out.push('\n');
    }
    out.push_str(&format!(
        "{bold}{} of {} and {} of {} affected{bold:#}\n",
        found.answer.total,
        plural(found.packages, "package"),
        found.selected_targets,
        plural(found.targets, "target"),
    ));
    if !found.ignored_files.is_empty() {
        let files = found.ignored_files.join(", ");
        out.push_str(&format!("{dim}nothing builds with or reads: {files}{dim:#}\n"));
    }
    out
}

/// Why a package or its targets are selected, a line each.
pub fn reason_lines(package: &AffectedPackage) -> Vec<String> {
    let line = |SelectionReason { what, reason }: &SelectionReason| format!("{what}: {reason}");
    if package.is_whole {
        return package.reasons.iter().map(line).collect();
    }
    let of_target = |target: &AffectedTarget| {
        Some(format!("{}: {}", target_name(target), line(target.reason.as_ref()?)))
    };
    package.targets.iter().filter_map(of_target).collect()
}

fn targets_line(package: &AffectedPackage) -> String {
    if package.is_whole {
        return "all targets".to_owned();
    }
    let names: Vec<String> = package.targets.iter().map(target_name).collect();
    names.join(", ")
}

fn target_name(target: &AffectedTarget) -> String {
    match target.kind.as_str() {
        "lib" | "proc_macro" => "lib".to_owned(),
        "doc" => "documentation tests".to_owned(),
        kind => format!("{kind} {}", target.name),
    }
}
