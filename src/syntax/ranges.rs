//! Ranges that an editor folds and selects, as far as the text shows them. Broken texts have them too.

use tree_sitter::{Node, TreeCursor};

use super::query::parse;

/// A range that can be folded.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Block {
    /// First byte, and the one of its last line.
    pub start: u32,
    pub end: u32,
    /// `comment`, `imports`, or nothing.
    pub kind: Option<&'static str>,
}

/// Everything of a text that can be folded, in no order.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let Some(tree) = parse(text.as_bytes()) else { return found };
    let mut run: Option<(Block, usize)> = None;
    each(tree.walk(), |node| {
        let kind = match node.kind() {
            "use_declaration" => Some("imports"),
            "line_comment" | "attribute_item" => Some("comment"),
            _ => None,
        };
        let (start, end) = (node.start_byte() as u32, node.end_byte() as u32);
        // Lines of one kind, one below the other, are one block.
        if kind.is_some() {
            let row = node.start_position().row;
            // The text of a documentation comment has its line break.
            let last = text.get(..end as usize).map_or(end, |t| t.trim_end().len() as u32);
            match &mut run {
                Some((block, below)) if block.kind == kind && row <= *below => {
                    block.end = last;
                    *below = node.end_position().row + 1;
                }
                _ => {
                    found.extend(run.take().map(|(block, _)| block));
                    run = Some((Block { start, end: last, kind }, node.end_position().row + 1));
                }
            }
            return;
        }
        match node.kind() {
            "block_comment" => found.push(Block { start, end, kind: Some("comment") }),
            "block"
            | "declaration_list"
            | "field_declaration_list"
            | "enum_variant_list"
            | "match_block"
            | "field_initializer_list"
            | "arguments"
            | "parameters"
            | "array_expression"
            | "use_list"
            | "token_tree" => {
                // The line of the closing bracket stays.
                let inside = text.get(start as usize..end.saturating_sub(1) as usize);
                let last = inside.map_or(end, |inside| start + inside.trim_end().len() as u32);
                found.push(Block { start, end: last, kind: None });
            }
            _ => {}
        }
    });
    found.extend(run.map(|(block, _)| block));
    found
}

/// The ranges around a byte that the grammar knows, the innermost first.
pub fn nodes_around(text: &str, byte: u32) -> Vec<(u32, u32)> {
    let Some(tree) = parse(text.as_bytes()) else { return Vec::new() };
    let mut node: Option<Node<'_>> =
        tree.root_node().descendant_for_byte_range(byte as usize, byte as usize);
    let mut found = Vec::new();
    while let Some(one) = node {
        let range = (one.start_byte() as u32, one.end_byte() as u32);
        if found.last() != Some(&range) {
            found.push(range);
        }
        node = one.parent();
    }
    found
}

/// Visits all nodes, parents first.
fn each<'t>(mut cursor: TreeCursor<'t>, mut visit: impl FnMut(Node<'t>)) {
    loop {
        visit(cursor.node());
        if cursor.goto_first_child() || cursor.goto_next_sibling() {
            continue;
        }
        loop {
            if !cursor.goto_parent() {
                return;
            }
            if cursor.goto_next_sibling() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_folded_without_their_last_line() {
        let text = "use a;\nuse b;\n\n/// c\n/// d\nfn f() {\n    g(\n        1,\n    );\n}\n";
        let lines = |at: u32| text.get(..at as usize).unwrap().matches('\n').count();
        let mut found: Vec<_> = blocks(text)
            .iter()
            .map(|one| (lines(one.start), lines(one.end), one.kind))
            .filter(|(first, last, _)| first < last)
            .collect();
        found.sort_unstable();
        let expected =
            [(0, 1, Some("imports")), (3, 4, Some("comment")), (5, 8, None), (6, 7, None)];
        assert_eq!(found, expected);
    }

    #[test]
    fn broken_texts_have_ranges_too() {
        assert!(!blocks("fn f() {\n    g(\n").is_empty());
        let around = nodes_around("fn f() { 1 + 2 }", 9);
        assert_eq!(around[..2], [(9, 10), (9, 14)]);
    }
}
