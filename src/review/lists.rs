//! A form as it would be with other lists of parameters and arguments.

use std::collections::BTreeMap;
use std::ops::Range;

use super::normal_form::NormalForm;
use super::token::Token;

/// A list in parentheses, and what is wanted in its place. Bytes are those of the file.
#[derive(Debug, Clone)]
pub struct WantedList {
    /// Between the parentheses.
    pub inside: (u32, u32),
    /// The elements, in order.
    pub items: Vec<(u32, u32)>,
    pub wanted: Vec<Element>,
}

/// An element of the list that is wanted.
#[derive(Debug, Clone)]
pub enum Element {
    /// The one that had this place.
    Old(usize),
    New(NewElement),
}

/// A part of another form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewElement {
    pub tokens: Vec<Token>,
    pub text: String,
    /// The name of the variable that it binds.
    pub binds: Option<Box<str>>,
}

/// Variables that new elements bind, until all are numbered again.
const FIRST_NEW: u32 = u32::MAX / 2;

impl NormalForm {
    /// The tokens of the elements of a list; none if they cannot be told from each other.
    pub fn elements(&self, list: &WantedList) -> Option<Vec<Range<usize>>> {
        let (open, close) = self.parentheses(list)?;
        // What is called by the parenthesis belongs to no element.
        if self.spans.get(open + 1)?.is_empty() {
            return None;
        }
        let mut found = Vec::new();
        let mut from = open + 1;
        for (n, (_, end)) in list.items.iter().enumerate() {
            let to = match list.items.get(n + 1) {
                Some((next, _)) => self.find(from..close, *end..*next, ",")?,
                None => close,
            };
            if from >= to {
                return None;
            }
            found.push(from..to);
            from = to + 1;
        }
        // A comma that is left at the end may say something.
        let has_comma = list
            .items
            .last()
            .is_some_and(|(_, end)| self.find(open..close, *end..list.inside.1, ",").is_some());
        (!has_comma && (!found.is_empty() || open + 1 == close)).then_some(found)
    }

    fn parentheses(&self, list: &WantedList) -> Option<(usize, usize)> {
        let before = list.inside.0.checked_sub(1)?;
        let open = self.find(0..self.tokens.len(), before..list.inside.0, "(")?;
        let close = self.find(open..self.tokens.len(), list.inside.1..list.inside.1 + 1, ")")?;
        Some((open, close))
    }

    /// The token among some that begins in these bytes of the file and has this text.
    fn find(&self, among: Range<usize>, bytes: Range<u32>, text: &str) -> Option<usize> {
        let is_text = |at: &usize| {
            let is_there = self.bytes.get(*at).is_some_and(|byte| bytes.contains(byte));
            is_there && matches!(self.tokens.get(*at), Some(Token::Text(one)) if &**one == text)
        };
        among.into_iter().find(is_text)
    }

    /// A part of the form that can be put into another one. None if it has variables of its own, unless
    /// it is a parameter that binds one.
    pub fn element(&self, tokens: &Range<usize>) -> Option<NewElement> {
        let mut found = NewElement {
            tokens: self.tokens.get(tokens.clone())?.to_vec(),
            text: self.source(tokens).to_owned(),
            binds: None,
        };
        for token in &mut found.tokens {
            match token {
                Token::Local(number) if found.binds.is_none() => {
                    found.binds = self.facts.locals.get(*number as usize).cloned();
                    *token = Token::Local(FIRST_NEW);
                }
                Token::Local(_) | Token::Outer(_) | Token::Unsure(..) => return None,
                _ => {}
            }
        }
        Some(found)
    }

    /// The form with these lists; none if one cannot be found in it.
    pub fn with_lists(&self, lists: &[WantedList]) -> Option<Self> {
        let mut places = BTreeMap::new();
        for list in lists {
            let (open, close) = self.parentheses(list)?;
            let place = Place { close, elements: self.elements(list)?, wanted: &list.wanted };
            places.insert(open, place);
        }
        let mut writer = Writer {
            form: self,
            places: &places,
            out: Self { facts: self.facts.clone(), ..Self::default() },
            taken: 0,
            last: None,
            bound: Vec::new(),
        };
        writer.write(0..self.tokens.len())?;
        Some(writer.finish())
    }
}

/// A list in a form.
struct Place<'l> {
    /// The token that closes it.
    close: usize,
    elements: Vec<Range<usize>>,
    wanted: &'l [Element],
}

struct Writer<'f> {
    form: &'f NormalForm,
    /// By the token that opens them.
    places: &'f BTreeMap<usize, Place<'f>>,
    out: NormalForm,
    /// The byte of the form's text up to which it is copied.
    taken: usize,
    /// The last token that is copied.
    last: Option<usize>,
    /// Names of the variables of new elements.
    bound: Vec<Box<str>>,
}

impl Writer<'_> {
    fn write(&mut self, tokens: Range<usize>) -> Option<()> {
        let mut at = tokens.start;
        while at < tokens.end {
            self.copy(at)?;
            at += 1;
            if let Some(place) = self.places.get(&(at - 1)) {
                for (n, element) in place.wanted.iter().enumerate() {
                    if n > 0 {
                        self.out.text.push_str(", ");
                        let end = self.out.text.len() - 1;
                        self.push(Token::Text(",".into()), end - 1..end);
                    }
                    match element {
                        Element::Old(number) => self.write(place.elements.get(*number)?.clone())?,
                        Element::New(new) => self.put(new),
                    }
                }
                at = place.close;
            }
        }
        Some(())
    }

    /// Copies a token with the blanks before it, if it follows the last one.
    fn copy(&mut self, at: usize) -> Option<()> {
        let span = self.form.spans.get(at)?.clone();
        if at.checked_sub(1) != self.last {
            self.taken = span.start;
        }
        if let Some(text) = self.form.text.get(self.taken..span.end) {
            self.out.text.push_str(text);
            self.taken = span.end;
        }
        // Where the text of the form is in the new one.
        let shift = self.out.text.len() as i64 - self.taken as i64;
        let place = |byte: usize| usize::try_from(byte as i64 + shift).unwrap_or_default();
        self.last = Some(at);
        self.out.bytes.push(*self.form.bytes.get(at)?);
        self.out.tokens.push(self.form.tokens.get(at)?.clone());
        self.out.spans.push(place(span.start)..place(span.end));
        Some(())
    }

    fn put(&mut self, new: &NewElement) {
        let start = self.out.text.len();
        self.out.text.push_str(&new.text);
        let number = FIRST_NEW + self.bound.len() as u32;
        for token in &new.tokens {
            let token = match token {
                Token::Local(_) => Token::Local(number),
                token => token.clone(),
            };
            self.push(token, start..start + new.text.len());
        }
        self.bound.extend(new.binds.clone());
    }

    fn push(&mut self, token: Token, span: Range<usize>) {
        let byte = self.out.bytes.last().copied().unwrap_or_default();
        self.out.tokens.push(token);
        self.out.spans.push(span);
        self.out.bytes.push(byte);
    }

    /// Numbers variables by their first places.
    fn finish(mut self) -> NormalForm {
        self.out.text.push_str(self.form.text.get(self.taken..).unwrap_or_default());
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let mut locals = Vec::new();
        for token in &mut self.out.tokens {
            let Token::Local(number) = token else { continue };
            let next = numbers.len() as u32;
            let known = *numbers.entry(*number).or_insert_with(|| {
                let new = number.checked_sub(FIRST_NEW);
                let name = match new {
                    Some(new) => self.bound.get(new as usize),
                    None => self.form.facts.locals.get(*number as usize),
                };
                locals.push(name.cloned().unwrap_or_default());
                next
            });
            *token = Token::Local(known);
        }
        self.out.facts.locals = locals;
        self.out
    }
}
