//! Puts what the other process recorded and what the edit says into one order: there must be one
//! in which every change starts from what the change before it left.

use asof_model::RawHash;

use super::content::{Content, Event};

/// What an edit says of one file: hashes before and after; none for no file.
pub type Step = (Option<RawHash>, Option<RawHash>);

/// The content that an edit found and the content that it left.
pub type Pair = (Content, Content);

pub fn is(content: &Content, hash: Option<RawHash>) -> bool {
    match content {
        Content::Gone => hash.is_none(),
        Content::Bytes(bytes) => hash == Some(RawHash::hash(bytes)),
        Content::Link(_) | Content::Folder => false,
    }
}

/// What the edit found and left, if there was one, in an order that explains everything; an
/// error if no order does.
pub fn order(
    first: &Content,
    events: &[&Event],
    step: Option<Step>,
    last: &Content,
) -> Result<Option<Pair>, ()> {
    let Some(step) = step else {
        let mut state = first;
        for event in events {
            if event.from != *state {
                return Err(());
            }
            state = &event.to;
        }
        return if state == last { Ok(None) } else { Err(()) };
    };
    // The edit between any two changes.
    let mut state = first.clone();
    for at in 0..=events.len() {
        if is(&state, step.1) && step.0 == step.1 {
            return Err(());
        }
        if is(&state, step.0)
            && let Some(after) = behind(&events[at..], step, last)
        {
            return Ok(Some((state, after)));
        }
        match events.get(at) {
            Some(event) if event.from == state => state = event.to.clone(),
            _ => return Err(()),
        }
    }
    Err(())
}

/// What the edit left, if the changes after it start from that. A change of an open file may
/// have gone to the file that the edit had replaced.
fn behind(events: &[&Event], step: Step, last: &Content) -> Option<Content> {
    fn lost(event: &Event) -> bool {
        event.in_place
    }
    // Changes that went nowhere come first: the rest starts from what the edit left.
    for skipped in 0..=events.len() {
        let (gone, rest) = events.split_at(skipped);
        if !gone.iter().all(|event| lost(event)) {
            return None;
        }
        let after = rest.first().map_or(last, |event| &event.from);
        if !is(after, step.1) {
            continue;
        }
        let mut state = after;
        let mut fits = true;
        for event in rest {
            fits &= event.from == *state;
            state = &event.to;
        }
        if fits && state == last {
            return Some(after.clone());
        }
    }
    None
}
