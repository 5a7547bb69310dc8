//! Signing in: a browser cannot send the token with each request, so it gets a session in return
//! for the token or for a code that the server gave out.

use maud::html;

use super::layout;

/// The page with the form. `next` is where to go then.
pub fn page(next: &str, failed: bool) -> String {
    layout::bare(
        "Sign in",
        &html! {
            h1 { "Sign in" }
            @if failed { p .problem role="alert" { "This is not the token of the server, or the link was used before." } }
            p { "Give the content of " code { ".asof/http-token" } " in the workspace. " code { "asof web" } " opens the browser without asking." }
            form method="post" action="/login" {
                label { "Token " input type="password" name="token" autocomplete="off" required autofocus; }
                input type="hidden" name="next" value=(next);
                " " button { "Sign in" }
            }
        },
    )
}

/// An address of this server, and no other's.
pub fn safe_next(next: &str) -> &str {
    let own = next.starts_with('/') && !next.starts_with("//") && !next.starts_with("/\\");
    if own && next.chars().all(|c| c.is_ascii_graphic()) { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_nowhere_else() {
        assert_eq!(safe_next("/i/a::b?at=v1#L2"), "/i/a::b?at=v1#L2");
        for foreign in ["//evil.example", "/\\evil.example", "https://evil.example", "", "/a\r\nb"]
        {
            assert_eq!(safe_next(foreign), "/", "{foreign:?}");
        }
    }
}
