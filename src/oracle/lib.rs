//! Claims about code: what a question asks, what an answer claims, and how the two compare with
//! the truth. It reads no file and no database; `engine` finds the truth.

/// Declares a regular expression, compiled when it is needed first.
macro_rules! regex {
    ($name:ident, $text:expr) => {
        static $name: std::sync::LazyLock<Option<regex::Regex>> =
            std::sync::LazyLock::new(|| regex::Regex::new($text).ok());
    };
}

mod answer;
mod claimed_list;
mod compare;
mod dates;
mod lines;
mod names;
mod phrases;
mod question;
mod quotes;
mod reading;
mod text_question;
mod wording;

pub use answer::Claimed;
pub use claimed_list::{Form, Listed};
pub use compare::{Extra, Fact, Weight, compare, compare_yes_no};
pub use dates::with_iso_dates;
pub use lines::{Counted, Hit, Hits, is_file};
pub use names::{is_near, last_name, same_code, tokens};
pub use question::{Ask, Change, Member, Question, Structural, TextPattern};
pub use reading::read;
