//! The pages, one file each.

pub mod diff;
pub mod file;
pub mod help;
pub mod issues;
pub mod item;
pub mod lineage;
pub mod log;
pub mod modules;
pub mod overview;
pub mod proposals;
pub mod quality;
pub mod query;
pub mod review;
pub mod search;
