; Fields of structs. A struct without fields has a match without `@field`.
(struct_item
  name: (type_identifier) @struct
  body: (field_declaration_list
    (field_declaration
      name: (field_identifier) @field
      type: (_) @type)))
(struct_item
  name: (type_identifier) @struct
  body: (ordered_field_declaration_list
    type: (_) @type))
(struct_item
  name: (type_identifier) @struct
  !body)
