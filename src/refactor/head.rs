//! Locates the parts of a function's head.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::cuts::Bytes;
use super::list::List;

/// The head of a function; bytes of the function's text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// From the first of `const`, `async`, `unsafe`, `extern` to the end of `fn`.
    pub words: Bytes,
    pub is_const: bool,
    pub is_async: bool,
    pub is_unsafe: bool,
    pub is_safe: bool,
    /// `extern "C"`, as written; empty if there is none.
    pub abi: String,
    /// First byte of the name.
    pub name: u32,
    /// The parameters, the receiver first.
    pub list: List,
    pub has_receiver: bool,
    /// Whether the receiver is a reference, which gives elided lifetimes of the result theirs.
    pub borrows: bool,
    /// The parameters without the receiver.
    pub params: Vec<Param>,
    /// What is returned: from `->` on, and the type.
    pub returns: Option<(Bytes, Bytes)>,
    /// The type as written; empty if there is none.
    pub returns_text: String,
    /// Whether the type that is returned leaves lifetimes out.
    pub elides: bool,
    /// Whether callers may give more arguments: `...`.
    pub is_variadic: bool,
    pub has_body: bool,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// `.await` in the body, outside of inner functions, closures and blocks.
    pub awaits: Vec<u32>,
}

/// A parameter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Param {
    /// Name without `r#`; none of a pattern.
    pub name: Option<String>,
    /// The pattern as written.
    pub pattern: String,
    /// With attributes.
    pub bytes: Bytes,
    pub pat: Bytes,
    pub ty: Bytes,
    /// The type as written.
    pub ty_text: String,
    pub has_attributes: bool,
    /// Whether the type has lifetimes, written or elided.
    pub has_lifetime: bool,
    /// Names of type and const parameters of the function that its type mentions.
    pub generics: Vec<String>,
}

impl Head {
    /// End of the head, without a `where` clause.
    pub fn end(&self) -> u32 {
        self.returns.map_or(self.list.inside.1 + 1, |(_, ty)| ty.1)
    }

    /// The same in a text where the function begins at this byte.
    pub fn shifted(mut self, by: u32) -> Self {
        let shift = |bytes: &mut Bytes| *bytes = (bytes.0 + by, bytes.1 + by);
        self.name += by;
        for bytes in [&mut self.words, &mut self.list.inside] {
            shift(bytes);
        }
        self.list.items.iter_mut().for_each(shift);
        for param in &mut self.params {
            for bytes in [&mut param.bytes, &mut param.pat, &mut param.ty] {
                shift(bytes);
            }
        }
        if let Some((all, ty)) = &mut self.returns {
            shift(all);
            shift(ty);
        }
        self.awaits.iter_mut().for_each(|at| *at += by);
        self
    }
}

/// The head of a function's text; none if it does not parse as a function.
pub fn head(text: &str) -> Option<Head> {
    asof_syntax::with_large_stack(|| {
        if let Ok(item) = syn::parse_str::<syn::ImplItemFn>(text) {
            return Some(read(text, &item.attrs, &item.sig, Some(&item.block)));
        }
        if let Ok(item) = syn::parse_str::<syn::TraitItemFn>(text) {
            return Some(read(text, &item.attrs, &item.sig, item.default.as_ref()));
        }
        let item = syn::parse_str::<syn::ForeignItemFn>(text).ok()?;
        Some(read(text, &item.attrs, &item.sig, None))
    })?
}

/// Whether a text is a type, and whether that has lifetimes.
pub fn lifetimes_of_type(text: &str) -> Option<bool> {
    asof_syntax::with_large_stack(|| {
        let ty = syn::parse_str::<syn::Type>(text).ok()?;
        Some(Lifetimes::in_type(&ty).any)
    })?
}

/// First byte and end, from the start of what is parsed.
pub(super) fn bytes_of(spanned: &impl Spanned) -> Bytes {
    let range = spanned.span().byte_range();
    (range.start as u32, range.end as u32)
}

fn read(
    text: &str,
    attrs: &[syn::Attribute],
    sig: &syn::Signature,
    block: Option<&syn::Block>,
) -> Head {
    let part = |range: Bytes| super::cuts::slice(text, range).to_owned();
    let fn_token = bytes_of(&sig.fn_token);
    let mut head =
        Head { name: bytes_of(&sig.ident).0, has_body: block.is_some(), ..Head::default() };
    let mut first = fn_token.0;
    if let Some(word) = &sig.constness {
        (head.is_const, first) = (true, first.min(bytes_of(word).0));
    }
    if let Some(word) = &sig.asyncness {
        (head.is_async, first) = (true, first.min(bytes_of(word).0));
    }
    match &sig.safety {
        syn::Safety::Unsafe(word) => {
            (head.is_unsafe, first) = (true, first.min(bytes_of(word).0));
        }
        syn::Safety::Safe(word) => {
            (head.is_safe, first) = (true, first.min(bytes_of(word).0));
        }
        syn::Safety::Default => {}
    }
    if let Some(abi) = &sig.abi {
        head.abi = part(bytes_of(abi));
        first = first.min(bytes_of(abi).0);
    }
    head.words = (first, fn_token.1);
    head.attributes = attrs.iter().map(name_of).collect();
    head.is_variadic = sig.variadic.is_some();
    let (open, close) = (sig.paren_token.span.open(), sig.paren_token.span.close());
    head.list.inside = (open.byte_range().end as u32, close.byte_range().start as u32);
    head.list.items = sig.inputs.iter().map(bytes_of).collect();
    let generics: Vec<String> = sig
        .generics
        .params
        .iter()
        .filter_map(|param| match param {
            syn::GenericParam::Type(one) => Some(one.ident.to_string()),
            syn::GenericParam::Const(one) => Some(one.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        })
        .collect();
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => {
                head.has_receiver = true;
                let own = part(bytes_of(receiver));
                head.borrows = own.contains('&');
            }
            syn::FnArg::Typed(typed) => head.params.push(param(text, typed, &generics)),
        }
    }
    if let syn::ReturnType::Type(arrow, ty) = &sig.output {
        let (from, own) = (bytes_of(arrow).0, bytes_of(ty));
        head.returns = Some(((from, own.1), own));
        head.returns_text = part(own);
        head.elides = Lifetimes::in_type(ty).elided;
    }
    if let Some(block) = block {
        let mut awaits = Awaits::default();
        awaits.visit_block(block);
        head.awaits = awaits.found;
    }
    head
}

fn name_of(attr: &syn::Attribute) -> String {
    let path = match &attr.meta {
        // `#[unsafe(no_mangle)]`.
        syn::Meta::List(list) if list.path.is_ident("unsafe") => return list.tokens.to_string(),
        meta => meta.path(),
    };
    let names: Vec<String> = path.segments.iter().map(|one| one.ident.to_string()).collect();
    names.join("::")
}

fn param(text: &str, typed: &syn::PatType, generics: &[String]) -> Param {
    let (pat, ty) = (bytes_of(&typed.pat), bytes_of(&typed.ty));
    let name = match &*typed.pat {
        syn::Pat::Ident(pat) if pat.subpat.is_none() => {
            let name = pat.ident.to_string();
            Some(name.strip_prefix("r#").map_or(name.clone(), str::to_owned))
        }
        _ => None,
    };
    let mut mentioned = Mentioned { generics, found: Vec::new() };
    mentioned.visit_type(&typed.ty);
    let start = typed.attrs.first().map_or(pat.0, |attr| bytes_of(attr).0);
    Param {
        name,
        pattern: super::cuts::slice(text, pat).to_owned(),
        bytes: (start, ty.1),
        pat,
        ty,
        ty_text: super::cuts::slice(text, ty).to_owned(),
        has_attributes: !typed.attrs.is_empty(),
        has_lifetime: Lifetimes::in_type(&typed.ty).any,
        generics: mentioned.found,
    }
}

#[derive(Default)]
struct Lifetimes {
    any: bool,
    elided: bool,
}

impl Lifetimes {
    fn in_type(ty: &syn::Type) -> Self {
        let mut found = Self::default();
        found.visit_type(ty);
        found
    }
}

impl<'ast> Visit<'ast> for Lifetimes {
    fn visit_type_reference(&mut self, ty: &'ast syn::TypeReference) {
        self.any = true;
        self.elided |= ty.lifetime.is_none();
        visit::visit_type_reference(self, ty);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
        self.any |= lifetime.ident != "static";
        self.elided |= lifetime.ident == "_";
    }

    // They have elided lifetimes of their own.
    fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(
        &mut self,
        _: &'ast syn::ParenthesizedGenericArguments,
    ) {
    }
}

struct Mentioned<'a> {
    generics: &'a [String],
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Mentioned<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        if let Some(first) = path.segments.first() {
            let name = first.ident.to_string();
            if self.generics.contains(&name) {
                self.found.push(name);
            }
        }
        visit::visit_path(self, path);
    }
}

#[derive(Default)]
struct Awaits {
    found: Vec<u32>,
}

impl<'ast> Visit<'ast> for Awaits {
    fn visit_expr_await(&mut self, one: &'ast syn::ExprAwait) {
        self.found.push(bytes_of(&one.await_token).0);
        visit::visit_expr_await(self, one);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
    fn visit_expr_async(&mut self, _: &'ast syn::ExprAsync) {}
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        for code in super::macro_code::read(call) {
            code.visit(self);
        }
    }
}
