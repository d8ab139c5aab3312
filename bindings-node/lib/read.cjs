'use strict';
// Reading: what a host calls with a tool's output. Every rule is the core's; this converts.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, given, pick, kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');
const { Parsed, readingBehind, sourceOf } = require('./views.cjs');

/** Options as the JSON text that the core reads, or undefined when none is given. */
function textOf(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object') refuse('bad_option', '', `the options are an object, not ${kindOf(options)}`);
  return write(given(options), 'bad_option');
}

/** The limits among a function's options, which may be the only ones it takes. */
function limitsOf(options, names = ['limits']) {
  return options === undefined ? undefined : textOf(pick(options, names).limits);
}

/** A reading of whatever the function was given, and the options without the limits. */
function readWith(data, options) {
  const { limits, ...others } = options ?? {};
  const reading = readingBehind(data) ?? call(native.read, toBytes(data), textOf(limits));
  return [reading, textOf(others)];
}

function parse(data, options) {
  const raw = toBytes(data);
  const limits = limitsOf(options);
  return new Parsed(raw, limits, call(native.check, raw, limits));
}

function validate(data, options) {
  const bytes = toBytes(sourceOf(data));
  const limits = limitsOf(options);
  // Almost always there is nothing to tell, and the short answer says so.
  if ((call(native.check, bytes, limits) & 3) !== 0) call(native.validate, bytes, limits);
}

// Short answers share memory, as Node's own short buffers do: a buffer from the core takes longer to
// make than a short text to canonicalize.
const POOL_BYTES = 64 * 1024;
const SHORT_BYTES = 8 * 1024;
let pool;
let used = POOL_BYTES;

function canonicalize(data, options) {
  if (used + SHORT_BYTES > POOL_BYTES) {
    pool = Buffer.allocUnsafeSlow(POOL_BYTES);
    used = 0;
  }
  const room = pool.subarray(used, used + SHORT_BYTES);
  const written = call(native.canonicalize, toBytes(sourceOf(data)), limitsOf(options), room);
  if (typeof written !== 'number') return written;
  used += written;
  return room.subarray(0, written);
}

function digest(data, options) {
  return call(native.digest, toBytes(sourceOf(data)), limitsOf(options));
}

function format(data, options) {
  const [reading, others] = readWith(data, options);
  return call(native.format, reading, others);
}

function explain(data, options) {
  const { limits, color = false } = pick(options, ['limits', 'color']);
  if (typeof color !== 'boolean') refuse('bad_option', '/color', `\`color\` is true or false, not ${kindOf(color)}`);
  return native.explain(readingBehind(data) ?? call(native.read, toBytes(data), textOf(limits)), color);
}

function identify(data, options) {
  const [reading, others] = readWith(data, options);
  return JSON.parse(call(native.identify, reading, others));
}

function normalizeUri(uri, options) {
  const { root } = pick(options, ['root']);
  return call(native.normalizeUri, stringOf(uri, '/uri', 'bad_argument'), root == null ? undefined : stringOf(root, '/root', 'bad_option'));
}

/** A string that has UTF-8, since it crosses to the core as text. */
function stringOf(value, pointer, code) {
  if (typeof value !== 'string') refuse(code, pointer, `\`${pointer.slice(1)}\` is a string, not ${kindOf(value)}`);
  if (!value.isWellFormed()) refuse(code, pointer, `\`${pointer.slice(1)}\` holds half of a surrogate pair`);
  return value;
}

function receive(output, options) {
  const { stdout, exitCode, signal, stderr, result } = pick(output, ['stdout', 'exitCode', 'signal', 'stderr', 'result']);
  const limits = limitsOf(options);
  const reading = call(
    native.receive,
    toBytes(stdout ?? '', 'stdout'),
    exitCode == null ? undefined : exitNumber(exitCode),
    signal == null ? undefined : signalNumber(signal),
    toBytes(stderr ?? '', 'stderr'),
    result == null ? undefined : toBytes(result, 'result'),
    limits,
  );
  return new Parsed(native.raw(reading), limits, native.facts(reading), reading);
}

function exitNumber(exitCode) {
  if (!Number.isInteger(exitCode)) refuse('bad_option', '/exitCode', '`exitCode` is a whole number');
  // Windows has exit codes past 2^31; the core counts them as negative, as Windows' own tools do.
  return exitCode | 0;
}

/** A signal's number; node:child_process gives its name. */
function signalNumber(signal) {
  if (Number.isInteger(signal)) return signal;
  const number = require('node:os').constants.signals[signal];
  if (number === undefined) refuse('bad_option', '/signal', `\`signal\` is the number or the name of a signal, such as \`SIGTERM\``);
  return number;
}

/** The lines one by one; the core has looked at all of them before the first one. */
function parseLines(data, options) {
  const bytes = toBytes(data);
  const limits = limitsOf(options);
  return linesOf(bytes, limits, call(native.lines, bytes, limits));
}

/** Four numbers of the table are a line: its number, where it starts and ends, and the facts about it. */
function* linesOf(bytes, limits, table) {
  for (let i = 0; i < table.length; i += 4) {
    const [number, offset, end, facts] = table.subarray(i, i + 4);
    yield { number, offset, parsed: new Parsed(bytes.subarray(offset, end), limits, facts) };
  }
}

function summarize(data, options) {
  return JSON.parse(call(native.summarize, toBytes(data), limitsOf(options)));
}

module.exports = {
  parse, validate, canonicalize, digest, format, explain, identify, normalizeUri, receive, parseLines, summarize,
};
