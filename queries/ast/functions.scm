; Functions and methods, with parameters and return type.
(function_item
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @return) @function
(function_signature_item
  name: (identifier) @name
  parameters: (parameters) @parameters
  return_type: (_)? @return) @function
