#!/usr/bin/env python3
"""Writes the list of what in the standard library can panic, from the toolchain's own documentation.

    rustup component add rust-docs
    benches/std_panics.py > src/engine/uses/reach/panics.txt

Listed are stable functions, methods and macros whose documentation has a section "Panics", by the path
that the index gives them. Left out are intrinsics of processors, those whose section speaks of nothing
but a capacity or an allocation, and those of `SELDOM`.
"""
import html, pathlib, re, subprocess

INTEGERS = {f"{sign}{bits}" for sign in "iu" for bits in ("8", "16", "32", "64", "128", "size")}
SECTION = re.compile(r'id="panics[^"]*"[^>]*>.*?Panics</h[2-6]>(.*?)(?=<h[2-6]|</div>|$)', re.S)
MEMORY = re.compile(r"capacity|isize::MAX|allocat|out of memory|length overflows|number of elements|usize overflow", re.I)

# What panics only if something else is broken: the terminal, the system's threads, an impl of `Ord`; a
# lock or a cell that its own thread holds, a counter of `usize` that overflows, a memory order that is a
# constant. Methods of traits say what an impl may do.
SELDOM = re.compile(
    r"^std::(print|println|eprint|eprintln|dbg|format)!$|::atomic::|^std::thread::(scope|spawn|Builder|Scope|LocalKey)\b"
    r"|::sync::(Mutex|RwLock|Condvar|Once|OnceLock|LazyLock)::|::cell::(LazyCell|OnceCell)::|^std::ops::|::future::Future::"
    r"|::iter::Enumerate::|::iter::Iterator::(count|enumerate|last|position)$|^std::panic::(set|take)_hook$"
    r"|^slice::sort|::fmt::DebugMap::|::poison::|^std::collections::[a-z_]+::|::RefCell::(clone|clone_from|cmp|eq|ge|gt|le|lt|partial_cmp)$"
)


def reason(doc):
    """The section about panics, without markup; none without such a section."""
    found = SECTION.search(doc)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", found.group(1))).split()) if found else None


def is_of_memory(text):
    sentences = [one for one in re.split(r"(?<=\.)\s+", text) if "anic" in one]
    return bool(sentences) and all(MEMORY.search(one) for one in sentences)


def main():
    run = lambda *args: subprocess.run(args, capture_output=True, text=True, check=True).stdout.strip()
    pages = pathlib.Path(run("rustc", "--print", "sysroot"), "share/doc/rust/html")
    found = set()
    for page in pages.glob("std/**/*.html"):
        named = re.match(r"(struct|enum|union|trait|primitive|fn|macro)\.(.+)\.html$", page.name)
        module = "::".join(page.relative_to(pages).parts[:-1])
        if not named or re.search(r"\b(arch|simd|intrinsics|nonpoison|bstr|async_iter)\b", module):
            continue
        kind, item = named.groups()
        text = page.read_text()
        if kind in ("fn", "macro"):
            head = text.split('class="docblock"')[0]
            why = reason(text)
            # Macros say it in the first lines.
            says = kind == "macro" and item in ("panic", "todo", "unimplemented", "unreachable", "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne")
            if (why and not is_of_memory(why) or says) and 'class="stab unstable"' not in head:
                found.add(f"{module}::{item}" + ("!" if kind == "macro" else ""))
            continue
        own = item if kind == "primitive" else f"{module}::{item}"
        # Methods of what a type dereferences to are on the page of that type.
        text = text.split('id="deref-methods')[0]
        for part in re.split(r'(?=<section id="(?:tymethod|method|impl)[.-])', text)[1:]:
            name = re.match(r'<section id="(?:tymethod|method)\.(\w+?)(?:-\d+)?"', part)
            head, _, doc = part.partition('class="docblock"')
            if not name or 'class="stab unstable"' in head:
                continue
            why = reason(doc)
            if why and not is_of_memory(why):
                owner = "{integer}" if own in INTEGERS else own
                found.add(f"{owner}::{name.group(1)}")
    print("# What can panic, by the sections \"Panics\" of the standard library's documentation;")
    print(f"# {run('rustc', '--version').rsplit(' (')[0]}. Written by benches/std_panics.py.")
    print("\n".join(sorted(one for one in found if not SELDOM.search(one))))


main()
