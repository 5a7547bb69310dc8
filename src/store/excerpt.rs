//! Places in a script, and the lines that an error shows of it.

/// The `@name` of a script's header, or `query`.
pub(super) fn query_name(script: &str) -> String {
    script
        .lines()
        .take_while(|line| line.trim().is_empty() || line.starts_with('#'))
        .find_map(|line| line.trim_start_matches('#').trim().strip_prefix("@name"))
        .map_or_else(|| "query".to_owned(), |name| name.trim().to_owned())
}

/// The line of a span with its number, and markers below the span.
pub(super) fn excerpt(script: &str, offset: usize, len: usize) -> String {
    let begin = script.get(..offset).and_then(|s| s.rfind('\n')).map_or(0, |newline| newline + 1);
    let line = script.get(begin..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let number = script.get(..begin).unwrap_or_default().matches('\n').count() + 1;
    let before = script.get(begin..offset).unwrap_or_default().chars().count();
    let marked = script.get(offset..offset + len).unwrap_or_default();
    let width = marked.lines().next().unwrap_or_default().chars().count().max(1);
    let gutter = format!("{number:>4} | ");
    let shown: String = line.chars().skip(before.saturating_sub(80)).take(160).collect();
    let indent = gutter.len() + before.min(80);
    format!("{gutter}{shown}\n{:indent$}{}", "", "^".repeat(width.min(80)))
}

/// A byte offset at a character boundary, with its line and column, from 1.
pub(super) fn place(script: &str, offset: usize) -> (usize, usize, usize) {
    let mut offset = offset.min(script.len());
    while !script.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = script.get(..offset).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    (offset, before.matches('\n').count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_marks_the_span() {
        assert_eq!(excerpt("?[a] := *x{a}\n?[b] <- c", 20, 2), "   2 | ?[b] <- c\n             ^^");
        assert_eq!(excerpt("", 0, 0), "   1 | \n       ^");
        assert_eq!(
            query_name("# @doc x\n# @name  edges/where_used\n?[a] := 1"),
            "edges/where_used"
        );
        assert_eq!(query_name("?[a] := 1"), "query");
    }
}
