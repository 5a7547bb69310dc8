//! Splits answers into pages of a limited size, with cursors that lead to the next one.

use asof_model::ErrorKind;
use asof_wire::{Basis, Freshness, Shown, Sources};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::visible;
use super::workspace::Call;
use asof_surface::json::without_nulls;
use asof_surface::problem::Problem;
use asof_surface::text;

/// Tokens of an answer unless the caller says otherwise, and at most.
const DEFAULT_TOKENS: u32 = 4_000;
const MAX_TOKENS: u32 = 10_000;
/// Code has more tokens than prose: about one in 3.5 bytes. This errs to the safe side.
const BYTES_PER_TOKEN: usize = 3;
/// Items that are looked at for one page: more never fit.
const MOST: usize = 500;

/// An answer, with the way to the rest of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Paged<T> {
    #[serde(flatten)]
    pub answer: T,
    /// If there is more: pass it as `cursor`, with the same arguments.
    pub cursor: Option<String>,
}

/// An answer in both forms.
#[derive(Debug)]
pub struct Reply {
    pub text: String,
    pub structured: Json,
}

/// A page of an answer.
#[derive(Debug)]
pub struct Pager {
    /// Where it begins: a number of items, or of lines.
    start: usize,
    /// Beginning of the revision that the cursor belongs to.
    revision: Option<String>,
    /// Tells calls with other arguments apart.
    key: String,
    bytes: usize,
    structured: bool,
}

impl Pager {
    /// The page that a call asks for by its arguments `cursor` and `max_tokens`.
    ///
    /// # Errors
    /// A cursor of another call.
    pub fn new(call: &Call, tool: &str, arguments: &Json) -> Result<Self, Problem> {
        let mut others = arguments.clone();
        let mut take = |name| others.as_object_mut().and_then(|fields| fields.remove(name));
        let cursor = take("cursor");
        let tokens = take("max_tokens").and_then(|tokens| tokens.as_u64());
        let tokens = tokens.and_then(|tokens| u32::try_from(tokens).ok()).unwrap_or(DEFAULT_TOKENS);
        let key = blake3::hash(format!("{tool} {others}").as_bytes()).to_hex();
        let mut pager = Self {
            start: 0,
            revision: None,
            key: key.chars().take(8).collect(),
            bytes: tokens.clamp(100, MAX_TOKENS) as usize * BYTES_PER_TOKEN,
            structured: call.structured,
        };
        let Some(cursor) = cursor.as_ref().and_then(Json::as_str) else { return Ok(pager) };
        let mut parts = cursor.split('-');
        let (revision, start, key) = (parts.next(), parts.next(), parts.next());
        let start = start.and_then(|start| usize::from_str_radix(start, 16).ok());
        match (revision, start) {
            (Some(revision), Some(start)) if key == Some(&pager.key) => {
                pager.revision = Some(revision.to_owned());
                pager.start = start;
                Ok(pager)
            }
            _ => Err(Problem::bad_request(
                format!("`{cursor}` is not a cursor of this call"),
                "repeat the arguments of the call whose answer has the cursor",
            )),
        }
    }

    /// Items to ask for.
    pub fn limit(&self) -> usize {
        self.start.saturating_add(MOST)
    }

    /// Items to ask for, so that this many follow the earlier pages.
    pub fn upto(&self, count: usize) -> usize {
        self.start.saturating_add(count)
    }

    /// Checks that the cursor belongs to the revision that an answer is based on.
    ///
    /// # Errors
    /// If it does not.
    pub fn check(&self, basis: &Basis) -> Result<(), Problem> {
        let now = short_revision(basis);
        match &self.revision {
            Some(then) if *then != now => Err(Problem::new(
                ErrorKind::Stale,
                format!("the cursor is stale: it belongs to revision {then}, NOW is {now}"),
                "call again without `cursor`",
            )),
            _ => Ok(()),
        }
    }

    fn cursor(&self, basis: &Basis, next: usize) -> String {
        format!("{}-{next:x}-{}", short_revision(basis), self.key)
    }

    /// As many items of an answer as fit. `render` writes the text of the answer that it gets.
    ///
    /// # Errors
    /// A stale cursor.
    pub fn list<T: Serialize + DeserializeOwned>(
        &self,
        basis: &Basis,
        answer: &T,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        self.pages(Rows::Items, basis, answer, render)
    }

    /// As many results of a search as fit; cursors lead to no more than the answer has.
    ///
    /// # Errors
    /// A stale cursor.
    pub fn results<T: Serialize + DeserializeOwned>(
        &self,
        basis: &Basis,
        answer: &T,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        self.pages(Rows::Results, basis, answer, render)
    }

    /// As many items that are to be read of a review as fit.
    ///
    /// # Errors
    /// A stale cursor.
    pub fn review<T: Serialize + DeserializeOwned>(
        &self,
        basis: &Basis,
        answer: &T,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        self.pages(Rows::Read, basis, answer, render)
    }

    /// As many conflicts of names of a merge as fit.
    ///
    /// # Errors
    /// A stale cursor.
    pub fn conflicts<T: Serialize + DeserializeOwned>(
        &self,
        basis: &Basis,
        answer: &T,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        self.pages(Rows::Semantic, basis, answer, render)
    }

    fn pages<T: Serialize + DeserializeOwned>(
        &self,
        rows: Rows,
        basis: &Basis,
        answer: &T,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        self.check(basis)?;
        let mut whole = without_nulls(json(answer)?);
        let mut items = match whole.get_mut(rows.name()).map(Json::take) {
            Some(Json::Array(items)) => items,
            _ => return Err(Problem::internal("an answer without items")),
        };
        let known = items.len();
        let truncated = whole.get("truncated").and_then(Json::as_bool) == Some(true);
        let cut = truncated && rows == Rows::Items;
        let total = match rows {
            Rows::Items => whole.get("total").and_then(Json::as_u64).unwrap_or_default(),
            Rows::Results | Rows::Read | Rows::Semantic => 0,
        };
        let total = usize::try_from(total).unwrap_or(usize::MAX).max(known);
        let mut items = items.split_off(self.start.min(known));
        let mut count = items.len().min(MOST);
        loop {
            items.truncate(count);
            let next = self.start + count;
            let more = next < total || (cut && next == known);
            let page = Page {
                rows,
                truncated: more || truncated && rows == Rows::Results,
                first: self.start,
                next,
                total: (!cut || total > known).then_some(total),
                cursor: more.then(|| self.cursor(basis, next)),
            };
            let reply = page.reply(&whole, &items, basis, &render)?;
            let size = if self.structured {
                reply.text.len().max(reply.structured.to_string().len())
            } else {
                reply.text.len()
            };
            if size <= self.bytes {
                return Ok(reply);
            }
            if count <= 1 {
                items.iter_mut().for_each(|item| shorten(item, self.bytes / 2));
                return page.reply(&whole, &items, basis, &render);
            }
            let fitting = count.saturating_mul(self.bytes) / size;
            count = fitting.clamp(1, count - 1);
        }
    }

    /// As many lines of sources as fit.
    ///
    /// # Errors
    /// A stale cursor.
    pub fn sources(&self, mut found: Sources) -> Result<Reply, Problem> {
        let answer = &mut found.answer;
        self.check(&answer.basis)?;
        let bytes = if self.structured { self.bytes / 2 } else { self.bytes };
        let (mut skip, mut used, mut next) = (self.start, 0, self.start);
        let (mut items, mut body) = (Vec::new(), String::new());
        let mut rest = 0;
        for shown in std::mem::take(&mut answer.items) {
            let lines: Vec<&str> = shown.text.split_inclusive('\n').collect();
            if skip >= lines.len() {
                skip -= lines.len();
                continue;
            }
            let (from, mut text, mut taken) = (skip, String::new(), 0);
            skip = 0;
            for line in lines.iter().skip(from) {
                if rest > 0 || (used + line.len() > bytes && used > 0) {
                    rest += 1;
                    continue;
                }
                let mut line = (*line).to_owned();
                cut(&mut line, bytes);
                used += line.len();
                taken += 1;
                text.push_str(&line);
            }
            if taken == 0 {
                continue;
            }
            next += taken;
            let head = text::item_head(&shown.item);
            let part = if taken == lines.len() {
                String::new()
            } else {
                let first = shown.item.span.start_line as usize + from;
                format!(" (its lines {first}-{})", first + taken - 1)
            };
            let end = if text.ends_with('\n') { "" } else { "\n" };
            body.push_str(&visible::text(&format!("// {head}{part}\n{text}{end}")));
            items.push(Shown { text, ..shown });
        }
        answer.items = items;
        answer.truncated = rest > 0;
        let cursor = (rest > 0).then(|| self.cursor(&answer.basis, next));
        // The first page says it once for all.
        found.failed.retain(|_| self.start == 0);
        for failed in &found.failed {
            body.push_str(&visible::text(&text::failed(failed)));
        }
        if let Some(cursor) = &cursor {
            body.push_str(&format!("… {}: cursor {cursor}\n", text::plural(rest, "more line")));
        }
        body.push_str(&basis_line(&found.answer.basis));
        let structured = without_nulls(json(&Paged { answer: found, cursor })?);
        Ok(Reply { text: body, structured })
    }
}

/// What the pages are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// `items`, of which the engine can list more.
    Items,
    /// `results`, whose order depends on how many were asked for.
    Results,
    /// `read`, of which the answer has all.
    Read,
    /// `semantic`, of which the answer has all.
    Semantic,
}

impl Rows {
    fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Results => "results",
            Self::Read => "read",
            Self::Semantic => "semantic",
        }
    }
}

struct Page {
    rows: Rows,
    truncated: bool,
    first: usize,
    next: usize,
    /// Number of all items, if it is known.
    total: Option<usize>,
    cursor: Option<String>,
}

impl Page {
    fn reply<T: DeserializeOwned>(
        &self,
        whole: &Json,
        items: &[Json],
        basis: &Basis,
        render: impl Fn(&T) -> String,
    ) -> Result<Reply, Problem> {
        let mut structured = whole.clone();
        if let Some(fields) = structured.as_object_mut() {
            fields.insert(self.rows.name().to_owned(), Json::Array(items.to_vec()));
            fields.insert("truncated".to_owned(), self.truncated.into());
            if self.rows == Rows::Results {
                fields.insert("result_count".to_owned(), items.len().into());
            }
            if let Some(cursor) = &self.cursor {
                fields.insert("cursor".to_owned(), cursor.as_str().into());
            }
        }
        let mut text = visible_text(&structured, render)?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        if let Some(cursor) = &self.cursor {
            let total = self.total.map_or_else(|| "more".to_owned(), |total| total.to_string());
            let first = self.first + 1;
            text.push_str(&format!("… {first}-{} of {total}: cursor {cursor}\n", self.next));
        }
        text.push_str(&basis_line(basis));
        Ok(Reply { text, structured })
    }
}

/// An answer that is no list. Its longest texts are cut where it is too large.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn whole<T: Serialize + DeserializeOwned>(
    answer: &T,
    render: impl Fn(&T) -> String,
) -> Result<Reply, Problem> {
    let mut structured = without_nulls(json(answer)?);
    let most = MAX_TOKENS as usize * BYTES_PER_TOKEN;
    let mut longest = most;
    while structured.to_string().len() > most && longest > 100 {
        longest /= 2;
        shorten(&mut structured, longest);
    }
    Ok(Reply { text: visible_text(&structured, render)?, structured })
}

/// An answer that is no list, and whose tokens were counted.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn counted<T: Serialize + DeserializeOwned>(
    answer: &T,
    render: impl Fn(&T) -> String,
) -> Result<Reply, Problem> {
    let structured = without_nulls(json(answer)?);
    Ok(Reply { text: visible_text(&structured, render)?, structured })
}

/// The text of an answer, without styles and with hidden characters shown.
fn visible_text<T: DeserializeOwned>(
    answer: &Json,
    render: impl Fn(&T) -> String,
) -> Result<String, Problem> {
    let mut shown = answer.clone();
    visible::json(&mut shown);
    let answer: T = serde_json::from_value(shown).map_err(Problem::internal)?;
    Ok(anstream::adapter::strip_str(&render(&answer)).to_string())
}

/// The snapshot that an answer is based on, in a line.
pub fn basis_line(basis: &Basis) -> String {
    let mut line = match basis.revision {
        Some(_) => format!("[revision {}", short_revision(basis)),
        None if basis.at.is_none() => "[nothing is indexed yet".to_owned(),
        None if basis.freshness_state == Freshness::Fresh => "[files on disk".to_owned(),
        None => "[files of a commit that is not imported".to_owned(),
    };
    match basis.freshness_state {
        Freshness::Fresh => line.push_str(", fresh"),
        Freshness::Unknown => {
            line.push_str(&format!(", of {}", basis.at.as_deref().unwrap_or_default()));
        }
        Freshness::Stale => {
            let files = text::some(&basis.stale_files);
            line.push_str(&format!(", stale: {} changed since", visible::text(&files)));
        }
    }
    if let Some(note) = &basis.note {
        line.push_str(&format!("; {note}"));
    }
    line.push_str("]\n");
    line
}

fn short_revision(basis: &Basis) -> String {
    let id = basis.revision.map_or_else(String::new, |id| id.to_string());
    id.chars().filter(char::is_ascii_hexdigit).take(8).collect()
}

/// A value as JSON.
fn json(value: &impl Serialize) -> Result<Json, Problem> {
    serde_json::to_value(value).map_err(Problem::internal)
}

/// Cuts the long texts in a value.
fn shorten(value: &mut Json, bytes: usize) {
    match value {
        Json::String(text) => cut(text, bytes),
        Json::Array(items) => items.iter_mut().for_each(|item| shorten(item, bytes)),
        Json::Object(fields) => fields.values_mut().for_each(|field| shorten(field, bytes)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

fn cut(text: &mut String, bytes: usize) {
    if text.len() <= bytes {
        return;
    }
    let all = text.len();
    let at = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.truncate(at);
    text.push_str(&format!("… ({} bytes cut)\n", all - at));
}
