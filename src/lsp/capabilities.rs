//! The capabilities that the server announces.

use serde_json::{Value as Json, json};

use super::places::SCHEME;
use super::positions::Encoding;
use super::requests::{COMMANDS, KIND};

/// The capabilities of the specification, 3.18. Completion, diagnostics, inlay hints, formatting and
/// signature help are left to a server that checks types.
pub fn capabilities(encoding: Encoding) -> Json {
    json!({
        "positionEncoding": encoding.kind(),
        "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
        "definitionProvider": true,
        "declarationProvider": true,
        "typeDefinitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": { "workDoneProgress": false },
        "documentHighlightProvider": true,
        "hoverProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "callHierarchyProvider": true,
        "typeHierarchyProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "renameProvider": { "prepareProvider": true },
        "documentLinkProvider": { "resolveProvider": false },
        "codeLensProvider": { "resolveProvider": true },
        "codeActionProvider": { "codeActionKinds": [KIND] },
        "executeCommandProvider": { "commands": COMMANDS },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "textDocumentContent": { "schemes": [SCHEME] },
        },
    })
}
