'use strict';
// Everything the package offers, for `require`; index.mjs gives the same objects to `import`.

const { ToolwireError } = require('./lib/error.cjs');
const { Answer } = require('./lib/answer.cjs');
const { Exchange } = require('./lib/exchange.cjs');
const { Parsed, Envelope, Block } = require('./lib/views.cjs');

module.exports = {
  ...require('./lib/read.cjs'),
  ...require('./lib/build.cjs'),
  ...require('./lib/call.cjs'),
  ...require('./lib/ask.cjs'),
  ...require('./lib/schema.cjs'),
  ...require('./lib/event.cjs'),
  ...require('./lib/host.cjs'),
  ...require('./lib/author.cjs'),
  // Few programs read legacy formats, so that file is loaded at the first use.
  readLegacy: (document, options) => require('./lib/legacy.cjs').readLegacy(document, options),
  unwrapOutcome: (result, options) => require('./lib/legacy.cjs').unwrapOutcome(result, options),
  Parsed, Envelope, Block, Answer, Exchange, ToolwireError,
};
