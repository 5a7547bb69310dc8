//! What the build script makes of the headers of `queries/`: the programs that are compiled in,
//! row types, and a method of [`Queries`] for each program with a `@row`.

use serde_json::Value as Json;

use super::error::QueryError;
use super::queries::Queries;
use super::stored_use::StoredUse;
use crate::model::{
    Micros, Namespace, NodeId, NodeKind, RawHash, RefKind, RevisionId, ShapeHash, TextHash,
    TrackingHash,
};
use crate::store::{FromRow, Row, Store, StoreError, Value};

include!(concat!(env!("OUT_DIR"), "/programs.rs"));
