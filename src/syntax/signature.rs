//! Parameters and return type of a function's head.

use syn::parse::{ParseStream, Parser};
use syn::{FnArg, ReturnType, Signature, Visibility};

/// Parts of a function's head, as written but for white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureParts {
    /// Name or pattern and type of each parameter; a receiver's type is empty unless written.
    pub inputs: Vec<(String, String)>,
    /// The return type; `()` if none is written.
    pub output: String,
}

/// The parts of a function's head; `None` if it is not one.
pub fn signature_parts(head: &str) -> Option<SignatureParts> {
    let parser = |input: ParseStream<'_>| {
        input.parse::<Visibility>()?;
        input.parse::<Option<syn::Token![default]>>()?;
        input.parse::<Signature>()
    };
    let signature = parser.parse_str(head).ok()?;
    let inputs = signature.inputs.iter().map(|input| match input {
        FnArg::Receiver(receiver) => (text(receiver), String::new()),
        FnArg::Typed(typed) => (text(&typed.pat), text(&typed.ty)),
    });
    let output = match &signature.output {
        ReturnType::Default => "()".to_owned(),
        ReturnType::Type(_, ty) => text(ty),
    };
    Some(SignatureParts { inputs: inputs.collect(), output })
}

fn text(node: &impl quote::ToTokens) -> String {
    node.to_token_stream().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_have_parts() {
        let parts = signature_parts("pub async fn f<T>(&mut self, a: &'a T) -> Vec<u8> where T: X");
        let parts = parts.unwrap();
        assert_eq!(parts.inputs.len(), 2);
        assert_eq!(parts.inputs[1].0, "a");
        assert_eq!(parts.output.replace(' ', ""), "Vec<u8>");
        assert_eq!(signature_parts("fn f()").unwrap().output, "()");
        assert_eq!(signature_parts("pub struct S"), None);
    }
}
