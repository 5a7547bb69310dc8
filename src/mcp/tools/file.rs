//! `get_file_metadata`: metadata of a file.

use asof_engine::Snapshot;
use asof_wire::{Answer, FileMetadata};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::page::{Pager, Reply};
use crate::tool::{self, Call, Effect, Offered, Tool};
use asof_surface::problem::Problem;

pub const TOOL: Tool = Tool {
    name: "get_file_metadata",
    title: "File metadata",
    description: "Use before a splice edit, or to check that a file is indexed: length, hash, \
                  whether it is in sync and parses.",
    effect: Effect::Reads,
    offered: Offered::OnRequest,
    input: tool::input::<Arguments>,
    output: tool::output::<Answer<FileMetadata>>,
    run,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    #[serde(alias = "path")]
    file_path: String,
}

fn run(call: &Call, given: Json) -> Result<Reply, Problem> {
    tool::page(call, TOOL.name, given, answer)
}

fn answer(arguments: Arguments, snapshot: &Snapshot<'_>, pager: &Pager) -> Result<Reply, Problem> {
    let found = snapshot.file(&arguments.file_path)?;
    pager.list(snapshot.basis(), &found, |found: &Answer<FileMetadata>| {
        let mut out = String::new();
        for file in &found.items {
            out.push_str(&format!("{}\n", file.file_path));
            let (exists, indexed) = (file.exists, file.indexed);
            let (in_sync, partial) = (file.in_sync, file.partial);
            out.push_str(&format!(
                "exists {exists}, indexed {indexed}, in_sync {in_sync}, partial {partial}\n"
            ));
            if let Some(bytes) = file.byte_len {
                out.push_str(&format!("byte_len {bytes}\n"));
            }
            if let Some(modified) = file.modified_ms {
                out.push_str(&format!("modified_ms {modified}\n"));
            }
            if let Some(hash) = &file.file_hash {
                out.push_str(&format!("file_hash {hash}\n"));
            }
            if let Some(hash) = &file.tracking_hash {
                out.push_str(&format!("tracking_hash {hash}\n"));
            }
        }
        out
    })
}
