//! What is no request of the specification, and sessions that do not go as it says.

use serde_json::json;

use super::client::{Client, uri};
use super::demo::bare;

/// Malformed messages of the random test; `ASOF_MESSAGES` for more.
fn messages() -> usize {
    std::env::var("ASOF_MESSAGES").map_or(500, |n| n.parse().unwrap())
}

#[test]
fn the_life_of_a_session_is_that_of_the_specification() {
    let folder = bare();
    let mut client = Client::start(folder.path());
    let (code, _) = client.refused("textDocument/hover", json!({}));
    assert_eq!(code, -32_002);
    client.request("initialize", json!({ "capabilities": {}, "rootUri": uri(folder.path()) }));
    assert_eq!(client.refused("initialize", json!({ "capabilities": {} })).0, -32_600);
    assert_eq!(client.refused("no/such", json!({})).0, -32_601);
    assert_eq!(client.refused("textDocument/hover", json!({ "x": 1 })).0, -32_602);
    client.request("shutdown", json!(null));
    assert_eq!(client.refused("textDocument/hover", json!({})).0, -32_600);
    client.notify("exit", json!(null));
    assert_eq!(client.leave(), Some(0));
    let client = Client::start(folder.path());
    assert_eq!(client.leave(), Some(1));
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    let folder = bare();
    let mut client = Client::session(folder.path(), "utf-8", json!({}));
    // The workspace is being indexed, so the request waits.
    let ids: Vec<u64> =
        (0..20).map(|_| client.ask("workspace/symbol", json!({ "query": "wait" }))).collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    let mut cancelled = 0;
    for id in ids {
        let answer = client.response(id);
        match answer.get("error") {
            Some(error) => {
                assert_eq!(error["code"], -32_800);
                cancelled += 1;
            }
            None => assert!(answer["result"].is_array()),
        }
    }
    assert!(cancelled > 0);
    assert_eq!(client.quit(), Some(0));
}

/// A small generator of numbers, the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }
}

#[test]
fn malformed_messages_end_nothing() {
    let folder = bare();
    let mut client = Client::session(folder.path(), "utf-8", json!({}));
    let mut random = Random(41);
    let document = uri(&folder.path().join("src/lib.rs"));
    let methods = [
        "textDocument/definition",
        "textDocument/references",
        "textDocument/hover",
        "initialize",
        "textDocument/didChange",
        "textDocument/didOpen",
        "textDocument/rename",
        "$/cancelRequest",
        "textDocument/documentSymbol",
        "textDocument/selectionRange",
        "codeLens/resolve",
        "",
        "workspace/executeCommand",
        "workspace/textDocumentContent",
        "callHierarchy/incomingCalls",
    ];
    let values = [
        "null",
        "1",
        "-1",
        "\"x\"",
        "[]",
        "{}",
        "1e99",
        "{\"uri\":7}",
        "\"asof://NOW/x.rs\"",
        "{\"line\":4294967295,\"character\":4294967295}",
        "{\"line\":-1,\"character\":0}",
        "[{\"range\":{\"start\":{\"line\":9,\"character\":9},\"end\":{\"line\":0,\"character\":0}},\"text\":\"é\"}]",
    ];
    for number in 0..messages() {
        let method = methods[random.below(methods.len())];
        let value = |random: &mut Random| values[random.below(values.len())];
        let uri = if random.below(2) == 0 {
            format!("\"{document}\"")
        } else {
            value(&mut random).to_owned()
        };
        let params = format!(
            "{{\"textDocument\":{{\"uri\":{uri},\"version\":{},\"text\":{}}},\"position\":{},\
             \"contentChanges\":{},\"item\":{},\"command\":{},\"arguments\":{},\"newName\":{},\
             \"positions\":{}}}",
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
            value(&mut random),
        );
        let id =
            ["", "\"id\":9000001,", "\"id\":\"x\",", "\"id\":null,", "\"id\":{},"][random.below(5)];
        let mut body =
            format!("{{\"jsonrpc\":\"2.0\",{id}\"method\":\"{method}\",\"params\":{params}}}")
                .into_bytes();
        match random.below(4) {
            0 => {}
            1 => {
                let at = random.below(body.len());
                body[at] = random.below(256) as u8;
            }
            2 => body.truncate(random.below(body.len())),
            _ => body.rotate_left(random.below(9)),
        }
        let head = match random.below(8) {
            0 => format!("Content-Length: x\r\n\r\nContent-Length: {}\r\n\r\n", body.len()),
            1 => format!("\r\n\r\nX-Y: 1\r\ncontent-length: {}\r\n\r\n", body.len()),
            _ => format!("Content-Length: {}\r\n\r\n", body.len()),
        };
        client.raw(&[head.as_bytes(), &body].concat());
        if number % 50 == 49 {
            let found = client.request("workspace/symbol", json!({ "query": "next_delay" }));
            assert!(found.to_string().contains("next_delay"), "{found}");
        }
    }
    assert_eq!(client.quit(), Some(0));
}
