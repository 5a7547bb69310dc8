//! Items of a text and where they lie, by syn alone: what the program under test says about
//! places is compared with this.

use std::ops::Range;

use proc_macro2::{Span, TokenStream};
use syn::spanned::Spanned;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Fn,
    Method,
    Struct,
    Enum,
    Union,
    Trait,
    Alias,
    Const,
    Static,
    Mod,
    Impl,
    TraitImpl,
    Use,
    Field,
    Variant,
    AssocConst,
    AssocType,
    Other,
}

#[derive(Debug, Clone)]
pub struct Item {
    pub kind: Kind,
    /// Empty for what has none.
    pub name: String,
    /// Names from the outside in; an impl is its header.
    pub key: String,
    pub range: Range<usize>,
    pub parent: Option<usize>,
    /// From the visibility to before the body, of functions.
    pub signature: Option<Range<usize>>,
    /// The block with its braces; the value of a const.
    pub body: Option<Range<usize>>,
    /// What is between its braces, for what can have children.
    pub inside: Option<Range<usize>>,
    /// Texts of `#[doc]`.
    pub docs: Vec<String>,
    /// Attributes that are no documentation.
    pub attributes: usize,
    /// `_` in traits and impls stands for nothing; a tuple's fields have no names.
    pub addressable: bool,
}

/// What syn finds in a text; none if it is no Rust.
#[derive(Debug, Default)]
pub struct Parsed {
    pub items: Vec<Item>,
    /// `mod name;` with their attributes: other files hang on these.
    pub declared: Vec<String>,
}

impl Parsed {
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        let shebang = rest.strip_prefix("#!").is_some_and(|r| !r.trim_start().starts_with('['));
        if shebang {
            rest = rest.find('\n').map_or("", |at| &rest[at..]);
        }
        let mut walk = Walk { base: text.len() - rest.len(), found: Self::default() };
        {
            let file = syn::parse_file(rest).ok()?;
            for item in &file.items {
                walk.item(item, None);
            }
        }
        proc_macro2::extra::invalidate_current_thread_spans();
        Some(walk.found)
    }

    /// Items with this key.
    pub fn with_key<'a, 'k: 'a>(&'a self, key: &'k str) -> impl Iterator<Item = &'a Item> + 'a {
        self.items.iter().filter(move |item| item.key == key)
    }

    /// The one item with this key.
    pub fn item(&self, key: &str) -> Option<&Item> {
        let mut found = self.items.iter().filter(|item| item.key == key);
        match (found.next(), found.next()) {
            (Some(item), None) => Some(item),
            _ => None,
        }
    }

    /// Items around a range, the innermost first.
    pub fn around(&self, range: &Range<usize>) -> Vec<&Item> {
        let holds = |i: &&Item| {
            i.range.start <= range.start && range.end <= i.range.end && range.start < i.range.end
        };
        let mut found: Vec<&Item> = self.items.iter().filter(holds).collect();
        found.reverse();
        found
    }
}

/// The tokens of a text in one form, whatever stands between them; none if there are none.
pub fn tokens(text: &str) -> Option<String> {
    let stream: TokenStream = text.parse().ok()?;
    let out = stream.to_string().replace("\\r", "").replace('\r', "");
    proc_macro2::extra::invalidate_current_thread_spans();
    Some(out)
}

struct Walk {
    base: usize,
    found: Parsed,
}

impl Walk {
    fn range(&self, span: Span) -> Range<usize> {
        let range = span.byte_range();
        range.start + self.base..range.end + self.base
    }

    fn within(&self, delim: &proc_macro2::extra::DelimSpan) -> Range<usize> {
        self.range(delim.open()).end..self.range(delim.close()).start
    }

    fn add(
        &mut self,
        (kind, name): (Kind, String),
        span: Span,
        attrs: &[syn::Attribute],
        parent: Option<usize>,
    ) -> usize {
        let above = parent.map(|at| self.found.items[at].key.clone()).unwrap_or_default();
        let mut docs = Vec::new();
        let mut attributes = 0;
        for attr in attrs.iter().filter(|a| matches!(a.style, syn::AttrStyle::Outer)) {
            match &attr.meta {
                syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => {
                    let value = &pair.value;
                    docs.push(quote::quote!(#value).to_string());
                }
                _ => attributes += 1,
            }
        }
        let item = Item {
            kind,
            key: format!("{above}/{name}"),
            addressable: !name.is_empty() && name != "_",
            name,
            range: self.range(span),
            parent,
            signature: None,
            body: None,
            inside: None,
            docs,
            attributes,
        };
        self.found.items.push(item);
        self.found.items.len() - 1
    }

    fn signature(&mut self, at: usize, first: Span, signature: &syn::Signature) {
        let last = match &signature.generics.where_clause {
            Some(clause) if !clause.predicates.is_empty() => clause.span(),
            _ => match &signature.output {
                syn::ReturnType::Default => signature.paren_token.span.close(),
                output => output.span(),
            },
        };
        let range = self.range(first).start..self.range(last).end;
        self.found.items[at].signature = Some(range);
    }

    fn item(&mut self, item: &syn::Item, parent: Option<usize>) {
        use syn::Item as I;
        let span = item.span();
        match item {
            I::Fn(f) => {
                let name = (Kind::Fn, f.sig.ident.to_string());
                let at = self.add(name, span, &f.attrs, parent);
                let first = match &f.vis {
                    syn::Visibility::Inherited => f.sig.span(),
                    vis => vis.span(),
                };
                self.signature(at, first, &f.sig);
                self.found.items[at].body = Some(self.range(f.block.span()));
            }
            I::Struct(s) => {
                let at = self.add((Kind::Struct, s.ident.to_string()), span, &s.attrs, parent);
                self.fields(&s.fields, at);
            }
            I::Union(u) => {
                let at = self.add((Kind::Union, u.ident.to_string()), span, &u.attrs, parent);
                self.named(&u.fields, at);
            }
            I::Enum(e) => {
                let at = self.add((Kind::Enum, e.ident.to_string()), span, &e.attrs, parent);
                self.found.items[at].inside = Some(self.within(&e.brace_token.span));
                for variant in &e.variants {
                    let name = (Kind::Variant, variant.ident.to_string());
                    let at = self.add(name, variant.span(), &variant.attrs, Some(at));
                    self.fields(&variant.fields, at);
                }
            }
            I::Trait(t) => {
                let at = self.add((Kind::Trait, t.ident.to_string()), span, &t.attrs, parent);
                self.found.items[at].inside = Some(self.within(&t.brace_token.span));
                for item in &t.items {
                    self.trait_item(item, at);
                }
            }
            I::Impl(i) => self.implementation(i, span, parent),
            I::Mod(m) => {
                let at = self.add((Kind::Mod, m.ident.to_string()), span, &m.attrs, parent);
                match &m.content {
                    Some((brace, items)) => {
                        self.found.items[at].inside = Some(self.within(&brace.span));
                        items.iter().for_each(|item| self.item(item, Some(at)));
                    }
                    None => {
                        let attrs = &m.attrs;
                        let key = &self.found.items[at].key;
                        let text = format!("{key} {}", quote::quote!(#(#attrs)*));
                        self.found.declared.push(text);
                        // The item behind the path is the file's, not the declaration.
                        self.found.items[at].addressable = false;
                    }
                }
            }
            I::Type(t) => {
                self.add((Kind::Alias, t.ident.to_string()), span, &t.attrs, parent);
            }
            I::Const(c) => {
                let at = self.add((Kind::Const, c.ident.to_string()), span, &c.attrs, parent);
                self.found.items[at].body = Some(self.range(c.expr.span()));
            }
            I::Static(s) => {
                let at = self.add((Kind::Static, s.ident.to_string()), span, &s.attrs, parent);
                self.found.items[at].body = Some(self.range(s.expr.span()));
            }
            I::Use(u) => {
                self.add((Kind::Use, String::new()), span, &u.attrs, parent);
            }
            I::Macro(m) => {
                let name = m.ident.as_ref().map(ToString::to_string).unwrap_or_default();
                let at = self.add((Kind::Other, name), span, &m.attrs, parent);
                self.found.items[at].addressable = false;
            }
            _ => {
                self.add((Kind::Other, String::new()), span, &[], parent);
            }
        }
    }

    fn implementation(&mut self, i: &syn::ItemImpl, span: Span, parent: Option<usize>) {
        let (ty, generics) = (&i.self_ty, &i.generics);
        let (kind, of) = match &i.trait_ {
            Some((path, _)) => (Kind::TraitImpl, quote::quote!(#path for).to_string()),
            None => (Kind::Impl, String::new()),
        };
        let name = format!("impl {} {of} {}", quote::quote!(#generics), quote::quote!(#ty));
        let at = self.add((kind, name), span, &i.attrs, parent);
        self.found.items[at].inside = Some(self.within(&i.brace_token.span));
        for item in &i.items {
            match item {
                syn::ImplItem::Fn(f) => {
                    let name = (Kind::Method, f.sig.ident.to_string());
                    let at = self.add(name, f.span(), &f.attrs, Some(at));
                    let first = match &f.vis {
                        syn::Visibility::Inherited => f.sig.span(),
                        vis => vis.span(),
                    };
                    self.signature(at, first, &f.sig);
                    self.found.items[at].body = Some(self.range(f.block.span()));
                }
                syn::ImplItem::Const(c) => {
                    let name = (Kind::AssocConst, c.ident.to_string());
                    let at = self.add(name, c.span(), &c.attrs, Some(at));
                    self.found.items[at].body = Some(self.range(c.expr.span()));
                }
                syn::ImplItem::Type(t) => {
                    self.add((Kind::AssocType, t.ident.to_string()), t.span(), &t.attrs, Some(at));
                }
                other => {
                    self.add((Kind::Other, String::new()), other.span(), &[], Some(at));
                }
            }
        }
    }

    fn trait_item(&mut self, item: &syn::TraitItem, at: usize) {
        match item {
            syn::TraitItem::Fn(f) => {
                let name = (Kind::Method, f.sig.ident.to_string());
                let at = self.add(name, f.span(), &f.attrs, Some(at));
                self.signature(at, f.sig.span(), &f.sig);
                let body = f.default.as_ref().map(|block| self.range(block.span()));
                self.found.items[at].body = body;
            }
            syn::TraitItem::Const(c) => {
                self.add((Kind::AssocConst, c.ident.to_string()), c.span(), &c.attrs, Some(at));
            }
            syn::TraitItem::Type(t) => {
                self.add((Kind::AssocType, t.ident.to_string()), t.span(), &t.attrs, Some(at));
            }
            other => {
                self.add((Kind::Other, String::new()), other.span(), &[], Some(at));
            }
        }
    }

    fn fields(&mut self, fields: &syn::Fields, at: usize) {
        match fields {
            syn::Fields::Named(named) => self.named(named, at),
            syn::Fields::Unnamed(unnamed) => {
                for (number, field) in unnamed.unnamed.iter().enumerate() {
                    let name = (Kind::Field, number.to_string());
                    let at = self.add(name, field.span(), &field.attrs, Some(at));
                    self.found.items[at].addressable = false;
                }
            }
            syn::Fields::Unit => {}
        }
    }

    fn named(&mut self, named: &syn::FieldsNamed, at: usize) {
        self.found.items[at].inside = Some(self.within(&named.brace_token.span));
        for field in &named.named {
            let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
            self.add((Kind::Field, name), field.span(), &field.attrs, Some(at));
        }
    }
}
