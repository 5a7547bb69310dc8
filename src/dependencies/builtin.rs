//! Names that come with the toolchain.

/// Whether a macro, a derive or an attribute is the compiler's, the standard library's or a tool's.
pub fn is_builtin(name: &str) -> bool {
    BUILTIN.contains(&name)
}

/// Macros, derives, attributes and names of tools that come with the toolchain.
#[rustfmt::skip]
const BUILTIN: [&str; 123] = [
    "Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd", "addr_of",
    "addr_of_mut", "alloc_error_handler", "allow", "allow_internal_unstable", "asm", "assert",
    "assert_eq", "assert_matches", "assert_ne", "automatically_derived", "bench", "cfg", "cfg_attr",
    "cfg_select", "clippy", "cold", "column", "compile_error", "concat", "concat_bytes",
    "crate_name", "crate_type", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne",
    "debugger_visualizer", "default", "deny", "deprecated", "derive", "doc", "env", "eprint",
    "eprintln", "expect", "export_name", "feature", "ffi_const", "file", "forbid", "format",
    "format_args", "fundamental", "global_allocator", "global_asm", "ignore", "include",
    "include_bytes", "include_str", "inline", "instruction_set", "is_aarch64_feature_detected",
    "is_x86_feature_detected", "lang", "line", "link", "link_args", "link_name", "link_ordinal",
    "link_section", "llvm_asm", "macro_escape", "macro_export", "macro_use", "matches",
    "module_path", "must_use", "naked", "naked_asm", "no_builtins", "no_implicit_prelude",
    "no_link", "no_main", "no_mangle", "no_std", "non_exhaustive", "offset_of", "option_env",
    "panic", "panic_handler", "path", "pin", "prelude_import", "print", "println", "proc_macro",
    "proc_macro_attribute", "proc_macro_derive", "ready", "recursion_limit", "repr", "rustfmt",
    "should_panic", "stable", "stringify", "target_feature", "test", "thread_local", "todo",
    "track_caller", "try", "type_length_limit", "unimplemented", "unreachable", "unsafe",
    "unstable", "used", "vec", "warn", "windows_subsystem", "write", "writeln",
];
