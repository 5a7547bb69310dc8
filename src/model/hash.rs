//! The hashes of the data model: BLAKE3 cut to 128 bits, after one character
//! for the version of what is hashed. Each has its own type, so that a token
//! hash can never be passed where the hash of bytes is asked for.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::never::OrNever;

/// Characters of a printed hash: one for the version, 22 of base64url.
pub const HASH_LEN: usize = 23;

/// Version of what the hashes cover; raised whenever the hashed form changes.
const VERSION: u8 = b'1';

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A text that is not a hash of this form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a hash: expected a version character and 22 base64url characters")]
pub struct HashParseError(pub String);

fn encode(digest: &blake3::Hash) -> [u8; HASH_LEN] {
    let mut out = [VERSION; HASH_LEN];
    let mut bits = 0u32;
    let mut held = 0;
    let mut slots = out.iter_mut().skip(1);
    let mut put = |six: u32| {
        let letter = ALPHABET.get((six & 63) as usize);
        if let (Some(slot), Some(letter)) = (slots.next(), letter) {
            *slot = *letter;
        }
    };
    for byte in digest.as_bytes().iter().take(16) {
        bits = bits << 8 | u32::from(*byte);
        held += 8;
        while held >= 6 {
            held -= 6;
            put(bits >> held);
        }
    }
    put(bits << (6 - held));
    out
}

macro_rules! hash_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; HASH_LEN]);

        impl $name {
            /// Hash of these bytes.
            pub fn hash(bytes: &[u8]) -> Self {
                Self(encode(&blake3::hash(bytes)))
            }

            /// Hash of what a hasher was fed.
            pub fn finish(hasher: &blake3::Hasher) -> Self {
                Self(encode(&hasher.finalize()))
            }

            /// The printed form, [`HASH_LEN`] ASCII characters.
            pub fn as_str(&self) -> &str {
                std::str::from_utf8(&self.0).or_never("the digits of a hash are ASCII")
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = HashParseError;
            fn from_str(text: &str) -> Result<Self, HashParseError> {
                let bytes: [u8; HASH_LEN] =
                    text.as_bytes().try_into().map_err(|_| HashParseError(text.to_owned()))?;
                if bytes.iter().all(|b| ALPHABET.contains(b)) {
                    Ok(Self(bytes))
                } else {
                    Err(HashParseError(text.to_owned()))
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "minLength": HASH_LEN, "maxLength": HASH_LEN })
            }
        }
    };
}

hash_type! {
    /// Hash of a file's bytes. The only hash that authorises a write to a file.
    RawHash
}
hash_type! {
    /// Hash of an item's tokens with its name and documentation: says that the item changed.
    /// Whitespace and ordinary comments do not count.
    TrackingHash
}
hash_type! {
    /// Hash of an item's tokens without its own name and documentation: finds moves and renames.
    ShapeHash
}
hash_type! {
    /// Address of a stored text: hash of its bytes (a container's children left out).
    TextHash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_form_round_trips_and_refuses_other_text() {
        let hash = RawHash::hash(b"fn main() {}");
        assert_eq!(hash.as_str().parse::<RawHash>(), Ok(hash));
        assert_eq!(hash.as_str().len(), HASH_LEN);
        assert_ne!(hash, RawHash::hash(b"fn main() { }"));
        assert!("too short".parse::<RawHash>().is_err());
        assert!("1!!!!!!!!!!!!!!!!!!!!!!".parse::<RawHash>().is_err());
    }
}
