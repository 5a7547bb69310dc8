//! Indents a text for another depth.

use asof_syntax::Scan;

/// What becomes of the blanks at the beginning of lines, if a text that is indented in one way is
/// written with another indentation: bytes of the whole text, and what replaces them. The first line
/// has its blanks outside of the range; lines that begin within a literal stay.
pub fn reindented(
    text: &str,
    scan: &Scan<'_>,
    start: u32,
    end: u32,
    from: &str,
    to: &str,
) -> Vec<(u32, u32, String)> {
    let literal = scan.lines_in_literals();
    let mut found = Vec::new();
    let before = text.get(..start as usize).unwrap_or_default();
    let first = before.bytes().filter(|byte| *byte == b'\n').count() as u32;
    let range = text.get(start as usize..end as usize).unwrap_or_default();
    let mut at = start;
    for (line, content) in (first..).zip(range.split_inclusive('\n')) {
        let own = at;
        at += content.len() as u32;
        if line == first || literal.binary_search(&line).is_ok() {
            continue;
        }
        let bare = content.trim_end_matches(['\n', '\r']);
        let blanks = bare.len() - bare.trim_start_matches([' ', '\t']).len();
        if blanks == bare.len() {
            // Blank lines are empty.
            if blanks > 0 {
                found.push((own, own + blanks as u32, String::new()));
            }
            continue;
        }
        let cut = if bare.starts_with(from) { from.len() } else { blanks.min(from.len()) };
        if bare.get(..cut) != Some(to) {
            found.push((own, own + cut as u32, to.to_owned()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_and_literals_are_not() {
        let text = "mod m {\n    fn f() {\n        g(\"\n        x\");\n  \n    }\n}\n";
        let range = (text.find("fn").unwrap() as u32, text.rfind("\n}").unwrap() as u32);
        let mut out = text.get(range.0 as usize..range.1 as usize).unwrap().to_owned();
        let found = reindented(text, &Scan::new(text), range.0, range.1, "    ", "");
        for (start, end, new) in found.into_iter().rev() {
            out.replace_range((start - range.0) as usize..(end - range.0) as usize, &new);
        }
        assert_eq!(out, "fn f() {\n    g(\"\n        x\");\n\n}");
    }
}
