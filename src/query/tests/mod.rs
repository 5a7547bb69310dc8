//! Every program against facts made by hand, and every plan against its `@cost`.

mod edges;
mod fixture;
mod history;
mod lint;
mod programs;
mod structure;
