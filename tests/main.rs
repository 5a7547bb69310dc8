//! The tests of the whole, in one program: linking one for each file took longer than running it.
//!
//! `cargo test --test suite NAME::` runs one file. `growth.rs` counts allocations of its process,
//! so it is a program of its own.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod support;

mod architecture;
mod as_of;
mod cli;
mod cli_affected;
mod cli_api_diff;
mod cli_at;
mod cli_at_commit;
mod cli_bad_input;
mod cli_bundles;
mod cli_change_signature;
mod cli_configuration;
mod cli_context;
mod cli_context_example;
mod cli_delete;
mod cli_deps;
mod cli_diagnostics;
mod cli_diff;
mod cli_docs;
mod cli_edit;
mod cli_edit_refused;
mod cli_history;
mod cli_hotspots;
mod cli_impact_diff;
mod cli_implementations;
mod cli_length;
mod cli_merge;
mod cli_merge_arguments;
mod cli_merge_driver;
mod cli_merges;
mod cli_move;
mod cli_oracle;
mod cli_output;
mod cli_proofs;
mod cli_quality;
mod cli_reach;
mod cli_refs;
mod cli_rename;
mod cli_review;
mod cli_review_commands;
mod cli_review_hidden;
mod cli_review_parameters;
mod cli_scip;
mod cli_scip_import;
mod cli_search;
mod cli_structure;
mod cli_tables;
mod cli_unused;
mod cli_watch;
mod composition;
mod concerned;
mod concerned_packages;
mod dependencies;
mod edit_carry;
mod edit_check;
mod edit_files;
mod edit_full_disk;
mod edit_fuzz;
mod edit_fuzz_late;
mod edit_kill;
mod edit_kill_program;
mod edit_named;
mod edit_together;
mod edit_undo;
mod examples;
mod first_index;
mod fixtures;
mod fuzz_seeds;
mod history;
mod history_readers;
mod history_size;
mod hostile;
mod hostile_refactorings;
mod http;
mod incremental;
mod incremental_targets;
mod invariants;
mod item_history;
mod looks;
mod lsp;
mod made_items;
mod mcp;
mod query_process;
mod refactor_sequences;
mod search_answers;
mod state_files;
mod store_backup;
mod store_contract;
mod store_damage;
mod store_measure;
mod store_rows;
mod store_safety;
mod tables;
mod time;
mod wire;
mod worktrees;
