//! Links of documentation that name items: each is asked about as a use of the item.

use std::sync::Arc;

use asof_engine::{Around, PathScope};
use asof_model::{NodeKind, RefKind, RefTarget};
use asof_refactor::{DocLink, doc_links};
use asof_wire::LinkTarget;

use super::session::Failure;
use super::source::{Name, Source};
use super::view::View;

/// How what a link of documentation means is looked for in the sources of another crate.
const FORMS: [RefKind; 3] = [RefKind::Type, RefKind::Macro, RefKind::Path];

impl View<'_> {
    /// The link of documentation at a byte, and the text in which it is a use of what it means; none if
    /// there is no link, or it means nothing.
    pub fn documented(
        &self,
        path: &str,
        source: &Source,
        byte: u32,
    ) -> Result<Option<(Arc<Source>, Name)>, Failure> {
        let is_here = |link: &&DocLink| link.bytes.start <= byte && byte <= link.bytes.end;
        let links = doc_links(source.text());
        // A link may be in the text of another.
        let Some(link) = links.iter().rfind(is_here) else { return Ok(None) };
        let targets = self.link_targets(path, source, link)?;
        let name = Name { start: link.name.start, end: link.name.end };
        Ok((!targets.is_empty()).then(|| (Arc::new(source.with_uses(name.start, targets)), name)))
    }

    /// What a link of documentation means (The rustdoc book, "Valid links").
    pub fn link_targets(
        &self,
        path: &str,
        source: &Source,
        link: &DocLink,
    ) -> Result<Vec<(RefKind, LinkTarget)>, Failure> {
        let module = self.snapshot.module_of_file(path)?;
        let items = source.items.iter().map(|item| Around {
            kind: item.kind,
            bytes: item.span.bytes(),
            name_start: item.name_start,
            path: item.path.as_deref(),
        });
        let Some(scope) = PathScope::at(link.bytes.start, items, module.as_deref()) else {
            return Ok(Vec::new());
        };
        let mut found = self.snapshot.written_path(&scope, &link.path)?;
        found.retain(|target| NodeKind::parse(&target.kind).is_some_and(|kind| link.fits(kind)));
        if !found.is_empty() {
            return Ok(found.into_iter().map(|target| (RefKind::Type, target)).collect());
        }
        if self.revision.is_some() {
            return Ok(Vec::new());
        }
        let Some(path) = self.snapshot.outside_path(&scope, &link.path)? else {
            return Ok(Vec::new());
        };
        for kind in FORMS {
            if self.declared_outside(&path, kind)?.is_some() {
                let id = RefTarget::External(path.clone()).id();
                let kind_of = "external".to_owned();
                let target = LinkTarget { id, kind: kind_of, path, file_path: None };
                return Ok(vec![(kind, target)]);
            }
        }
        Ok(Vec::new())
    }
}
