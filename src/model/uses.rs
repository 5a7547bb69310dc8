//! The names that one file's text uses: types, expressions and patterns in flat arenas, as far as
//! resolution needs them. Names are numbers into one table; a place is an absolute byte.

use super::never::OrNever;
use super::reference::RefKind;
use super::region::Region;
use super::span::Span;

macro_rules! arena_ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub struct $name(pub u32);
        )*
    };
}

arena_ids! {
    /// Index into [`FileUses::names`].
    Sym,
    /// Index into [`FileUses::types`].
    TypeId,
    /// Index into [`FileUses::exprs`].
    ExprId,
    /// Index into [`FileUses::pats`].
    PatId,
    /// Index into [`FileUses::paths`].
    PathId,
    /// Index into [`FileUses::calls`].
    CallId,
}

/// A range of one of the tables of [`FileUses`]; each use says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    pub start: u32,
    pub len: u32,
}

impl List {
    /// Whether it has no members.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    fn slice<T>(self, table: &[T]) -> &[T] {
        let range = self.start as usize..(self.start as usize).saturating_add(self.len as usize);
        table.get(range).or_never("a list lies in its table")
    }
}

/// What a file uses.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FileUses {
    /// Distinct, in the order of their first mention. Without `r#`.
    pub names: Vec<Box<str>>,
    /// First byte of each line.
    pub lines: Vec<u32>,
    pub types: Vec<Ty>,
    pub paths: Vec<UsePath>,
    pub segs: Vec<Seg>,
    pub args: Vec<Arg>,
    pub exprs: Vec<Expr>,
    pub pats: Vec<Pat>,
    pub stmts: Vec<Stmt>,
    pub arms: Vec<Arm>,
    pub fields: Vec<FieldUse>,
    pub params: Vec<ParamUse>,
    pub generics: Vec<GenericUse>,
    pub preds: Vec<Pred>,
    pub attrs: Vec<AttrUse>,
    pub mentions: Vec<Mention>,
    pub templates: Vec<TemplateUse>,
    /// Tokens of macro calls among expressions, for resolution to expand.
    pub calls: Vec<CallTokens>,
    /// Members of the lists of ids.
    pub ids: Vec<u32>,
    /// Members of the lists of names by item.
    pub named: Vec<Sym>,
    /// By item, as in [`super::FileFacts::items`].
    pub items: Vec<ItemUses>,
    /// What `cfg` attributes are written before, in order.
    pub regions: Vec<Region>,
}

/// The tokens of a macro call, as they are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallTokens {
    /// First byte.
    pub at: u32,
    pub text: Box<str>,
}

/// What one item uses. Its body, if it has one, is an expression.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemUses {
    pub span: Span,
    /// Whether it has a text of its own.
    pub own_text: bool,
    /// In [`FileUses::attrs`].
    pub attrs: List,
    /// What follows `=` in attributes; ids of expressions.
    pub attr_values: List,
    /// The path in `pub(in path)` and `pub(crate)`.
    pub within: Option<PathId>,
    /// In [`FileUses::generics`].
    pub generics: List,
    /// Of `where`; in [`FileUses::preds`].
    pub preds: List,
    /// Of a function, the receiver included; in [`FileUses::params`].
    pub params: List,
    /// What a function returns.
    pub ret: Option<TypeId>,
    /// Type of a field, const or static, target of an alias, type that an impl is for.
    pub ty: Option<TypeId>,
    /// The trait of an impl.
    pub of_trait: Option<TypeId>,
    /// Supertraits, bounds of an associated type; ids of types.
    pub bounds: List,
    /// Of a function, const or static; the value of a variant.
    pub body: Option<ExprId>,
    /// Every path of a `use` declaration, of `extern crate`, or of a macro call; ids of paths.
    pub uses: List,
    /// Names in tokens that are not read; in [`FileUses::mentions`].
    pub mentions: List,
    /// Paths in what a macro expands to; in [`FileUses::templates`].
    pub template: List,
    /// Every name in its own text, once; in [`FileUses::named`].
    pub named: List,
    /// First byte of the name in `mod name;`.
    pub declares: Option<u32>,
    /// Name of the derive that a function of a `proc-macro` crate is; of another macro, empty.
    pub makes_macro: Option<Sym>,
    pub is_async: bool,
    pub is_unsafe: bool,
}

/// A path as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UsePath {
    /// Whether it begins with `::`.
    pub global: bool,
    /// `<T as …>`: the type, and how many segments belong to the trait.
    pub qself: Option<(TypeId, u32)>,
    /// In [`FileUses::segs`].
    pub segs: List,
}

/// A segment of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seg {
    pub name: Sym,
    /// First byte of the name.
    pub at: u32,
    /// In [`FileUses::args`].
    pub args: List,
}

/// A generic argument.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Arg {
    Type(TypeId),
    /// `Name = Type`.
    Assoc(Sym, u32, TypeId),
    /// `Name: Bounds`; ids of types.
    Bound(Sym, u32, List),
    Const(ExprId),
}

/// A type as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ty {
    Path(PathId),
    /// Whether it is `&mut`.
    Ref(TypeId, bool),
    /// Whether it is `*mut`.
    Ptr(TypeId, bool),
    Slice(TypeId),
    Array(TypeId, ExprId),
    /// Ids of types.
    Tuple(List),
    /// Ids of types, and what is returned.
    Fn(List, Option<TypeId>),
    /// Ids of types.
    Dyn(List),
    /// Ids of types.
    Impl(List),
    Never,
    Infer,
    /// A macro call; ids of the types in its tokens, and these, if they are kept.
    Macro(PathId, List, Option<CallId>),
}

/// Class of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lit {
    Str,
    Bytes,
    CStr,
    Char,
    Byte,
    Bool,
    /// With its suffix, if it has one.
    Int(Option<Sym>),
    Float(Option<Sym>),
}

/// Whether the end of a range is part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limits {
    /// `..`.
    HalfOpen,
    /// `..=`.
    Closed,
}

/// Class of an operator of two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinOp {
    Arithmetic,
    Shift,
    Compare,
    Logic,
    Assign,
    Range(Limits),
}

/// An expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expr {
    /// An expression that could not be read, or is not distinguished.
    Missing,
    Path(PathId),
    Lit(Lit),
    /// Ids of expressions.
    Call(ExprId, List),
    Method {
        receiver: ExprId,
        name: Sym,
        at: u32,
        /// In [`FileUses::args`].
        generics: List,
        /// Ids of expressions.
        args: List,
    },
    Field(ExprId, Sym, u32),
    /// `base[index]`, and where the bracket is.
    Index(ExprId, ExprId, u32),
    /// `*`, `!` or `-` before an operand.
    Unary(UnOp, ExprId, u32),
    /// Whether it is `&mut`.
    Ref(ExprId, bool),
    Binary(BinOp, ExprId, ExprId, Operator),
    /// `..`, `a..`, `..=b`.
    Range(Option<ExprId>, Option<ExprId>, Limits),
    Cast(ExprId, TypeId),
    /// Where the `?` is.
    Try(ExprId, u32),
    /// Where the keyword is.
    Await(ExprId, u32),
    /// Fields in [`FileUses::fields`].
    Struct(PathId, List, Option<ExprId>),
    /// Ids of expressions.
    Tuple(List),
    /// Ids of expressions.
    Array(List),
    Repeat(ExprId, ExprId),
    /// In [`FileUses::stmts`]; whether the last one is its value.
    Block(List, bool, BlockKind),
    If(ExprId, ExprId, Option<ExprId>),
    /// `let pat = value` as a condition.
    Let(PatId, ExprId),
    While(ExprId, ExprId),
    /// With its label.
    Loop(ExprId, Option<Sym>),
    /// Pattern, what is iterated, body, and where the keyword is.
    For(PatId, ExprId, ExprId, u32),
    /// In [`FileUses::arms`].
    Match(ExprId, List),
    /// In [`FileUses::params`].
    Closure(List, Option<TypeId>, ExprId),
    Return(Option<ExprId>),
    /// With its label.
    Break(Option<Sym>, Option<ExprId>),
    Continue,
    /// A macro call; a list of ids of the expressions in its tokens, in order, and the tokens, if
    /// they are kept.
    Macro(PathId, List, Option<CallId>),
}

/// An operator before its operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnOp {
    Deref,
    Not,
    Neg,
}

/// An operator between two operands: the method that it calls (`add`; empty for `=`, `&&`, `||`), and
/// where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operator {
    pub method: Sym,
    pub at: u32,
}

/// Kind of a block in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    Plain,
    Async,
    Unsafe,
    Const,
}

/// A statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stmt {
    Let(PatId, Option<TypeId>, Option<ExprId>, Option<ExprId>),
    Expr(ExprId),
    /// An item of the file.
    Item(u32),
    /// An attribute of the statement after it.
    Attr(PathId),
    /// A function, const or static that is no item of the file, in the tokens of a macro call.
    Declares(Sym),
}

/// An arm of a `match`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    pub pat: PatId,
    pub guard: Option<ExprId>,
    pub body: ExprId,
}

/// A field in a literal or pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldUse {
    pub name: Sym,
    pub at: u32,
    /// Index of an expression in a literal, of a pattern in a pattern.
    pub value: u32,
    /// Whether the name is the value as well (shorthand).
    pub shorthand: bool,
}

/// A parameter of a function or closure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamUse {
    pub pat: PatId,
    pub ty: Option<TypeId>,
    /// Whether it is `self`; its type is then written out (`&mut Self`).
    pub receiver: bool,
}

/// A generic parameter; lifetimes are left out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenericUse {
    pub name: Sym,
    /// Type of a const parameter.
    pub const_ty: Option<TypeId>,
    /// Ids of types.
    pub bounds: List,
    pub default: Option<TypeId>,
}

/// `type: bounds` of a `where` clause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pred {
    pub ty: TypeId,
    /// Ids of types.
    pub bounds: List,
}

/// An attribute, or one name of a `derive`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AttrUse {
    pub path: PathId,
    pub derive: bool,
    /// A word that one of its arguments is, after the argument's name: `project = Projection`. Each
    /// is an entry beside that of the attribute; so is a macro that `macro_use` lists, with its path.
    pub named: Option<[Sym; 2]>,
}

/// A name in tokens that are not read as code: the body of `macro_rules!`, tokens of a macro call
/// that are not expressions, a placeholder of a format string, arguments of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mention {
    pub name: Sym,
    /// First byte of the name.
    pub at: u32,
}

/// A path in what a macro expands to, and how it is used there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TemplateUse {
    pub path: PathId,
    pub kind: RefKind,
}

/// How a name in a pattern binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// It may also be a const or variant of that name.
    Plain,
    /// It is a binding: with `mut`, of a field, or `self`.
    Value,
    /// With `ref`.
    Reference,
}

/// A pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pat {
    Wild,
    /// A name alone.
    Bind {
        name: Sym,
        at: u32,
        by: Binding,
        sub: Option<PatId>,
    },
    Path(PathId),
    /// Ids of patterns.
    TupleStruct(PathId, List),
    /// In [`FileUses::fields`].
    Struct(PathId, List),
    /// Ids of patterns.
    Tuple(List),
    /// Ids of patterns.
    Slice(List),
    Ref(PatId),
    /// Ids of patterns.
    Or(List),
    Lit(ExprId),
    Range(Option<ExprId>, Option<ExprId>),
    /// `..`.
    Rest,
    /// As [`Expr::Macro`].
    Macro(PathId, List, Option<CallId>),
}

impl FileUses {
    /// Text of a name.
    pub fn name(&self, name: Sym) -> &str {
        self.names.get(name.0 as usize).map_or("", |n| n)
    }

    pub fn ty(&self, id: TypeId) -> Ty {
        self.types.get(id.0 as usize).copied().unwrap_or(Ty::Infer)
    }

    pub fn expr(&self, id: ExprId) -> Expr {
        self.exprs.get(id.0 as usize).copied().unwrap_or(Expr::Missing)
    }

    pub fn pat(&self, id: PatId) -> Pat {
        self.pats.get(id.0 as usize).copied().unwrap_or(Pat::Wild)
    }

    pub fn path(&self, id: PathId) -> UsePath {
        let none = UsePath { global: false, qself: None, segs: List::default() };
        self.paths.get(id.0 as usize).copied().unwrap_or(none)
    }

    /// The tokens of a macro call.
    pub fn call(&self, id: CallId) -> Option<&CallTokens> {
        self.calls.get(id.0 as usize)
    }

    /// Segments of a path.
    pub fn segs(&self, id: PathId) -> &[Seg] {
        self.path(id).segs.slice(&self.segs)
    }

    pub fn args(&self, list: List) -> &[Arg] {
        list.slice(&self.args)
    }

    pub fn stmts(&self, list: List) -> &[Stmt] {
        list.slice(&self.stmts)
    }

    pub fn arms(&self, list: List) -> &[Arm] {
        list.slice(&self.arms)
    }

    pub fn fields(&self, list: List) -> &[FieldUse] {
        list.slice(&self.fields)
    }

    pub fn params(&self, list: List) -> &[ParamUse] {
        list.slice(&self.params)
    }

    pub fn generics(&self, list: List) -> &[GenericUse] {
        list.slice(&self.generics)
    }

    pub fn preds(&self, list: List) -> &[Pred] {
        list.slice(&self.preds)
    }

    pub fn attrs(&self, list: List) -> &[AttrUse] {
        list.slice(&self.attrs)
    }

    pub fn templates(&self, list: List) -> &[TemplateUse] {
        list.slice(&self.templates)
    }

    pub fn mentions(&self, list: List) -> &[Mention] {
        list.slice(&self.mentions)
    }

    /// Members of a list of types.
    pub fn type_ids(&self, list: List) -> impl Iterator<Item = TypeId> + '_ {
        list.slice(&self.ids).iter().map(|id| TypeId(*id))
    }

    /// Members of a list of expressions.
    pub fn expr_ids(&self, list: List) -> impl Iterator<Item = ExprId> + '_ {
        list.slice(&self.ids).iter().map(|id| ExprId(*id))
    }

    /// Members of a list of patterns.
    pub fn pat_ids(&self, list: List) -> impl Iterator<Item = PatId> + '_ {
        list.slice(&self.ids).iter().map(|id| PatId(*id))
    }

    /// Members of a list of paths.
    pub fn path_ids(&self, list: List) -> impl Iterator<Item = PathId> + '_ {
        list.slice(&self.ids).iter().map(|id| PathId(*id))
    }

    pub fn named_by(&self, item: &ItemUses) -> impl Iterator<Item = &str> {
        item.named.slice(&self.named).iter().map(|name| self.name(*name))
    }

    /// Every name that the uses mention, sorted: what differs elsewhere can matter here only if its
    /// name is among them, that of an item of an impl here, or of what leads to its type.
    pub fn mentioned(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.names.iter().map(|name| &**name).collect();
        names.sort_unstable();
        names
    }
}
