//! Inferred types.

use std::cell::Cell;
use std::sync::Arc;

pub(super) use crate::ids::{Def, Name};

/// Index of `Self` among the parameters of a trait.
pub(super) const SELF: u32 = u32::MAX;

/// Path of the type of a projection, whose argument is the struct.
pub(super) const PROJECTION: &str = "!pin";

/// Parts that a type may have, each as often as it occurs. Parts are shared, so calls that pair a value
/// with itself double them for a few bytes; a type of more is unknown.
pub(super) const MAX_PARTS: u32 = 4096;

/// Arguments of a type. Lifetimes do not count; arguments that are not known are unknown.
pub(super) type Args = Arc<[Type]>;

/// A type, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Type {
    Unknown,
    Never,
    /// A type variable of this body.
    Var(u32),
    /// A struct, enum or union.
    Adt(Def, Args),
    /// A type of a dependency, by its path.
    External(Arc<str>, Args),
    /// `u8`, `str`, `bool`, …
    Prim(Name),
    Ref(Borrow, Arc<Type>),
    Ptr(Borrow, Arc<Type>),
    Slice(Arc<Type>),
    Array(Arc<Type>),
    Tuple(Args),
    /// Callable types: function pointers, closures, functions.
    Fn(Arc<Callable>),
    /// A generic parameter: its owner and its index there.
    Param(Def, u32),
    /// `dyn A + B`, `impl A + B`.
    Bounded(Arc<[Bound]>),
    /// `T::Name`, `<T as Trait>::Name`.
    Assoc(Arc<(Type, Option<Bound>, Name)>),
}

/// The signature of a definition, lowered.
#[derive(Debug, Default)]
pub(super) struct Sig {
    /// Generic parameters, const ones included.
    pub generics: Vec<Name>,
    pub defaults: Vec<Option<Type>>,
    /// Bounds of `where` and of the parameters.
    pub preds: Vec<(Type, Vec<Bound>)>,
    /// Types of parameters, the receiver's included.
    pub params: Vec<Type>,
    pub receiver: bool,
    /// What a function returns; the type of a field or value; target of an alias; the type that
    /// an impl is for.
    pub ty: Option<Type>,
    /// Supertraits; bounds of an associated type.
    pub bounds: Vec<Bound>,
    /// The trait of an impl.
    pub of_trait: Option<Bound>,
    pub derives: Vec<TraitRef>,
    /// Whether `#[pin]` marks a field.
    pub is_pinned: bool,
    /// Names of the types that an attribute makes of this one for its projections.
    pub projections: Vec<Name>,
}

/// Kind of a reference or raw pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Borrow {
    /// A pattern matches through one, of either kind.
    Unknown,
    Shared,
    Mutable,
}

impl Borrow {
    pub(super) fn from_mutability(mutable: bool) -> Self {
        if mutable { Borrow::Mutable } else { Borrow::Shared }
    }

    /// Whether both can be the same.
    pub(super) fn meets(self, other: Borrow) -> bool {
        self == other || self == Borrow::Unknown || other == Borrow::Unknown
    }
}

/// A function as a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Callable {
    pub params: Vec<Type>,
    pub ret: Type,
}

/// What is known of a literal without a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Literal {
    No,
    Int,
    Float,
}

/// The right operand of an operator, or what is in the brackets of an index.
#[derive(Debug)]
pub(super) struct Operand {
    pub ty: Type,
    pub literal: Literal,
}

/// A trait with its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub of: TraitRef,
    pub args: Args,
    /// `Name = Type`.
    pub assoc: Vec<(Name, Type)>,
}

/// Which trait.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TraitRef {
    Def(Def),
    External(Arc<str>),
    Unknown,
}

/// No arguments.
pub(super) fn none() -> Args {
    Arc::from([])
}

impl Type {
    pub(super) fn unit() -> Type {
        Type::Tuple(none())
    }

    pub(super) fn reference(kind: Borrow, to: Type) -> Type {
        Type::Ref(kind, Arc::new(to))
    }

    /// The type that a projection is of.
    pub(super) fn projected(&self) -> Option<&Type> {
        match self {
            Type::External(path, args) if **path == *PROJECTION => args.first(),
            _ => None,
        }
    }

    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Type::Unknown)
    }

    /// This type with its parts replaced by `change`, from the outside in: for `None`, the parts of
    /// a part are changed. Unknown if it has too many.
    pub(super) fn map(&self, change: &mut dyn FnMut(&Type) -> Option<Type>) -> Type {
        let left = Cell::new(MAX_PARTS);
        let mapped = self.map_within(&left, change);
        if left.get() == 0 { Type::Unknown } else { mapped }
    }

    /// As [`Self::map`], with the number of parts that are left; at none, the result is not complete.
    pub(super) fn map_within(
        &self,
        left: &Cell<u32>,
        change: &mut dyn FnMut(&Type) -> Option<Type>,
    ) -> Type {
        if left.get() == 0 {
            return Type::Unknown;
        }
        left.set(left.get() - 1);
        if let Some(changed) = change(self) {
            return changed;
        }
        let mut each =
            |args: &Args| -> Args { args.iter().map(|a| a.map_within(left, change)).collect() };
        match self {
            Type::Adt(def, args) if !args.is_empty() => Type::Adt(*def, each(args)),
            Type::External(path, args) if !args.is_empty() => {
                Type::External(path.clone(), each(args))
            }
            Type::Tuple(args) if !args.is_empty() => Type::Tuple(each(args)),
            Type::Ref(kind, to) => Type::Ref(*kind, Arc::new(to.map_within(left, change))),
            Type::Ptr(kind, to) => Type::Ptr(*kind, Arc::new(to.map_within(left, change))),
            Type::Slice(of) => Type::Slice(Arc::new(of.map_within(left, change))),
            Type::Array(of) => Type::Array(Arc::new(of.map_within(left, change))),
            Type::Fn(of) => Type::Fn(Arc::new(Callable {
                params: of.params.iter().map(|p| p.map_within(left, change)).collect(),
                ret: of.ret.map_within(left, change),
            })),
            Type::Bounded(bounds) => {
                Type::Bounded(bounds.iter().map(|bound| bound.map_within(left, change)).collect())
            }
            Type::Assoc(of) => {
                let (base, bound, name) = &**of;
                let bound = bound.as_ref().map(|bound| bound.map_within(left, change));
                Type::Assoc(Arc::new((base.map_within(left, change), bound, *name)))
            }
            _ => self.clone(),
        }
    }

    /// Whether this type or a part of it is so. Of a type with too many parts, some may be.
    pub(super) fn any(&self, is: &mut dyn FnMut(&Type) -> bool) -> bool {
        self.any_within(&mut { MAX_PARTS }, is)
    }

    fn any_within(&self, left: &mut u32, is: &mut dyn FnMut(&Type) -> bool) -> bool {
        if *left == 0 || is(self) {
            return true;
        }
        *left -= 1;
        self.any_part(&mut |part| part.any_within(left, is))
    }

    /// Whether one of the types that this one is made of is so.
    pub(super) fn any_part(&self, is: &mut dyn FnMut(&Type) -> bool) -> bool {
        match self {
            Type::Adt(_, args) | Type::External(_, args) | Type::Tuple(args) => args.iter().any(is),
            Type::Ref(_, to) | Type::Ptr(_, to) | Type::Slice(to) | Type::Array(to) => is(to),
            Type::Fn(of) => of.params.iter().any(&mut *is) || is(&of.ret),
            Type::Bounded(bounds) => bounds.iter().any(|bound| bound.any_part(is)),
            Type::Assoc(of) => {
                let (base, bound, _) = &**of;
                is(base) || bound.as_ref().is_some_and(|bound| bound.any_part(is))
            }
            _ => false,
        }
    }
}

impl Bound {
    /// A trait without arguments.
    pub(super) fn plain(of: Def) -> Bound {
        Bound { of: TraitRef::Def(of), args: none(), assoc: Vec::new() }
    }

    pub(super) fn map(&self, change: &mut dyn FnMut(&Type) -> Option<Type>) -> Bound {
        self.map_parts(&mut |part| part.map(change))
    }

    fn map_within(&self, left: &Cell<u32>, change: &mut dyn FnMut(&Type) -> Option<Type>) -> Bound {
        self.map_parts(&mut |part| part.map_within(left, change))
    }

    fn map_parts(&self, map: &mut dyn FnMut(&Type) -> Type) -> Bound {
        Bound {
            of: self.of.clone(),
            args: self.args.iter().map(&mut *map).collect(),
            assoc: self.assoc.iter().map(|(name, ty)| (*name, map(ty))).collect(),
        }
    }

    /// Whether one of its arguments is so.
    pub(super) fn any_part(&self, is: &mut dyn FnMut(&Type) -> bool) -> bool {
        self.args.iter().any(&mut *is) || self.assoc.iter().any(|(_, ty)| is(ty))
    }

    pub(super) fn def(&self) -> Option<Def> {
        match self.of {
            TraitRef::Def(def) => Some(def),
            _ => None,
        }
    }
}
