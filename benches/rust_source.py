"""Items of Rust sources, their documentation, and what commits change: for the sets of questions.

Read with regular expressions and a count of braces, not with `asof`, so that what is measured does
not depend on what measures.
"""
import bisect, collections, re, subprocess

Item = collections.namedtuple('Item', 'kind name first last lead public container in_test')
# `first` is the line with the keyword, `lead` the first line of documentation and attributes;
# lines count from 1. `container` is the index of the innermost item around it, or None.

HEAD = re.compile(
    r'^[ \t]*(?P<pub>pub(?:[ \t]*\([^)]*\))?[ \t]+)?(?:default[ \t]+)?(?:(?:const|async|unsafe|safe'
    r'|extern(?:[ \t]+"[^"\n]*")?|auto)[ \t]+)*'
    r'(?P<kind>fn|struct|enum|union|trait|const|static|type|mod|impl|macro_rules!)(?:\b|(?<=!))'
    r'[ \t]*(?:mut[ \t]+)?(?P<name>(?:r#)?[A-Za-z_]\w*)?', re.M)
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|\bb?r(#*)".*?"\1|"(?:\\.|[^"\\])*"'
    r"|'(?:\\[^\n]{1,9}?|[^\\'\n])'", re.S)
TESTS = re.compile(r'(^|/)(tests?|benche?s?|examples?|build|fuzz|xtask|ci)(/|\.rs$)|_tests?\.rs$')


def git(mirror, *args):
    run = subprocess.run(['git', '--git-dir', mirror, *args], capture_output=True, check=True)
    return run.stdout.decode('utf8', 'replace')


def code_only(text):
    """The text with comments and literals as blanks of the same length."""
    blank = lambda match: re.sub(r'[^\n]', ' ', match[0])
    return NO_CODE.sub(blank, text)


def end_of(code, at, kind):
    """Offset of the end of the item whose head ends at `at`: its brace or semicolon."""
    depth = 0
    for match in re.compile(r'[{}()\[\];]').finditer(code, at):
        mark = match[0]
        if mark in '{([':
            depth += 1
        elif mark in '})]':
            depth -= 1
            if depth < 0 or (depth == 0 and mark == '}' and kind not in ('const', 'static', 'type')):
                return match.start()
        elif depth == 0:
            return match.start()
    return len(code)


def lead_of(lines, first):
    """The first line of the documentation and attributes above a line; whether they say test."""
    at, test = first, False
    while at > 1:
        above = lines[at - 2].strip()
        if not above.startswith(('///', '#[', '//')) and not re.fullmatch(r'[^;{}]*\)\]', above):
            break
        test = test or bool(re.match(r'#\[(cfg\(.*\btest\b|([\w:]+::)?test\b)', above))
        at -= 1
    return at, test


def items(text):
    """All items, in the order of their beginnings."""
    code, lines = code_only(text), text.split('\n')
    starts = [0] + [match.end() for match in re.finditer('\n', text)]
    line_of = lambda offset: bisect.bisect_right(starts, offset)
    found, open_items = [], []
    for match in HEAD.finditer(code):
        kind, name = match['kind'], match['name'] or '-'
        if (name == '-' or name == 'fn') and kind != 'impl':
            continue
        if kind in ('const', 'static', 'type') and not re.match(r'\s*[:<=]', code[match.end():]):
            continue
        first, last = line_of(match.start('kind')), line_of(end_of(code, match.end(), kind))
        while open_items and found[open_items[-1]].last < first:
            open_items.pop()
        around = open_items[-1] if open_items else None
        lead, test = lead_of(lines, first)
        test = test or (kind == 'mod' and name in ('test', 'tests'))
        test = test or (around is not None and found[around].in_test)
        public = (match['pub'] or '').strip() == 'pub'
        kind = {'macro_rules!': 'macro'}.get(kind, kind)
        name = '-' if kind == 'impl' else name.removeprefix('r#')
        found.append(Item(kind, name, first, last, lead, public, around, test))
        open_items.append(len(found) - 1)
    return found


def innermost(known, line, after=None):
    """The index of the innermost item around a line, and around the line after it if asked."""
    best = None
    for at, item in enumerate(known):
        if item.first <= line and (line if after is None else after) <= item.last:
            best = at
    return best


def hunks(mirror, commit, path):
    """[(first old line, number of old lines, changed lines of both sides)]"""
    diff = git(mirror, 'diff', '-U0', '--no-renames', f'{commit}^', commit, '--', path)
    for part in re.split(r'^@@ ', diff, flags=re.M)[1:]:
        start, count = re.match(r'-(\d+)(?:,(\d+))? ', part).groups()
        yield int(start), int(count or 1), [line[1:].strip() for line in part.split('\n')[1:]]


def is_code(line):
    return line != '' and not line.startswith(('//', 'use ', 'pub use ', 'extern crate', '#!['))


def changed_in(mirror, commit, path):
    """(text before, its items, indexes of those that the commit changes), or None if it changes
    only tests, comments and imports."""
    old = git(mirror, 'show', f'{commit}^:{path}')
    known, touched, any_code = items(old), set(), False
    for start, count, lines in hunks(mirror, commit, path):
        if not any(map(is_code, lines)):
            continue
        places = [(start, start + 1)] if count == 0 else [(at, at) for at in range(start, start + count)]
        for line, after in places:
            at = innermost(known, line, after)
            if at is not None and known[at].in_test:
                continue
            any_code = True
            # A new member changes no item that is there already, unless it is part of a trait.
            if at is None or known[at].kind == 'mod' or (count == 0 and known[at].kind == 'impl'):
                continue
            touched.add(at)
    return (old, known, sorted(touched)) if any_code else None


def changed(mirror, commit, most_files):
    """{path: what `changed_in` gives}; None if the commit is no change of a few files of code."""
    status = git(mirror, 'diff-tree', '-r', '--no-commit-id', '--no-renames', '--name-status', commit)
    files = [line.split('\t') for line in status.splitlines()]
    code = [(kind, path) for kind, path in files if path.endswith('.rs') and not TESTS.search(path)]
    if not 1 <= len(code) <= most_files or any(kind == 'D' for kind, _ in code):
        return None
    found = {path: changed_in(mirror, commit, path) for kind, path in code if kind == 'M'}
    return {path: change for path, change in found.items() if change} or None


def checkout(mirror, commit, into):
    """Rust, manifests, READMEs and Markdown of documentation, as of a commit."""
    wanted = [path for path in git(mirror, 'ls-tree', '-r', '-z', '--name-only', commit).split('\0')
              if re.search(r'\.rs$|(^|/)Cargo\.toml$|(^|/)README\.md$|(^|/)docs?/.*\.md$', path)]
    archive = subprocess.run(['git', '--git-dir', mirror, 'archive', commit, '--', *wanted],
                             capture_output=True, check=True).stdout
    subprocess.run(['tar', '-x', '-C', into], input=archive, check=True)


def size(mirror, commit):
    """Bytes of Rust in a commit."""
    listing = git(mirror, 'ls-tree', '-r', '-l', commit)
    return sum(int(line.split()[3]) for line in listing.splitlines() if line.endswith('.rs'))
