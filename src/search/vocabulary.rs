//! Lists of words with special treatment: stop words of questions, keywords of Rust, and
//! abbreviations that programmers use.

/// Words without meaning of their own in prose. Sorted.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "be", "been", "but", "can", "could", "did", "do", "does",
    "doing", "each", "either", "etc", "had", "has", "have", "having", "here", "how", "however",
    "i", "it", "its", "may", "might", "must", "of", "on", "our", "shall", "should", "so", "some",
    "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "through", "thus", "us", "very", "was", "we", "were", "what", "when", "where",
    "whether", "which", "who", "why", "will", "would", "you", "your",
];

/// Words that say what kind of task something is, not what it is about. Sorted.
const TASK_WORDS: &[&str] = &[
    "add", "address", "adding", "bug", "bugs", "change", "changing", "debug", "explain", "feature",
    "find", "fix", "fixes", "fixing", "help", "implement", "implementing", "improve", "issue",
    "issues", "make", "need", "needs", "please", "problem", "problems", "refactor", "refactoring",
    "remove", "resolve", "rewrite", "show", "support", "task", "todo", "understand", "update",
    "want", "wants", "work", "works", "write",
];

/// Abbreviations, and the word that they stand for. Sorted by the first.
const ABBREVIATIONS: &[(&str, &str)] = &[
    ("abs", "absolute"),
    ("acc", "accumulate"),
    ("addr", "address"),
    ("alloc", "allocate"),
    ("arg", "argument"),
    ("args", "argument"),
    ("async", "asynchronous"),
    ("attr", "attribute"),
    ("attrs", "attribute"),
    ("auth", "authenticate"),
    ("buf", "buffer"),
    ("buff", "buffer"),
    ("bufs", "buffer"),
    ("calc", "calculate"),
    ("cap", "capacity"),
    ("cfg", "configuration"),
    ("char", "character"),
    ("chars", "character"),
    ("clr", "clear"),
    ("cmd", "command"),
    ("cmds", "command"),
    ("cmp", "compare"),
    ("col", "column"),
    ("concat", "concatenate"),
    ("cond", "condition"),
    ("config", "configuration"),
    ("configs", "configuration"),
    ("conn", "connection"),
    ("const", "constant"),
    ("ctor", "constructor"),
    ("ctrl", "control"),
    ("ctx", "context"),
    ("cur", "current"),
    ("curr", "current"),
    ("cwd", "directory"),
    ("db", "database"),
    ("dealloc", "deallocate"),
    ("decl", "declaration"),
    ("dedup", "deduplicate"),
    ("def", "definition"),
    ("del", "delete"),
    ("deps", "dependency"),
    ("desc", "description"),
    ("dest", "destination"),
    ("dir", "directory"),
    ("dirs", "directory"),
    ("doc", "documentation"),
    ("docs", "documentation"),
    ("dst", "destination"),
    ("dup", "duplicate"),
    ("elem", "element"),
    ("elems", "element"),
    ("env", "environment"),
    ("eq", "equal"),
    ("err", "error"),
    ("errs", "error"),
    ("eval", "evaluate"),
    ("exec", "execute"),
    ("expr", "expression"),
    ("ext", "extension"),
    ("fd", "descriptor"),
    ("fmt", "format"),
    ("fn", "function"),
    ("freq", "frequency"),
    ("func", "function"),
    ("gen", "generate"),
    ("hdr", "header"),
    ("hex", "hexadecimal"),
    ("ident", "identifier"),
    ("idx", "index"),
    ("impl", "implementation"),
    ("info", "information"),
    ("init", "initialize"),
    ("initialise", "initialize"),
    ("int", "integer"),
    ("io", "input"),
    ("iter", "iterator"),
    ("lang", "language"),
    ("len", "length"),
    ("lhs", "left"),
    ("lib", "library"),
    ("lit", "literal"),
    ("max", "maximum"),
    ("mem", "memory"),
    ("meta", "metadata"),
    ("min", "minimum"),
    ("mod", "module"),
    ("msg", "message"),
    ("msgs", "message"),
    ("mut", "mutable"),
    ("nl", "newline"),
    ("num", "number"),
    ("obj", "object"),
    ("op", "operation"),
    ("ops", "operation"),
    ("opt", "option"),
    ("opts", "option"),
    ("os", "system"),
    ("param", "parameter"),
    ("params", "parameter"),
    ("pat", "pattern"),
    ("pkg", "package"),
    ("pos", "position"),
    ("pred", "predicate"),
    ("prev", "previous"),
    ("proc", "process"),
    ("ptr", "pointer"),
    ("ptrs", "pointer"),
    ("rand", "random"),
    ("re", "regex"),
    ("recv", "receive"),
    ("ref", "reference"),
    ("refs", "reference"),
    ("regexp", "regex"),
    ("rem", "remainder"),
    ("repr", "representation"),
    ("req", "request"),
    ("resp", "response"),
    ("ret", "return"),
    ("rev", "reverse"),
    ("rhs", "right"),
    ("rng", "random"),
    ("rx", "receiver"),
    ("sem", "semaphore"),
    ("sep", "separator"),
    ("seq", "sequence"),
    ("serialise", "serialize"),
    ("sig", "signature"),
    ("sock", "socket"),
    ("spec", "specification"),
    ("src", "source"),
    ("stat", "statistics"),
    ("stats", "statistics"),
    ("std", "standard"),
    ("stmt", "statement"),
    ("str", "string"),
    ("strs", "string"),
    ("sub", "substitute"),
    ("sym", "symbol"),
    ("sync", "synchronize"),
    ("sys", "system"),
    ("temp", "temporary"),
    ("term", "terminal"),
    ("tmp", "temporary"),
    ("tok", "token"),
    ("ts", "timestamp"),
    ("tx", "sender"),
    ("txt", "text"),
    ("ty", "type"),
    ("util", "utility"),
    ("utils", "utility"),
    ("val", "value"),
    ("vals", "value"),
    ("var", "variable"),
    ("vars", "variable"),
    ("vec", "vector"),
    ("ver", "version"),
    ("win", "window"),
];

/// Words that say little in a question, and something in a name. Sorted.
const WEAK_WORDS: &[&str] = &[
    "all", "also", "as", "at", "by", "for", "from", "given", "if", "in", "into", "is", "no", "not",
    "only", "or", "other", "out", "over", "return", "returns", "same", "to", "under", "until",
    "up", "use", "used", "uses", "using", "via", "while", "with", "without",
];

/// Whether a lower-case word says little in a question.
pub(super) fn is_weak_word(word: &str) -> bool {
    WEAK_WORDS.binary_search(&word).is_ok()
}

/// Whether a word says what kind of task something is, not what it is about.
pub(super) fn is_task_word(word: &str) -> bool {
    TASK_WORDS.binary_search(&word).is_ok()
}

/// Whether a lower-case word has no meaning of its own.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// Whether a word is a keyword that says nothing about what a body does, or as little as
/// one.
pub(super) fn is_keyword(word: &str) -> bool {
    match word {
        "async" | "await" | "Self" => false,
        "assert" | "assert_eq" | "bool" | "usize" => true,
        _ => asof_model::is_keyword(word),
    }
}

/// The word that an abbreviation stands for.
pub(super) fn spelled_out(word: &str) -> Option<&'static str> {
    let found = ABBREVIATIONS.binary_search_by_key(&word, |(short, _)| *short);
    found.ok().and_then(|at| ABBREVIATIONS.get(at)).map(|(_, full)| *full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted() {
        assert!(STOP_WORDS.is_sorted() && WEAK_WORDS.is_sorted());
        assert!(ABBREVIATIONS.is_sorted_by_key(|(short, _)| *short));
    }

    #[test]
    fn words_are_found() {
        assert!(is_stop_word("the") && !is_stop_word("matcher"));
        assert!(is_keyword("match") && !is_keyword("matcher"));
        assert_eq!((spelled_out("dir"), spelled_out("directory")), (Some("directory"), None));
    }
}
