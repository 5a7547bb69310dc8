#!/usr/bin/env python3
"""Compares the declarations of the standard library with the toolchain's own documentation.

    rustup component add rust-src rust-docs
    cargo run --example standard_library -- --text std.rs
    benches/std_docs.py std.rs

For each of the types below, every stable public method of rustdoc's page has to be declared with the
same parameters and result. Paths are compared by their last segment; lifetimes, bounds, parameters for
allocators, `const` and `unsafe` are left out on both sides. Exits with 1 if anything differs.
"""
import collections, html, pathlib, re, subprocess, sys

PAGES = {
    "Option": "std/option/enum.Option.html", "Result": "std/result/enum.Result.html",
    "Vec": "std/vec/struct.Vec.html", "String": "std/string/struct.String.html",
    "str": "std/primitive.str.html", "[T]": "std/primitive.slice.html",
    "HashMap": "std/collections/struct.HashMap.html", "u8": "std/primitive.u8.html",
    "i32": "std/primitive.i32.html", "f64": "std/primitive.f64.html",
    "Iterator": "std/iter/trait.Iterator.html", "Rc": "std/rc/struct.Rc.html",
    "Arc": "std/sync/struct.Arc.html", "Box": "std/boxed/struct.Box.html",
    "Path": "std/path/struct.Path.html", "PathBuf": "std/path/struct.PathBuf.html",
}


def normal(sig, own=None):
    """Name, parameters and result with what does not count removed."""
    sig = re.sub(r"\{\s*\}$|;$", "", sig.strip().replace("ⓘ", ""))
    sig = re.sub(r"\bwhere\b.*", "", sig, flags=re.S)
    sig = re.sub(r"\[\s*const\s*\]|\bconst\s+(?=fn|unsafe|extern)|\bunsafe\s+(?=fn|extern)", "", sig)
    sig = re.sub(r"\bpub\b", "", sig)
    sig = re.sub(r"(\b[a-z_0-9]+\s*::\s*)+(?=[A-Za-z])", "", sig)
    # Bounds are written in either place.
    generics = re.match(r"\s*fn \w+\s*(<(?:[^<>()]|->|\((?:[^()])*\)|<(?:[^<>]|<[^<>]*>)*>)*>)", sig)
    if generics:
        sig = sig.replace(generics.group(1), "", 1)
    sig = re.sub(r"\?\s*Sized|\bSized\b|\bDestruct\b", "", sig)
    sig = re.sub(r",\s*A\b(?=\s*,?\s*>)", "", sig)
    sig = re.sub(r"<\s*(\w+) as \w+\s*>", r"\1", sig)
    sig = re.sub(r"'\w+", "", sig)
    sig = re.sub(r"(?<=[(,])\s*mut (?=\w+\s*[:,)])", " ", sig)
    sig = re.sub(r"\s+", "", sig).replace("&mut", "&~").replace("*mut", "*~").replace("dyn", "dyn~")
    for _ in range(4):
        sig = re.sub(r"\+(?=[,>){+]|$)|(?<=:)\+", "", sig)
        sig = re.sub(r",(?=[>)\]]|$)|(?<=<),", "", sig).replace("<>", "")
    if own:
        # `<I as SliceIndex<Self>>::Output`
        sig = re.sub(r"<(\w+)as\w+<[^<>]*>>", r"\1", sig)
        sig = re.sub(rf"(?<![\w\]]){re.escape(own.replace('&mut', '&~'))}(?![\w<])", "Self", sig)
    return sig


def subject(head):
    """The type of an impl, as it is written."""
    own = re.sub(r"^impl\s*(<(?:[^<>]|->|<(?:[^<>]|->|<[^<>]*>)*>)*>)?", "", head)
    own = re.sub(r"\bwhere\b.*", "", own, flags=re.S).strip()
    own = re.sub(r"(\w+\s*::\s*)+", "", own)
    own = re.sub(r",\s*A\b(?=\s*,?\s*>)", "", own)
    own = re.sub(r"'\w+", "", own)
    return re.sub(r"\s+", "", own)


def documented(page, trait):
    """Name and signature of the stable methods of a page."""
    text = page.read_text()
    start = text.find('id="implementations"') if not trait else text.find('id="required-methods"')
    ends = ["id=\"deref-methods", "id=\"trait-implementations\"", "id=\"foreign-impls\"", "id=\"implementors\""]
    end = min([at for at in (text.find(mark, start) for mark in ends) if at > 0] or [len(text)])
    found, own = [], None
    for part in re.split(r'(?=<section id="(?:tymethod|method|impl)[.-])', text[start:end])[1:]:
        if part.startswith('<section id="impl-'):
            head = re.search(r'<h3 class="code-header">(.*?)</h3>', part, re.S)
            own = subject(html.unescape(re.sub(r"<[^>]*>", "", head.group(1)))) if head else None
            continue
        head = re.search(r'<h4 class="code-header">(.*?)</h4>', part, re.S)
        if not head or 'class="stab unstable"' in part.split('class="docblock"')[0]:
            continue
        sig = html.unescape(re.sub(r"<[^>]*>", "", head.group(1).replace('class="where"', '> <')))
        name = re.search(r"\bfn (\w+)", sig)
        if name:
            found.append((name.group(1), normal(sig, own)))
    return found


def declared(lines, kind):
    """The same of the declarations."""
    found = []
    for line in lines:
        own = None
        if kind == "Iterator":
            if not line.startswith("pub trait Iterator "):
                continue
        else:
            head = line.split("{")[0]
            if not head.startswith("impl") or re.search(r"\bfor\b(?!\s*<)", head):
                continue
            own = subject(head)
            wanted = own.startswith("[") and ";" not in own if kind == "[T]" else re.match(rf"{re.escape(kind)}\b", own)
            if not wanted:
                continue
        for sig in re.findall(r"(fn \w+ ?.*?)(?:\{\}|;(?= (?:fn|type|const|\})| $))", line):
            found.append((re.match(r"fn (\w+)", sig).group(1), normal(sig, own)))
    return found


def main():
    lines = open(sys.argv[1]).read().splitlines()
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip()
    pages = pathlib.Path(sysroot, "share/doc/rust/html")
    wrong = 0
    for kind, page in PAGES.items():
        want, have = documented(pages / page, kind == "Iterator"), declared(lines, kind)
        names = collections.defaultdict(set)
        for name, sig in have:
            names[name].add(sig)
        missing = [(name, sig) for name, sig in want if name not in names]
        other = [(name, sig) for name, sig in want if name in names and sig not in names[name]]
        print(f"{kind}: {len(want)} documented, {len(missing)} missing, {len(other)} with another signature")
        for name, sig in missing:
            print(f"  missing {sig}")
        for name, sig in other:
            print(f"  documented {sig}\n  declared   {' | '.join(sorted(names[name]))}")
        wrong += len(missing) + len(other) + (not want)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
