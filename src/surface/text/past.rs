//! Short forms of times, revisions, classes and ages.

use serde_json::Value as Json;

use super::times::local;

/// Adds short forms to the items of an answer, see [`shorten`].
pub fn shorten_items(answer: &mut Json) {
    let items = answer.get_mut("items").and_then(Json::as_array_mut);
    items.into_iter().flatten().for_each(shorten);
}

/// Adds short forms to an item of a listing: `when`, `rev`, `what`, `who`, `note`, `age`.
fn shorten(item: &mut Json) {
    let row = Row(item);
    let indent = item.get("depth").and_then(Json::as_u64).unwrap_or_default();
    let indent = "  ".repeat(usize::try_from(indent).unwrap_or_default().min(32));
    let message = row.of_branch("message").unwrap_or_else(|| row.text("message"));
    let message = message.lines().next().unwrap_or_default().to_owned();
    let notes = row.notes().join("; ");
    let titled = if notes.is_empty() {
        message.clone()
    } else {
        format!("{message} ({notes})").trim_start().to_owned()
    };
    let short = [
        ("when", local(row.text("at"))),
        ("rev", row.revision()),
        ("what", row.what()),
        ("who", row.who()),
        ("titled", titled),
        ("title", message),
        ("note", notes),
        ("age", row.age()),
        ("indented", format!("{indent}{}", row.text("path"))),
    ];
    if let Some(object) = item.as_object_mut() {
        object.extend(short.map(|(name, value)| (name.to_owned(), Json::from(value))));
    }
}

/// An item of a listing; its fields depend on the question.
struct Row<'a>(&'a Json);

impl Row<'_> {
    fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Json::as_str).unwrap_or_default()
    }

    fn is(&self, name: &str) -> bool {
        self.0.get(name).and_then(Json::as_bool) == Some(true)
    }

    fn words(&self, name: &str) -> String {
        let list = self.0.get(name).and_then(Json::as_array).into_iter().flatten();
        list.filter_map(Json::as_str).collect::<Vec<_>>().join(", ")
    }

    /// The commit that a merge brought.
    fn branch_commit(&self) -> Option<Row<'_>> {
        self.0.get("branch_commit").filter(|commit| commit.is_object()).map(Row)
    }

    /// A field of the commit that a merge brought.
    fn of_branch(&self, name: &str) -> Option<&str> {
        self.0.get("branch_commit")?.get(name)?.as_str()
    }

    fn commit(&self) -> String {
        self.text("commit").chars().take(10).collect()
    }

    fn revision(&self) -> String {
        let commit = self.branch_commit().map_or_else(|| self.commit(), |commit| commit.commit());
        if commit.is_empty() { self.text("revision").chars().take(8).collect() } else { commit }
    }

    fn what(&self) -> String {
        match self.0.get("classes").and_then(Json::as_array) {
            Some(_) if self.is("present_at_start") => "present when the history begins".to_owned(),
            Some(classes) if classes.is_empty() => "oldest kept".to_owned(),
            _ => {
                let classes = self.words("classes");
                classes.replace("split_off", "split off").replace("merged_in", "merged in")
            }
        }
    }

    fn who(&self) -> String {
        let at_start = self.is("present_at_start");
        match self.of_branch("actor").unwrap_or_else(|| self.text("actor")) {
            // The author of items older than the history is unknown.
            "" if at_start && self.0.get("classes").is_some() => String::new(),
            "" => self.text("cause").to_owned(),
            actor => actor.to_owned(),
        }
    }

    fn age(&self) -> String {
        let Some(age) = self.0.get("age_s").and_then(Json::as_i64).map(age) else {
            return String::new();
        };
        if self.is("present_at_start") { format!("> {age}") } else { age }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        if self.branch_commit().is_some() {
            notes.push(format!("merged by {}", self.commit()));
        }
        if self.is("uncommitted") {
            notes.push("not committed yet".to_owned());
        }
        let list = self.0.get("branch_commits").and_then(Json::as_array);
        if let Some([first, rest @ ..]) = list.map(Vec::as_slice) {
            let mut note = format!("made by {}", Row(first).commit());
            if let Some(actor) = first.get("actor").and_then(Json::as_str) {
                note.push_str(&format!(" of {actor}"));
            }
            if !rest.is_empty() {
                note.push_str(&format!(" and {} more", rest.len()));
            }
            notes.push(note);
        }
        let committed = self.text("committed");
        if !committed.is_empty() {
            notes.push(format!("Git's date is {}", local(committed)));
        }
        if self.is("in_future") {
            notes.push("in the future".to_owned());
        }
        if self.is("present_at_start") && self.0.get("classes").is_none() {
            notes.push("the history begins here; its items may be older".to_owned());
        }
        if let Some(expansion) = self.0.get("expansion") {
            let macro_name = expansion.get("macro").and_then(Json::as_str).unwrap_or_default();
            let items = expansion.get("items").and_then(Json::as_u64).unwrap_or_default();
            notes.push(format!("{items} items that `{macro_name}!` makes"));
        }
        if self.text("matched") == "ends" {
            notes.push("removed and added again".to_owned());
        }
        let clock = self.text("clock");
        if !clock.is_empty() {
            notes.push(format!("written at {} by the clock", local(clock)));
        }
        let other = if self.what().contains("removed") { "into" } else { "from" };
        let places = [
            ("was", self.text("previous_path").to_owned()),
            ("from file", self.text("previous_file_path").to_owned()),
            ("now", self.text("to").to_owned()),
            ("from", self.words("from")),
            (other, self.text("other").to_owned()),
        ];
        let places = places.into_iter().filter(|(_, place)| !place.is_empty());
        notes.extend(places.map(|(word, place)| format!("{word} {place}")));
        notes
    }
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
