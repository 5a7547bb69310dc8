//! Every program against facts made by hand, and every plan against its `@cost`.

mod fixture;
mod history;
mod lint;
mod programs;
