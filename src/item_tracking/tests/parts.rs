//! Which item a part comes from, or goes to.

use super::step;

#[test]
fn parts_are_split_off_and_merged_in() {
    let whole = "pub fn serve(port: u16) {
    let listener = TcpListener::bind((\"localhost\", port));
    let pool = ThreadPool::with_workers(4);
    let counter = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    for stream in listener.incoming() { pool.submit(stream); }
    metrics.record(\"uptime\", started.elapsed());
    metrics.record(\"requests\", counter.load(Relaxed));
    metrics.flush_to(stderr());
}
";
    let parts = "pub fn serve(port: u16) {
    let listener = TcpListener::bind((\"localhost\", port));
    let pool = ThreadPool::with_workers(4);
    let counter = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    for stream in listener.incoming() { pool.submit(stream); }
    publish(started, counter);
}
fn publish(started: Instant, counter: Arc<AtomicUsize>) {
    metrics.record(\"uptime\", started.elapsed());
    metrics.record(\"requests\", counter.load(Relaxed));
    metrics.flush_to(stderr());
}
";
    let split = step(&[("a.rs", whole)], &[("a.rs", parts)]);
    assert_eq!(split, "c::a::serve => c::a::publish\nc::a::serve: body");
    let merged = step(&[("a.rs", parts)], &[("a.rs", whole)]);
    assert_eq!(merged, "c::a::publish => c::a::serve\nc::a::serve: body");
}

/// The bug: of two functions that lost the same lines, the one that lost others as well was taken for
/// the origin, although the other's body was all of the new one.
#[test]
fn a_whole_body_comes_from_the_function_that_gave_it_away() {
    const FLUSH: &str = "    let started = Instant::now();
    metrics.record(\"uptime\", started.elapsed());
    metrics.record(\"requests\", counter.load(Relaxed));
    metrics.flush_to(stderr());
";
    const REST: &str = "    let listener = TcpListener::bind((\"localhost\", port));
    let pool = ThreadPool::with_workers(4);
    for stream in listener.incoming() { pool.submit(stream); }
";
    let function = |name: &str, body: &str| format!("pub fn {name}(port: u16) {{\n{body}}}\n");
    let old = function("finish", &format!("{FLUSH}    exit(0);\n"))
        + &function("serve", &(REST.to_owned() + FLUSH));
    let new = function("finish", "    done(port);\n")
        + &function("serve", "    todo(port);\n")
        + &function("report", FLUSH);
    let found = step(&[("a.rs", &old)], &[("a.rs", &new)]);
    assert!(found.starts_with("c::a::finish => c::a::report\n"), "{found}");
    // The one that calls it gave it away, however much another lost.
    let called = new.replace("todo(port);", "report(port);");
    let found = step(&[("a.rs", &old)], &[("a.rs", &called)]);
    assert!(found.contains("c::a::serve => c::a::report\n"), "{found}");
}
