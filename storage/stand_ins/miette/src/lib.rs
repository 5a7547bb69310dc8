//! The crate `miette`, without its feature `fancy`: 15 crates that draw an error for a terminal
//! and find a backtrace. The engine needs their names for a text that `asof` never asks for.

use std::fmt;

pub use real::*;

/// What would draw an error; here it is told in plain text.
#[derive(Debug, Default, Clone)]
pub struct GraphicalReportHandler;

impl GraphicalReportHandler {
    pub fn new() -> Self {
        Self
    }

    #[must_use]
    pub fn with_theme(self, _theme: GraphicalTheme) -> Self {
        self
    }

    /// Writes an error with its causes and places.
    ///
    /// # Errors
    /// It cannot be written to `out`.
    pub fn render_report(&self, out: &mut impl fmt::Write, error: &dyn Diagnostic) -> fmt::Result {
        NarratableReportHandler::new().render_report(out, error)
    }
}

/// How an error would be drawn.
#[derive(Debug, Default, Clone)]
pub struct GraphicalTheme {
    pub characters: ThemeCharacters,
    pub styles: ThemeStyles,
}

#[derive(Debug, Default, Clone)]
pub struct ThemeCharacters;

impl ThemeCharacters {
    pub fn unicode() -> Self {
        Self
    }
}

#[derive(Debug, Default, Clone)]
pub struct ThemeStyles;

impl ThemeStyles {
    pub fn ansi() -> Self {
        Self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_with_its_causes() {
        let error = miette!("inner").wrap_err("outer");
        let mut text = String::new();
        let theme = GraphicalTheme::default();
        GraphicalReportHandler::new().with_theme(theme).render_report(&mut text, &*error).unwrap();
        assert!(text.contains("outer") && text.contains("inner"), "{text}");
    }
}
