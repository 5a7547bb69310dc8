//! Direct uses of an item.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use crate::database::{Edge, Snapshot};
use crate::error::EngineError;
use crate::items::{PackageFolders, SharedTexts, Texts};
use asof_model::{NodeId, OrNever, RefKind};
use asof_query::{Queries, UseCount, UseFilter};
use asof_wire::{
    Certainty, Guesses, Snippets, Symbol, Tests, Use, UseRequest, UseSummary, UsesOfFile,
    WhereUsedResult,
};

/// Less certain uses are guesses; unresolved ones have 0.
pub(crate) const GUESS: f64 = 0.5;

/// The filter of a request; `all` are the kinds of uses if it names none.
pub(crate) fn use_filter(request: &UseRequest, all: &[RefKind]) -> UseFilter {
    let wanted = &request.use_kinds;
    let kinds = if wanted.is_empty() { all.to_vec() } else { wanted.clone() };
    UseFilter { kinds, min_confidence: request.min_confidence }
}

/// Items that use a target, above which its uses are read by file: finding the place of each source
/// alone costs more.
const MANY: u32 = 500;

/// Uses of an item that very many items use.
struct Many {
    counts: BTreeMap<String, UseCount>,
    /// The number of files whose uses are read, the first ones.
    read: usize,
    /// What the answer says of all files, if not all are read.
    all: Option<Totals>,
}

/// How many items call others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerCounts {
    pub tests: usize,
    pub others: usize,
}

struct Totals {
    places: usize,
    files: usize,
    guesses_left_out: usize,
}

impl Many {
    /// None if the targets have few users.
    fn load(
        queries: &Queries<'_>,
        targets: &[NodeId],
        request: &UseRequest,
    ) -> Result<Option<Self>, EngineError> {
        let users: u32 = queries.user_counts(targets)?.iter().map(|row| row.users).sum();
        if users <= MANY {
            return Ok(None);
        }
        let counts = queries.use_counts(targets, &use_filter(request, RefKind::LISTED), GUESS)?;
        let listed = |row: &UseCount| match request.guesses {
            Guesses::LeaveOut => row.places - row.guesses,
            Guesses::Show => row.places,
        };
        let (mut read, mut places) = (counts.len(), 0);
        // What is test code is known of uses that are read only.
        if let (Some(limit), Tests::Include) = (request.limit, request.tests) {
            read = 0;
            for row in counts.values() {
                if places >= limit {
                    break;
                }
                places += listed(row);
                read += 1;
            }
        }
        let all = (read < counts.len()).then(|| Totals {
            places: counts.values().map(listed).sum(),
            files: counts.values().filter(|row| listed(row) > 0).count(),
            guesses_left_out: match request.guesses {
                Guesses::LeaveOut => counts.values().map(|row| row.guesses).sum(),
                Guesses::Show => 0,
            },
        });
        Ok(Some(Self { counts, read, all }))
    }

    fn files(&self) -> Vec<&str> {
        self.counts.keys().take(self.read).map(String::as_str).collect()
    }
}

impl Snapshot<'_> {
    /// Every use of these symbols, by file and line, without what is unknown about them.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn uses(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        let symbols = &self.asked(symbols, request)?;
        self.where_used_or_none(symbols, symbols, request)
    }

    /// [`Snapshot::uses`] with what is unknown about them.
    ///
    /// # Errors
    /// A request without symbols, or a failure of the database.
    pub fn where_used(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        let mut found = self.uses(symbols, request)?;
        let symbols = &found.symbols;
        let known = self.certainty(symbols, request, found.guesses_left_out)?;
        found.certainty = self.with_implementations_counted(symbols, request, known)?;
        Ok(found)
    }

    /// How many uses these symbols have in each file, by package; those with most uses first.
    ///
    /// # Errors
    /// As [`Snapshot::where_used`].
    pub fn use_summary(
        &self,
        symbols: &[Symbol],
        request: &UseRequest,
    ) -> Result<UseSummary, EngineError> {
        let started = Instant::now();
        let all = UseRequest { limit: None, snippets: Snippets::None, ..request.clone() };
        let found = self.where_used(symbols, &all)?;
        let crates = Queries::at(self.store(), self.at).crates()?;
        let folders = PackageFolders::new(&crates);
        let mut files: BTreeMap<&str, UsesOfFile> = BTreeMap::new();
        let mut packages: BTreeMap<Option<&str>, usize> = BTreeMap::new();
        for place in &found.answer.items {
            let package = folders.package_of(&place.file_path);
            *packages.entry(package).or_default() += 1;
            let file = files.entry(&place.file_path).or_insert_with(|| UsesOfFile {
                package: package.map(str::to_owned),
                uses_in_package: 0,
                file_path: place.file_path.clone(),
                uses: 0,
                uses_in_tests: 0,
            });
            file.uses += 1;
            file.uses_in_tests += usize::from(place.in_test);
        }
        let mut files: Vec<UsesOfFile> = files.into_values().collect();
        for file in &mut files {
            let of_package = packages.get(&file.package.as_deref()).copied();
            file.uses_in_package = of_package.or_never("each package was counted");
        }
        files.sort_by_cached_key(|file| {
            let package = (Reverse(file.uses_in_package), file.package.clone());
            (package, Reverse(file.uses), file.file_path.clone())
        });
        Ok(UseSummary {
            symbols: found.symbols,
            uses: found.answer.total,
            guesses_left_out: found.guesses_left_out,
            certainty: found.certainty,
            answer: self.answer(started, files, request.limit),
        })
    }

    /// How many items call these symbols: tests, and others.
    ///
    /// # Errors
    /// A failure of the database.
    pub fn caller_counts(&self, symbols: &[Symbol]) -> Result<CallerCounts, EngineError> {
        let request = UseRequest { use_kinds: RefKind::CALLS.to_vec(), ..UseRequest::default() };
        let asked = self.asked(symbols, &request)?;
        let callers: BTreeMap<NodeId, bool> = if asked.len() > symbols.len() {
            // A caller in a shared text is an item of each of its modules: places tell that it is one.
            let found = self.where_used_or_none(&asked, &asked, &request)?;
            found.answer.items.iter().map(|place| (place.item.id, place.in_test)).collect()
        } else {
            let ids: Vec<NodeId> = asked.iter().map(|symbol| symbol.id).collect();
            let kinds: Vec<&str> = RefKind::CALLS.iter().map(|kind| kind.as_str()).collect();
            let callers = Queries::at(self.store(), self.at).callers(&ids, &kinds, GUESS)?;
            callers.into_iter().map(|caller| (caller.source, caller.in_test)).collect()
        };
        let tests = callers.values().filter(|in_test| **in_test).count();
        Ok(CallerCounts { tests, others: callers.len() - tests })
    }

    /// Every use of `targets`; the answer is about `symbols`.
    pub(crate) fn where_used_or_none(
        &self,
        symbols: &[Symbol],
        targets: &[Symbol],
        request: &UseRequest,
    ) -> Result<WhereUsedResult, EngineError> {
        let started = Instant::now();
        let symbol = first(symbols)?;
        let queries = Queries::at(self.store(), self.at);
        let ids: Vec<NodeId> = targets.iter().map(|s| s.id).collect();
        let mut texts = SharedTexts::default();
        for file_path in targets.iter().filter_map(|target| target.file_path.as_deref()) {
            texts.read(&queries, file_path)?;
        }
        let is_shared = |id: NodeId| !texts.definitions(id).is_empty();
        let many = if ids.iter().any(|id| is_shared(*id)) {
            None
        } else {
            Many::load(&queries, &ids, request)?
        };
        let filter = use_filter(request, RefKind::LISTED);
        let rows = match &many {
            Some(many) => queries.uses_in_files(&ids, &many.files(), &filter)?,
            None => queries.where_used(&ids, &filter)?,
        };
        let edges = rows.iter().map(|row| Edge {
            source: row.source,
            target: row.target,
            condition: row.condition.as_deref(),
        });
        let others = self.other_conditions(edges)?;
        let with_condition = |(row, other_condition)| Use { other_condition, ..Use::from(row) };
        let mut occurrences: Vec<Use> = rows.into_iter().zip(others).map(with_condition).collect();
        occurrences.sort_by_key(|place| place.other_condition.is_some());
        // A place in a shared text is in each of its modules.
        let mut seen = BTreeSet::new();
        occurrences.retain(|place| {
            let target = texts.definitions(place.target).first().copied();
            let place = (place.file_path.clone(), place.byte, place.use_kind);
            target.is_none_or(|target| seen.insert((place, target)))
        });
        if request.tests == Tests::Exclude {
            occurrences.retain(|place| !place.in_test);
        }
        let all = occurrences.len();
        if request.guesses == Guesses::LeaveOut {
            occurrences.retain(|place| place.confidence == 0.0 || place.confidence >= GUESS);
        }
        let guesses_left_out = all - occurrences.len();
        let other_conditions =
            occurrences.iter().filter(|place| place.other_condition.is_some()).count();
        let files = occurrences.iter().map(|place| &place.file_path).collect::<BTreeSet<_>>().len();
        if request.snippets == Snippets::Lines {
            let mut texts = Texts::new(self);
            let shown = request.limit.unwrap_or(usize::MAX);
            for place in occurrences.iter_mut().take(shown) {
                place.snippet = Some(texts.snippet(&place.file_path, place.line)?);
            }
        }
        let mut answer = self.answer(started, occurrences, request.limit);
        let (mut files, mut guesses_left_out) = (files, guesses_left_out);
        if let Some(all) = many.and_then(|many| many.all) {
            answer.truncated |= answer.items.len() < all.places;
            answer.total = all.places;
            (files, guesses_left_out) = (all.files, all.guesses_left_out);
        }
        Ok(WhereUsedResult {
            symbol,
            symbols: symbols.to_vec(),
            answer,
            freshness_state: self.basis.freshness_state,
            files,
            guesses_left_out,
            other_conditions,
            certainty: Certainty::default(),
        })
    }
}

/// The first symbol of a request.
pub(crate) fn first(symbols: &[Symbol]) -> Result<Symbol, EngineError> {
    symbols.first().cloned().ok_or_else(|| EngineError::BadRequest {
        what: "no item is given".to_owned(),
        hint: "give one by its path".into(),
    })
}
