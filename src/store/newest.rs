//! `@ 'NOW'` in an ad-hoc script means the newest revision. To the engine it is the clock's time,
//! which may be before the newest revision.

use std::borrow::Cow;

use super::scan::{Scanner, Token};

const CLOCK: &str = "NOW";
/// Of the same length, so that positions in messages are those of the script.
const NEWEST: &str = "END";

/// The script with every `@ 'NOW'` replaced by one that means the newest versions.
pub(super) fn replace_now(script: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(script);
    let mut scanner = Scanner::new(script);
    let mut asks = false;
    // The guard refuses invalid tokens.
    while let Ok(Some((start, token))) = scanner.next_token() {
        match token {
            Token::Char('@') => asks = true,
            Token::Open('(') if asks => {}
            Token::Str(CLOCK) if asks => {
                // After the quote.
                let place = start + 1..start + 1 + CLOCK.len();
                if script.get(place.clone()) == Some(CLOCK) {
                    text.to_mut().replace_range(place, NEWEST);
                }
                asks = false;
            }
            _ => asks = false,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::replace_now;

    #[test]
    fn only_moments_are_meant() {
        assert_eq!(replace_now("?[id] := *node{id @ 'NOW'}"), "?[id] := *node{id @ 'END'}");
        assert_eq!(
            replace_now(r#"*a{x @"NOW"}, *b{y @ ('NOW')}"#),
            r#"*a{x @"END"}, *b{y @ ('END')}"#
        );
        for same in ["?[a] := a = 'NOW'", "# @ 'NOW'\n?[a] <- [['@ NOW']]", "@ 'now'", "@ $at"] {
            assert_eq!(replace_now(same), same);
        }
    }
}
