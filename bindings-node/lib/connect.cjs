'use strict';
// Calling the tools of MCP servers. The core connects and says when it is done.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { pathOf, pick, stringOf } = require('./input.cjs');
const names = require('./options.generated.cjs');
const { callsOf, converse } = require('./run.cjs');
const { here, optionsOf, wordsOf } = require('./spec.cjs');
const { ended } = require('./task.cjs');
const { read } = require('./value.cjs');

async function connect(server, options) {
  const all = pick(options, [...names.connect, 'signal']);
  const word = wordOf(server);
  const words = word === undefined ? wordsOf(server) : [];
  const told = optionsOf(all);
  const { signal } = all;
  signal?.throwIfAborted();
  let connection;
  const opening = ended((over) => {
    connection = call((...args) => new native.Connection(...args), callsOf(), word, words, told, here(), over);
    return connection.opening();
  });
  const aborted = () => void connection.close(() => {});
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    const { warnings = [], ...facts } = read(await opening);
    for (const warning of warnings) process.emitWarning(warning, { code: 'unexpected_tools' });
    return new Client(connection, facts);
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
}

/** A connection to a server. */
class Client {
  #connection;

  constructor(connection, facts) {
    this.#connection = connection;
    Object.assign(this, facts);
    Object.freeze(this);
  }

  async listTools(options) {
    const { signal } = pick(options, ['signal']);
    return read(await ended((over) => this.#connection.tools(over), signal));
  }

  async call(tool, args, options) {
    const all = pick(options, [...names.call, 'signal']);
    return converse(this.#connection, { ...all, tool: stringOf(tool, '/tool', 'bad_argument'), arguments: args });
  }

  async close() {
    await ended((over) => this.#connection.close(over));
  }

  // Older versions of Node have no such symbol, and no syntax for it.
  [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() {
    return this.close();
  }
}

/** The one word that names a server: a URL, a path or a name; undefined for a command. */
function wordOf(server) {
  if (Array.isArray(server)) return undefined;
  const http = server instanceof URL && server.protocol !== 'file:';
  const word = http ? server.href : stringOf(pathOf(server, 'server'), '/server', 'bad_argument');
  if (word === '') refuse('bad_argument', '/server', '`server` is empty');
  return word;
}

module.exports = { connect, wordOf };
