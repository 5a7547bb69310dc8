//! Rows as aligned text, Markdown and CSV.

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Minimum width of a column that is cut.
const NARROWEST: usize = 12;
/// How much longer than usual the longest cells must be to stick out.
const STICKS_OUT: usize = 8;
/// Spaces between columns.
const GAP: usize = 2;

/// Rows below headings.
#[derive(Debug, Default)]
pub struct Sheet {
    pub headers: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Aligned columns, with numbers to the right. With a width, the widest columns are cut to fit.
    /// Without one, nothing is cut, and a few long cells stick out instead of padding all lines.
    pub fn text(&self, width: Option<usize>) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| on_one_line(cell)).collect())
            .collect();
        let mut columns: Vec<Shape> = self
            .headers
            .iter()
            .enumerate()
            .map(|(at, header)| Shape::new(header, &rows, at))
            .collect();
        match width {
            Some(width) => narrow(&mut columns, width),
            None => columns.iter_mut().for_each(|column| column.width = column.usual),
        }
        let mut out = String::new();
        let head = Style::new().dimmed();
        line(&mut out, &columns, &self.headers, |_| head);
        for row in &rows {
            line(&mut out, &columns, row, |column| column.style);
        }
        out
    }

    /// A Markdown table without padding, for renderers and programs.
    pub fn markdown(&self) -> String {
        let escaped = |cell: &String| cell.replace('|', "\\|").replace('\n', "<br>");
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(escaped).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = (0..self.headers.len())
            .map(|at| if is_numeric(&self.rows, at) { "---:|" } else { "---|" });
        let mut out = format!("{}|{}\n", line(&self.headers), rule.collect::<String>());
        out.extend(self.rows.iter().map(|row| line(row)));
        out
    }

    pub fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.headers)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.into_inner().map_err(|error| anyhow::anyhow!("{error}"))
    }
}

/// Which part of a cell that is too long is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    Start,
    /// For paths, whose last segments say most.
    End,
}

struct Shape {
    /// Width to pad to.
    width: usize,
    /// Width to cut to.
    most: usize,
    /// Width of nine in ten cells, if the others are much longer.
    usual: usize,
    right: bool,
    style: Style,
    keep: Keep,
}

impl Shape {
    fn new(header: &str, rows: &[Vec<String>], at: usize) -> Self {
        let style = match header {
            "kind" => AnsiColor::Cyan.on_default(),
            "path" | "name" => Style::new().bold(),
            "id" => Style::new().dimmed(),
            _ => Style::new(),
        };
        let keep = match header {
            "path" | "file" | "place" | "in" | "item" | "module" => Keep::End,
            _ => Keep::Start,
        };
        let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width());
        let mut widths: Vec<usize> = cells.collect();
        widths.sort_unstable();
        let widest = |count: usize| {
            let cell = count.checked_sub(1).and_then(|last| widths.get(last));
            cell.copied().unwrap_or_default().max(header.width())
        };
        let width = widest(widths.len());
        Self {
            width,
            most: usize::MAX,
            usual: match widest(widths.len() - widths.len() / 10) {
                usual if usual + STICKS_OUT < width => usual,
                _ => width,
            },
            right: is_numeric(rows, at),
            style,
            keep,
        }
    }
}

/// Whether every cell of a column is a number.
fn is_numeric(rows: &[Vec<String>], at: usize) -> bool {
    let digits = |cell: &String| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
    !rows.is_empty() && rows.iter().filter_map(|row| row.get(at)).all(digits)
}

/// A cell without line breaks and terminal control characters.
fn on_one_line(cell: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    cell.chars().map(shown).collect()
}

/// Narrows the widest columns, down to the next one, until the table fits or no column can be
/// narrowed.
fn narrow(columns: &mut [Shape], width: usize) {
    loop {
        let gaps = GAP * columns.len().saturating_sub(1);
        let total = columns.iter().map(|column| column.width).sum::<usize>() + gaps;
        let excess = total.saturating_sub(width);
        let mut widths: Vec<usize> =
            columns.iter().filter(|c| !c.right).map(|column| column.width).collect();
        widths.sort_unstable_by(|a, b| b.cmp(a));
        let (Some(&widest), true) = (widths.first(), excess > 0) else { return };
        let next = widths.get(1).copied().unwrap_or_default();
        let floor = if next < widest { next } else { widest - 1 };
        let goal = widest.saturating_sub(excess).max(floor).max(NARROWEST);
        let widest = columns.iter_mut().find(|c| !c.right && c.width == widest);
        match widest {
            Some(column) if column.width > goal => {
                column.width = goal;
                column.most = goal;
            }
            _ => return,
        }
    }
}

/// A cell of at most `width` columns; `…` marks an omission.
fn cut(cell: &str, width: usize, keep: Keep) -> String {
    if cell.width() <= width {
        return cell.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let fits = c.width().unwrap_or_default();
        let is_in = fits <= left;
        left = if is_in { left - fits } else { 0 };
        is_in
    };
    match keep {
        Keep::Start => cell.chars().take_while(fits).chain(['…']).collect(),
        Keep::End => {
            let kept: Vec<char> = cell.chars().rev().take_while(fits).chain(['…']).collect();
            kept.into_iter().rev().collect()
        }
    }
}

fn line(out: &mut String, columns: &[Shape], cells: &[String], style: impl Fn(&Shape) -> Style) {
    // Start of the column, and end of the line so far: a cell that sticks out uses the padding
    // of the next ones.
    let (mut start, mut at) = (0, 0);
    for (column, cell) in columns.iter().zip(cells) {
        let cell = cut(cell, column.most, column.keep);
        let width = cell.width();
        if !cell.is_empty() {
            let before = if column.right { column.width.saturating_sub(width) } else { 0 };
            let gap = if at == 0 { 0 } else { GAP };
            let begin = (start + before).max(at + gap);
            let style = style(column);
            out.extend(std::iter::repeat_n(' ', begin - at));
            out.push_str(&format!("{style}{cell}{style:#}"));
            at = begin + width;
        }
        start += column.width + GAP;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(headers: &[&str], rows: &[&[&str]]) -> Sheet {
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        Sheet { headers: owned(headers), rows: rows.iter().map(|row| owned(row)).collect() }
    }

    #[track_caller]
    fn check(sheet: &Sheet, width: Option<usize>, expected: &str) {
        let plain = anstream::adapter::strip_str(&sheet.text(width)).to_string();
        assert_eq!(plain, expected);
    }

    #[test]
    fn columns_line_up_without_spaces_at_the_end() {
        let sheet = sheet(&["a", "n", "z"], &[&["long", "7", "x"], &["s", "12", ""]]);
        check(&sheet, None, "a      n  z\nlong   7  x\ns     12\n");
        assert_eq!(
            sheet.markdown(),
            "| a | n | z |\n|---|---:|---|\n| long | 7 | x |\n| s | 12 |  |\n"
        );
    }

    #[test]
    fn what_is_shown_counts_and_not_bytes() {
        check(
            &sheet(&["a", "z"], &[&["日本", "x"], &["é", "y"], &["\x1b[1m\nb", "z"]]),
            None,
            "a       z\n日本    x\né       y\n\u{fffd}[1m b  z\n",
        );
    }

    #[test]
    fn a_long_cell_pads_no_other_line() {
        let mut rows = vec![vec!["ab", "x"]; 10];
        rows[3] = vec!["once upon a time", "y"];
        let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
        let line = "ab  x\n";
        let expected = format!("a   z\n{}once upon a time  y\n{}", line.repeat(3), line.repeat(6));
        check(&sheet(&["a", "z"], &rows), None, &expected);
    }

    #[test]
    fn the_widest_columns_are_cut() {
        let path = "demo::store::memory::Memory";
        let sheet = sheet(&["path", "n", "text"], &[&[path, "1", "once upon a time in a store"]]);
        let full = format!(
            "path                         n  text\n{path}  1  once upon a time in a store\n"
        );
        check(&sheet, None, &full);
        check(&sheet, Some(59), &full);
        check(
            &sheet,
            Some(40),
            "path               n  text\n…::memory::Memory  1  once upon a time …\n",
        );
        // What cannot fit is as narrow as can be read.
        check(&sheet, Some(10), "path          n  text\n…ory::Memory  1  once upon a…\n");
    }
}
