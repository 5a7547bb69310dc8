"""The words of items, as `examples/word_pairs` writes them, in arrays.

    from corpus import Corpus
    corpus = Corpus.read(folder)

The arrays are kept in `arrays.npz` in the folder: reading the text takes minutes.
"""

import array
import json
import pathlib
import zlib

import numpy as np

# As in `Field` of src/search/file_terms.rs.
FIELDS = ["name", "container", "path", "signature", "docs", "body", "comments"]
NAME, CONTAINER, PATH, SIGNATURE, DOCS, BODY, COMMENTS = range(7)
# The first sentence of the documentation, and names of what is in a module: fields of their own
# here, so that they can be left out.
FIRST, BELOW = 7, 8

# Crates that must have a word, or an identifier of several words, for it to have a vector.
LEAST_CRATES = {"word": 5, "whole": 20}

# Distinct words of a body or module that count.
MAX_BODY = 160
# Sentences of an item after the first.
MAX_SENTENCES = 6


class Ragged:
    """Rows of different lengths."""

    def __init__(self, starts, **columns):
        self.starts = starts
        self.columns = columns

    def gather(self, rows):
        """The places of all entries of rows, and for each entry the row's place in `rows`."""
        begin, length = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        owner = np.repeat(np.arange(len(rows)), length)
        before = np.repeat(np.cumsum(length) - length, length)
        return np.arange(len(owner)) - before + np.repeat(begin, length), owner


class Builder:
    """Collects rows."""

    def __init__(self, **types):
        self.starts = array.array("q", [0])
        self.columns = {name: array.array(kind) for name, kind in types.items()}

    def add(self, entries):
        """A row of entries, each as long as there are columns."""
        for entry in entries:
            for column, value in zip(self.columns.values(), entry):
                column.append(value)
        self.starts.append(len(next(iter(self.columns.values()))))

    def arrays(self, prefix):
        """What is kept."""
        out = {f"{prefix}_{name}": np.array(column) for name, column in self.columns.items()}
        out[f"{prefix}_starts"] = np.array(self.starts)
        return out


def counts(terms):
    """How often each term is there."""
    found = {}
    for term in terms:
        found[term] = found.get(term, 0) + 1
    return found


def most(entries, limit, seed):
    """At most so many entries, chosen by a hash."""
    if len(entries) <= limit:
        return entries
    key = lambda entry: zlib.crc32(f"{seed} {entry[0]}".encode())
    return sorted(entries, key=key)[:limit]


def documents_of(item, below):
    """Entries of an item: term, field, count."""
    body = list(zip(item["body"][::2], item["body"][1::2]))
    docs = [term for sentence in item["rest"] for term in sentence] + item["example"]
    fields = [
        (NAME, counts(item["name"]).items()),
        (CONTAINER, counts(item["container"]).items()),
        (PATH, counts(item["path"]).items()),
        (SIGNATURE, counts(item["signature"]).items()),
        (DOCS, most(list(counts(docs).items()), MAX_BODY, item["at"])),
        (BODY, most(body, MAX_BODY, item["at"])),
        (COMMENTS, most(list(counts(item["comments"]).items()), MAX_BODY, item["at"])),
        (FIRST, counts(item["first"]).items()),
        (BELOW, most(list(counts(below).items()), MAX_BODY, item["at"])),
    ]
    return [(term, field, min(n, 255)) for field, entries in fields for term, n in entries]


class Corpus:
    """Items, their words by field, and the sentences that may be asked."""

    def __init__(self, arrays):
        self.crate = arrays["crate"]
        self.kind = arrays["kind"]
        self.kinds = [str(kind) for kind in arrays["kinds"]]
        self.trait_impl = arrays["trait_impl"]
        self.crates = [str(name) for name in arrays["crates"]]
        self.documents = Ragged(
            arrays["documents_starts"],
            term=arrays["documents_term"],
            field=arrays["documents_field"],
            count=arrays["documents_count"],
        )
        # Sentences; the first is the first of the item's documentation, and may be empty.
        self.sentences = Ragged(arrays["sentences_starts"], term=arrays["sentences_term"])
        self.sentence_item = arrays["sentence_item"]
        self.first_sentence = arrays["first_sentence"]
        self.hashes = arrays["hashes"]
        self.is_word = arrays["is_word"]
        self.in_crates = arrays["in_crates"]
        self.in_items = arrays["in_items"]
        self.forms = arrays["forms"].tobytes().decode().split("\n")

    @classmethod
    def read(cls, folder):
        """Reads a folder that `word_pairs` wrote."""
        folder = pathlib.Path(folder)
        kept = folder / "arrays.npz"
        if not kept.exists():
            np.savez(kept, **arrays_of(folder))
        with np.load(kept) as arrays:
            return cls({name: arrays[name] for name in arrays.files})


def items_of(folder):
    """The items of a crate's file, file by file."""
    part, last = [], None
    with open(folder / "items.jsonl", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            place = (item["crate"], item["file"])
            if place != last:
                if part:
                    yield part
                part, last = [], place
            part.append(item)
    if part:
        yield part


def names_below(part):
    """For each item of a file that holds others: the words of their names."""
    below = {}
    for item in part:
        if item["at"] != 0:
            below.setdefault(item["parent"], []).extend(item["name"])
    return below


def arrays_of(folder):
    """The arrays of a folder."""
    documents = Builder(term="i", field="b", count="B")
    sentences = Builder(term="i")
    sentence_item, first_sentence = array.array("i"), array.array("i")
    crate, kind, trait_impl = array.array("i"), array.array("b"), array.array("b")
    crates, kinds = {}, {}
    for part in items_of(folder):
        below = names_below(part)
        for item in part:
            number = len(crate)
            crate.append(crates.setdefault(item["crate"], len(crates)))
            kind.append(kinds.setdefault(item["kind"], len(kinds)))
            trait_impl.append(item["trait_impl"])
            holds = item["kind"] in ("file", "module")
            documents.add(documents_of(item, below.get(item["at"], []) if holds else []))
            first_sentence.append(len(sentence_item))
            for sentence in [item["first"], *item["rest"][:MAX_SENTENCES]]:
                sentences.add((term,) for term in counts(sentence))
                sentence_item.append(number)
    terms = [line.rstrip("\n").split("\t") for line in open(folder / "terms.tsv", encoding="utf-8")]
    return {
        "crate": np.array(crate),
        "kind": np.array(kind),
        "trait_impl": np.array(trait_impl),
        "crates": np.array(list(crates)),
        "kinds": np.array(list(kinds)),
        "sentence_item": np.array(sentence_item),
        "first_sentence": np.array(first_sentence),
        "hashes": np.array([int(term[0]) for term in terms], dtype=np.uint32),
        "is_word": np.array([term[1] == "word" for term in terms]),
        "in_crates": np.array([int(term[2]) for term in terms]),
        "in_items": np.array([int(term[3]) for term in terms]),
        "forms": np.frombuffer("\n".join(term[4] for term in terms).encode(), np.uint8),
        **documents.arrays("documents"),
        **sentences.arrays("sentences"),
    }
