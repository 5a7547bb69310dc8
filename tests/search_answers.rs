//! Searches through the library: kept answers are never stale, vectors follow a save, and models
//! are never mixed. Through the binary: what is said of a model that cannot be used.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use asof::{Database, EmbedOptions, EngineError, IndexOptions, Refresh, Silent, Snapshot, When};
use asof_search::dense::{DenseError, Embedder};
use asof_wire::{SearchAnswer, SearchBy, SearchRequest};
use tempfile::TempDir;

use crate::support::cli;
use crate::support::tempdir;

const LIB: &str = "\
/// Waits longer each time.
pub fn backoff() -> u32 { 1 }

pub fn tokens(text: &str) -> usize { text.len() }

pub struct Grammar { rules: Vec<u8> }
";

/// Knows which words are about the same: a number for each group.
struct Topics {
    hash: &'static str,
    dimension: usize,
    embedded: Arc<AtomicUsize>,
}

const TOPICS: [&[&str]; 3] =
    [&["backoff", "retry", "again"], &["tokens", "lexer", "scanner"], &["grammar", "syntax"]];

impl Topics {
    fn new(hash: &'static str, dimension: usize) -> Self {
        Self { hash, dimension, embedded: Arc::default() }
    }
}

impl Embedder for Topics {
    fn name(&self) -> &str {
        "topics"
    }

    fn hash(&self) -> &str {
        self.hash
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vec<f32>>, DenseError> {
        self.embedded.fetch_add(texts.len(), Ordering::Relaxed);
        let vector = |text: &&str| {
            let about = |words: &&[&str]| words.iter().filter(|word| text.contains(**word)).count();
            let mut vector: Vec<f32> =
                TOPICS.iter().map(|words| about(words) as f32 + 0.01).collect();
            vector.resize(self.dimension, 0.01);
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn workspace() -> (TempDir, Database) {
    let dir = tempdir();
    fs::create_dir(dir.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"demo\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(dir.path().join("Cargo.toml"), manifest).unwrap();
    fs::write(dir.path().join("src/lib.rs"), LIB).unwrap();
    let database = Database::create_or_open(dir.path()).unwrap();
    database.refresh(&IndexOptions::default(), &Silent).unwrap();
    (dir, database)
}

fn now(database: &Database) -> Snapshot<'_> {
    database.snapshot(&When::Now, Refresh::First).unwrap()
}

fn request(query: &str) -> SearchRequest {
    SearchRequest { query: query.to_owned(), limit: Some(10), ..SearchRequest::default() }
}

fn names(answer: &SearchAnswer) -> Vec<&str> {
    answer.results.iter().map(|hit| hit.function_name.as_str()).collect()
}

fn search(database: &Database, query: &str) -> SearchAnswer {
    now(database).search(&request(query)).unwrap()
}

fn by_meaning(database: &Database, query: &str) -> Result<SearchAnswer, EngineError> {
    now(database).search(&SearchRequest { by: SearchBy::Meaning, ..request(query) })
}

fn embed(database: &Database) -> usize {
    database.embed(&EmbedOptions::default(), &Silent).unwrap().embedded
}

#[test]
fn a_kept_answer_is_given_until_something_changes() {
    let (dir, database) = workspace();
    let first = search(&database, "rules of the grammar");
    assert!(!first.cached);
    let again = search(&database, "rules of the grammar");
    assert!(again.cached);
    assert_eq!((&again.results, again.total), (&first.results, first.total));
    for other in [
        SearchRequest { limit: Some(9), ..request("rules of the grammar") },
        SearchRequest { explain: true, ..request("rules of the grammar") },
        SearchRequest { half_typed: true, ..request("rules of the grammar") },
        SearchRequest { path: Some("src".to_owned()), ..request("rules of the grammar") },
    ] {
        assert!(!now(&database).search(&other).unwrap().cached, "{other:?}");
    }
    let files = |database: &Database| now(database).search_files(&request("grammar")).unwrap();
    assert_eq!((files(&database).cached, files(&database).cached), (false, true));

    fs::write(dir.path().join("src/lib.rs"), LIB.replace("Grammar", "GrammarTable")).unwrap();
    // Without a refresh the revision is the same, and the answer says that files differ from it.
    let stale = database.snapshot(&When::Now, Refresh::Skip).unwrap();
    let stale = stale.search(&request("rules of the grammar")).unwrap();
    assert!(stale.cached && stale.basis.stale_files == ["src/lib.rs"], "{:?}", stale.basis);
    let new = search(&database, "rules of the grammar");
    assert!(!new.cached);
    assert_eq!(names(&new).first(), Some(&"GrammarTable"));
    // The earlier revision still has its own answer.
    let old = database.snapshot(&When::At(stale_at(&first)), Refresh::Skip).unwrap();
    assert_eq!(names(&old.search(&request("rules of the grammar")).unwrap())[0], "Grammar");
}

#[test]
fn the_last_word_may_be_half_typed() {
    let (_dir, database) = workspace();
    let found = |query: &str, half_typed: bool| {
        let request = SearchRequest { half_typed, ..request(query) };
        let answer = now(&database).search(&request).unwrap();
        names(&answer).first().map(|name| (*name).to_owned())
    };
    assert_eq!(found("waits for the gramm", false).as_deref(), Some("backoff"));
    assert_eq!(found("rules of the gramm", true).as_deref(), Some("Grammar"));
    assert_eq!(found("where are gramm", true).as_deref(), Some("Grammar"));
    assert_eq!(found("where are gramm", false), None);
    // A blank ends the word, and one letter may become anything.
    assert_eq!(found("where are gramm ", true), None);
    assert_eq!(found("where are g", true), None);
}

fn stale_at(answer: &SearchAnswer) -> asof_model::Micros {
    match When::parse(answer.basis.at.as_ref().unwrap()).unwrap() {
        When::At(at) => at,
        other => panic!("{other:?}"),
    }
}

#[test]
fn vectors_find_what_words_do_not() {
    let (_dir, database) = workspace();
    database.use_embedder(Box::new(Topics::new("a", 3)));
    let question = "try again later";
    let words = SearchRequest { by: SearchBy::Words, ..request(question) };
    let before = now(&database).search(&words).unwrap();
    assert!(!names(&before).contains(&"backoff") && before.model.is_none());
    // Without a model, meaning is that of words.
    let built_in = search(&database, question);
    assert_eq!(built_in.model.as_deref(), Some("word vectors"));
    assert_eq!(by_meaning(&database, question).unwrap().model, built_in.model);

    let report = database.embed(&EmbedOptions::default(), &Silent).unwrap();
    assert_eq!((report.items, report.embedded, report.dimension), (3, 3, 3));
    let found = search(&database, question);
    assert_eq!(names(&found).first(), Some(&"backoff"));
    assert!(!found.cached && found.model.as_deref() == Some("topics") && found.notes.is_empty());
    assert_eq!(names(&by_meaning(&database, question).unwrap())[0], "backoff");
    let words = now(&database).search(&words).unwrap();
    assert!(words.model.is_none() && names(&words) == names(&before));
    // A name is looked up, not compared.
    assert!(search(&database, "Grammar").model.is_none());
    let files = now(&database).search_files(&request("try again later")).unwrap();
    assert_eq!(
        (files.results[0].file_path.as_str(), files.model.as_deref()),
        ("src/lib.rs", Some("topics"))
    );
}

#[test]
fn vectors_follow_a_save() {
    let (dir, database) = workspace();
    database.use_embedder(Box::new(Topics::new("a", 3)));
    assert_eq!((embed(&database), embed(&database)), (3, 0));
    let first = now(&database).basis().revision.unwrap();
    // Lines move, one item changes, one is new.
    let text = LIB.replace("{ 1 }", "{ 2 }") + "\npub fn scanner() {}\n";
    fs::write(dir.path().join("src/lib.rs"), format!("\n\n{text}")).unwrap();
    let found = search(&database, "what is the lexer like");
    assert_eq!(names(&found).first(), Some(&"tokens"));
    assert_eq!(found.notes, ["2 of 4 items have no vector yet, and are searched by words only"]);
    let past = database.snapshot(&When::Revision(first), Refresh::Skip).unwrap();
    let found = past.search(&request("what is the lexer like")).unwrap();
    assert_eq!(found.model.as_deref(), Some("word vectors"));
    assert_eq!(found.notes, ["the past has no vectors of topics"]);
    let meaning = SearchRequest { by: SearchBy::Meaning, ..request("what is the lexer like") };
    assert_eq!(past.search(&meaning).unwrap().notes, found.notes);
    assert_eq!(embed(&database), 2);
    let found = search(&database, "what is the lexer like");
    assert!(!found.cached && found.notes.is_empty(), "{:?}", found.notes);
    assert!(names(&found)[..2].contains(&"scanner"), "{:?}", names(&found));
    fs::remove_file(dir.path().join("src/lib.rs")).unwrap();
    fs::write(dir.path().join("src/main.rs"), "fn main() {}").unwrap();
    assert_eq!(embed(&database), 1);
    assert_eq!(names(&search(&database, "what is the lexer like")), ["main"]);
}

#[test]
fn vectors_of_two_models_are_never_compared() {
    let (_dir, database) = workspace();
    database.use_embedder(Box::new(Topics::new("a", 3)));
    embed(&database);
    database.use_embedder(Box::new(Topics::new("b", 3)));
    let found = search(&database, "try again later");
    assert!(
        found.model.as_deref() == Some("word vectors")
            && found.notes[0].contains("the vectors are of the model topics")
    );
    database.use_embedder(Box::new(Topics::new("b", 3)));
    let error = by_meaning(&database, "try again later").unwrap_err();
    assert!(matches!(error, EngineError::Dense(DenseError::OtherModel { .. })), "{error}");
    database.use_embedder(Box::new(Topics::new("a", 5)));
    let error = by_meaning(&database, "try again later").unwrap_err();
    let expected = DenseError::Dimension { expected: 3, found: 5 };
    assert!(matches!(error, EngineError::Dense(error) if error == expected));
    // Another model embeds everything anew, if it is asked for.
    database.use_embedder(Box::new(Topics::new("b", 4)));
    assert!(database.embed(&EmbedOptions::default(), &Silent).is_err());
    let options = EmbedOptions { model: Some("b".into()), ..EmbedOptions::default() };
    assert_eq!(database.embed(&options, &Silent).unwrap().embedded, 3);
    assert_eq!(embed(&database), 0);
    assert_eq!(names(&search(&database, "try again later"))[0], "backoff");
}

#[test]
fn a_stopped_run_leaves_what_was_there() {
    let (_dir, database) = workspace();
    database.use_embedder(Box::new(Topics::new("a", 3)));
    let options = EmbedOptions::default();
    options.stop.store(true, Ordering::Relaxed);
    assert!(database.embed(&options, &Silent).is_err());
    let found = search(&database, "try again later");
    assert_eq!(found.notes, ["3 of 3 items have no vector yet, and are searched by words only"]);
    assert_eq!(embed(&database), 3);
}

/// The folder of `scripts/fetch-model`, if the tests can run a model.
fn model() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/model/all-MiniLM-L6-v2");
    let is_there = folder.join("model.onnx").exists();
    if !is_there || !cfg!(feature = "dense") {
        eprintln!(
            "NOT TESTED: the model did not run; `scripts/fetch-model`, then \
             `cargo test --features dense --test suite search_answers::`"
        );
    }
    (is_there && cfg!(feature = "dense")).then_some(folder)
}

/// Runs the program with this model folder as the default; gives exit code and standard error.
fn run(dir: &Path, args: &[&str], folder: &Path, runtime: Option<&str>) -> (i32, String, String) {
    let mut command = cli::command(dir, args);
    command.env("ASOF_MODEL", folder).env_remove("ORT_DYLIB_PATH");
    if let Some(runtime) = runtime {
        command.env("ORT_DYLIB_PATH", runtime);
    }
    let output = command.output().unwrap();
    (cli::code(&output), cli::out(&output), cli::err(&output))
}

#[track_caller]
fn refused(dir: &Path, args: &[&str], folder: &Path, runtime: Option<&str>, expected: (i32, &str)) {
    let (code, _, error) = run(dir, args, folder, runtime);
    assert!(code == expected.0 && error.contains(expected.1), "{args:?}: {code} {error}");
    assert!(error.contains("hint: "), "{error}");
}

#[test]
fn what_a_model_lacks_is_said() {
    let (dir, database) = workspace();
    drop(database);
    let dir = dir.path();
    let folder = tempdir();
    let folder = folder.path();
    if !cfg!(feature = "dense") {
        refused(dir, &["embed"], folder, None, (2, "built without the feature `dense`"));
        return;
    }
    refused(dir, &["embed"], &folder.join("none"), None, (5, "no embedding model in"));
    // No hub answers at this address, and nothing is left behind.
    let mut fetch = cli::command(dir, &["embed", "--download"]);
    fetch.env("ASOF_MODEL", folder.join("fetched")).env("HF_ENDPOINT", "http://127.0.0.1:9");
    let output = fetch.output().unwrap();
    let error = cli::err(&output);
    assert!(cli::code(&output) == 5 && error.contains("cannot be fetched from"), "{error}");
    assert!(error.contains("`asof embed --model DIR`"), "{error}");
    assert_eq!(fs::read_dir(folder.join("fetched")).unwrap().count(), 0);
    refused(dir, &["embed"], folder, None, (5, "model.onnx"));
    fs::write(folder.join("model.onnx"), "not a model").unwrap();
    refused(dir, &["embed"], folder, None, (5, "tokenizer.json"));
    fs::write(folder.join("tokenizer.json"), "{}").unwrap();
    let nowhere = Some("/nowhere/libonnxruntime.so");
    refused(dir, &["embed"], folder, nowhere, (5, "ONNX Runtime cannot be loaded from /nowhere"));
    fs::write(folder.join("libonnxruntime.so"), "not a library").unwrap();
    refused(dir, &["embed"], folder, None, (5, "ONNX Runtime cannot be loaded"));
}

#[test]
fn a_real_model_answers_questions() {
    let Some(model) = model() else { return };
    let (dir, database) = workspace();
    drop(database);
    let dir = dir.path();
    let (code, out, error) = run(dir, &["embed"], &model, None);
    assert!(
        code == 0 && out.contains("3 of 3 items embedded with all-MiniLM-L6-v2"),
        "{out}{error}"
    );
    let question = ["search", "delay before trying a request once more", "--format", "json"];
    let (_, out, error) = run(dir, &question, &model, None);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["results"][0]["function_name"], "backoff", "{found} {error}");
    assert_eq!(found["model"], "all-MiniLM-L6-v2");
    // A damaged model: searches say so and go on, embedding fails.
    let broken = tempdir();
    for file in ["tokenizer.json", "libonnxruntime.so"] {
        std::os::unix::fs::symlink(model.join(file), broken.path().join(file)).unwrap();
    }
    fs::write(broken.path().join("model.onnx"), "not a model").unwrap();
    refused(dir, &["embed"], broken.path(), None, (5, "cannot be loaded"));
    let (code, out, _) = run(dir, &question, broken.path(), None);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && found["model"].is_null(), "{found}");
    assert!(found["notes"][0].as_str().unwrap().contains("cannot be loaded"), "{found}");
    let (code, out, _) = run(dir, &question, Path::new("/nowhere"), None);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(code == 0 && found["notes"][0].as_str().unwrap().contains("no embedding model"));
}
