// Starts `asof lsp`, and shows what its commands answer.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** Scheme of documents that show the answer of a command. */
const ANSWER = 'asof-answer';

let client;

/** Settled when the last start has ended, well or not. */
let starting;

async function activate(context) {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(ANSWER, {
      provideTextDocumentContent: (uri) => answers.get(uri.toString()),
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      answers.delete(document.uri.toString());
    }),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration('asof')) {
        starting = starting.then(deactivate).then(start, start);
        await starting;
      }
    }),
  );
  starting = start();
  await starting;
}

async function deactivate() {
  const running = client;
  client = undefined;
  await running?.dispose();
}

/**
 * The client registers the commands that the server offers, and texts of the scheme `asof`. If the
 * server does not start, it tells why.
 */
async function start() {
  const settings = vscode.workspace.getConfiguration('asof');
  client = new LanguageClient(
    'asof',
    'asof',
    { command: settings.get('path') || 'asof', args: ['lsp'] },
    {
      documentSelector: [
        { language: 'rust', scheme: 'file' },
        { language: 'rust', scheme: 'asof' },
      ],
      initializationOptions: {
        lenses: settings.get('lenses'),
        guesses: settings.get('guesses'),
      },
      uriConverters: { code2Protocol, protocol2Code: (text) => vscode.Uri.parse(text, true) },
      middleware: { executeCommand },
    },
  );
  await client.start().catch(() => {
    client = undefined;
  });
}

/**
 * `toString` writes the part before the path in lower case, but names of branches and tags have
 * both.
 */
function code2Protocol(uri) {
  if (uri.scheme !== 'asof') {
    return uri.toString();
  }
  const path = uri.path.split('/').map(encodeURIComponent).join('/');
  return `asof://${encodeURIComponent(uri.authority)}${path}`;
}

/** Runs a command of a lens, an action or the palette, which gives no argument. */
async function executeCommand(command, given) {
  // The answer is shown here, not by the server.
  const argument = { ...(given?.[0] ?? here()), show: false };
  if (!argument.uri) {
    return undefined;
  }
  if (command === 'asof.showAt' && !argument.at) {
    argument.at = await vscode.window.showInputBox({
      prompt: 'A commit, branch, tag, date or age',
      value: 'HEAD~1',
    });
    if (!argument.at) {
      return undefined;
    }
  }
  const params = { command, arguments: [argument] };
  const answer = await client.sendRequest('workspace/executeCommand', params).catch((error) => {
    vscode.window.showErrorMessage(`asof: ${error.message}`);
  });
  if (answer?.versions) {
    await pick(answer.versions);
  } else if (answer?.uri) {
    await open(answer.uri, answer.line ?? argument.position?.line);
  } else if (typeof answer?.text === 'string') {
    await show(command, answer.text);
  }
  return answer;
}

/** Where the cursor is, as the commands take it. */
function here() {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return {};
  }
  const { line, character } = editor.selection.active;
  return { uri: code2Protocol(editor.document.uri), position: { line, character } };
}

async function pick(versions) {
  const chosen = await vscode.window.showQuickPick(
    versions.map((version) => ({
      label: (version.message ?? version.commit ?? version.revision).split('\n', 1)[0],
      description: [version.at.slice(0, 10), version.actor].filter(Boolean).join(' '),
      detail: [version.classes.join(', '), version.path].filter(Boolean).join(': '),
      version,
    })),
    { placeHolder: 'Show the file as it was', matchOnDescription: true, matchOnDetail: true },
  );
  if (chosen) {
    await open(chosen.version.uri, chosen.version.line);
  }
}

async function open(uri, line) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const at = new vscode.Position(line ?? 0, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

const answers = new Map();
let shown = 0;

async function show(command, text) {
  shown += 1;
  const extension = command === 'asof.diffItem' ? 'diff' : 'txt';
  const path = `/${command.replace('asof.', '')}-${shown}.${extension}`;
  const uri = vscode.Uri.from({ scheme: ANSWER, path });
  answers.set(uri.toString(), text);
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}

module.exports = { activate, deactivate };
