'use strict';
// Serving tools to MCP clients: the functions of this program, in it, and programs on disk. The core serves, and
// says here that there are calls of functions, which are taken one by one.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { textOf } = require('./how.cjs');
const { given, kindOf, pathOf, pick, stringOf } = require('./input.cjs');
const { callsOf } = require('./run.cjs');
const { specOf, wordsOf } = require('./spec.cjs');
const { ended } = require('./task.cjs');
const { write } = require('./value.cjs');
const { Tool, made } = require('./author-tool.cjs');
const { turn } = require('./author-stdout.cjs');
const { Functions } = require('./functions.cjs');

const OFFER = ['tools', 'programs', 'manifest', 'only', 'except', 'prefix'];
const SERVER = ['http', 'name', 'instructions', 'pageSize', 'jobs', 'queue', 'searchAbove', 'plainSchemas', 'keepResults', 'stateKeys', 'stateLifetime', 'signal'];
const PROCESS = ['root', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput'];
const HTTP = ['address', 'tokens', 'noToken', 'hosts', 'origins', 'maxBody', 'maxConnections', 'maxSessions', 'idle', 'sessionIdle', 'grace'];

async function serve(options) {
  const all = pick(options, [...OFFER, ...SERVER, ...PROCESS]);
  const tools = toolsOf(all.tools);
  const { cwd, inherit, env, timeout, maxOutput, signal } = all;
  const process = specOf([], { cwd, inherit, env, timeout, maxOutput, signal });
  const told = write(toldOf(all, tools.length > 0), 'bad_option');
  signal?.throwIfAborted();
  if (tools.length === 0 && !all.programs?.length && all.manifest == null) {
    refuse('not_served', '', 'there is no tool to serve; make one with `tool(…)`, or give `programs`');
  }
  return new Serving(tools, process, told, all);
}

/** A server that runs. */
class Serving {
  #inner;

  constructor(tools, process, told, { http, signal }) {
    const functions = new Functions(tools);
    let calls;
    let over;
    const waiting = new Promise((resolve) => (over = resolve));
    this.#inner = call((...args) => new native.Serving(...args), callsOf(), process, told, () => functions.take(calls), () => over());
    calls = this.#inner.functions();
    const ending = ended((resolve) => {
      waiting.then(resolve);
      return this.#inner.ending();
    });
    if (http == null && tools.length > 0) turn();
    const stop = () => this.#inner.stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.ended = ending
      .then(() => {})
      .finally(() => {
        signal?.removeEventListener('abort', stop);
        calls.release();
      });
    this.url = this.#inner.url() ?? undefined;
    Object.freeze(this);
  }

  async close() {
    this.#inner.stop();
    await this.ended;
  }

  // Older versions of Node have no such symbol, and no syntax for it.
  [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() {
    return this.close();
  }
}

/** The tools of this program that are served: those that are named, or all that were made. */
function toolsOf(tools) {
  if (tools === undefined) return made;
  if (!Array.isArray(tools)) refuse('bad_option', '/tools', `\`tools\` is an array, not ${kindOf(tools)}`);
  for (const [index, tool] of tools.entries()) {
    if (!(tool instanceof Tool)) refuse('bad_option', `/tools/${index}`, `\`tools\` are what \`tool(…)\` makes, not ${kindOf(tool)}`);
  }
  return made.filter((tool) => tools.includes(tool));
}

/** What is served, as the core is told it. */
function toldOf(all, functions) {
  const programs = arrayOf(all, 'programs', (program, pointer) => {
    if (Array.isArray(program) && program.length === 0) refuse('bad_option', pointer, 'a program is a path, or an array of a program and its arguments');
    return wordsOf(program);
  });
  const { manifest, prefix, root, name, instructions, pageSize, jobs, queue, searchAbove, plainSchemas, keepResults, stateKeys, stateLifetime, http } = all;
  return given({
    functions,
    programs,
    manifest: pathIn(manifest, '/manifest'),
    only: arrayOf(all, 'only', textIn),
    except: arrayOf(all, 'except', textIn),
    prefix: flagIn(prefix, '/prefix'),
    root: pathIn(root, '/root'),
    name: textIn(name, '/name'),
    instructions: textIn(instructions, '/instructions'),
    pageSize: countIn(pageSize, '/pageSize', 1, 1000),
    jobs: countIn(jobs, '/jobs', 1),
    queue: countIn(queue, '/queue', 0),
    searchAbove: countIn(searchAbove, '/searchAbove', 0),
    plainSchemas: flagIn(plainSchemas, '/plainSchemas'),
    keepResults: countIn(keepResults, '/keepResults', 0),
    stateKeys: pathIn(stateKeys, '/stateKeys'),
    stateLifetime: timeIn(stateLifetime, '/stateLifetime'),
    http: http == null ? undefined : httpOf(http),
  });
}

/** Where HTTP is served: an address, a port of this machine, or an object of all that there is to say. */
function httpOf(http) {
  const all = typeof http === 'object' ? pick(http, HTTP) : { address: http };
  const { address, tokens, noToken, maxBody, maxConnections, maxSessions, idle, sessionIdle, grace } = all;
  const port = typeof address === 'number';
  if (port && !(Number.isInteger(address) && address >= 0 && address < 65536)) refuse('bad_option', '/http/address', 'a port is a number from 0 to 65535');
  return given({
    address: port ? `127.0.0.1:${address}` : stringOf(address, '/http/address', 'bad_option').replace(/^localhost:/, '127.0.0.1:'),
    tokens: pathIn(tokens, '/http/tokens'),
    noToken: flagIn(noToken, '/http/noToken'),
    hosts: arrayOf(all, 'hosts', textIn, '/http/hosts'),
    origins: arrayOf(all, 'origins', textIn, '/http/origins'),
    maxBody: countIn(maxBody, '/http/maxBody', 1),
    maxConnections: countIn(maxConnections, '/http/maxConnections', 1),
    maxSessions: countIn(maxSessions, '/http/maxSessions', 1),
    idle: timeIn(idle, '/http/idle'),
    sessionIdle: timeIn(sessionIdle, '/http/sessionIdle'),
    grace: timeIn(grace, '/http/grace'),
  });
}

function arrayOf(all, name, each, pointer = `/${name}`) {
  const values = all[name];
  if (values == null) return undefined;
  if (!Array.isArray(values)) refuse('bad_option', pointer, `\`${name}\` is an array, not ${kindOf(values)}`);
  return Array.from(values, (value, index) => each(value ?? null, `${pointer}/${index}`));
}

function textIn(value, pointer) {
  return value === undefined ? undefined : stringOf(value, pointer, 'bad_option');
}

function pathIn(value, pointer) {
  return value == null ? undefined : stringOf(pathOf(value, pointer.slice(1), 'bad_option'), pointer, 'bad_option');
}

function flagIn(value, pointer) {
  if (value != null && typeof value !== 'boolean') refuse('bad_option', pointer, `\`${pointer.slice(1)}\` is true or false, not ${kindOf(value)}`);
  return value ?? undefined;
}

function countIn(value, pointer, least, most = Number.MAX_SAFE_INTEGER) {
  if (value == null) return undefined;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
  return refuse('bad_option', pointer, `\`${pointer.slice(1)}\` is a whole number ${range}`);
}

function timeIn(value, pointer) {
  if (value == null) return undefined;
  if (Number.isFinite(value) && value > 0) return value;
  return refuse('bad_option', pointer, `\`${pointer.slice(1)}\` is a number of milliseconds greater than 0`);
}

module.exports = { serve };
