//! Every program against facts made by hand, and every plan against its `@cost`.

mod edges;
mod expected;
mod fixture;
mod history;
mod lint;
mod programs;
mod structure;
