'use strict';
// What reading gives: Parsed, Envelope and Block. Each is a thin view of bytes and of how they are to
// be read; the core reads them again when somebody asks for more than the short answer, and nothing
// native has to be freed.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { toBytes } = require('./input.cjs');
const { read, readFor, JSON_TEXT } = require('./value.cjs');

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const VERDICTS = ['valid', 'warnings', 'raw'];
const STATUSES = ['stopped', 'running', 'waiting'];

/** How to read what the core itself wrote: with the largest limits that there are. */
const OWN = JSON.stringify({
  limits: { maxBytes: 0xffffffff, maxDepth: 1024, maxValues: 0xffffffff, maxBlocks: 0xffffffff },
});

// The short answer is a number: two bits of verdict, one of error, two of status, one of transience,
// and one that is set if there is any diagnostic.
const isError = (facts) => (facts & 4) !== 0;
const statusOf = (facts) => STATUSES[(facts >> 3) & 3];
const isTransient = (facts) => (facts & 32) !== 0;

/** The value of a JSON text that may be absent. */
function valueOf(text) {
  return text === undefined ? undefined : read(text);
}

/** A question as the core tells it, with its schema and default as values too. */
function askedOf({ id, text, schemaText, defaultText, url }) {
  const asked = { id, text, schema: read(schemaText), schemaText, ...(url !== undefined && { url }) };
  return defaultText === undefined ? asked : { ...asked, default: read(defaultText), defaultText };
}

/** Shows an object's parts under its class name, as deep as the inspection goes. */
function show(name, parts, depth, options, inspect) {
  if (depth < 0) return options.stylize(`[${name}]`, 'special');
  const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${name} ${inspect(parts, inner)}`;
}

/** An own, enumerable property that is worked out when it is read: comparing tools such as deepStrictEqual see it. */
function ownText(get) {
  return {
    enumerable: true,
    get() {
      return get(this);
    },
  };
}

let sourceOf;

/** The result of reading what a tool wrote. */
class Parsed {
  #bytes;
  #how;
  #facts;
  #findings;
  #envelope;

  // `bytes` are what the core reads; for a process they are more than `raw`, its answer. `how` is JSON
  // text, or the core's own object if it has read the bytes already and not as they alone would be.
  constructor(raw, bytes, how, facts) {
    this.raw = raw;
    this.#bytes = bytes;
    this.#how = how;
    this.#facts = facts;
  }

  static {
    sourceOf = (parsed) => [parsed.#bytes, parsed.#how];
  }

  get verdict() {
    return VERDICTS[this.#facts & 3];
  }

  get isRaw() {
    return (this.#facts & 3) === 2;
  }

  get isError() {
    return isError(this.#facts);
  }

  get status() {
    return statusOf(this.#facts);
  }

  get transient() {
    return isTransient(this.#facts);
  }

  get diagnostics() {
    return this.#details.diagnostics;
  }

  get trace() {
    return this.#details.trace;
  }

  get skipped() {
    return this.#details.skipped;
  }

  get #details() {
    if (this.#findings === undefined) {
      // A valid envelope that is no error, as most are, has nothing to tell.
      this.#findings =
        this.#facts === 0
          ? { diagnostics: [], trace: [], skipped: [] }
          : JSON.parse(native.view('findings', this.#bytes, this.#how));
    }
    return this.#findings;
  }

  get envelope() {
    if (this.#envelope === undefined) {
      const verbatim = !this.isRaw && this.#bytes === this.raw && typeof this.#how !== 'object';
      this.#envelope = verbatim
        ? new Envelope(this.#bytes, this.#how)
        : new Envelope(Buffer.from(native.view('document', this.#bytes, this.#how)), OWN);
    }
    return this.#envelope;
  }

  get structuredContent() {
    return this.envelope.structuredContent;
  }

  get structuredContentText() {
    return this.envelope.structuredContentText;
  }

  toJSON(key) {
    return readFor(key, this.toString());
  }

  toString() {
    return native.view('report', this.#bytes, this.#how);
  }

  [INSPECT](depth, options, inspect) {
    const { verdict, isError, status, diagnostics } = this;
    const parts = { verdict, isError, status, diagnostics };
    if (this.isRaw) parts.raw = this.raw;
    else parts.envelope = this.envelope;
    return show('Parsed', parts, depth, options, inspect);
  }
}

let envelopeSource;
let documentOf;
let canonicalOf;

/** An envelope: read from an output, or made by a builder. */
class Envelope {
  #bytes;
  #how;
  #written;
  #canonical;
  #facts;
  #content;
  #blocks;
  #skipped;

  static #DOCUMENT = ownText((envelope) => documentOf(envelope));

  // The bytes hold a document that is an envelope; a builder has its text, which is `written`.
  constructor(bytes, how, written) {
    this.#bytes = bytes;
    this.#how = how;
    this.#written = written;
    Object.defineProperty(this, 'document', Envelope.#DOCUMENT);
  }

  static {
    envelopeSource = (envelope) => {
      envelope.#bytes ??= Buffer.from(envelope.#written);
      return [envelope.#bytes, envelope.#how];
    };
    documentOf = (envelope) =>
      envelope.#bytes === undefined ? envelope.#written : envelope.#at(envelope.#members.document);
    canonicalOf = (envelope) => (envelope.#canonical ??= native.canonicalText(Buffer.from(envelope.document)));
  }

  static fromJson(data) {
    const bytes = toBytes(data);
    call(native.requireEnvelope, bytes);
    return new Envelope(bytes);
  }

  get #members() {
    return (this.#facts ??= JSON.parse(native.view('members', ...envelopeSource(this))));
  }

  /** The text at a place in the bytes. */
  #at(place) {
    return place === undefined ? undefined : this.#bytes.toString('utf8', place[0], place[1]);
  }

  get content() {
    return (this.#content ??= read(native.view('content', ...envelopeSource(this))));
  }

  get blocks() {
    if (this.#blocks === undefined) {
      const read = JSON.parse(native.view('blocks', ...envelopeSource(this)));
      this.#blocks = read.map((facts) => new Block(this.#bytes.subarray(facts.place[0], facts.place[1]), facts));
    }
    return this.#blocks;
  }

  get structuredContent() {
    return valueOf(this.structuredContentText);
  }

  get structuredContentText() {
    return this.#at(this.#members.structuredContent);
  }

  get meta() {
    return valueOf(this.metaText);
  }

  get metaText() {
    return this.#at(this.#members.meta);
  }

  get isError() {
    return isError(this.#members.facts);
  }

  get status() {
    return statusOf(this.#members.facts);
  }

  get transient() {
    return isTransient(this.#members.facts);
  }

  get trace() {
    return this.#members.trace;
  }

  get skipped() {
    return (this.#skipped ??= JSON.parse(native.view('findings', ...envelopeSource(this))).skipped);
  }

  equals(other) {
    return other instanceof Envelope && canonicalOf(this) === canonicalOf(other);
  }

  toString() {
    return this.document;
  }

  toJSON(key) {
    return readFor(key, this.document);
  }

  [JSON_TEXT]() {
    return this.document;
  }

  [INSPECT](depth, options, inspect) {
    return show('Envelope', this.toJSON(), depth, options, inspect);
  }
}

let factsOf;
let bytesOf;

/** A block as it is read: where a field may stand in several places, or is malformed, the core has decided. */
class Block {
  #bytes;
  #facts;
  #text;

  static #JSON = ownText((block) => bytesOf(block).toString());

  // The bytes are the block's JSON text; a builder leaves the facts to be read from it.
  constructor(bytes, facts) {
    this.#bytes = bytes;
    this.#facts = facts;
    Object.defineProperty(this, 'json', Block.#JSON);
  }

  static {
    factsOf = (block) => (block.#facts ??= JSON.parse(native.block(block.#bytes)));
    bytesOf = (block) => block.#bytes;
  }

  get text() {
    return (this.#text ??= native.blockText(this.#bytes) ?? undefined);
  }

  get bytes() {
    return native.blockBytes(this.#bytes) ?? undefined;
  }

  get contentBytes() {
    return native.blockContent(this.#bytes);
  }

  get question() {
    const { question } = factsOf(this);
    return question === undefined ? undefined : askedOf(question);
  }

  get meta() {
    return valueOf(this.metaText);
  }

  equals(other) {
    return other instanceof Block && native.canonicalText(this.#bytes) === native.canonicalText(other.#bytes);
  }

  toString() {
    return this.json;
  }

  toJSON(key) {
    return readFor(key, this.json);
  }

  [JSON_TEXT]() {
    return this.json;
  }

  [INSPECT](depth, options, inspect) {
    return show('Block', this.toJSON(), depth, options, inspect);
  }
}

for (const name of [
  'index', 'pointer', 'type', 'uri', 'name', 'title', 'description', 'mimeType', 'formatted', 'size', 'audience',
  'priority', 'lastModified', 'metaText',
]) {
  Object.defineProperty(Block.prototype, name, {
    configurable: true,
    get() {
      return factsOf(this)[name];
    },
  });
}

/** The bytes behind an object of this package and how to read them, if it is one that can be read. */
function sourceBehind(object) {
  if (object instanceof Parsed) return sourceOf(object);
  if (object instanceof Envelope) return envelopeSource(object);
  return undefined;
}

/** The bytes or the JSON text that an object of this package stands for; anything else is returned as it is. */
function plain(object) {
  if (object instanceof Parsed) return object.raw;
  if (object instanceof Envelope) return object.document;
  if (object instanceof Block) return bytesOf(object);
  return object;
}

/** An envelope from the text that a builder wrote. */
function written(text) {
  return new Envelope(undefined, OWN, text);
}

module.exports = { Parsed, Envelope, Block, sourceBehind, plain, written, askedOf };
