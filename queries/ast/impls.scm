; Impl blocks: the type, and the trait of trait impls.
(impl_item
  trait: (_)? @trait
  type: (_) @type) @impl
