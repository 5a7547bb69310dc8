//! The outermost parts of types, by which impls are found.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::reads;
use super::types::{Def, Name, Type};

/// The outermost part of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Head {
    Def(Def),
    #[serde(with = "shared_text")]
    External(Arc<str>),
    Prim(Name),
    Ref,
    Ptr,
    Slice,
    Array,
    Tuple,
    Fn,
    Dyn(Def),
}

impl Head {
    pub(super) fn from_type(ty: &Type) -> Option<Head> {
        reads::read_type(ty);
        Some(match ty {
            Type::Adt(def, _) => Head::Def(*def),
            Type::External(path, _) => Head::External(path.clone()),
            Type::Prim(name) => Head::Prim(*name),
            Type::Ref(..) => Head::Ref,
            Type::Ptr(..) => Head::Ptr,
            Type::Slice(_) => Head::Slice,
            Type::Array(_) => Head::Array,
            Type::Tuple(_) => Head::Tuple,
            Type::Fn(_) => Head::Fn,
            Type::Bounded(bounds) => Head::Dyn(bounds.first()?.def()?),
            _ => return None,
        })
    }
}

mod shared_text {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Arc<str>, D::Error> {
        Ok(String::deserialize(from)?.into())
    }
}
