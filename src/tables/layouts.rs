//! Where definitions are at each moment: the positions that containers give to their children,
//! added up from the file on, again for each file in which something moved.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::cell::Row;
use super::common::Common;
use super::error::TablesError;
use super::intervals::Tracker;
use super::versions::{Versions, versions};
use asof_model::NodeId;
use asof_store::{Cell, FromCell};

/// A child's place, counted from its container.
#[derive(Debug)]
struct Child {
    id: NodeId,
    start: i64,
    end: i64,
    start_line: i64,
    end_line: i64,
    /// From the child's start.
    name_line: i64,
    /// On the container's first line, from the container's start.
    start_column: i64,
}

/// The children of a container.
#[derive(Debug)]
struct Children(Vec<Child>);

impl FromCell for Children {
    fn from_cell(cell: Cell<'_>) -> Option<Self> {
        let child = |cell: Cell<'_>| {
            let mut parts = cell.as_list()?;
            let id = NodeId::from_cell(parts.next()?)?;
            let place = parts.next()?.as_json()?;
            let number = |at: usize| place.get(at)?.as_i64();
            Some(Child {
                id,
                start: number(0)?,
                end: number(1)?,
                start_line: number(2)?,
                end_line: number(3)?,
                name_line: number(5)?,
                start_column: number(8)?,
            })
        };
        cell.as_list()?.map(child).collect::<Option<_>>().map(Self)
    }
    fn expected() -> String {
        "list of children with their positions".to_owned()
    }
}

/// Something that begins at a moment; none: it ends.
enum Event<'a> {
    Layout(NodeId, Option<&'a Children>),
    Body(NodeId, Option<&'a Arc<str>>),
    /// Bytes and lines of a file.
    File(&'a str, Option<(i64, i64)>),
}

/// The state at a moment.
#[derive(Default)]
struct State<'a> {
    layouts: HashMap<NodeId, &'a Children>,
    /// Modules by the file that they are the body of, and the other way round.
    bodies: HashMap<NodeId, &'a Arc<str>>,
    modules: HashMap<&'a str, BTreeSet<NodeId>>,
    files: HashMap<&'a str, (i64, i64)>,
}

/// Rows of `place`.
pub(super) fn places(common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
    let (store, span) = (common.reading.store, common.span);
    let layouts: Versions<NodeId, Children> =
        versions(store, "layout", span, |row| row.get("owner_id"), |row| row.get("children"))?;
    let bodies: Versions<NodeId, Arc<str>> = versions(
        store,
        "file_mod",
        span,
        |row| row.get("owner_id"),
        |row| Ok(row.get::<String>("file_path")?.into()),
    )?;
    let files: Versions<String, (i64, i64)> = versions(
        store,
        "file",
        span,
        |row| row.get("path"),
        |row| Ok((row.get("len")?, row.get("lines")?)),
    )?;
    let mut events: BTreeMap<i64, Vec<Event<'_>>> = BTreeMap::new();
    for (id, of_id) in &bodies {
        for (at, path) in of_id {
            events.entry(*at).or_default().push(Event::Body(*id, path.as_ref()));
        }
    }
    for (path, of_path) in &files {
        for (at, size) in of_path {
            events.entry(*at).or_default().push(Event::File(path, *size));
        }
    }
    for (id, of_id) in &layouts {
        for (at, children) in of_id {
            events.entry(*at).or_default().push(Event::Layout(*id, children.as_ref()));
        }
    }
    let mut state = State::default();
    let mut trackers: BTreeMap<NodeId, Tracker> = BTreeMap::new();
    let mut rows = Vec::new();
    for (at, events) in events {
        for module in state.apply(events, common) {
            let placed = state.placed(module, common)?;
            trackers.entry(module).or_default().set(at, placed, &mut rows);
        }
    }
    for tracker in trackers.into_values() {
        tracker.finish(&mut rows);
    }
    Ok(rows)
}

impl<'a> State<'a> {
    /// Applies what happens at one moment. Returns the modules with a file in which items may have
    /// other places than before.
    fn apply(&mut self, events: Vec<Event<'a>>, common: &Common<'_>) -> BTreeSet<NodeId> {
        let (mut touched, mut moved) = (Vec::new(), BTreeSet::new());
        for event in events {
            match event {
                Event::Layout(id, children) => {
                    match children {
                        Some(children) => self.layouts.insert(id, children),
                        None => self.layouts.remove(&id),
                    };
                    touched.push(id);
                }
                Event::Body(id, path) => {
                    if let Some(old) = self.bodies.remove(&id) {
                        self.modules.entry(old).or_default().remove(&id);
                    }
                    if let Some(path) = path {
                        self.bodies.insert(id, path);
                        self.modules.entry(path).or_default().insert(id);
                    }
                    moved.insert(id);
                    touched.extend(parent(common, id));
                }
                Event::File(path, size) => {
                    match size {
                        Some(size) => self.files.insert(path, size),
                        None => self.files.remove(path),
                    };
                    moved.extend(self.modules.get(path).into_iter().flatten());
                }
            }
        }
        for id in touched {
            let mut above = Some(id);
            while let Some(id) = above {
                if self.bodies.contains_key(&id) {
                    moved.insert(id);
                    break;
                }
                above = parent(common, id);
            }
        }
        moved
    }

    /// The places of a module with a file, and of all that is in it.
    fn placed(&self, module: NodeId, common: &Common<'_>) -> Result<Vec<Row>, TablesError> {
        let mut rows = Vec::new();
        let Some(path) = self.bodies.get(&module) else { return Ok(rows) };
        let mut push = |id: NodeId, numbers: [i64; 6]| -> Result<(), TablesError> {
            let mut row: Row = vec![common.symbols.need(id)?.into(), Arc::clone(path).into()];
            row.extend(numbers.map(Into::into));
            rows.push(row);
            Ok(())
        };
        if let Some((len, lines)) = self.files.get(&***path) {
            push(module, [0, *len, 1, *lines, 0, 1])?;
        }
        let mut frames = vec![(module, 0, 1, 0)];
        while let Some((owner, above, line_above, column_above)) = frames.pop() {
            let Some(children) = self.layouts.get(&owner) else { continue };
            for child in &children.0 {
                if self.bodies.contains_key(&child.id) {
                    continue;
                }
                let start = above + child.start;
                let start_line = line_above + child.start_line;
                let before = if child.start_line == 0 { column_above } else { 0 };
                let column = before + child.start_column;
                let end = above + child.end;
                let end_line = line_above + child.end_line;
                let name_line = start_line + child.name_line;
                push(child.id, [start, end, start_line, end_line, column, name_line])?;
                frames.push((child.id, start, start_line, column));
            }
        }
        Ok(rows)
    }
}

/// The container of a definition: part of its id.
fn parent(common: &Common<'_>, id: NodeId) -> Option<NodeId> {
    common.nodes.get(&id)?.iter().find_map(|(_, node)| node.as_ref())?.parent_id
}
