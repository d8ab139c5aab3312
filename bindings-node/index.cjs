'use strict';
// Everything the package offers, for `require`; index.mjs gives the same objects to `import`.

const { ToolwireError } = require('./lib/error.cjs');
const { Parsed, Envelope, Block } = require('./lib/views.cjs');

module.exports = { ...require('./lib/read.cjs'), ...require('./lib/build.cjs'), Parsed, Envelope, Block, ToolwireError };
