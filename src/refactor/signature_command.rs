//! The command that makes a change of a signature.

use asof_wire::SignatureChange;

/// A line for a shell; none if no path names the function, if nothing changes, or for changes that no
/// review proves.
pub fn signature_command(path: &str, changes: &[SignatureChange]) -> Option<String> {
    if path.contains('<') || changes.is_empty() {
        return None;
    }
    let mut words = vec![format!("asof change-signature {path}")];
    for change in changes {
        match change {
            SignatureChange::Order(names) => words.push(format!("--order {}", names.join(","))),
            SignatureChange::Rename { from, to } => words.push(format!("--rename {from}={to}")),
            SignatureChange::Add { name, ty, value, before } => {
                words.push(format!("--add {}", quoted(&format!("{name}: {ty} = {value}"))));
                words.extend(before.iter().map(|before| format!("--before {before}")));
            }
            SignatureChange::Remove(_)
            | SignatureChange::Retype { .. }
            | SignatureChange::Returns(_)
            | SignatureChange::Async(_)
            | SignatureChange::Unsafe(_)
            | SignatureChange::Const(_) => return None,
        }
    }
    Some(words.join(" "))
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
