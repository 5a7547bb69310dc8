//! Choices of two: a flag of the command line, a name or `true` in JSON.

/// A choice that is `$off` unless the flag `--$long` is given. In JSON, `true` and `false` are read
/// as well as the names of the variants.
macro_rules! flag {
    ($choice:ident: $on:ident ($on_name:literal) or $off:ident ($off_name:literal), $long:literal, $help:literal) => {
        impl clap::Args for $choice {
            fn augment_args(command: clap::Command) -> clap::Command {
                let flag = clap::Arg::new($long).long($long).help($help);
                command.arg(flag.action(clap::ArgAction::SetTrue))
            }

            fn augment_args_for_update(command: clap::Command) -> clap::Command {
                Self::augment_args(command)
            }
        }

        impl clap::FromArgMatches for $choice {
            fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Self, clap::Error> {
                Ok(if matches.get_flag($long) { Self::$on } else { Self::$off })
            }

            fn update_from_arg_matches(
                &mut self,
                matches: &clap::ArgMatches,
            ) -> Result<(), clap::Error> {
                *self = Self::from_arg_matches(matches)?;
                Ok(())
            }
        }

        impl<'de> serde::Deserialize<'de> for $choice {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match $crate::flags::Given::deserialize(deserializer)? {
                    $crate::flags::Given::Flag(true) => Ok(Self::$on),
                    $crate::flags::Given::Flag(false) => Ok(Self::$off),
                    $crate::flags::Given::Name(name) => match name.as_str() {
                        $on_name => Ok(Self::$on),
                        $off_name => Ok(Self::$off),
                        _ => Err(serde::de::Error::unknown_variant(&name, &[$off_name, $on_name])),
                    },
                }
            }
        }
    };
}

pub(crate) use flag;

/// A choice as JSON has it.
#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(crate) enum Given {
    Flag(bool),
    Name(String),
}
