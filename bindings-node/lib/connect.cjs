'use strict';
// Calling the tools of MCP servers. The core connects and says when it is done.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { textOf } = require('./how.cjs');
const { given, kindOf, pathOf, pick, pointerTo, stringOf } = require('./input.cjs');
const { CALL, EXCHANGE, callsOf, converse } = require('./run.cjs');
const { documentOf, specOf, wordsOf } = require('./spec.cjs');
const { ended } = require('./task.cjs');
const { isObject, read } = require('./value.cjs');

/** How a server is reached, and what there is of a process beside that. */
const SERVER = ['name', 'config', 'trust', 'headers', 'connectTimeout', 'maxTimeout', 'maxMessage', 'sendContext'];
const PROCESS = ['cwd', 'inherit', 'env', 'timeout', 'limits', 'signal'];
const OPTIONS = [...CALL, 'onStderr', 'signal'].filter((name) => !['tool', 'arguments', 'action'].includes(name));

async function connect(server, options) {
  const all = pick(options, [...SERVER, ...PROCESS]);
  const word = wordOf(server);
  const spec = specOf(word === undefined ? wordsOf(server) : [], all);
  const told = textOf({ ...serverOf(all), word });
  const { signal } = all;
  signal?.throwIfAborted();
  let connection;
  const opening = ended((over) => {
    connection = call((...args) => new native.Connection(...args), callsOf(), spec, told, over);
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
    const all = { ...pick(options, OPTIONS), tool: stringOf(tool, '/tool', 'bad_argument'), arguments: args };
    const exchange = textOf(Object.fromEntries(EXCHANGE.map((name) => [name, all[name]])));
    return converse(specOf([], all, exchange), documentOf(all, []), all, undefined, this.#connection);
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

/** What is said of servers alone. */
function serverOf({ name, config, trust, headers, connectTimeout, maxTimeout, maxMessage, sendContext }) {
  for (const [name, time] of Object.entries({ connectTimeout, maxTimeout })) {
    if (time != null && !(Number.isFinite(time) && time > 0)) {
      refuse('bad_option', `/${name}`, `\`${name}\` is a number of milliseconds greater than 0`);
    }
  }
  if (maxMessage != null && !(Number.isSafeInteger(maxMessage) && maxMessage > 0)) {
    refuse('bad_option', '/maxMessage', '`maxMessage` is a number of bytes');
  }
  for (const [name, flag] of Object.entries({ trust, sendContext })) {
    if (flag != null && typeof flag !== 'boolean') {
      refuse('bad_option', `/${name}`, `\`${name}\` is true or false, not ${kindOf(flag)}`);
    }
  }
  if (headers != null && !isObject(headers)) refuse('bad_option', '/headers', `\`headers\` is an object, not ${kindOf(headers)}`);
  const all = Object.entries(given(headers ?? {}));
  for (const [name, value] of all) stringOf(value, pointerTo(['headers', name]), 'bad_option');
  return {
    name: name == null ? undefined : stringOf(name, '/name', 'bad_option'),
    config: config == null ? undefined : stringOf(pathOf(config, 'config', 'bad_option'), '/config', 'bad_option'),
    trust: trust ?? undefined,
    headers: Object.fromEntries(all),
    connectTimeout: connectTimeout ?? undefined,
    maxTimeout: maxTimeout ?? undefined,
    maxMessage: maxMessage ?? undefined,
    sendContext: sendContext ?? undefined,
  };
}

module.exports = { connect, serverOf, wordOf };
