"""Servers that end properly, and the workspaces that they open."""

import os
from pathlib import Path

import pytest
import pytest_asyncio
import workspace
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features
from pygls.protocol import default_converter


class Client(LanguageClient):
    """A client that also takes partial results, which pytest-lsp knows nothing of."""

    def __init__(self) -> None:
        super().__init__(converter_factory=default_converter)
        self.partial: dict[str, list] = {}
        self.lens_refreshes = 0
        self.server: types.InitializeResult

        def progress(client: Client, params: types.ProgressParams) -> None:
            if params.token in client.partial:
                client.partial[params.token].append(params.value)
            else:
                DEFAULT_CLIENT_FEATURES[types.PROGRESS](client, params)

        def refresh(client: Client, _params: None) -> None:
            client.lens_refreshes += 1

        register_lsp_features(self, DEFAULT_CLIENT_FEATURES | {
            types.PROGRESS: progress,
            types.WORKSPACE_CODE_LENS_REFRESH: refresh,
        })

    def open(self, path: Path, text: str | None = None) -> "Text":
        opened = Text(path.as_uri(), path.read_text("utf-8") if text is None else text)
        document = types.TextDocumentItem(opened.uri, "rust", 1, opened.text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return opened

    def edit(self, text: "Text", *edits: tuple[types.Range, str]) -> None:
        """Each edit is of the text that the one before it left."""
        text.version += 1
        changes = []
        for place, new in edits:
            start, end = text.byte(place.start), text.byte(place.end)
            text.text = text.text[:start] + new + text.text[end:]
            changes.append(types.TextDocumentContentChangePartial(text=new, range=place))
        document = types.VersionedTextDocumentIdentifier(text.version, text.uri)
        self.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    async def places(self, ask, params) -> list[tuple[str, int, int]]:
        """File, line and column of each location of an answer."""
        found = []
        for one in await ask(params) or []:
            link = isinstance(one, types.LocationLink)
            uri = one.target_uri if link else one.uri
            start = (one.target_selection_range if link else one.range).start
            found.append((uri.rsplit("/", 1)[-1], start.line, start.character))
        return found

    async def definition(self, at) -> list[tuple[str, int, int]]:
        return await self.places(self.text_document_definition_async, at(types.DefinitionParams))

    async def symbols(self, query: str) -> list[str]:
        found = await self.workspace_symbol_async(types.WorkspaceSymbolParams(query))
        return [one.name for one in found]

    async def execute(self, command: str, **argument):
        """The answer of a command as JSON, whatever pygls makes of objects."""
        params = types.ExecuteCommandParams(command, [argument])
        return plain(await self.workspace_execute_command_async(params))


def plain(value):
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


class Text:
    """A document as a client has it, in UTF-16."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri, self.text, self.version = uri, text, 1

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def byte(self, position: types.Position) -> int:
        """The index in the text of a position."""
        lines = self.text.split("\n")
        line = lines[position.line].encode("utf-16-le")[:position.character * 2]
        before = sum(len(line) + 1 for line in lines[:position.line])
        return before + len(line.decode("utf-16-le"))

    def find(self, line: str, word: str = "") -> types.Range:
        """Where a word is, on the first line that has a text."""
        for number, text in enumerate(self.text.split("\n")):
            if line in text:
                start = units(text[:text.index(word)])
                return span(number, start, start + units(word))
        raise AssertionError(f"no line has {line}")

    def at(self, line: str, word: str):
        """Makes parameters about a word."""
        start = self.find(line, word).start

        def make(kind, **more):
            return kind(text_document=self.document, position=start, **more)

        return make


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def span(line: int, start: int, end: int) -> types.Range:
    return types.Range(types.Position(line, start), types.Position(line, end))


@pytest.fixture(scope="session")
def zoo(tmp_path_factory) -> Path:
    """The workspace, with its history. Nobody writes to its files."""
    return workspace.make(tmp_path_factory.mktemp("shared") / "zoo")


@pytest.fixture
def own_zoo(tmp_path: Path) -> Path:
    """One for a test that does."""
    return workspace.make(tmp_path / "zoo")


@pytest_asyncio.fixture
async def start():
    """Starts a server for folders, as Visual Studio Code does. Each one has to end with code 0."""
    clients = []

    async def begin(*roots: Path, settings: dict | None = None, change=lambda _: None) -> Client:
        capabilities = client_capabilities("visual-studio-code")
        change(capabilities)
        config = ClientServerConfig([os.environ["ASOF"], "lsp", "--stdio"], client_factory=Client)
        client = await config.start()
        clients.append(client)
        folders = [types.WorkspaceFolder(uri=root.as_uri(), name=root.name) for root in roots]
        client.server = await client.initialize_session(types.InitializeParams(
            capabilities=capabilities, workspace_folders=folders,
            initialization_options=settings))
        return client

    yield begin
    for client in clients:
        await client.shutdown_session()
        assert client.error is None
        assert client._server.returncode == 0
        await client.stop()
