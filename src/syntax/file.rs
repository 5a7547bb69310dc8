//! The facts of one file, from whichever parser its text needs.

use super::build::{self, Builder};
use super::normal_names::NormalNames;
use super::source::Source;
use super::strict::walk_file;
use super::{depth, recover};
use asof_model::{FileFacts, Issue, IssueKind, RawHash, Span, TrackingHash};

/// Files with more bytes than this are not parsed: 8 MiB. No hand-written file is as large, and
/// byte offsets, tree and stack stay bounded.
pub const MAX_FILE_BYTES: usize = 8 << 20;

/// Stack that [`parse_file`] expects of its thread: 512 MiB, reserved but not touched unless a
/// text nests that deep. Parsers, visitors and destructors of trees recurse; texts that would
/// need more are refused before they are parsed.
pub const STACK_BYTES: usize = 512 << 20;

/// Places in one file that are told to nest too deeply.
const MAX_DEEP_ISSUES: usize = 100;

/// The facts of one file. `path` is only copied into the result.
///
/// Runs on a thread with a stack of [`STACK_BYTES`]: build the pool with
/// `ThreadPoolBuilder::stack_size(STACK_BYTES)`, or call [`parse_file_isolated`].
///
/// A text that does not parse gives what a tolerant parser finds, [`FileFacts::partial`], and an
/// issue. Of a text that nests too deeply, the items that do not are known, and issues say where the
/// others are. A text that is not UTF-8 or too large gives an issue and item 0 alone, and
/// `token_hash` is that of the bytes.
pub fn parse_file(path: &str, bytes: &[u8]) -> FileFacts {
    parse(path, bytes, recover::items)
}

/// [`parse_file`] on a thread of its own that has the stack for it; none of a text that does not parse,
/// for which its items are not looked for.
pub fn parse_whole(path: &str, bytes: &[u8]) -> Option<FileFacts> {
    with_large_stack(|| parse(path, bytes, |_| {})).filter(|facts| !facts.partial)
}

/// `recover` finds the items of a text that does not parse.
fn parse(path: &str, bytes: &[u8], recover: impl FnOnce(&mut Builder<'_>)) -> FileFacts {
    if bytes.len() > MAX_FILE_BYTES {
        let message = format!("{} bytes; files above {MAX_FILE_BYTES} are not parsed", bytes.len());
        return opaque(path, bytes, IssueKind::TooLarge, message, None);
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let line = 1 + bytes.iter().take(at).filter(|b| **b == b'\n').count() as u32;
            let message = format!("not UTF-8 from byte {at} on");
            let (start, end) = (at as u32, bytes.len().min(at + 1) as u32);
            let span = Span { start_byte: start, end_byte: end, start_line: line, end_line: line };
            return opaque(path, bytes, IssueKind::NotUtf8, message, Some(span));
        }
    };
    let normal = NormalNames::read(text);
    let source = Source::with_names(text, &normal);
    let mut builder = Builder::new(&source);
    let mut issues = Vec::new();
    let mut partial = false;
    let issue = |kind, message: String, span| Issue {
        file_path: path.to_owned(),
        kind,
        message,
        span: Some(span),
    };
    if let Some(first) = depth::too_deep(&source, 0..source.tokens.len()) {
        partial = true;
        let mut deep = recover::shallow_items(&mut builder);
        if deep.is_empty() {
            deep.push(first);
        }
        deep.truncate(MAX_DEEP_ISSUES);
        for at in deep {
            let message = "nested too deeply to be parsed".to_owned();
            issues.push(issue(IssueKind::TooDeep, message, source.span(at, at + 1)));
        }
    } else {
        if let Err(error) = walk_file(&mut builder) {
            partial = true;
            let span = source.span(error.start, error.end.max(error.start));
            issues.push(issue(IssueKind::Syntax, error.message, span));
            recover(&mut builder);
        }
        if builder.too_deep {
            let message = format!(
                "items nested deeper than {} levels are not recognised",
                build::MAX_ITEM_DEPTH
            );
            issues.push(issue(IssueKind::TooDeep, message, source.span(0, 0)));
        }
        if builder.too_many {
            let message =
                format!("more than {} items; the rest is not recognised", build::MAX_ITEMS);
            issues.push(issue(IssueKind::TooLarge, message, source.span(0, 0)));
        }
    }
    let (items, uses, token_hash) = builder.finish();
    FileFacts {
        path: path.to_owned(),
        raw_hash: RawHash::hash(bytes),
        token_hash,
        len: bytes.len() as u32,
        lines: source.line_count(),
        partial,
        items,
        uses,
        issues,
    }
}

/// [`parse_file`] on a thread of its own that has the stack for it.
pub fn parse_file_isolated(path: &str, bytes: &[u8]) -> FileFacts {
    with_large_stack(|| parse_file(path, bytes)).unwrap_or_else(|| {
        let message = "not enough memory for the parser's stack".to_owned();
        opaque(path, bytes, IssueKind::Unreadable, message, None)
    })
}

/// Runs `f` on a thread with a stack of [`STACK_BYTES`]. `None` if there can be no such thread.
pub fn with_large_stack<T: Send>(f: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, f);
        thread.ok()?.join().ok()
    })
}

/// Facts of a file whose text is not parsed.
fn opaque(
    path: &str,
    bytes: &[u8],
    kind: IssueKind,
    message: String,
    span: Option<Span>,
) -> FileFacts {
    let breaks = bytes.iter().filter(|b| **b == b'\n').count() as u32;
    let open = bytes.last().is_some_and(|b| *b != b'\n');
    let lines = breaks + u32::from(open);
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let mut file = build::empty_item();
    file.span = Span { start_byte: 0, end_byte: len, start_line: 1, end_line: lines.max(1) };
    file.tracking_hash = TrackingHash::hash(bytes);
    file.header = asof_model::Header::Module {
        inline: false,
        path: None,
        cfg_path: Vec::new(),
        macro_use: false,
    };
    FileFacts {
        path: path.to_owned(),
        raw_hash: RawHash::hash(bytes),
        token_hash: file.tracking_hash,
        len,
        lines,
        partial: true,
        items: vec![file],
        uses: asof_model::FileUses::default(),
        issues: vec![Issue { file_path: path.to_owned(), kind, message, span }],
    }
}
