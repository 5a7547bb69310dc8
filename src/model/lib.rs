//! Plain data that every other folder uses: ids, hashes, kinds, spans, time, facts.
//! It imports nothing of ours, does not touch the disk, and knows no database.

mod class;
mod collections;
mod condition;
mod configuration;
mod document;
mod facts;
mod features;
mod fit;
mod hash;
mod hint;
mod id;
mod identifier;
mod item_tree;
mod keyword;
mod kind;
mod made_item;
mod metrics;
mod named;
mod never;
mod packages;
mod predicate;
mod reference;
mod region;
mod span;
mod stored_tree;
mod time;
mod uses;

pub use class::Class;
pub use collections::{HashMap, HashSet};
pub use condition::{Condition, Flags};
pub use configuration::{CompiledIn, Configuration, UnknownTarget};
pub use document::{Section, Sections, file_stem, is_document};
pub use facts::{
    Attr, Block, FileFacts, GenericParam, Header, Issue, IssueKind, ItemFacts, Param, PathRef,
    UseLeaf,
};
pub use features::{UnifiedFeatures, UnknownFeature, WantedFeatures};
pub use hash::{HASH_LEN, HashParseError, RawHash, ShapeHash, TextHash, TrackingHash};
pub use hint::{ErrorKind, Filter, Hint};
pub use id::{Namespace, NodeId, RevisionId};
pub use identifier::{identifier_parts, normalize_identifier};
pub use item_tree::{ItemTree, TreeItem};
pub use keyword::is_keyword;
pub use kind::{NodeKind, PRIMITIVES, UnknownKind};
pub use made_item::MadeItem;
pub use metrics::{Complexity, Metrics, Satd, Severity};
pub use never::OrNever;
#[doc(hidden)]
pub use never::report_never;
pub use packages::{
    Features, MemberDependency, Package, SourceFile, Target, TargetKind, WorkspaceKind,
    WorkspaceLayout,
};
pub use predicate::{Flag, Predicate};
pub use reference::{Occurrence, RefKind, RefTarget, Reference, UnknownRefKind};
pub use region::Region;
pub use span::{ByteRange, PartSpan, Span};
pub use stored_tree::StoredTree;
pub use time::Micros;
pub use uses::{
    Arg, Arm, AttrUse, BinOp, Binding, BlockKind, CallId, CallTokens, Expr, ExprId, FieldUse,
    FileUses, GenericUse, ItemUses, Limits, List, Lit, Mention, Operator, ParamUse, Pat, PatId,
    PathId, Pred, Seg, Stmt, Sym, TemplateUse, Ty, TypeId, UnOp, UsePath,
};
