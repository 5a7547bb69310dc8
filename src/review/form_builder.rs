//! Makes the normal form of an item: reads its tokens in order.

use std::collections::BTreeMap;

use super::facts::{MacroText, UnsureName};
use super::groups::Group;
use super::item_text::{FileText, ItemText, NameUse};
use super::known::{MacroReads, is_keyword, is_plain_attribute, reads_file, tells_place};
use super::literals::{Piece, pieces};
use super::normal_form::NormalForm;
use super::token::{Identity, Meaning, Token};
use asof_model::RefKind;
use asof_syntax::{Kind, LexToken};

/// The normal form of an item.
pub fn normal_form(item: &ItemText<'_>) -> NormalForm {
    let mut builder = Builder::new(item);
    builder.read();
    builder.form
}

/// A token of the item, by its number in the file.
#[derive(Debug, Clone, Copy)]
struct Own {
    number: u32,
    token: LexToken,
    /// What has to be added to a byte of the file for that in the item's own text; wraps.
    shift: i64,
}

struct Builder<'a> {
    file: &'a FileText,
    item: &'a ItemText<'a>,
    own: Vec<Own>,
    form: NormalForm,
    locals: BTreeMap<u32, u32>,
    /// Brackets around the current token, the innermost last.
    around: Vec<Group>,
}

impl<'a> Builder<'a> {
    fn new(item: &'a ItemText<'a>) -> Self {
        let mut form = NormalForm::default();
        let mut own = Vec::new();
        for range in &item.ranges {
            let shift = form.text.len() as i64 - i64::from(range.start);
            let bytes = range.start as usize..range.end as usize;
            form.text.push_str(item.file.text.get(bytes).unwrap_or_default());
            let first = item.file.lexed.partition_point(|token| token.start < range.start);
            let rest = item.file.lexed.iter().enumerate().skip(first);
            let inside =
                rest.take_while(|(_, token)| token.start < range.end && token.kind != Kind::End);
            let inside = inside.filter(|(_, token)| !token.doc);
            own.extend(inside.map(|(number, token)| Own {
                number: number as u32,
                token: *token,
                shift,
            }));
        }
        let (locals, around) = (BTreeMap::new(), Vec::new());
        Self { file: item.file, item, own, form, locals, around }
    }

    fn read(&mut self) {
        let mut at = self.head();
        while at < self.own.len() {
            at = self.step(at).max(at + 1);
        }
    }

    fn at(&self, at: usize) -> Option<&Own> {
        self.own.get(at)
    }

    fn text(&self, at: usize) -> &'a str {
        self.own.get(at).map_or("", |own| self.file.token_text(&own.token))
    }

    fn is_punct(&self, at: usize, byte: u8) -> bool {
        self.own.get(at).is_some_and(|own| own.token.kind == Kind::Punct && own.token.byte == byte)
    }

    fn is_word(&self, at: usize) -> bool {
        self.own.get(at).is_some_and(|own| own.token.kind == Kind::Word)
    }

    /// Whether `::` begins at a token.
    fn is_path(&self, at: usize) -> bool {
        let glued = self.own.get(at).is_some_and(|own| own.token.glued);
        self.is_punct(at, b':') && glued && self.is_punct(at + 1, b':')
    }

    /// The token after the bracket that closes the one at a place.
    fn after_group(&self, open: usize) -> usize {
        let Some(own) = self.at(open) else { return open + 1 };
        let mate = own.token.mate;
        self.own.partition_point(|one| one.number <= mate).max(open + 1)
    }

    fn push(&mut self, at: usize, token: Token) {
        let Some(own) = self.own.get(at) else { return };
        self.push_part(own.token.start, own.token.end, own.shift, token);
    }

    fn push_part(&mut self, start: u32, end: u32, shift: i64, token: Token) {
        let place = |byte: u32| usize::try_from(i64::from(byte) + shift).unwrap_or_default();
        self.form.tokens.push(token);
        self.form.spans.push(place(start)..place(end));
        self.form.bytes.push(start);
    }

    /// Attributes and the visibility of the item itself. Its `cfg`s are compared as conditions, and
    /// its visibility by where it is visible.
    fn head(&mut self) -> usize {
        let mut at = 0;
        while self.is_punct(at, b'#') {
            let open = if self.is_punct(at + 1, b'!') { at + 2 } else { at + 1 };
            let end = self.after_group(open);
            let written: String = (at..end).map(|one| self.text(one)).collect();
            self.form.facts.attributes.push(written.into());
            if self.text(open + 1) == "cfg" {
                at = end;
                continue;
            }
            while at < end {
                at = self.step(at).max(at + 1);
            }
        }
        if self.text(at) == "pub" { self.after_visibility(at) } else { at }
    }

    /// The token after `pub` or `pub(…)`.
    fn after_visibility(&self, at: usize) -> usize {
        let is_limited = self.text(at + 1) == "("
            && matches!(self.text(at + 2), "crate" | "super" | "self" | "in");
        if is_limited { self.after_group(at + 1) } else { at + 1 }
    }

    /// Reads a token; the number of the next one.
    fn step(&mut self, at: usize) -> usize {
        let Some(Own { number, token, .. }) = self.at(at).copied() else { return at + 1 };
        match token.kind {
            Kind::Word => return self.word(at),
            Kind::Lifetime => self.lifetime(at),
            Kind::Literal => self.literal(at),
            Kind::Open => self.open(at, number),
            Kind::Close => {
                self.around.pop();
                self.bracket(at);
            }
            Kind::Punct => return self.punct(at),
            Kind::Doc | Kind::End => {}
        }
        at + 1
    }

    fn open(&mut self, at: usize, number: u32) {
        let group = self.file.groups.get(&number).copied();
        let group = group.unwrap_or(Group::Round);
        if let Group::Macro(name, reads) = group {
            self.macro_call(at, name, reads);
        }
        self.bracket(at);
        self.around.push(group);
    }

    fn bracket(&mut self, at: usize) {
        let is_place = self.item.is_module && self.around.is_empty();
        if !(is_place && matches!(self.text(at), "{" | "}")) {
            self.push(at, Token::Text(self.text(at).into()));
            self.implicit(at);
        }
    }

    /// Keeps what a macro can read of its tokens.
    fn macro_call(&mut self, open: usize, name: u32, reads: MacroReads) {
        let written = self.file.lexed.get(name as usize);
        let written: Box<str> = written.map_or("", |token| self.file.token_text(token)).into();
        // Where the path does not resolve, its text says which crate is meant.
        let segment = (name as usize).checked_sub(3).and_then(|at| self.file.lexed.get(at));
        if segment.is_some_and(|token| tells_place(self.file.token_text(token))) {
            self.form.facts.places.insert(written.clone());
        }
        let named = self.file.lexed.get(name as usize).map_or(0, |token| token.start);
        for one in self.file.uses_at(named) {
            match (one.outside.as_deref(), one.meaning.target) {
                (None, Identity::Later(id)) => _ = self.form.facts.calls.insert(id),
                (Some(path), _) if tells_place(path) => {
                    self.form.facts.places.insert(written.clone());
                }
                (Some(path), _) if reads_file(path) => {
                    self.form.facts.files.insert(written.clone());
                }
                _ => {}
            }
        }
        // A definition's own tokens are compared.
        if reads == MacroReads::Tokens && &*written != "macro_rules" {
            let tokens = (open..self.after_group(open)).map(|one| self.text(one).into()).collect();
            self.form.facts.macros.push(MacroText { name: written, tokens });
        }
    }

    /// Whether the tokens around are code whose last commas say nothing.
    fn is_code(&self) -> bool {
        self.around
            .iter()
            .all(|group| !matches!(group, Group::Attribute | Group::Macro(_, MacroReads::Tokens)))
    }

    fn punct(&mut self, at: usize) -> usize {
        if self.is_punct(at, b',') && self.is_code() && self.says_nothing(at) {
            return at + 1;
        }
        if self.item.is_module && self.around.is_empty() && self.is_punct(at, b';') {
            return at + 1;
        }
        if self.is_path(at) && self.is_erased_global(at) {
            return at + 2;
        }
        let mut end = at;
        while self.own.get(end).is_some_and(|own| own.token.glued) && self.own.len() > end + 1 {
            end += 1;
        }
        let written: String = (at..=end).map(|one| self.text(one)).collect();
        let Some(Own { token, shift, .. }) = self.at(at).copied() else { return at + 1 };
        let last = self.own.get(end).map_or(token.end, |own| own.token.end);
        self.push_part(token.start, last, shift, Token::Text(written.into()));
        self.implicit(at);
        end + 1
    }

    /// Whether a comma is the last of a list, or follows the body of an arm.
    fn says_nothing(&self, at: usize) -> bool {
        let group = self.around.last();
        let Some(next) = self.at(at + 1) else { return false };
        if next.token.kind == Kind::Close {
            return matches!(
                group,
                Some(Group::List | Group::Code(_) | Group::Macro(_, MacroReads::Expressions))
            );
        }
        let follows_block = at.checked_sub(1).is_some_and(|before| self.text(before) == "}");
        match self.text(at + 1) {
            ">" => true,
            "{" if group.is_none() => true,
            _ => follows_block && group == Some(&Group::Code(b'{')),
        }
    }

    /// Whether `::` at a token begins a path of which the end is certain.
    fn is_erased_global(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.at(before));
        let follows = before.is_some_and(|own| {
            own.token.kind == Kind::Word && !is_keyword(self.file.token_text(&own.token))
                || own.token.byte == b'>'
                || own.token.kind == Kind::Close
        });
        !follows && self.is_word(at + 2) && self.leads_on(at + 2)
    }

    /// Whether a segment is certain, or is left out itself.
    fn leads_on(&self, at: usize) -> bool {
        let byte = self.at(at).map_or(0, |own| own.token.start);
        self.is_word(at) && (self.file.is_certain(byte) || self.is_erased(at))
    }

    /// Whether a segment of a path only says where the next one is.
    fn is_erased(&self, at: usize) -> bool {
        if !self.is_word(at) || !self.is_path(at + 1) || !self.leads_on(at + 3) {
            return false;
        }
        let byte = self.at(at).map_or(0, |own| own.token.start);
        let uses = self.file.uses_at(byte);
        let is_start = matches!(self.text(at), "crate" | "self" | "super");
        let is_module = uses.iter().all(|one| one.is_certain && one.is_module);
        is_module && (is_start || !uses.is_empty() && !self.file.locals.contains_key(&byte))
    }

    fn word(&mut self, at: usize) -> usize {
        let Some(Own { token, .. }) = self.at(at).copied() else { return at + 1 };
        let text = self.text(at);
        if self.is_erased(at) {
            return at + 3;
        }
        if text == "pub" && self.is_code() {
            return self.visibility(at);
        }
        if !is_keyword(text) {
            self.form.facts.words.insert(text.into());
        }
        let follows_dot = at.checked_sub(1).is_some_and(|before| self.is_punct(before, b'.'));
        self.form.facts.calls_methods |=
            follows_dot && (self.text(at + 1) == "(" || self.is_path(at + 1));
        // An attribute of the language: what else has the name has nothing to do with it.
        let begins = at.checked_sub(1).is_some_and(|before| self.text(before) == "[");
        if begins && self.around.last() == Some(&Group::Attribute) && is_plain_attribute(text) {
            self.push(at, Token::Text(text.into()));
            return at + 1;
        }
        if let Some(identity) = self.file.definitions.get(&token.start) {
            self.form.facts.defines.push(text.into());
            self.push(at, Token::Definition(*identity));
            return at + 1;
        }
        self.name(at, token.start, token.end, text);
        at + 1
    }

    /// A name in code or in a literal.
    fn name(&mut self, at: usize, start: u32, end: u32, text: &str) {
        let shift = self.at(at).map_or(0, |own| own.shift);
        let file = self.file;
        let uses = file.uses_at(start);
        if let Some(local) = file.locals.get(&start) {
            let is_field = |one: &&NameUse| one.meaning.kind == RefKind::Field;
            let (fields, others): (Vec<_>, Vec<_>) = uses.iter().partition(is_field);
            if !fields.is_empty() {
                let name = named(&fields, text);
                self.note_unsure(at, &name, text);
                self.push_part(start, end, shift, name);
                self.push_part(end, end, shift, Token::Text(":".into()));
            }
            if !local.certain {
                self.push_part(start, end, shift, Token::Text(text.into()));
            }
            let bound = self.bound(local.binding.unwrap_or(start));
            self.push_part(start, end, shift, bound);
            if !others.is_empty() {
                self.push_part(end, end, shift, named(&others, text));
            }
            return;
        }
        for one in uses.iter().filter_map(|one| one.outside.as_deref()) {
            if tells_place(one) && !text.starts_with(char::is_uppercase) {
                self.form.facts.places.insert(text.into());
            }
        }
        if uses.is_empty() {
            let in_attribute = self.around.contains(&Group::Attribute);
            if !in_attribute && !is_keyword(text) && !asof_model::PRIMITIVES.contains(&text) {
                self.unsure(at, text);
            }
            if self.is_in_macro() {
                self.form.facts.captures.insert(text.into());
            }
            self.push_part(start, end, shift, Token::Text(text.into()));
            return;
        }
        let all: Vec<&NameUse> = uses.iter().collect();
        let name = named(&all, text);
        self.note_unsure(at, &name, text);
        if is_keyword(text) {
            self.push_part(start, end, shift, Token::Text(text.into()));
        }
        self.push_part(start, end, shift, name);
    }

    fn note_unsure(&mut self, at: usize, token: &Token, text: &str) {
        if matches!(token, Token::Unsure(..)) {
            self.unsure(at, text);
        }
    }

    fn unsure(&mut self, at: usize, text: &str) {
        let follows =
            |byte: u8| at.checked_sub(1).is_some_and(|before| self.is_punct(before, byte));
        let (is_path, is_member) = (follows(b':'), follows(b'.') || follows(b':'));
        self.form.facts.unsure.insert(UnsureName { name: text.into(), is_member });
        if is_path {
            self.form.facts.unsure.insert(UnsureName { name: text.into(), is_member: false });
        }
    }

    fn is_in_macro(&self) -> bool {
        self.around.iter().any(|group| matches!(group, Group::Macro(..)))
    }

    /// What an operator, a bracket or a keyword calls.
    fn implicit(&mut self, at: usize) {
        let Some(Own { token, shift, .. }) = self.at(at).copied() else { return };
        let uses: Vec<&NameUse> = self.file.uses_at(token.start).iter().collect();
        if !uses.is_empty() {
            let name = named(&uses, self.text(at));
            self.push_part(token.end, token.end, shift, name);
        }
    }

    fn bound(&mut self, binding: u32) -> Token {
        let is_own = self.item.ranges.iter().any(|range| range.contains(&binding));
        if is_own {
            let next = self.locals.len() as u32;
            let local = *self.locals.entry(binding).or_insert(next);
            if local == next {
                let name = self.file.locals.get(&binding).map_or("", |local| &local.name);
                self.form.facts.locals.push(name.into());
            }
            return Token::Local(local);
        }
        let around = self.file.items.iter().filter(|item| item.contains(&binding));
        let start = around.map(|item| item.start).max().unwrap_or(0);
        let before = self.file.locals.range(start..binding);
        let bindings = before.filter(|(at, local)| local.binding == Some(**at));
        Token::Outer(bindings.count() as u32)
    }

    fn lifetime(&mut self, at: usize) {
        let Some(Own { token, .. }) = self.at(at).copied() else { return };
        let local = self.file.locals.get(&token.start).filter(|local| local.certain);
        let name = match local.and_then(|local| local.binding) {
            Some(binding) => self.bound(binding),
            None => Token::Text(self.text(at).into()),
        };
        self.push(at, name);
    }

    fn literal(&mut self, at: usize) {
        let Some(Own { token, shift, .. }) = self.at(at).copied() else { return };
        // `0` of `pair.0`, and both numbers of `pair.0.1`.
        if self.text(at).starts_with(|c: char| c.is_ascii_digit()) {
            self.push(at, Token::Text(self.text(at).into()));
            for (_, uses) in self.file.uses.range(token.start..token.end) {
                let uses: Vec<&NameUse> = uses.iter().collect();
                let name = named(&uses, self.text(at));
                self.push_part(token.end, token.end, shift, name);
            }
            return;
        }
        let inside = token.start + 1..token.end;
        let mut names: Vec<u32> = self.file.uses.range(inside.clone()).map(|(at, _)| *at).collect();
        names.extend(self.file.locals.range(inside).map(|(at, _)| *at));
        names.sort_unstable();
        names.dedup();
        for piece in pieces(self.text(at), token.start, &names) {
            match piece {
                Piece::Text(text) => {
                    if self.is_in_macro() {
                        let words = text.split(|c| !asof_syntax::is_word_part(c));
                        let words = words.filter(|word| !word.is_empty()).map(Box::from);
                        self.form.facts.captures.extend(words);
                    }
                    self.push_part(token.start, token.end, shift, Token::Text(text.into()));
                }
                Piece::Name(byte, name) => self.name(at, byte, byte + name.len() as u32, name),
            }
        }
    }

    /// `pub` of a field, or of a use in a block.
    fn visibility(&mut self, at: usize) -> usize {
        let end = self.after_visibility(at);
        let standpoint = self.item.standpoint;
        let within = match (end - at, self.text(at + 2)) {
            (1, _) => None,
            (_, "crate") => Some(standpoint.root),
            (_, "self") => Some(standpoint.module),
            (_, "super") => standpoint.above,
            _ => {
                let last = self.at(end.saturating_sub(2)).map_or(0, |own| own.token.start);
                self.file.uses_at(last).first().map(|one| one.meaning.target)
            }
        };
        self.push(at, Token::Visible(within));
        end
    }
}

/// The token of a name with its meanings.
fn named(uses: &[&NameUse], text: &str) -> Token {
    let mut meanings: Vec<Meaning> = uses.iter().map(|one| one.meaning.clone()).collect();
    meanings.sort();
    meanings.dedup();
    let is_certain = |one: &&NameUse| one.is_certain && one.meaning.kind != RefKind::Mention;
    if uses.iter().all(is_certain) {
        Token::Name(meanings.into())
    } else {
        Token::Unsure(text.into(), meanings.into())
    }
}
