//! `asof lsp`, driven as an editor drives it.

use crate::support::cli;
use crate::support::demo;
use crate::support::repository;
mod client;
mod messages;
mod moves;
mod outside;
mod places;
mod session;
mod shown;
mod unsaved;
