//! The configuration that a question is about, as users write it.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use asof_model::OrNever;
use clap::{Args, Parser};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The configuration of a question: by default, the default features of the workspace's packages on
/// the target that this program was built for, with `test` in test code. As text, the arguments of
/// the command line: `--no-default-features --features rt,net`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Configuration")]
pub struct ConfigurationRequest {
    /// Set a flag in every crate, as `rustc --cfg` does: loom, 'backend="mock"'
    #[arg(long = "cfg", global = true, value_name = "FLAG")]
    pub cfg: Vec<String>,
    /// Set these features as well: `rt` in every package that has it, `package/rt` in one
    #[arg(long, global = true, value_delimiter = ',', value_name = "A,B")]
    pub features: Vec<String>,
    /// Set all features of the workspace's packages
    #[arg(long, global = true)]
    pub all_features: bool,
    /// Do not set the default features of the workspace's packages
    #[arg(long, global = true)]
    pub no_default_features: bool,
    /// Target to compile for: x86_64-pc-windows-msvc [default: the target of this program]
    #[arg(long, global = true, value_name = "TRIPLE")]
    pub target: Option<String>,
    /// Treat uses under every condition alike
    #[arg(long, global = true)]
    pub any_cfg: bool,
}

impl ConfigurationRequest {
    /// Description of the text form.
    pub const HINT: &str = "a configuration is written as the arguments of Cargo that choose one: \
        cfg FLAG, features A,B, all-features, no-default-features, target TRIPLE, or any-cfg, \
        each after two hyphens";
}

/// The text form, as a command line of its own.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
struct Words {
    #[command(flatten)]
    request: ConfigurationRequest,
}

/// A text that is not a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read `{text}` as a configuration")]
pub struct UnreadableConfiguration {
    pub text: String,
}

impl FromStr for ConfigurationRequest {
    type Err = UnreadableConfiguration;

    fn from_str(text: &str) -> Result<Self, UnreadableConfiguration> {
        let words = shlex::split(text).and_then(|words| Words::try_parse_from(words).ok());
        let unreadable = || UnreadableConfiguration { text: text.to_owned() };
        Ok(words.ok_or_else(unreadable)?.request)
    }
}

impl fmt::Display for ConfigurationRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        let mut add = |name: &str, value: Option<&str>| {
            words.push(format!("--{name}"));
            words.extend(value.map(str::to_owned));
        };
        self.cfg.iter().for_each(|flag| add("cfg", Some(flag)));
        for (given, name) in [
            (self.no_default_features, "no-default-features"),
            (self.all_features, "all-features"),
            (self.any_cfg, "any-cfg"),
        ] {
            if given {
                add(name, None);
            }
        }
        if !self.features.is_empty() {
            add("features", Some(&self.features.join(",")));
        }
        if let Some(target) = &self.target {
            add("target", Some(target));
        }
        // Not for a shell: a request may have any character.
        let quoter = shlex::Quoter::new().allow_nul(true);
        let text = quoter.join(words.iter().map(String::as_str));
        f.write_str(&text.or_never("only a NUL could not be quoted"))
    }
}

impl Serialize for ConfigurationRequest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ConfigurationRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error| {
            serde::de::Error::custom(format!("{error}: {}", ConfigurationRequest::HINT))
        })
    }
}

impl JsonSchema for ConfigurationRequest {
    fn schema_name() -> Cow<'static, str> {
        "ConfigurationRequest".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": ConfigurationRequest::HINT })
    }
}
