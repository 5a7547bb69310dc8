; Variants of enums.
(enum_item
  name: (type_identifier) @enum
  body: (enum_variant_list
    (enum_variant
      name: (identifier) @variant
      body: (_)? @fields)))
