//! Positions of new items, and the separators between them and their neighbours.

use super::error::EditError;
use super::fit::{deeper, fit, indent_at};
use super::view::FileView;
use asof_model::{ItemFacts, NodeKind, OrNever};
use asof_wire::Position;

/// Byte at which to insert the code, and the code with its separators.
pub fn insertion(
    view: &FileView<'_>,
    index: u32,
    anchor: &str,
    position: Position,
    code: &str,
) -> Result<(u32, String), EditError> {
    let Some(item) = view.item(index) else { return Ok((0, String::new())) };
    let refuse = || EditError::NoChildren { anchor: anchor.to_owned(), kind: item.kind };
    match position {
        Position::Before | Position::After if index == 0 => Err(EditError::Malformed {
            reason: format!(
                "`{anchor}` is a file, which has no siblings: use `first_child` or `last_child`"
            ),
        }),
        Position::Before => Ok(before(view, item, code)),
        Position::After => Ok(after(view, item, code)),
        Position::FirstChild | Position::LastChild if !takes_children(item.kind) => Err(refuse()),
        Position::FirstChild | Position::LastChild => {
            let own = view.children(index).filter(|(_, child)| !child.in_body || item.in_body);
            let near = match position {
                Position::FirstChild => own.min_by_key(|(_, child)| child.span.start_byte),
                _ => own.max_by_key(|(_, child)| child.span.start_byte),
            };
            match (near, position) {
                (Some((_, child)), Position::FirstChild) => Ok(before(view, child, code)),
                (Some((_, child)), _) => Ok(after(view, child, code)),
                (None, _) => only(view, index, code).ok_or_else(refuse),
            }
        }
    }
}

fn takes_children(kind: NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Module
            | NodeKind::Impl
            | NodeKind::Trait
            | NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::ForeignMod
            | NodeKind::Variant
    )
}

fn is_member(kind: NodeKind) -> bool {
    matches!(kind, NodeKind::Field | NodeKind::Variant)
}

/// Whether items of this kind are on their own lines without blank lines around.
fn is_dense(kind: NodeKind) -> bool {
    is_member(kind) || matches!(kind, NodeKind::Import | NodeKind::ExternCrate)
}

/// Line breaks between the code and its neighbour: one blank line, but none between members and
/// between declarations of one line.
fn gap(neighbour: &ItemFacts, code: &str, newline: &str) -> String {
    let code = code.trim();
    let line = !code.contains('\n');
    let one_line = neighbour.span.start_line == neighbour.span.end_line;
    let same = |words: &[&str]| {
        let words_of = |text: &str| words.iter().any(|word| text.starts_with(word));
        let head = code.trim_start_matches("pub ");
        line && one_line && words_of(head)
    };
    let dense = match neighbour.kind {
        kind if is_member(kind) => true,
        kind if is_dense(kind) => same(&["use ", "extern crate ", "pub(crate) use "]),
        NodeKind::Module => same(&["mod "]),
        NodeKind::Const | NodeKind::AssocConst | NodeKind::Static => same(&["const ", "static "]),
        NodeKind::AssocType | NodeKind::TypeAlias => same(&["type "]),
        _ => false,
    };
    if dense { newline.to_owned() } else { newline.repeat(2) }
}

fn before(view: &FileView<'_>, item: &ItemFacts, code: &str) -> (u32, String) {
    let indent = indent_at(view.text, item.span.start_byte);
    let at = above_comments(view, item.span.start_byte);
    let newline = view.newline();
    let mut text = fit(code, indent, newline);
    if is_member(item.kind) {
        text = format!("{},", text.trim_end_matches(','));
        if shares_line(view, item.span.start_byte) {
            return (at, format!("{text} "));
        }
    }
    (at, format!("{text}{}{indent}", gap(item, code, newline)))
}

fn after(view: &FileView<'_>, item: &ItemFacts, code: &str) -> (u32, String) {
    let indent = indent_at(view.text, item.span.start_byte);
    let newline = view.newline();
    let text = fit(code, indent, newline);
    let end = item.span.end_byte;
    if is_member(item.kind) {
        let text = text.trim_end_matches(',');
        let comma = match view.scan.token_behind(end) {
            Some((range, b',')) => Some(range.end),
            _ => None,
        };
        let same_line = shares_line(view, item.span.start_byte);
        let separator = if same_line { " ".to_owned() } else { format!("{newline}{indent}") };
        return match comma {
            Some(behind) => {
                let at = if same_line { behind } else { behind_comment(view, behind) };
                (at, format!("{separator}{text},"))
            }
            None if same_line => (end, format!(",{separator}{text}")),
            // The comma must come before a comment on the same line.
            None => (end, format!(",{separator}{text}")),
        };
    }
    let at = behind_comment(view, end);
    (at, format!("{}{indent}{text}", gap(item, code, newline)))
}

/// The first child of a container.
fn only(view: &FileView<'_>, index: u32, code: &str) -> Option<(u32, String)> {
    let item = view.item(index)?;
    let parts = view.anatomy(index);
    let newline = view.newline();
    if index == 0 {
        let at = parts.first_child?;
        let at = behind_comment(view, at);
        let rest =
            view.text.get(at as usize..).or_never("a place in a text lies between characters");
        let code = fit(code, "", newline);
        let empty = parts.docs.is_empty() && at == parts.inside.as_ref()?.start;
        return Some(if empty {
            (at, format!("{code}{newline}"))
        } else {
            let end = if rest.trim().is_empty() { "" } else { newline };
            (at, format!("{newline}{newline}{code}{end}"))
        });
    }
    let at = parts.first_child?;
    let inside = parts.inside?;
    let indent = indent_at(view.text, item.span.start_byte);
    let inner = deeper(indent);
    let mut code = fit(code, &inner, newline);
    let members = [NodeKind::Struct, NodeKind::Enum, NodeKind::Union, NodeKind::Variant];
    if members.contains(&item.kind) {
        code = format!("{},", code.trim_end_matches(','));
    }
    let rest = view.slice(at, inside.end);
    // Comments stay; a closing brace goes on its own line.
    let tail = if rest.contains('\n') { String::new() } else { format!("{newline}{indent}") };
    Some((at, format!("{newline}{inner}{code}{tail}")))
}

/// Whether something is before this byte on its line.
fn shares_line(view: &FileView<'_>, byte: u32) -> bool {
    let before =
        view.text.get(..byte as usize).or_never("a place in a text lies between characters");
    let line = before.rsplit('\n').next().unwrap_or_default();
    !line.trim().is_empty()
}

/// The start of the comment lines directly above, which belong to the next item, without leading
/// spaces.
pub(super) fn above_comments(view: &FileView<'_>, byte: u32) -> u32 {
    if shares_line(view, byte) {
        return byte;
    }
    let before =
        view.text.get(..byte as usize).or_never("a place in a text lies between characters");
    let mut at = byte;
    let mut end = before.rfind('\n').map_or(0, |at| at + 1);
    while let Some(above) = before.get(..end).and_then(|text| text.strip_suffix('\n')) {
        let start = above.rfind('\n').map_or(0, |at| at + 1);
        let line = above.get(start..).unwrap_or_default();
        let comment = line.trim_start();
        let plain = comment.starts_with("//")
            && !comment.starts_with("//!")
            && (!comment.starts_with("///") || comment.starts_with("////"));
        // A comment inside a token is part of that token.
        let outside = view.scan.token_before(at).is_none_or(|(range, _)| range.end <= start as u32);
        if !plain || !outside {
            break;
        }
        at = (start + line.len() - comment.len()) as u32;
        end = start;
    }
    at
}

/// After a comment that follows on the same line, if only a comment does.
pub(super) fn behind_comment(view: &FileView<'_>, byte: u32) -> u32 {
    let rest = view.text.get(byte as usize..).or_never("a place in a text lies between characters");
    let line = rest.split('\n').next().unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let comment = line.trim_start();
    if comment.starts_with("//") && !comment.starts_with("///") {
        byte + line.len() as u32
    } else {
        byte
    }
}
