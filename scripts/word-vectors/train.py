"""Learns a vector for each word of Rust code, and writes the table that the program has inside.

    python train.py DATA --out src/search/words/vectors.bin [--seed 1] [--held-out]

DATA is a folder that `examples/word_pairs` and `teacher.py` wrote. A text's vector is the weighted
sum of the vectors of its words; the vectors are learned so that a sentence of documentation is
nearer to its item than to others of the same crate. `--held-out` leaves a tenth of the crates out,
and measures with them.
"""

import argparse
import pathlib
import re
import time
import zlib

import numpy as np
import torch

import table_file
from corpus import BODY, CONTAINER, DOCS, FIRST, LEAST_CRATES, NAME, Corpus
from measure import Bench

GROUP = 128
# log weights that training begins with, by field: name, container, path, signature, docs, body,
# comments, first sentence, names below.
FIELD_START = np.log([1.0, 0.6, 0.3, 0.4, 0.6, 0.3, 0.3, 0.6, 0.4])


def options():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--dimension", type=int, default=96)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--random", action="store_true", help="begin with random vectors")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--keep")
    return parser.parse_args()


def vocabulary(corpus):
    """The terms that have vectors: those of enough crates."""
    least = np.where(corpus.is_word, LEAST_CRATES["word"], LEAST_CRATES["whole"])
    return np.flatnonzero(corpus.in_crates >= least)


class Sampler:
    """Batches: sentences, and the items that they are about."""

    def __init__(self, corpus, crates, row_of, rng):
        self.corpus, self.row_of, self.rng = corpus, row_of, rng
        is_in = np.isin(corpus.crate, crates)
        length = np.diff(corpus.sentences.starts)
        self.has_first = length[corpus.first_sentence] >= 2
        known = is_in & self.has_first
        self.asked = np.flatnonzero(known)
        # The hash of each sentence: items with the same one are no negatives of each other.
        sums = np.add.reduceat(
            np.append(corpus.sentences.columns["term"].astype(np.int64) ** 2 * 7919, 0),
            corpus.sentences.starts[:-1],
        )
        self.sentence_key = np.where(length > 0, sums, -1)
        self.last_sentence = np.append(corpus.first_sentence[1:], len(corpus.sentence_item))

    def groups(self):
        """Items in groups of one crate."""
        rng = self.rng
        order = self.asked[rng.permutation(len(self.asked))]
        order = order[np.argsort(self.corpus.crate[order], kind="stable")]
        cuts = np.flatnonzero(np.diff(self.corpus.crate[order])) + 1
        parts = []
        for one in np.split(order, cuts):
            if len(one) >= 8:
                parts.extend(np.array_split(one, max(1, round(len(one) / GROUP))))
        rng.shuffle(parts)
        return parts

    def batches(self, size):
        """Batches without end."""
        while True:
            batch, held = [], 0
            for part in self.groups():
                batch.append(part)
                held += len(part)
                if held >= size:
                    yield np.concatenate(batch)[:size]
                    batch, held = [], 0

    def sample(self, items):
        """Question and document of each item."""
        rng, corpus = self.rng, self.corpus
        n = len(items)
        first = corpus.first_sentence[items]
        others = self.last_sentence[items] - first - 1
        what = rng.random(n)
        later = (what < 0.15) & (others > 0)
        by_name = what > 0.93
        sentence = np.where(later, first + 1 + (rng.random(n) * others).astype(int), first)
        places, owner = corpus.sentences.gather(sentence)
        terms = self.row_of[corpus.sentences.columns["term"][places]]
        drop = np.where(rng.random(n) < 0.4, rng.random(n) * 0.5, 0.0)
        keep = (terms >= 0) & ~by_name[owner] & (rng.random(len(terms)) >= drop[owner])
        question = (terms[keep], owner[keep], np.ones(keep.sum(), np.float32))
        places, owner = corpus.documents.gather(items)
        columns = corpus.documents.columns
        rows, field = self.row_of[columns["term"][places]], columns["field"][places]
        count = np.log1p(columns["count"][places].astype(np.float32))
        named = by_name[owner] & np.isin(field, (NAME, CONTAINER)) & (rows >= 0)
        names = (rows[named], owner[named], count[named] / np.float32(np.log(2)))
        question = [np.concatenate(pair) for pair in zip(question, names)]
        no_docs = (rng.random(n) < 0.55) | later
        docs = (field == DOCS) & ~no_docs[owner]
        with_first = (later & (rng.random(n) < 0.4)) | by_name
        docs |= (field == FIRST) & with_first[owner]
        no_name = by_name | (rng.random(n) < 0.08)
        no_body = rng.random(n) < 0.1
        other = ~np.isin(field, (DOCS, FIRST, NAME, BODY))
        keep = docs | other | ((field == NAME) & ~no_name[owner])
        keep |= (field == BODY) & ~no_body[owner]
        keep &= rows >= 0
        document = (rows[keep], owner[keep], count[keep], field[keep])
        return question, document, self.sentence_key[sentence]


def bag(table, rows, owner, weights, n):
    """The weighted sum of rows for each owner, of length 1."""
    order = np.argsort(owner, kind="stable")
    offsets = np.searchsorted(owner[order], np.arange(n))
    out = torch.nn.functional.embedding_bag(
        torch.from_numpy(rows[order].astype(np.int64)),
        table,
        torch.from_numpy(offsets),
        mode="sum",
        per_sample_weights=weights[torch.from_numpy(order)],
    )
    return torch.nn.functional.normalize(out, dim=1, eps=1e-6)


def train(args, corpus, crates, words, start):
    """The vectors, and the weights of fields."""
    rng = np.random.default_rng(args.seed)
    torch.manual_seed(args.seed)
    row_of = np.full(len(corpus.hashes), -1, np.int32)
    row_of[words] = np.arange(len(words))
    sampler = Sampler(corpus, crates, row_of, rng)
    table = torch.nn.Parameter(torch.from_numpy(start.astype(np.float32).copy()))
    field = torch.nn.Parameter(torch.from_numpy(FIELD_START.astype(np.float32)))
    heat = torch.nn.Parameter(torch.tensor(np.log(16.0), dtype=torch.float32))
    optimizer = torch.optim.Adam(
        [{"params": [table], "lr": args.rate}, {"params": [field, heat], "lr": 0.01}],
        fused=True, betas=(0.9, 0.98),
    )
    warm = min(100, args.steps // 10)
    rate = lambda step: min(1, (step + 1) / warm) * max(0.02, 1 - step / args.steps)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, rate)
    began, losses = time.time(), []
    for step, items in zip(range(args.steps), sampler.batches(args.batch)):
        question, document, key = sampler.sample(items)
        n = len(items)
        asked = bag(table, question[0], question[1], torch.from_numpy(question[2]), n)
        of_field = torch.from_numpy(document[3].astype(np.int64))
        weights = torch.from_numpy(document[2]) * field.exp()[of_field]
        found = bag(table, document[0], document[1], weights, n)
        scores = asked @ found.T * heat.exp().clamp(max=40)
        same = torch.from_numpy(key[:, None] == key[None, :])
        same.fill_diagonal_(False)
        scores = scores.masked_fill(same, -1e4)
        target = torch.arange(n)
        loss = torch.nn.functional.cross_entropy(scores, target)
        loss = loss + 0.3 * torch.nn.functional.cross_entropy(scores.T, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if (step + 1) % 250 == 0:
            mean, seconds = np.mean(losses[-250:]), time.time() - began
            print(f"{step + 1} steps, loss {mean:.3f}, {seconds:.0f} s", flush=True)
    print("fields", np.round(field.exp().detach().numpy(), 3).tolist())
    return table.detach().numpy(), field.exp().detach().numpy()


def first_vectors(args, corpus, words):
    """Where training begins: a model's vectors of the words, or random ones; rare words long."""
    rng = np.random.default_rng(args.seed)
    frequency = corpus.in_items[words] / max(1, corpus.in_items.max())
    weight = 1e-2 / (1e-2 + frequency)
    if not args.random:
        vectors = np.load(pathlib.Path(args.data) / "teacher.npy")[words].astype(np.float64)
        vectors -= vectors.mean(axis=0)
        _, _, axes = np.linalg.svd(vectors.T @ vectors)
        vectors = vectors @ axes[: args.dimension].T
    else:
        vectors = rng.normal(size=(len(words), args.dimension))
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return vectors * (0.2 + 0.8 * weight[:, None])


def split(corpus, held_out):
    """The crates to learn from, and those left out: families such as `gix-…` as a whole."""
    family = lambda name: re.split("[-_0-9]", name)[0]
    is_out = np.array([zlib.crc32(family(name).encode()) % 10 == 0 for name in corpus.crates])
    numbers = np.arange(len(corpus.crates))
    return (numbers[~is_out], numbers[is_out]) if held_out else (numbers, numbers[:0])


def main():
    args = options()
    # More threads add in another order each time, and the table differs in its last digits.
    torch.set_num_threads(args.threads)
    corpus = Corpus.read(args.data)
    crates, left_out = split(corpus, args.held_out)
    words = vocabulary(corpus)
    print(f"{len(crates)} crates, {len(left_out)} left out, {len(words)} words", flush=True)
    vectors, fields = train(args, corpus, crates, words, first_vectors(args, corpus, words))
    order = np.argsort(corpus.hashes[words])
    words, vectors = words[order], vectors[order]
    scales, numbers = table_file.quantise(vectors)
    content = table_file.content(corpus.hashes[words], scales, numbers, fields)
    print(f"{len(content)} bytes")
    if args.keep:
        np.savez(args.keep, words=words, vectors=vectors, fields=fields)
    if args.held_out:
        bench = Bench(corpus, left_out)
        for name, table in (("exact", vectors), ("quantised", scales[:, None] * numbers)):
            whole = np.zeros((len(corpus.hashes), args.dimension), np.float32)
            whole[words] = table
            print(name, bench.table(whole, fields), flush=True)
    if args.out:
        pathlib.Path(args.out).write_bytes(content)


if __name__ == "__main__":
    main()
