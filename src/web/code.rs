//! Source as markup: tokens in colours, names as links to what they mean, definitions as links to
//! their items, with the number of their users.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use asof_model::NodeId;
use asof_syntax::{Highlight, HighlightClass, highlights};
use asof_wire::{FileSource, LinkTarget, SourceItem, SourceLink};
use maud::{Markup, PreEscaped, html};

use super::address::Links;

/// Bytes of markup at most.
const BUDGET: usize = 110_000;
/// Letters of a line that are shown; longer ones are generated.
const LONGEST: usize = 2_000;

/// A part of a file as markup.
pub struct Shown {
    pub markup: Markup,
    /// The last line that is shown.
    pub last: u32,
}

/// The `wanted` lines, from 1, as far as they fit into `room` bytes, at least one. `users`: how many
/// items use each definition.
pub fn lines(
    source: &FileSource,
    users: &BTreeMap<NodeId, u32>,
    wanted: RangeInclusive<u32>,
    room: usize,
    links: &Links,
) -> Shown {
    let (first, last) = (*wanted.start(), *wanted.end());
    let room = room.min(BUDGET);
    let writer = Writer {
        links,
        targets: &source.targets,
        // Of several at one name, the first is the most certain.
        uses: source.links.iter().rev().map(|link| (link.start, link)).collect(),
        items: named(source),
        users,
    };
    let parts = highlights(&source.text);
    let mut out = String::new();
    let mut shown = first.saturating_sub(1);
    let mut begin = 0;
    for (number, line) in (1u32..).zip(source.text.split_inclusive('\n')) {
        let end = begin + line.len();
        if number > last {
            break;
        }
        if number >= first {
            let before = out.len();
            let _ = write!(out, "<span id=\"L{number}\">");
            writer.line(line, begin, &parts, &mut out);
            out.push_str("</span>");
            if out.len() > room && number > first {
                out.truncate(before);
                break;
            }
            shown = number;
        }
        begin = end;
    }
    let mut numbers = String::new();
    for number in first..=shown {
        let _ = writeln!(numbers, "{number}");
    }
    let markup = html! {
        div .source role="region" aria-label="Source" tabindex="0" data-first=(first) data-last=(shown) {
            pre .numbers aria-hidden="true" { (numbers) }
            pre .code { code { (PreEscaped(out)) } }
        }
    };
    Shown { markup, last: shown }
}

/// Definitions by where their names begin; of several at one place, the first.
fn named(source: &FileSource) -> BTreeMap<u32, &SourceItem> {
    let mut items = BTreeMap::new();
    for item in &source.items {
        let rest = source.text.get(item.name_start as usize..).unwrap_or_default();
        let rest = rest.strip_prefix("r#").unwrap_or(rest);
        // Not every item has a name at that place.
        if !item.name.is_empty() && rest.starts_with(item.name.as_str()) {
            items.entry(item.name_start).or_insert(item);
        }
    }
    items
}

struct Writer<'a> {
    links: &'a Links,
    targets: &'a [LinkTarget],
    uses: BTreeMap<u32, &'a SourceLink>,
    items: BTreeMap<u32, &'a SourceItem>,
    users: &'a BTreeMap<NodeId, u32>,
}

impl Writer<'_> {
    /// A line that begins at a byte of the text; `parts` are those of the whole text.
    fn line(&self, line: &str, begin: usize, parts: &[Highlight], out: &mut String) {
        let mut stop = line.len().min(LONGEST);
        while !line.is_char_boundary(stop) {
            stop -= 1;
        }
        let mut done = 0;
        let from = parts.partition_point(|part| part.end as usize <= begin);
        for part in parts.get(from..).unwrap_or_default() {
            let start = (part.start as usize).max(begin) - begin;
            if start >= stop {
                break;
            }
            let end = (part.end as usize - begin).min(stop);
            escape(line.get(done..start).unwrap_or_default(), out);
            self.part(line.get(start..end).unwrap_or_default(), part, out);
            done = end.max(done);
        }
        escape(line.get(done..stop).unwrap_or_default(), out);
        if stop < line.len() {
            out.push_str("<b class=\"cut\"> … the line goes on</b>\n");
        }
    }

    fn part(&self, text: &str, part: &Highlight, out: &mut String) {
        let class = match part.class {
            HighlightClass::Keyword => "k",
            HighlightClass::Lifetime => "l",
            HighlightClass::Text => "s",
            HighlightClass::Number => "n",
            HighlightClass::Comment => "c",
            HighlightClass::Doc => "d",
            HighlightClass::Name => "",
        };
        let is_word = matches!(
            part.class,
            HighlightClass::Name | HighlightClass::Keyword | HighlightClass::Lifetime
        );
        if is_word {
            if let Some(item) = self.items.get(&part.start) {
                return self.definition(text, item, out);
            }
            if let Some(link) = self.uses.get(&part.start)
                && let Some(target) = self.targets.get(link.target)
            {
                return self.reference(text, link, target, class, out);
            }
        }
        match class {
            "" => escape(text, out),
            class => {
                let _ = write!(out, "<i class=\"{class}\">");
                // The line break ends the line, not the token.
                let (text, end) = text.strip_suffix('\n').map_or((text, ""), |text| (text, "\n"));
                escape(text, out);
                out.push_str("</i>");
                out.push_str(end);
            }
        }
    }

    fn definition(&self, text: &str, item: &SourceItem, out: &mut String) {
        let href = self.links.item_or_id(item.path.as_deref(), &item.name, item.id);
        out.push_str("<a class=\"def\" href=\"");
        escape(&href, out);
        out.push('"');
        if let Some(users) = self.users.get(&item.id) {
            let _ = write!(out, " data-users=\"{users}\" title=\"used by {users}\"");
        }
        out.push('>');
        escape(text, out);
        out.push_str("</a>");
    }

    fn reference(
        &self,
        text: &str,
        link: &SourceLink,
        target: &LinkTarget,
        class: &str,
        out: &mut String,
    ) {
        if target.file_path.is_none() && target.kind != "external" {
            out.push_str("<i class=\"u\">");
            escape(text, out);
            out.push_str("</i>");
            return;
        }
        // A name of another crate has a page too, with its uses here.
        let class = if target.file_path.is_none() { "x" } else { class };
        let by_path = target.path.contains("::") || matches!(&*target.kind, "module" | "external");
        let href = if by_path {
            self.links.item(&target.path)
        } else {
            self.links.item_by_id(&target.path, target.id)
        };
        out.push_str("<a href=\"");
        escape(&href, out);
        out.push('"');
        let class = if class.is_empty() { kind_class(&target.kind) } else { class };
        match (class, link.confidence < 0.5) {
            ("", false) => {}
            (class, false) => {
                let _ = write!(out, " class=\"{class}\"");
            }
            (class, true) => {
                let percent = link.confidence * 100.0;
                let _ = write!(out, " class=\"{class} guess\" title=\"a guess: {percent:.0} %\"");
            }
        }
        out.push('>');
        escape(text, out);
        out.push_str("</a>");
    }
}

fn kind_class(kind: &str) -> &'static str {
    match kind {
        "function" | "method" => "fn",
        "struct" | "enum" | "union" | "trait" | "type_alias" | "assoc_type" => "ty",
        "macro" => "ma",
        _ => "",
    }
}

/// Text as the content of an element. Addresses, which are ASCII, may be attributes too.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // What changes the order of the letters around it is shown, not done.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                let _ = write!(out, "<b class=\"bidi\">U+{:04X}</b>", c as u32);
            }
            c => out.push(c),
        }
    }
}
