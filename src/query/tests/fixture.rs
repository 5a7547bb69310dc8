//! Small stores made by hand: nodes in a tree, their occurrences computed.

use std::collections::BTreeMap;

use serde_json::json;
use uuid::Uuid;

use asof_model::{Micros, Namespace, NodeId, RawHash, ShapeHash, TextHash, TrackingHash};
use asof_store::{Batch, Store, Value};

pub(super) const AT: Micros = Micros(1_000);

/// The id of a key of the fixture.
pub(super) fn id(key: &str) -> NodeId {
    NodeId(Uuid::new_v5(&Uuid::nil(), key.as_bytes()))
}

/// A definition, its place given by its file and its place in the parent.
#[derive(Debug, Clone, Default)]
pub(super) struct Item {
    key: String,
    kind: &'static str,
    name: String,
    path: Option<String>,
    parent: Option<String>,
    module: String,
    file: String,
    /// From and to in bytes, first and last line, from the parent's start.
    place: Option<[u32; 4]>,
    params: Vec<[&'static str; 2]>,
    private: bool,
    cfg: &'static str,
    attrs: Vec<&'static str>,
}

impl Item {
    fn marks_test(&self) -> bool {
        self.cfg == "test" || self.attrs.contains(&"#[test]")
    }
}

/// Facts to be written at one time.
#[derive(Debug, Default)]
pub(super) struct Facts {
    items: Vec<Item>,
    /// Crate of each module.
    roots: BTreeMap<String, String>,
    /// File of each module that is the body of one.
    bodies: BTreeMap<String, String>,
    /// Target, kind, confidence and occurrences of each use of a source.
    uses: BTreeMap<String, Vec<Used>>,
    batch: Batch,
}

type Used = (NodeId, &'static str, u32, Vec<u32>);

fn hash(text: &str) -> TrackingHash {
    TrackingHash::hash(text.as_bytes())
}

impl Facts {
    /// A crate root: the body of a file.
    pub(super) fn krate(&mut self, name: &str, file: &str) {
        self.roots.insert(name.into(), name.into());
        self.bodies.insert(name.into(), file.into());
        self.items.push(Item {
            key: name.into(),
            kind: "module",
            name: name.into(),
            path: Some(name.into()),
            module: name.into(),
            file: file.into(),
            ..Item::default()
        });
        let root = || Value::from(id(name));
        let manifest = if name == "a" { "Cargo.toml" } else { file };
        let target = [manifest, "lib", name, name, file, "2024"].map(Value::from);
        self.batch.assert("target", AT, [root()], target).unwrap();
        self.batch.assert("target_by_crate", AT, [name.into(), root()], []).unwrap();
    }

    /// An item below another; modules and the file follow from the parent.
    pub(super) fn add(&mut self, parent: &str, kind: &'static str, name: &str, place: [u32; 4]) {
        self.keyed(&format!("{parent}::{name}"), parent, kind, name, place);
    }

    /// The same with a key, which is the path too, of one's own.
    pub(super) fn keyed(
        &mut self,
        key: &str,
        parent: &str,
        kind: &'static str,
        name: &str,
        place: [u32; 4],
    ) {
        let above = self.items.iter().find(|i| i.key == parent).unwrap().clone();
        let module = if kind == "module" { key.to_owned() } else { above.module.clone() };
        if kind == "module" {
            let root = self.roots[&above.module].clone();
            self.roots.insert(key.into(), root);
        }
        self.items.push(Item {
            key: key.into(),
            kind,
            name: name.into(),
            path: (kind != "import").then(|| key.into()),
            parent: Some(parent.into()),
            module,
            file: above.file,
            place: Some(place),
            ..Item::default()
        });
    }

    /// A function below a module in a file, the last module that was added: without a search.
    pub(super) fn add_last(&mut self, module: &str, name: &str, place: [u32; 4]) {
        let file = self.bodies[module].clone();
        self.items.push(Item {
            key: format!("{module}::{name}"),
            kind: "function",
            name: name.into(),
            path: Some(format!("{module}::{name}")),
            parent: Some(module.into()),
            module: module.into(),
            file,
            place: Some(place),
            ..Item::default()
        });
    }

    /// Parameters of the last item.
    pub(super) fn params(&mut self, params: &[[&'static str; 2]]) {
        self.items.last_mut().unwrap().params = params.to_vec();
    }

    /// Makes the last item a private one, with a predicate and attributes.
    pub(super) fn private(&mut self, cfg: &'static str, attrs: &[&'static str]) {
        let item = self.items.last_mut().unwrap();
        (item.private, item.cfg, item.attrs) = (true, cfg, attrs.to_vec());
    }

    /// Makes the last item, a module, the body of a file.
    pub(super) fn in_file(&mut self, file: &str) {
        let item = self.items.last_mut().unwrap();
        item.file = file.into();
        self.bodies.insert(item.key.clone(), file.into());
    }

    pub(super) fn edge(&mut self, source: &str, kind: &str, name: &str, target: &str) {
        let (from, to) = (id(source), id(target));
        let key: [Value; 5] = [from.into(), kind.into(), name.into(), to.into(), from.into()];
        self.batch.assert("edge", AT, key, ["test".into(), Value::Float(1.0)]).unwrap();
        let key: [Value; 5] = [to.into(), kind.into(), from.into(), name.into(), from.into()];
        self.batch.assert("edge_in", AT, key, []).unwrap();
    }

    /// A use of a definition, certain to this percent, at these occurrences.
    pub(super) fn uses(
        &mut self,
        source: &str,
        kind: &'static str,
        target: &str,
        percent: u32,
        occurrences: &[u32],
    ) {
        let list = self.uses.entry(source.to_owned()).or_default();
        list.push((id(target), kind, percent, occurrences.to_vec()));
    }

    /// A use of a name from outside.
    pub(super) fn uses_external(&mut self, source: &str, kind: &'static str, text: &str) {
        self.uses_named(source, kind, text, NodeId::of_external(text), true);
    }

    /// A use of a name that nothing explains.
    pub(super) fn uses_unknown(&mut self, source: &str, kind: &'static str, text: &str) {
        self.uses_named(source, kind, text, NodeId::of_unknown(text), false);
    }

    fn uses_named(
        &mut self,
        source: &str,
        kind: &'static str,
        text: &str,
        target: NodeId,
        external: bool,
    ) {
        let row: [Value; 3] = [target.into(), text.into(), external.into()];
        self.batch.put("external_symbol", row).unwrap();
        self.batch.put("external_symbol_by_text", [text.into(), target.into()]).unwrap();
        self.uses.entry(source.to_owned()).or_default().push((target, kind, 100, vec![1, 0, 1]));
    }

    fn write_uses(&mut self) {
        type Users = Vec<Value>;
        let mut users: BTreeMap<(NodeId, String), Users> = BTreeMap::new();
        let files: BTreeMap<&str, &str> =
            self.items.iter().map(|i| (i.key.as_str(), i.file.as_str())).collect();
        for (source, list) in &self.uses {
            let mut refs = Vec::new();
            for (target, kind, confidence, occurrences) in list {
                let (target, confidence) = (*target, *confidence);
                let how = json!([kind, "test", confidence, occurrences.len() / 3, occurrences]);
                refs.push(Value::List(vec![target.into(), Value::Json(how)]));
                let user = vec![id(source).into(), (*kind).into(), confidence.into()];
                let key = (target, files[source.as_str()].to_owned());
                users.entry(key).or_default().push(Value::List(user));
            }
            self.batch
                .assert("refs_by_source", AT, [id(source).into()], [Value::List(refs)])
                .unwrap();
        }
        for ((target, file), list) in users {
            let key = [target.into(), file.into()];
            self.batch.assert("refs_by_target", AT, key, [Value::List(list)]).unwrap();
        }
    }

    /// Rows other than those that the builder knows.
    pub(super) fn batch(&mut self) -> &mut Batch {
        &mut self.batch
    }

    /// A store with these facts. Every file has 1,000 bytes and 100 lines.
    pub(super) fn store(mut self) -> Store {
        self.write_uses();
        let mut children: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
        for item in &self.items {
            if let Some(parent) = &item.parent {
                children.entry(parent).or_default().push(item);
            }
        }
        let batch = &mut self.batch;
        let namespace = Namespace::of_project("test");
        for file in self.bodies.values().collect::<std::collections::BTreeSet<_>>() {
            let raw = RawHash::hash(file.as_bytes());
            let text = TextHash::hash(file.as_bytes());
            let row: [Value; 7] = [
                raw.into(),
                hash(file).into(),
                "item_tree".into(),
                text.into(),
                1000.into(),
                100.into(),
                false.into(),
            ];
            batch.assert("file", AT, [file.as_str().into()], row).unwrap();
        }
        for (key, file) in &self.bodies {
            let (owner, file) = (Value::from(id(key)), Value::from(file.as_str()));
            batch.assert("mod_by_file", AT, [file.clone(), owner.clone()], []).unwrap();
            batch.assert("file_mod", AT, [owner], [file, namespace.into()]).unwrap();
        }
        for item in &self.items {
            let own = id(&item.key);
            let parent = item.parent.as_deref().map(id);
            if item.kind == "module" {
                let path: Vec<Value> = item.key.split("::").skip(1).map(Value::from).collect();
                let path = [vec!["crate".into()], path].concat();
                let kind = match (&parent, self.bodies.contains_key(&item.key)) {
                    (None, _) => "root",
                    (_, true) => "file",
                    (_, false) => "inline",
                };
                let row: [Value; 5] = [
                    path.into(),
                    parent.into(),
                    kind.into(),
                    id(&self.roots[&item.key]).into(),
                    hash(&item.key).into(),
                ];
                batch.assert("module", AT, [own.into()], row).unwrap();
            }
            let shape = ShapeHash::hash(item.kind.as_bytes());
            let attr = |text: &&str| Value::List(vec![own.into(), (*text).into()]);
            let param = |[name, kind]: &[&str; 2]| {
                let param = id(&format!("{}/{name}", item.key));
                Value::List(vec![param.into(), (*name).into(), (*kind).into()])
            };
            let row: [Value; 19] = [
                item.kind.into(),
                item.name.as_str().into(),
                item.path.as_deref().into(),
                id(&item.module).into(),
                parent.into(),
                item.file.as_str().into(),
                if item.private { "" } else { "pub" }.into(),
                format!("{} {}", item.kind, item.name).into(),
                "Docs.".into(),
                item.cfg.into(),
                hash(&item.key).into(),
                shape.into(),
                Value::List(item.attrs.iter().map(attr).collect()),
                Value::List(vec![]),
                Value::List(item.params.iter().map(param).collect()),
                Value::Json(json!({"is": "none"})),
                match item.kind {
                    "field" | "variant" => Value::Null,
                    _ => TextHash::hash(item.key.as_bytes()).into(),
                },
                self.items.iter().any(|i| i.marks_test() && item.key.starts_with(&i.key)).into(),
                false.into(),
            ];
            batch.assert("node", AT, [own.into()], row).unwrap();
            batch.assert("node_by_name", AT, [item.name.as_str().into(), own.into()], []).unwrap();
            if let Some(path) = &item.path {
                batch.assert("node_by_path", AT, [path.as_str().into(), own.into()], []).unwrap();
            }
        }
        for (owner, items) in children {
            let slots: serde_json::Map<String, serde_json::Value> =
                items.iter().enumerate().map(|(n, i)| (id(&i.key).to_string(), n.into())).collect();
            let entry = |item: &&Item| {
                let [from, to, first, last] = item.place.unwrap();
                let text = match item.kind {
                    "field" | "variant" => None,
                    _ => Some(TextHash::hash(item.key.as_bytes())),
                };
                let parts = (0..item.params.len() as i64).flat_map(|n| [n, n + 1, 0, 0]);
                let (text, parts) = (text.map(|hash| hash.to_string()), parts.collect::<Vec<_>>());
                let place = json!([from, to, first, last, 3, 0, text, parts, 4]);
                Value::List(vec![id(&item.key).into(), Value::Json(place)])
            };
            let list = Value::List(items.iter().map(entry).collect());
            let row = [Value::Json(slots.into()), list];
            batch.assert("layout", AT, [id(owner).into()], row).unwrap();
        }
        let store = Store::in_memory().unwrap();
        store.commit(self.batch).unwrap();
        store
    }
}

/// Two crates. `a` has a file module with a struct, an inline module, impls, re-exports with a
/// rename, and two modules that glob each other; `b` re-exports from `a`.
pub(super) fn two_crates() -> Facts {
    let mut f = Facts::default();
    f.krate("a", "a/src/lib.rs");
    f.add("a", "module", "shape", [10, 20, 1, 1]);
    f.in_file("a/src/shape.rs");
    f.add("a::shape", "struct", "Round", [100, 200, 9, 12]);
    f.add("a::shape::Round", "field", "radius", [20, 30, 1, 1]);
    f.keyed("<a::shape::Round>", "a::shape", "impl", "Round", [300, 400, 29, 39]);
    f.keyed("a::shape::Round::area", "<a::shape::Round>", "method", "area", [10, 60, 2, 5]);
    f.params(&[["self", "&Self"], ["scale", "f64"]]);
    f.keyed("<a::shape::Round as Show>", "a::shape", "impl", "Round", [500, 600, 49, 59]);
    f.keyed(
        "<a::shape::Round as Show>::show",
        "<a::shape::Round as Show>",
        "method",
        "show",
        [10, 60, 2, 5],
    );
    f.edge("<a::shape::Round>", "impl_for", "", "a::shape::Round");
    f.edge("<a::shape::Round as Show>", "impl_for", "", "a::shape::Round");
    f.edge("<a::shape::Round as Show>", "impl_of", "", "a::Show");
    f.add("a", "trait", "Show", [30, 90, 3, 6]);
    f.add("a", "module", "inner", [100, 300, 10, 30]);
    f.add("a::inner", "enum", "Color", [50, 90, 4, 8]);
    f.add("a::inner::Color", "variant", "Red", [10, 13, 1, 1]);
    f.add("a::inner", "function", "shared", [100, 150, 10, 15]);
    f.add("a", "module", "ring", [400, 500, 40, 50]);
    f.add("a::ring", "function", "shared", [10, 50, 1, 5]);
    f.edge("a", "reexports", "Disc", "a::shape::Round");
    f.edge("a", "imports", "Hidden", "a::inner::Color");
    f.edge("a::inner", "glob_reexports", "", "a::ring");
    f.edge("a::ring", "glob_reexports", "", "a::inner");
    f.krate("b", "b/src/lib.rs");
    f.add("b", "function", "own", [10, 50, 1, 5]);
    f.edge("b", "glob_reexports", "", "a");
    f
}
