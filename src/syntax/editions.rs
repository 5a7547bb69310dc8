//! Texts of edition 2015, in which `async`, `await`, `dyn` and `try` are ordinary names: syn reads
//! every text as of a later edition.

use super::lexer::Kind;
use super::source::Source;

/// The text with each such name replaced by another of the same length, so that all places stay;
/// none if there is no such name.
pub(super) fn without_later_keywords(source: &Source<'_>) -> Option<String> {
    let mut text = source.text.as_bytes().to_vec();
    let mut found = false;
    for at in 0..source.tokens.len() {
        let stand_in: &[u8] = match source.word(at) {
            "async" => b"asyn_",
            "await" => b"awai_",
            "dyn" => b"dy_",
            "try" => b"tr_",
            _ => continue,
        };
        let token = source.token(at);
        if !is_name(source, at) || (token.end - token.start) as usize != stand_in.len() {
            continue;
        }
        if let Some(place) = text.get_mut(token.start as usize..token.end as usize) {
            place.copy_from_slice(stand_in);
            found = true;
        }
    }
    found.then(|| String::from_utf8(text).ok()).flatten()
}

/// Whether a word stands where a keyword of a later edition cannot.
fn is_name(source: &Source<'_>, at: usize) -> bool {
    let next = |byte| source.is(at + 1, byte);
    let before = at.checked_sub(1).map_or("", |before| source.word(before));
    let is_declared = matches!(before, "fn" | "let" | "mod" | "struct" | "mut" | "const" | "use");
    let is_segment = at >= 2 && source.is_op(at - 2, b"::") || source.is_op(at + 1, b"::");
    let follows_dot = at > 0 && source.is(at - 1, b'.');
    match source.word(at) {
        "await" => !follows_dot || next(b'('),
        // `dyn (Trait)` follows what a type can follow.
        "dyn" => {
            let in_type = at > 0
                && [b'<', b'&', b':', b'>', b'(', b','].iter().any(|byte| source.is(at - 1, *byte));
            is_declared || is_segment || follows_dot || !in_type && next(b'(')
        }
        "try" => is_declared || is_segment || follows_dot || next(b'(') || next(b'!'),
        _ => {
            let begins_code = source.token(at + 1).kind == Kind::Word || next(b'{') || next(b'|');
            is_declared || is_segment || follows_dot || !begins_code
        }
    }
}
