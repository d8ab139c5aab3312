'use strict';
// Everything the package offers, for `require`; index.mjs gives the same objects to `import`.

const { ToolwireError } = require('./lib/error.cjs');
const { Answer } = require('./lib/answer.cjs');
const { readCall, describe, readDescription, parseArguments } = require('./lib/call.cjs');
const { Exchange } = require('./lib/exchange.cjs');
const { Parsed, Envelope, Block } = require('./lib/views.cjs');

module.exports = {
  ...require('./lib/read.cjs'),
  ...require('./lib/build.cjs'),
  readCall, describe, readDescription, parseArguments,
  ...require('./lib/ask.cjs'),
  ...require('./lib/schema.cjs'),
  ...require('./lib/event.cjs'),
  ...require('./lib/host.cjs'),
  ...require('./lib/author.cjs'),
  // Few programs read legacy formats or speak MCP themselves, so these files are loaded at the first use.
  readLegacy: (document, options) => require('./lib/legacy.cjs').readLegacy(document, options),
  unwrapOutcome: (result, options) => require('./lib/legacy.cjs').unwrapOutcome(result, options),
  toElicitation: (question, options) => require('./lib/elicitation.cjs').toElicitation(question, options),
  toInputRequired: (questions, options) => require('./lib/elicitation.cjs').toInputRequired(questions, options),
  answerFromElicitResult: (question, result, options) => require('./lib/elicitation.cjs').answerFromElicitResult(question, result, options),
  fromElicitation: (params, options) => require('./lib/elicitation.cjs').fromElicitation(params, options),
  answerToElicitResult: (params, answer, options) => require('./lib/elicitation.cjs').answerToElicitResult(params, answer, options),
  withoutElicitation: (questions, options) => require('./lib/elicitation.cjs').withoutElicitation(questions, options),
  canElicit: (question, elicitation, options) => require('./lib/elicitation.cjs').canElicit(question, elicitation, options),
  requiredCapabilities: (questions) => require('./lib/elicitation.cjs').requiredCapabilities(questions),
  toMcpResult: (data, options) => require('./lib/mcp.cjs').toMcpResult(data, options),
  fromMcpResult: (result, options) => require('./lib/mcp.cjs').fromMcpResult(result, options),
  toMcpTool: (tool, options) => require('./lib/mcp.cjs').toMcpTool(tool, options),
  fromMcpTool: (listed) => require('./lib/mcp.cjs').fromMcpTool(listed),
  callToMeta: (call) => require('./lib/mcp.cjs').callToMeta(call),
  callFromMeta: (name, args, meta) => require('./lib/mcp.cjs').callFromMeta(name, args, meta),
  // As few judge the contracts of tools.
  fingerprint: (tool, options) => require('./lib/contract.cjs').fingerprint(tool, options),
  projectTool: (tool, options) => require('./lib/contract.cjs').projectTool(tool, options),
  jnHash: (tools) => require('./lib/contract.cjs').jnHash(tools),
  diffTools: (older, newer, options) => require('./lib/contract.cjs').diffTools(older, newer, options),
  parseLaunchUri: (uri) => require('./lib/contract.cjs').parseLaunchUri(uri),
  formatLaunchUri: (launch) => require('./lib/contract.cjs').formatLaunchUri(launch),
  parseProfileWord: (word) => require('./lib/contract.cjs').parseProfileWord(word),
  formatProfileWord: (word) => require('./lib/contract.cjs').formatProfileWord(word),
  findHidden: (text) => require('./lib/contract.cjs').findHidden(text),
  showHidden: (text) => require('./lib/contract.cjs').showHidden(text),
  readLock: (data) => require('./lib/contract.cjs').readLock(data),
  writeLock: (lock) => require('./lib/contract.cjs').writeLock(lock),
  updateLock: (lock, name, now) => require('./lib/contract.cjs').updateLock(lock, name, now),
  checkLock: (lock, now, options) => require('./lib/contract.cjs').checkLock(lock, now, options),
  readProfile: (profile) => require('./lib/contract.cjs').readProfile(profile),
  readProfileFiles: (files) => require('./lib/contract.cjs').readProfileFiles(files),
  writeProfile: (profile, before) => require('./lib/contract.cjs').writeProfile(profile, before),
  compareProfile: (profile, tools, options) => require('./lib/contract.cjs').compareProfile(profile, tools, options),
  convertServer: (server, source, target, options) => require('./lib/contract.cjs').convertServer(server, source, target, options),
  // As few run programs and sessions in their own way.
  findMarker: (file) => require('./lib/wire.cjs').findMarker(file),
  readLine: (line, source) => require('./lib/wire.cjs').readLine(line, source),
  terminalInput: (input, options) => require('./lib/wire.cjs').terminalInput(input, options),
  get SessionMachine() { return require('./lib/session.cjs').SessionMachine; },
  get Sessions() { return require('./lib/sessions.cjs').Sessions; },
  Parsed, Envelope, Block, Answer, Exchange, ToolwireError,
};

// For `toolwire/providers`: its objects have to be those of this file.
Object.defineProperty(module.exports, 'providers', { get: () => require('./lib/providers.cjs') });
