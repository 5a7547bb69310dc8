"""The statements in `sql/`, and what their headers say."""

import re
from importlib.resources import files

TYPES = {"VARCHAR": str, "BIGINT": int, "DOUBLE": float}


def text(name):
    """A statement, with its header."""
    return files(__package__).joinpath("sql", f"{name}.sql").read_text(encoding="utf-8")


def split(statements):
    """The statements of a file."""
    plain = "\n".join(line for line in statements.splitlines() if not line.startswith("--"))
    return [part.strip() for part in plain.split(";") if part.strip()]


def parameters(name):
    """Names of parameters, with their Python types."""
    found = re.findall(r"^-- @param +(\w+): (\w+)", text(name), re.M)
    return {param: TYPES[kind] for param, kind in found}


def doc(name):
    """What a question answers, on one line."""
    header = re.search(r"^-- @doc +(.*(?:\n--  +.*)*)", text(name), re.M)
    return " ".join(re.sub(r"\n-- +", " ", header.group(1)).split()) if header else ""


def bound(name, **values):
    """Parameters of a statement with the types of its header, so that Spark has no need to guess.
    `items` is JSON that an earlier statement answered."""
    kinds = {**parameters(name), "items": str}
    return {param: kinds[param](value) for param, value in values.items()}
