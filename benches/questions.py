#!/usr/bin/env python3
"""Questions for search from the history of real repositories, and the score of the answers.

usage: questions.py make MIRRORS OUT     MIRRORS has a bare clone OWNER+NAME/repo of each repository
       questions.py score QUESTIONS.tsv ANSWERS.jsonl [tune|check]

`make` writes for each repository and year a checkout of the last commit before that year
(OUT/NAME-YEAR), and two tables of questions:

- NAME-YEAR.commits.tsv: the subject of a commit of that year or the next that changes one to three
  items of one file (besides tests and what is not Rust): the file, and the functions among the
  items, where they exist in the checkout already. The checkout is older than the commit, so it does
  not contain the answer's wording.
- NAME-YEAR.docs.tsv: the heading or first sentence of the documentation of a file, a type or a
  function, to be asked of OUT/NAME-YEAR.nodoc, which has no documentation.

Columns: qid, query, file, name, line, half. A file without function has name `-`. The half, `tune`
or `check`, follows from a hash of the question. `examples/search_eval` reads these tables. `score`
prints NDCG@10 of files, and MRR@10 and Recall@10 of functions where a question has them.
"""
import collections, hashlib, json, math, os, re, subprocess, sys

# Newest commit that is looked at, and the folder that is indexed.
REPOSITORIES = {
    'sharkdp/bat': '2ba8db9c14e5794572f5ea338c2b90404c9769cb',
    'casey/just': '4f41f609278edb6f1024e3dd7a9912946e1e7bc3',
    'rustls/rustls': '6868ee84dd62b4292b760cb7ba487cb37f86a95f',
    'image-rs/image': '2c5368b8de2f76ae9d18bc0bcf2cd16c3164cefe',
    'ratatui/ratatui': '527e1df9296e4b6d56dc665788ce558558b480c6',
    'rust-lang/mdBook': '641d06abe7d10d981ed61dd2711a30e4119666cd',
    'sfackler/rust-postgres': 'e1cd6beef3a1530642a2abaf3584d6bd8ed6cd45',
    'eza-community/eza': 'eed27ed05e74542af5852aed40e3dbff87d69c43',
    'nextest-rs/nextest': 'b2a481b1ab77c9615742e5afbb8d831e3e1f6b0b',
}
YEARS = (2022, 2024)
MAX_QUESTIONS = 50
ITEM = re.compile(
    r'^(\s*)(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?'
    r'(?:extern\s+"[^"]*"\s+)?(fn|struct|enum|trait|const|static|type|macro_rules!)\s+([A-Za-z_]\w*)')
TESTS = re.compile(r'(^|/)(tests?|benche?s?|examples?|build|fuzz|xtask|ci)(/|\.rs$)|_tests?\.rs$')
# Subjects that say nothing of what the code does.
CHORES = re.compile(
    r'clippy|rustfmt|\bfmt\b|lints?\b|warning|typo|spelling|bump|\bdeps\b|dependenc|renovate|release'
    r'|version|changelog|readme|\bdocs?\b|documentation|comment|msrv|\bci\b|\btests?\b|revert|\bwip\b'
    r'|merge|cargo|edition|clean ?up|nits?\b|simplif|refactor|rename|tweak|rust crate', re.I)


def git(mirror, *args):
    run = subprocess.run(['git', '--git-dir', mirror, *args], capture_output=True, check=True)
    return run.stdout.decode('utf8', 'replace')


def items(text):
    """[(first line, last line, kind, name)], 1-based; ends at the brace with the same indentation."""
    lines = text.split('\n')
    found = []
    for at, line in enumerate(lines):
        match = ITEM.match(line)
        if not match:
            continue
        indent = match[1]
        end = at
        for end in range(at, len(lines)):
            rest = lines[end]
            if end > at and re.match(re.escape(indent) + r'[}\])]', rest):
                break
            if end == at and rest.rstrip().endswith((';', '}')):
                break
        found.append((at + 1, end + 1, match[2], match[3]))
    return found


def tests_from(text):
    match = re.search(r'^\s*#\[cfg\(test\)\]\s*\n\s*mod ', text, re.M)
    return text[:match.start()].count('\n') + 1 if match else 10**9


def subject_of(text):
    text = re.sub(r'\s*\((?:[\w-]*/[\w-]*)?#\d+\)\s*$', '', text.strip())
    return re.sub(r'^(\[[^\]]*\]|\w+(\([^)]*\))?!?:|[\w-]+:)\s*', '', text).strip(' .')


def changed(mirror, commit):
    """The one file of a commit that is not tests, and the items of its old text that change."""
    files = [line.split('\t') for line in
             git(mirror, 'diff-tree', '-r', '--no-commit-id', '--name-status', commit).splitlines()]
    code = [f for f in files if f[-1].endswith('.rs') and not TESTS.search(f[-1])]
    if len(code) != 1 or code[0][0] != 'M':
        return None
    path = code[0][1]
    old = git(mirror, 'show', f'{commit}^:{path}')
    limit, touched = tests_from(old), {}
    known = items(old)
    for start, count in re.findall(r'^@@ -(\d+)(?:,(\d+))? ', git(
            mirror, 'diff', '-U0', f'{commit}^', commit, '--', path), re.M):
        start, count = int(start), int(count or 1)
        for line in range(start, start + max(count, 1)):
            around = [item for item in known if item[0] <= line <= item[1]]
            if line < limit and around:
                touched[around[-1][:2]] = around[-1]
    return (path, list(touched.values())) if 1 <= len(touched) <= 3 else None


def commits(mirror, newest, year):
    """[(commit, subject)] of that year and the next."""
    log = git(mirror, 'log', '--no-merges', f'--since={year}-01-01T00:00:00Z',
              f'--until={year + 2}-01-01T00:00:00Z', '--format=%H %s', newest)
    return [line.split(' ', 1) for line in log.splitlines() if ' ' in line]


def half(query):
    return 'tune' if hashlib.sha256(query.encode()).digest()[0] % 2 else 'check'


def write(path, questions):
    with open(path, 'w') as out:
        print('qid\tquery\tfile\tname\tline\thalf', file=out)
        for number, (query, targets) in enumerate(questions):
            for file, name, line in targets:
                print(f'q{number:04d}\t{query}\t{file}\t{name}\t{line}\t{half(query)}', file=out)


def targets(root, path, touched):
    """Where the file and its changed functions are in the checkout; none if they are not there."""
    try:
        text = open(os.path.join(root, path), encoding='utf8').read()
    except (OSError, UnicodeDecodeError):
        return []
    lines = {}
    for first, _, kind, name in items(text):
        if first < tests_from(text):
            lines.setdefault((kind, name), []).append(first)
    here = [(kind, name) for _, _, kind, name in touched if (kind, name) in lines]
    if not here:
        return []
    functions = [(path, name, lines[kind, name][0]) for kind, name in dict.fromkeys(here)
                 if kind == 'fn' and len(lines[kind, name]) == 1]
    return functions or [(path, '-', 0)]


def first_sentence(lines):
    """Of documentation, without marks and links."""
    paragraph = []
    for line in (line.strip() for line in lines):
        if not line and paragraph:
            break
        if line and not line.startswith(('[', '<', '!', '```', '|')):
            paragraph.append(line.lstrip('# '))
            if line.startswith('#'):
                break
    text = re.sub(r'\[`?([^\]`]*)`?\](\([^)]*\)|\[[^\]]*\])?', r'\1', ' '.join(paragraph))
    return re.split(r'(?<=[a-z0-9)])[.!?:](?:\s|$)', text.replace('`', ''))[0].strip()


def described(text):
    """[(first sentence, name of a function or `-`, its line)] of the documentation in a file."""
    lines, found = text.split('\n'), []
    module = [line[3:] for line in lines if line.startswith('//!')]
    found.append((first_sentence(module), '-', 0))
    for first, _, kind, name in items(text):
        if first >= tests_from(text):
            break
        at, docs = first - 2, []
        while at >= 0 and re.match(r'\s*(///|#\[)', lines[at]):
            docs += re.findall(r'^\s*///(.*)', lines[at])
            at -= 1
        sentence = first_sentence(docs[::-1])
        if docs and name.lower() not in sentence.lower().split():
            found.append((sentence, name, first) if kind == 'fn' else (sentence, '-', 0))
    return found


def documented(root):
    """Makes a copy without documentation. Gives [(first sentence, [(file, name, line)])]."""
    questions = collections.defaultdict(list)
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted(files):
            full = os.path.join(folder, name)
            relative = os.path.relpath(full, root)
            text = open(full, encoding='utf8', errors='replace').read()
            copy = os.path.join(root + '.nodoc', relative)
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            if name.endswith('.rs'):
                if not TESTS.search(relative):
                    for query, function, line in described(text):
                        if 4 <= len(query.split()) <= 25:
                            questions[query].append((relative, function, line))
                text = re.sub(r'^(\s*)//[/!].*$', r'\1', text, flags=re.M)
            with open(copy, 'w') as out:
                out.write(text)
    return [(query, found) for query, found in questions.items() if len(found) == 1]


def make(mirrors, out):
    for repository, newest in REPOSITORIES.items():
        mirror = os.path.join(mirrors, repository.replace('/', '+'), 'repo')
        name = repository.split('/')[1]
        for year in YEARS:
            base = git(mirror, 'rev-list', '-1', f'--before={year}-01-01T00:00:00Z', newest).strip()
            root = os.path.join(out, f'{name}-{year}')
            os.makedirs(root)
            archive = subprocess.run(['git', '--git-dir', mirror, 'archive', base, '--',
                                      ':(glob)**/*.rs', ':(glob)**/Cargo.toml'],
                                     capture_output=True, check=True).stdout
            subprocess.run(['tar', '-x', '-C', root], input=archive, check=True)
            asked = {}
            for commit, subject in commits(mirror, newest, year):
                query = subject_of(subject)
                if not 4 <= len(query.split()) <= 20 or CHORES.search(query):
                    continue
                change = changed(mirror, commit)
                found = targets(root, *change) if change else []
                if found:
                    asked.setdefault(query, found)
            order = sorted(asked.items(), key=lambda q: hashlib.sha256(q[0].encode()).digest()[1:])
            write(f'{root}.commits.tsv', order[:MAX_QUESTIONS])
            docs = sorted(documented(root), key=lambda q: hashlib.sha256(q[0].encode()).digest()[1:])
            write(f'{root}.docs.tsv', docs[:MAX_QUESTIONS])
            print(f'{name}-{year} {base} commits {min(len(asked), MAX_QUESTIONS)} of {len(asked)}, '
                  f'docs {min(len(docs), MAX_QUESTIONS)} of {len(docs)}')


def truth(path, only=None):
    table = [line.rstrip('\n').split('\t') for line in open(path)]
    asked = collections.defaultdict(list)
    for row in table[1:]:
        row = dict(zip(table[0], row))
        if only in (None, row.get('half')):
            asked[row['qid']].append((row['file'], row['name'], int(row['line'])))
    return asked


def ndcg(ranked, relevant):
    gain = sum(1 / math.log2(at + 2) for at, one in enumerate(ranked[:10]) if one in relevant)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(len(relevant), 10)))


def score(table, answers, only=None):
    asked = truth(table, only)
    files, reciprocal, recall = [], [], []
    for line in open(answers):
        answer = json.loads(line)
        relevant = asked.get(answer['qid'])
        if not relevant:
            continue
        ranked = [one if isinstance(one, str) else one[0] for one in answer['files']]
        files.append(ndcg(ranked, {file for file, _, _ in relevant}))
        wanted = {(file, name) for file, name, _ in relevant if name != '-'}
        if wanted:
            found = [(one[0], one[2]) for one in answer['results'][:10]]
            hits = [at for at, one in enumerate(found) if one in wanted]
            reciprocal.append(1 / (hits[0] + 1) if hits else 0)
            recall.append(len(set(found) & wanted) / len(wanted))
    mean = lambda values: round(sum(values) / max(len(values), 1), 3)
    return {'questions': len(files), 'file NDCG@10': mean(files), 'with functions': len(recall),
            'MRR@10': mean(reciprocal), 'Recall@10': mean(recall)}


if __name__ == '__main__':
    match sys.argv[1:]:
        case ['make', mirrors, out]:
            make(mirrors, out)
        case ['score', table, answers, *half_name]:
            print(score(table, answers, *half_name))
        case _:
            sys.exit(__doc__)
