//! Prints the signature of an item for name resolution in other files, without places or names of
//! parameters: generics, bounds, types. [`asof_model::TreeItem::sig`] describes its form.

use asof_model::{Arg, AttrUse, FileUses, ItemUses, List, NodeKind, PathId, Ty, TypeId};

/// The signature of this item; empty if it has none.
pub(super) fn signature_text(uses: &FileUses, at: usize, kind: NodeKind) -> String {
    let Some(item) = uses.items.get(at) else { return String::new() };
    let mut writer = Writer { uses, out: String::new() };
    match kind {
        NodeKind::Function | NodeKind::Method => {
            writer.out.push_str(if item.is_async { "async " } else { "" });
            writer.generics(item);
            writer.params(item);
            if let Some(name) = item.makes_macro {
                writer.out.push('@');
                writer.out.push_str(uses.name(name));
            }
        }
        NodeKind::Struct | NodeKind::Enum | NodeKind::Union => {
            writer.generics(item);
            writer.derives(item);
        }
        NodeKind::Trait | NodeKind::TraitAlias | NodeKind::AssocType | NodeKind::TypeAlias => {
            writer.generics(item);
            writer.supers(item.bounds);
            writer.value(item);
        }
        NodeKind::Impl => {
            writer.generics(item);
            if let Some(of_trait) = item.of_trait {
                writer.out.push(':');
                writer.ty(of_trait);
            }
            writer.value(item);
        }
        NodeKind::Field => {
            writer.pin(item);
            writer.value(item);
        }
        NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => writer.value(item),
        _ => {}
    }
    writer.out
}

struct Writer<'u> {
    uses: &'u FileUses,
    out: String,
}

impl Writer<'_> {
    /// `<T,U=V,#N>{T:A+B;U:C}`.
    fn generics(&mut self, item: &ItemUses) {
        let uses = self.uses;
        let generics = uses.generics(item.generics);
        if !generics.is_empty() {
            self.out.push('<');
            for (at, generic) in generics.iter().enumerate() {
                self.separate(at, ',');
                self.out.push_str(if generic.const_ty.is_some() { "#" } else { "" });
                self.out.push_str(uses.name(generic.name));
                if let Some(default) = generic.default {
                    self.out.push('=');
                    self.ty(default);
                }
            }
            self.out.push('>');
        }
        let bounded = generics.iter().filter(|generic| !generic.bounds.is_empty());
        let mut count = 0;
        for generic in bounded {
            self.open_predicate(&mut count);
            self.out.push_str(uses.name(generic.name));
            self.supers(generic.bounds);
        }
        for pred in uses.preds(item.preds).iter().filter(|pred| !pred.bounds.is_empty()) {
            self.open_predicate(&mut count);
            self.ty(pred.ty);
            self.supers(pred.bounds);
        }
        if count > 0 {
            self.out.push('}');
        }
    }

    fn open_predicate(&mut self, count: &mut usize) {
        self.out.push(if *count == 0 { '{' } else { ';' });
        *count += 1;
    }

    /// `(self:&Self,A,B)->R`.
    fn params(&mut self, item: &ItemUses) {
        self.out.push('(');
        for (at, param) in self.uses.params(item.params).iter().enumerate() {
            self.separate(at, ',');
            self.out.push_str(if param.receiver { "self:" } else { "" });
            match param.ty {
                Some(ty) => self.ty(ty),
                None => self.out.push('_'),
            }
        }
        self.out.push(')');
        if let Some(ret) = item.ret {
            self.out.push_str("->");
            self.ty(ret);
        }
    }

    /// `#A,B`: names of derives, and arguments of attributes.
    fn derives(&mut self, item: &ItemUses) {
        let uses = self.uses;
        let attrs = uses.attrs(item.attrs).iter().filter(|one| one.derive || one.named.is_some());
        for (at, attr) in attrs.enumerate() {
            self.out.push(if at == 0 { '#' } else { ',' });
            self.path(attr.path);
            if let Some([argument, name]) = attr.named {
                let (argument, name) = (uses.name(argument), uses.name(name));
                self.out.push_str(&format!("({argument}={name})"));
            }
        }
    }

    /// `#pin` of a field with this attribute.
    fn pin(&mut self, item: &ItemUses) {
        let uses = self.uses;
        let is_pin = |attr: &AttrUse| match uses.segs(attr.path) {
            [only] => !attr.derive && uses.name(only.name) == "pin",
            _ => false,
        };
        if uses.attrs(item.attrs).iter().any(is_pin) {
            self.out.push_str("#pin");
        }
    }

    /// `:A+B`.
    fn supers(&mut self, bounds: List) {
        if !bounds.is_empty() {
            self.out.push(':');
            self.bounds(bounds);
        }
    }

    /// `=T`.
    fn value(&mut self, item: &ItemUses) {
        if let Some(ty) = item.ty {
            self.out.push('=');
            self.ty(ty);
        }
    }

    fn separate(&mut self, at: usize, mark: char) {
        if at > 0 {
            self.out.push(mark);
        }
    }

    fn bounds(&mut self, bounds: List) {
        let uses = self.uses;
        for (at, bound) in uses.type_ids(bounds).enumerate() {
            self.separate(at, '+');
            self.ty(bound);
        }
    }

    fn list(&mut self, list: List) {
        let uses = self.uses;
        self.out.push('(');
        for (at, ty) in uses.type_ids(list).enumerate() {
            self.separate(at, ',');
            self.ty(ty);
        }
        self.out.push(')');
    }

    fn ty(&mut self, id: TypeId) {
        match self.uses.ty(id) {
            Ty::Path(path) => self.path(path),
            Ty::Ref(to, mutable) => {
                self.out.push_str(if mutable { "&mut " } else { "&" });
                self.ty(to);
            }
            Ty::Ptr(to, mutable) => {
                self.out.push_str(if mutable { "*mut " } else { "*" });
                self.ty(to);
            }
            Ty::Slice(of) => {
                self.out.push('[');
                self.ty(of);
                self.out.push(']');
            }
            Ty::Array(of, _) => {
                self.out.push('[');
                self.ty(of);
                self.out.push_str(";]");
            }
            Ty::Tuple(list) => self.list(list),
            Ty::Fn(params, ret) => {
                self.out.push_str("fn");
                self.list(params);
                if let Some(ret) = ret {
                    self.out.push_str("->");
                    self.ty(ret);
                }
            }
            Ty::Dyn(bounds) => {
                self.out.push_str("dyn(");
                self.bounds(bounds);
                self.out.push(')');
            }
            Ty::Impl(bounds) => {
                self.out.push_str("impl(");
                self.bounds(bounds);
                self.out.push(')');
            }
            Ty::Never => self.out.push('!'),
            Ty::Infer | Ty::Macro(..) => self.out.push('_'),
        }
    }

    fn path(&mut self, id: PathId) {
        let uses = self.uses;
        let path = uses.path(id);
        let of_trait = path.qself.map_or(0, |(_, segs)| segs as usize);
        if path.global {
            self.out.push_str("::");
        }
        if let Some((ty, _)) = path.qself {
            self.out.push('<');
            self.ty(ty);
            self.out.push_str(if of_trait > 0 { " as " } else { ">" });
        }
        for (at, seg) in uses.segs(id).iter().enumerate() {
            if path.qself.is_some() && at == of_trait && at > 0 {
                self.out.push('>');
            }
            if at > 0 || path.qself.is_some() && of_trait == 0 {
                self.out.push_str("::");
            }
            self.out.push_str(uses.name(seg.name));
            self.args(seg.args);
        }
    }

    fn args(&mut self, list: List) {
        let uses = self.uses;
        if list.is_empty() {
            return;
        }
        self.out.push('<');
        for (at, arg) in uses.args(list).iter().enumerate() {
            self.separate(at, ',');
            match *arg {
                Arg::Type(ty) => self.ty(ty),
                Arg::Assoc(name, _, ty) => {
                    self.out.push_str(uses.name(name));
                    self.out.push('=');
                    self.ty(ty);
                }
                Arg::Bound(name, _, bounds) => {
                    self.out.push_str(uses.name(name));
                    self.out.push(':');
                    self.bounds(bounds);
                }
                Arg::Const(_) => self.out.push_str("{}"),
            }
        }
        self.out.push('>');
    }
}
