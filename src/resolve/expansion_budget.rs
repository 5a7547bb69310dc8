//! How much the macro calls among the items of a workspace may expand to. Macros that call others three
//! at a time are written in a few hundred bytes, so each file has a limit, which grows with its calls:
//! honest use is linear.

use super::ids::FileId;
use asof_model::{HashMap, NodeKind, TreeItem};

/// Tokens that all calls of a workspace may expand to, and items that they may make.
const MAX_TOKENS: usize = 20_000_000;
const MAX_ITEMS: usize = 1_000_000;

/// The same for the calls of one file, and for each byte of these.
const TOKENS_A_FILE: usize = 500_000;
const TOKENS_A_BYTE: usize = 100;
const ITEMS_A_FILE: usize = 10_000;
const ITEMS_A_BYTE: usize = 4;

/// What the calls of a workspace may still expand to.
#[derive(Debug)]
pub(super) struct ExpansionBudget {
    all: Left,
    by_file: HashMap<FileId, Left>,
}

#[derive(Debug, Clone, Copy)]
struct Left {
    tokens: usize,
    items: usize,
}

impl Left {
    /// What the calls among the written items of a file may expand to.
    fn new(written: &[TreeItem]) -> Self {
        let calls = written.iter().filter(|item| item.kind == NodeKind::MacroCall);
        let bytes: usize = calls.map(|call| call.name.len() + call.sig.len()).sum();
        let with = |base: usize, by: usize| base.saturating_add(bytes.saturating_mul(by));
        Left { tokens: with(TOKENS_A_FILE, TOKENS_A_BYTE), items: with(ITEMS_A_FILE, ITEMS_A_BYTE) }
    }
}

impl ExpansionBudget {
    pub(super) fn new() -> Self {
        let all = Left { tokens: MAX_TOKENS, items: MAX_ITEMS };
        ExpansionBudget { all, by_file: HashMap::default() }
    }

    /// Tokens that the next call of a file may expand to; none if no more items may be made.
    pub(super) fn tokens_left(&mut self, file: FileId, written: &[TreeItem]) -> usize {
        let own = self.by_file.entry(file).or_insert_with(|| Left::new(written));
        if own.items == 0 { 0 } else { own.tokens.min(self.all.tokens) }
    }

    pub(super) fn spend(&mut self, file: FileId, tokens: usize) {
        for left in self.by_file.get_mut(&file).into_iter().chain([&mut self.all]) {
            left.tokens = left.tokens.saturating_sub(tokens);
        }
    }

    /// Whether a call may make that many items. If not, further calls of its file make none.
    pub(super) fn take_items(&mut self, file: FileId, count: usize) -> bool {
        let Some(own) = self.by_file.get_mut(&file) else { return false };
        let is_within = count <= own.items && count <= self.all.items;
        if is_within {
            own.items -= count;
            self.all.items -= count;
        } else {
            own.items = 0;
        }
        is_within
    }
}
