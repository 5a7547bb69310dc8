//! Sections of documentation: of Markdown files, and of the documentation of modules.

/// A heading and what follows it, up to the next heading; or what comes before the first one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Section {
    /// Level of the heading from 1 to 6; 0 for what comes before the first one.
    pub level: u8,
    /// The headings above it, outermost first, and its own. In the documentation of a module, the
    /// module's name comes first.
    pub heading: Vec<String>,
    /// First line in the file, from 1.
    pub start_line: u32,
    /// Last line that is not blank.
    pub end_line: u32,
    /// Its Markdown, heading included.
    pub source: String,
    /// Its text without markup and code blocks, heading left out.
    pub prose: String,
    /// Its code blocks.
    pub code: String,
    /// The paths that it names, in backticks or qualified, as written but for arguments: `JoinSet`,
    /// `Router::route`. Each once, in order.
    pub mentions: Vec<String>,
}

impl Section {
    /// Its own heading; of the documentation of a module before the first heading, the module's
    /// name; empty at the beginning of a Markdown file.
    pub fn title(&self) -> &str {
        self.heading.last().map_or("", String::as_str)
    }
}

/// The sections of a Markdown text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// In the order of the text.
    pub list: Vec<Section>,
    /// Whether there are more headings than are kept: the last section has the rest.
    pub cut: bool,
}

/// Whether a path is that of a Markdown file.
pub fn is_document(path: &str) -> bool {
    let extension = path.rsplit('/').next().and_then(|name| name.rsplit_once('.'));
    extension.is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && ["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    })
}

/// Name of a file: that of its folder, where its own is the same everywhere.
pub fn file_stem(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let stem = parts.next().unwrap_or("").trim_end_matches(".rs");
    match stem {
        "mod" => parts.next().unwrap_or(stem),
        "lib" | "main" => parts.find(|part| *part != "src").unwrap_or(stem),
        _ => stem,
    }
}
