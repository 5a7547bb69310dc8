//! Shows answers of commands in a client that has no code for them.

use gen_lsp_types::{MessageType, Uri};
use serde_json::{Value as Json, json};

use crate::places::{Document, file_uri};
use crate::session::{Call, Failure};
use crate::view::View;

/// Lines of an answer in a message.
const LINES: usize = 10;

/// Shows an answer as a document, or its first lines if the client shows no documents.
pub fn show(call: &Call, command: &str, answer: &Json) -> Result<(), Failure> {
    call.go_on()?;
    let session = &call.session;
    let text = answer.get("text").and_then(Json::as_str).unwrap_or_default();
    let past = answer.get("uri").and_then(Json::as_str).map(|uri| Uri(uri.to_owned()));
    if !session.abilities.show_document {
        let message = match past {
            Some(_) => "this client shows no documents".to_owned(),
            None => first_lines(text),
        };
        session.client.show(MessageType::Info, &format!("asof: {message}"));
        return Ok(());
    }
    let uri = match past {
        Some(uri) if session.abilities.text_content => uri,
        Some(uri) => {
            let lines = View::text(call, &uri)?;
            let document = Document::from_uri(&uri);
            let name = document.as_ref().and_then(|one| one.path.file_name()?.to_str());
            file(call, name.unwrap_or("past.rs"), lines.as_ref().map_or("", |one| one.text()))?
        }
        None => {
            let name = match command {
                "asof.history" => "history.txt",
                "asof.diffItem" => "change.diff",
                "asof.impact" => "impact.txt",
                _ => "tests.txt",
            };
            file(call, name, text)?
        }
    };
    let mut params = json!({ "uri": uri, "takeFocus": true });
    let line = answer.get("line").and_then(Json::as_u64);
    if let (Some(line), Some(params)) = (line, params.as_object_mut()) {
        let at = json!({ "line": line, "character": 0 });
        params.insert("selection".to_owned(), json!({ "start": at, "end": at }));
    }
    session.client.ask("window/showDocument", params);
    Ok(())
}

fn file(call: &Call, name: &str, text: &str) -> Result<Uri, Failure> {
    let path = call.session.answers.file(name, text);
    let path =
        path.map_err(|error| Failure::Refused(format!("the answer has no file: {error}")))?;
    Ok(file_uri(&path))
}

fn first_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    let mut shown = lines.get(..LINES).unwrap_or(&lines).join("\n");
    if let Some(more) = lines.len().checked_sub(LINES).filter(|more| *more > 0) {
        shown.push_str(&format!("\n… and {more} more lines"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_first_lines() {
        assert_eq!(first_lines("\na\nb\n"), "a\nb");
        let many: String = (0..14).map(|n| format!("{n}\n")).collect();
        assert!(first_lines(&many).ends_with("\n9\n… and 4 more lines"));
    }
}
