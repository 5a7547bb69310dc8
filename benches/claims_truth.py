"""Facts of a Rust crate from tree-sitter's syntax tree alone, as the reference of claims.py.

Only what the tree decides without type inference is a fact: members, declarations, and calls of
functions whose name nothing else in the crate has.
"""

import collections
import pathlib
import re

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
# Macros whose arguments are expressions.
EXPRESSIONS = set(
    "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne format print println "
    "eprint eprintln write writeln panic vec matches dbg unreachable todo".split()
)
ITEMS = "function_item function_signature_item struct_item enum_item union_item trait_item const_item static_item type_item mod_item macro_definition".split()


def text(node):
    return node.text.decode("utf-8", "replace") if node else None


def squeeze(code):
    """Code on one line, as people quote it."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", " ", code, flags=re.S)
    code = re.sub(r"\s+", " ", code).strip()
    return re.sub(r",\s*([)\]}>])", r"\1", re.sub(r"([(\[<])\s+", r"\1", re.sub(r"\s+([)\],;>])", r"\1", code)))


def base(ty):
    """Bare name of a type."""
    ty = re.sub(r"^&\s*('\w+ )?(mut )?", "", ty or "")
    return re.sub(r"<.*", "", ty, flags=re.S).split("::")[-1].strip()


class Item:
    def __init__(self, kind, name, node, file, owner, trait, modules):
        self.kind, self.name, self.node, self.file = kind, name, node, file
        # The type of the impl or the trait around it; the trait of a trait impl.
        self.owner, self.trait, self.modules = owner, trait, modules
        self.line = (node.child_by_field_name("name") or node).start_point[0] + 1
        self.visibility = next((text(c) for c in node.children if c.type == "visibility_modifier"), "")
        self.calls, self.words, self.unclear = [], collections.Counter(), set()

    @property
    def path(self):
        return f"{self.owner}::{self.name}" if self.owner else self.name

    @property
    def signature(self):
        body = self.node.child_by_field_name("body")
        start = self.node.start_byte
        end = body.start_byte if body else self.node.end_byte
        code = self.node.text[: end - start].decode("utf-8", "replace")
        return squeeze(code).rstrip(";").strip()

    @property
    def parameters(self):
        out = []
        for child in self.node.child_by_field_name("parameters").named_children:
            if child.type == "parameter":
                ty = squeeze(text(child.child_by_field_name("type")))
                out.append((squeeze(text(child.child_by_field_name("pattern"))), ty))
            elif child.type not in ("self_parameter", "attribute_item", "line_comment", "block_comment"):
                return None
        return out

    @property
    def has_self(self):
        children = self.node.child_by_field_name("parameters").named_children
        return any(c.type == "self_parameter" for c in children)

    @property
    def returns(self):
        ty = self.node.child_by_field_name("return_type")
        return squeeze(text(ty)) if ty else "()"

    def members(self, kind):
        """Fields as (name, type), or names of variants; None if some depend on a cfg."""
        body = self.node.child_by_field_name("body")
        out, index = [], 0
        for child in body.named_children if body else []:
            if child.type == "attribute_item" and "cfg" in text(child):
                return None
            if child.type == kind:
                name = child.child_by_field_name("name")
                ty = child.child_by_field_name("type")
                out.append((text(name), squeeze(text(ty))) if kind == "field_declaration" else text(name))
            elif body.type == "ordered_field_declaration_list" and "comment" not in child.type:
                if child.type not in ("visibility_modifier", "attribute_item"):
                    out.append((str(index), squeeze(text(child))))
                    index += 1
        return out


class Crate:
    """Everything that the trees of a crate's files say."""

    def __init__(self, files):
        """`files`: text by path."""
        self.items, self.impls, self.names = [], [], collections.Counter()
        # Names in the token trees of macros that may be anything.
        self.in_macros, self.words = collections.Counter(), collections.Counter()
        self.derives, self.files = [], files
        for file, source in files.items():
            tree = PARSER.parse(source.encode())
            self.walk(tree.root_node, file, None, None, [], None)
        for item in self.items:
            self.names[item.name] += 1

    def walk(self, node, file, owner, trait, modules, inside):
        attributes = []
        for child in node.named_children:
            if child.type == "attribute_item":
                attributes.append(text(child))
                continue
            if "comment" in child.type:
                continue
            self.one(child, file, owner, trait, modules, inside, attributes)
            attributes = []

    def one(self, node, file, owner, trait, modules, inside, attributes):
        kind = node.type
        if kind in ITEMS:
            name = text(node.child_by_field_name("name"))
            item = Item(kind, name, node, file, owner, trait, modules)
            item.attributes = attributes
            self.items.append(item)
            if kind in ("struct_item", "enum_item", "union_item"):
                for attribute in attributes:
                    found = re.match(r"#\[derive\((.*)\)\]$", attribute, re.S)
                    if found:
                        for derived in re.split(r",\s*", found[1].strip().rstrip(",")):
                            self.derives.append((name, derived.split("::")[-1].strip()))
            inner = item if kind in ("function_item", "const_item", "static_item") else inside
            if kind == "macro_definition":
                self.tokens(node, None)
                return
            if kind == "trait_item":
                owner, trait = name, None
            if kind == "mod_item":
                modules = modules + [name]
            if kind == "function_item":
                owner = trait = None
            for child in node.named_children:
                if child.type in ("declaration_list", "block") or kind in ("const_item", "static_item"):
                    if child.type == "declaration_list":
                        self.walk(child, file, owner, trait, modules, inner)
                    else:
                        self.one(child, file, owner, trait, modules, inner, [])
                elif "comment" not in child.type:
                    self.word_walk(child, inner or item)
            return
        if kind == "impl_item":
            ty = text(node.child_by_field_name("type"))
            of = text(node.child_by_field_name("trait"))
            generic = node.child_by_field_name("type_parameters")
            parameters = {text(c.child_by_field_name("name") or c) for c in generic.named_children} if generic else set()
            self.impls.append((ty, of, base(ty) in parameters, file, attributes, modules))
            for child in (node.child_by_field_name("type"), node.child_by_field_name("trait")):
                if child:
                    self.word_walk(child, None)
            body = node.child_by_field_name("body")
            if body:
                self.walk(body, file, base(ty), of, modules, inside)
            return
        if kind == "macro_invocation":
            name = text(node.child_by_field_name("macro")).split("::")[-1]
            for child in node.named_children:
                if child.type == "token_tree":
                    self.tokens(child, inside if name in EXPRESSIONS else None)
            return
        if kind == "call_expression":
            function = node.child_by_field_name("function")
            while function.type == "generic_function":
                function = function.child_by_field_name("function")
            how = {"identifier": "free", "scoped_identifier": "path", "field_expression": "method"}
            name = function.child_by_field_name("name") or function.child_by_field_name("field") or function
            if inside and function.type in how:
                inside.calls.append((how[function.type], text(name), text(function)))
        if kind in ("identifier", "type_identifier", "field_identifier"):
            self.word(text(node), inside)
        if kind == "block":
            self.walk(node, file, owner, trait, modules, inside)
            return
        for child in node.named_children:
            if "comment" not in child.type:
                self.one(child, file, owner, trait, modules, inside, [])

    def word(self, name, inside):
        self.words[name] += 1
        if inside:
            inside.words[name] += 1

    def word_walk(self, node, inside):
        if node.type in ("identifier", "type_identifier", "field_identifier"):
            self.word(text(node), inside)
        for child in node.named_children:
            if child.type == "block":
                continue
            self.word_walk(child, inside)

    def tokens(self, node, inside):
        """A token tree: calls in macros with expressions, else names that may be anything."""
        children = node.children
        for child, after in zip(children, children[1:] + [None]):
            if child.type in ("identifier", "field_identifier", "type_identifier"):
                name = text(child)
                self.word(name, inside)
                opens = after is not None and after.type == "token_tree" and text(after).startswith("(")
                if inside is None:
                    self.in_macros[name] += 1
                elif opens:
                    inside.calls.append(("macro", name, name))
            elif child.named_children:
                self.tokens(child, inside)
            for word in re.findall(r"\{(\w+)", text(child)) if child.type == "string_literal" else []:
                self.in_macros[word] += 1

    def functions(self):
        return [i for i in self.items if i.kind == "function_item"]

    def unique(self, kinds):
        """Items whose name nothing else has."""
        return [i for i in self.items if i.kind in kinds and self.names[i.name] == 1]

    def callers(self, function):
        """Names of the items that call a free function; None if the trees do not decide it."""
        name = function.name
        if function.owner or self.names[name] != 1 or self.in_macros[name]:
            return None
        found = []
        for item in self.items:
            calls = sum(1 for how, called, _ in item.calls if called == name)
            if any(how == "method" and called == name for how, called, _ in item.calls):
                return None
            own = 1 if item is function else 0
            if item.words[name] - own > calls:
                return None
            if calls:
                found.append(item)
        renamed = any(re.search(rf"\b{name}\s+as\b", source) for source in self.files.values())
        return None if renamed else found


def read(folder):
    """The Rust files of a crate that belong to a target, by path."""
    folder = pathlib.Path(folder)
    out = {}
    for path in sorted(folder.rglob("*.rs")):
        relative = path.relative_to(folder).as_posix()
        if not relative.startswith((".asof", "target/")):
            out[relative] = path.read_text("utf-8", "replace")
    return out
