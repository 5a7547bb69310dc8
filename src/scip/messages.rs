//! The messages of [SCIP] that are written and read, with the field numbers of `scip.proto` 0.10.
//! Fields that are left out are neither.
//!
//! [SCIP]: https://github.com/scip-code/scip

use prost::{Message, Oneof};

#[derive(Clone, PartialEq, Message)]
pub struct Index {
    #[prost(message, optional, tag = "1")]
    pub metadata: Option<Metadata>,
    #[prost(message, repeated, tag = "2")]
    pub documents: Vec<Document>,
    #[prost(message, repeated, tag = "3")]
    pub external_symbols: Vec<SymbolInformation>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Metadata {
    #[prost(message, optional, tag = "2")]
    pub tool_info: Option<ToolInfo>,
    #[prost(string, tag = "3")]
    pub project_root: String,
    /// 1: UTF-8.
    #[prost(int32, tag = "4")]
    pub text_document_encoding: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct ToolInfo {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub version: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Document {
    #[prost(string, tag = "1")]
    pub relative_path: String,
    #[prost(message, repeated, tag = "2")]
    pub occurrences: Vec<Occurrence>,
    #[prost(message, repeated, tag = "3")]
    pub symbols: Vec<SymbolInformation>,
    #[prost(string, tag = "4")]
    pub language: String,
    /// 1: UTF-8 bytes from the start of the line.
    #[prost(int32, tag = "6")]
    pub position_encoding: i32,
    /// Not in `scip.proto`, and so passed over by others: the hash of the file's bytes.
    #[prost(string, tag = "1001")]
    pub text_hash: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Occurrence {
    #[prost(int32, repeated, tag = "1")]
    pub range: Vec<i32>,
    #[prost(string, tag = "2")]
    pub symbol: String,
    /// Sum of [`DEFINITION`], [`IMPORT`] and others.
    #[prost(int32, tag = "3")]
    pub symbol_roles: i32,
    #[prost(int32, repeated, tag = "7")]
    pub enclosing_range: Vec<i32>,
    #[prost(oneof = "TypedRange", tags = "8, 9")]
    pub typed_range: Option<TypedRange>,
}

pub const DEFINITION: i32 = 1;
pub const IMPORT: i32 = 2;
pub const TEST: i32 = 32;

#[derive(Clone, PartialEq, Oneof)]
pub enum TypedRange {
    #[prost(message, tag = "8")]
    SingleLine(SingleLineRange),
    #[prost(message, tag = "9")]
    MultiLine(MultiLineRange),
}

#[derive(Clone, PartialEq, Message)]
pub struct SingleLineRange {
    #[prost(int32, tag = "1")]
    pub line: i32,
    #[prost(int32, tag = "2")]
    pub start_character: i32,
    #[prost(int32, tag = "3")]
    pub end_character: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct MultiLineRange {
    #[prost(int32, tag = "1")]
    pub start_line: i32,
    #[prost(int32, tag = "2")]
    pub start_character: i32,
    #[prost(int32, tag = "3")]
    pub end_line: i32,
    #[prost(int32, tag = "4")]
    pub end_character: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct SymbolInformation {
    #[prost(string, tag = "1")]
    pub symbol: String,
    #[prost(string, repeated, tag = "3")]
    pub documentation: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    pub relationships: Vec<Relationship>,
    /// `SymbolInformation.Kind`; 0 is unspecified.
    #[prost(int32, tag = "5")]
    pub kind: i32,
    #[prost(string, tag = "6")]
    pub display_name: String,
    #[prost(message, optional, tag = "7")]
    pub signature_documentation: Option<Signature>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Relationship {
    #[prost(string, tag = "1")]
    pub symbol: String,
    #[prost(bool, tag = "3")]
    pub is_implementation: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct Signature {
    #[prost(string, tag = "4")]
    pub language: String,
    #[prost(string, tag = "5")]
    pub text: String,
}
