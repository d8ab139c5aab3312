'use strict';
// What reading gives: Parsed, Envelope and Block. Each is a thin view of a reading that the core
// holds; nothing is taken out of it before somebody asks.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { JSON_TEXT } = require('./value.cjs');

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const VERDICTS = ['valid', 'warnings', 'raw'];
const STATUSES = ['stopped', 'running', 'waiting'];

/** Shows an object's parts under its class name, as deep as the inspection goes. */
function show(name, parts, depth, options, inspect) {
  if (depth < 0) return options.stylize(`[${name}]`, 'special');
  const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${name} ${inspect(parts, inner)}`;
}

/** The value of a JSON text that may be absent. */
function valueOf(text) {
  return text === undefined ? undefined : JSON.parse(text);
}

let readingOf;

/** The result of reading what a tool wrote. */
class Parsed {
  #limits;
  #reading;
  #facts;
  #told;
  #envelope;

  // `facts` is the core's short answer: two bits of verdict, one of error, two of status, one of transience.
  constructor(raw, limits, facts, reading) {
    // An own property, so that comparing and cloning tools see what was read.
    this.raw = raw;
    this.#limits = limits;
    this.#facts = facts;
    this.#reading = reading;
  }

  static {
    readingOf = (parsed) => (parsed.#reading ??= call(native.read, parsed.raw, parsed.#limits));
  }

  get verdict() {
    return VERDICTS[this.#facts & 3];
  }

  get isRaw() {
    return (this.#facts & 3) === 2;
  }

  get isError() {
    return (this.#facts & 4) !== 0;
  }

  get status() {
    return STATUSES[(this.#facts >> 3) & 3];
  }

  get transient() {
    return (this.#facts & 32) !== 0;
  }

  get #rest() {
    // Most outputs are valid and carry no trace: then there is nothing to fetch.
    return (this.#told ??= JSON.parse(native.findings(readingOf(this))));
  }

  get diagnostics() {
    return this.#facts === 0 ? [] : this.#rest.diagnostics;
  }

  get trace() {
    return this.#facts === 0 ? [] : this.#rest.trace;
  }

  get skipped() {
    return this.#facts === 0 ? [] : this.#rest.skipped;
  }

  get envelope() {
    return (this.#envelope ??= new Envelope(readingOf(this)));
  }

  toJSON() {
    return JSON.parse(native.report(readingOf(this)));
  }

  toString() {
    return native.report(readingOf(this));
  }

  [INSPECT](depth, options, inspect) {
    const { verdict, isError, status, diagnostics } = this;
    const parts = { verdict, isError, status, diagnostics };
    if (this.isRaw) parts.raw = this.raw;
    else parts.envelope = this.envelope;
    return show('Parsed', parts, depth, options, inspect);
  }
}

const DOCUMENT = {
  enumerable: true,
  get() {
    return documentOf(this);
  },
};

let documentOf;
let envelopeReading;

/** An envelope: read from an output, or made by a builder. */
class Envelope {
  #reading;
  #written;
  #document;
  #content;
  #blocks;

  // Made from a reading, or from the canonical text that a builder got from the core.
  constructor(reading, written) {
    this.#reading = reading;
    this.#written = written;
    // An own property, so that comparing tools such as deepStrictEqual see a difference.
    Object.defineProperty(this, 'document', DOCUMENT);
  }

  static {
    envelopeReading = (envelope) => (envelope.#reading ??= native.readOwn(envelope.#written));
    documentOf = (envelope) => (envelope.#document ??= envelope.#written ?? native.document(envelope.#reading));
  }

  get content() {
    return (this.#content ??= JSON.parse(native.content(envelopeReading(this))));
  }

  get blocks() {
    return (this.#blocks ??= blocksOf(envelopeReading(this)));
  }

  get structuredContent() {
    return valueOf(this.structuredContentText);
  }

  get structuredContentText() {
    return native.structuredContent(envelopeReading(this)) ?? undefined;
  }

  get meta() {
    return valueOf(this.metaText);
  }

  get metaText() {
    return native.meta(envelopeReading(this)) ?? undefined;
  }

  get isError() {
    return (native.facts(envelopeReading(this)) & 4) !== 0;
  }

  get status() {
    return STATUSES[(native.facts(envelopeReading(this)) >> 3) & 3];
  }

  get transient() {
    return (native.facts(envelopeReading(this)) & 32) !== 0;
  }

  get trace() {
    return JSON.parse(native.findings(envelopeReading(this))).trace;
  }

  equals(other) {
    return other instanceof Envelope && this.toString() === other.toString();
  }

  toString() {
    return (this.#written ??= native.canonicalText(this.document));
  }

  toJSON() {
    return JSON.parse(this.document);
  }

  [JSON_TEXT]() {
    return this.document;
  }

  [INSPECT](depth, options, inspect) {
    return show('Envelope', this.toJSON(), depth, options, inspect);
  }
}

function blocksOf(reading) {
  return JSON.parse(native.blocks(reading)).map((facts, nth) => new Block(reading, facts, nth));
}

const JSON_OWN = {
  enumerable: true,
  get() {
    return jsonOf(this);
  },
};

let jsonOf;
let factsOf;

/** A block as it is read: where a field may stand in several places, or is malformed, the core has decided. */
class Block {
  #reading;
  #facts;
  #nth;
  #json;
  #text;

  // The `nth` delivered block of a reading; or made from the canonical text that a builder got from the core.
  constructor(reading, facts, nth, json) {
    this.#reading = reading;
    this.#facts = facts;
    this.#nth = nth;
    this.#json = json;
    Object.defineProperty(this, 'json', JSON_OWN);
  }

  static {
    factsOf = (block) => {
      if (block.#facts === undefined) {
        block.#reading = native.readOwn(`{"content":[${block.#json}]}`);
        [block.#facts] = JSON.parse(native.blocks(block.#reading));
        block.#nth = 0;
      }
      return block.#facts;
    };
    jsonOf = (block) => (block.#json ??= native.blockJson(block.#reading, block.#nth));
  }

  get question() {
    const { question } = factsOf(this);
    if (question === undefined) return undefined;
    const { id, text, schemaText, defaultText } = question;
    const asked = { id, text, schema: JSON.parse(schemaText), schemaText };
    return defaultText === undefined ? asked : { ...asked, default: JSON.parse(defaultText), defaultText };
  }

  get meta() {
    return valueOf(this.metaText);
  }

  get text() {
    factsOf(this);
    return (this.#text ??= native.text(this.#reading, this.#nth) ?? undefined);
  }

  get bytes() {
    factsOf(this);
    return native.bytes(this.#reading, this.#nth) ?? undefined;
  }

  get contentBytes() {
    factsOf(this);
    return native.contentBytes(this.#reading, this.#nth);
  }

  equals(other) {
    return other instanceof Block && native.canonicalText(this.json) === native.canonicalText(other.json);
  }

  toString() {
    return this.json;
  }

  toJSON() {
    return JSON.parse(this.json);
  }

  [JSON_TEXT]() {
    return this.json;
  }

  [INSPECT](depth, options, inspect) {
    return show('Block', this.toJSON(), depth, options, inspect);
  }
}

for (const name of [
  'index', 'pointer', 'type', 'uri', 'name', 'title', 'description', 'mimeType', 'formatted', 'size',
  'audience', 'priority', 'lastModified', 'metaText',
]) {
  Object.defineProperty(Block.prototype, name, {
    configurable: true,
    get() {
      return factsOf(this)[name];
    },
  });
}

/** The core's reading behind an object of this package, if it is one. */
function readingBehind(object) {
  if (object instanceof Parsed) return readingOf(object);
  if (object instanceof Envelope) return envelopeReading(object);
  return undefined;
}

/** The bytes or the JSON text that an object of this package stands for; anything else is returned as it is. */
function sourceOf(object) {
  if (object instanceof Parsed) return object.raw;
  if (object instanceof Envelope) return object.document;
  if (object instanceof Block) return object.json;
  return object;
}

module.exports = { Parsed, Envelope, Block, readingBehind, sourceOf };
