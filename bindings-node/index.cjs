'use strict';
// Everything the package offers, for `require`; index.mjs gives the same objects to `import`.

const { ToolwireError } = require('./lib/error.cjs');
const { Answer } = require('./lib/answer.cjs');
const { Parsed, Envelope, Block } = require('./lib/views.cjs');

module.exports = {
  ...require('./lib/read.cjs'),
  ...require('./lib/build.cjs'),
  ...require('./lib/event.cjs'),
  ...require('./lib/host.cjs'),
  ...require('./lib/author.cjs'),
  ...require('./lib/api.generated.cjs'),
  get Sessions() { return require('./lib/sessions.cjs').Sessions; },
  get Tools() { return require('./lib/tools.cjs').Tools; },
  Parsed, Envelope, Block, Answer, ToolwireError,
};
