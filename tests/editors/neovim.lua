-- A session of headless Neovim with its built-in client. Prints a line for each request, and ends
-- with an error at the first answer that is not as expected.
--
--   ZOO=FOLDER ASOF=PROGRAM nvim --headless --clean -n -c 'luafile neovim.lua'
--
-- The set-up for documents of the past is that of docs/lsp.md.

local here = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h')
local lsp = dofile(here .. '/client.lua')
local zoo = vim.env.ZOO

local passed = 0
local function passes(what)
  passed = passed + 1
  io.stdout:write(('ok %2d %s\n'):format(passed, what))
end

local function same(what, found, expected)
  if not vim.deep_equal(found, expected) then
    error(('%s: expected %s, found %s'):format(what, vim.inspect(expected), vim.inspect(found)), 0)
  end
  passes(what)
end

local function has(what, text, part)
  if type(text) ~= 'string' or not text:find(part, 1, true) then
    error(('%s: expected %s in %s'):format(what, part, vim.inspect(text)), 0)
  end
  passes(what)
end

local function ask(method, params)
  local result, problem = lsp.ask(method, params)
  assert(not problem, method .. ': ' .. vim.inspect(problem))
  return result
end

--- Runs a command of the server as a code action does.
local function run(name, argument)
  argument.uri = argument.uri or vim.uri_from_bufnr(0)
  argument.position = lsp.here().position
  vim.lsp.commands[name]({ command = name, arguments = { argument } }, { client_id = lsp.id() })
end

local function names(symbols, depth, found)
  found = found or {}
  for _, symbol in ipairs(symbols) do
    table.insert(found, ('  '):rep(depth or 0) .. symbol.name)
    names(symbol.children or {}, (depth or 0) + 1, found)
  end
  return found
end

--- The part of docs/lsp.md that this version of Neovim can run.
local function run_documentation()
  local file = assert(io.open(here .. '/../../docs/lsp.md'))
  local text = file:read('*a')
  file:close()
  local block = text:match('```lua\n(%-%- Documents of the past.-)```')
  assert(block, 'docs/lsp.md has no block for documents of the past')
  assert((loadstring or load)(block))()
end

local function open(file)
  vim.cmd('silent edit ' .. vim.fn.fnameescape(zoo .. '/src/' .. file))
end

local function session()
  run_documentation()
  open('keeper.rs')
  local ended
  lsp.start({
    name = 'asof',
    cmd = { vim.env.ASOF, 'lsp' },
    root_dir = zoo,
    on_exit = function(code, signal)
      ended = { code, signal }
    end,
  })
  passes('initialize')

  -- The code as it is.
  lsp.go('keeper.feed(&Goat)', 'feed')
  same('definition of a method', lsp.places(ask('textDocument/definition', lsp.here())),
    { 'keeper.rs:15:12 pub fn feed(&mut self, animal: &dyn Animal) -> usize {' })
  has('hover', ask('textDocument/hover', lsp.here()).contents.value,
    'pub fn feed(&mut self, animal: &dyn Animal) -> usize')
  same('references', lsp.places(ask('textDocument/references',
    lsp.here({ context = { includeDeclaration = false } }))), {
    'keeper.rs:28:12 keeper.feed(&Lion { pride: 3 });',
    'keeper.rs:29:12 keeper.feed(&Goat);',
  })
  lsp.go('keeper.feed(&Goat)', 'Goat')
  same('definition in another file', lsp.places(ask('textDocument/definition', lsp.here())),
    { 'animals.rs:33:12 pub struct Goat;' })
  lsp.go('Grüße', 'meals')
  same('definition after characters of several bytes',
    lsp.places(ask('textDocument/definition', lsp.here())),
    { 'keeper.rs:6:9 pub meals: Vec<Food>,' })
  lsp.go('animal.eats()', 'animal')
  same('type definition', lsp.places(ask('textDocument/typeDefinition', lsp.here())),
    { 'animals.rs:9:11 pub trait Animal: Named {' })
  lsp.go('let meal', 'meal')
  local highlights = ask('textDocument/documentHighlight', lsp.here())
  local column = lsp.encoding() == 'utf-8' and 43 or 39
  same('document highlight', vim.tbl_map(function(one)
    return { one.range.start.line, one.range.start.character, one.kind }
  end, highlights), { { 15, 12, 3 }, { 16, 24, 2 }, { 17, column, 2 } })
  local document = { textDocument = vim.lsp.util.make_text_document_params() }
  same('document symbols', names(ask('textDocument/documentSymbol', document)), {
    'Keeper', '  meals', 'impl Keeper', '  start', '  feed', 'count', 'open_zoo', 'tests',
    '  everybody_is_fed',
  })
  local folds = vim.tbl_map(function(one)
    return ('%d-%d'):format(one.startLine, one.endLine)
  end, ask('textDocument/foldingRange', document))
  has('folding', table.concat(folds, ' '), '25-29')
  local found = ask('workspace/symbol', { query = 'open_zo' })
  same('workspace symbol by a part of its name', { found[1].name, found[1].containerName },
    { 'open_zoo', 'zoo::keeper' })

  lsp.go('pub fn feed', 'feed')
  local item = ask('textDocument/prepareCallHierarchy', lsp.here())[1]
  same('call hierarchy', { item.name, item.detail }, { 'feed', 'zoo::keeper::Keeper::feed' })
  local callers = ask('callHierarchy/incomingCalls', { item = item })
  same('incoming calls', { #callers, callers[1].from.name, #callers[1].fromRanges },
    { 1, 'open_zoo', 2 })
  local called = vim.tbl_map(function(one)
    return one.to.name
  end, ask('callHierarchy/outgoingCalls', { item = item }))
  table.sort(called)
  same('outgoing calls', called, { 'count', 'eats' })

  open('animals.rs')
  lsp.attach()
  lsp.go('fn eats', 'eats')
  same('implementation', lsp.places(ask('textDocument/implementation', lsp.here())), {
    'animals.rs:28:8 fn eats(&self) -> Food {',
    'animals.rs:42:8 fn eats(&self) -> Food {',
  })
  lsp.go('Food::Grass', 'Grass')
  same('definition of a variant', lsp.places(ask('textDocument/definition', lsp.here())),
    { 'lib.rs:10:5 Grass,' })
  lsp.go('impl Animal for Goat', 'Animal')
  same('declaration', lsp.places(ask('textDocument/declaration', lsp.here())),
    { 'animals.rs:9:11 pub trait Animal: Named {' })

  -- A buffer that is changed and not saved.
  open('keeper.rs')
  lsp.go('fn count', 'count')
  local placeholder = ask('textDocument/prepareRename', lsp.here()).placeholder
  same('prepare rename', placeholder, 'count')
  vim.lsp.util.apply_workspace_edit(
    ask('textDocument/rename', lsp.here({ newName = 'tally' })), lsp.encoding())
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  same('rename in the buffer', { vim.trim(lines[18]), lines[22] }, {
    'tally("Grüße 😀", &self.meals, meal)',
    'fn tally(_greeting: &str, meals: &[Food], meal: Food) -> usize {',
  })
  lsp.go('Grüße', 'tally')
  same('definition of the new name', lsp.places(ask('textDocument/definition', lsp.here())),
    { 'keeper.rs:22:4 fn tally(_greeting: &str, meals: &[Food], meal: Food) -> usize {' })
  vim.api.nvim_buf_set_lines(0, 0, 0, true,
    { '/// Häuser 😀', 'pub fn built() -> u32 {', '    stables() + 1', '}', '',
      'fn stables() -> u32 {', '    7', '}', '' })
  lsp.go('stables() + 1', 'stables')
  same('definition of a function that was just typed',
    lsp.places(ask('textDocument/definition', lsp.here())),
    { 'keeper.rs:6:4 fn stables() -> u32 {' })
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'pub fn half(a: Fo', '' })
  lsp.go('keeper.feed(&Goat)', 'feed')
  same('definition while an item is half typed',
    lsp.places(ask('textDocument/definition', lsp.here())),
    { 'keeper.rs:26:12 pub fn feed(&mut self, animal: &dyn Animal) -> usize {' })
  vim.api.nvim_buf_set_lines(0, 0, 2, true, {})
  local hits = ask('workspace/symbol', { query = 'stables' })
  same('workspace symbol before a save', hits[1] and hits[1].name, 'stables')
  vim.cmd('silent write')
  lsp.go('pub fn feed', 'feed')
  local versions = {
    command = 'asof.history',
    arguments = { { uri = vim.uri_from_bufnr(0), position = lsp.here().position } },
  }
  assert(vim.wait(20000, function()
    return #ask('workspace/executeCommand', versions).versions == 3
  end, 200), 'what was saved has no version')
  passes('history after a save')

  -- The past.
  local actions = ask('textDocument/codeAction', {
    textDocument = document.textDocument,
    range = { start = lsp.here().position, ['end'] = lsp.here().position },
    context = { diagnostics = {} },
  })
  same('code actions', actions[1].command.command, 'asof.history')
  run('asof.diffItem', {})
  has('command asof.diffItem', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n'),
    '+        tally("Grüße 😀", &self.meals, meal)')
  vim.cmd('bwipeout')
  local first
  vim.ui.select = function(versions, options, choose)
    first = versions[#versions]
    has('command asof.history', options.format_item(first), '2026-03-02 A zoo with lions')
    choose(first)
  end
  run('asof.history', {})
  same('text of a document of the past', {
    vim.api.nvim_buf_get_name(0), vim.api.nvim_get_current_line(), vim.bo.modifiable,
  }, { first.uri, '    pub fn feed(&mut self, animal: &dyn Animal) {', false })
  lsp.go('keeper.feed', 'feed')
  local past = ask('textDocument/definition', lsp.here())[1]
  same('definition in the past', { past.targetUri or past.uri,
    (past.targetSelectionRange or past.range).start.line }, { first.uri, 13 })
  lsp.go('Animal, Lion', 'Lion')
  same('definition in the past, in another file',
    lsp.places(ask('textDocument/definition', lsp.here())),
    { 'animals.rs:17:12 pub struct Lion {' })
  lsp.go('pub fn feed', 'feed')
  same('references in the past', lsp.places(ask('textDocument/references',
    lsp.here({ context = { includeDeclaration = false } }))),
    { 'keeper.rs:21:12 keeper.feed(&Lion { pride: 3 });' })
  local _, refused = lsp.ask('textDocument/rename', lsp.here({ newName = 'x' }))
  has('no rename in the past', refused and refused.message, 'the past cannot be changed')

  -- Without code for the answers, the editor shows what the server asks it to show.
  if vim.fn.has('nvim-0.11') == 1 then
    for name in pairs(vim.lsp.commands) do
      vim.lsp.commands[name] = nil
    end
    open('keeper.rs')
    lsp.go('pub fn feed', 'feed')
    local here = lsp.here()
    local shown = ask('textDocument/codeAction', {
      textDocument = here.textDocument,
      range = { start = here.position, ['end'] = here.position },
      context = { diagnostics = {} },
    })
    vim.lsp.get_client_by_id(lsp.id()):exec_cmd(shown[1].command)
    assert(vim.wait(20000, function()
      return vim.api.nvim_buf_get_name(0):find('asof%-lsp%-.*history.txt')
    end), 'nothing is shown')
    has('answer of a code action', table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n'),
      'A zoo with lions')
  end

  lsp.stop()
  assert(vim.wait(20000, function()
    return ended
  end), 'the server does not end')
  same('shutdown', ended, { 0, 0 })
end

local fine, problem = xpcall(session, function(problem)
  return type(problem) == 'string' and problem or vim.inspect(problem)
end)
if not fine then
  io.stdout:write('not ok: ' .. problem .. '\n')
  vim.cmd('cquit 1')
end
local version = vim.version()
io.stdout:write(('%d requests of Neovim %d.%d.%d\n'):format(passed, version.major, version.minor,
  version.patch))
vim.cmd('qall!')
