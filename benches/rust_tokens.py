"""Tokens of Rust sources, and what each name in them is, as far as the text alone tells.

A small lexer and a count of brackets, without `asof`, so that what is measured does not depend on
what measures.
"""
import bisect, collections, re

KEYWORDS = set(
    "as async await break const continue dyn else enum extern false fn for gen if impl in let loop "
    "macro_rules match mod move mut pub ref return static struct trait true type unsafe use where "
    "while yield abstract become box do final macro override priv try typeof unsized virtual".split()
)
PATH_WORDS = {"self", "Self", "super", "crate"}
ITEM_WORDS = {"fn", "struct", "enum", "union", "trait", "const", "static", "type", "mod"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}

TOKEN = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<raw>(?:b|c)?r(?P<marks>\#*)")
  | (?P<text>(?:b|c)?"(?:\\.|[^"\\])*")
  | (?P<char>b?'(?:\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|.)|[^\\'\n])')
  | (?P<lifetime>'(?:r\#)?[^\W\d]\w*)
  | (?P<name>(?:r\#)?[^\W\d]\w*)
  | (?P<number>\d\w*(?:\.\d\w*)?(?:(?<=[eE])[+-]\d+)?)
  | (?P<mark>::|->|=>|\.\.=|\.\.\.|\.\.|.)
    """,
    re.X | re.S,
)

Token = collections.namedtuple("Token", "kind text at")


def tokens(text):
    """Names, numbers, literals and marks; comments and blanks are left out."""
    at, found = 0, []
    if text.startswith("#!") and not re.match(r"#!\s*\[", text):
        at = (text + "\n").index("\n")
    while at < len(text):
        match = TOKEN.match(text, at)
        kind, end = match.lastgroup, match.end()
        if kind == "marks":
            kind = "raw"
        if kind == "comment":
            depth = 1
            for part in re.compile(r"/\*|\*/").finditer(text, end):
                depth += 1 if part[0] == "/*" else -1
                if depth == 0:
                    break
            end = part.end() if depth == 0 else len(text)
        elif match["raw"] is not None:
            close = text.find('"' + match["marks"], end)
            end = len(text) if close < 0 else close + 1 + len(match["marks"])
            found.append(Token("text", "", at))
        elif kind not in ("blank",):
            found.append(Token(kind, match[0], at))
        at = end
    return found


Name = collections.namedtuple("Name", "text at kind in_macro function")
# `kind` is one of KINDS; `function` is the index of the outermost function around it, or None.

Item = collections.namedtuple("Item", "kind text at")


class File:
    """A text with its names and definitions."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.tokens = tokens(text)
        self.pairs = pairs(self.tokens)
        self.functions, self.items = [], []
        self.read()

    def place(self, at):
        """Line and column, both from 0; the column in bytes."""
        line = bisect.bisect_right(self.starts, at) - 1
        return line, len(self.text[self.starts[line]:at].encode())

    def line(self, number):
        lines = self.starts + [len(self.text) + 1]
        return self.text[lines[number]:lines[number + 1] - 1].strip()

    def read(self):
        """The names, each with what it is."""
        all_tokens, self.names = self.tokens, []
        # What is around the current token: the mark that opens it, what it belongs to, its end.
        around, function, statement = [], None, ""
        text = lambda index: all_tokens[index].text if 0 <= index < len(all_tokens) else ""
        kind = lambda index: all_tokens[index].kind if 0 <= index < len(all_tokens) else ""
        head = ""
        for index, token in enumerate(all_tokens):
            if function is not None and index > function:
                function = None
            if token.text in OPEN and token.kind == "mark":
                around.append(self.role(index, head, around))
                if token.text == "{":
                    head = ""
                continue
            if token.text in CLOSE and token.kind == "mark":
                if around:
                    around.pop()
                if token.text == "}":
                    head = ""
                continue
            if token.text == ";" and token.kind == "mark":
                head = ""
                continue
            if token.kind != "name":
                continue
            word = token.text
            if word in ITEM_WORDS | {"impl", "use", "macro_rules"} and "attribute" not in around:
                if word == "impl" and head != "" or word == "const" and text(index + 1) == "fn":
                    continue
                # `fn(…)`, `*const T`, `const { … }` and `impl Trait` define nothing.
                defines = kind(index + 1) == "name" and text(index - 1) not in ("*", "<", ",")
                if word in ("impl", "use", "macro_rules") or defines:
                    head = head if head == "fn" and word != "fn" and function else word
                if word == "fn" and defines and function is None:
                    function = self.end_of(index)
                    self.functions.append((token.at, function))
            if word in KEYWORDS or word == "_":
                continue
            what = self.what(index, head, around, text, kind)
            macro = "macro" in around or "macro definition" in around
            inside = len(self.functions) - 1 if function is not None else None
            self.names.append(Name(word, token.at, what, macro, inside))
            if what == "definition" and not macro:
                before = text(index - 1)
                member = around and around[-1] in ("impl", "trait")
                sort = {"fn": "method" if member else "fn"}.get(before, before)
                if sort == "mut":
                    sort = "static"
                if before not in ITEM_WORDS:
                    sort = "field" if around and around[-1] == "struct" else "variant"
                self.items.append(Item(sort, word, token.at))

    def end_of(self, index):
        """The index of the token at the end of an item's head, or of its body."""
        while index < len(self.tokens):
            mark = self.tokens[index].text
            if mark in OPEN and self.tokens[index].kind == "mark":
                index = self.pairs.get(index, len(self.tokens))
                if mark == "{":
                    return index
            elif mark == ";":
                return index
            index += 1
        return index

    def role(self, index, head, around):
        """What a bracket belongs to."""
        mark = self.tokens[index].text
        before = self.tokens[index - 1] if index else Token("", "", 0)
        if mark == "[" and (before.text == "#" or before.text == "!" and index > 1
                            and self.tokens[index - 2].text == "#"):
            return "attribute"
        if before.text == "!" and index > 1 and self.tokens[index - 2].kind == "name":
            return "macro"
        if before.kind == "name" and index > 2 and self.tokens[index - 2].text == "!":
            return "macro definition"
        if mark == "{" and head in ("struct", "enum", "union", "trait", "impl", "use", "fn", "mod"):
            return {"union": "struct"}.get(head, head)
        if mark == "{" and around and around[-1] == "enum":
            return "struct"
        return mark

    def what(self, index, head, around, text, kind):
        word, before, behind = text(index), text(index - 1), text(index + 1)
        if "attribute" in around:
            return "attribute"
        if before == "pub" or before == "(" and text(index - 2) == "pub":
            return "visibility" if word in PATH_WORDS else "path segment"
        if before in ITEM_WORDS or before == "!" and text(index - 2) == "macro_rules" \
                or before == "mut" and text(index - 2) == "static":
            if not (before == "const" and text(index - 2) == "*"):
                return "definition"
        place = around[-1] if around else ""
        if place == "struct" and behind == ":" and before != "::":
            return "definition"
        if place == "enum" and before in ("{", ",", "]", ")", "}"):
            return "definition"
        if word in PATH_WORDS:
            return word
        if head == "use" or place == "use":
            return "import"
        if behind == "!" and text(index + 2) in OPEN and before not in ("!", "="):
            return "macro name"
        if before == ".":
            is_call = behind == "(" or behind == "::" and text(index + 2) == "<"
            return "method call" if is_call else "field access"
        if before == "::" or behind == "::":
            if behind == "::" and text(index + 2) != "<":
                return "path segment"
            return "end of path"
        if behind == ":" and place in ("{", "macro") and before in ("{", ",", "]"):
            return "field of literal or pattern"
        if behind == "(":
            return "call" if not word[0].isupper() else "call or pattern of a type or variant"
        return "name with capital" if word[0].isupper() else "other name"


def pairs(all_tokens):
    """The index of the bracket that closes each one."""
    waiting, found = [], {}
    for index, token in enumerate(all_tokens):
        if token.kind != "mark":
            continue
        if token.text in OPEN:
            waiting.append(index)
        elif token.text in CLOSE and waiting:
            found[waiting.pop()] = index
    return found
