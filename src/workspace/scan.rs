//! The `mod name;` declarations of a text, found among its tokens: enough to tell the files of a
//! plain folder that are modules of others from those that are not.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::module_tree::{ModDir, ModFile};

/// Groups nested deeper than this are not looked into.
const MAX_DEPTH: usize = 64;

/// The files that the modules declared in `text` may be in; `dir` is where its children are
/// looked for. Nothing for a text whose brackets do not match.
///
/// Tokens keep their text in a table of the thread that only grows: call it on a thread of its
/// own.
pub(super) fn declared_files(text: &str, dir: &ModDir) -> Vec<Vec<ModFile>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !may_declare(text) {
        return Vec::new();
    }
    let text = match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => {
            rest.split_once('\n').map_or("", |(_, rest)| rest)
        }
        _ => text,
    };
    let Ok(tokens) = text.parse::<TokenStream>() else { return Vec::new() };
    let mut out = Vec::new();
    visit(tokens, dir, 0, &mut out);
    out
}

/// Whether the text can contain `mod name;`: most files have none, and need no tokens.
fn may_declare(text: &str) -> bool {
    text.match_indices("mod").any(|(at, word)| {
        let rest = text.get(at + word.len()..).unwrap_or_default();
        let after_space = rest.trim_start();
        // A slash: a comment may be anywhere.
        if after_space.starts_with('/') {
            return true;
        }
        // Before the name is looked at: in a text of `mod`s without spaces each is a name to the
        // end, and there may be a million.
        if after_space.len() == rest.len() {
            return false;
        }
        let is_name = |c: char| c == '_' || c == '#' || c.is_alphanumeric();
        after_space.trim_start_matches(is_name).trim_start().starts_with([';', '/'])
    })
}

fn visit(tokens: TokenStream, dir: &ModDir, depth: usize, out: &mut Vec<Vec<ModFile>>) {
    if depth > MAX_DEPTH {
        return;
    }
    let mut tokens = tokens.into_iter().peekable();
    let mut attrs = PathAttrs::default();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if let Some(TokenTree::Group(group)) = tokens.peek() {
                    attrs.read(group);
                    tokens.next();
                }
            }
            TokenTree::Ident(word) if word == "mod" => {
                let Some(TokenTree::Ident(name)) = tokens.next() else { continue };
                let name = name.to_string();
                let attrs = std::mem::take(&mut attrs);
                match tokens.next() {
                    Some(TokenTree::Punct(mark)) if mark.as_char() == ';' => {
                        out.push(dir.declared(&name, attrs.plain.as_deref(), &attrs.cfg));
                    }
                    Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                        if let Some(dir) = dir.inline(&name, attrs.plain.as_deref()) {
                            visit(body.stream(), &dir, depth + 1, out);
                        }
                    }
                    _ => {}
                }
            }
            // A visibility comes between attributes and `mod`.
            TokenTree::Ident(word) if word == "pub" => {}
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                visit(group.stream(), dir, depth + 1, out);
            }
            TokenTree::Group(group) => {
                visit(group.stream(), dir, depth + 1, out);
                attrs = PathAttrs::default();
            }
            _ => attrs = PathAttrs::default(),
        }
    }
}

/// The paths that attributes give to the module after them.
#[derive(Default)]
struct PathAttrs {
    plain: Option<String>,
    cfg: Vec<(String, String)>,
}

impl PathAttrs {
    fn read(&mut self, attr: &Group) {
        let mut tokens = attr.stream().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(name)), Some(TokenTree::Group(list))) if name == "cfg_attr" => {
                let parts = split_at_commas(list.stream());
                let Some((predicate, attrs)) = parts.split_first() else { return };
                let predicate = predicate.iter().cloned().collect::<TokenStream>().to_string();
                for path in attrs.iter().filter_map(|attr| path_of(attr)) {
                    self.cfg.push((predicate.clone(), path));
                }
            }
            (Some(name), Some(equals)) if self.plain.is_none() => {
                let attr: Vec<TokenTree> = [name, equals].into_iter().chain(tokens).collect();
                self.plain = path_of(&attr);
            }
            _ => {}
        }
    }
}

fn split_at_commas(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => parts.push(Vec::new()),
            _ => parts.last_mut().into_iter().for_each(|part| part.push(token.clone())),
        }
    }
    parts
}

/// The value of `path = "…"`.
fn path_of(attr: &[TokenTree]) -> Option<String> {
    let [TokenTree::Ident(name), TokenTree::Punct(equals), TokenTree::Literal(value)] = attr else {
        return None;
    };
    if name != "path" || equals.as_char() != '=' || equals.spacing() != Spacing::Alone {
        return None;
    }
    syn::parse_str::<syn::LitStr>(&value.to_string()).ok().map(|value| value.value())
}
