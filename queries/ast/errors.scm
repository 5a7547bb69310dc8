; How errors are handled: functions that return a Result, `?`, matches on Ok and Err, unwrap and
; expect.
(function_item
  name: (identifier) @name
  return_type: (generic_type
    type: [(type_identifier) (scoped_type_identifier)] @result (#match? @result "Result$")))
(try_expression) @try
(match_arm
  pattern: (match_pattern
    (tuple_struct_pattern
      type: (identifier) @arm (#any-of? @arm "Ok" "Err"))))
(call_expression
  function: (field_expression
    field: (field_identifier) @panics (#any-of? @panics "unwrap" "expect")))
