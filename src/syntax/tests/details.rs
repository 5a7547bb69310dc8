//! Headers, generic parameters, parameters, attributes.

use super::*;
use asof_model::{PathRef, UseLeaf};

fn header(text: &str) -> Header {
    let facts = facts(text);
    assert_eq!(facts.issues, []);
    facts.items[1].header.clone()
}

fn leaves(tree: &str) -> Vec<String> {
    let Header::Import { leaves } = header(&format!("use {tree};")) else { panic!("no import") };
    let show = |leaf: &UseLeaf| {
        let name = if leaf.glob { "*" } else { &leaf.name };
        format!("{} as {name}", leaf.path.join("::"))
    };
    leaves.iter().map(show).collect()
}

#[test]
fn use_trees_are_flattened() {
    assert_eq!(leaves("a::b"), ["a::b as b"]);
    assert_eq!(leaves("::a::b as _"), ["::a::b as _"]);
    assert_eq!(leaves("crate::*"), ["crate as *"]);
    assert_eq!(leaves("self::r#type"), ["self::type as type"]);
    assert_eq!(
        leaves("a::{self, b::{c as d, self as e, super::f}, *, g::{}}"),
        ["a as a", "a::b::c as d", "a::b as e", "a::b::super::f as f", "a as *"]
    );
    assert_eq!(leaves("{a, ::b, self as c}"), ["a as a", "::b as b", "self as c"]);
    assert_eq!(leaves("::{a, b}"), ["::a as a", "::b as b"]);
    assert_eq!(leaves("*"), [" as *"]);
}

fn path_ref(text: &str, path: &[&str], args: &str) -> PathRef {
    let path = path.iter().map(|&segment| segment.to_owned()).collect();
    PathRef { text: text.to_owned(), path, args: args.to_owned() }
}

#[test]
fn impl_headers_name_type_and_trait() {
    let found = |text: &str| match header(text) {
        Header::Impl { self_type, of_trait, negative } => (self_type, of_trait, negative),
        other => panic!("{other:?}"),
    };
    assert_eq!(found("impl A {}"), (path_ref("A", &["A"], ""), None, false));
    assert_eq!(
        found("impl<T: X<Y>> ::a::Tr < T > for b :: r#B<'static, T> where T: Q {}"),
        (
            path_ref("b::r#B<'static, T>", &["b", "B"], "<'static, T>"),
            Some(path_ref("::a::Tr<T>", &["", "a", "Tr"], "<T>")),
            false
        )
    );
    assert_eq!(
        found("unsafe impl<T> !Send for ((crate::C)) {}"),
        (path_ref("crate::C", &["crate", "C"], ""), Some(path_ref("Send", &["Send"], "")), true)
    );
    for other in
        ["&'a mut A", "(A, B)", "(A,)", "[u8; 3]", "dyn A + Send", "fn(A) -> B", "*const A"]
    {
        let (self_type, of_trait, _) = found(&format!("impl Tr<X> for {other} {{}}"));
        assert_eq!(self_type, path_ref(other, &[], ""));
        assert_eq!(of_trait, Some(path_ref("Tr<X>", &["Tr"], "<X>")));
    }
    let (qualified, ..) = found("impl<T> Tr for <T as A>::B {}");
    assert_eq!(qualified, path_ref("<T as A>::B", &[], ""));
    let (own, of_trait, _) = found("impl dyn for<'a> Fn(&'a u8) {}");
    assert_eq!((own.text.as_str(), of_trait), ("dyn for<'a> Fn(&'a u8)", None));
}

#[test]
fn modules_crates_and_macros() {
    assert_eq!(
        header(
            "#[path = \"b/x.rs\"] #[cfg_attr(unix, allow(a), path = \"u.rs\")] #[macro_use] mod a;"
        ),
        Header::Module {
            inline: false,
            path: Some("b/x.rs".to_owned()),
            cfg_path: vec![("unix".to_owned(), "u.rs".to_owned())],
            macro_use: true
        }
    );
    let inline =
        Header::Module { inline: true, path: None, cfg_path: Vec::new(), macro_use: false };
    assert_eq!(header("mod a {}"), inline);
    let of = Some("a".to_owned());
    assert_eq!(header("extern crate a as b;"), Header::ExternCrate { of, macro_use: false });
    assert_eq!(
        header("#[macro_use] extern crate a;"),
        Header::ExternCrate { of: None, macro_use: true }
    );
    assert_eq!(header("macro_rules! a { () => {} }"), Header::Macro { exported: false });
    assert_eq!(
        header("#[macro_export] macro_rules! a { () => {} }"),
        Header::Macro { exported: true }
    );
    assert_eq!(header("a::b!(fn x() {});"), Header::MacroCall { items: true });
    for closed in ["a! {}", "a! { b!(); }", "a! { x + y }", "a! { fn }", "a!(1, 2);"] {
        assert_eq!(header(closed), Header::MacroCall { items: false }, "{closed}");
    }
}

#[test]
fn generic_parameters_and_parameters() {
    let text = "\n/// docs\nfn f<'a: 'b, #[x] T: A<B, C> + ?Sized, const N: usize>(\n    &'a mut self,\n    #[y] (a, B::<u8> { c, .. }): (u8, B<u8>),\n    mut d: impl Fn(u8, u8) -> bool,\n) {}";
    let text = format!("impl X {{{text}\n}}");
    let facts = facts(&text);
    let item = named(&facts, "f");
    let generics: Vec<_> =
        item.generics.iter().map(|g| (g.kind, g.name.as_str(), g.bounds.as_str())).collect();
    assert_eq!(
        generics,
        [("lifetime", "'a", "'b"), ("type", "T", "A<B, C> + ?Sized"), ("const", "N", "usize")]
    );
    let params: Vec<_> =
        item.params.iter().map(|p| (p.name.as_str(), p.ty.as_str(), p.span.start_line)).collect();
    assert_eq!(
        params,
        [
            ("self", "&'a mut Self", 2),
            ("(a, B::<u8> { c, .. })", "(u8, B<u8>)", 3),
            ("mut d", "impl Fn(u8, u8) -> bool", 4)
        ]
    );
    let whole = &text[item.span.start_byte as usize..item.span.end_byte as usize];
    let part = |span: Span| &whole[span.start_byte as usize..span.end_byte as usize];
    assert_eq!(part(item.generics[1].span), "#[x] T: A<B, C> + ?Sized");
    assert_eq!(part(item.params[0].span), "&'a mut self");
    let receivers =
        ["self", "mut self", "&self", "&mut self", "self: Box<Self>", "mut self: &Self"].map(
            |receiver| {
                let facts = super::facts(&format!("impl X {{ fn f({receiver}) {{}} }}"));
                named(&facts, "f").params[0].ty.clone()
            },
        );
    assert_eq!(receivers, ["Self", "Self", "&Self", "&mut Self", "Box<Self>", "&Self"]);
}

#[test]
fn documentation_in_every_form() {
    let docs = |text: &str| facts(text).items[1].docs.clone();
    assert_eq!(docs("/// a\n///\n///   b\n//// no\nfn f() {}"), "a\n\n  b");
    assert_eq!(docs("#[doc = \" a\\n b\"]\n#[doc=r#\"c\"#]\nfn f() {}"), "a\nb\nc");
    assert_eq!(docs("/** a */ /** b\n  * c\n  *   d\n  */\nfn f() {}"), "a\nb\nc\n  d");
    assert_eq!(docs("/**\n  a\n    b\n*/\nfn f() {}"), "a\n  b");
    assert_eq!(docs("/// out\nmod m {\n    //! in\n}"), "out\nin");
    assert_eq!(docs("/*** no */ /**/ fn f() {}"), "");
    let hidden = facts("#[doc(hidden)] #[doc = include_str!(\"x\")] fn f() {}");
    assert_eq!(texts(&hidden.items[1]), "#[doc(hidden)] #[doc = include_str!(\"x\")]");
}

#[test]
fn attributes_have_places_in_their_item() {
    let text = "mod m {\n  /// d\n  #[derive( A,\n B, )]\n  #[cfg(any(a, b))]\n  struct S;\n}";
    let facts = facts(text);
    let item = named(&facts, "S");
    assert_eq!(item.cfg, "any(a, b)");
    assert_eq!(texts(item), "#[derive(A, B)]");
    let span = item.attrs[0].span;
    assert_eq!((span.start_line, span.end_line), (1, 2));
    let start = item.span.start_byte;
    let part = &text[(start + span.start_byte) as usize..(start + span.end_byte) as usize];
    assert_eq!(part, "#[derive( A,\n B, )]");
}
