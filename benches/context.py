#!/usr/bin/env python3
"""What `asof context` shows of the code that a commit changes, when the task is its message.

usage: context.py make SET MIRRORS OUT            SET: held-out or tuning, as in questions.py
       context.py run TABLE.tsv LABEL ASOF [--fresh] [option of asof context …]
       context.py score TABLE.tsv LABEL
       context.py misses TABLE.tsv LABEL

`make` takes commits that add something (a flag, an option, a variant, a method …), are no question of
OUT/commits-SET.tsv, and change one to four files and one to twelve items that exist in the parent.
The table has the columns of questions.py: a line for each changed item, or for a file in which no
item changes. Members that are only added change nothing that is there.

`run` asks each checkout of the parent, two at a time, for 4,000 tokens:

    context   asof context --token-budget 4000 --hint TASK
    bodies    the sources of what `asof search TASK` finds, in its order, each that still fits
    heads     the beginnings of the five files that `asof search --files TASK` finds first, a fifth each

The last two count a token for 3.6 bytes. `score` prints shares for each commit, and then the mean:
changed functions whose whole source is in the answer, changed items (functions too) whose whole
source is, those whose first line is at least, and changed files of which anything is. `reachable` is
what would be seen if all changed items that fit were shown, the shortest first. `misses` lists what
was not shown, for the set that may be tuned on.
"""
import collections, json, os, re, shutil, subprocess, sys
from questions import (REPOSITORIES, answers_of, candidates, class_of, hashed, keep, kind_of, read, write)
from rust_source import changed, checkout, items, size

BUDGET, BYTES_OF_TOKEN, FILES = 4000, 3.6, 5
COMMITS, MOST_FILES, MOST_ITEMS = 60, 4, 12
BYTES = range(60_000, 2_400_000)


def rows_of(change):
    for path, (_, known, touched) in sorted(change.items()):
        for at in touched:
            item = known[at]
            yield item.kind if item.kind != 'fn' else kind_of(known, item), path, item.name, item.first
        if not touched:
            yield '-', path, '-', 0


def suits(change):
    touched = [known[at] for _, known, touched in change.values() for at in touched]
    return len(touched) <= MOST_ITEMS and any(item.kind == 'fn' for item in touched)


def make_of(repository, mirror, newest, asked, most):
    """[(commit, query, change)] of a repository."""
    found, short = [], repository.split('/')[1]
    for commit, kind, subject, query in candidates(mirror, newest):
        if len(found) == most:
            break
        if class_of(kind, subject) != 'add' or f'{short}-{commit[:10]}' in asked:
            continue
        change = changed(mirror, commit, MOST_FILES)
        if change and suits(change) and size(mirror, f'{commit}^') in BYTES:
            found.append((commit, query, change))
    return found


def make(name, mirrors, out):
    asked, rows = read(os.path.join(out, f'commits-{name}.tsv')), []
    repositories = REPOSITORIES[name]
    for number, (repository, newest) in enumerate(repositories.items()):
        mirror = os.path.join(mirrors, repository.replace('/', '+'), 'repo')
        most = (COMMITS + len(repositories) - 1 - number) // len(repositories)
        for commit, query, change in make_of(repository, mirror, newest, asked, most):
            qid = f'{repository.split("/")[1]}-{commit[:10]}'
            root = f'context-{name}/{qid}'
            os.makedirs(os.path.join(out, root))
            checkout(mirror, f'{commit}^', os.path.join(out, root))
            rows += [(qid, query, root, 'add', *row) for row in rows_of(change)]
    write(os.path.join(out, f'context-{name}.tsv'), rows)
    print(f'{len({row[0] for row in rows})} commits, {sum(row[4] != "-" for row in rows)} items')


def asof(binary, root, *args):
    run = subprocess.run([binary, '-C', root, *args, '--format', 'json'], capture_output=True, text=True)
    if run.returncode:
        print(f'{root}: {run.stderr.strip()}', file=sys.stderr)
        return {}
    return json.loads(run.stdout)


def lines_of(root, path, first=1, last=None):
    with open(os.path.join(root, path), encoding='utf8', errors='replace') as text:
        return ''.join(list(text)[first - 1:last])


def context(binary, root, task, options):
    answer = asof(binary, root, 'context', '--token-budget', str(BUDGET), '--hint', task, *options)
    return [[item['file_path'], item['text']] for item in answer.get('items', [])]


def bodies(binary, root, task):
    left, shown = BUDGET * BYTES_OF_TOKEN, []
    for hit in asof(binary, root, 'search', task, '--limit', '40').get('results', []):
        text = lines_of(root, hit['file_path'], hit['start_line'], hit['end_line'])
        if len(text.encode()) <= left:
            left -= len(text.encode())
            shown.append([hit['file_path'], text])
    return shown


def heads(binary, root, task):
    files = asof(binary, root, 'search', task, '--files', '--limit', str(FILES)).get('results', [])
    most = int(BUDGET * BYTES_OF_TOKEN / FILES)
    return [[file['file_path'], lines_of(root, file['file_path']).encode()[:most].decode('utf8', 'ignore')]
            for file in files]


def ask(binary, root, questions, fresh, options):
    """A line for each question: {"qid": …, "context": [[file, text] …], "bodies": …, "heads": …}"""
    if fresh:
        shutil.rmtree(os.path.join(root, '.asof'), ignore_errors=True)
    subprocess.run([binary, '-C', root, 'index'], capture_output=True, check=True)
    lines = []
    for qid, task in questions:
        answer = {'qid': qid, 'context': context(binary, root, task, options),
                  'bodies': bodies(binary, root, task), 'heads': heads(binary, root, task)}
        lines.append(json.dumps(answer) + '\n')
    return ''.join(lines)


def squeezed(text):
    return re.sub(r'\s+', '', text)


def source_of(root, row):
    known = items(lines_of(root, row['file']))
    item = next(item for item in known if (item.first, item.name) == (int(row['line']), row['name']))
    return lines_of(root, row['file'], item.first, item.last)


def item_of(root, row):
    """(source, first line from its keyword on) of a changed item, squeezed."""
    source = source_of(root, row)
    head = re.search(r'\b(fn|struct|enum|union|trait|const|static|type|impl|macro_rules!)\s.*', source)
    return squeezed(source), squeezed(head[0]).rstrip('{}')


def parts(root, rows, answer):
    """[(row, whole source shown, first line shown, file shown)]"""
    shown = collections.defaultdict(str)
    for path, text in answer:
        shown[path] += squeezed(text) + '\n'
    found = []
    for row in rows:
        source, head = item_of(root, row) if row['name'] != '-' or row['kind'] == 'impl' else ('\0', '\0')
        text = shown.get(row['file'], '')
        found.append((row, source in text, head in text, row['file'] in shown))
    return found


def share(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def figures(found):
    """Shares of: functions in full, items in full, items at least by their first line, files."""
    known = [one for one in found if one[0]['kind'] != '-']
    files = {one[0]['file']: one[3] for one in found}
    functions = [one for one in known if one[0]['kind'] in ('function', 'method')]
    return (share(one[1] for one in functions), share(one[1] for one in known),
            share(one[1] or one[2] for one in known), share(files.values()))


def reachable(root, rows):
    """The changed items whose sources fit all together, the shortest first: no answer can show more."""
    left, shown = BUDGET * BYTES_OF_TOKEN, []
    sources = [(row['file'], source_of(root, row)) for row in rows if row['kind'] != '-']
    for path, source in sorted(sources, key=lambda one: len(one[1].encode())):
        left -= len(source.encode())
        if left >= 0:
            shown.append([path, source])
    return shown


def answered(table, label):
    """[(checkout, rows, answer)]"""
    with open(answers_of(table, label)) as lines:
        answers = {answer['qid']: answer for answer in map(json.loads, lines)}
    for qid, rows in read(table).items():
        yield os.path.join(os.path.dirname(table), rows[0]['root']), rows, answers[qid]


def score(table, label):
    print(f'{"":9} {"commits":>8} {"functions":>10} {"items":>7} {"shown":>7} {"files":>7}')
    answers = list(answered(table, label))
    for root, rows, answer in answers:
        answer['reachable'] = reachable(root, rows)
    for way in ('context', 'bodies', 'heads', 'reachable'):
        all_figures = [figures(parts(root, rows, answer[way])) for root, rows, answer in answers]
        means = [share(value for value in column if value is not None) for column in zip(*all_figures)]
        print(f'{way:9} {len(answers):8} {means[0]:10.3f} {means[1]:7.3f} {means[2]:7.3f} {means[3]:7.3f}')


def misses(table, label):
    for root, rows, answer in answered(table, label):
        print(f'{rows[0]["qid"]}: {rows[0]["query"]}')
        for row, whole, first, file in parts(root, rows, answer['context']):
            state = 'whole' if whole else 'first line' if first else 'only file' if file else 'nothing'
            print(f'    {state:10} {row["kind"]} {row["name"]} {row["file"]}:{row["line"]}')


def main(args):
    match args:
        case ['make', ('held-out' | 'tuning') as name, mirrors, out]:
            make(name, mirrors, out)
        case ['run', table, label, binary, *options]:
            fresh, options = '--fresh' in options, [one for one in options if one != '--fresh']
            keep(table, label, lambda root, tasks: ask(binary, root, tasks, fresh, options))
            score(table, label)
        case ['score', table, label]:
            score(table, label)
        case ['misses', table, label]:
            misses(table, label)
        case _:
            sys.exit(__doc__)


if __name__ == '__main__':
    main(sys.argv[1:])
