'use strict';
// Results, tools and calls as MCP has them.

const native = require('./native.cjs');
const { callOf } = require('./call.cjs');
const { call } = require('./error.cjs');
const { howOf, readWith, textOf } = require('./how.cjs');
const { stringOf } = require('./input.cjs');
const { jsonBytes, read, write } = require('./value.cjs');
const { Parsed } = require('./views.cjs');

function toMcpResult(data, options) {
  const [bytes, how, others] = readWith(data, options);
  const [text, report] = call(native.toMcpResult, bytes, how, others ?? '{}');
  return { result: read(text), text, report: JSON.parse(report) };
}

function fromMcpResult(result, options) {
  const reading = call(native.fromMcpResult, jsonBytes(result, 'result'), howOf(options));
  const raw = reading.raw();
  return { parsed: new Parsed(raw, raw, reading.reading(), reading.facts()), report: JSON.parse(reading.report()) };
}

function toMcpTool(tool, options) {
  return read(call(native.toMcpTool, jsonBytes(tool, 'tool'), textOf(options) ?? '{}'));
}

function fromMcpTool(listed) {
  return read(call(native.fromMcpTool, jsonBytes(listed, 'listed')));
}

function callToMeta(document) {
  // What `readCall` gives has the text of its document.
  const bytes = jsonBytes(document?.text ?? document, 'call');
  const meta = call(native.callToMeta, bytes);
  return meta === null ? undefined : read(meta);
}

function callFromMeta(name, args, meta) {
  const metaText = meta === undefined || meta === null ? undefined : jsonBytes(meta, 'meta').toString();
  const argumentsText = write(args, 'bad_argument', ['arguments']);
  return callOf(call(native.callFromMeta, stringOf(name, '/name', 'bad_argument'), argumentsText, metaText));
}

module.exports = { toMcpResult, fromMcpResult, toMcpTool, fromMcpTool, callToMeta, callFromMeta };
