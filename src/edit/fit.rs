//! Fits code to the place where it is inserted: only indentation and line endings.

use asof_model::OrNever;
use asof_syntax::Scan;

/// The code without blank lines around it, indented like the place, with the line endings of the
/// file. The first line gets no indentation, because the file already has it.
///
/// Code may be flush left, indented as where it was copied from, or have only its first line
/// unindented. Lines that begin inside a literal keep their leading spaces.
pub fn fit(code: &str, indent: &str, newline: &str) -> String {
    let code = trim(code);
    let lines: Vec<&str> = code.split('\n').map(|l| l.strip_suffix('\r').unwrap_or(l)).collect();
    let literal = Scan::new(code).lines_in_literals();
    let in_literal = |line: usize| literal.binary_search(&(line as u32)).is_ok();
    let counted: Vec<usize> = (1..lines.len())
        .filter(|&at| !in_literal(at))
        .filter_map(|at| lines.get(at).copied().and_then(indentation))
        .collect();
    let first = lines.first().copied().and_then(indentation).unwrap_or(0);
    // The indentation of the code as a whole. If the first line is unindented, the last line, a
    // closing bracket, shows it.
    let rest = counted.iter().copied().min().unwrap_or(0);
    let closing = lines
        .last()
        .is_some_and(|last| last.trim_start().starts_with(['}', ')', ']']) && lines.len() > 1);
    let heads = |depth: usize| {
        let deep = lines.iter().skip(1).filter(|line| indentation(line) == Some(depth));
        deep.map(|line| line.trim_start())
            .any(|line| line.starts_with([')', '}', ']', '>']) || line.trim_end() == "where")
    };
    let base = match (first, rest) {
        (0, rest) if closing => rest,
        // Deeper than the place itself, or a part of the head at the same depth: unindent it.
        (0, rest) if !indent.is_empty() && rest > indent.len() => indent.len(),
        (0, rest) if !indent.is_empty() && rest == indent.len() && heads(rest) => rest,
        (0, _) => 0,
        (first, rest) => first.min(if counted.is_empty() { first } else { rest }),
    };
    let mut out = String::with_capacity(code.len() + lines.len() * indent.len());
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push_str(newline);
        }
        if in_literal(at) {
            out.push_str(line);
            continue;
        }
        let blanks = indentation(line);
        let cut = if at == 0 { first } else { base };
        let line = match blanks {
            None => "",
            Some(blanks) => line.get(cut.min(blanks)..).unwrap_or(line),
        };
        if at > 0 && !line.is_empty() {
            out.push_str(indent);
        }
        out.push_str(line);
    }
    out
}

/// The code without blank lines before it and white space after it.
fn trim(code: &str) -> &str {
    let code = code.trim_end();
    let mut rest = code;
    while let Some((line, behind)) = rest.split_once('\n') {
        if !line.trim().is_empty() {
            break;
        }
        rest = behind;
    }
    rest
}

/// Number of leading spaces of a line in bytes; `None` for a blank line.
fn indentation(line: &str) -> Option<usize> {
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    (blanks < line.len()).then_some(blanks)
}

/// White space between the start of the line and this byte, if there is nothing else.
pub fn indent_at(text: &str, byte: u32) -> &str {
    let before = text.get(..byte as usize).or_never("a place in a text lies between characters");
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.get(start..).unwrap_or_default();
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
    line.get(..blanks).unwrap_or_default()
}

/// The line ending that a file uses.
pub(super) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r') => "\r\n",
        _ => "\n",
    }
}

/// The indentation of the place plus one level.
pub(super) fn deeper(indent: &str) -> String {
    let step = if indent.contains('\t') { "\t" } else { "    " };
    format!("{indent}{step}")
}
