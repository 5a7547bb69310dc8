"""The table of word vectors as a file; src/search/words/mod.rs reads it.

All numbers are little-endian: magic `asofwv1\\n`, count of words and of numbers in a vector (u32
each), the weights of the seven fields (f32 each), the hashes of the words in order (u32 each), the
scale of each vector (the upper half of an f32 each), and the numbers (i8 each). A vector is its
numbers times its scale.
"""

import struct

import numpy as np

MAGIC = b"asofwv1\n"


def quantise(vectors, levels=127):
    """Scales and whole numbers of vectors, from -levels to levels."""
    largest = np.maximum(np.abs(vectors).max(axis=1), 1e-12)
    scales = half((largest / levels).astype(np.float32))
    numbers = np.clip(np.rint(vectors / scales[:, None]), -levels, levels)
    return scales, numbers.astype(np.int8)


def half(numbers):
    """Rounded to the upper half of their bits, up."""
    bits = (numbers.view(np.uint32) + 0xFFFF) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


def content(hashes, scales, numbers, fields):
    """The bytes of the file."""
    assert np.all(np.diff(hashes.astype(np.int64)) > 0)
    count, dimension = numbers.shape
    parts = [
        MAGIC,
        struct.pack("<II7f", count, dimension, *fields[:7]),
        hashes.astype("<u4").tobytes(),
        (scales.view(np.uint32) >> 16).astype("<u2").tobytes(),
        numbers.tobytes(),
    ]
    return b"".join(parts)

