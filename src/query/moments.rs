//! Moments in ad-hoc scripts. To the engine, a stored relation without `@` is every version of
//! every row. To a user, it is the state at the requested moment.
//!
//! So a versioned relation in a script is read at `$at` unless it has an `@`. `@ ALL` reads all
//! versions. A text after `@` may be anything that `--at` takes: `@ "HEAD~1"`. Plain relations,
//! rules and shipped programs are unchanged.

use std::collections::BTreeMap;

use asof_model::Hint;
use asof_model::Micros;
use asof_store::{Relation, Scanner, StoreError, Token};

/// Reads every version of a relation.
const ALL: &str = "ALL";
/// Replacement of `@ ALL`, so that expanding twice changes nothing.
const SAID_ALL: &str = "/*@ ALL*/";
/// Moments that the store handles itself.
const KNOWN: [&str; 2] = ["NOW", "END"];

/// The moment that a script is run at, and those that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moments {
    pub at: Micros,
    /// By the text after `@`. The engine handles texts that are not listed.
    pub named: BTreeMap<String, Result<Micros, UnknownMoment>>,
}

impl From<Micros> for Moments {
    fn from(at: Micros) -> Self {
        Self { at, named: BTreeMap::new() }
    }
}

impl From<&Moments> for Moments {
    fn from(moments: &Moments) -> Self {
        moments.clone()
    }
}

/// Why a text after `@` is not a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMoment {
    pub message: String,
    pub hint: Hint,
}

/// The texts after `@` in a script, each once.
pub(super) fn named(script: &str) -> Vec<String> {
    let mut names: Vec<String> =
        pieces(script).into_iter().filter_map(|piece| piece.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A script with its moments expanded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Script {
    pub text: String,
    /// The replacements.
    changes: Vec<Change>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change {
    /// In the original.
    from: usize,
    old_len: usize,
    /// In the new text.
    to: usize,
    new_len: usize,
}

impl Script {
    /// Expands the moments of a script. Fails at a text that is not a moment.
    ///
    /// A text with an open string or bracket stays as it is: the store refuses it.
    pub fn new(original: &str, moments: &Moments) -> Result<Self, StoreError> {
        let mut text = String::with_capacity(original.len());
        let mut changes = Vec::new();
        let mut done = 0;
        for piece in pieces(original) {
            let new = match (&piece.what, &piece.name) {
                (What::Missing, _) => " @ $at".to_owned(),
                (What::All, _) => SAID_ALL.to_owned(),
                (What::Text, Some(name)) => match moments.named.get(name) {
                    Some(Ok(at)) => at.0.to_string(),
                    None => continue,
                    Some(Err(unknown)) => {
                        return Err(StoreError::at_place(
                            original,
                            piece.start,
                            piece.len,
                            unknown.message.clone(),
                            Some(unknown.hint.clone()),
                        ));
                    }
                },
                (What::Text, None) => continue,
            };
            text.push_str(original.get(done..piece.start).unwrap_or_default());
            changes.push(Change {
                from: piece.start,
                old_len: piece.len,
                to: text.len(),
                new_len: new.len(),
            });
            text.push_str(&new);
            done = piece.start + piece.len;
        }
        text.push_str(original.get(done..).unwrap_or_default());
        Ok(Self { text, changes })
    }

    /// Maps an offset in the new text to the original.
    pub fn origin(&self, offset: usize) -> usize {
        let after = self.changes.partition_point(|change| change.to <= offset);
        let Some(change) = after.checked_sub(1).and_then(|last| self.changes.get(last)) else {
            return offset;
        };
        match offset.checked_sub(change.to + change.new_len) {
            Some(beyond) => change.from + change.old_len + beyond,
            None => change.from + (offset - change.to).min(change.old_len),
        }
    }
}

/// A moment in a script, or the place where one is missing.
#[derive(Debug)]
struct Piece {
    start: usize,
    len: usize,
    what: What,
    /// Contents, if it is a text.
    name: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum What {
    /// A versioned relation without `@`: where to insert it.
    Missing,
    /// `@ ALL`.
    All,
    /// A text after `@`, including its quotes.
    Text,
}

/// A token with its place.
#[derive(Clone, Copy)]
struct Placed<'a> {
    start: usize,
    end: usize,
    token: Token<'a>,
}

fn pieces(script: &str) -> Vec<Piece> {
    let mut scanner = Scanner::new(script);
    let mut tokens = Vec::new();
    loop {
        match scanner.next_token() {
            Ok(Some((start, token))) => {
                tokens.push(Placed { start, end: scanner.offset(), token });
            }
            Ok(None) => break,
            Err(_) => return Vec::new(),
        }
    }
    let mut pieces = Vec::new();
    // The brackets that are open: whether of a versioned relation, and whether `@` was in it.
    let mut open: Vec<(bool, bool)> = Vec::new();
    for (at, placed) in tokens.iter().enumerate() {
        match placed.token {
            Token::Open(_) => open.push((opens_versioned(&tokens, at), false)),
            Token::Close(_) => {
                let Some(frame) = open.pop() else { return Vec::new() };
                let before = at.checked_sub(1).and_then(|at| tokens.get(at)).map_or(0, |b| b.end);
                let gap = script.get(before..placed.start).unwrap_or_default();
                if frame == (true, false) && !says_all(gap) {
                    pieces.push(Piece {
                        start: placed.start,
                        len: 0,
                        what: What::Missing,
                        name: None,
                    });
                }
            }
            Token::Char('@') => {
                // A second one is an error of the script's, which the engine reports.
                if let Some((_, said)) = open.last_mut()
                    && !std::mem::replace(said, true)
                {
                    pieces.extend(moment(script, &tokens, at));
                }
            }
            _ => {}
        }
    }
    pieces
}

/// Whether a comment between two tokens is the replacement of `@ ALL`.
fn says_all(gap: &str) -> bool {
    let mut rest = gap.trim_start();
    loop {
        if rest.starts_with(SAID_ALL) {
            return true;
        }
        let end = if rest.starts_with('#') { "\n" } else { "*/" };
        let Some((_, after)) = rest.split_once(end) else { return false };
        rest = after.trim_start();
    }
}

/// Whether the bracket at this token is that of `*relation{` or `*relation[` with versions.
fn opens_versioned(tokens: &[Placed<'_>], at: usize) -> bool {
    let before = |by: usize| at.checked_sub(by).and_then(|at| tokens.get(at));
    let (Some(bracket), Some(name), Some(star)) = (tokens.get(at), before(1), before(2)) else {
        return false;
    };
    // The engine allows no space after the `*` of a relation: with one, it multiplies.
    star.token == Token::Char('*')
        && star.end == name.start
        && matches!(bracket.token, Token::Open('{' | '['))
        && matches!(name.token, Token::Word(word)
            if Relation::find(word).is_some_and(|relation| relation.versioned))
}

/// `@ ALL`, or a text, after the `@` at this token.
fn moment(script: &str, tokens: &[Placed<'_>], at: usize) -> Option<Piece> {
    let start = tokens.get(at)?.start;
    let mut next = at + 1;
    let first = tokens.get(next)?;
    if first.token == Token::Word(ALL) && matches!(tokens.get(next + 1)?.token, Token::Close(_)) {
        return Some(Piece { start, len: first.end - start, what: What::All, name: None });
    }
    // `@ ("…")`, `@ (vt: "…")`.
    while let Token::Open('(') | Token::Word("vt") | Token::Char(':') = tokens.get(next)?.token {
        next += 1;
    }
    let text = tokens.get(next)?;
    let Token::Str(inner) = text.token else { return None };
    let ends = matches!(tokens.get(next + 1)?.token, Token::Close(_) | Token::Char(','));
    if !ends || KNOWN.contains(&inner) {
        return None;
    }
    let raw = script.get(text.start..).is_some_and(|rest| rest.starts_with('_'));
    let name = if raw { inner.to_owned() } else { unescaped(inner) };
    let (start, len) = (text.start, text.end - text.start);
    Some(Piece { start, len, what: What::Text, name: Some(name) })
}

/// Unquotes a text. Unknown escapes are kept, because the engine refuses them.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok();
                out.extend(code.and_then(char::from_u32));
            }
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;
    use crate::{Library, QueryError};
    use asof_model::NodeId;
    use asof_store::{Batch, GuardKind, Limits, Store, Value};

    fn moments() -> Moments {
        let unknown =
            UnknownMoment { message: "no revision for `v9`".into(), hint: Hint::ListRevisions };
        let named = [
            ("v1".to_owned(), Ok(Micros(10))),
            ("a\"b".to_owned(), Ok(Micros(20))),
            ("v9".to_owned(), Err(unknown)),
        ];
        Moments { at: Micros(20), named: named.into() }
    }

    fn written(script: &str) -> String {
        Script::new(script, &moments()).unwrap().text
    }

    #[track_caller]
    fn check(script: &str, expected: &str) {
        assert_eq!(written(script), expected);
        assert_eq!(written(expected), expected, "written again");
    }

    #[test]
    fn versioned_relations_without_a_moment_get_that_of_the_question() {
        check("?[id] := *node{id}", "?[id] := *node{id @ $at}");
        check("?[id] := *node{}", "?[id] := *node{ @ $at}");
        check("?[p] := *file[p, a, b, c, d, e]", "?[p] := *file[p, a, b, c, d, e @ $at]");
        check("?[p] := *file {path: p,}", "?[p] := *file {path: p, @ $at}");
        check(
            "r[id] := *node{id: id, kind: ('a' ++ f([1, {'x': 2}]))} or not *edge{source: id}\n\
             ?[id, n] := r[id], *node{id, name: n @ 5}",
            "r[id] := *node{id: id, kind: ('a' ++ f([1, {'x': 2}])) @ $at} or not *edge{source: id @ $at}\n\
             ?[id, n] := r[id], *node{id, name: n @ 5}",
        );
        check(
            "?[id, rank] <~ PageRank(*edge[source, target], theta: 0.5)",
            "?[id, rank] <~ PageRank(*edge[source, target @ $at], theta: 0.5)",
        );
        check(
            "{?[i] := *node{id: i}}{?[i] := *edge{source: i}}",
            "{?[i] := *node{id: i @ $at}}{?[i] := *edge{source: i @ $at}}",
        );
        check(
            "?[é] := *node{name: é} # ü\n, *module{path: é}",
            "?[é] := *node{name: é @ $at} # ü\n, *module{path: é @ $at}",
        );
        check("?[id] := *node /* { */ {id # }\n}", "?[id] := *node /* { */ {id # }\n @ $at}");
    }

    #[test]
    fn everything_else_stays() {
        for same in [
            "?[id] := *node{id @ $at}, *file{path @ 'NOW'}, *edge{source @ \"END\"}",
            "?[at, id] := *revision{at, id}, *text{hash}, *meta{key: 'a', value: \"*node{id}\"}",
            "?[a] := a = '*node{id}' # *node{id}\n/* *node{id} */, b = _\"*node{id}\"_",
            "node[a] <- [[1]] ?[a] := node[a], b = 2 * a",
            "?[a] := a = 2 * node[1]",
            "?[id] := *nodes{id}, *no_such{id}, *node:by_name{id}",
            "?[id] := *node{id @ to_int('5')}, *node{id @ 'a' ++ 'b'}, *node{id @ \"unlisted\"}",
            "?[id] := *node{id",
            "?[id] := *node{id, name: 'x}",
            "?[id] := *node{id}]",
            "",
        ] {
            check(same, same);
        }
    }

    #[test]
    fn all_versions_are_asked_for_by_name() {
        check("?[id, at] := *node{id, at @ ALL}", "?[id, at] := *node{id, at /*@ ALL*/}");
        check(
            "?[id] := *node{id @ALL }, *node{id}",
            "?[id] := *node{id /*@ ALL*/ }, *node{id @ $at}",
        );
        check("?[id] := *text{id @ ALL}", "?[id] := *text{id /*@ ALL*/}");
    }

    #[test]
    fn texts_are_moments() {
        check("?[id] := *node{id @ \"v1\"}", "?[id] := *node{id @ 10}");
        check("?[id] := *node{id @ 'a\\u0022b'}", "?[id] := *node{id @ 20}");
        check("?[id] := *node{id @ __\"v1\"__}", "?[id] := *node{id @ 10}");
        check("?[id] := *node{id @ (vt: 'v1')}", "?[id] := *node{id @ (vt: 10)}");
        assert_eq!(named("*a{x @ \"v1\"}, *b{x @ 'v2'}, *b{x @ 'v1'}, c = 'v3'"), ["v1", "v2"]);
        let error = Script::new("?[id] :=\n  *node{id @ 'v9'}", &moments()).unwrap_err();
        let StoreError::Query { span, excerpt, message, help, .. } = error else { panic!() };
        assert_eq!((span, message.as_str()), (Some((22, 4)), "no revision for `v9`"));
        assert_eq!(excerpt, "   2 |   *node{id @ 'v9'}\n                    ^^^^");
        assert_eq!(help, Some(Hint::ListRevisions));
    }

    /// `a` is there from 10 on, `b` from 10 to 20, `c` from 20 on.
    fn store() -> Store {
        let store = Store::in_memory().unwrap();
        let mut batch = Batch::new();
        for (name, at, there) in
            [("a", 10, true), ("b", 10, true), ("b", 20, false), ("c", 20, true)]
        {
            let key = [Value::from(name), NodeId(Uuid::nil()).into()];
            if there {
                batch.assert("node_by_name", Micros(at), key, []).unwrap()
            } else {
                batch.retract("node_by_name", Micros(at), key, []).unwrap()
            }
        }
        store.commit(batch).unwrap();
        store
    }

    #[test]
    fn answers_are_those_of_a_script_that_says_the_moment() {
        let store = store();
        let ask = |script: &str| {
            let rows = Library::run_text(&store, script, &[], moments(), Limits::default());
            serde_json::to_string(&rows.unwrap_or_else(|e| panic!("{script}: {e}")).to_json())
                .unwrap()
        };
        for script in [
            "?[name] := *node_by_name{name@}",
            "?[name] := *node_by_name[name, _ @]".replace("_ @", "_, _ @").as_str(),
            "r[name] := *node_by_name{name@} ?[name] := r[name], not *node_by_name{name: 'a', id@}",
            "?[count(name)] := *node_by_name{name@}",
            "?[name] := *node_by_name{name@}, *node_by_name{name@}, name != '*node_by_name{name}'",
            "?[node, all, out, in_] <~ DegreeCentrality(*node_by_name[name, id@])"
                .replace("id@", "id, at@")
                .as_str(),
        ] {
            let says = script.replace('@', " @ $at");
            let silent = script.replace('@', "");
            assert_eq!(ask(&silent), ask(&says), "{silent}");
        }
        assert_eq!(ask("?[name] := *node_by_name{name}"), r#"[["a"],["c"]]"#);
        assert_eq!(ask("?[name] := *node_by_name{name @ 'v1'}"), r#"[["a"],["b"]]"#);
        assert_eq!(ask("?[name] := *node_by_name{name @ ALL}"), r#"[["a"],["b"],["c"]]"#);
        assert_eq!(ask("?[count(at)] := *node_by_name{name, at @ ALL}"), "[[4]]");
    }

    #[test]
    fn places_in_messages_are_those_of_the_script_as_it_was_written() {
        let store = store();
        let before = "r[n] := *node_by_name{name: n}, *node_by_name{name: n @ 'v1'}\n";
        for (wrong, marked) in [
            ("?[n] := r[n], *node_by_name{nam: n}", "*node_by_name{nam: n"),
            ("?[n] := r[n], x = no_such(1)", "no_such(1)"),
            ("?[n] := r[n], x = 'a' +", ""),
        ] {
            let script = format!("{before}{wrong}");
            for explain in [false, true] {
                let error = if explain {
                    Library::explain_text(&store, &script, &[], moments())
                } else {
                    Library::run_text(&store, &script, &[], moments(), Limits::default())
                };
                let error = error.unwrap_err();
                let QueryError::Store(StoreError::Query { span, excerpt, message, .. }) = &error
                else {
                    panic!("{error:?}");
                };
                assert!(!message.contains(".."), "offsets of another text: {message}");
                let (start, len) = span.unwrap();
                assert!(excerpt.starts_with(&format!("   2 | {wrong}")), "{error}");
                assert!(start >= before.len() && start + len <= script.len(), "{error:?}");
                assert!(script.get(start..start + len).unwrap().contains(marked), "{error:?}");
            }
        }
        let script = format!("{before}  :put x");
        let error = Library::run_text(&store, &script, &[], moments(), Limits::default());
        let Err(QueryError::Store(StoreError::Guard { kind, offset, line, column, .. })) = error
        else {
            panic!("{error:?}");
        };
        assert_eq!(kind, GuardKind::Mutation);
        assert_eq!((offset, line, column), (before.len() + 2, 2, 3));
    }

    proptest! {
        #[test]
        fn any_text_ends_and_writing_twice_changes_nothing(script in "[*@{}\\[\\]()'\"_ a-dA-L#/:=$n]{0,60}|(\\*node\\{id|\\}| @ ALL|'v1'|@ |\\*file\\[|\\]|, |/\\*|\\*/|_\"|#|\n|:=|\\*meta\\{){0,20}") {
            if let Ok(once) = Script::new(&script, &moments()) {
                let twice = Script::new(&once.text, &moments()).unwrap();
                prop_assert_eq!(&twice.text, &once.text);
                for at in 0..=once.text.len() {
                    prop_assert!(once.origin(at) <= script.len());
                }
                if !script.contains("*node") && !script.contains("*file") && !script.contains('@') {
                    prop_assert_eq!(&once.text, &script);
                }
            }
        }
    }
}
