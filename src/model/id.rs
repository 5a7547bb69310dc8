//! Newtyped identifiers: the wrong id does not compile.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Namespace of every id that `asof` derives (RFC 9562, version 5).
const ROOT: Uuid = Uuid::from_u128(0x8f0c_3f3e_52c8_5d0b_9a41_6173_6f66_0001);

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "format": "uuid" })
            }
        }
    };
}

id_type! {
    /// Identity of a definition: stable over its versions, derived from where it is defined,
    /// never from its content or from an absolute path.
    NodeId
}
id_type! {
    /// Identity of a revision.
    RevisionId
}
id_type! {
    /// Identity of a project: independent of the folder it is in.
    Namespace
}

impl Namespace {
    /// The namespace of the project of this name.
    pub fn of_project(name: &str) -> Self {
        Self(Uuid::new_v5(&ROOT, format!("project\0{name}").as_bytes()))
    }
}

impl NodeId {
    /// Id of the root module of a target: package, target kind and target name.
    pub fn of_target(package: &str, target_kind: &str, target: &str) -> Self {
        Self(Uuid::new_v5(&ROOT, format!("target\0{package}\0{target_kind}\0{target}").as_bytes()))
    }

    /// Id of a definition outside of the workspace, by its full path.
    pub fn of_external(path: &str) -> Self {
        Self(Uuid::new_v5(&ROOT, format!("external\0{path}").as_bytes()))
    }

    /// Id of the unknown thing that a text names.
    pub fn of_unknown(text: &str) -> Self {
        Self(Uuid::new_v5(&ROOT, format!("unknown\0{text}").as_bytes()))
    }

    /// Id of a child: the key names it among its siblings (namespace of names, name, and an
    /// impl header, cfg predicate or ordinal where those are not enough).
    pub fn child(self, key: &str) -> Self {
        Self(Uuid::new_v5(&self.0, key.as_bytes()))
    }
}

impl RevisionId {
    /// Id of the revision at this time (microseconds since 1970), of a project.
    pub fn at(namespace: Namespace, at: i64) -> Self {
        Self(Uuid::new_v5(&namespace.0, format!("revision\0{at}").as_bytes()))
    }
}
