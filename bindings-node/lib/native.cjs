'use strict';
// Loads the native library of this platform.

const { packageNames } = require('./platform.cjs');

function load() {
  const names = packageNames(process.platform, process.arch);
  const failures = [];
  for (const name of names) {
    try {
      return require(name);
    } catch (error) {
      failures.push(`${name}: ${error.code === 'MODULE_NOT_FOUND' ? 'not installed' : error.message}`);
    }
  }
  throw new Error(
    `toolwire has no native library for ${process.platform}-${process.arch} (${failures.join('; ')}); ` +
      `install toolwire on this platform, with its optional dependencies`,
  );
}

module.exports = load();
