//! Type, const and lifetime parameters of one item.

use syn::visit::{self, Visit};

/// Whether an item has a parameter of this name; lifetimes with their mark.
pub fn has_generic(text: &str, name: &str) -> bool {
    parsed(text, |item| {
        let mut seeker = Declared { name, found: false };
        seeker.visit_item(item);
        seeker.found
    })
    .unwrap_or_default()
}

/// First bytes of the places that name a parameter of an item. Items within it are left out: they do
/// not see it.
pub fn generic_names(text: &str, name: &str) -> Vec<u32> {
    parsed(text, |item| {
        let mut places = Places { name, found: Vec::new(), depth: 0 };
        places.visit_item(item);
        places.found.sort_unstable();
        places.found.dedup();
        places.found
    })
    .unwrap_or_default()
}

/// An item of a module, an impl or a trait, as one of a module; positions are those of the text.
fn parsed<T: Send>(text: &str, with: impl FnOnce(&syn::Item) -> T + Send) -> Option<T> {
    asof_syntax::with_large_stack(|| {
        if let Ok(item) = syn::parse_str::<syn::Item>(text)
            && !matches!(item, syn::Item::Verbatim(_))
        {
            return Some(with(&item));
        }
        // Methods have a receiver.
        if let Ok(method) = syn::parse_str::<syn::ImplItemFn>(text) {
            let item = syn::ItemFn {
                attrs: method.attrs,
                vis: method.vis,
                sig: method.sig,
                block: Box::new(method.block),
                ..syn::parse_str("fn f() {}").ok()?
            };
            return Some(with(&syn::Item::Fn(item)));
        }
        None
    })?
}

struct Declared<'a> {
    name: &'a str,
    found: bool,
}

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        for param in &generics.params {
            self.found |= match param {
                syn::GenericParam::Type(ty) => ty.ident == self.name,
                syn::GenericParam::Const(one) => one.ident == self.name,
                syn::GenericParam::Lifetime(one) => one.lifetime.to_string() == self.name,
            };
        }
    }

    fn visit_block(&mut self, _: &'ast syn::Block) {}
    fn visit_impl_item(&mut self, _: &'ast syn::ImplItem) {}
    fn visit_trait_item(&mut self, _: &'ast syn::TraitItem) {}
}

struct Places<'a> {
    name: &'a str,
    found: Vec<u32>,
    depth: u32,
}

impl Places<'_> {
    fn ident(&mut self, ident: &syn::Ident) {
        if ident == self.name {
            self.found.push(ident.span().byte_range().start as u32);
        }
    }

    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        let mut before = None;
        for token in tokens {
            match &token {
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Ident(ident)
                    if !matches!(before, Some('.' | ':' | '\'')) =>
                {
                    self.ident(ident);
                }
                proc_macro2::TokenTree::Ident(ident)
                    if before == Some('\'') && format!("'{ident}") == self.name =>
                {
                    let start = ident.span().byte_range().start as u32;
                    self.found.push(start.saturating_sub(1));
                }
                _ => {}
            }
            before = match token {
                proc_macro2::TokenTree::Punct(mark) => Some(mark.as_char()),
                _ => None,
            };
        }
    }
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.depth == 0 {
            self.depth += 1;
            visit::visit_item(self, item);
        }
    }

    fn visit_generic_param(&mut self, param: &'ast syn::GenericParam) {
        match param {
            syn::GenericParam::Type(ty) => self.ident(&ty.ident),
            syn::GenericParam::Const(one) => self.ident(&one.ident),
            syn::GenericParam::Lifetime(_) => {}
        }
        visit::visit_generic_param(self, param);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        if lifetime.to_string() == self.name {
            self.found.push(lifetime.apostrophe.byte_range().start as u32);
        }
    }

    fn visit_captured_param(&mut self, param: &'ast syn::CapturedParam) {
        if let syn::CapturedParam::Ident(ident) = param {
            self.ident(ident);
        }
        visit::visit_captured_param(self, param);
    }

    // Labels of loops are no lifetimes.
    fn visit_label(&mut self, _: &'ast syn::Label) {}
    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        leave.expr.iter().for_each(|value| self.visit_expr(value));
    }
    fn visit_expr_continue(&mut self, _: &'ast syn::ExprContinue) {}

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let (None, Some(first)) = (&path.leading_colon, path.segments.first()) {
            self.ident(&first.ident);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, name: &str, expected: &str) {
        let mut out = text.to_owned();
        for at in generic_names(text, name).into_iter().rev() {
            out.insert(at as usize, '^');
        }
        assert_eq!(out, expected);
        assert!(has_generic(text, name));
    }

    #[test]
    fn parameters_are_found_in_their_item_only() {
        check(
            "fn f<T: A>(x: &T, y: m::T) -> Vec<T> where T: B { fn g<T>(_: T) {} T::new(x.T) }",
            "T",
            "fn f<^T: A>(x: &^T, y: m::T) -> Vec<^T> where ^T: B { fn g<T>(_: T) {} ^T::new(x.T) }",
        );
        check(
            "struct S<'a, T>(&'a T) where T: 'a;",
            "'a",
            "struct S<^'a, T>(&^'a T) where T: ^'a;",
        );
        check(
            "pub fn f<'a>(&'a self) -> &'a u8 { 'a: loop { break 'a; } }",
            "'a",
            "pub fn f<^'a>(&^'a self) -> &^'a u8 { 'a: loop { break 'a; } }",
        );
        check(
            "fn f<'a, T>(x: &'a T) -> impl A + use<'a, T> { x }",
            "T",
            "fn f<'a, ^T>(x: &'a ^T) -> impl A + use<'a, ^T> { x }",
        );
        check("impl<T> S<T> { fn f(x: T) {} }", "T", "impl<^T> S<^T> { fn f(x: ^T) {} }");
        assert!(!has_generic("fn f() { fn g<T>() {} }", "T"));
    }
}
