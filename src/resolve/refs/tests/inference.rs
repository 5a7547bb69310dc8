//! How the type of a receiver is inferred. `A` and `B` have the methods `a` and `b`.

use super::*;

const TYPES: &str = "
    use std::collections::HashMap;
    #[derive(Clone, Default)] pub struct A { pub b: B, pub list: Vec<B>, pub maybe: Option<B> }
    #[derive(Clone, Default)] pub struct B;
    impl A { pub fn new() -> Self { A::default() } pub fn a(&self) -> &B { &self.b }
        pub fn set(&mut self, b: B) -> &mut Self { self } pub fn done(self) -> Result<B, E> { Ok(self.b) } }
    impl B { pub fn b(&self) -> bool { true } }
    pub struct E;
    pub type Alias<T> = Result<T, E>;
    impl std::str::FromStr for B { type Err = E; fn from_str(s: &str) -> Result<B, E> { Ok(B) } }
    pub struct Pair<T, U = B> { pub t: T, pub u: U }
    impl<T> Pair<T> { pub fn new(t: T) -> Pair<T> { loop {} } pub fn t(&self) -> &T { &self.t } }
    pub struct Walk { n: u8 }
    impl Iterator for Walk { type Item = B; fn next(&mut self) -> Option<B> { None } }
    pub trait Has { type Inner; fn inner(&self) -> Self::Inner; }
    impl Has for A { type Inner = B; fn inner(&self) -> B { B } }
    pub fn same<T>(t: T) -> T { t }
    pub fn first<I: IntoIterator<Item = T>, T>(i: I) -> T { loop {} }
    pub fn with<R>(f: impl FnOnce(&B) -> R) -> R { f(&B) }
    pub fn alias() -> Alias<B> { Ok(B) }
    pub async fn later() -> B { B }
";

/// Each of these statements calls `B::b`.
fn calls_b(statements: &[&str]) {
    for statement in statements {
        let text = format!(
            "{TYPES} async fn f(a: A, b: B, list: Vec<A>, map: HashMap<String, B>, w: Walk) \
             -> Result<(), E> {{ {statement}; Ok(()) }}"
        );
        let lines = Workspace::parse(&text).lines();
        let is_call = |line: &&str| line.starts_with("a::f method_call ") && line.contains("::b [");
        let calls: Vec<&str> = lines.iter().map(String::as_str).filter(is_call).collect();
        assert_eq!(
            calls,
            ["a::f method_call a::B::b [member]"],
            "{statement}:\n{}",
            lines.join("\n")
        );
    }
}

#[test]
fn types_are_inferred_from_declarations() {
    calls_b(&[
        "b.b()",
        "a.b.b()",
        "a.a().b()",
        "let x = B; x.b()",
        "let x: B = outside::f(); x.b()",
        "let A { b: x, .. } = a; x.b()",
        "A::new().b.b()",
        "Pair::new(b).t().b()",
        "let p: Pair<A> = outside::f(); p.u.b()",
        "same(b).b()",
        "same(&a).a().b()",
        "a.inner().b()",
        "(1, b).1.b()",
        "let (x, _) = (b, 1); x.b()",
        "[b][0].b()",
        "(if true { b } else { return Err(E) }).b()",
        "(match 1 { 1 => b, _ => panic!() }).b()",
        "let x; x = b; x.b()",
        "{ let y = b; y }.b()",
    ]);
}

#[test]
fn types_are_inferred_through_wrappers() {
    calls_b(&[
        "a.maybe.unwrap().b()",
        "a.maybe.as_ref().map(|x| x.b())",
        "if let Some(x) = &a.maybe { x.b(); }",
        "let Some(x) = a.maybe else { return Ok(()) }; x.b()",
        "while let Some(x) = w.next() { x.b(); }",
        "a.done()?.b()",
        "a.done().ok().unwrap_or_default().b()",
        "alias()?.b()",
        "later().await.b()",
        "async { b }.await.b()",
        "Box::new(b).b()",
        "std::sync::Arc::new(std::sync::Mutex::new(b)).lock().unwrap().b()",
        "std::mem::take(&mut a.b).b()",
        "std::borrow::Cow::Borrowed(&b).b()",
        "a.list.first().cloned().unwrap().b()",
        "map.get(\"x\").unwrap().b()",
        "map[\"x\"].b()",
        "map.entry(String::new()).or_insert(b).b()",
        "a.list[0].b()",
        "a.list[1..][0].b()",
    ]);
}

#[test]
fn types_are_inferred_through_iterators_and_closures() {
    calls_b(&[
        "for x in &a.list { x.b(); }",
        "for x in w { x.b(); }",
        "for (i, x) in a.list.iter().enumerate() { x.b(); }",
        "for (k, x) in &map { x.b(); }",
        "a.list.iter().filter(|x| x.b())",
        "a.list.into_iter().map(|x| x.b())",
        "list.iter().map(|x| x.a()).any(|x| x.b())",
        "list.iter().flat_map(|x| x.list.iter()).for_each(|x| { x.b(); })",
        "let v: Vec<_> = list.iter().map(|x| x.a()).collect(); v[0].b()",
        "list.iter().map(A::a).next().unwrap().b()",
        "let v = list.into_iter().map(|x| x.done()).collect::<Result<Vec<_>, _>>()?; v[0].b()",
        "w.fold(b, |acc, x| { acc.b(); x })",
        "w.zip(list).map(|(x, y)| x.b())",
        "w.peekable().peek().unwrap().b()",
        "first(vec![b]).b()",
        "with(|x| x.b())",
        "with(|x| x.clone()).b()",
        "let f = |x: &B| x.b(); f(&b)",
        "let f = || b; f().b()",
        "list.iter().max_by_key(|x| x.a().b())",
        "a.list.sort_by(|x, y| x.b().cmp(&y.b()))",
    ]);
}

#[test]
fn types_are_inferred_from_later_code() {
    calls_b(&[
        "let mut v = Vec::new(); v.push(b); v[0].b()",
        "let mut v = Vec::new(); for x in &v { x.b(); } v.push(b)",
        "let mut x = None; if true { x = Some(b); } x.unwrap().b()",
        "let mut m = HashMap::new(); m.insert(1, b); m.get(&1).unwrap().b()",
        "let x: B = Default::default(); x.b()",
        "let x = \"\".parse::<B>()?; x.b()",
        "let x: B = \"\".parse()?; x.b()",
        "let x: B = outside::f().into(); x.b()",
        "let a = A { list: vec![], b: outside::f().into(), maybe: None }; a.b.b()",
    ]);
}

#[test]
fn builders_keep_their_type() {
    check_source(
        "a::f",
        &format!("{TYPES} fn f(b: B) {{ A::new().set(b.clone()).set(b).a().b(); }}"),
        "
        a::f call a::A::new
        a::f method_call a::A::set
        a::f method_call a::A::a
        a::f method_call a::B::b
        a::f method_call extern std::clone::Clone::clone
        a::f type a::B
        a::f path a::A
        ",
    );
}
