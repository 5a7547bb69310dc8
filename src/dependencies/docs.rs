//! Code in documentation: what rustdoc compiles as tests (The rustdoc book, "Documentation tests").

/// Words of a fence that say that its block is not compiled, or that it is no Rust.
const RUST: [&str; 8] = [
    "rust", "should_panic", "no_run", "compile_fail", "edition2015", "edition2018", "edition2021",
    "edition2024",
];

/// The text of the code blocks of a documentation comment or a Markdown document, without the marks
/// of hidden lines.
pub fn code_blocks(markdown: &str) -> String {
    let mut code = String::new();
    let mut fence: Option<(char, usize, bool)> = None;
    for line in markdown.lines() {
        let plain = line.trim_start();
        let mark = plain.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| plain.chars().take_while(|c| *c == mark).count());
        match fence {
            None if length >= 3 => {
                let info = plain.trim_start_matches(['`', '~']);
                fence = mark.map(|mark| (mark, length, is_rust(info)));
            }
            Some((open, least, _)) if mark == Some(open) && length >= least => fence = None,
            Some((_, _, true)) => push_line(&mut code, plain),
            Some(_) => {}
            // Indented blocks are tests, too.
            None if line.starts_with("    ") || line.starts_with('\t') => {
                push_line(&mut code, plain)
            }
            None => {}
        }
    }
    code
}

fn push_line(code: &mut String, line: &str) {
    let shown = line.strip_prefix("# ").or_else(|| line.strip_prefix("##"));
    code.push_str(shown.unwrap_or(if line == "#" { "" } else { line }));
    code.push('\n');
}

/// Whether the words behind a fence leave a block of Rust that is compiled.
fn is_rust(info: &str) -> bool {
    let words = || info.split([',', ' ', '{', '}', '.']).map(str::trim).filter(|w| !w.is_empty());
    !words().any(|word| word == "ignore" || word.starts_with("ignore-"))
        && words().all(|word| RUST.contains(&word) || is_error_code(word))
}

fn is_error_code(word: &str) -> bool {
    let digits = word.strip_prefix('E');
    digits.is_some_and(|digits| digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_compiled() {
        let text = "Text a::b\n```\nuse a;\n# use hidden;\n```\n```text\nuse no;\n```\n~~~no_run\nuse b;\n~~~\n\
                    ```rust,ignore\nuse no;\n```\n```rust,E0277,compile_fail\nuse c;\n```\n\n    use d;\n";
        assert_eq!(code_blocks(text), "use a;\nuse hidden;\nuse b;\nuse c;\nuse d;\n");
    }
}
