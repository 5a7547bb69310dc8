//! Short forms of times, revisions, classes and ages.

use serde_json::Value as Json;

/// Adds short forms to the items of an answer, see [`shorten`].
pub fn shorten_items(answer: &mut Json) {
    let items = answer.get_mut("items").and_then(Json::as_array_mut);
    items.into_iter().flatten().for_each(shorten);
}

/// Adds short forms to an item of a listing: `when`, `rev`, `what`, `who`, `note`, `age`.
fn shorten(item: &mut Json) {
    let text = |name: &str| item.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let words = |name: &str| {
        let list = item.get(name).and_then(Json::as_array);
        list.into_iter().flatten().filter_map(|w| w.as_str()).collect::<Vec<_>>().join(", ")
    };
    let when = second(&text("at"));
    let rev: String = text("revision").chars().take(8).collect();
    let commit: String = text("commit").chars().take(10).collect();
    let what = words("classes").replace("split_off", "split off").replace("merged_in", "merged in");
    let at_start = item.get("present_at_start").and_then(Json::as_bool) == Some(true);
    let what = match item.get("classes").and_then(Json::as_array) {
        Some(_) if at_start => "present when the history begins".to_owned(),
        Some(classes) if classes.is_empty() => "oldest kept".to_owned(),
        _ => what,
    };
    let short_commit = |commit: &Json| -> String {
        let hash = commit.get("commit").and_then(Json::as_str).unwrap_or_default();
        hash.chars().take(10).collect()
    };
    let branch_commit = item.get("branch_commit").filter(|commit| commit.is_object());
    let uncommitted = item.get("uncommitted").and_then(Json::as_bool) == Some(true);
    let of_branch = |name: &str| {
        let value = branch_commit.and_then(|commit| commit.get(name)).and_then(Json::as_str);
        value.map(str::to_owned)
    };
    let who = match of_branch("actor").unwrap_or_else(|| text("actor")) {
        // The author of items older than the history is unknown.
        actor if actor.is_empty() && at_start && item.get("classes").is_some() => String::new(),
        actor if actor.is_empty() => text("cause"),
        actor => actor,
    };
    let message = of_branch("message").unwrap_or_else(|| text("message"));
    let message = message.lines().next().unwrap_or_default().to_owned();
    let indent = item.get("depth").and_then(Json::as_u64).unwrap_or_default();
    let indent = "  ".repeat(usize::try_from(indent).unwrap_or_default().min(32));
    let path = format!("{indent}{}", text("path"));
    let age = item.get("age_s").and_then(Json::as_i64).map(age).unwrap_or_default();
    let age = if at_start && !age.is_empty() { format!("> {age}") } else { age };
    let mut notes: Vec<String> = Vec::new();
    if branch_commit.is_some() {
        notes.push(format!("merged by {commit}"));
    }
    if uncommitted {
        notes.push("not committed yet".to_owned());
    }
    let list = item.get("branch_commits").and_then(Json::as_array);
    if let Some([first, rest @ ..]) = list.map(Vec::as_slice) {
        let mut said = format!("made by {}", short_commit(first));
        if let Some(actor) = first.get("actor").and_then(Json::as_str) {
            said.push_str(&format!(" of {actor}"));
        }
        if !rest.is_empty() {
            said.push_str(&format!(" and {} more", rest.len()));
        }
        notes.push(said);
    }
    let committed = text("committed");
    if !committed.is_empty() {
        notes.push(format!("Git's date is {}", second(&committed)));
    }
    if item.get("in_future").and_then(Json::as_bool) == Some(true) {
        notes.push("in the future".to_owned());
    }
    if at_start && item.get("classes").is_none() {
        notes.push("the history begins here; its items may be older".to_owned());
    }
    if text("matched") == "ends" {
        notes.push("removed and added again".to_owned());
    }
    let clock = text("clock");
    if !clock.is_empty() {
        notes.push(format!("written at {} by the clock", second(&clock)));
    }
    let gone = what.contains("removed");
    for (said, name) in
        [("was", "previous_path"), ("from file", "previous_file_path"), ("now", "to")]
    {
        let value = text(name);
        if !value.is_empty() {
            notes.push(format!("{said} {value}"));
        }
    }
    let (from, other) = (words("from"), text("other"));
    if !from.is_empty() {
        notes.push(format!("from {from}"));
    }
    if !other.is_empty() {
        notes.push(format!("{} {other}", if gone { "into" } else { "from" }));
    }
    let titled = match notes.as_slice() {
        [] => message.clone(),
        notes => format!("{message} ({})", notes.join("; ")).trim_start().to_owned(),
    };
    let commit = branch_commit.map_or(commit, short_commit);
    let rev = if commit.is_empty() { rev } else { commit };
    let short = [
        ("when", when),
        ("rev", rev),
        ("what", what),
        ("who", who),
        ("titled", titled),
        ("title", message),
        ("note", notes.join("; ")),
        ("age", age),
        ("indented", path),
    ];
    if let Some(object) = item.as_object_mut() {
        object.extend(short.map(|(name, value)| (name.to_owned(), Json::from(value))));
    }
}

/// A time (RFC 3339) to the second, with a space instead of `T`.
fn second(time: &str) -> String {
    time.replacen('T', " ", 1).chars().take(19).collect()
}

/// Seconds in the largest unit that leaves a number above one.
fn age(seconds: i64) -> String {
    const UNITS: [(i64, &str); 5] =
        [(31_557_600, "years"), (2_629_800, "months"), (86_400, "days"), (3_600, "h"), (60, "min")];
    let unit = UNITS.iter().find(|(length, _)| seconds >= 2 * length);
    match unit {
        Some((length, name)) => format!("{} {name}", seconds / length),
        None => format!("{seconds} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        let ages = [5, 119, 120, 7_199, 7_200, 200_000, 90_000_000].map(age);
        assert_eq!(ages, ["5 s", "119 s", "2 min", "119 min", "2 h", "2 days", "2 years"]);
    }
}
