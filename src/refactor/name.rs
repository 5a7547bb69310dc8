//! Validates names for items.

use asof_model::normalize_identifier;

/// A name that an item can get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewName {
    /// As code is compared: without `r#`.
    pub bare: String,
    /// As code writes it.
    pub written: String,
}

/// Why a text is no name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    #[error("`{0}` is not an identifier")]
    NoIdentifier(String),
    #[error("`{0}` is a keyword; write `r#{0}`")]
    Keyword(String),
    #[error("`{0}` is a keyword that no item can have as its name")]
    Reserved(String),
    #[error("`{0}` is not a lifetime, which begins with `'`")]
    NoLifetime(String),
}

impl NewName {
    /// Reads a name.
    ///
    /// # Errors
    /// A text that is no identifier, or a keyword without `r#`.
    pub fn parse(text: &str) -> Result<Self, BadName> {
        let normal = normalize_identifier(text);
        let text = normal.as_ref();
        let bare = text.strip_prefix("r#").unwrap_or(text);
        let is_raw = bare.len() < text.len();
        if matches!(bare, "self" | "Self" | "super" | "crate") {
            return Err(BadName::Reserved(bare.to_owned()));
        }
        if bare == "_" || bare.trim() != bare || bare.contains("//") || bare.contains("/*") {
            return Err(BadName::NoIdentifier(text.to_owned()));
        }
        let written = match (syn::parse_str::<syn::Ident>(bare), is_raw) {
            // A keyword from the edition 2024 on.
            (Ok(_), true) if bare == "gen" => format!("r#{bare}"),
            (Ok(_), false) if bare == "gen" => return Err(BadName::Keyword(bare.to_owned())),
            (Ok(_), _) => bare.to_owned(),
            (Err(_), is_raw) if syn::parse_str::<syn::Ident>(&format!("r#{bare}")).is_ok() => {
                if !is_raw {
                    return Err(BadName::Keyword(bare.to_owned()));
                }
                format!("r#{bare}")
            }
            _ => return Err(BadName::NoIdentifier(text.to_owned())),
        };
        Ok(Self { bare: bare.to_owned(), written })
    }

    /// Reads the name of a lifetime, with its mark.
    ///
    /// # Errors
    /// A text that is no lifetime, or one that has a meaning of its own.
    pub fn parse_lifetime(text: &str) -> Result<Self, BadName> {
        let name = text.strip_prefix('\'').ok_or_else(|| BadName::NoLifetime(text.to_owned()))?;
        if matches!(name, "static" | "_") {
            return Err(BadName::Reserved(text.to_owned()));
        }
        Self::parse(name)?;
        Ok(Self { bare: text.to_owned(), written: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        let written = |text: &str| NewName::parse(text).map(|name| name.written);
        assert_eq!(written("next").as_deref(), Ok("next"));
        assert_eq!(written("r#next").as_deref(), Ok("next"));
        assert_eq!(written("r#type").as_deref(), Ok("r#type"));
        assert_eq!(written("größe").as_deref(), Ok("größe"));
        assert_eq!(written("type"), Err(BadName::Keyword("type".to_owned())));
        assert_eq!(written("gen"), Err(BadName::Keyword("gen".to_owned())));
        for bad in ["", "_", "1a", "a b", "a::b", " a", "a/**/", "a//", "'a", "a!"] {
            assert_eq!(written(bad), Err(BadName::NoIdentifier(bad.to_owned())), "{bad}");
        }
        assert_eq!(written("Self"), Err(BadName::Reserved("Self".to_owned())));
        assert!(NewName::parse_lifetime("'a").is_ok());
        for bad in ["a", "'static", "'_", "'", "''"] {
            assert!(NewName::parse_lifetime(bad).is_err(), "{bad}");
        }
    }
}
