//! Adding an entry and removing it again, in files as people write them.
#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;

use super::entry::Entry;
use super::refusal::Refusal;
use super::text::{Removal, Syntax};

const MCP: Syntax = Syntax::Json { container: "mcpServers", is_typed: false };
const VSCODE: Syntax = Syntax::Json { container: "servers", is_typed: true };

fn entry() -> Entry {
    let args = ["-C", "${workspaceFolder}", "mcp", "--index"];
    Entry { command: "asof".to_owned(), args: args.map(str::to_owned).to_vec() }
}

/// Adds the entry, and removes it again: every byte is as before.
#[track_caller]
fn round(syntax: Syntax, old: Option<&str>) -> String {
    let new = syntax.install(old, &entry()).unwrap_or_else(|error| panic!("{error}: {old:?}"));
    assert_eq!(syntax.find(&new).unwrap(), Some(entry()), "{new}");
    let back = syntax.uninstall(&new).unwrap_or_else(|error| panic!("{error}: {new}"));
    match old {
        None => assert_eq!(back, Removal::File, "{new}"),
        Some(old) => assert_eq!(back, Removal::Entry(old.to_owned()), "{new}"),
    }
    new
}

/// Hand-made files. `S` is the name of the object with the servers.
const ODD: &[&str] = &[
    "",
    "\n",
    " \r\n\t",
    "{}",
    "{}\n",
    "{ }\n",
    "{\n}\n",
    "{\n\n}",
    "{ /* nothing yet */ }\n",
    "{\n  // nothing yet\n}\n",
    "{\"a\":1}",
    "{ \"a\": 1 }\n",
    "{\n  \"a\": 1\n}\n",
    "{\n  \"a\": 1 }\n",
    "{\n\t\"a\": [1,\n2],\n\t\"b\": {}\n}",
    "{\r\n    \"a\": 1\r\n}\r\n",
    "{\n  \"a\": 1,\n}\n",
    "{\n  \"a\": 1 // one\n}\n",
    "{\n  \"a\": 1, // one\n}\n",
    "{\n  \"a\": 1 /* one */, // and more\n  // the end\n}\n",
    "{\n  \"a\": 1 /* over\n lines */\n  ,\n}\n",
    "{\n  \"a\": 1\n  // before the comma\n  , // behind it\n}\n",
    "// head\n{\n  \"a\": \"//\"\n}\n// foot\n",
    "{\"S\":{}}",
    "{ \"S\": { } }\n",
    "{\n  \"S\": {}\n}\n",
    "{\n  \"S\": {\n  }\n}\n",
    "{\n  \"S\": {\n    // none\n  }\n}\n",
    "{\"S\":{\"b\":{\"command\":\"b\"}}}",
    "{\n  \"S\": {\n    \"b\": {\n      \"command\": \"b\"\n    }\n  },\n  \"z\": null\n}\n",
    "{\n  \"S\": {\n    \"b\": {}, // b\n    /* c */ \"c\": {}, // c\n  },\n}",
    "{\r\n\t\"S\": {\r\n\t\t\"b\": {},\r\n\t}\r\n}\r\n",
    "{\n  \"S\": { \"b\": {} },\n  \"u\": \"\\u00e9é\\\" }\"\n}",
    "{\n\"S\": {\n\"b\": {}\n}\n}\n",
    "{\n  \"a\": { \"S\": {} }\n}\n",
];

const TOML: &[&str] = &[
    "",
    "\n",
    "model = \"o\"",
    "model = \"o\"\n",
    "model = \"o\"\n\n\n",
    "# only a comment",
    "[mcp_servers]\n",
    "[mcp_servers.b]\ncommand = \"b\" # b\n\n[tui]\nx = 1\n",
    "mcp_servers.b.command = \"b\"\n",
    "[[a]]\r\nx = '''\r\n[mcp_servers.asof]\r\n'''\r\n",
    "[a]\n\tb = { c = 1, d = [1,\n 2] } # end",
];

#[test]
fn odd_files_come_back_byte_for_byte() {
    for syntax in [MCP, VSCODE] {
        let Syntax::Json { container, .. } = syntax else { unreachable!() };
        round(syntax, None);
        for text in ODD {
            let text = text.replace("\"S\"", &format!("\"{container}\""));
            round(syntax, Some(&text));
            round(syntax, Some(&format!("\u{feff}{text}")));
        }
    }
    round(Syntax::Toml, None);
    for text in TOML {
        round(Syntax::Toml, Some(text));
        round(Syntax::Toml, Some(&format!("\u{feff}{text}")));
    }
}

#[test]
fn entries_look_as_if_written_by_hand() {
    let check = |syntax: Syntax, old: Option<&str>, new: &str| {
        assert_eq!(round(syntax, old), new);
    };
    let ours = "\"asof\": { \"command\": \"asof\", \"args\": [\"-C\", \"${workspaceFolder}\", \
                \"mcp\", \"--index\"] }";
    check(MCP, None, &format!("{{\n  \"mcpServers\": {{\n    {ours}\n  }}\n}}\n"));
    let old = "{\n\t\"mcpServers\": {\n\t\t\"b\": {} // b\n\t}\n}\n";
    let new = format!("{{\n\t\"mcpServers\": {{\n\t\t\"b\": {{}}, // b\n\t\t{ours}\n\t}}\n}}\n");
    check(MCP, Some(old), &new);
    let old = "{\r\n  \"a\": 1\r\n}\r\n";
    let object = format!("\"mcpServers\": {{\r\n    {ours}\r\n  }}");
    check(MCP, Some(old), &format!("{{\r\n  \"a\": 1,\r\n  {object}\r\n}}\r\n"));
    let table = "[mcp_servers.asof]\ncommand = \"asof\"\nargs = [\"-C\", \"${workspaceFolder}\", \
                 \"mcp\", \"--index\"]\n";
    check(Syntax::Toml, Some("a = 1\n"), &format!("a = 1\n\n{table}"));
}

#[test]
fn a_file_that_was_changed_since_loses_nothing_but_the_entry() {
    let check = |syntax: Syntax, changed: &str, left: &str| {
        let back = syntax.uninstall(changed).unwrap();
        assert_eq!(back, Removal::Entry(left.to_owned()), "{changed}");
    };
    check(
        MCP,
        "{\n  \"mcpServers\": {\n    \"asof\": {\n      \"command\": \"asof\", \"args\": [\"mcp\"]\n    \
         },\n    \"b\": {} // b\n  }\n}\n",
        "{\n  \"mcpServers\": {\n    \"b\": {} // b\n  }\n}\n",
    );
    check(
        MCP,
        "{\"mcpServers\": {\"b\": {}, \"asof\": {\"command\": \"asof\", \"env\": {}}}}",
        "{\"mcpServers\": {\"b\": {}}}",
    );
    check(
        Syntax::Toml,
        "a = 1\n\n[mcp_servers.asof]\ncommand = \"asof\"\nargs = [\"mcp\"]\nenabled = true\n\n# b\n\
         [mcp_servers.b]\ncommand = \"b\"\n",
        "a = 1\n\n# b\n[mcp_servers.b]\ncommand = \"b\"\n",
    );
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let refused = |syntax: Syntax, old: &str, says: &str| {
        let error: Refusal = syntax.install(Some(old), &entry()).unwrap_err();
        assert!(error.to_string().contains(says), "{old}: {error}");
    };
    refused(MCP, "{", "does not parse");
    refused(MCP, "{\"a\" 1}", "does not parse");
    refused(MCP, "[]", "not an object");
    refused(MCP, "// nothing", "only comments");
    refused(MCP, "{\"mcpServers\": []}", "`mcpServers` is not an object");
    refused(MCP, "{\"mcpServers\": {}, \"mcpServers\": {}}", "several `mcpServers`");
    refused(MCP, &"[".repeat(100_000), "does not parse");
    refused(Syntax::Toml, "a = ", "does not parse");
    refused(Syntax::Toml, "mcp_servers = {}", "not written as tables");
    assert_eq!(MCP.uninstall("{\"mcpServers\": {}}").unwrap(), Removal::Nothing);
}

/// Whitespace and comments between tokens.
fn blank() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just(""), 3 => Just(" "), 2 => Just("\n  "), 1 => Just("\r\n\t"),
        1 => Just(" // c, }\n"), 1 => Just("/* { */"),
    ];
    proptest::collection::vec(part, 0..3).prop_map(|parts| parts.concat())
}

fn members(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    let value = prop_oneof![Just("1"), Just("{}"), Just("[1, 2]"), Just("\"a,}\""), Just("null")];
    let member = (blank(), value, blank(), blank());
    (proptest::collection::vec(member, 0..=names.len()), any::<bool>(), blank()).prop_map(
        move |(values, trailing, end)| {
            let count = values.len();
            let text = values.into_iter().zip(names).enumerate().map(|(at, (value, name))| {
                let (before, value, after, behind) = value;
                let comma = if at + 1 < count || trailing { "," } else { "" };
                format!("{before}\"{name}\":{behind}{value}{after}{comma}")
            });
            format!("{}{end}", text.collect::<String>())
        },
    )
}

proptest! {
    #[test]
    fn generated_files_come_back_byte_for_byte(
        head in blank(), first in members(&["a", "b"]), inner in members(&["c", "d", "e"]),
        gap in blank(), has_servers in any::<bool>(), tail in blank(),
    ) {
        let servers = format!("\"mcpServers\":{gap}{{{inner}}}");
        let text = if !has_servers { format!("{head}{{{first}}}{tail}") } else { format!("{head}{{{gap}{servers}{tail}}}{tail}") };
        round(MCP, Some(&text));
    }
}
