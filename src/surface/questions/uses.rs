//! Who uses an item, and what it uses.

use asof_engine::Snapshot;
use asof_wire::{
    CallsResult, Caveat, Certainty, Direction, Guesses, ImpactResult, Implementations,
    ImplementationsResult, LineageRequest, LineageResult, PathRequest, PathResult, ResolveRequest,
    Symbol, Tests, UnusedItems, UnusedReason, UnusedRequest, UseRequest, UseSummary,
    WhereUsedResult,
};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use super::{Moment, Question, Request};
use crate::listing::Listing;
use crate::problem::Problem;
use crate::target::{Matches, Target, find_place};
use crate::text::{self, plural};
use crate::words::Words;

/// The item that a question is about: a definition, or a name of another crate.
#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[command(mut_arg("kind", |kind| kind.long("item-kind")))]
#[command(mut_arg("path", |path| path.help(
    "Path of the item: crate::a::f, package::Type::method, src/a.rs:42, std::fs::read, \
     `std::fs::*`, .len"
)))]
pub struct Subject {
    #[serde(flatten)]
    #[command(flatten)]
    pub target: Target,
    /// Answer for all matches instead of failing when there are several
    #[serde(default)]
    #[arg(long)]
    pub all: bool,
}

impl Subject {
    /// The symbols at the path; several only if all are wanted, or if the path ends in `*`.
    pub fn symbols(&self, snapshot: &Snapshot<'_>, words: &Words) -> Result<Vec<Symbol>, Problem> {
        Ok(self.target.symbols(snapshot, Matches::all(self.all), words)?)
    }
}

/// Requests about a subject that filter uses.
macro_rules! about_uses {
    ($($request:ty),*) => {
        $(impl Request for $request {
            fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
                self.subject.target.find_files(file);
            }

            fn limit(&mut self) -> Option<&mut Option<usize>> {
                Some(&mut self.uses.limit)
            }
        })*
    };
}

about_uses!(RefsRequest, CallsRequest, DependencyRequest, ImpactRequest);

/// Guesses are listed if asked for by the flag or in the request, or if a confidence is given that
/// they may have.
fn wider(uses: &UseRequest, guesses: Guesses, implementations: Implementations) -> UseRequest {
    let mut uses = uses.clone();
    if guesses == Guesses::Show || uses.min_confidence > 0.0 {
        uses.guesses = Guesses::Show;
    }
    if implementations == Implementations::Show {
        uses.implementations = Implementations::Show;
    }
    uses
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct RefsRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub subject: Subject,
    /// List unresolved uses of its bare name instead; they may or may not mean this item
    #[serde(default)]
    #[arg(long)]
    pub unresolved: bool,
    #[serde(flatten)]
    #[command(flatten)]
    pub uses: UseRequest,
    /// The flag; JSON has it in `uses`.
    #[serde(skip)]
    #[command(flatten)]
    guesses: Guesses,
    /// The flag; JSON has it in `uses`.
    #[serde(skip)]
    #[command(flatten)]
    implementations: Implementations,
}

pub const REFS: Question<RefsRequest, WhereUsedResult> =
    Question::new("/api/refs", "Places that use an item", refs, USE)
        .pages(50)
        .text(text::uses::where_used)
        .notes(|found, words| {
            let total = found.answer.total;
            let (uses, files) = (plural(total, "use"), plural(found.files, "file"));
            let left_out = left_out(found.guesses_left_out, Some(&found.certainty), words);
            let others = text::uses::others_counted(found.other_conditions);
            counted(format!("{uses} in {files}{others}{left_out}"), Some(&found.certainty), total)
        });

/// How many uses there are in each file.
pub const SUMMARY: Question<RefsRequest, UseSummary> = Question::new(
    "/api/refs/summary",
    "How many uses of an item each file has, by package",
    |moment, request: RefsRequest| {
        let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
        let uses = wider(&request.uses, request.guesses, request.implementations);
        let mut found = moment.snapshot.use_summary(&symbols, &uses)?;
        moment.words.explain(&mut found.certainty, &symbols);
        Ok(found)
    },
    Listing {
        columns: &[
            ("package", "{package}"),
            ("file", "{file_path}"),
            ("uses", "{uses}"),
            ("in tests", "{uses_in_tests}"),
        ],
        keys: "package uses_in_package file_path uses uses_in_tests",
    },
)
.pages(50)
.text(text::uses::use_summary)
.notes(|found, words| {
    let (uses, files) = (plural(found.uses, "use"), plural(found.answer.total, "file"));
    let left_out = left_out(found.guesses_left_out, Some(&found.certainty), words);
    counted(format!("{uses} in {files}{left_out}"), Some(&found.certainty), found.uses)
});

/// [`REFS`] of uses that are not resolved.
pub const UNRESOLVED: Question<RefsRequest, WhereUsedResult> = REFS.notes(|found, _| {
    let (uses, files) = (plural(found.answer.total, "use"), plural(found.files, "file"));
    vec![format!("{uses} in {files} not resolved")]
});

const USE: Listing<'_> = Listing {
    columns: &[
        ("place", "{file_path}:{line}:{column}"),
        ("use", "{use_kind}"),
        ("in", "{item/path}"),
        ("confidence", "{confidence}"),
        ("rule", "{provenance}"),
    ],
    keys: "file_path line column byte use_kind depth confidence provenance other_condition in_test item item.id \
           item.kind item.name item.path target snippet snippet.text snippet.location",
};

fn refs(moment: &Moment<'_, '_>, request: RefsRequest) -> Result<WhereUsedResult, Problem> {
    let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
    let uses = wider(&request.uses, request.guesses, request.implementations);
    let mut found = if request.unresolved {
        moment.snapshot.unresolved_uses(&symbols, &uses)?
    } else {
        moment.snapshot.where_used(&symbols, &uses)?
    };
    moment.words.explain(&mut found.certainty, &symbols);
    Ok(found)
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct CallsRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub subject: Subject,
    /// Follow at most N calls
    #[serde(default = "one")]
    #[arg(long, default_value_t = one(), value_name = "N")]
    pub depth: u32,
    #[serde(flatten)]
    #[command(flatten)]
    pub uses: UseRequest,
    /// The flag; JSON has it in `uses`.
    #[serde(skip)]
    #[command(flatten)]
    guesses: Guesses,
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct CallersRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub calls: CallsRequest,
    /// The flag; JSON has it in `uses`.
    #[serde(skip)]
    #[command(flatten)]
    implementations: Implementations,
}

impl Request for CallersRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.calls.find_files(file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        self.calls.limit()
    }
}

fn one() -> u32 {
    1
}

pub const CALLERS: Question<CallersRequest, CallsResult> = Question::new(
    "/api/callers",
    "What calls an item",
    |moment, request: CallersRequest| {
        calls(moment, request.calls, Direction::Callers, request.implementations)
    },
    CALL,
)
.pages(50)
.text(text::uses::calls)
.notes(calls_notes);

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ImplementationsRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub subject: Subject,
    /// Whether test code is included.
    #[serde(default, alias = "exclude_tests")]
    #[command(flatten)]
    pub tests: Tests,
    #[arg(skip)]
    pub limit: Option<usize>,
}

impl Request for ImplementationsRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.subject.target.find_files(file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const IMPLEMENTATIONS: Question<ImplementationsRequest, ImplementationsResult> = Question::new(
    "/api/implementations",
    "What implements a trait",
    |moment, request: ImplementationsRequest| {
        let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
        Ok(moment.snapshot.trait_implementations(&symbols, request.tests, request.limit)?)
    },
    Listing {
        columns: &[
            ("how", "{impl_kind}"),
            ("type", "{type_path}"),
            ("place", "{file_path}:{line}"),
            ("head", "{signature}"),
        ],
        keys: "id impl_kind type_path signature file_path line in_test made",
    },
)
.pages(50)
.nothing("no implementation in the workspace")
.notes(|found, _| {
    let ImplementationsResult { direct, generic, derived, .. } = found;
    vec![format!("{direct} direct, {generic} generic, {derived} derived")]
});

pub const UNUSED: Question<UnusedRequest, UnusedItems> = Question::new(
    "/api/unused",
    "Items that nothing uses",
    |moment, request| Ok(moment.snapshot.unused(&request)?),
    Listing {
        columns: &[
            ("kind", "{kind}"),
            ("path", "{path}"),
            ("place", "{file_path}:{line}"),
            ("package", "{package}"),
            ("why", "{why}"),
        ],
        keys: "id path kind package file_path line visibility in_test certain reason",
    },
)
.pages(50)
.nothing("no item that certainly nothing uses")
.shorten(|answer| {
    for item in answer.get_mut("items").and_then(Json::as_array_mut).into_iter().flatten() {
        let reason = item.get("reason").and_then(Json::as_str).and_then(UnusedReason::parse);
        if let (Some(reason), Some(item)) = (reason, item.as_object_mut()) {
            item.insert("why".to_owned(), reason.sentence().into());
        }
    }
})
.notes(|found, words| {
    if found.uncertain == 0 {
        return Vec::new();
    }
    let items = plural(found.uncertain, "item");
    let argument = (words.argument)("guesses");
    vec![format!("{items} that something uncertain may use: `{argument}` lists them")]
});

impl Request for UnusedRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        find_place(&mut self.path, file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const CALLEES: Question<CallsRequest, CallsResult> = Question::new(
    "/api/callees",
    "What an item calls",
    |moment, request| calls(moment, request, Direction::Callees, Implementations::LeaveOut),
    CALL,
)
.pages(50)
.text(text::uses::calls)
.notes(calls_notes);

const CALL: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("use", "{use_kind}"),
        ("confidence", "{confidence}"),
        ("call", "{site/file_path}:{site/line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path line use_kind confidence \
           score via route other_condition external in_test snippet site site.file_path \
           site.line site.snippet more_sites",
};

fn calls(
    moment: &Moment<'_, '_>,
    request: CallsRequest,
    direction: Direction,
    implementations: Implementations,
) -> Result<CallsResult, Problem> {
    let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
    let uses = wider(&request.uses, request.guesses, implementations);
    let mut found = moment.snapshot.calls(&symbols, direction, request.depth, &uses)?;
    if let Some(known) = &mut found.certainty {
        moment.words.explain(known, &symbols);
        let by_trait = moment.snapshot.calls_by_trait(&symbols)?;
        let by_trait: Vec<String> =
            by_trait.into_iter().map(|(path, calls)| text::uses::by_trait(&path, calls)).collect();
        // It says as much, and more.
        let is_said = known.caveat == Some(Caveat::TraitItem) && !by_trait.is_empty();
        let hint = known.hint.take().filter(|_| !is_said);
        let hints: Vec<String> = hint.into_iter().chain(by_trait).collect();
        known.hint = (!hints.is_empty()).then(|| hints.join("; "));
    }
    Ok(found)
}

fn calls_notes(found: &CallsResult, words: &Words) -> Vec<String> {
    let noun = if found.direction == Direction::Callers { "caller" } else { "callee" };
    let (total, known) = (found.answer.total, found.certainty.as_ref());
    let left_out = left_out(found.guesses_left_out, known, words);
    let others = text::uses::others_counted(found.other_conditions);
    counted(format!("{}{others}{left_out}", plural(total, noun)), known, total)
}

/// What there is, and whether that is all.
fn counted(what: String, known: Option<&Certainty>, total: usize) -> Vec<String> {
    let known = known.and_then(|known| text::uses::certainty(known, total));
    std::iter::once(what).chain(known).collect()
}

/// What a list leaves out, and the arguments that list it.
fn left_out(guesses: usize, known: Option<&Certainty>, words: &Words) -> String {
    let guesses = text::uses::guesses_left_out(guesses, &(words.argument)("guesses"));
    let argument = (words.argument)("implementations");
    let of_impls = |known| text::uses::implementations_left_out(known, &argument);
    format!("{guesses}{}", known.map_or_else(String::new, of_impls))
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ItemPathRequest {
    /// Path of the item to start from
    pub from: String,
    /// Path of the item to reach, possibly of another crate: std::fs::read
    pub to: String,
    #[serde(flatten)]
    #[command(flatten)]
    pub paths: PathRequest,
}

impl Request for ItemPathRequest {}

pub const PATH: Question<ItemPathRequest, PathResult> =
    Question::new("/api/path", "How one item reaches another", path, STEP)
        .pages(1)
        .text(text::paths)
        .notes(|found, _| text::no_path(found));

/// The columns of a step.
const STEP: Listing<'_> = Listing {
    columns: &[
        ("path", "{path}"),
        ("step", "{step}"),
        ("item", "{source/path}"),
        ("use", "{use_kind}"),
        ("of", "{target/path}"),
        ("confidence", "{confidence}"),
        ("place", "{site/file_path}:{site/line}"),
    ],
    keys: "",
};

fn path(moment: &Moment<'_, '_>, request: ItemPathRequest) -> Result<PathResult, Problem> {
    let from = moment.snapshot.symbols(&ResolveRequest::new(&request.from))?;
    let to = moment.snapshot.symbols(&ResolveRequest::new(&request.to))?;
    Ok(moment.snapshot.use_paths(&from, &to, &request.paths)?)
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct DependencyRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub subject: Subject,
    /// upstream, downstream, callers or callees
    #[serde(default)]
    #[arg(long, short, default_value = "downstream")]
    pub direction: Direction,
    /// Follow at most N steps
    #[serde(default = "every_step")]
    #[arg(long, default_value_t = every_step(), value_name = "N")]
    pub depth: u32,
    /// Follow at most N uses from each item, the most certain first
    #[arg(long, value_name = "N")]
    pub breadth: Option<usize>,
    #[serde(flatten)]
    #[command(flatten)]
    pub uses: UseRequest,
}

fn every_step() -> u32 {
    asof_wire::DEFAULT_DEPTH
}

pub const LINEAGE: Question<DependencyRequest, LineageResult> = Question::new(
    "/api/lineage",
    "What depends on an item, or what it depends on, transitively",
    lineage,
    REACHED,
)
.pages(50)
.text(text::uses::lineage)
.notes(|found, _| {
    let total = found.answer.total;
    let others = text::uses::others_counted(found.other_conditions);
    counted(format!("{}{others}", plural(total, "item")), found.certainty.as_ref(), total)
});

/// Columns and fields of the items that a lineage reaches.
const REACHED: Listing<'_> = Listing {
    columns: &[
        ("depth", "{depth}"),
        ("item", "{item/path}"),
        ("kind", "{item/kind}"),
        ("use", "{use_kind}"),
        ("confidence", "{confidence}"),
        ("place", "{file_path}:{line}"),
    ],
    keys: "depth item item.id item.kind item.name item.path file_path line use_kind confidence \
           score via route other_condition external in_test snippet snippet.text snippet.location",
};

fn lineage(moment: &Moment<'_, '_>, request: DependencyRequest) -> Result<LineageResult, Problem> {
    let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
    let DependencyRequest { direction, depth, breadth, uses, .. } = request;
    let lineage = LineageRequest { direction, depth, breadth, uses };
    let mut found = moment.snapshot.lineage(&symbols, &lineage)?;
    if let Some(known) = &mut found.certainty {
        moment.words.explain(known, &symbols);
    }
    Ok(found)
}

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct ImpactRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub subject: Subject,
    /// Follow at most N steps
    #[serde(default = "eight")]
    #[arg(long, default_value_t = eight(), value_name = "N")]
    pub depth: u32,
    #[serde(flatten)]
    #[command(flatten)]
    pub uses: UseRequest,
}

fn eight() -> u32 {
    8
}

pub const IMPACT: Question<ImpactRequest, ImpactResult> =
    Question::new("/api/impact", "What a change of an item may affect", impact, REACHED)
        .pages(50)
        .text(text::uses::impact)
        .notes(|found, _| {
            let lineage = &found.lineage;
            let others = text::uses::others_counted(lineage.other_conditions);
            let what = format!("{}{others}", text::uses::impact_summary(found));
            counted(what, lineage.certainty.as_ref(), lineage.answer.total)
        });

fn impact(moment: &Moment<'_, '_>, request: ImpactRequest) -> Result<ImpactResult, Problem> {
    let symbols = request.subject.symbols(moment.snapshot, moment.words)?;
    let mut found = moment.snapshot.impact(&symbols, request.depth, &request.uses)?;
    if let Some(known) = &mut found.lineage.certainty {
        moment.words.explain(known, &symbols);
    }
    Ok(found)
}
