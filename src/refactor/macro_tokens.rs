//! Tokens of macro calls that are not read as code: labels in them, and operands of assembly.

use proc_macro2::TokenStream;
use proc_macro2::TokenTree::{self, Group, Ident, Literal, Punct};

use super::bindings::{Items, Space};
use super::locals::{Walker, bare, start};

impl Items<'_> {
    /// Tokens of a macro call. Labels in them are the caller's (Rust reference, "Hygiene").
    pub fn tokens(&mut self, tokens: TokenStream) {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let mark = |at: Option<usize>| match at.and_then(|at| all.get(at)) {
            Some(Punct(mark)) => Some(mark.as_char()),
            _ => None,
        };
        let is_word = |at: Option<usize>, words: &[&str]| match at.and_then(|at| all.get(at)) {
            Some(Ident(word)) => words.iter().any(|one| word == one),
            _ => false,
        };
        self.within(|items| {
            for (at, token) in all.iter().enumerate() {
                let before = mark(at.checked_sub(1));
                match token {
                    Group(group) => items.tokens(group.stream()),
                    Ident(ident) if before == Some('\'') => {
                        let (name, start) =
                            (format!("'{}", bare(ident)), start(ident).saturating_sub(1));
                        let is_block = matches!(all.get(at + 2), Some(Group(_)))
                            || is_word(Some(at + 2), &["loop", "while", "for"]);
                        if is_word(at.checked_sub(2), &["break", "continue"]) {
                            items.used_in(Space::Label, &name, start, false);
                        } else if mark(Some(at + 1)) == Some(':') && is_block {
                            items.walker.insert(start, name.clone(), start, false);
                            items.scope.push((Space::Label, name, start));
                        } else {
                            items.used(&name, start, false);
                        }
                    }
                    Ident(ident) if !matches!(before, Some('.' | ':')) => {
                        items.used(&bare(ident), start(ident), false);
                    }
                    _ => {}
                }
            }
        });
    }
}

impl Walker<'_> {
    /// Assembly: its texts name its operands, and no variables (Rust reference, "Inline assembly").
    pub fn assembly(&mut self, tokens: TokenStream) {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let is_mark = |token: &TokenTree, wanted: char| match token {
            Punct(mark) => mark.as_char() == wanted,
            _ => false,
        };
        let (mut texts, mut operands) = (Vec::new(), Vec::new());
        for argument in all.split(|token| is_mark(token, ',')) {
            match argument {
                [Literal(text)] => texts.push(text.clone()),
                [Ident(name), equals, rest @ ..] if is_mark(equals, '=') => {
                    self.note(name, Some(start(name)), true);
                    operands.push((bare(name), start(name)));
                    self.tokens(rest.iter().cloned().collect());
                }
                rest => self.tokens(rest.iter().cloned().collect()),
            }
        }
        let variables = std::mem::replace(&mut self.scope, operands);
        for text in texts {
            if let Ok(mut literal) = syn::parse_str::<syn::LitStr>(&text.to_string()) {
                literal.set_span(text.span());
                self.captured(&literal, &[], true);
            }
        }
        self.scope = variables;
    }
}

#[cfg(test)]
mod tests {
    use super::super::bindings::tests::check;

    #[test]
    fn labels_in_tokens_are_those_around() {
        check(
            "fn f<'a>(x: &'a u8) { ^'a: loop { m!(continue 'a); n!(y: &'a u8); } }",
            "fn f<'a>(x: &'a u8) { ['a]: loop { m!(continue ['a]); n!(y: &'a u8); } }",
        );
        check(
            "fn f() { ^'a: loop { m! { if x { 'a: loop { break 'a } } else { break 'a } } } }",
            "fn f() { ['a]: loop { m! { if x { 'a: loop { break 'a } } else { break ['a] } } } }",
        );
        check(
            "fn f() { loop { m!(^'b: { break 'b; }); } }",
            "fn f() { loop { m!(['b]: { break ['b]; }); } }",
        );
    }

    #[test]
    fn operands_of_assembly_are_names_of_their_own() {
        check(
            "fn f(x: u8) { asm!(\"mov {x}, {y:e}\", ^x = in(reg) x, y = const 0); x }",
            "fn f(x: u8) { asm!(\"mov {[x]}, {y:e}\", [x] = in(reg) x, y = const 0); x }",
        );
        check(
            "fn f(^x: u8) { asm!(\"mov {x}, {0}\", x = in(reg) x, in(reg) x); x }",
            "fn f([x]: u8) { asm!(\"mov {x}, {0}\", x = in(reg) [x], in(reg) [x]); [x] }",
        );
        check(
            "fn f(^x: u8) { asm!(\"mov {x}\", in(reg) x); }",
            "fn f([x]: u8) { asm!(\"mov {x}\", in(reg) [x]); }",
        );
    }
}
