//! Classifies the tokens of a text for highlighting, comments included.

use super::lexer::Kind;
use super::source::Source;
use asof_model::is_keyword;

/// How a part of a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighlightClass {
    Keyword,
    /// A name.
    Name,
    Lifetime,
    /// A text or character.
    Text,
    Number,
    Comment,
    /// A documentation comment.
    Doc,
}

/// A part of a text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    pub start: u32,
    pub end: u32,
    pub class: HighlightClass,
}

/// The parts of any text that are shown in a way of their own, in order; they do not overlap.
/// Punctuation and blanks have none.
pub fn highlights(text: &str) -> Vec<Highlight> {
    let source = Source::new(text);
    let mut out = Vec::with_capacity(source.tokens.len());
    let mut done = 0;
    for (at, token) in source.tokens.iter().enumerate() {
        comments(text, done, token.start, &mut out);
        done = token.end.max(done);
        let class = match token.kind {
            Kind::Doc => HighlightClass::Doc,
            Kind::Word if is_shown_as_keyword(source.str(at)) => HighlightClass::Keyword,
            Kind::Word => HighlightClass::Name,
            Kind::Lifetime => HighlightClass::Lifetime,
            Kind::Literal if token.byte.is_ascii_digit() => HighlightClass::Number,
            Kind::Literal => HighlightClass::Text,
            Kind::Punct | Kind::Open | Kind::Close | Kind::End => continue,
        };
        out.push(Highlight { start: token.start, end: token.end, class });
    }
    comments(text, done, text.len() as u32, &mut out);
    out
}

/// Primitive types that are in any function are shown as keywords.
fn is_shown_as_keyword(word: &str) -> bool {
    matches!(word, "str" | "bool") || is_keyword(word)
}

/// The comments between two tokens: whatever is not blank.
fn comments(text: &str, start: u32, end: u32, out: &mut Vec<Highlight>) {
    let gap = text.get(start as usize..end as usize).unwrap_or_default();
    let shown = gap.trim();
    if shown.is_empty() {
        return;
    }
    let start = start + (gap.len() - gap.trim_start().len()) as u32;
    let end = start + shown.len() as u32;
    out.push(Highlight { start, end, class: HighlightClass::Comment });
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail")]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_class() {
        let text =
            "#!/bin/x\n/// Doc.\nfn a<'b>() -> Option<u8> { /* x */ 1 + f('c', \"é\") } // end";
        let shown = highlights(text);
        let parts: Vec<String> = shown
            .iter()
            .map(|part| {
                let text = text.get(part.start as usize..part.end as usize).unwrap();
                format!("{:?} {text}", part.class)
            })
            .collect();
        assert_eq!(
            parts.join("\n"),
            "Comment #!/bin/x\nDoc /// Doc.\nKeyword fn\nName a\nLifetime 'b\nName Option\nName u8\n\
             Comment /* x */\nNumber 1\nName f\nText 'c'\nText \"é\"\nComment // end"
        );
        assert!(shown.windows(2).all(|two| two[0].end <= two[1].start));
    }
}
