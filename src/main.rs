use asof::engine::*;
use asof::index::*;
use std::path::Path;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let t = std::time::Instant::now();
    let db = Database::create_or_open(Path::new(&a[2])).unwrap();
    match a[1].as_str() {
        "index" => {
            let r = db.refresh(&Options { rebuild: a.len() > 3, ..Default::default() }, &Silent);
            match r { Ok(r) => eprintln!("{} {:?}", t.elapsed().as_secs_f64(), (r.rows, r.phases, r.items, r.issues, r.parsed, r.changed)), Err(e) => eprintln!("ERR {e} {e:?}") }
        }
        "defs" => { let s = db.snapshot(&When::Now, true).unwrap(); s.export(ExportKind::Defs, &mut |j| { println!("{j}"); Ok(()) }).unwrap(); eprintln!("{:?}", t.elapsed()); }
        "resolve" => { let s = db.snapshot(&When::Now, true).unwrap(); eprintln!("snap {:?}", t.elapsed());
            for p in std::fs::read_to_string(&a[3]).unwrap().lines() {
                let r = s.resolve(&ResolveRequest::new(p));
                match r { Ok(r) => for i in r.items() { println!("{}", serde_json::json!({"path": p, "file": i.file_path, "line": i.line, "kind": i.kind})); }, Err(e) => eprintln!("{p}: {e}") }
            } eprintln!("{:?}", t.elapsed()); }
        "show" => { let s = db.snapshot(&When::Now, true).unwrap(); let r = s.resolve(&ResolveRequest::new(&a[3])).unwrap(); eprintln!("{} {:?}", r.query, r.suggestions); for x in s.show(r.items()).unwrap().items { println!("{}", x.text); } eprintln!("{:?}", t.elapsed()); }
        _ => {}
    }
}
