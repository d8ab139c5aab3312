'use strict';
// Messages of the providers of models, for `require`; providers.mjs gives the same functions to `import`.

module.exports = require('./index.cjs').providers;
