//! Names that one text binds for itself: parameters, variables, type, const and lifetime
//! parameters, labels. All others are a matter of modules.

use syn::visit::{self, Visit};

use super::locals::{LocalName, Walker, bare, start};
use asof_syntax::{MAX_MACRO_DEPTH, parse_all};

/// The bound names of a file, and what binds each, in the order of the text; none if it cannot be
/// parsed. `is_item`: whether a name at a byte is that of an item, which may hide a bound one.
pub fn bindings(text: &str, is_item: &(dyn Fn(u32) -> bool + Sync)) -> Option<Vec<LocalName>> {
    let mut names = file_names(text, false, is_item)?;
    names.retain(|one| one.binding.is_some());
    Some(names)
}

/// [`bindings`] together with the names of values that nothing in the file's bodies binds.
/// `before_2021`: whether the edition is an earlier one.
pub fn file_names(
    text: &str,
    before_2021: bool,
    is_item: &(dyn Fn(u32) -> bool + Sync),
) -> Option<Vec<LocalName>> {
    asof_syntax::with_large_stack(|| {
        // Positions are counted from the mark, if there is one.
        let mark = text.len() - text.trim_start_matches('\u{feff}').len();
        let text = text.get(mark..)?;
        let file = syn::parse_file(text).ok()?;
        let is_item = |at: u32| is_item(at + mark as u32);
        let walker = Walker::of_file(text, &is_item);
        let walker = if before_2021 { walker.before_2021() } else { walker };
        let mut items = Items { walker, scope: Vec::new(), depth: 0 };
        items.visit_file(&file);
        let found = items.walker.into_names().into_iter();
        let moved = |mut one: LocalName| {
            one.at += mark as u32;
            one.binding = one.binding.map(|at| at + mark as u32);
            one
        };
        Some(found.map(moved).collect())
    })?
}

/// What is looked up apart: a label and a lifetime of one name have nothing to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    /// Type, const and lifetime parameters, the last with their mark.
    Parameter,
    /// With their mark.
    Label,
}

/// Visits items; variables of bodies are a matter of the walker.
pub(super) struct Items<'a> {
    pub walker: Walker<'a>,
    /// Parameters of items and labels that are in scope, the innermost last.
    pub scope: Vec<(Space, String, u32)>,
    /// Calls of macros around.
    depth: u32,
}

impl Items<'_> {
    /// What is around a nested item is not in its scope.
    fn apart(&mut self, inside: impl FnOnce(&mut Self)) {
        let around = std::mem::take(&mut self.scope);
        inside(self);
        self.scope = around;
    }

    pub fn within(&mut self, inside: impl FnOnce(&mut Self)) {
        let mark = self.scope.len();
        inside(self);
        self.scope.truncate(mark);
    }

    fn bind(&mut self, name: String, at: u32) {
        self.bind_in(Space::Parameter, name, at);
    }

    fn bind_in(&mut self, space: Space, name: String, at: u32) {
        self.walker.insert(at, name.clone(), at, true);
        self.scope.push((space, name, at));
    }

    pub fn used(&mut self, name: &str, at: u32, certain: bool) {
        if !self.walker.is_item(at) {
            self.used_in(Space::Parameter, name, at, certain);
        }
    }

    pub fn used_in(&mut self, space: Space, name: &str, at: u32, certain: bool) {
        let mut scope = self.scope.iter().rev();
        let bound = scope.find(|(of, known, _)| *of == space && known == name);
        if let Some((.., binding)) = bound {
            self.walker.insert(at, name.to_owned(), *binding, certain);
        }
    }

    fn declare(&mut self, generics: &syn::Generics) {
        for param in &generics.params {
            match param {
                syn::GenericParam::Type(ty) => self.bind(bare(&ty.ident), start(&ty.ident)),
                syn::GenericParam::Const(one) => self.bind(bare(&one.ident), start(&one.ident)),
                syn::GenericParam::Lifetime(one) => self.lifetime(&one.lifetime),
            }
        }
    }

    fn lifetime(&mut self, lifetime: &syn::Lifetime) {
        self.bind(lifetime_name(lifetime), lifetime.apostrophe.byte_range().start as u32);
    }

    fn for_lifetimes(&mut self, binder: Option<&syn::BoundLifetimes>) {
        for param in binder.iter().flat_map(|binder| &binder.lifetimes) {
            if let syn::GenericParam::Lifetime(one) = param {
                self.lifetime(&one.lifetime);
            }
        }
    }

    fn labelled(&mut self, label: Option<&syn::Label>, inside: impl FnOnce(&mut Self)) {
        self.within(|items| {
            if let Some(label) = label {
                let at = label.name.apostrophe.byte_range().start as u32;
                items.bind_in(Space::Label, lifetime_name(&label.name), at);
            }
            inside(items);
        });
    }

    fn left(&mut self, label: Option<&syn::Lifetime>) {
        if let Some(label) = label {
            let at = label.apostrophe.byte_range().start as u32;
            self.used_in(Space::Label, &lifetime_name(label), at, true);
        }
    }
}

impl<'ast> Visit<'ast> for Items<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.apart(|items| {
            items.walker.body_of(&item.sig, Some(&item.block));
            items.declare(&item.sig.generics);
            visit::visit_item_fn(items, item);
        });
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.within(|items| {
            items.walker.body_of(&item.sig, Some(&item.block));
            items.declare(&item.sig.generics);
            visit::visit_impl_item_fn(items, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.within(|items| {
            items.walker.body_of(&item.sig, item.default.as_ref());
            items.declare(&item.sig.generics);
            visit::visit_trait_item_fn(items, item);
        });
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.apart(|items| {
            items.walker.value(&item.expr);
            visit::visit_item_const(items, item);
        });
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.apart(|items| {
            items.walker.value(&item.expr);
            visit::visit_item_static(items, item);
        });
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.walker.value(&item.expr);
        visit::visit_impl_item_const(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_impl(items, item);
        });
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_trait(items, item);
        });
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_struct(items, item);
        });
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_enum(items, item);
        });
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_union(items, item);
        });
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.apart(|items| {
            items.declare(&item.generics);
            visit::visit_item_type(items, item);
        });
    }

    fn visit_impl_item_type(&mut self, item: &'ast syn::ImplItemType) {
        self.within(|items| {
            items.declare(&item.generics);
            visit::visit_impl_item_type(items, item);
        });
    }

    fn visit_trait_item_type(&mut self, item: &'ast syn::TraitItemType) {
        self.within(|items| {
            items.declare(&item.generics);
            visit::visit_trait_item_type(items, item);
        });
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.used(&lifetime_name(lifetime), lifetime.apostrophe.byte_range().start as u32, true);
    }

    fn visit_captured_param(&mut self, param: &'ast syn::CapturedParam) {
        if let syn::CapturedParam::Ident(ident) = param {
            self.used(&bare(ident), start(ident), true);
        }
        visit::visit_captured_param(self, param);
    }

    fn visit_type_fn_ptr(&mut self, ty: &'ast syn::TypeFnPtr) {
        self.within(|items| {
            items.for_lifetimes(ty.lifetimes.as_ref());
            visit::visit_type_fn_ptr(items, ty);
        });
    }

    fn visit_predicate_type(&mut self, predicate: &'ast syn::PredicateType) {
        self.within(|items| {
            items.for_lifetimes(predicate.lifetimes.as_ref());
            visit::visit_predicate_type(items, predicate);
        });
    }

    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        self.within(|items| {
            items.for_lifetimes(bound.lifetimes.as_ref());
            visit::visit_trait_bound(items, bound);
        });
    }

    fn visit_expr_loop(&mut self, repeat: &'ast syn::ExprLoop) {
        self.labelled(repeat.label.as_ref(), |items| items.visit_block(&repeat.body));
    }

    fn visit_expr_while(&mut self, repeat: &'ast syn::ExprWhile) {
        self.labelled(repeat.label.as_ref(), |items| {
            items.visit_expr(&repeat.cond);
            items.visit_block(&repeat.body);
        });
    }

    fn visit_expr_for_loop(&mut self, repeat: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeat.expr);
        self.labelled(repeat.label.as_ref(), |items| {
            items.visit_pat(&repeat.pat);
            items.visit_block(&repeat.body);
        });
    }

    fn visit_expr_block(&mut self, block: &'ast syn::ExprBlock) {
        self.labelled(block.label.as_ref(), |items| items.visit_block(&block.block));
    }

    fn visit_expr_break(&mut self, leave: &'ast syn::ExprBreak) {
        self.left(leave.label.as_ref());
        leave.expr.iter().for_each(|value| self.visit_expr(value));
    }

    fn visit_expr_continue(&mut self, next: &'ast syn::ExprContinue) {
        self.left(next.label.as_ref());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let (None, Some(first)) = (&path.leading_colon, path.segments.first()) {
            self.used(&bare(&first.ident), start(&first.ident), true);
        }
        visit::visit_path(self, path);
    }

    /// Calls whose tokens are items, as `pin_project! { struct S<T> { … } }`: the macro may change
    /// them, but what they bind has no other place.
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        match parse_all::<syn::Item>(item.mac.tokens.clone()) {
            Ok(all) if item.ident.is_none() && self.depth < MAX_MACRO_DEPTH => {
                self.depth += 1;
                all.iter().for_each(|item| self.visit_item(item));
                self.depth -= 1;
            }
            _ => self.visit_macro(&item.mac),
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

/// With its mark, and without `r#`.
fn lifetime_name(lifetime: &syn::Lifetime) -> String {
    format!("'{}", bare(&lifetime.ident))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Each name that means the binding at the place of `^`, which is taken out of the text, in
    /// brackets.
    #[track_caller]
    pub(crate) fn check(marked: &str, expected: &str) {
        let at = marked.find('^').unwrap();
        let mut text = marked.replacen('^', "", 1);
        let found = bindings(&text, &|_| false).unwrap();
        for one in found.iter().rev().filter(|one| one.binding == Some(at as u32)) {
            let (from, to) = (one.at as usize, one.at as usize + one.name.len());
            text.replace_range(from..to, &format!("[{}]", one.name));
        }
        assert_eq!(text, expected);
    }

    #[test]
    fn parameters_of_items_are_bound_in_them() {
        check(
            "impl<^T> S<T> { fn f<U>(x: T) -> U { fn g<T>(_: T) {} T::new(x) } }",
            "impl<[T]> S<[T]> { fn f<U>(x: [T]) -> U { fn g<T>(_: T) {} [T]::new(x) } }",
        );
        check(
            "struct S<'a, const ^N: usize>(&'a [u8; N]);",
            "struct S<'a, const [N]: usize>(&'a [u8; [N]]);",
        );
        check(
            "fn f<const ^N: usize>() -> usize { N + m!(N) }",
            "fn f<const [N]: usize>() -> usize { [N] + m!([N]) }",
        );
        check(
            "fn f<'a>(x: &'a dyn for<^'b> Fn(&'b u8) -> &'b u8) {}",
            "fn f<'a>(x: &'a dyn for<['b]> Fn(&['b] u8) -> &['b] u8) {}",
        );
        check(
            "pin! { struct S<^T> where T: A { x: m!(T) } fn f(x: T) {} }",
            "pin! { struct S<[T]> where [T]: A { x: m!([T]) } fn f(x: T) {} }",
        );
        check("checks! { fn f(^x: u8) { g(x) } }", "checks! { fn f([x]: u8) { g([x]) } }");
    }

    #[test]
    fn labels_and_receivers_are_bound_in_their_bodies() {
        check(
            "fn f() { ^'a: loop { 'b: for x in y { break 'a; } continue 'a } }",
            "fn f() { ['a]: loop { 'b: for x in y { break ['a]; } continue ['a] } }",
        );
        check(
            "impl S { fn f(&^self) { self.g(|| self.x); self::h(); fn i() {} } }",
            "impl S { fn f(&[self]) { [self].g(|| [self].x); self::h(); fn i() {} } }",
        );
        check(
            "const F: fn(u8) = |^x| { g(x) }; fn h(x: u8) { x }",
            "const F: fn(u8) = |[x]| { g([x]) }; fn h(x: u8) { x }",
        );
    }

    #[test]
    fn precise_captures_are_uses() {
        check(
            "fn f<'a, ^T>(x: &'a T) -> impl A<T> + use<'a, T> { x }",
            "fn f<'a, [T]>(x: &'a [T]) -> impl A<[T]> + use<'a, [T]> { x }",
        );
        check(
            "impl<^'h> H<'h> { fn f<V>(v: V) -> impl A + use<'h, V> { v } }",
            "impl<['h]> H<['h]> { fn f<V>(v: V) -> impl A + use<['h], V> { v } }",
        );
    }

    #[test]
    fn labels_are_no_lifetimes() {
        check(
            "fn f<^'k>(s: &'k str) { 'k: loop { let _: &'k str = s; break 'k; } }",
            "fn f<['k]>(s: &['k] str) { 'k: loop { let _: &['k] str = s; break 'k; } }",
        );
        check(
            "fn f<'k>(s: &'k str) { ^'k: loop { let _: &'k str = s; break 'k; } }",
            "fn f<'k>(s: &'k str) { ['k]: loop { let _: &'k str = s; break ['k]; } }",
        );
    }

    #[test]
    fn items_of_blocks_hide_variables_and_parameters() {
        let text = "fn f<T>(size: u8, t: T) -> u8 { use m::T; const size: u8 = 3; T::g(size) }";
        let items = [text.rfind("T::g").unwrap() as u32, text.rfind("size").unwrap() as u32];
        let found = bindings(text, &|at| items.contains(&at)).unwrap();
        let places: Vec<u32> = found.iter().map(|one| one.at).collect();
        assert_eq!(places, [5, 8, 18, 21]);
    }

    #[test]
    fn constants_and_variants_are_no_variables() {
        let text = "fn f(x: O) { match x { None => x, lower => lower } }";
        let names = |is_item: &(dyn Fn(u32) -> bool + Sync)| -> Vec<String> {
            bindings(text, is_item).unwrap().into_iter().map(|one| one.name).collect()
        };
        assert_eq!(names(&|_| false), ["x", "x", "x", "lower", "lower"]);
        let at = text.find("lower").unwrap() as u32;
        assert_eq!(names(&|byte| byte == at), ["x", "x", "x"]);
    }

    #[test]
    fn positions_count_a_mark() {
        let found = bindings("\u{feff}fn f(x: u8) { x }", &|_| false).unwrap();
        let places: Vec<(u32, Option<u32>)> =
            found.iter().map(|one| (one.at, one.binding)).collect();
        assert_eq!(places, [(8, Some(8)), (17, Some(8))]);
    }
}
