-- Neovim's own client, as an editor's user has it, with what its versions name differently.

local client = {}

local function newer(version)
  return vim.fn.has('nvim-' .. version) == 1
end

local running

--- Starts a server for the file that is open.
function client.start(config)
  if vim.lsp.start then
    running = vim.lsp.start(config)
  else
    running = vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(0, running)
  end
  assert(running, 'the server does not start')
  assert(vim.wait(20000, function()
    local one = vim.lsp.get_client_by_id(running)
    return one and one.initialized and vim.lsp.buf_is_attached(0, running)
  end), 'the server does not answer `initialize`')
end

function client.id()
  return running
end

--- What a column counts: newer versions ask for bytes.
function client.encoding()
  return vim.lsp.get_client_by_id(running).offset_encoding
end

function client.attach()
  vim.lsp.buf_attach_client(0, running)
end

--- Asks the server about the file that is open; stops the test if there is no answer.
function client.ask(method, params, bufnr)
  local answers, why = vim.lsp.buf_request_sync(bufnr or 0, method, params, 20000)
  assert(answers, method .. ': ' .. tostring(why))
  local _, answer = next(answers)
  assert(answer, method .. ': no client answered')
  return answer.result, answer.err or answer.error
end

--- Puts the cursor into a word: the first one on the first line that has a text.
function client.go(line, word)
  for number, text in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    if text:find(line, 1, true) then
      local column = assert(text:find(word, 1, true), word .. ' is not on the line ' .. text)
      vim.api.nvim_win_set_cursor(0, { number, column })
      return
    end
  end
  error('no line has ' .. line)
end

--- Parameters of a request about the place of the cursor.
function client.here(more)
  local params = vim.lsp.util.make_position_params(0, client.encoding())
  return vim.tbl_extend('force', params, more or {})
end

--- Locations as lines of text: `file:line text`, sorted.
function client.places(result)
  if result and (result.uri or result.targetUri) then
    result = { result }
  end
  local found = {}
  for _, item in ipairs(vim.lsp.util.locations_to_items(result or {}, client.encoding())) do
    local name = vim.fn.fnamemodify(item.filename, ':t')
    table.insert(found, ('%s:%d:%d %s'):format(name, item.lnum, item.col, vim.trim(item.text)))
  end
  table.sort(found)
  return found
end

function client.stop()
  local one = vim.lsp.get_client_by_id(running)
  if newer('0.11') then
    one:stop()
  else
    one.stop()
  end
end

return client
