//! Operations that make an item of a part of another, change it where it stands, or add and
//! take out whole items.

use std::collections::BTreeSet;

use asof_model::NodeKind;

use crate::code::{Key, body_at, find, is_statement, items, replace_word, splice, text_of, tokens};
use crate::operations::{Held, Op, Scene, Truth, is_code, is_free};
use crate::rng::Rng;

impl Scene<'_> {
    pub fn split(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let before = self.used.clone();
        let mut found = None;
        for _ in 0..20 {
            let (key, item) = self.choose(rng, |item, text| {
                is_code(item) && text.lines().filter(|l| is_statement(l.trim())).count() >= 4
            })?;
            let text = text_of(self.files, &key.file, &item).to_owned();
            if let Some(run) = run_of_statements(&text) {
                self.used = before.clone();
                self.used.insert(key.clone());
                found = Some((key, item, text, run));
                break;
            }
        }
        let (key, item, text, (start, end)) = found?;
        let lines: Vec<&str> = text.lines().collect();
        let part = lines[start..end].join("\n");
        let name = self.fresh(&key.name);
        let rest =
            [&lines[..start], &[&*format!("    {name}();")], &lines[end..]].concat().join("\n");
        // What the part uses of the rest comes in as parameters.
        let outside: BTreeSet<&str> = tokens(&rest).into_iter().filter(|t| is_name(t)).collect();
        let used: BTreeSet<&str> = tokens(&part).into_iter().filter(|t| is_name(t)).collect();
        let params: Vec<String> =
            used.intersection(&outside).take(3).map(|name| format!("{name}: &str")).collect();
        let mut drawn = format!("fn {name}({}) {{\n{part}\n}}", params.join(", "));
        if rng.below(2) == 0 {
            drawn = self.pool.edit(&drawn, 0.03, 0.15, rng)?;
        }
        let home = key.file.clone();
        let file = if rng.below(3) == 0 { self.other_file(rng, &key)? } else { home };
        splice(self.files, &key.file, item.span.start_byte, item.span.end_byte, &rest);
        self.append(&file, &drawn);
        let new = Key { file, name, kind: "function" };
        self.used.insert(new.clone());
        Some(vec![Truth { op: Op::Split, old: Some(key), new: Some(new) }])
    }

    pub fn merge(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (from, gone) = self.choose(rng, |item, text| {
            item.kind == NodeKind::Function && is_free(item) && tokens(text).len() >= 30
        })?;
        let mut body = text_of(self.files, &from.file, &gone).to_owned();
        if rng.below(2) == 0 {
            body = self.pool.edit(&body, 0.03, 0.15, rng)?;
        }
        let body = body.get(body_at(&body)?..)?.to_owned();
        let (into, _) = self.choose(rng, |item, text| {
            item.kind == NodeKind::Function && is_free(item) && text.ends_with('}')
        })?;
        self.cut(&from.file, gone.span.start_byte, gone.span.end_byte);
        let taker = find(self.files, &into)?;
        let text = text_of(self.files, &into.file, &taker).to_owned();
        let open = body_at(&text)? as u32 + 1;
        let at = taker.span.start_byte + open;
        splice(self.files, &into.file, at, at, &format!("\n    let _ = {body};"));
        Some(vec![Truth { op: Op::Merge, old: Some(from), new: Some(into) }])
    }

    pub fn signature(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) = self.choose(rng, |item, _| item.kind == NodeKind::Function)?;
        let text = text_of(self.files, &key.file, &item);
        let at = text.find(&format!("fn {}", key.name))? + key.name.len() + 3;
        let open = at + text.get(at..)?.find('(')? + 1;
        let comma = if item.params.is_empty() { "" } else { ", " };
        let at = item.span.start_byte + open as u32;
        splice(self.files, &key.file, at, at, &format!("added: u32{comma}"));
        Some(vec![Truth { op: Op::Signature, old: Some(key.clone()), new: Some(key) }])
    }

    pub fn body(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let (key, item) =
            self.choose(rng, |item, text| is_code(item) && tokens(text).len() >= 20)?;
        let text = text_of(self.files, &key.file, &item).to_owned();
        let new = self.pool.edit(&text, 0.05, 0.40, rng)?;
        splice(self.files, &key.file, item.span.start_byte, item.span.end_byte, &new);
        Some(vec![Truth { op: Op::Body, old: Some(key.clone()), new: Some(key) }])
    }

    pub fn add(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let paths: Vec<String> =
            self.files.keys().filter(|p| p.contains("src/")).cloned().collect();
        let file = rng.pick(&paths)?.clone();
        let donor = rng.pick(self.donors)?.clone();
        if !self.added.insert(donor.clone()) {
            return None;
        }
        let found = items("donor.rs", &donor);
        let (of, _) = found.first()?;
        let name = self.fresh(&of.name);
        let text = replace_word(&donor, &of.name, &name);
        self.append(&file, &text);
        let new = Key { file, kind: of.kind, name };
        self.used.insert(new.clone());
        Some(vec![Truth { op: Op::Add, old: None, new: Some(new) }])
    }

    /// Puts an item in that the crate never had, where it stood.
    pub fn add_own(&mut self, rng: &mut Rng, fits: impl Fn(&Held) -> bool) -> Option<Vec<Truth>> {
        let files = &*self.files;
        let there = |held: &Held| {
            let text = files.get(&held.key.file);
            text.is_some_and(|t| !items(&held.key.file, t).iter().any(|(k, _)| *k == held.key))
        };
        let found: Vec<usize> = self
            .held
            .iter()
            .enumerate()
            .filter(|(_, held)| fits(held) && !self.used.contains(&held.key) && there(held))
            .map(|(at, _)| at)
            .collect();
        let held = self.held.swap_remove(*rng.pick(&found)?);
        self.append(&held.key.file, &held.text);
        self.used.insert(held.key.clone());
        Some(vec![Truth { op: Op::AddOwn, old: None, new: Some(held.key) }])
    }

    pub fn replace(&mut self, rng: &mut Rng) -> Option<Vec<Truth>> {
        let held = rng.pick(self.held)?.key.clone();
        let like = |key: &Key| key.file == held.file && key.kind == held.kind;
        let mut truths = self.delete(rng, like)?;
        truths.extend(self.add_own(rng, |h| h.key == held)?);
        for truth in &mut truths {
            truth.op = Op::Replace;
        }
        Some(truths)
    }

    pub fn delete(&mut self, rng: &mut Rng, fits: impl Fn(&Key) -> bool) -> Option<Vec<Truth>> {
        let paths: Vec<String> =
            self.files.keys().filter(|p| p.contains("src/")).cloned().collect();
        let mut tries = 0;
        let (key, item) = loop {
            tries += 1;
            let file = rng.pick(&paths)?;
            let found: Vec<_> = items(file, self.files.get(file)?)
                .into_iter()
                .filter(|(k, i)| is_free(i) && fits(k) && !self.used.contains(k))
                .collect();
            if let Some(found) = rng.pick(&found) {
                break found.clone();
            }
            if tries > 400 {
                return None;
            }
        };
        self.used.insert(key.clone());
        self.cut(&key.file, item.span.start_byte, item.span.end_byte);
        Some(vec![Truth { op: Op::Delete, old: Some(key), new: None }])
    }
}

/// The longest run of lines that are whole statements, at most two thirds of the function.
fn run_of_statements(text: &str) -> Option<(usize, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut best = (0, 0);
    let mut from = None;
    for at in 1..=lines.len() {
        let whole = lines.get(at).is_some_and(|l| is_statement(l.trim()));
        match (whole, from) {
            (true, None) => from = Some(at),
            (false, Some(start)) => {
                if at - start > best.1 - best.0 {
                    best = (start, at);
                }
                from = None;
            }
            _ => {}
        }
    }
    let (start, end) = best;
    let fits = end - start >= 3 && 3 * (end - start) <= 2 * lines.len();
    (fits && tokens(&lines[start..end].join("\n")).len() >= 25).then_some(best)
}

fn is_name(token: &str) -> bool {
    token.len() > 2 && token.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}
