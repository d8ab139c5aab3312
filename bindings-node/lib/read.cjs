'use strict';
// Reading: what a host calls with a tool's output. Every rule is the core's; this converts.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, pick, pathOf, stringOf, kindOf } = require('./input.cjs');
const { textOf, howOf, readWith } = require('./how.cjs');
const { Parsed, plain } = require('./views.cjs');

function parse(data, options) {
  const raw = toBytes(data);
  const how = howOf(options);
  return new Parsed(raw, raw, how, call(native.check, raw, how));
}

function validate(data, options) {
  const bytes = toBytes(plain(data));
  const how = howOf(options);
  // Almost always there is nothing to tell, and the short answer says so.
  if ((call(native.check, bytes, how) & 3) !== 0) call(native.validate, bytes, how);
}

// Short answers share memory, as Node's own short buffers do: a buffer from the core takes longer to
// make than a short text to canonicalize.
const POOL_BYTES = 64 * 1024;
const LEAST_ROOM = 8 * 1024;
let pool;
let used = POOL_BYTES;

function canonicalize(data, options) {
  if (POOL_BYTES - used < LEAST_ROOM) {
    pool = Buffer.allocUnsafeSlow(POOL_BYTES);
    used = 0;
  }
  const written = call(native.canonicalize, toBytes(plain(data)), howOf(options), pool, used);
  if (typeof written !== 'number') return written;
  const from = used;
  used += written;
  return pool.subarray(from, used);
}

function digest(data, options) {
  return call(native.digest, toBytes(plain(data)), howOf(options));
}

function format(data, options) {
  return call(native.format, ...readWith(data, options));
}

function explain(data, options) {
  const { limits, color = false } = pick(options, ['limits', 'color']);
  if (typeof color !== 'boolean') refuse('bad_option', '/color', `\`color\` is true or false, not ${kindOf(color)}`);
  const [bytes, how] = readWith(data, { limits });
  return call(native.explain, bytes, how, color);
}

function identify(data, options) {
  return JSON.parse(call(native.identify, ...readWith(data, options)));
}

function normalizeUri(uri, options) {
  const { root } = pick(options, ['root']);
  return call(native.normalizeUri, stringOf(uri, '/uri', 'bad_argument'), root == null ? undefined : stringOf(root, '/root', 'bad_option'));
}

function fileUri(path) {
  const file = stringOf(pathOf(path), '/path', 'bad_argument');
  const uri = call(native.fileUri, file);
  // An absolute path of another system stands as it is, as everywhere in the core.
  return uri.startsWith('file:') ? uri : call(native.fileUri, require('node:path').resolve(file));
}

function receive(output, options) {
  const { stdout, exitCode, signal, stderr, result } = pick(output, ['stdout', 'exitCode', 'signal', 'stderr', 'result']);
  if (exitCode != null && signal != null) refuse('bad_option', '/signal', 'a process ends with an `exitCode` or by a `signal`, not by both');
  const limits = textOf(pick(options, ['limits']).limits);
  const parts = [toBytes(stdout ?? '', 'stdout'), toBytes(stderr ?? '', 'stderr')];
  const left = {
    exitCode: exitCode == null ? undefined : exitNumber(exitCode),
    signal: signal == null ? undefined : signalNumber(signal),
    stdout: parts[0].length,
    stderr: parts[1].length,
    hasResult: result != null,
  };
  if (left.hasResult) parts.push(toBytes(result, 'result'));
  const bytes = Buffer.concat(parts);
  const how = `{"process":${JSON.stringify(left)}${limits === undefined ? '' : `,"limits":${limits}`}}`;
  const facts = call(native.check, bytes, how);
  return new Parsed(native.answer(bytes, how), bytes, how, facts);
}

function exitNumber(exitCode) {
  if (!Number.isInteger(exitCode)) refuse('bad_option', '/exitCode', '`exitCode` must be a whole number');
  return exitCode;
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
  const how = howOf(options);
  return linesOf(bytes, how, call(native.lines, bytes, how));
}

/** Four numbers of the table are a line: its number, where it starts and ends, and the facts about it. */
function* linesOf(bytes, how, table) {
  for (let i = 0; i < table.length; i += 4) {
    const raw = bytes.subarray(table[i + 1], table[i + 2]);
    yield { number: table[i], offset: table[i + 1], parsed: new Parsed(raw, raw, how, table[i + 3]) };
  }
}

function summarize(data, options) {
  return JSON.parse(call(native.summarize, toBytes(data), howOf(options)));
}

module.exports = {
  parse, validate, canonicalize, digest, format, explain, identify, normalizeUri, fileUri, receive, parseLines, summarize,
};
