//! Parses the expansion of a macro call as items.

use super::fragment::{Cursor, tokens};
use super::macro_rules::text_of;
use asof_model::{ItemTree, MadeItem, NodeKind};

/// The items in what a call expands to.
pub fn read_expansion(text: &str, within: NodeKind) -> Vec<(Option<u32>, MadeItem)> {
    let Expanded { text, around, blocks } = Expanded::parse(text, within);
    if text.is_empty() {
        return Vec::new();
    }
    let facts = asof_syntax::parse_file("", text.as_bytes());
    let trees = ItemTree::from_facts(&facts).items.into_iter();
    let made = facts.items.iter().zip(trees).skip(around as usize);
    let mut all: Vec<(Option<u32>, MadeItem)> = made
        .map(|(facts, tree)| (tree.parent.checked_sub(around), MadeItem::new(facts, tree)))
        .collect();
    let holders = all.iter().enumerate().filter(|(_, (_, one))| one.item.sig == BLOCK_SIG);
    let holders: Vec<u32> = holders.map(|(at, _)| at as u32).collect();
    for (holder, block) in holders.into_iter().zip(blocks) {
        let facts = asof_syntax::parse_file("", block.as_bytes());
        let trees = ItemTree::from_facts(&facts).items.into_iter();
        // The first item is the file.
        let first = all.len() as u32;
        for (facts, mut tree) in facts.items.iter().zip(trees).skip(1) {
            let parent = tree.parent.checked_sub(1).map_or(holder, |parent| first + parent);
            tree.in_body = true;
            all.push((Some(parent), MadeItem::new(facts, tree)));
        }
    }
    all
}

/// Type of the constant that stands for one whose block was taken out, and its signature.
const BLOCK: &str = "__Block";
const BLOCK_SIG: &str = "=__Block";

/// What a call expands to, as texts of files.
pub(super) struct Expanded {
    pub text: String,
    /// The number of items around the first one.
    pub around: u32,
    /// The blocks of `const _: () = { … };`, which hide names: calls in them make items, too.
    pub blocks: Vec<String>,
}

/// What items are put into to be parsed where they are.
pub(super) struct Surroundings {
    pub before: &'static str,
    pub after: &'static str,
    /// How many items a parser finds before those that are put into it.
    pub items: u32,
}

pub(super) fn surroundings(within: NodeKind) -> Surroundings {
    match within {
        NodeKind::Impl => Surroundings { before: "impl X { ", after: " }", items: 2 },
        NodeKind::Trait => Surroundings { before: "trait X { ", after: " }", items: 2 },
        _ => Surroundings { before: "", after: "", items: 1 },
    }
}

impl Expanded {
    pub(super) fn parse(text: &str, within: NodeKind) -> Self {
        let (rest, blocks) = if text.contains("const _") {
            without_blocks(text)
        } else {
            (text.to_owned(), Vec::new())
        };
        let Surroundings { before, after, items } = surroundings(within);
        Expanded { text: format!("{before}{rest}{after}"), around: items, blocks }
    }
}

/// Takes unnamed constants out of a text, and returns the blocks that are their values.
fn without_blocks(text: &str) -> (String, Vec<String>) {
    let tokens = tokens(text);
    let mut at = Cursor::new(&tokens);
    let (mut rest, mut blocks) = (String::new(), Vec::new());
    while !at.done() {
        let start = at.at;
        at.attributes();
        if at.take("const") && at.take("_") {
            while !at.done() && !at.take("=") && !at.is(";") {
                at.next();
            }
            if let Some(("{", inside)) = at.group_with_bracket()
                && at.take(";")
            {
                rest.push_str(&format!("const _: {BLOCK} = (); "));
                blocks.push(text_of(inside));
                continue;
            }
            // It makes nothing that others see.
            at.at = start;
            at.item_end();
            continue;
        }
        at.at = start;
        at.item_end();
        if at.at == start {
            at.next();
        }
        rest.push_str(&text_of(tokens.get(start..at.at).unwrap_or_default()));
        rest.push(' ');
    }
    (rest, blocks)
}
