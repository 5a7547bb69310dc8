//! Proves a change of every use of an item: the new texts are resolved in memory, and each name
//! must mean what it meant.

use std::collections::{BTreeMap, BTreeSet};

use super::moved_text;
use crate::database::Snapshot;
use crate::edit::edit_target::Resolved;
use crate::edit::target::{Files, Halt};
use crate::edit::use_warnings::ChangedFile;
use crate::error::EngineError;
use asof_edit::{EditError, Plan, Splice, line_of};
use asof_index::{
    Clash, Consequences, Difference, IndexError, Meaning, NewUse, NewUseFault, Proposed,
    ProposedFile, Replaced, ReplacedKind,
};
use asof_model::{FileFacts, NodeId, RefKind};
use asof_wire::{Discharge, Doubt, FileOp, Obligation, PlaceToLookAt, Proof};

/// Adds to a plan what is known of every name.
///
/// # Errors
/// [`EditError::ChangesMeaning`] if a name would mean something else.
pub(in crate::edit) fn prove(
    snapshot: &Snapshot<'_>,
    files: &Files,
    resolved: &[Resolved],
    changed: &[ChangedFile],
    plan: &mut Plan,
) -> Result<(), Halt> {
    let all = || resolved.iter().filter_map(|one| one.refactored.as_deref());
    let found = what_if(snapshot, files, resolved, changed, plan)?;
    let mut lines = Lines { snapshot, texts: BTreeMap::new(), files };
    let Contradictions { mut wrong, retyped } = contradictions(&found, resolved, &mut lines)?;
    let new_code = new_code(&found, plan);
    wrong.extend(new_code.private);
    if plan.allow_broken {
        plan.warnings.append(&mut wrong);
    } else if !wrong.is_empty() {
        return Err(EditError::ChangesMeaning { places: wrong }.into());
    }
    let mut look_at: Vec<PlaceToLookAt> = all().flat_map(|one| one.look_at.clone()).collect();
    let doubts = found.doubts.iter().map(|one| (one, Doubt::NewName));
    for (doubt, reason) in doubts.chain(retyped.into_iter().map(|one| (one, Doubt::Retyped))) {
        look_at.push(PlaceToLookAt {
            file_path: doubt.file_path.clone(),
            line: lines.line(&doubt.file_path, doubt.byte)?,
            byte: doubt.byte,
            reason,
            confidence: 0.0,
            rewritten: false,
        });
    }
    look_at.extend(new_code.unknown);
    look_at.sort_by(|a, b| (&a.file_path, a.byte, a.reason).cmp(&(&b.file_path, b.byte, b.reason)));
    look_at.dedup_by(|a, b| (&a.file_path, a.byte) == (&b.file_path, b.byte));
    plan.warnings.extend(all().flat_map(|one| one.warnings.clone()));
    plan.renamed = found.renamed;
    let mut checked: BTreeMap<Obligation, usize> = BTreeMap::new();
    *checked.entry(Obligation::Meaning).or_default() += found.compared;
    for (obligation, count) in all().flat_map(|one| &one.checked) {
        *checked.entry(*obligation).or_default() += count;
    }
    plan.proof = Some(Proof {
        obligations: discharges(&checked, &look_at),
        proven: look_at.is_empty() && wrong.is_empty(),
        rewritten: resolved.iter().map(rewritten_places).sum(),
        compared: found.compared,
        files: found.files,
        look_at,
    });
    Ok(())
}

/// What the names of the changed texts and of those that mention what differs would mean.
fn what_if(
    snapshot: &Snapshot<'_>,
    files: &Files,
    resolved: &[Resolved],
    changed: &[ChangedFile],
    plan: &Plan,
) -> Result<Consequences, Halt> {
    let all = || resolved.iter().filter_map(|one| one.refactored.as_deref());
    let renamed: BTreeSet<NodeId> = all().flat_map(|one| one.ids.iter().copied()).collect();
    let moves: BTreeMap<&str, &str> = all()
        .flat_map(|one| one.moves.iter().map(|(from, to)| (from.as_str(), to.as_str())))
        .collect();
    let replaced: BTreeMap<&str, Vec<Replaced>> = changed
        .iter()
        .map(|file| (file.file_path.as_str(), replaced(&file.splices, resolved)))
        .collect();
    let moved = moved_files(&moves, changed, files);
    let created: Vec<CreatedFile<'_>> = all()
        .flat_map(|one| &one.created)
        .map(|(path, text)| CreatedFile::new(path, text))
        .collect();
    let mut proposed = Vec::new();
    for file in changed {
        let path = file.file_path.as_str();
        let Some(before) = files.get(path) else { continue };
        proposed.push(ProposedFile {
            path,
            to: moves.get(path).copied().unwrap_or(path),
            before: &before.facts,
            after: moved.get(path).unwrap_or(&file.after),
            replaced: replaced.get(path).map_or(&[], Vec::as_slice),
        });
    }
    for (from, after) in &moved {
        if !changed.iter().any(|file| file.file_path == **from)
            && let Some(before) = files.get(from)
        {
            let (before, to) = (&before.facts, after.path.as_str());
            proposed.push(ProposedFile { path: from, to, before, after, replaced: &[] });
        }
    }
    proposed.extend(created.iter().map(CreatedFile::proposed));
    let carried = moved_text::places(resolved, changed, &replaced);
    let root = snapshot.database.need_root()?;
    let gone = plan.files.iter().filter(|file| file.op == FileOp::Delete);
    let gone: Vec<&str> = gone.map(|file| file.file_path.as_str()).collect();
    let asked = Proposed {
        files: &proposed,
        carried: &carried,
        gone: &gone,
        renamed: &renamed,
        memory: Some(snapshot.database.memory()),
    };
    asof_index::what_if(snapshot.store(), root, &asked).map_err(halted)
}

/// The facts of files that move, by their old path. Each has its new path.
fn moved_files<'a>(
    moves: &BTreeMap<&'a str, &str>,
    changed: &[ChangedFile],
    files: &Files,
) -> BTreeMap<&'a str, FileFacts> {
    let facts = |from: &str| {
        let after = changed.iter().find(|file| file.file_path == from).map(|file| &file.after);
        after.or_else(|| files.get(from).map(|file| &file.facts)).cloned()
    };
    let moved = moves.iter().filter_map(|(from, to)| {
        Some((*from, FileFacts { path: (*to).to_owned(), ..facts(from)? }))
    });
    moved.collect()
}

/// A file that the change makes.
struct CreatedFile<'a> {
    path: &'a str,
    /// Of the empty text.
    before: FileFacts,
    after: FileFacts,
    whole: Replaced,
}

impl<'a> CreatedFile<'a> {
    fn new(path: &'a str, text: &str) -> Self {
        let facts = |text: &str| asof_syntax::parse_file_isolated(path, text.as_bytes());
        let after = (0, text.len() as u32);
        let whole = Replaced { before: (0, 0), after, kind: ReplacedKind::Code };
        CreatedFile { path, before: facts(""), after: facts(text), whole }
    }

    fn proposed(&self) -> ProposedFile<'_> {
        ProposedFile {
            path: self.path,
            to: self.path,
            before: &self.before,
            after: &self.after,
            replaced: std::slice::from_ref(&self.whole),
        }
    }
}

/// What speaks against a change.
struct Contradictions<'a> {
    wrong: Vec<String>,
    /// Uses whose meaning follows from the type of a value, where the change makes another type.
    retyped: Vec<&'a Difference>,
}

fn contradictions<'a>(
    found: &'a Consequences,
    resolved: &[Resolved],
    lines: &mut Lines<'_>,
) -> Result<Contradictions<'a>, EngineError> {
    let all = || resolved.iter().filter_map(|one| one.refactored.as_deref());
    let mut wrong: Vec<String> = all().flat_map(|one| one.wrong.clone()).collect();
    wrong.extend(found.clashes.iter().map(clashes));
    let mut retyped = Vec::new();
    let retypes = all().any(|one| one.retypes);
    for difference in &found.differences {
        if retypes && is_of_type(difference) {
            retyped.push(difference)
        } else {
            wrong.push(differs(difference, lines)?)
        }
    }
    for hidden in &found.hidden {
        let line = lines.line(&hidden.file_path, hidden.byte)?;
        let what = meanings(&hidden.after);
        wrong.push(format!("{}:{line}: {what} would be private there", hidden.file_path));
    }
    Ok(Contradictions { wrong, retyped })
}

/// Uses in new code that are not what they should be.
struct NewCode {
    private: Vec<String>,
    unknown: Vec<PlaceToLookAt>,
}

fn new_code(found: &Consequences, plan: &Plan) -> NewCode {
    let line = |new: &NewUse| {
        let text = plan.files.iter().find(|file| file.file_path == new.file_path);
        let text = text.and_then(|file| file.after.as_deref()).unwrap_or_default();
        line_of(text, new.byte)
    };
    let mut code = NewCode { private: Vec::new(), unknown: Vec::new() };
    for new in &found.new_code {
        let (file_path, line) = (new.file_path.clone(), line(new));
        let reason = match new.fault {
            NewUseFault::Private => {
                let what = &new.text;
                code.private.push(format!("{file_path}:{line}: `{what}` would be private there"));
                continue;
            }
            NewUseFault::UnknownReceiver => Doubt::UnknownReceiver,
            _ => Doubt::NewCode,
        };
        let (byte, confidence, rewritten) = (new.byte, 0.0, true);
        code.unknown.push(PlaceToLookAt { file_path, line, byte, reason, confidence, rewritten });
    }
    code
}

/// How many places a request rewrites; none if it is no refactoring.
fn rewritten_places(request: &Resolved) -> usize {
    let Some(refactored) = &request.refactored else { return 0 };
    let elsewhere: usize = refactored.elsewhere.values().map(Vec::len).sum();
    refactored.places.unwrap_or(request.change.splices.len() + elsewhere)
}

/// The obligations that were checked, or have open places.
fn discharges(checked: &BTreeMap<Obligation, usize>, look_at: &[PlaceToLookAt]) -> Vec<Discharge> {
    let discharge = |obligation: Obligation| {
        let open = look_at.iter().filter(|one| one.reason.obligation() == obligation).count();
        let checked = checked.get(&obligation).copied();
        (checked.is_some() || open > 0).then(|| Discharge {
            obligation,
            checked: checked.unwrap_or_default().max(open),
            open,
        })
    };
    Obligation::ALL.into_iter().filter_map(discharge).collect()
}

/// A file that is not as it was indexed is read again.
fn halted(error: IndexError) -> Halt {
    match error {
        IndexError::Unstable { paths } if !paths.is_empty() => {
            Halt::Again { file_path: paths.into_iter().next().unwrap_or_default() }
        }
        error => Halt::Error(EngineError::from(error)),
    }
}

/// Places of the splices in both texts.
fn replaced(splices: &[Splice], resolved: &[Resolved]) -> Vec<Replaced> {
    replaced_as(splices, |splice| {
        let refactored = resolved.get(splice.edit).and_then(|one| one.refactored.as_deref());
        refactored.map_or(ReplacedKind::Code, |one| one.kind)
    })
}

/// Places of the splices in both texts, each of a kind. The splices are sorted.
pub(super) fn replaced_as(
    splices: &[Splice],
    kind: impl Fn(&Splice) -> ReplacedKind,
) -> Vec<Replaced> {
    let mut out = Vec::with_capacity(splices.len());
    let mut shift = 0i64;
    for splice in splices {
        let start = (i64::from(splice.start) + shift) as u32;
        let end = start + splice.text.len() as u32;
        let kind = kind(splice);
        out.push(Replaced { before: (splice.start, splice.end), after: (start, end), kind });
        shift += splice.text.len() as i64 - i64::from(splice.end - splice.start);
    }
    out
}

fn clashes(clash: &Clash) -> String {
    let what = match clash.kind {
        asof_model::NodeKind::Import => format!("an import of `{}`", clash.with),
        kind => format!("the {kind} `{}`", clash.with),
    };
    format!("{} has {what} in the same scope", clash.file_path)
}

fn differs(difference: &Difference, lines: &mut Lines<'_>) -> Result<String, EngineError> {
    let line = lines.line(&difference.file_path, difference.byte)?;
    let (before, after) = (meanings(&difference.before), meanings(&difference.after));
    let path = &difference.file_path;
    Ok(if before == after {
        format!("{path}:{line}: {before}, used in another way")
    } else {
        format!("{path}:{line}: meant {before}, would mean {after}")
    })
}

/// Whether what a use means follows from the type of a value.
fn is_of_type(difference: &Difference) -> bool {
    let is_member =
        |kind: RefKind| matches!(kind, RefKind::MethodCall | RefKind::Field | RefKind::Implicit);
    difference.before.iter().chain(&difference.after).all(|one| is_member(one.kind))
}

fn meanings(all: &[Meaning]) -> String {
    let all: BTreeSet<String> = all.iter().map(|one| format!("`{}`", one.of)).collect();
    if all.is_empty() {
        "nothing that is known (a local name, or nothing)".to_owned()
    } else {
        all.into_iter().collect::<Vec<_>>().join(" or ")
    }
}

/// Lines of bytes.
struct Lines<'a> {
    snapshot: &'a Snapshot<'a>,
    files: &'a Files,
    texts: BTreeMap<String, String>,
}

impl Lines<'_> {
    fn line(&mut self, path: &str, byte: u32) -> Result<u32, EngineError> {
        if let Some(loaded) = self.files.get(path) {
            return Ok(line_of(&loaded.text, byte));
        }
        if !self.texts.contains_key(path) {
            let text = self.snapshot.source_text(path)?;
            let text = String::from_utf8_lossy(&text.bytes).into_owned();
            self.texts.insert(path.to_owned(), text);
        }
        Ok(self.texts.get(path).map_or(1, |text| line_of(text, byte)))
    }
}
