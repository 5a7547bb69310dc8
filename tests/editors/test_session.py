"""Sessions of a client in another language. Positions are counted in UTF-16, as they are by
clients that know nothing else."""

import asyncio
import os
import subprocess
import time
from concurrent.futures import Future
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest
import workspace
from conftest import span, units
from lsprotocol import types
from pygls.exceptions import JsonRpcException

FIRST = types.Range(types.Position(0, 0), types.Position(0, 0))


async def becomes(ask, expected, seconds: float = 20):
    """Asks until the answer is the expected one."""
    end = time.monotonic() + seconds
    while (found := await ask()) != expected:
        assert time.monotonic() < end, f"expected {expected}, found {found}"
        await asyncio.sleep(0.1)


async def test_positions_are_counted_as_the_client_counts(zoo, start):
    client = await start(zoo)
    assert client.server.capabilities.position_encoding == "utf-16"
    assert client.server.server_info.name == "asof"
    keeper = client.open(zoo / "src/keeper.rs")
    hover = await client.text_document_hover_async(
        keeper.at("Grüße", "meals")(types.HoverParams))
    assert hover.range == keeper.find("Grüße", "meals")
    assert "pub meals: Vec<Food>" in hover.contents.value


async def test_bytes_are_counted_if_the_client_offers_it(zoo, start):
    def bytes_first(capabilities):
        capabilities.general.position_encodings = ["utf-8", "utf-16"]

    client = await start(zoo, change=bytes_first)
    assert client.server.capabilities.position_encoding == "utf-8"
    keeper = client.open(zoo / "src/keeper.rs")
    line = keeper.find("Grüße", "Grüße").start.line
    column = len(keeper.text.split("\n")[line].split("meals")[0].encode())
    hover = await client.text_document_hover_async(
        types.HoverParams(keeper.document, types.Position(line, column)))
    assert hover.range == span(line, column, column + len("meals"))


async def test_edits_keep_positions_right(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    client.edit(
        keeper,
        (FIRST, "fn ställe() -> &'static str {\n    \"🐐🦁\"\n}\n\n"),
        # In a line with wide characters, after them.
        (types.Range(keeper_end := types.Position(1, units('    "🐐🦁"')), keeper_end),
         " /* 🐐 */"),
    )
    line = keeper.find("Grüße", "count")
    client.edit(keeper, (span(line.start.line, 0, line.start.character),
                         "        let _ = (\"🦁\", ställe()); "))
    assert await client.definition(keeper.at("ställe());", "ställe")) == [("keeper.rs", 0, 3)]
    defined = keeper.find("fn count", "count").start
    assert await client.definition(keeper.at("Grüße", "count")) == [
        ("keeper.rs", defined.line, defined.character)]
    # And back.
    client.edit(keeper, (types.Range(types.Position(0, 0), types.Position(4, 0)), ""))
    assert await client.definition(keeper.at("Grüße", "count")) == [
        ("keeper.rs", defined.line - 4, defined.character)]


async def test_a_text_with_carriage_returns(zoo, start):
    path = zoo / "src/keeper.rs"
    client = await start(zoo)
    keeper = client.open(path, path.read_text("utf-8").replace("\n", "\r\n"))
    defined = keeper.find("fn count", "count").start
    assert await client.definition(keeper.at("Grüße", "count")) == [
        ("keeper.rs", defined.line, defined.character)]


async def test_an_item_that_is_half_typed_hides_no_other(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    await client.definition(keeper.at("Grüße", "count"))
    client.edit(keeper, (FIRST, "impl Keeper { fn ü(&self, a: Vec<\n"))
    defined = keeper.find("fn count", "count").start
    assert await client.definition(keeper.at("Grüße", "count")) == [
        ("keeper.rs", defined.line, defined.character)]


async def test_a_cancelled_request_says_so(zoo, start):
    client = await start(zoo)
    asked = [client.protocol.send_request(
        types.WORKSPACE_SYMBOL, types.WorkspaceSymbolParams("keeper"), msg_id=f"ask-{n}")
        for n in range(40)]
    client.cancel_request(types.CancelParams("ask-39"))
    with pytest.raises(JsonRpcException) as cancelled:
        await asyncio.wrap_future(asked[39])
    assert cancelled.value.code == types.LSPErrorCodes.RequestCancelled
    for future in asked[:39]:
        assert await asyncio.wrap_future(future)


async def test_the_first_index_is_told(tmp_path, start):
    client = await start(workspace.make(tmp_path / "zoo", index=False))
    keeper = client.open(tmp_path / "zoo/src/keeper.rs")
    # Without a database, the first answer waits for it.
    assert await client.definition(keeper.at("keeper.feed(&Goat)", "feed")) == [
        ("keeper.rs", 14, 11)]

    async def last():
        reports = list(client.progress_reports.values())
        return [reports[0][0].kind, reports[0][-1].kind] if reports and reports[0] else []

    await becomes(last, ["begin", "end"])


async def test_references_in_parts(own_zoo, start):
    client = await start(own_zoo)
    uses = 450
    calls = "\n".join("    count(\"\", &[], Food::Meat);" for _ in range(uses))
    text = workspace.KEEPER + f"\npub fn often() {{\n{calls}\n}}\n"
    workspace.write(own_zoo, {"src/keeper.rs": text})
    keeper = client.open(own_zoo / "src/keeper.rs")
    context = types.ReferenceContext(include_declaration=False)
    at = keeper.at("fn count", "count")

    async def whole():
        found = await client.text_document_references_async(
            at(types.ReferenceParams, context=context))
        return len(found)

    await becomes(whole, uses + 1)
    client.partial["part"] = []
    rest = await client.text_document_references_async(
        at(types.ReferenceParams, context=context, partial_result_token="part"))
    parts = client.partial["part"]
    assert not rest
    assert len(parts) > 1
    assert sum(len(part) for part in parts) == uses + 1


async def test_two_folders(zoo, tmp_path, start):
    shop = tmp_path / "shop"
    workspace.write(shop, workspace.SECOND)
    client = await start(zoo, shop)
    assert "sell_ticket" in await client.symbols("sell_ticket")
    assert "open_zoo" in await client.symbols("open_zoo")
    lib = client.open(shop / "src/lib.rs")
    assert await client.definition(lib.at("    price", "price")) == [("lib.rs", 1, 19)]
    change = types.WorkspaceFoldersChangeEvent(
        added=[], removed=[types.WorkspaceFolder(uri=shop.as_uri(), name="shop")])
    client.workspace_did_change_workspace_folders(
        types.DidChangeWorkspaceFoldersParams(event=change))
    assert "sell_ticket" not in await client.symbols("sell_ticket")


async def test_lenses_are_off_unless_they_are_set(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    assert not await client.text_document_code_lens_async(types.CodeLensParams(keeper.document))


async def test_lenses(zoo, start):
    client = await start(zoo, settings={"lenses": True})
    keeper = client.open(zoo / "src/keeper.rs")
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(keeper.document))
    name = keeper.find("pub fn feed", "feed")
    here = [await client.code_lens_resolve_async(one) for one in lenses if one.range == name]
    commands = {one.command.command: one.command.title for one in here}
    assert commands["asof.impact"] == "2 uses"
    assert commands["asof.history"].startswith("changed 2026-05-02 by Ann")


async def test_what_cannot_be_renamed_is_refused(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    for line, word in [("Self {", "Self"), ("&mut self", "self"), ("Vec::new", "Vec"),
                       ("Grüße", "Grüße"), ("impl Keeper", "impl")]:
        try:
            prepared = await client.text_document_prepare_rename_async(
                keeper.at(line, word)(types.PrepareRenameParams))
        except JsonRpcException:
            continue
        assert prepared is None, word
    prepared = await client.text_document_prepare_rename_async(
        keeper.at("fn count", "count")(types.PrepareRenameParams))
    assert (prepared.range, prepared.placeholder) == (keeper.find("fn count", "count"), "count")
    with pytest.raises(JsonRpcException):
        await client.text_document_rename_async(
            keeper.at("fn count", "count")(types.RenameParams, new_name="not a name"))


async def test_a_rename_names_the_version_that_it_is_of(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    edit = await client.text_document_rename_async(
        keeper.at("fn count", "count")(types.RenameParams, new_name="tally"))
    [changed] = edit.document_changes
    assert (changed.text_document.uri, changed.text_document.version) == (keeper.uri, 1)
    text = keeper.text
    for one in sorted(changed.edits, key=lambda one: one.range.start.line, reverse=True):
        start_at, end_at = keeper.byte(one.range.start), keeper.byte(one.range.end)
        text = text[:start_at] + one.new_text + text[end_at:]
    assert text == keeper.text.replace("count(", "tally(").replace(".tally()", ".count()")


async def test_selection_ranges_grow(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    word = keeper.find("Grüße", "meals")
    [one] = await client.text_document_selection_range_async(
        types.SelectionRangeParams(keeper.document, [word.start]))
    assert one.range == word
    while one.parent:
        inner, one = one.range, one.parent
        assert one.range.start <= inner.start and inner.end <= one.range.end
        assert one.range != inner
    assert one.range.start == types.Position(0, 0)


async def test_links_of_documentation(zoo, start):
    client = await start(zoo)
    lib = client.open(zoo / "src/lib.rs")
    [link] = await client.text_document_document_link_async(
        types.DocumentLinkParams(lib.document))
    assert link.range == lib.find("animals::Animal", "animals::Animal")
    assert link.target == (zoo / "src/animals.rs").as_uri() + "#L9"


async def test_type_hierarchy(zoo, start):
    client = await start(zoo)
    animals = client.open(zoo / "src/animals.rs")
    [item] = await client.text_document_prepare_type_hierarchy_async(
        animals.at("pub trait Animal", "Animal")(types.TypeHierarchyPrepareParams))
    assert (item.name, item.detail) == ("Animal", "zoo::animals::Animal")
    assert item.selection_range == animals.find("pub trait Animal", "Animal")
    above = await client.type_hierarchy_supertypes_async(
        types.TypeHierarchySupertypesParams(item))
    assert [one.name for one in above] == ["Named"]
    below = await client.type_hierarchy_subtypes_async(types.TypeHierarchySubtypesParams(item))
    assert sorted(one.name for one in below) == ["Goat", "Lion"]


async def test_folding(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    ranges = await client.text_document_folding_range_async(
        types.FoldingRangeParams(keeper.document))
    lines = [(one.start_line, one.kind) for one in ranges]
    assert (0, types.FoldingRangeKind.Imports) in lines
    assert (keeper.find("pub fn open_zoo").start.line, None) in lines


async def test_actions_of_an_item(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        keeper.document, keeper.find("pub fn feed", "feed"),
        types.CodeActionContext(diagnostics=[])))
    # lsprotocol reads an action with a command as that command, and the command as text.
    offered = " ".join(str(one.command) for one in actions)
    for command in client.server.capabilities.execute_command_provider.commands:
        assert command in offered
    assert "asof: History of this item" in [one.title for one in actions]


async def test_answers_are_shown_if_the_client_asks_for_it(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    here = {"uri": keeper.uri, "position": {"line": 14, "character": 12}}
    found = await client.execute("asof.history", **here, show=True)
    [shown] = client.shown_documents
    path = Path(unquote(urlparse(shown.uri).path))
    assert path.read_text("utf-8") == found["text"]
    await client.execute("asof.history", **here)
    assert len(client.shown_documents) == 1


async def test_commands_about_the_past_and_about_consequences(own_zoo, start):
    client = await start(own_zoo)
    keeper = client.open(own_zoo / "src/keeper.rs")
    here = {"uri": keeper.uri, "position": {"line": 14, "character": 12}}
    found = await client.execute("asof.history", **here)
    assert [one["message"] for one in found["versions"]] == [
        "Meals are counted", "A zoo with lions"]
    found = await client.execute("asof.diffItem", **here)
    assert "+        self.meals.push(meal);" in found["text"]
    found = await client.execute("asof.impact", **here)
    assert [one["item"]["name"] for one in found["items"]] == ["open_zoo", "everybody_is_fed"]
    text = keeper.text.replace("**one == meal", "*one == &meal")
    workspace.write(own_zoo, {"src/keeper.rs": text})
    found = await client.execute("asof.testsAffected", uri=keeper.uri)
    assert [one["name"] for one in found["tests"]["selected"]] == [
        "keeper::tests::everybody_is_fed"]
    assert found["commands"][0].endswith("-- keeper::tests::everybody_is_fed")
    with pytest.raises(JsonRpcException):
        await client.execute("asof.showAt", uri=keeper.uri, at="no such moment")


async def test_a_document_of_the_past(zoo, start):
    client = await start(zoo)
    keeper = client.open(zoo / "src/keeper.rs")
    shown = await client.execute("asof.showAt", uri=keeper.uri, at="HEAD~1")
    content = await client.workspace_text_document_content_async(
        types.TextDocumentContentParams(shown["uri"]))
    assert content.text == workspace.FIRST_KEEPER
    document = types.TextDocumentIdentifier(shown["uri"])
    position = types.Position(19, content.text.split("\n")[19].index("start"))
    [found] = await client.text_document_definition_async(
        types.DefinitionParams(document, position))
    assert found.target_uri == shown["uri"]
    assert found.target_selection_range == span(9, 11, 16)
    symbols = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(document))
    assert [one.name for one in symbols] == ["Keeper", "impl Keeper", "open_zoo"]


async def test_a_file_that_changes_on_disk(own_zoo, start):
    client = await start(own_zoo)
    assert "feeding_time" not in await client.symbols("feeding_time")
    text = workspace.KEEPER + "\npub fn feeding_time() {}\n"
    workspace.write(own_zoo, {"src/keeper.rs": text})
    await becomes(lambda: has_symbol(client, "feeding_time"), True)


async def test_another_branch(own_zoo, start):
    client = await start(own_zoo)
    assert await has_symbol(client, "Goat")
    workspace.git(own_zoo, "checkout", "--quiet", "HEAD~2")
    await becomes(lambda: has_symbol(client, "Goat"), False)
    workspace.git(own_zoo, "checkout", "--quiet", "main")
    await becomes(lambda: has_symbol(client, "Goat"), True)


async def has_symbol(client, name: str) -> bool:
    return name in await client.symbols(name)


async def test_two_servers_and_the_command_line(own_zoo, start):
    one, other = await start(own_zoo), await start(own_zoo)
    for n in range(3):
        text = workspace.KEEPER + f"\npub fn lunch_{n}() {{}}\n"
        workspace.write(own_zoo, {"src/keeper.rs": text})
        told = subprocess.run(
            [os.environ["ASOF"], "-C", own_zoo, "resolve", f"zoo::keeper::lunch_{n}"],
            check=True, capture_output=True, text=True)
        assert f"lunch_{n}" in told.stdout
        for client in (one, other):
            await becomes(lambda: has_symbol(client, f"lunch_{n}"), True)


async def test_what_is_no_message_gets_an_error(zoo, start):
    client = await start(zoo)
    for bad, code in [
        (b"{x}", -32700), (b"[]", -32600), (b'{"id": 1, "method": 2}', -32600),
        (b'{"id": 1, "method": "textDocument/hover", "params": {"x": 1}}', -32602),
    ]:
        id = 1 if b"id" in bad else None
        answer = client.protocol._request_futures[id] = Future()
        client._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(bad), bad))
        with pytest.raises(JsonRpcException) as refused:
            await asyncio.wait_for(asyncio.wrap_future(answer), 20)
        assert refused.value.code == code
    with pytest.raises(JsonRpcException) as refused:
        await client.protocol.send_request_async("textDocument/unheardOf", {})
    assert refused.value.code == -32601
    assert await has_symbol(client, "open_zoo")


async def test_nothing_is_answered_before_initialize(tmp_path):
    command = [os.environ["ASOF"], "lsp"]
    server = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tmp_path)
    body = b'{"jsonrpc":"2.0","id":1,"method":"workspace/symbol","params":{"query":"a"}}'
    exit = b'{"jsonrpc":"2.0","method":"exit"}'
    frames = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in (body, exit))
    output, _ = await asyncio.wait_for(server.communicate(frames), 20)
    assert b"-32002" in output
    # `exit` without `shutdown`.
    assert server.returncode == 1


async def test_nothing_is_answered_after_shutdown(zoo, start):
    client = await start(zoo)
    await client.shutdown_async(None)
    with pytest.raises(JsonRpcException) as refused:
        await client.workspace_symbol_async(types.WorkspaceSymbolParams("open_zoo"))
    assert refused.value.code == -32600
    client.exit(None)
    assert await client._server.wait() == 0
    # There is nothing left to shut down.
    client.capabilities = None
