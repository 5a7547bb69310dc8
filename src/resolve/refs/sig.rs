//! Parses the signatures of an item tree into arenas.

use asof_model::{
    Arg, AttrUse, Expr, ExprId, FileUses, GenericUse, HashMap, ItemUses, List, NodeKind, ParamUse,
    Pat, PatId, PathId, Pred, Seg, Sym, TreeItem, Ty, TypeId, UsePath,
};

/// Nesting beyond which a type is unknown.
const MAX_DEPTH: u32 = 64;

/// Uses of items without bodies and places.
pub(super) fn read(items: &[TreeItem]) -> FileUses {
    let mut reader = Reader::new();
    for item in items {
        let has_sig = !matches!(item.kind, NodeKind::Macro | NodeKind::MacroCall);
        reader.add_item(if has_sig { &item.sig } else { "" });
    }
    FileUses { names: reader.names.into_iter().map(Box::from).collect(), ..reader.uses }
}

/// The uses of one item. The names are separate.
pub(super) fn read_one(sig: &str) -> (FileUses, Vec<&str>) {
    let mut reader = Reader::new();
    reader.add_item(sig);
    (reader.uses, reader.names)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    uses: FileUses,
    numbers: HashMap<&'t str, Sym>,
    names: Vec<&'t str>,
}

impl<'t> Reader<'t> {
    fn new() -> Self {
        let mut reader = Reader {
            text: "",
            at: 0,
            depth: 0,
            uses: FileUses::default(),
            numbers: HashMap::default(),
            names: Vec::new(),
        };
        reader.uses.exprs.push(Expr::Missing);
        reader.uses.pats.push(Pat::Wild);
        reader
    }

    fn add_item(&mut self, sig: &'t str) {
        let mut uses = ItemUses::default();
        if !sig.is_empty() {
            (self.text, self.at) = (sig, 0);
            self.item(&mut uses);
        }
        self.uses.items.push(uses);
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, mark: &str) -> bool {
        let here = self.rest().starts_with(mark);
        self.at += if here { mark.len() } else { 0 };
        here
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || !c.is_ascii()));
        let word = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += word.len();
        word
    }

    fn name(&mut self) -> Sym {
        let word = self.word();
        let next = Sym(self.names.len() as u32);
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.names.push(word);
        }
        number
    }

    fn item(&mut self, uses: &mut ItemUses) {
        uses.is_async = self.take("async ");
        let mut generics = Vec::new();
        if self.take("<") {
            while self.peek() != 0 && !self.take(">") {
                let constant = self.take("#");
                let start = self.at;
                let name = self.name();
                let default = self.take("=").then(|| self.ty());
                let const_ty = constant.then(|| self.add(Ty::Infer));
                generics.push(GenericUse { name, const_ty, bounds: List::default(), default });
                if !self.take(",") && self.peek() != b'>' || self.at == start {
                    break;
                }
            }
        }
        uses.generics = list(&mut self.uses.generics, generics);
        let mut preds = Vec::new();
        if self.take("{") {
            loop {
                let ty = self.ty();
                let bounds = if self.take(":") { self.bounds() } else { List::default() };
                preds.push(Pred { ty, bounds });
                if !self.take(";") {
                    break;
                }
            }
            self.take("}");
        }
        uses.preds = list(&mut self.uses.preds, preds);
        if self.take("(") {
            self.params(uses);
        }
        if self.take("->") {
            uses.ret = Some(self.ty());
        }
        let mut derives = Vec::new();
        if self.take("#") {
            loop {
                let path = self.path();
                let named = self.take("(").then(|| {
                    let argument = self.name();
                    self.take("=");
                    let name = self.name();
                    self.take(")");
                    [argument, name]
                });
                derives.push(AttrUse { path, derive: named.is_none(), named });
                if !self.take(",") {
                    break;
                }
            }
        }
        uses.attrs = list(&mut self.uses.attrs, derives);
        if self.take(":") {
            uses.bounds = self.bounds();
            uses.of_trait = self.uses.type_ids(uses.bounds).next();
        }
        if self.take("=") {
            uses.ty = Some(self.ty());
        }
    }

    fn params(&mut self, uses: &mut ItemUses) {
        let mut params = Vec::new();
        while self.peek() != 0 && !self.take(")") {
            let start = self.at;
            let receiver = self.take("self:");
            let ty = Some(self.ty());
            params.push(ParamUse { pat: PatId(0), ty, receiver });
            if !self.take(",") && self.peek() != b')' || self.at == start {
                break;
            }
        }
        uses.params = list(&mut self.uses.params, params);
    }

    fn add(&mut self, ty: Ty) -> TypeId {
        self.uses.types.push(ty);
        TypeId(self.uses.types.len() as u32 - 1)
    }

    fn ty(&mut self) -> TypeId {
        if self.depth >= MAX_DEPTH {
            // The rest of this signature is lost.
            self.at = self.text.len();
            return self.add(Ty::Infer);
        }
        self.depth += 1;
        let ty = self.type_here();
        self.depth -= 1;
        self.add(ty)
    }

    fn type_here(&mut self) -> Ty {
        if self.take("&") {
            let mutable = self.take("mut ");
            return Ty::Ref(self.ty(), mutable);
        }
        if self.take("*") {
            let mutable = self.take("mut ");
            return Ty::Ptr(self.ty(), mutable);
        }
        if self.take("!") {
            return Ty::Never;
        }
        if self.take("[") {
            let of = self.ty();
            if self.take(";]") {
                return Ty::Array(of, ExprId(0));
            }
            self.take("]");
            return Ty::Slice(of);
        }
        if self.take("(") {
            return Ty::Tuple(self.tuple());
        }
        if self.take("fn(") {
            let params = self.tuple();
            return Ty::Fn(params, self.take("->").then(|| self.ty()));
        }
        for (mark, of) in [("dyn(", Ty::Dyn as fn(List) -> Ty), ("impl(", Ty::Impl)] {
            if self.take(mark) {
                let bounds = self.bounds();
                self.take(")");
                return of(bounds);
            }
        }
        if self.rest() == "_" || self.rest().starts_with('_') && self.is_infer() {
            self.at += 1;
            return Ty::Infer;
        }
        Ty::Path(self.path())
    }

    fn is_infer(&self) -> bool {
        let next = self.text.as_bytes().get(self.at + 1).copied().unwrap_or(0);
        !(next == b'_' || next.is_ascii_alphanumeric() || next >= 0x80)
    }

    fn ids(&mut self, ids: Vec<TypeId>) -> List {
        list(&mut self.uses.ids, ids.into_iter().map(|id| id.0).collect())
    }

    fn tuple(&mut self) -> List {
        let mut ids = Vec::new();
        while self.peek() != 0 && !self.take(")") {
            let start = self.at;
            ids.push(self.ty());
            if !self.take(",") && self.peek() != b')' || self.at == start {
                break;
            }
        }
        self.ids(ids)
    }

    fn bounds(&mut self) -> List {
        let mut ids = Vec::new();
        if matches!(self.peek(), b')' | b';' | b'}' | b'=' | 0) {
            return self.ids(ids);
        }
        loop {
            ids.push(self.ty());
            if !self.take("+") {
                break;
            }
        }
        self.ids(ids)
    }

    fn path(&mut self) -> PathId {
        let global = self.take("::");
        let mut segs = Vec::new();
        let mut qself = None;
        if self.take("<") {
            let ty = self.ty();
            if self.take(" as ") {
                self.segments(&mut segs);
            }
            self.take(">");
            qself = Some((ty, segs.len() as u32));
            self.take("::");
        }
        self.segments(&mut segs);
        let segs = list(&mut self.uses.segs, segs);
        self.uses.paths.push(UsePath { global, qself, segs });
        PathId(self.uses.paths.len() as u32 - 1)
    }

    fn segments(&mut self, segs: &mut Vec<Seg>) {
        loop {
            let start = self.at;
            let name = self.name();
            if self.at == start {
                // Not a text that we wrote.
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                return;
            }
            let mut args = Vec::new();
            if self.take("<") {
                while self.peek() != 0 && !self.take(">") {
                    let start = self.at;
                    let arg = self.arg();
                    args.push(arg);
                    if !self.take(",") && self.peek() != b'>' || self.at == start {
                        break;
                    }
                }
            }
            let args = list(&mut self.uses.args, args);
            segs.push(Seg { name, at: u32::MAX, args });
            if !self.take("::") {
                return;
            }
        }
    }

    fn arg(&mut self) -> Arg {
        if self.take("{}") {
            return Arg::Const(ExprId(0));
        }
        let start = self.at;
        let word = self.word();
        let next = self.peek();
        let colon = next == b':' && !self.rest().starts_with("::");
        self.at = start;
        if !word.is_empty() && (next == b'=' || colon) {
            let name = self.name();
            self.at += 1;
            return if colon {
                Arg::Bound(name, u32::MAX, self.bounds())
            } else {
                Arg::Assoc(name, u32::MAX, self.ty())
            };
        }
        Arg::Type(self.ty())
    }
}

fn list<T>(table: &mut Vec<T>, members: Vec<T>) -> List {
    let list = List { start: table.len() as u32, len: members.len() as u32 };
    table.extend(members);
    list
}
