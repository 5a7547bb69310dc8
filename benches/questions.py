#!/usr/bin/env python3
"""Questions for search from the history and the documentation of real code, and what they score.

usage: questions.py commits SET MIRRORS OUT     SET: held-out or tuning; MIRRORS has a clone
                                                OWNER+NAME/repo of each repository
       questions.py docs SOURCES OUT            SOURCES has the crates, as Cargo's registry has them
       questions.py docs-tuning MIRRORS OUT
       questions.py run TABLE.tsv LABEL SEARCH_EVAL [--fresh] [option of search_eval …]
       questions.py rarest TABLE.tsv
       questions.py score TABLE.tsv LABEL [tune|check]

`commits` asks for the files and functions that a commit of one to four files of code changes, with
the subject of its message, of a checkout of its parent. `docs` asks for a public item with the first
sentence of its documentation, of sources in which that sentence is blank. Both write OUT/SET.tsv and
the checkouts below OUT/SET.

Columns: qid, query, root, class, half, kind, file, name, line. `root` is the checkout, relative to
the table. Each line is an item, or a file without known item (name `-`); a module has the files
where it may be found, with `|` between. The half follows from a hash of the query: change nothing
for the sake of a question of the half `check`, and do not read its answers.

`run` asks all questions, two checkouts at a time, and keeps the answers in answers/LABEL beside the
table. Databases (`.asof` in each checkout) are used again, without a look at whether the program is
the same: `--fresh` makes them anew. `rarest` answers as a person with ripgrep does: with the files
that have the rarest word of the question, by how often, and the items around its lines; it is kept
under the label `rarest`. Both print the half `tune`. `score` prints recall, reciprocal rank and NDCG
of the first ten.
"""
import collections, concurrent.futures, hashlib, json, math, os, re, shutil, subprocess, sys, tempfile
from rust_source import (TESTS, changed, checkout, git, innermost, items, size)

# The newest commit that is looked at.
REPOSITORIES = {
    'held-out': {
        'sharkdp/fd': 'ee20f426ddf338ac7ead5c5f00ea49258005caaf',
        'dandavison/delta': 'f85c46ba8b913aa3208af0f3573db90286e56e18',
        'extrawurst/gitui': '9fd82f0d43acd0fab785c8a93a00b26c359845f9',
        'seanmonstar/reqwest': '065a5ae5209d27d4f4e3c4409725672c49a8aa39',
        'starship/starship': '6f33dcec91b758ccbae4ed850eaa6feabff798f9',
        'seanmonstar/warp': '118d504ac8a9841fbd132d5299eea24a8fc9cc36',
        'alacritty/alacritty': 'bdb72b32eeb074e3a0b8559d8ccac458237474a3',
        'mozilla/sccache': 'bf757277c5b401ff5c6629de4a165f08024352d9',
        'rusqlite/rusqlite': 'bc267609a4547e0c7bc156f424662ebaf05a06a7',
        'quinn-rs/quinn': 'a1931ab8c37e09d915ad1dcb846624ccd72e04a9',
    },
    'tuning': {
        'sharkdp/bat': '2ba8db9c14e5794572f5ea338c2b90404c9769cb',
        'casey/just': '4f41f609278edb6f1024e3dd7a9912946e1e7bc3',
        'rustls/rustls': '6868ee84dd62b4292b760cb7ba487cb37f86a95f',
        'image-rs/image': '2c5368b8de2f76ae9d18bc0bcf2cd16c3164cefe',
        'ratatui/ratatui': '527e1df9296e4b6d56dc665788ce558558b480c6',
        'rust-lang/mdBook': '641d06abe7d10d981ed61dd2711a30e4119666cd',
        'sfackler/rust-postgres': 'e1cd6beef3a1530642a2abaf3584d6bd8ed6cd45',
        'eza-community/eza': 'eed27ed05e74542af5852aed40e3dbff87d69c43',
        'nextest-rs/nextest': 'b2a481b1ab77c9615742e5afbb8d831e3e1f6b0b',
    },
}
CRATES = ('tokio-1.54.1', 'clap_builder-4.6.7', 'hyper-1.12.0', 'rayon-1.12.0', 'axum-0.8.9',
          'futures-util-0.3.34', 'reqwest-0.13.5', 'crossbeam-channel-0.5.17', 'chrono-0.4.45',
          'tracing-subscriber-0.3.23')
EACH = 30
MOST_FILES = 4
BYTES = range(60_000, 2_400_000)  # of Rust in a checkout: 2,000 to 60,000 lines
# Of each kind at least so many of 30, where there are some; the rest by hash.
QUOTA = {'module': 5, 'macro': 3, 'trait': 4, 'type': 6, 'other': 1}
# Messages that say nothing of what the code does.
CHORES = re.compile(
    r'clippy|rustfmt|\bfmt\b|\blints?\b|warnings?\b|typo|spelling|\bbump|\bdeps?\b|dependenc|renovate'
    r'|\breleas(e|ing)\b|^prepare? |^version |changelog|readme|\bdocs?\b|\bdocument|\bcomments?\b'
    r'|\bmsrv\b|\bci\b|travis|appveyor|\btests?\b|\btesting\b|\brevert|\bwip\b|^merge|\bcargo\b'
    r'|\bedition\b|rust crate|\bclean ?up|\bnits?\b|^v?\d+\.\d+|\bstyle\b|whitespace|copyright'
    r'|\bupdate (to )?\S+( crate)?( requirement)?( to| from) v?\d|\bupgrade\b.* \d|todo', re.I)
ADD = r'add(s|ed|ing)?|support(s|ed|ing)?|implement(s|ed)?|introduc\w+|allow(s|ed|ing)?|feat|feature' \
      r'|new|enable[sd]?|provide[sd]?|expose[sd]?'
FIX = r'fix(e[sd]|ing|up)?|bug(s|fix|gy)?|crash\w*|panic\w*|correct(ly)?|prevent\w*|avoid\w*|wrong(ly)?' \
      r'|regression|handle[sd]?|don.?t|incorrect(ly)?|broken|never|ensure\w*|deadlock|leak\w*'


KINDS = ('feat', 'feature', 'fix', 'bug', 'perf', 'refactor', 'other', 'chore', 'build', 'ci', 'docs',
         'style', 'test', 'deps', 'change')


def message(subject, body):
    """(kind of a conventional commit or '', subject, first paragraph of the body)"""
    subject = re.sub(r'\s*\((?:[\w-]*/[\w-]*)?#\d+\)\s*$', '', subject.strip())
    match = re.match(r'(\w+)(?:\(([^)]*)\))?!?:\s+(.*)', subject)
    kind = match[1].lower() if match and match[1].lower() in KINDS else ''
    if kind:
        subject = f'{match[2]}: {match[3]}' if match[2] else match[3]
    body = ' '.join(re.split(r'\n\s*\n', body.strip())[0].split())
    if re.match(r'([\w-]+-by|close[sd]?|fixe?[sd]?|see|resolves?|changelog)\b', body, re.I):
        body = ''
    return kind, subject.strip(' .'), body


def query_of(kind, subject, body):
    """What is asked; None if the message says too little or is about a chore."""
    chore = kind in ('chore', 'build', 'ci', 'docs', 'style', 'test', 'deps')
    if chore or CHORES.search(subject) or not subject.isascii():
        return None
    query = subject if len(subject.split()) >= 4 else f'{subject}. {body}'.strip(' .')
    query = ' '.join(re.sub(r'https?://\S+|#\d+', '', query).split()[:40])
    return query if len(query.split()) >= 4 else None


def class_of(kind, subject):
    first = re.split(r'\W+', subject.lower() + ' ')[0]
    if re.match(r'remov|drop|delet', first):
        return 'other'
    for name, words in (('add', ADD), ('fix', FIX)):
        if re.fullmatch(words, kind or first):
            return name
    for name, words in (('fix', FIX), ('add', ADD)):
        if re.search(rf'\b({words})\b', subject, re.I):
            return name
    return 'other'


def hashed(text):
    return hashlib.sha256(text.encode()).digest()


def half(query):
    return 'tune' if hashed(query)[0] % 2 else 'check'


def candidates(mirror, newest):
    """[(commit, kind, subject, query)] of all commits with a message that can be asked, by hash."""
    found = {}
    log = git(mirror, 'log', '--no-merges', '--min-parents=1', '--format=%H%x1f%s%x1f%b%x1e', newest)
    for entry in log.split('\x1e')[:-1]:
        commit, *text = entry.strip('\n').split('\x1f')
        kind, subject, body = message(*text)
        query = query_of(kind, subject, body)
        if query:
            found.setdefault(query, (commit, kind, subject, query))
    return sorted(found.values(), key=lambda one: hashed(one[3])[1:])


def commit_rows(change):
    """[(kind, file, name, line)] of the functions changed, and of the files without any."""
    for path, (_, known, touched) in sorted(change.items()):
        functions = [known[at] for at in touched if known[at].kind == 'fn']
        for item in functions:
            yield 'method' if is_member(known, item) else 'function', path, item.name, item.first
        if not functions:
            yield '-', path, '-', 0


def is_member(known, item):
    return item.container is not None and known[item.container].kind in ('impl', 'trait')


def make_commits(name, mirrors, out):
    rows, folder = [], f'commits-{name}'
    for repository, newest in REPOSITORIES[name].items():
        mirror = os.path.join(mirrors, repository.replace('/', '+'), 'repo')
        short, asked, tried = repository.split('/')[1], 0, 0
        for commit, kind, subject, query in candidates(mirror, newest):
            if asked == EACH:
                break
            tried += 1
            change = changed(mirror, commit, MOST_FILES)
            if not change or size(mirror, f'{commit}^') not in BYTES:
                continue
            root = f'{folder}/{short}-{commit[:10]}'
            os.makedirs(os.path.join(out, root))
            checkout(mirror, f'{commit}^', os.path.join(out, root))
            qid, group = f'{short}-{commit[:10]}', class_of(kind, subject)
            rows += [(qid, query, root, group, *row) for row in commit_rows(change)]
            asked += 1
        print(f'{repository}: {asked} questions of {tried} commits looked at')
    write(os.path.join(out, f'{folder}.tsv'), rows)


def write(path, rows):
    with open(path, 'w') as out:
        print('qid\tquery\troot\tclass\thalf\tkind\tfile\tname\tline', file=out)
        for qid, query, root, group, *item in rows:
            query = ' '.join(query.split())
            print(qid, query, root, group, half(query), *item, sep='\t', file=out)


def paragraph_of(lines):
    """(indexes of the lines of the first paragraph of documentation, its text)"""
    at = 0
    while at < len(lines) and re.match(r'\s*(#|\[!|<|!\[|$)', lines[at]):
        at += 1
    end = at
    while end < len(lines) and lines[end].strip() and not re.match(r'\s*(#|```|[-*|] )', lines[end]):
        end += 1
    return range(at, end), ' '.join(line.strip() for line in lines[at:end])


def split_sentence(text):
    """(first sentence, the rest)"""
    for match in re.finditer(r'(?<=[a-z0-9)\]`*])[.!?:](?=\s|$)', text):
        if not re.search(r'(\b[a-z]\.[a-z]|\betc|\bvs)$', text[:match.start()]):
            return text[:match.end()], text[match.end():].strip()
    return text, ''


def plain(sentence):
    """Without marks and links."""
    text = re.sub(r'\[`?([^\]`]*)`?\](\([^)]*\)|\[[^\]]*\])?', r'\1', sentence)
    return re.sub(r'[`*]|\b__?|__?\b', '', text).strip(' .:!')


Described = collections.namedtuple('Described', 'kind file name line query path numbers mark rest')
# `file` has alternatives with `|` between; `path` is the file whose lines `numbers` are documentation.


def kind_of(known, item):
    if item.kind == 'fn':
        return 'method' if is_member(known, item) else 'function'
    types = dict.fromkeys(('struct', 'enum', 'union', 'type'), 'type')
    return {'mod': 'module', 'trait': 'trait', 'macro': 'macro', **types}.get(item.kind, 'other')


def is_public(known, item, lines):
    around = known[item.container] if item.container is not None else None
    if item.in_test or (around and around.kind in ('macro', 'fn')):
        return False
    if item.kind == 'macro':
        return any('macro_export' in line for line in lines[item.lead - 1:item.first])
    return item.public or bool(around and around.kind == 'trait' and around.public)


def sentence_of(lines, numbers, mark):
    """(question, rest of the paragraph, numbers of its lines) of lines of documentation."""
    docs = [lines[number].strip()[len(mark):] for number in numbers]
    paragraph, text = paragraph_of(docs)
    sentence, rest = split_sentence(text)
    return plain(sentence), rest, [numbers[at] for at in paragraph]


def described(path, text, modules):
    """Everything public in a file that has documentation. `modules`: path of file -> declarations."""
    lines, known = text.split('\n'), items(text)
    for item in known:
        numbers = [at for at in range(item.lead - 1, item.first - 1)
                   if re.match(r'\s*///(?!/)', lines[at])]
        if numbers and item.kind != 'impl' and is_public(known, item, lines):
            query, rest, numbers = sentence_of(lines, numbers, '///')
            files = [path] + [below for below, (name, places) in modules.items()
                              if item.kind == 'mod' and name == item.name and path in places]
            yield Described(kind_of(known, item), '|'.join(files), item.name, item.first, query, path,
                            numbers, '///', rest)
    declared = modules.get(path)
    numbers = [at for at, line in enumerate(lines) if line.startswith('//!')]
    if declared and numbers:
        query, rest, numbers = sentence_of(lines, numbers, '//!')
        name, places = declared
        yield Described('module', '|'.join([path, *places]), name, 1, query, path, numbers, '//!', rest)


def sources(root):
    """{path: text} of the Rust of a folder."""
    found = {}
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(one for one in folders if one != '.asof')
        for name in sorted(files):
            if name.endswith('.rs'):
                path = os.path.join(folder, name)
                found[os.path.relpath(path, root)] = open(path, encoding='utf8', errors='replace').read()
    return found


def declared_modules(texts):
    """{file of a public module: (name, [files that declare it])}"""
    found = {}
    for path, text in texts.items():
        folder, file = os.path.split(path)
        if file not in ('mod.rs', 'lib.rs', 'main.rs'):
            folder = path.removesuffix('.rs')
        for name in re.findall(r'^\s*pub mod (\w+);', text, re.M):
            for below in (os.path.join(folder, name + '.rs'), os.path.join(folder, name, 'mod.rs')):
                if below in texts:
                    found.setdefault(below, (name, []))[1].append(path)
    return found


def chosen(found):
    """EACH of the questions: first what the quota of each kind wants, then by hash."""
    order = sorted(found, key=lambda one: hashed(one.query)[1:])
    first = [one for kind, most in QUOTA.items() for one in [x for x in order if x.kind == kind][:most]]
    return (first + [one for one in order if one not in first])[:EACH]


def make_docs_of(root):
    """Takes the sentences that are asked out of the sources. Gives the questions."""
    texts = {path: text for path, text in sources(root).items()}
    modules = declared_modules(texts)
    code = {path: text for path, text in texts.items() if not TESTS.search(path)}
    found = [one for path, text in code.items() for one in described(path, text, modules)]
    often = collections.Counter(one.query for one in found)
    whole = ' '.join(plain(re.sub(r'\s*\n\s*(//[/!])?\s*', ' ', text)) for text in texts.values())
    found = [one for one in found if often[one.query] == 1 and 4 <= len(one.query.split()) <= 25
             and not re.search(rf'\b{re.escape(one.name)}\b', one.query) and one.query.isascii()
             and whole.count(one.query) < 2]
    questions = chosen(found)
    for path in {one.path for one in questions}:
        lines = texts[path].split('\n')
        for one in (one for one in questions if one.path == path):
            for number in one.numbers:
                lines[number] = lines[number][:lines[number].index(one.mark)] + one.mark
            lines[one.numbers[-1]] += ' ' + one.rest if one.rest else ''
        with open(os.path.join(root, path), 'w') as out:
            out.write('\n'.join(lines))
    kinds = collections.Counter(one.kind for one in questions)
    print(f'{root}: {len(questions)} of {len(found)}: {dict(kinds)}')
    return questions


def doc_rows(short, root, questions):
    for number, one in enumerate(questions):
        yield f'{short}-{number:02}', one.query, root, one.kind, one.kind, one.file, one.name, one.line


def make_docs(crates, out):
    rows = []
    for name in CRATES:
        root = f'docs/{name}'
        shutil.copytree(os.path.join(crates, name), os.path.join(out, root), ignore=lambda folder, files: [
            one for one in files if os.path.isfile(os.path.join(folder, one))
            and not one.endswith(('.rs', '.md')) and one != 'Cargo.toml' or one == 'CHANGELOG.md'])
        rows += doc_rows(name.rpartition('-')[0], root, make_docs_of(os.path.join(out, root)))
    write(os.path.join(out, 'docs.tsv'), rows)


def make_docs_tuning(mirrors, out):
    rows = []
    for repository, newest in REPOSITORIES['tuning'].items():
        mirror, short = os.path.join(mirrors, repository.replace('/', '+'), 'repo'), repository.split('/')[1]
        root = f'docs-tuning/{short}'
        os.makedirs(os.path.join(out, root))
        checkout(mirror, newest, os.path.join(out, root))
        rows += doc_rows(short, root, make_docs_of(os.path.join(out, root)))
    write(os.path.join(out, 'docs-tuning.tsv'), rows)


def read(table):
    """{qid: rows of the table, as dictionaries}"""
    asked = collections.defaultdict(list)
    with open(table) as lines:
        header = next(lines).rstrip('\n').split('\t')
        for line in lines:
            row = dict(zip(header, line.rstrip('\n').split('\t')))
            asked[row['qid']].append(row)
    return asked


def answers_of(table, label):
    name = os.path.basename(table).removesuffix('.tsv')
    return os.path.join(os.path.dirname(table), 'answers', label, name + '.jsonl')


def by_root(table):
    """[(checkout, [(qid, query)])]"""
    roots = collections.defaultdict(list)
    for qid, rows in read(table).items():
        roots[os.path.join(os.path.dirname(table), rows[0]['root'])].append((qid, rows[0]['query']))
    return sorted(roots.items())


def ask(binary, root, questions, fresh, options):
    """The lines that search_eval writes."""
    if fresh:
        shutil.rmtree(os.path.join(root, '.asof'), ignore_errors=True)
    with tempfile.NamedTemporaryFile('w', suffix='.tsv') as table:
        table.write('qid\tquery\n' + ''.join(f'{qid}\t{query}\n' for qid, query in questions))
        table.flush()
        run = subprocess.run([binary, root, table.name, *options], capture_output=True, text=True)
    if run.returncode:
        print(f'{root}: {run.stderr.strip()}', file=sys.stderr)
    return run.stdout


def keep(table, label, answer):
    """Writes what `answer` gives for each checkout, two at a time."""
    path, roots = answers_of(table, label), by_root(table)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool, open(path, 'w') as out:
        for lines in pool.map(lambda one: answer(*one), roots):
            out.write(lines)


def rarest(root, questions):
    """Files by the rarest word of the question, and the items around the lines that have it."""
    texts, lines = sources(root), []
    lower = {path: text.lower() for path, text in texts.items()}
    for qid, query in questions:
        words = {word for word in re.findall(r'\w+', query.lower()) if len(word) > 1}
        having = {word: [path for path in lower if word in lower[path]] for word in words}
        word = min((word for word in words if having[word]), default=None,
                   key=lambda word: (len(having[word]), -len(word), word))
        files = sorted(having[word], key=lambda path: (-lower[path].count(word), path)) if word else []
        found = [one for path in files[:10] for one in items_with(path, texts[path], word)]
        lines.append(json.dumps({'qid': qid, 'results': found[:20], 'files': files[:20]}) + '\n')
    return ''.join(lines)


def items_with(path, text, word):
    """[[file, line, name]] of the innermost items around the lines with a word, the most lines first."""
    known = items(text)
    around = collections.Counter(innermost(known, at + 1) for at, line in enumerate(text.split('\n'))
                                 if word in line.lower())
    return [[path, known[at].first, known[at].name] for at, _ in around.most_common() if at is not None]


def ranks(ranked, wanted):
    """The places, from 0, at which something wanted first comes among the first ten."""
    places = {}
    for at, one in enumerate(ranked[:10]):
        for number, test in enumerate(wanted):
            if number not in places and test(one):
                places[number] = at
                break
    return sorted(places.values())


def figures(places, wanted):
    """(recall, reciprocal rank, NDCG) of the first ten"""
    most = min(wanted, 10)
    best = sum(1 / math.log2(at + 2) for at in range(most))
    gain = sum(1 / math.log2(at + 2) for at in places)
    return min(len(places) / most, 1), 1 / (places[0] + 1) if places else 0, gain / best


def is_item(row):
    files, line = row['file'].split('|'), int(row['line'])
    near = lambda other: row['kind'] == 'module' or abs(line - other) <= 2
    return lambda hit: hit[0] in files and hit[2] == row['name'] and near(hit[1])


def scores(rows, answer):
    """(figures of files, figures of items or None)"""
    files = {row['file'] for row in rows}
    ranked = [one if isinstance(one, str) else one[0] for one in answer['files']]
    tests = [lambda one, file=file: one in file.split('|') for file in files]
    known = [is_item(row) for row in rows if row['name'] != '-']
    of_items = figures(ranks(answer['results'], known), len(known)) if known else None
    return figures(ranks(ranked, tests), len(tests)), of_items


def score(table, label, only=None):
    """{class: [(figures of files, figures of items)]}, and of `all`."""
    with open(answers_of(table, label)) as lines:
        answers = {answer['qid']: answer for answer in map(json.loads, lines)}
    classes = collections.defaultdict(list)
    for qid, rows in read(table).items():
        if only in (None, rows[0]['half']):
            one = scores(rows, answers.get(qid, {'files': [], 'results': []}))
            classes[rows[0]['class']].append(one)
            classes['all'].append(one)
    return classes


def show(classes):
    print(f'{"class":10} {"files:":>6} {"recall":>7} {"MRR":>6} {"NDCG":>6} {"items:":>7} {"recall":>7} '
          f'{"MRR":>6} {"NDCG":>6}')
    for name in sorted(classes, key=lambda name: (name == 'all', name)):
        columns = []
        for values in ([files for files, _ in classes[name]],
                       [one for _, one in classes[name] if one is not None]):
            means = [sum(column) / len(values) for column in zip(*values)] or [math.nan] * 3
            columns.append(f'{len(values):6} {means[0]:7.3f} {means[1]:6.3f} {means[2]:6.3f}')
        print(f'{name:10} {" ".join(columns)}')


def main(args):
    match args:
        case ['commits', ('held-out' | 'tuning') as name, mirrors, out]:
            make_commits(name, mirrors, out)
        case ['docs', crates, out]:
            make_docs(crates, out)
        case ['docs-tuning', mirrors, out]:
            make_docs_tuning(mirrors, out)
        case ['run', table, label, binary, *options]:
            fresh, options = '--fresh' in options, [one for one in options if one != '--fresh']
            keep(table, label, lambda root, questions: ask(binary, root, questions, fresh, options))
            show(score(table, label, 'tune'))
        case ['rarest', table]:
            keep(table, 'rarest', rarest)
            show(score(table, 'rarest', 'tune'))
        case ['score', table, label, *which]:
            show(score(table, label, *which))
        case _:
            sys.exit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
