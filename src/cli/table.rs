//! Rows as aligned text, Markdown and CSV.

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, Table, presets};

/// Rows below headings.
#[derive(Debug, Default)]
pub struct Sheet {
    pub headers: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Sheet {
    /// Columns aligned, numbers to the right, two spaces between; styles for who can see them.
    pub fn text(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let columns: Vec<Shape> = (0..self.headers.len()).map(|at| self.shape(at)).collect();
        let mut out = String::new();
        let head = Style::new().dimmed();
        line(&mut out, &columns, &self.headers, |_| head);
        for row in &self.rows {
            line(&mut out, &columns, row, |column| column.style);
        }
        out
    }

    /// A table with borders, as for the rows of a query.
    pub fn bordered(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::UTF8_FULL_CONDENSED);
        self.fill(&mut table);
        format!("{table}\n")
    }

    pub fn markdown(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        let escaped = |cell: &String| cell.replace('|', "\\|").replace('\n', "<br>");
        let rows = self.rows.iter().map(|row| row.iter().map(escaped).collect());
        Sheet { headers: self.headers.clone(), rows: rows.collect() }.fill(&mut table);
        format!("{table}\n")
    }

    pub fn csv(&self) -> anyhow::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.headers)?;
        for row in &self.rows {
            writer.write_record(row)?;
        }
        writer.into_inner().map_err(|error| anyhow::anyhow!("{error}"))
    }

    fn fill(&self, table: &mut Table) {
        table.set_header(self.headers.iter().map(Cell::new));
        let right: Vec<bool> = (0..self.headers.len()).map(|at| self.shape(at).right).collect();
        for row in &self.rows {
            table.add_row(row.iter().zip(&right).map(|(text, right)| {
                let side = if *right { CellAlignment::Right } else { CellAlignment::Left };
                Cell::new(text).set_alignment(side)
            }));
        }
    }

    fn shape(&self, at: usize) -> Shape {
        let header = self.headers.get(at).map_or("", String::as_str);
        let cells = || self.rows.iter().filter_map(|row| row.get(at)).map(String::as_str);
        let digits = |cell: &str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
        let style = match header {
            "kind" => AnsiColor::Cyan.on_default(),
            "path" | "name" => Style::new().bold(),
            "id" => Style::new().dimmed(),
            _ => Style::new(),
        };
        Shape {
            width: cells().chain([header]).map(width).max().unwrap_or_default(),
            right: !self.rows.is_empty() && cells().all(digits),
            style,
        }
    }
}

struct Shape {
    width: usize,
    right: bool,
    style: Style,
}

/// Characters of the widest line.
fn width(cell: &str) -> usize {
    cell.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}

fn line(out: &mut String, columns: &[Shape], cells: &[String], style: impl Fn(&Shape) -> Style) {
    let mut pending = 0;
    for (column, cell) in columns.iter().zip(cells) {
        let cell = cell.replace('\n', " ");
        let space = column.width.saturating_sub(width(&cell));
        let style = style(column);
        let (before, after) = if column.right { (space, 0) } else { (0, space) };
        if !cell.is_empty() {
            out.extend(std::iter::repeat_n(' ', pending + before));
            out.push_str(&format!("{style}{cell}{style:#}"));
            pending = after + 2;
        } else {
            pending += column.width + 2;
        }
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_without_spaces_at_the_end() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let sheet = Sheet {
            headers: row(["a", "n", "z"]),
            rows: vec![row(["long", "7", "x"]), row(["s", "12", ""])],
        };
        let plain = anstream::adapter::strip_str(&sheet.text()).to_string();
        assert_eq!(plain, "a      n  z\nlong   7  x\ns     12\n");
        assert!(sheet.markdown().starts_with("| a "));
    }
}
