//! Maps kinds of items to those of the specification.

use asof_model::NodeKind;
use gen_lsp_types::SymbolKind;

pub fn is_called(kind: NodeKind) -> bool {
    use NodeKind::{Function, Macro, Method, Struct, Variant};
    matches!(kind, Function | Method | Struct | Variant | Macro)
}

pub fn symbol_kind(kind: NodeKind) -> SymbolKind {
    match kind {
        NodeKind::Module | NodeKind::ExternCrate => SymbolKind::Module,
        NodeKind::Struct | NodeKind::Union => SymbolKind::Struct,
        NodeKind::Enum => SymbolKind::Enum,
        NodeKind::Variant => SymbolKind::EnumMember,
        NodeKind::Trait | NodeKind::TraitAlias => SymbolKind::Interface,
        NodeKind::Method => SymbolKind::Method,
        NodeKind::Function | NodeKind::Macro => SymbolKind::Function,
        NodeKind::Field => SymbolKind::Field,
        NodeKind::Const | NodeKind::Static | NodeKind::AssocConst => SymbolKind::Constant,
        NodeKind::TypeAlias | NodeKind::AssocType | NodeKind::ForeignType => {
            SymbolKind::TypeParameter
        }
        NodeKind::Impl => SymbolKind::Object,
        _ => SymbolKind::Namespace,
    }
}
