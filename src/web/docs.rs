//! Documentation, from Markdown to HTML that can do nothing.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag, TagEnd};

use super::parts::cut;

/// Letters of documentation that are shown; its source has all of it.
const LONGEST: usize = 20_000;

/// Quotes and lists in each other; deeper ones are shown as the last.
const DEEPEST: usize = 16;

/// HTML in documentation is shown as text, and only web addresses are links. Headings are no headings
/// of the page, and images are their descriptions.
pub fn html(text: &str) -> Markup {
    let text = cut(text, LONGEST);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    // A link to an item, [`like_this`], is the name.
    let mut item = |link: BrokenLink<'_>| {
        link.reference.starts_with('`').then(|| (CowStr::from(""), CowStr::from("")))
    };
    let parser = Parser::new_with_broken_link_callback(&text, options, Some(&mut item));
    let mut safe = Safe::default();
    let mut page = String::new();
    pulldown_cmark::html::push_html(&mut page, parser.flat_map(|event| safe.event(event)));
    PreEscaped(page)
}

/// What is open.
#[derive(Default)]
struct Safe {
    /// Quotes, lists and their items.
    depth: usize,
    in_link: bool,
}

impl Safe {
    fn event<'a>(&mut self, event: Event<'a>) -> Vec<Event<'a>> {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Html(text) | Event::InlineHtml(text) => vec![Event::Text(text)],
            Event::Text(_) | Event::Code(_) | Event::SoftBreak | Event::HardBreak | Event::Rule => {
                vec![event]
            }
            // Of extensions that are off.
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                vec![Event::Text(text)]
            }
            Event::TaskListMarker(_) => Vec::new(),
        }
    }

    fn start<'a>(&mut self, tag: Tag<'a>) -> Vec<Event<'a>> {
        match tag {
            Tag::Heading { .. } => vec![Event::Start(Tag::Paragraph), Event::Start(Tag::Strong)],
            Tag::HtmlBlock => vec![Event::Start(Tag::Paragraph)],
            Tag::CodeBlock(_) => vec![Event::Html("<pre tabindex=\"0\"><code>".into())],
            Tag::Image { .. } => Vec::new(),
            Tag::Link { ref dest_url, .. } => {
                self.in_link = ["https://", "http://"].iter().any(|web| dest_url.starts_with(web));
                if self.in_link { vec![Event::Start(tag)] } else { Vec::new() }
            }
            Tag::BlockQuote(_) | Tag::List(_) | Tag::Item => {
                self.depth += 1;
                if self.depth <= DEEPEST { vec![Event::Start(tag)] } else { Vec::new() }
            }
            tag => vec![Event::Start(tag)],
        }
    }

    fn end<'a>(&mut self, tag: TagEnd) -> Vec<Event<'a>> {
        match tag {
            TagEnd::Heading(_) => vec![Event::End(TagEnd::Strong), Event::End(TagEnd::Paragraph)],
            TagEnd::HtmlBlock => vec![Event::End(TagEnd::Paragraph)],
            TagEnd::CodeBlock => vec![Event::Html("</code></pre>\n".into())],
            TagEnd::Image => Vec::new(),
            TagEnd::Link => {
                let is_link = std::mem::take(&mut self.in_link);
                if is_link { vec![Event::End(tag)] } else { Vec::new() }
            }
            TagEnd::BlockQuote(_) | TagEnd::List(_) | TagEnd::Item => {
                let is_shown = self.depth <= DEEPEST;
                self.depth = self.depth.saturating_sub(1);
                if is_shown { vec![Event::End(tag)] } else { Vec::new() }
            }
            tag => vec![Event::End(tag)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(html(text).into_string().trim(), expected, "{text}");
    }

    #[test]
    fn markdown_is_rendered() {
        check("One *two* `three`.", "<p>One <em>two</em> <code>three</code>.</p>");
        check("# Errors", "<p><strong>Errors</strong></p>");
        check("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
        check("```rust\nlet a = 1;\n```", "<pre tabindex=\"0\"><code>let a = 1;\n</code></pre>");
        check("[`Span`] and [`x`](crate::x)", "<p><code>Span</code> and <code>x</code></p>");
        check("<https://a.b>", "<p><a href=\"https://a.b\">https://a.b</a></p>");
    }

    #[test]
    fn nothing_in_documentation_runs_or_loads() {
        check("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>");
        check("<script>\nx\n</script>", "<p>&lt;script&gt;\nx\n&lt;/script&gt;</p>");
        check("[a](javascript:x) ![b](https://a.b/c.png)", "<p>a b</p>");
        check("[a](//evil.example)", "<p>a</p>");
        check("[a][r]\n\n[r]: data:text/html,x", "<p>a</p>");
        check("``` \"><script>\nx\n```", "<pre tabindex=\"0\"><code>x\n</code></pre>");
    }

    #[test]
    fn deep_nesting_makes_no_deep_page() {
        for text in [">".repeat(19_000), "- ".repeat(9_000), "[".repeat(19_000)] {
            let page = html(&(text + "end")).into_string();
            let deep = page.matches("<blockquote>").count() + page.matches("<li>").count();
            assert!(deep <= DEEPEST && page.len() < 100_000 && page.contains("end"), "{deep}");
        }
    }
}
