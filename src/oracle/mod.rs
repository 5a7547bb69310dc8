//! Claims about code: what a question asks, what an answer claims, and how the two compare with
//! the truth. It reads no file and no database; `engine` finds the truth.

mod answer;
mod compare;
mod lines;
mod names;
mod phrases;
mod question;
mod quotes;

pub use answer::Claimed;
pub use compare::{Doubt, Fact, compare, compare_yes_no};
pub use lines::{Counted, Hit, compare_count, compare_lines};
pub use names::same_code;
pub use phrases::read;
pub use question::{Ask, Change, Question, Structural, TextPattern};
