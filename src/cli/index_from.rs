//! `asof index --from`: a database that begins with a bundle.

use std::path::{Path, PathBuf};

use asof::{BundleCheck, Database, EngineError, IndexOptions, Origin, Progress};
use asof_store::StoreError;
use asof_wire::{BundleStart, IndexReport};
use clap::{Args, ValueEnum};

use super::context::Context;
use super::output;
use super::start::discard;

/// A bundle to begin with.
#[derive(Debug, Args)]
pub struct FromArgs {
    /// Begin the first database of a workspace with a bundle, and index only what differs: a file of
    /// `asof backup bundle`, or the nearest one in a folder
    #[arg(
        long,
        value_name = "FILE|DIR",
        conflicts_with_all = ["rebuild", "from_scratch", "history"],
        value_hint = clap::ValueHint::AnyPath
    )]
    from: Option<PathBuf>,
    /// With --from: say why no bundle can be used, and parse every file, instead of failing
    #[arg(long, requires = "from")]
    fallback: bool,
    /// With --from: parse files again, and compare their rows with those of the bundle
    #[arg(long, requires = "from", value_name = "FILES", default_value = "sample")]
    verify: Verify,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verify {
    /// No file
    None,
    /// 16 files, others with each commit
    Sample,
    /// Every file
    All,
}

impl FromArgs {
    /// A first index that begins with the bundle. None if no bundle is given, if there is a database,
    /// or if none can be used and that is no failure. If it fails, no database is left behind.
    pub fn index(
        &self,
        context: &Context,
        root: &Path,
        options: &IndexOptions,
        progress: &dyn Progress,
    ) -> Result<Option<IndexReport>, EngineError> {
        let Some((database, start)) = self.open(context, root, progress)? else { return Ok(None) };
        let indexed = database.refresh(options, progress).and_then(|report| {
            let check = self.verify.check();
            let verified = database.check_bundle(&start, check, options, progress)?;
            Ok(IndexReport { bundle: Some(BundleStart { verified, ..start.clone() }), ..report })
        });
        let report = match indexed {
            Ok(report) => report,
            Err(error) => {
                drop(database);
                discard(root, &Origin::Copy { of: PathBuf::from(start.file) });
                return self.without(context, error);
            }
        };
        let files = report.bundle.iter().map(|bundle| bundle.verified).sum();
        if files > 0 {
            let files = output::plural(files, "file");
            context.note(&format!("{files} parsed again: the rows are those of the bundle"));
        }
        Ok(Some(report))
    }

    /// A new database that begins with the bundle.
    fn open(
        &self,
        context: &Context,
        root: &Path,
        progress: &dyn Progress,
    ) -> Result<Option<(Database, BundleStart)>, EngineError> {
        let Some(from) = &self.from else { return Ok(None) };
        match Database::create_from_bundle(root, from, progress) {
            Ok((database, start)) => {
                let commit: String = start.commit.chars().take(12).collect();
                let place = match start.distance {
                    0 => "with the files of HEAD".to_owned(),
                    steps => format!("{} before HEAD", output::plural(steps, "commit")),
                };
                context.note(&format!("started from {}: commit {commit}, {place}", start.file));
                Ok(Some((database, start)))
            }
            Err(EngineError::Store(StoreError::Exists { .. })) => {
                context.note("the workspace has a database, which no bundle replaces");
                Ok(None)
            }
            Err(error @ EngineError::FarBundle { .. }) => {
                context.note(&format!("{error}; every file is parsed"));
                Ok(None)
            }
            Err(error) => self.without(context, error),
        }
    }

    /// What to do without a bundle: nothing, if that is asked for and the error is about bundles
    /// alone.
    fn without<T>(&self, context: &Context, error: EngineError) -> Result<Option<T>, EngineError> {
        let is_about_bundles = matches!(
            error,
            EngineError::NoBundle { .. }
                | EngineError::WrongBundle { .. }
                | EngineError::Store(StoreError::Backup { .. } | StoreError::SchemaVersion { .. })
        );
        if !(self.fallback && is_about_bundles) {
            return Err(error);
        }
        output::warn(context, &format!("{error}; every file is parsed"));
        Ok(None)
    }
}

impl Verify {
    fn check(self) -> BundleCheck {
        match self {
            Self::None => BundleCheck::Nothing,
            Self::Sample => BundleCheck::Sample,
            Self::All => BundleCheck::All,
        }
    }
}
