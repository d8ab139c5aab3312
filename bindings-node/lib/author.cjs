'use strict';
// Writing a tool: what an author calls. Whoever only builds or reads envelopes loads nothing but this
// file and the error; the rest comes with the first call.

const { Stop } = require('./author-stop.cjs');
const { SessionEnded, ToolError } = require('./author-error.cjs');

function tool(definition, run) {
  return require('./author-tool.cjs').make(tool, definition, run);
}

function main(...tools) {
  return require('./author-main.cjs').main(tools);
}

function ask(kind, positional, options) {
  return require('./author-ask.cjs').ask(kind, positional, options);
}

function boolean(text, options) {
  return ask('boolean', { text }, options);
}

function select(text, choices, options) {
  return ask('select', { text, choices }, options);
}

function multiSelect(text, choices, options) {
  return ask('multi_select', { text, choices }, options);
}

function string(text, options) {
  return ask('string', { text }, options);
}

function number(text, options) {
  return ask('number', { text }, options);
}

function integer(text, options) {
  return ask('integer', { text }, options);
}

function form(text, schema, options) {
  return ask('form', { text, schema }, options);
}

function page(text, url) {
  return ask('page', { text, url });
}

module.exports = { tool, main, boolean, select, multiSelect, string, number, integer, form, page, SessionEnded, Stop, ToolError };
