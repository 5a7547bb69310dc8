//! Checks an ad-hoc script before the engine's parser sees it.
//!
//! The parser reads the last element of every list twice, so that nesting doubles its time
//! (`[[…]]`, `f(g(…))`, `(…)` in a body); it recurses, so that deep nesting and long chains of
//! operators overflow the stack; and conjunctions of `or`s are multiplied out before any limit
//! of time applies. Measured on two cores: 16 nested lists 0.3 s, and 6 s with a syntax error
//! inside; 24 of them, or 16 conjoined `or`s, more than 5 s; 4,096 brackets or operators abort.
//! The limits are well below: a script that passes is parsed and planned in less than about a
//! second.

use super::error::{GuardKind, StoreError};
use super::excerpt::place;
use super::scan::{Scanner, Token};

/// Bytes of a script.
const MAX_LEN: usize = 128 * 1024;
/// Open brackets.
const MAX_DEPTH: usize = 64;
/// Tokens that the parser reads in one rule beyond four times their number (eleven nested lists).
const MAX_REREAD: u64 = 4096;
/// The same for the whole script.
const MAX_REREAD_TOTAL: u64 = 65_536;
/// Height of an expression: operators in a row and brackets around each other.
const MAX_HEIGHT: u64 = 256;
/// Conjuncts in a rule; columns of a head.
const MAX_CONJUNCTS: u64 = 128;
/// Conjunctions that a rule's `or`s multiply out to, times its conjuncts.
const MAX_PRODUCT: u64 = 4096;
/// Rules in a script.
const MAX_RULES: u64 = 256;
/// Opening parentheses within strings: the search syntax inside them recurses too.
const MAX_PARENS_IN_STRINGS: u64 = 512;

/// Options that write, or wait.
const MUTATIONS: [&str; 10] = [
    "create", "replace", "reconcile", "insert", "put", "update", "rm", "delete", "ensure", "sleep",
];

/// Conjunctions that an atom becomes in disjunctive normal form, as written and negated.
#[derive(Debug, Clone, Copy)]
struct Terms {
    plain: u64,
    negated: u64,
}

impl Terms {
    const ONE: Self = Self { plain: 1, negated: 1 };
    /// No disjunct yet.
    const NO_DISJUNCT: Self = Self { plain: 0, negated: 1 };
    /// No conjunct yet.
    const NO_CONJUNCT: Self = Self { plain: 1, negated: 0 };

    fn or(self, other: Self) -> Self {
        Self {
            plain: self.plain.saturating_add(other.plain),
            negated: self.negated.saturating_mul(other.negated),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            plain: self.plain.saturating_mul(other.plain),
            negated: self.negated.saturating_add(other.negated),
        }
    }
}

/// An open bracket, or the body of a rule.
#[derive(Debug)]
struct Frame {
    close: char,
    /// Opened right after a name: arguments.
    applied: bool,
    /// Tokens read in finished elements, and in the current one.
    cost: u64,
    element: u64,
    /// Greatest height of finished elements, and that of the current one.
    height: u64,
    rising: u64,
    conjuncts: u64,
    conjunction: Terms,
    disjunction: Terms,
    atom: Terms,
    negated: bool,
}

impl Frame {
    fn new(close: char, applied: bool) -> Self {
        Self {
            close,
            applied,
            cost: 0,
            element: 0,
            height: 0,
            rising: 0,
            conjuncts: 1,
            conjunction: Terms::NO_CONJUNCT,
            disjunction: Terms::NO_DISJUNCT,
            atom: Terms::ONE,
            negated: false,
        }
    }

    /// At `or`: the atom is one disjunct.
    fn end_disjunct(&mut self) {
        let mut atom = std::mem::replace(&mut self.atom, Terms::ONE);
        if std::mem::take(&mut self.negated) {
            std::mem::swap(&mut atom.plain, &mut atom.negated);
        }
        self.disjunction = self.disjunction.or(atom);
        self.height = self.height.max(std::mem::take(&mut self.rising));
    }

    /// At `,` and at the end: the disjunction is one conjunct, the element is finished.
    fn end_element(&mut self) {
        self.end_disjunct();
        let disjunction = std::mem::replace(&mut self.disjunction, Terms::NO_DISJUNCT);
        self.conjunction = self.conjunction.and(disjunction);
        self.cost = self.cost.saturating_add(std::mem::take(&mut self.element));
    }
}

/// Accepts scripts that only read and that the engine's parser can handle; fails with
/// [`StoreError::Guard`], which has the position.
pub(super) fn check(script: &str) -> Result<(), StoreError> {
    Guard {
        script,
        frames: vec![Frame::new('\0', false)],
        rules: 0,
        tokens: 0,
        reread: 0,
        parens: 0,
    }
    .run()
}

struct Guard<'a> {
    script: &'a str,
    /// The first is the rule.
    frames: Vec<Frame>,
    rules: u64,
    /// Tokens of the current rule.
    tokens: u64,
    /// Tokens of the finished rules.
    reread: u64,
    parens: u64,
}

impl Guard<'_> {
    fn run(mut self) -> Result<(), StoreError> {
        use GuardKind::{SystemOperation, TooLong, Unbalanced};
        if self.script.len() > MAX_LEN {
            let message = format!("the script has more than {MAX_LEN} bytes");
            return Err(self.error(TooLong, MAX_LEN, message));
        }
        let mut scanner = Scanner::new(self.script);
        let mut before = Token::Start;
        let mut after_head = false;
        loop {
            let (at, token) = match scanner.next_token() {
                Ok(Some(token)) => token,
                Ok(None) => break,
                Err((at, message)) => return Err(self.error(Unbalanced, at, message.into())),
            };
            if before == Token::Start && matches!(token, Token::Open('{') | Token::Char('%')) {
                let message =
                    "blocks and control flow are not allowed in ad-hoc queries".to_owned();
                return Err(self.error(SystemOperation, at, message));
            }
            self.tokens += 1;
            let mut head = false;
            match token {
                Token::Open(bracket) => self.open(at, bracket, before)?,
                Token::Close(bracket) => head = self.close(at, bracket)? && bracket == ']',
                Token::Str(text) => self.string(at, text)?,
                Token::System => {
                    let message = "system operations are not allowed in ad-hoc queries".to_owned();
                    return Err(self.error(SystemOperation, at, message));
                }
                Token::Define => self.begin_rule(at)?,
                Token::Arrow if after_head && self.frames.len() == 1 => self.begin_rule(at)?,
                Token::Option(name) if self.frames.len() == 1 => self.option(at, name)?,
                Token::Word("or") => self.top().end_disjunct(),
                Token::Word("not") => {
                    self.top().negated ^= true;
                    self.rise(at, 1)?;
                }
                Token::Char(',') => {
                    let top = self.top();
                    top.end_element();
                    top.conjuncts += 1;
                    let (conjuncts, list) = (top.conjuncts, top.close == ']' && !top.applied);
                    if conjuncts > MAX_CONJUNCTS && !list {
                        let message = format!("more than {MAX_CONJUNCTS} elements in a row");
                        return Err(self.error(GuardKind::TooManyOperators, at, message));
                    }
                }
                Token::Arrow => self.rise(at, 2)?,
                Token::Char(c) if "+-*/%^<>=!~&|@".contains(c) => self.rise(at, 1)?,
                Token::Char(_) | Token::Word(_) | Token::Option(_) | Token::Start => {}
            }
            self.top().element += 1;
            before = token;
            after_head = head;
        }
        self.begin_rule(self.script.len())?;
        Ok(())
    }

    #[expect(clippy::indexing_slicing, reason = "there is a frame: one was pushed if need be")]
    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new('\0', false));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn open(&mut self, at: usize, bracket: char, before: Token<'_>) -> Result<(), StoreError> {
        let close = match bracket {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        let named = matches!(before, Token::Word(word) if !["or", "not", "in"].contains(&word));
        let applied = named || before == Token::Char('?');
        self.frames.push(Frame::new(close, applied));
        if self.frames.len() > MAX_DEPTH {
            let message = format!("brackets are nested deeper than {MAX_DEPTH}");
            return Err(self.error(GuardKind::TooDeep, at, message));
        }
        Ok(())
    }

    /// Returns whether the bracket belonged to a name.
    fn close(&mut self, at: usize, bracket: char) -> Result<bool, StoreError> {
        let Some(mut frame) = (self.frames.len() > 1).then(|| self.frames.pop()).flatten() else {
            return Err(self.error(
                GuardKind::Unbalanced,
                at,
                format!("`{bracket}` has no opening bracket"),
            ));
        };
        if frame.close != bracket {
            let message = format!("`{bracket}` found where `{}` was expected", frame.close);
            return Err(self.error(GuardKind::Unbalanced, at, message));
        }
        let last = frame.element;
        frame.end_element();
        let cost = frame.cost.saturating_add(last).saturating_add(1);
        let group = bracket == ')' && !frame.applied;
        let top = self.top();
        top.element = top.element.saturating_add(cost);
        if group {
            top.atom = frame.conjunction;
            top.conjuncts += frame.conjuncts - 1;
        }
        self.check_terms(at)?;
        self.rise(at, frame.height + 1)?;
        if cost > MAX_REREAD + 4 * self.tokens {
            let message = "lists, calls and groups are nested too deeply at each other's ends";
            return Err(self.error(GuardKind::TooDeep, at, message.to_owned()));
        }
        Ok(frame.applied)
    }

    fn rise(&mut self, at: usize, by: u64) -> Result<(), StoreError> {
        let top = self.top();
        top.rising += by;
        if top.rising > MAX_HEIGHT {
            let message = format!("an expression has more than {MAX_HEIGHT} operators in a row");
            return Err(self.error(GuardKind::TooManyOperators, at, message));
        }
        Ok(())
    }

    /// At the head of a rule and at the end: the rule before is finished.
    fn begin_rule(&mut self, at: usize) -> Result<(), StoreError> {
        if self.frames.len() > 1 {
            let close = self.top().close;
            return Err(self.error(GuardKind::Unbalanced, at, format!("`{close}` is missing")));
        }
        let last = self.top().element;
        self.top().end_element();
        self.check_terms(at)?;
        let cost = self.top().cost.saturating_add(last);
        self.reread = self.reread.saturating_add(cost.saturating_sub(4 * self.tokens));
        self.rules += 1;
        if cost > MAX_REREAD + 4 * self.tokens || self.reread > MAX_REREAD_TOTAL {
            let message = "lists, calls and groups are nested too deeply at each other's ends";
            return Err(self.error(GuardKind::TooDeep, at, message.to_owned()));
        }
        if self.rules > MAX_RULES + 1 {
            let message = format!("more than {MAX_RULES} rules");
            return Err(self.error(GuardKind::TooManyOperators, at, message));
        }
        self.tokens = 0;
        self.frames = vec![Frame::new('\0', false)];
        Ok(())
    }

    /// Checks how many conjunctions the current rule's `or`s expand to.
    fn check_terms(&mut self, at: usize) -> Result<(), StoreError> {
        let top = self.top();
        let terms = top.conjunction.and(top.disjunction.or(top.atom));
        let most = terms.plain;
        let product = most.saturating_mul(top.conjuncts);
        let long = top.conjuncts > 2 * MAX_CONJUNCTS && top.close != ']';
        if long || (most > 1 && product > MAX_PRODUCT) {
            let message = format!("the `or`s of a rule expand to {most} conjunctions");
            return Err(self.error(GuardKind::TooManyOperators, at, message));
        }
        Ok(())
    }

    fn string(&mut self, at: usize, text: &str) -> Result<(), StoreError> {
        self.parens += text.matches('(').count() as u64;
        if self.parens > MAX_PARENS_IN_STRINGS {
            let message = format!("more than {MAX_PARENS_IN_STRINGS} parentheses within strings");
            return Err(self.error(GuardKind::TooManyOperators, at, message));
        }
        Ok(())
    }

    fn option(&mut self, at: usize, name: &str) -> Result<(), StoreError> {
        // The engine does not require the word to end here.
        match MUTATIONS.iter().find(|mutation| name.starts_with(*mutation)) {
            Some(mutation) => {
                let message =
                    format!("`:{mutation}` is not allowed in ad-hoc queries: they only read");
                Err(self.error(GuardKind::Mutation, at, message))
            }
            None => Ok(()),
        }
    }

    fn error(&self, kind: GuardKind, offset: usize, message: String) -> StoreError {
        let (offset, line, column) = place(self.script, offset);
        StoreError::Guard { kind, message, offset, line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(script: &str) -> Option<GuardKind> {
        match check(script) {
            Ok(()) => None,
            Err(StoreError::Guard { kind, .. }) => Some(kind),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn ordinary_queries_pass() {
        for script in [
            "?[a] <- [[1, 'x(', \"y\\\"\", ___\"raw \" ) text\"___]]",
            "# @name x\n?[id, count(n)] := *node{id, name: n @ $at}, n != 'a' /* ( */ :limit 5 :sort -id",
            "r[x] := *edge{source: x} or *edge{target: x}\n?[x] := r[x], not (x == 1 or x == 2)",
            "?[a] := a in [1, 2, 3], b = {'k': [1, {'l': 2}]}, a < -1 :order a",
            "seed[] <- [[$x]] anc[x] := seed[x] anc[y] := anc[x], *node{id: x, parent_id: y @ $at} ?[x] := anc[x]",
            "?[rank, id] <~ PageRank(*edge[source, target], theta: 0.5) :timeout 1",
        ] {
            assert_eq!(kind(script), None, "{script}");
        }
        let rows = "[1, 'text'],".repeat(8000);
        assert_eq!(kind(&format!("?[a, b] <- [{rows}]")), None);
        let ors = " or a = 2".repeat(500);
        assert_eq!(kind(&format!("?[a] := a = 1{ors}")), None);
        assert_eq!(kind(&"r[a] := a = f(g(h([1, 2]))) \n".repeat(200)), None);
    }

    #[test]
    fn scripts_that_would_block_the_parser_are_refused() {
        use GuardKind::*;
        let nest = |open: &str, close: &str, n| {
            kind(&format!("?[a] := {}1{}", open.repeat(n), close.repeat(n)))
        };
        for (open, close) in [("[", "]"), ("f(", ")"), ("(", ")"), ("{1:", "}"), ("not (", ")")] {
            assert_eq!(nest(open, close, 8), None, "{open}");
            assert_eq!(nest(open, close, 16), Some(TooDeep), "{open}");
            assert_eq!(nest(open, close, 20_000), Some(TooDeep), "{open}");
        }
        // Earlier elements are read once only: their nesting costs as much as the last one's.
        assert_eq!(nest("[[1],", "]", 16), Some(TooDeep));
        assert_eq!(nest("[", ", 1]", 60), None);
        for chain in ["+1", " && a", "-", "^2", " -> 1", " < 1"] {
            assert_eq!(kind(&format!("?[a] := a = 1{}", chain.repeat(100))), None, "{chain}");
            let long = format!("?[a] := a = 1{}", chain.repeat(1000));
            assert_eq!(kind(&long), Some(TooManyOperators), "{chain}");
        }
        let chain = format!("?[a] <- [[{}true]]", "!".repeat(1000));
        assert_eq!(kind(&chain), Some(TooManyOperators));
        let product = |n| kind(&format!("?[a] := *m{{a}}{}", ", (a == 1 or a == 2)".repeat(n)));
        assert_eq!(product(8), None);
        assert_eq!(product(12), Some(TooManyOperators));
        let negated = format!("?[a] := not ({})", "(a == 1, a == 2), ".repeat(20));
        assert_eq!(kind(&negated), None);
        let negated = format!("?[a] := not ({}a == 1)", "(a == 1, a == 2) or ".repeat(20));
        assert_eq!(kind(&negated), Some(TooManyOperators));
        assert_eq!(kind(&", *m{a}".repeat(200)), Some(TooManyOperators));
        assert_eq!(
            kind(&format!("?[a] := a < [1]{}", "<-[1]".repeat(2000))),
            Some(TooManyOperators)
        );
        assert_eq!(kind(&"/*".repeat(100)), Some(Unbalanced));
        assert_eq!(kind(&" ".repeat(200_000)), Some(TooLong));
        assert_eq!(kind(&"r[a] := a = 1 ".repeat(1000)), Some(TooManyOperators));
    }

    #[test]
    fn writes_and_system_operations_are_refused_with_their_place() {
        use GuardKind::*;
        assert_eq!(kind("::remove node"), Some(SystemOperation));
        assert_eq!(kind("{?[a] <- [[1]]}"), Some(SystemOperation));
        assert_eq!(kind("%loop"), Some(SystemOperation));
        assert_eq!(kind("?[a] <- [[1]] :put meta {a}"), Some(Mutation));
        assert_eq!(kind("?[a] <- [[1]] :rmmeta"), Some(Mutation));
        assert_eq!(kind("?[a] := a = ':put'"), None);
        assert_eq!(kind("?[a] := a = {'x':put}"), None);
        assert_eq!(kind("?[a] := a = 'open"), Some(Unbalanced));
        assert_eq!(kind("?[a] := (a = 1]"), Some(Unbalanced));
        assert_eq!(kind("?[a] := :limit_\"\\\"_ ((((("), Some(Unbalanced));
        let error = check("?[é] := é = 1\n  :put x").unwrap_err();
        assert!(
            matches!(error, StoreError::Guard { line: 2, column: 3, offset: 18, .. }),
            "{error:?}"
        );
    }
}
