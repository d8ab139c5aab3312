'use strict';
// Finds the native library of this platform in the package and loads it.

const { fileNames } = require('./platform.cjs');

function load() {
  const failures = [];
  for (const name of fileNames(process.platform, process.arch)) {
    try {
      return require(`../${name}`);
    } catch (error) {
      failures.push(`${name}: ${error.code === 'MODULE_NOT_FOUND' ? 'not in this package' : error.message}`);
    }
  }
  throw new Error(
    `toolwire has no native library for ${process.platform}-${process.arch} (${failures.join('; ')}); ` +
      'build the package on this platform, or install one that was built for it',
  );
}

module.exports = load();
