'use strict';
// What a host calls; what it takes is loaded when it is called, since tools have no use for it.

function run(program, options) {
  return require('./run.cjs').run(program, options);
}

function listTools(program, options) {
  return require('./run.cjs').listTools(program, options);
}

function loadManifest(path) {
  return require('./manifest.cjs').loadManifest(path);
}

function connect(server, options) {
  return require('./connect.cjs').connect(server, options);
}

function serve(options) {
  return require('./serve.cjs').serve(options);
}

module.exports = { run, listTools, loadManifest, connect, serve };
