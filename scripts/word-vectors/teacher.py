"""Embeds the words of a corpus with all-MiniLM-L6-v2: where training begins.

    scripts/fetch-model
    python scripts/word-vectors/teacher.py DATA target/model/all-MiniLM-L6-v2

DATA is a folder that `examples/word_pairs` wrote. Writes `teacher.npy` there: a row for each line
of `terms.tsv`, zero for words that the table does not have.
"""

import pathlib
import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from corpus import LEAST_CRATES

BATCH = 256
DIMENSION = 384


def model(folder):
    """A function from texts to vectors of length 1: means over word pieces."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_padding()
    tokenizer.enable_truncation(16)
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    inputs = [one.name for one in session.get_inputs()]

    def embed(texts):
        pieces = tokenizer.encode_batch(texts)
        ids = np.array([one.ids for one in pieces])
        mask = np.array([one.attention_mask for one in pieces])
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        out = session.run(None, {name: feed[name] for name in inputs})[0]
        out = (out * mask[..., None]).sum(axis=1)
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    return embed


def main():
    data, folder = map(pathlib.Path, sys.argv[1:])
    with open(data / "terms.tsv", encoding="utf-8") as lines:
        terms = [line.rstrip("\n").split("\t") for line in lines]
    known = [at for at, term in enumerate(terms) if int(term[2]) >= LEAST_CRATES[term[1]]]
    known.sort(key=lambda at: len(terms[at][4]))
    embed = model(folder)
    vectors = np.zeros((len(terms), DIMENSION), np.float16)
    for begin in range(0, len(known), BATCH):
        part = known[begin : begin + BATCH]
        vectors[part] = embed([terms[at][4] for at in part])
    np.save(data / "teacher.npy", vectors)


if __name__ == "__main__":
    main()
