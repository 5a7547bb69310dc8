//! The tokens of a text, for comparing texts.

use super::lexer::Kind;
use super::source::Source;
use asof_model::is_keyword;

/// How much a token says about the code that it is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenClass {
    /// Names, literals, lifetimes.
    Word,
    Keyword,
    /// Operators and brackets.
    Mark,
}

/// A token of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub class: TokenClass,
}

/// Tokens of any text; comments and documentation left out. An operator is one
/// token a character.
pub fn code_tokens(text: &str) -> Vec<Token<'_>> {
    let source = Source::new(text);
    let mut out = Vec::with_capacity(source.tokens.len());
    for (at, token) in source.tokens.iter().enumerate() {
        let class = match token.kind {
            _ if token.doc => continue,
            Kind::Doc | Kind::End => continue,
            Kind::Word if is_keyword(source.str(at)) || is_everywhere(source.str(at)) => {
                TokenClass::Keyword
            }
            Kind::Word | Kind::Literal | Kind::Lifetime => TokenClass::Word,
            Kind::Punct | Kind::Open | Kind::Close => TokenClass::Mark,
        };
        out.push(Token { text: source.str(at), class });
    }
    out
}

/// Names of the prelude and the like that are in any function, and so say as little as keywords.
fn is_everywhere(word: &str) -> bool {
    matches!(
        word,
        "Ok" | "Err"
            | "Some"
            | "None"
            | "Option"
            | "Result"
            | "Vec"
            | "String"
            | "Box"
            | "str"
            | "bool"
            | "union"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_code() {
        let tokens = code_tokens("/// Doc.\nfn a() -> u8 { /* x */ 1 + 'c' as u8 } // end");
        let text: Vec<&str> = tokens.iter().map(|t| t.text).collect();
        assert_eq!(text.join(" "), "fn a ( ) - > u8 { 1 + 'c' as u8 }");
        assert_eq!(tokens[0].class, TokenClass::Keyword);
        assert_eq!(tokens[1].class, TokenClass::Word);
        assert_eq!(tokens[2].class, TokenClass::Mark);
    }
}
