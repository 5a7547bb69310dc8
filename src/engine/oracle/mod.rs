//! Checks claimed answers against the code at a moment. `crate::oracle` reads questions and
//! compares; here the truth is found: by text search, and by the programs of `queries/oracle`.

mod batch;
mod facts;
mod forms;
mod past;
mod subject;
mod text;
mod when;

use std::time::Instant;

use super::database::{Refresh, Snapshot};
use super::error::EngineError;
use crate::oracle::{self, Ask, Claimed, Fact, Question, Structural};
use crate::wire::{CheckedClaim, ClaimClass, ClaimRequest, Verdict, When};

/// Entries of the truth that an answer lists.
const MAX_TRUTH: usize = 50;

/// A verdict with the truth that it is based on.
#[derive(Debug)]
struct Checked {
    verdict: Verdict,
    truth: Vec<String>,
    method: String,
}

impl Checked {
    fn unknown(reason: impl Into<String>, method: &str) -> Self {
        let verdict = Verdict::CannotVerify { reason: reason.into() };
        Self { verdict, truth: Vec::new(), method: method.to_owned() }
    }
}

impl Snapshot<'_> {
    /// Checks a claimed answer against the code as of this snapshot, or as of the moment that the
    /// question names. A claim is refuted only by facts that are sure.
    ///
    /// # Errors
    /// An empty question, a file filter that is not valid, or a failure of the database. A question
    /// that cannot be checked is an answer, not an error.
    pub fn check_claim(&self, request: &ClaimRequest) -> Result<CheckedClaim, EngineError> {
        let started = Instant::now();
        if request.query.trim().is_empty() {
            return Err(EngineError::BadRequest {
                what: "the question is empty".to_owned(),
                hint: "ask for a fact: `signature of crate::f`, `callers of Type::method`".into(),
            });
        }
        let claimed = Claimed::new(&request.answer);
        let mut question = oracle::read(&request.query);
        if let Question::Structural(asked) = &mut question
            && let Some(path) = &request.path
        {
            asked.subject.clone_from(path);
        }
        let class = match &question {
            Question::Pattern(_) => ClaimClass::Pattern,
            Question::Structural(_) => ClaimClass::Structural,
            Question::Semantic | Question::Unreadable => ClaimClass::Semantic,
        };
        let moment = match &question {
            Question::Pattern(asked) => asked.moment.as_deref(),
            Question::Structural(asked) => asked.moment.as_deref(),
            Question::Semantic | Question::Unreadable => None,
        };
        let then = match moment.map(|text| self.at_moment(text)).transpose() {
            Ok(then) => then,
            Err(error) => {
                let reason = format!("the question names a moment that is not known: {error}");
                return Ok(self.finish(request, class, Checked::unknown(reason, "none"), started));
            }
        };
        let snapshot = then.as_ref().unwrap_or(self);
        let mut detail = None;
        let checked = match &question {
            Question::Pattern(asked) => snapshot.check_pattern(request, asked, &claimed)?,
            Question::Structural(asked) => {
                let checked = snapshot.check_structural(request, asked, &claimed)?;
                if checked.verdict.is_refuted() || snapshot.is_gone(&checked, asked)? {
                    detail = snapshot.was_true(request, asked, &claimed)?;
                }
                checked
            }
            Question::Semantic => Checked::unknown("an explanation cannot be checked", "none"),
            Question::Unreadable => Checked::unknown(
                "the question is none that can be checked; ask for a signature, parameters, \
                 fields, variants, methods, implementors, callers, callees, uses, or text",
                "none",
            ),
        };
        let mut answer = snapshot.finish(request, class, checked, started);
        answer.detail = detail;
        Ok(answer)
    }

    fn finish(
        &self,
        request: &ClaimRequest,
        class: ClaimClass,
        checked: Checked,
        started: Instant,
    ) -> CheckedClaim {
        let Checked { verdict, mut truth, method } = checked;
        let truth_total = truth.len();
        truth.truncate(MAX_TRUTH);
        CheckedClaim {
            basis: self.basis.clone(),
            source: self.origin,
            query: request.query.clone(),
            class,
            golden: verdict.is_golden(),
            verdict,
            truth,
            truth_total,
            verification_method: method,
            detail: None,
            ms: started.elapsed().as_secs_f64() * 1e3,
        }
    }

    /// The snapshot of a moment that a question names.
    fn at_moment(&self, text: &str) -> Result<Snapshot<'_>, EngineError> {
        self.database.snapshot(&When::parse(text)?, Refresh::Skip)
    }

    /// Checks a question about items as of this snapshot.
    fn check_structural(
        &self,
        request: &ClaimRequest,
        asked: &Structural,
        claimed: &Claimed<'_>,
    ) -> Result<Checked, EngineError> {
        let method = method(asked);
        match asked.ask {
            Ask::Changed(change) => return self.check_change(asked, change, claimed),
            Ask::SinceCalls => return self.check_since(asked, claimed),
            _ => {}
        }
        let file = asked.file.as_deref().or(request.file_path.as_deref());
        if let Ask::Items(kinds) = asked.ask {
            let known = self.items_of(kinds, &asked.subject, file)?;
            let Some(facts) = known else {
                let reason = format!("no module or file `{}`", asked.subject);
                return Ok(Checked::unknown(reason, &method));
            };
            return Ok(compare(asked, claimed, &facts, &method));
        }
        let subjects = match self.subjects(asked, file)? {
            Ok(subjects) => subjects,
            Err(reason) => return Ok(Checked::unknown(reason, &method)),
        };
        let mut checked: Vec<Checked> = Vec::new();
        for subject in &subjects {
            let known = self.facts(asked, subject)?;
            checked.push(compare(asked, claimed, &known, &method));
        }
        // A path that several items have is answered if the answer is right, or wrong, for all.
        let first = checked.pop();
        let same = checked.iter().all(|other| {
            first.as_ref().is_some_and(|first| {
                first.verdict.is_golden() == other.verdict.is_golden()
                    && first.verdict.name() == other.verdict.name()
            })
        });
        match first {
            Some(first) if same => Ok(first),
            _ => Ok(Checked::unknown(
                format!(
                    "`{}` means {} items, and the answer is right for only some of them",
                    asked.subject,
                    subjects.len()
                ),
                &method,
            )),
        }
    }
}

/// The true answer to a question about one item.
#[derive(Debug)]
enum Known {
    /// Entries. The function says why a claimed entry that is not among them may be true.
    List(Vec<Fact>, facts::Doubts),
    /// One piece of code, in its accepted forms; the first is listed.
    Code(Vec<String>),
    YesNo(bool),
    /// The facts do not decide it.
    Unknown(String),
}

/// The question as it was understood.
fn method(asked: &Structural) -> String {
    let of = match asked.subject.as_str() {
        "" => String::new(),
        subject => format!(" {subject}"),
    };
    let other = asked.other.as_ref().map(|other| format!(" {other}")).unwrap_or_default();
    let count = if asked.count { "number of " } else { "" };
    format!("{count}{:?}{of}{other}", asked.ask)
}

fn compare(asked: &Structural, claimed: &Claimed<'_>, known: &Known, method: &str) -> Checked {
    let (verdict, truth) = match known {
        Known::Unknown(reason) => return Checked::unknown(reason.clone(), method),
        Known::YesNo(truth) => {
            let word = if *truth { "yes" } else { "no" };
            let verdict = match claimed.yes_or_no() {
                Some(claimed) => oracle::compare_yes_no(claimed, *truth),
                None => not_read("yes or no"),
            };
            (verdict, vec![word.to_owned()])
        }
        Known::Code(forms) => {
            let code = claimed.code();
            let same = |code: &String| forms.iter().any(|form| oracle::same_code(code, form));
            let truth: Vec<String> = forms.first().cloned().into_iter().collect();
            let verdict = match code.iter().any(same) {
                true => Verdict::ExactMatch,
                false => Verdict::Mismatch { extra: code, missing: truth.clone() },
            };
            (verdict, truth)
        }
        Known::List(facts, doubts) => {
            let truth = facts.iter().map(|fact| fact.shown.clone()).collect();
            let number = if asked.count { claimed.number() } else { claimed.bare_number() };
            let verdict = match (number, claimed.entries(&asked.subject)) {
                (Some(number), _) => count(number, facts, doubts),
                (None, Some(entries)) => {
                    oracle::compare(&entries, facts, true, &|entry| doubts.about(entry))
                }
                (None, None) => not_read("a list"),
            };
            (verdict, truth)
        }
    };
    Checked { verdict, truth, method: method.to_owned() }
}

/// Compares a number with how many facts there are: at least the sure ones, at most all of them,
/// or more if there are doubts.
fn count(claimed: u64, facts: &[Fact], doubts: &facts::Doubts) -> Verdict {
    let sure = facts.iter().filter(|fact| fact.sure).count() as u64;
    let all = facts.len() as u64;
    if sure == all && claimed == all {
        return Verdict::ExactMatch;
    }
    match doubts.any() {
        Some(reason) if claimed > sure => Verdict::CannotVerify { reason },
        _ if (sure..=all).contains(&claimed) => Verdict::CannotVerify {
            reason: format!("{sure} are sure, {} more are possible", all - sure),
        },
        _ => Verdict::Mismatch { extra: vec![claimed.to_string()], missing: vec![all.to_string()] },
    }
}

fn not_read(expected: &str) -> Verdict {
    Verdict::CannotVerify { reason: format!("the answer cannot be read as {expected}") }
}
