//! Enums whose values have names.

/// Declares an enum whose values have names, as they are stored and printed.
#[macro_export]
macro_rules! named {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$attribute:meta])* $variant:ident => $text:literal,)*
        }
    ) => {
        $(#[$meta])*
        $visibility enum $name { $($(#[$attribute])* $variant,)* }

        #[allow(dead_code, reason = "of some enums, some of this is needed")]
        impl $name {
            /// Every value, in order of declaration.
            pub const ALL: [Self; [$($text),*].len()] = [$(Self::$variant),*];

            /// The stored and printed form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// Reads that form; `None` if it is not one.
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
