//! Versions of packages, and the changes that they allow.

use asof_wire::SemverLevel;

/// Major, minor and patch of a version; what follows is left out.
fn numbers(version: &str) -> Option<[u64; 3]> {
    let core = version.split(['-', '+']).next()?;
    let mut parts = core.split('.').map(|part| part.trim().parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

/// What the step from one version to another allows, as Cargo reads versions: the leftmost number
/// that is not zero is the major one. `None` if the version did not grow or cannot be read.
pub fn allowed(old: &str, new: &str) -> Option<SemverLevel> {
    let (old, new) = (numbers(old)?, numbers(new)?);
    if new <= old {
        return None;
    }
    let differs = old.iter().zip(&new).position(|(old, new)| old != new)?;
    let first = old.iter().position(|number| *number > 0).unwrap_or(2);
    Some(match (first, differs) {
        (first, differs) if differs <= first => SemverLevel::Major,
        (0, 1) => SemverLevel::Minor,
        // In 0.y.z, z stands for additions and fixes.
        (1, _) => SemverLevel::Minor,
        _ => SemverLevel::Patch,
    })
}

/// Whether a step of versions is enough for a change.
pub fn is_enough(allowed: Option<SemverLevel>, required: SemverLevel) -> bool {
    allowed.unwrap_or(SemverLevel::Patch) >= required
}
