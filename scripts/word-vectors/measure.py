"""Measures word vectors: the first sentence of an item's documentation must find the item among
all items of its crate, none of which has documentation.

    from measure import Bench
    bench = Bench(corpus, crates)          # numbers of the crates to ask about
    print(bench.table(vectors, weights))   # vectors[term], weights[field]

`words` is BM25F as src/search/bm25.rs has it; `rank` adds what queries/search/rank.cozo adds for
names and places; `vectors` is the cosine alone; the rest are sums with the best weight.
"""

import numpy as np

from corpus import BODY, COMMENTS, CONTAINER, NAME, PATH, SIGNATURE

# Weights of fields and how far their length counts: docs/search.md.
FIELD_WEIGHT = {NAME: 6, CONTAINER: 3, PATH: 2, SIGNATURE: 1.5, BODY: 1, COMMENTS: 0.75}
FIELD_LENGTH = {NAME: 0.3, CONTAINER: 0.75, PATH: 0.3, SIGNATURE: 0.5, BODY: 0.75, COMMENTS: 0.6}
ASKED = {"fn", "method", "struct", "enum", "trait", "macro", "type_alias", "union"}
KIND = {
    "assoc_const": 0.8,
    "assoc_type": 0.6,
    "const": 0.9,
    "module": 0.7,
    "file": 0.7,
    "static": 0.9,
    "type_alias": 0.9,
    "variant": 0.6,
}
WEAK = set(
    "all also as at by for from given if in into is no not only or other out over return returns"
    " same to under until up use used uses using via while with without".split()
)
WEIGHTS = (0.6, 1.2, 2.0, 3.0, 4.0, 6.0)
QUESTIONS = 20


class Crate:
    """The items of a crate without documentation, and questions about them."""

    def __init__(self, corpus, number, weak):
        items = np.flatnonzero(corpus.crate == number)
        places, owner = corpus.documents.gather(items)
        columns = corpus.documents.columns
        known = np.isin(columns["field"][places], list(FIELD_WEIGHT))
        places, owner = places[known], owner[known]
        self.items, self.owner = items, owner
        self.term, self.field = columns["term"][places], columns["field"][places]
        self.count = columns["count"][places].astype(np.float32)
        kinds = np.array([KIND.get(kind, 1.0) for kind in corpus.kinds])
        self.kind = kinds[corpus.kind[items]] * np.where(corpus.trait_impl[items], 0.65, 1.0)
        self.weak = weak
        self.index()
        self.questions = self.ask(corpus)

    def index(self):
        """What BM25F needs: postings by term."""
        self.size = len(self.items)
        length = np.zeros((9, self.size))
        np.add.at(length, (self.field, self.owner), self.count)
        mean = np.maximum(length.mean(axis=1), 0.1)
        weight = np.array([FIELD_WEIGHT.get(f, 0.0) for f in range(9)])
        share = np.array([FIELD_LENGTH.get(f, 0.0) for f in range(9)])
        longer = length[self.field, self.owner] / mean[self.field]
        share = share[self.field]
        scaled = weight[self.field] * self.count / (1 - share + share * longer)
        order = np.lexsort((self.owner, self.term))
        self.by_term = [column[order] for column in (self.term, self.owner, self.field, scaled)]
        self.name_words = np.maximum(length[NAME], 1)

    def ask(self, corpus):
        """First sentences of the documentation: item, terms."""
        asked = np.array([kind in ASKED for kind in corpus.kinds])[corpus.kind[self.items]]
        found = []
        for at in np.flatnonzero(asked & ~corpus.trait_impl[self.items]):
            sentence = corpus.first_sentence[self.items[at]]
            starts = corpus.sentences.starts
            terms = corpus.sentences.columns["term"][starts[sentence] : starts[sentence + 1]]
            if len(terms) >= 3:
                found.append((at, terms))
        found.sort(key=lambda one: (int(one[1].sum()) * 2654435761 + int(one[0])) % 2**32)
        return found[:QUESTIONS]

    def words(self, terms):
        """BM25F, and the ranking with names and places, for each item."""
        term, owner, field, scaled = self.by_term
        lexical, name, named, place = (np.zeros(self.size) for _ in range(4))
        total = 0.0
        for one in terms:
            begin, end = np.searchsorted(term, [one, one + 1])
            owners, fields = owner[begin:end], field[begin:end]
            f = np.bincount(owners, scaled[begin:end], minlength=self.size)
            n = np.count_nonzero(f)
            rarity = np.log(1 + max(self.size - n + 0.5, 0.5) / (n + 0.5))
            weight = 0.3 if self.weak[one] else 1.0
            total += weight * rarity
            lexical += weight * rarity * f / (1.4 + f)
            in_name = np.zeros(self.size, bool)
            in_name[owners[fields == NAME]] = True
            around = np.zeros(self.size, bool)
            around[owners[(fields == CONTAINER) | (fields == PATH)]] = True
            named += in_name
            name += weight * rarity * in_name
            place += weight * rarity * (around & ~in_name)
        lexical /= max(lexical.max(), 1e-9)
        name, place = name / max(total, 1e-9), place / max(total, 1e-9)
        fit = np.minimum(named / self.name_words, 1.0)
        rank = 0.55 * lexical + 0.25 * name + 0.1 * fit + 0.2 * name * fit + 0.3 * place
        return lexical, rank

    def vectors(self, table, field_weights):
        """A vector of length 1 for each item."""
        weight = field_weights[self.field] * np.log1p(self.count)
        out = np.zeros((self.size, table.shape[1]), np.float32)
        for field in FIELD_WEIGHT:
            one = self.field == field
            if one.any():
                np.add.at(out, self.owner[one], weight[one, None] * table[self.term[one]])
        return unit(out)


def unit(vectors):
    """Scaled to length 1."""
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


class Bench:
    """Questions about crates."""

    def __init__(self, corpus, crates, smallest=60):
        weak = np.array([form in WEAK for form in corpus.forms])
        made = [Crate(corpus, number, weak) for number in crates]
        self.crates = [crate for crate in made if crate.size >= smallest and crate.questions]
        for crate in self.crates:
            crate.scores = [crate.words(terms) for _, terms in crate.questions]

    def table(self, table, field_weights, by_kind=True):
        """MRR@10 and recall@10 of each way, and the best weights of the sums."""
        ranks = {}
        for crate in self.crates:
            items = crate.vectors(table, field_weights)
            kind = crate.kind if by_kind else 1.0
            for (at, terms), (lexical, rank) in zip(crate.questions, crate.scores):
                cosine = items @ unit(table[terms].sum(axis=0))
                ways = {"words": lexical, "rank": rank * kind, "vectors": cosine}
                for weight in WEIGHTS:
                    ways[f"words+{weight}"] = lexical + weight * cosine
                    ways[f"rank+{weight}"] = (rank + weight * cosine) * kind
                for way, score in ways.items():
                    ranks.setdefault(way, []).append(place_of(score, at))
        return summary(ranks)


def place_of(score, at):
    """Rank of an item; ties count half."""
    better = np.count_nonzero(score > score[at] + 1e-9)
    same = np.count_nonzero(np.abs(score - score[at]) <= 1e-9) - 1
    return 1 + better + same / 2


def summary(ranks):
    """Figures of the ways, only the best weight of each sum."""
    figures = {}
    for way, places in ranks.items():
        places = np.array(places)
        inside = places <= 10
        figures[way] = (np.where(inside, 1 / places, 0).mean(), inside.mean())
    best = {way: figures[way] for way in ("words", "rank", "vectors")}
    for start in ("words+", "rank+"):
        way = max((way for way in figures if way.startswith(start)), key=lambda w: figures[w][0])
        best[way] = figures[way]
    line = lambda way, mrr, recall: f"{way:10} MRR@10 {mrr:.3f} Recall@10 {recall:.3f}"
    lines = [line(way, *figure) for way, figure in best.items()]
    return f"{len(next(iter(ranks.values())))} questions\n" + "\n".join(lines)
