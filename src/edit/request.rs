//! Reading a request.

use super::error::EditError;
use crate::wire::EditRequest;

impl EditRequest {
    /// Reads a request from JSON. The error says where it is wrong, and what is expected.
    pub fn parse(text: &str) -> Result<Self, EditError> {
        let request: Self = serde_json::from_str(text)
            .map_err(|error| EditError::Malformed { reason: error.to_string() })?;
        if request.edits.is_empty() {
            return Err(EditError::Malformed { reason: "`edits` is empty".to_owned() });
        }
        Ok(request)
    }
}
