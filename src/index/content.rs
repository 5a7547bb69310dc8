//! Rows that depend on an item's content: `node`, `module`, `layout`, `metric`, `condition`.

use std::collections::{BTreeMap, BTreeSet};

use asof_model::{
    Condition, FileFacts, Header, ItemFacts, Micros, NodeId, NodeKind, OrNever, TreeItem,
};
use asof_resolve::{CrateMaps, Def, Input, InstanceId, Node};
use asof_store::{Batch, StoreError, Value};

/// Value columns of a row, in the order of the schema.
pub(super) type Columns = Vec<Value>;

/// Content rows by key.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Content {
    pub nodes: BTreeMap<NodeId, Columns>,
    pub modules: BTreeMap<NodeId, Columns>,
    pub layouts: BTreeMap<NodeId, Columns>,
    pub metrics: BTreeMap<NodeId, Columns>,
    pub conditions: BTreeMap<NodeId, Columns>,
}

/// Ids of the items whose rows are asked for.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// All rows but those of `layout`.
    pub rows: BTreeSet<NodeId>,
    pub layouts: BTreeSet<NodeId>,
}

impl Wanted {
    /// Asks for all rows of an item.
    pub fn insert(&mut self, id: NodeId) {
        self.rows.insert(id);
        self.layouts.insert(id);
    }
}

/// Indices of the columns of `node` that depend on the item's text alone, for [`refresh_node`].
mod column {
    pub const SIGNATURE: usize = 7;
    pub const DOCS: usize = 8;
    pub const TRACKING_HASH: usize = 10;
    pub const SHAPE_HASH: usize = 11;
    pub const ATTRS: usize = 12;
    pub const GENERICS: usize = 13;
    pub const PARAMS: usize = 14;
    pub const TEXT_HASH: usize = 16;
    pub const IN_TEST: usize = 17;
}

/// The hash of the text in a row of `node`; null if it is part of the parent's.
pub(super) fn text_hash_in(columns: &Columns) -> Option<&Value> {
    columns.get(column::TEXT_HASH)
}

/// Whether two rows of `node` are the same version of an item, apart from whether it is test code,
/// which may depend only on its container.
pub(super) fn same_version(old: &Columns, new: &Columns) -> bool {
    old.get(..column::IN_TEST) == new.get(..column::IN_TEST)
}

impl Content {
    /// Adds the rows of one instance of a file; only some, if they are given.
    pub fn add(
        &mut self,
        input: &Input<'_>,
        assembly: &CrateMaps,
        instance: InstanceId,
        facts: &FileFacts,
        wanted: Option<&Wanted>,
    ) {
        let is_row = |owned: &Owned<'_>| wanted.is_none_or(|all| all.rows.contains(&owned.node.id));
        let is_layout = |id: NodeId| wanted.is_none_or(|all| all.layouts.contains(&id));
        let owned = owned(input, assembly, instance, facts).filter(is_row);
        for Owned { node, item, declaration } in owned {
            self.nodes
                .insert(node.id, node_columns(assembly, node, item, declaration, &facts.path));
            self.metrics.extend(metric_columns(item).map(|columns| (node.id, columns)));
            let condition = assembly.condition(node);
            if !condition.is_always() {
                self.conditions.insert(node.id, condition_columns(condition));
            }
            if node.kind == NodeKind::Module {
                self.modules.insert(node.id, module_columns(assembly, node, item));
            }
        }
        let ids = |at: u32| -> Vec<NodeId> {
            let own = assembly.node_of(instance, at).map(|n| n.id);
            let twins = assembly.variants.get(&(instance, at)).into_iter().flatten();
            let twins = twins.filter_map(|n| assembly.nodes.get(*n)).map(|n| n.id);
            own.into_iter().chain(twins).collect()
        };
        self.layouts.extend(layouts(facts, &ids, &is_layout));
    }

    /// The rows, where there are none yet.
    pub fn first(self, at: Micros) -> Result<Batch, StoreError> {
        let Self { nodes, modules, layouts, metrics, conditions } = self;
        let relations = [
            ("node", nodes),
            ("module", modules),
            ("layout", layouts),
            ("metric", metrics),
            ("condition", conditions),
        ];
        let mut batch = Batch::new();
        for (relation, rows) in relations {
            for (id, values) in rows {
                batch.assert(relation, at, [id.into()], values)?;
            }
        }
        Ok(batch)
    }
}

/// An item with its node, and the declaration of the file whose module it is.
pub(super) struct Owned<'a> {
    pub node: &'a Node,
    pub item: &'a ItemFacts,
    pub declaration: Option<Declaration<'a>>,
}

/// Where a module in a file of its own is declared.
#[derive(Clone, Copy)]
pub(super) struct Declaration<'a> {
    /// A `mod`, or a macro call.
    item: &'a TreeItem,
    visibility: &'a str,
}

/// The items of one instance of a file whose bodies are in that file.
pub(super) fn owned<'a>(
    input: &Input<'a>,
    assembly: &'a CrateMaps,
    instance: InstanceId,
    facts: &'a FileFacts,
) -> impl Iterator<Item = Owned<'a>> {
    let items = facts.items.iter().enumerate();
    items.filter_map(move |(at, item)| {
        let node = assembly.node_of(instance, at as u32)?;
        let body_elsewhere = at != 0 && (node.instance, node.item) != (instance, at as u32);
        let declaration = declared(input, node);
        (!body_elsewhere).then_some(Owned { node, item, declaration })
    })
}

/// What the declaration of a file's module adds to.
pub(super) struct Head<'a> {
    pub visibility: &'a str,
    pub signature: String,
    pub docs: String,
    pub cfg: String,
    pub attrs: Vec<&'a str>,
}

impl<'a> Head<'a> {
    pub fn new(node: &Node, item: &'a ItemFacts, declaration: Option<Declaration<'a>>) -> Self {
        let mut head = Self {
            visibility: &item.visibility,
            signature: item.signature.clone(),
            docs: item.docs.clone(),
            cfg: item.cfg.clone(),
            attrs: Vec::new(),
        };
        if let Some(Declaration { item: outer, visibility }) = declaration {
            head.visibility = visibility;
            let signature = format!("{} mod {}", head.visibility, node.name);
            signature.trim_start().clone_into(&mut head.signature);
            head.docs = joined(&outer.docs, &item.docs, "\n");
            head.cfg = match (outer.cfg.is_empty(), item.cfg.is_empty()) {
                (false, false) => format!("all({}, {})", outer.cfg, item.cfg),
                _ => joined(&outer.cfg, &item.cfg, ""),
            };
            head.attrs.extend(outer.attrs.iter().map(String::as_str));
        } else if node.parent.is_none() {
            head.signature = format!("crate {}", node.name);
        }
        head.attrs.extend(item.attrs.iter().map(|a| a.text.as_str()));
        head
    }
}

fn declared<'a>(input: &Input<'a>, node: &Node) -> Option<Declaration<'a>> {
    let (by, item) = node.declared_in?;
    let file = input.instances.get(by)?.file;
    let item = input.files.get(file)?.1.items.get(item as usize)?;
    let made = input.instances.get(node.instance)?.made.as_ref();
    let visibility = made.map_or(&item.visibility, |made| &made.visibility);
    Some(Declaration { item, visibility })
}

pub(super) fn id_of(assembly: &CrateMaps, number: Option<Def>) -> Option<NodeId> {
    assembly.nodes.get(number?).map(|n| n.id)
}

fn node_columns(
    assembly: &CrateMaps,
    node: &Node,
    item: &ItemFacts,
    declaration: Option<Declaration<'_>>,
    file_path: &str,
) -> Columns {
    let head = Head::new(node, item, declaration);
    vec![
        node.kind.into(),
        node.name.as_str().into(),
        if node.path.is_empty() { Value::Null } else { node.path.as_str().into() },
        id_of(assembly, Some(node.module)).into(),
        id_of(assembly, node.parent).into(),
        file_path.into(),
        head.visibility.into(),
        head.signature.into(),
        head.docs.into(),
        head.cfg.into(),
        item.tracking_hash.into(),
        item.shape_hash.into(),
        attributes(node.id, head.attrs),
        generics(node.id, item),
        params(node.id, item),
        header(&item.header),
        text_hash(item),
        node.in_test.into(),
        item.made.into(),
    ]
}

/// The row of an item's metrics, if it has any.
pub(super) fn metric_columns(item: &ItemFacts) -> Option<Columns> {
    let metrics = item.metrics.as_deref()?;
    let complexity = metrics.complexity.as_ref();
    let tdg = asof_syntax::Figures::from_metrics(metrics).map(|figures| asof_syntax::tdg(&figures));
    let satd = metrics.satd.iter().map(|satd| {
        Value::List(vec![
            satd.marker.into(),
            satd.severity.as_str().into(),
            satd.byte.into(),
            satd.line.into(),
            satd.text.as_str().into(),
        ])
    });
    Some(vec![
        metrics.loc.into(),
        metrics.code_lines.into(),
        metrics.comment_lines.into(),
        metrics.parameters.into(),
        complexity.map(|c| c.cyclomatic).into(),
        complexity.map(|c| c.cognitive).into(),
        complexity.map(|c| c.nesting).into(),
        complexity.map(|c| c.big_o.as_str()).into(),
        complexity.map(|c| c.big_o_reason.as_str()).into(),
        tdg.as_ref().map(|tdg| tdg.score).into(),
        tdg.as_ref().map(|tdg| tdg.grade).into(),
        Value::List(satd.collect()),
    ])
}

fn condition_columns(condition: &Condition) -> Columns {
    let alternatives = condition.alternatives().map(Value::list).collect();
    vec![condition.to_string().into(), Value::List(alternatives), condition.is_whole().into()]
}

fn text_hash(item: &ItemFacts) -> Value {
    item.text.as_ref().map(|(hash, _)| *hash).into()
}

fn joined(a: &str, b: &str, between: &str) -> String {
    match (a.is_empty(), b.is_empty()) {
        (false, false) => format!("{a}{between}{b}"),
        (true, _) => b.to_owned(),
        (_, true) => a.to_owned(),
    }
}

fn attributes<'a>(id: NodeId, attrs: impl IntoIterator<Item = &'a str>) -> Value {
    let list = attrs
        .into_iter()
        .enumerate()
        .map(|(n, text)| Value::List(vec![id.child(&format!("attr\0{n}")).into(), text.into()]));
    Value::List(list.collect())
}

fn generics(id: NodeId, item: &ItemFacts) -> Value {
    let list = item.generics.iter().map(|g| {
        Value::List(vec![
            id.child(&format!("generic\0{}", g.name)).into(),
            g.name.as_str().into(),
            g.kind.into(),
            g.bounds.as_str().into(),
        ])
    });
    Value::List(list.collect())
}

fn params(id: NodeId, item: &ItemFacts) -> Value {
    let list = item.params.iter().enumerate().map(|(n, p)| {
        Value::List(vec![
            id.child(&format!("param\0{n}")).into(),
            p.name.as_str().into(),
            p.ty.as_str().into(),
        ])
    });
    Value::List(list.collect())
}

fn header(header: &Header) -> Value {
    match header {
        Header::None => Value::Json(serde_json::Value::Null),
        header => Value::Json(serde_json::to_value(header).or_never("a header has a JSON form")),
    }
}

fn module_columns(assembly: &CrateMaps, node: &Node, item: &ItemFacts) -> Columns {
    let parent = node.parent.and_then(|p| assembly.nodes.get(p)).map(|p| p.module);
    let mut path = Vec::new();
    let mut root = node;
    let mut at = Some(node);
    while let Some(module) = at {
        root = module;
        let above = module.parent.and_then(|p| assembly.nodes.get(p)).map(|p| p.module);
        path.push(if above.is_some() { module.name.as_str() } else { "crate" });
        at = above.and_then(|m| assembly.nodes.get(m));
    }
    path.reverse();
    let kind = match (parent, node.declared_in) {
        (None, _) => "root",
        (_, Some(_)) => "file",
        _ if node.path.is_empty() => "repeat",
        // A declaration whose file is missing is not an inline module, though it has no file.
        _ if matches!(item.header, Header::Module { inline: false, .. }) => "missing",
        _ => "inline",
    };
    vec![
        Value::list(path),
        id_of(assembly, parent).into(),
        kind.into(),
        root.id.into(),
        item.tracking_hash.into(),
    ]
}

/// The layout rows of the wanted containers of a file. `ids` gives the node of an item, and those
/// of the further files of a module's declaration.
pub(super) fn layouts(
    facts: &FileFacts,
    ids: &dyn Fn(u32) -> Vec<NodeId>,
    is_wanted: &dyn Fn(NodeId) -> bool,
) -> BTreeMap<NodeId, Columns> {
    let owner_id = |at: u32| ids(at).first().copied().filter(|id| is_wanted(*id));
    let mut containers: BTreeMap<u32, (Option<NodeId>, Vec<Value>)> = BTreeMap::new();
    for (at, item) in facts.items.iter().enumerate().skip(1) {
        let Some(owner) = facts.items.get(item.parent as usize) else { continue };
        let container = containers.entry(item.parent);
        let (id, children) = container.or_insert_with(|| (owner_id(item.parent), Vec::new()));
        if id.is_some() {
            children.extend(ids(at as u32).into_iter().map(|id| entry(id, owner, item)));
        }
    }
    let row = |(id, children): (Option<NodeId>, Vec<Value>)| {
        (!children.is_empty()).then_some((id?, vec![slots(&children), Value::List(children)]))
    };
    containers.into_values().filter_map(row).collect()
}

/// The children in a layout row, with their positions.
pub(super) fn layout_children(row: &Columns) -> impl Iterator<Item = (NodeId, &serde_json::Value)> {
    let children = match row.get(1) {
        Some(Value::List(children)) => children.as_slice(),
        _ => &[],
    };
    children.iter().filter_map(|child| match child {
        Value::List(entry) => match entry.as_slice() {
            [Value::Uuid(id), Value::Json(place)] => Some((NodeId(*id), place)),
            _ => None,
        },
        _ => None,
    })
}

/// The index of each entry by id, so that a query finds one child without unnesting all.
fn slots(entries: &[Value]) -> Value {
    let mut slots = serde_json::Map::new();
    for (at, entry) in entries.iter().enumerate() {
        if let Value::List(entry) = entry
            && let Some(Value::Uuid(id)) = entry.first()
        {
            slots.insert(id.to_string(), at.into());
        }
    }
    Value::Json(serde_json::Value::Object(slots))
}

fn entry(id: NodeId, owner: &ItemFacts, item: &ItemFacts) -> Value {
    let place = item.span.relative_to(&owner.span);
    let parts = item
        .attrs
        .iter()
        .map(|a| &a.span)
        .chain(item.generics.iter().map(|g| &g.span))
        .chain(item.params.iter().map(|p| &p.span))
        .flat_map(|s| [s.start_byte, s.end_byte, s.start_line, s.end_line]);
    let place = serde_json::json!([
        place.start_byte,
        place.end_byte,
        place.start_line,
        place.end_line,
        item.name_start.saturating_sub(item.span.start_byte),
        item.name_line.saturating_sub(item.span.start_line),
        item.text.as_ref().map(|(hash, _)| hash.as_str()),
        parts.collect::<Vec<u32>>(),
        item.column_in(owner),
    ]);
    Value::List(vec![id.into(), Value::Json(place)])
}

/// The row of an item whose item tree is unchanged: the old one with the columns that depend on its
/// text.
pub(super) fn refresh_node(old: &Columns, id: NodeId, at: usize, item: &ItemFacts) -> Columns {
    let mut new = old.clone();
    let mut set = |column: usize, value: Value| {
        if let Some(slot) = new.get_mut(column) {
            *slot = value;
        }
    };
    set(column::TRACKING_HASH, item.tracking_hash.into());
    set(column::SHAPE_HASH, item.shape_hash.into());
    set(column::TEXT_HASH, text_hash(item));
    if at != 0 {
        // For the module of a file, these are part of the item tree.
        set(column::SIGNATURE, item.signature.as_str().into());
        set(column::DOCS, item.docs.as_str().into());
        set(column::ATTRS, attributes(id, item.attrs.iter().map(|a| a.text.as_str())));
        set(column::GENERICS, generics(id, item));
        set(column::PARAMS, params(id, item));
    }
    new
}

/// The row of a module whose item tree is unchanged.
pub(super) fn refresh_module(old: &Columns, item: &ItemFacts) -> Columns {
    let mut new = old.clone();
    if let Some(slot) = new.last_mut() {
        *slot = item.tracking_hash.into();
    }
    new
}
