//! Says in words how two normal forms differ.

use super::identities::State;
use super::sides::{Both, Sides};
use crate::error::EngineError;
use asof_review::{Difference, Identity, Meaning, Token};
use asof_wire::ReadReason;

/// Characters of a text that a reason quotes.
const QUOTED: usize = 60;

/// The reason of a difference, and what differs.
pub(super) fn explain(
    sides: &mut Sides<'_>,
    both: &Both<'_>,
    one: &Difference,
) -> Result<(ReadReason, String), EngineError> {
    let (old, new) = (&both.old.form, &both.new.form);
    let before = old.tokens.get(one.old.clone()).unwrap_or_default();
    let after = new.tokens.get(one.new.clone()).unwrap_or_default();
    let (was, is) = (shortened(old.source(&one.old)), shortened(new.source(&one.new)));
    if let ([a], [b]) = (before, after)
        && let Some((a, b)) = meanings(a).zip(meanings(b))
    {
        let (a, b) = (labels(sides, a)?, labels(sides, b)?);
        if a != b {
            let text = if was == is {
                format!("`{is}`")
            } else {
                format!("`{is}` in the place of `{was}`")
            };
            return Ok((ReadReason::Meaning, format!("{text} means {b}, and meant {a}")));
        }
        if was != is {
            let what =
                format!("`{is}` in the place of `{was}`, which are not resolved with certainty");
            return Ok((ReadReason::Uncertain, what));
        }
        return Ok((ReadReason::Meaning, format!("`{is}` is used in another way")));
    }
    if was == is {
        let what = if was.is_empty() {
            "an operator or a coercion calls something else".to_owned()
        } else {
            format!("`{is}` means something else")
        };
        return Ok((ReadReason::Meaning, what));
    }
    let what = match (was.is_empty(), is.is_empty()) {
        (true, _) => format!("`{is}` is new"),
        (_, true) => format!("`{was}` is gone"),
        _ => format!("`{is}` in the place of `{was}`"),
    };
    Ok((ReadReason::Code, what))
}

fn meanings(token: &Token) -> Option<&[Meaning]> {
    match token {
        Token::Name(meanings) | Token::Unsure(_, meanings) => Some(meanings),
        _ => None,
    }
}

/// How meanings are called.
fn labels(sides: &mut Sides<'_>, all: &[Meaning]) -> Result<String, EngineError> {
    let mut found = Vec::new();
    for one in all {
        let label = match one.target {
            Identity::Gone(id) => sides.old.label(id)?,
            Identity::Later(id) => {
                let known = sides.new.label(id)?;
                debug_assert_eq!(sides.new.state, State::Later);
                known
            }
        };
        let condition = one.condition.as_ref().map(|of| format!(" under {of}")).unwrap_or_default();
        found.push(format!("`{label}`{condition}"));
    }
    found.dedup();
    Ok(if found.is_empty() { "nothing that is known".to_owned() } else { found.join(" or ") })
}

/// A text in one line, cut where it is long.
pub(super) fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= QUOTED {
        line
    } else {
        line.chars().take(QUOTED).chain(['…']).collect()
    }
}
