//! The past: versions of an item, operations, last changes, and what changes often.

use asof_wire::{
    Answer, Blame, Coupling, History, HistoryRequest, Hotspot, HotspotRequest, Log, LogRequest,
    Merges, Owner, Spans,
};
use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{DependsOn, Moment, Question, Request};
use crate::listing::{Column, Listing};
use crate::problem::Problem;
use crate::target::{Target, find_place, is_file};
use crate::text::past::shorten_items;

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
pub struct VersionsRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub target: Target,
    /// Whether each version has its lines.
    #[serde(default)]
    #[command(flatten)]
    pub spans: Spans,
    /// Whether merges are followed to the commits of their branches.
    #[serde(default)]
    #[command(flatten)]
    pub merges: Merges,
    #[arg(skip)]
    pub limit: Option<usize>,
}

impl Request for VersionsRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.target.find_files(file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const HISTORY: Question<VersionsRequest, History> = Question::new(
    "/api/history",
    "Versions of an item, across moves and renames",
    history,
    Listing { columns: VERSION, keys: VERSION_KEYS },
)
.pages(50)
.of_history()
.shorten(shorten_items)
.notes(|found, _| {
    let gone = (!found.present).then(|| format!("`{}` no longer exists", found.query));
    let dropped = dropped(found.dropped_before.as_deref());
    gone.into_iter()
        .chain(unfollowed(found.merges_not_followed.as_deref()))
        .chain(dropped)
        .collect()
});

/// [`HISTORY`] with the lines of each version.
pub const HISTORY_WITH_LINES: Question<VersionsRequest, History> =
    Question { listing: Listing { columns: VERSION_WITH_LINES, keys: VERSION_KEYS }, ..HISTORY };

const VERSION: &[Column] = &[
    ("when", "{when}"),
    ("rev", "{rev}"),
    ("what", "{what}"),
    ("path", "{path}"),
    ("file", "{file_path}"),
    ("who", "{who}"),
    ("message", "{title}"),
    ("note", "{note}"),
];

const VERSION_WITH_LINES: &[Column] = &[
    ("when", "{when}"),
    ("rev", "{rev}"),
    ("what", "{what}"),
    ("path", "{path}"),
    ("file", "{file_path}"),
    ("lines", "{span/start_line}-{span/end_line}"),
    ("who", "{who}"),
    ("message", "{title}"),
    ("note", "{note}"),
];

const VERSION_KEYS: &str = "revision at cause actor message commit classes present_at_start id kind \
    path previous_path from to file_path span span.start_byte span.end_byte \
    span.start_line span.end_line signature tracking_hash similarity branch_commits";

fn history(moment: &Moment<'_, '_>, request: VersionsRequest) -> Result<History, Problem> {
    let VersionsRequest { target: Target { item, id }, spans, merges, limit } = request;
    Ok(moment.snapshot.history(&HistoryRequest { item, id, limit, spans, merges })?)
}

fn unfollowed(reason: Option<&str>) -> Option<String> {
    reason.map(|reason| format!("merges could not be followed: {reason}"))
}

fn dropped(floor: Option<&str>) -> Option<String> {
    floor.map(|floor| format!("versions before {floor} were dropped by `asof gc`"))
}

impl Request for LogRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        find_place(&mut self.path, file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const LOG: Question<LogRequest, Log> = Question::new(
    "/api/log",
    "Operations, newest first",
    |moment, request| Ok(moment.snapshot.log(&request)?),
    Listing {
        columns: &[
            ("when", "{when}"),
            ("rev", "{rev}"),
            ("cause", "{cause}"),
            ("actor", "{actor}"),
            ("files", "{files}"),
            ("added", "{added}"),
            ("removed", "{removed}"),
            ("changed", "{changed}"),
            ("message", "{titled}"),
        ],
        keys: "revision at cause actor message commit committed clock present_at_start \
               in_future files added removed changed",
    },
)
.pages(50)
.of_history()
.depends_on(DependsOn::Moments(&["since", "after", "until"]))
.shorten(shorten_items);

#[derive(Debug, Clone, Args, Deserialize, JsonSchema)]
#[command(mut_arg("path", |path| path.value_name("FILE|PATH").help("A file, or the path of an item")))]
pub struct BlameRequest {
    #[serde(flatten)]
    #[command(flatten)]
    pub target: Target,
    /// Whether merges are followed to the commits of their branches.
    #[serde(default)]
    #[command(flatten)]
    pub merges: Merges,
    #[serde(default)]
    #[schemars(skip)]
    #[arg(skip)]
    pub limit: Option<usize>,
}

impl Request for BlameRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        self.target.find_files(file);
        if is_file(&self.target.item.path) {
            self.target.item.path = file(&self.target.item.path);
        }
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const BLAME: Question<BlameRequest, Blame> = Question::new(
    "/api/blame",
    "The last change of each item of a file or item",
    blame,
    Listing {
        columns: &[
            ("when", "{when}"),
            ("age", "{age}"),
            ("rev", "{rev}"),
            ("who", "{who}"),
            ("what", "{what}"),
            ("lines", "{span/start_line}-{span/end_line}"),
            ("kind", "{kind}"),
            ("path", "{indented}"),
            ("note", "{note}"),
        ],
        keys: "id kind path file_path span span.start_byte span.end_byte \
               span.start_line span.end_line depth revision at cause actor message commit \
               classes present_at_start branch_commit branch_commit.commit branch_commit.actor \
               branch_commit.at branch_commit.message uncommitted age_s",
    },
)
.pages(50)
.of_history()
.depends_on(DependsOn::More)
.shorten(shorten_items)
.notes(|found, _| {
    let dropped = dropped(found.dropped_before.as_deref());
    unfollowed(found.merges_not_followed.as_deref()).into_iter().chain(dropped).collect()
});

fn blame(moment: &Moment<'_, '_>, request: BlameRequest) -> Result<Blame, Problem> {
    let BlameRequest { target, merges, limit } = request;
    let (snapshot, path) = (moment.snapshot, &target.item.path);
    let mut found = if is_file(path) {
        snapshot.blame_file(path, merges)?
    } else {
        snapshot.blame_item(path, target.resolve(snapshot)?.unique()?, merges)?
    };
    found.answer.cut(limit);
    Ok(found)
}

impl Request for HotspotRequest {
    fn find_files(&mut self, file: &dyn Fn(&str) -> String) {
        find_place(&mut self.path, file);
    }

    fn limit(&mut self) -> Option<&mut Option<usize>> {
        Some(&mut self.limit)
    }
}

pub const HOTSPOTS: Question<HotspotRequest, Answer<Hotspot>> = Question::new(
    "/api/hotspots",
    "Functions that change often and are complex",
    |moment, request| Ok(moment.snapshot.hotspots(&request)?),
    Listing {
        columns: &[
            ("score", "{score}"),
            ("changes", "{changes}"),
            ("complexity", "{complexity}"),
            ("lines", "{code_lines}"),
            ("last", "{last}"),
            ("path", "{path}"),
            ("file", "{file_path}"),
        ],
        keys: "id path kind file_path in_test changes last complexity cognitive code_lines score",
    },
)
.pages(50)
.of_history()
.depends_on(SINCE)
.nothing("no function has changed; `asof index --history` imports earlier commits");

pub const PAIRS: Question<HotspotRequest, Answer<Coupling>> = Question::new(
    "/api/hotspots/pairs",
    "Functions that the same revisions changed",
    |moment, request| Ok(moment.snapshot.coupling(&request)?),
    Listing {
        columns: &[
            ("share", "{share}"),
            ("together", "{together}"),
            ("first", "{first/path}"),
            ("second", "{second/path}"),
        ],
        keys: "first.id first.path first.file_path second.id second.path second.file_path \
               together share",
    },
)
.pages(50)
.of_history()
.depends_on(SINCE)
.nothing("no two functions changed together in 3 revisions; `asof index --history` imports earlier commits");

pub const OWNERS: Question<HotspotRequest, Answer<Owner>> = Question::new(
    "/api/hotspots/owners",
    "Who made the versions of functions",
    |moment, request| Ok(moment.snapshot.ownership(&request)?),
    Listing {
        columns: &[
            ("share", "{share}"),
            ("versions", "{versions}"),
            ("functions", "{items}"),
            ("since", "{since}"),
            ("last", "{last}"),
            ("actor", "{actor}"),
        ],
        keys: "actor versions share items since last",
    },
)
.pages(50)
.of_history()
.depends_on(SINCE)
.nothing("no version of these functions has a known author; `asof index --history` imports earlier commits");

const SINCE: DependsOn = DependsOn::Moments(&["since"]);
