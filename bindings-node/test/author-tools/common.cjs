'use strict';
// A tool in CommonJS, which does not wait for `main`.
const { main, tool } = require('toolwire');

tool({ name: 'common' }, async () => 'from CommonJS');
tool({ name: 'other' }, () => 'never called');
main();
