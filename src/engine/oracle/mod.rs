//! Checks claimed answers against the code at a moment. `crate::oracle` reads questions and
//! compares; here the truth is found: by text search, and by the programs of `queries/oracle`.

mod batch;
mod entry;
mod facts;
mod forms;
mod opaque;
mod past;
mod relations;
mod subject;
mod text;
mod when;

use std::sync::Arc;
use std::time::Instant;

use super::cache::{Known, Subject, Truth};
use super::database::{Refresh, Snapshot};
use super::error::EngineError;
use asof_oracle::{Ask, Claimed, Question, Structural, last_name};
use asof_wire::{CheckedClaim, ClaimClass, ClaimRequest, Verdict, When};

/// Entries of the truth that an answer lists.
const MAX_TRUTH: usize = 50;

/// Items that the reason lists where a name means several.
const MAX_NAMED: usize = 4;

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
        let mut question = asof_oracle::read(&request.query);
        if let Question::Structural(asked) = &mut question
            && let Some(path) = &request.path
        {
            asked.subject.clone_from(path);
            asked.place = None;
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
                let mut checked = snapshot.check_structural(request, asked, &claimed)?;
                let gone = snapshot.is_gone(&checked, asked)?;
                if checked.verdict.is_refuted() || gone {
                    detail = snapshot.was_true(request, asked, &claimed)?;
                }
                if let (true, Verdict::CannotVerify { reason }) = (gone, &mut checked.verdict)
                    && let Some(path) = snapshot.path_now(subject::clean(&asked.subject))?
                {
                    reason.push_str(&format!("; it is `{path}` now"));
                }
                checked
            }
            Question::Semantic => Checked::unknown("an explanation cannot be checked", "none"),
            Question::Unreadable => Checked::unknown(
                "this question cannot be checked; ask for a signature, parameters, \
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
        let truth = self.truth(asked, file)?;
        let (mut checked, mut aside): (Vec<Checked>, Vec<Checked>) = Default::default();
        match truth.as_ref() {
            Truth::None(reason) => return Ok(Checked::unknown(reason.clone(), &method)),
            Truth::Of(all) => {
                for (subject, known) in all {
                    let one = self.compare(asked, subject.as_ref(), claimed, known, &method)?;
                    let is_aside = subject.as_ref().is_some_and(Subject::is_aside);
                    if is_aside { aside.push(one) } else { checked.push(one) }
                }
            }
        }
        let items = checked.len() + aside.len();
        let is_golden = |checked: &Checked| checked.verdict.is_golden();
        // A name means the item of the library rather than that of its tests.
        if checked.is_empty() || !checked.iter().all(is_golden) && aside.iter().any(is_golden) {
            checked.append(&mut aside);
        }
        // A path that several items have is answered if the answer is right, or wrong, for all.
        let meant = match truth.as_ref() {
            Truth::Of(all) => named(all),
            Truth::None(_) => String::new(),
        };
        let first = checked.pop();
        let same = checked.iter().all(|other| {
            first.as_ref().is_some_and(|first| {
                let (first, other) = (&first.verdict, &other.verdict);
                first.is_golden() && other.is_golden()
                    || first.is_refuted() && other.is_refuted()
                    || first.name() == other.name()
            })
        });
        match first {
            Some(first) if same => Ok(first),
            _ => Ok(Checked::unknown(
                format!(
                    "`{}` means {items} items ({meant}), and the answer is right for only some of \
                     them",
                    asked.subject,
                ),
                &method,
            )),
        }
    }
}

impl Snapshot<'_> {
    /// The true answer to a question about items.
    fn truth(&self, asked: &Structural, file: Option<&str>) -> Result<Arc<Truth>, EngineError> {
        let key = format!("{} {file:?} {asked:?}", self.at.0);
        let truths = &self.database.truths;
        if let Some(truth) = truths.get(&key) {
            return Ok(truth);
        }
        let truth = Arc::new(self.find_truth(asked, file)?);
        truths.put(key, &truth);
        Ok(truth)
    }

    fn find_truth(&self, asked: &Structural, file: Option<&str>) -> Result<Truth, EngineError> {
        if let Ask::Items(kinds) = asked.ask {
            let known = self.items_of(kinds, &asked.subject, file)?;
            return Ok(match known {
                Some(known) => Truth::Of(vec![(None, known)]),
                None => Truth::None(format!("no module or file `{}`", asked.subject)),
            });
        }
        let subjects = match self.subjects(asked, file)? {
            Ok(subjects) => subjects,
            Err(_) if asked.ask == Ask::Implementors && asked.place.is_none() => {
                // Derives name traits that nothing else does.
                let known = self.implementors_by_name(last_name(&asked.subject))?;
                return Ok(Truth::Of(vec![(None, known)]));
            }
            Err(reason) => return Ok(Truth::None(reason)),
        };
        let mut all = Vec::new();
        for subject in subjects {
            let known = self.facts(asked, &subject)?;
            all.push((Some(subject), known));
        }
        Ok(Truth::Of(all))
    }
}

/// The first items that a question may be about.
fn named(all: &[(Option<Subject>, Known)]) -> String {
    let paths = all.iter().filter_map(|(subject, _)| subject.as_ref());
    let mut shown: Vec<String> =
        paths.take(MAX_NAMED).map(|subject| format!("`{}`", subject.symbol().path)).collect();
    if all.len() > MAX_NAMED {
        shown.push("…".to_owned());
    }
    shown.join(", ")
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
