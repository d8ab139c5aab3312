'use strict';
// Serving tools to MCP clients: the functions of this program, in it, and programs on disk. The core serves, and
// says here that there are calls of functions, which are taken one by one.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { given, kindOf, pathOf, pick, stringOf } = require('./input.cjs');
const names = require('./options.generated.cjs');
const { callsOf } = require('./run.cjs');
const { here, optionsOf, wordsOf } = require('./spec.cjs');
const { ended } = require('./task.cjs');
const { Tool, made } = require('./author-tool.cjs');
const { turn } = require('./author-stdout.cjs');
const { Functions } = require('./functions.cjs');

async function serve(options) {
  const { tools: chosen, programs: named, ...all } = pick(options, ['tools', 'programs', 'signal', ...names.serve]);
  const [tools, programs] = [toolsOf(chosen), programsOf(named)];
  const told = optionsOf({ ...all, http: all.http == null ? undefined : httpOf(all.http) });
  all.signal?.throwIfAborted();
  if (tools.length === 0 && programs.length === 0 && all.manifest == null) {
    refuse('not_served', '', 'there is no tool to serve; make one with `tool(…)`, or give `programs`');
  }
  return new Serving(tools, programs, told, all);
}

/** A server that runs. */
class Serving {
  #inner;

  constructor(tools, programs, told, { http, signal }) {
    const functions = new Functions(tools);
    let calls;
    let over;
    const waiting = new Promise((resolve) => (over = resolve));
    this.#inner = call((...args) => new native.Serving(...args), callsOf(), programs, tools.length > 0, told, here(), () => functions.take(calls), () => over());
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

/** The programs that are served, each with its arguments. */
function programsOf(programs) {
  if (programs == null) return [];
  if (!Array.isArray(programs)) refuse('bad_option', '/programs', `\`programs\` is an array, not ${kindOf(programs)}`);
  return Array.from(programs, (program, index) => {
    if (Array.isArray(program) && program.length === 0) {
      refuse('bad_option', `/programs/${index}`, 'a program is a path, or an array of a program and its arguments');
    }
    return wordsOf(program ?? null);
  });
}

/** Where HTTP is served: an address, a port of this machine, or an object of all that there is to say. */
function httpOf(http) {
  const all = typeof http === 'object' ? pick(http, names.http) : { address: http };
  const { address } = all;
  const port = typeof address === 'number';
  if (port && !(Number.isInteger(address) && address >= 0 && address < 65536)) refuse('bad_option', '/http/address', 'a port is a number from 0 to 65535');
  const at = port ? `127.0.0.1:${address}` : stringOf(address, '/http/address', 'bad_option').replace(/^localhost:/, '127.0.0.1:');
  return given({ ...all, address: at, tokens: all.tokens == null ? undefined : pathOf(all.tokens, 'http/tokens', 'bad_option') });
}

module.exports = { serve };
