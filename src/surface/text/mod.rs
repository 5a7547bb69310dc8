//! Answers as text, for people and models. Styles are ANSI sequences; whoever writes the text
//! where they mean nothing strips them.

pub mod affected;
pub mod api;
pub mod change_impact;
pub mod claims;
pub mod context;
pub mod edits;
mod item;
pub mod merge;
mod outline;
pub mod past;
mod paths;
pub mod quality;
pub mod reach;
pub mod review;
pub mod search;
pub mod state;
mod times;
pub mod uses;
mod words;

pub use item::{failed, item, item_head, sentence};
pub use outline::{api, outline};
pub use paths::{no_path, paths};
pub use times::local;
pub use words::{alternatives, plural, size, some};
