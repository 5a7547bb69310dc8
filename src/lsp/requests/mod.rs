//! The requests, by method.

mod commands;
mod edits;
mod hierarchy;
mod hover;
mod kinds;
mod lenses;
mod named;
mod navigation;
mod ranges;
mod references;
mod rename;
mod show;
mod symbols;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::session::{Call, Failure};
use super::transport::codes;

/// Methods that a client may call, apart from those of the session itself.
type Handler = fn(&Call, Json) -> Result<Json, Failure>;

/// The commands of `workspace/executeCommand`.
pub use commands::{COMMANDS, KIND};

/// What answers a method.
fn handler(method: &str) -> Option<Handler> {
    macro_rules! run {
        ($ask:path) => {
            |call, params| run(call, params, $ask)
        };
    }
    Some(match method {
        "textDocument/definition" => run!(navigation::definition),
        "textDocument/declaration" => run!(navigation::declaration),
        "textDocument/typeDefinition" => run!(navigation::type_definition),
        "textDocument/implementation" => run!(navigation::implementation),
        "textDocument/references" => run!(references::references),
        "textDocument/documentHighlight" => run!(references::highlights),
        "textDocument/hover" => run!(hover::hover),
        "textDocument/documentSymbol" => run!(symbols::of_document),
        "workspace/symbol" => run!(symbols::of_workspace),
        "textDocument/prepareCallHierarchy" => run!(hierarchy::prepare_calls),
        "callHierarchy/incomingCalls" => run!(hierarchy::incoming),
        "callHierarchy/outgoingCalls" => run!(hierarchy::outgoing),
        "textDocument/prepareTypeHierarchy" => run!(hierarchy::prepare_types),
        "typeHierarchy/supertypes" => run!(hierarchy::supertypes),
        "typeHierarchy/subtypes" => run!(hierarchy::subtypes),
        "textDocument/foldingRange" => run!(ranges::folding),
        "textDocument/selectionRange" => run!(ranges::selection),
        "textDocument/documentLink" => run!(ranges::links),
        "textDocument/prepareRename" => run!(rename::prepare),
        "textDocument/rename" => run!(rename::rename),
        "textDocument/codeLens" => run!(lenses::lenses),
        "codeLens/resolve" => run!(lenses::resolve),
        "textDocument/codeAction" => run!(commands::actions),
        "workspace/executeCommand" => run!(commands::execute),
        "workspace/textDocumentContent" => run!(commands::content),
        _ => return None,
    })
}

/// Answers a request.
///
/// # Errors
/// Code and message of the response.
pub fn answer(call: &Call, method: &str, params: Json) -> Result<Json, (i64, String)> {
    let Some(handler) = handler(method) else {
        return Err((codes::METHOD_NOT_FOUND, format!("no method `{method}`")));
    };
    let answer = call.go_on().and_then(|()| handler(call, params));
    // Nobody reads the answer to a cancelled request.
    call.go_on().and(answer).map_err(Failure::code_and_message)
}

fn run<P: DeserializeOwned, A: Serialize>(
    call: &Call,
    params: Json,
    ask: fn(&Call, P) -> Result<A, Failure>,
) -> Result<Json, Failure> {
    let params = serde_json::from_value(params);
    let params = params.map_err(|error| Failure::Invalid(error.to_string()))?;
    let answer = ask(call, params)?;
    serde_json::to_value(answer).map_err(|error| Failure::Invalid(error.to_string()))
}
