use super::build::Builder;
pub(super) fn items(_builder: &mut Builder<'_>) {}
