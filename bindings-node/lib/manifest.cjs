'use strict';
// The tools of a folder, run by their names.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { pathOf, pick, stringOf } = require('./input.cjs');
const names = require('./options.generated.cjs');
const { converse } = require('./run.cjs');

const OPTIONS = [...names.run, 'signal'].filter((name) => name !== 'tool' && name !== 'arguments');

function loadManifest(path) {
  return new Manifest(path);
}

/** What the core has read of a manifest; undefined for anything else. */
let readOf;

class Manifest {
  #inner;

  static {
    readOf = (value) => (typeof value === 'object' && value !== null && #inner in value ? value.#inner : undefined);
  }

  constructor(path) {
    const file = path == null ? undefined : stringOf(pathOf(path, 'path'), '/path', 'bad_argument');
    this.#inner = call((file) => new native.Manifest(file), file);
  }

  get path() {
    return this.#inner.path();
  }

  get names() {
    return this.#inner.names();
  }

  async listTools(options) {
    const all = pick(options, ['signal']);
    const { tools, parsed } = await converse(this.#inner, all, true);
    const problems = parsed.envelope.meta?.['dev.toolwire/problems'] ?? {};
    return Object.assign(tools ?? [], { problems });
  }

  async run(tool, given, options) {
    const all = { ...pick(options, OPTIONS), tool: stringOf(tool, '/tool', 'bad_argument'), arguments: given };
    return converse(this.#inner, all);
  }
}

module.exports = { loadManifest, readOf: (value) => readOf(value) };
