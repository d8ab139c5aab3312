'use strict';
// The packages with the native library, one for each platform. npm installs the one that fits.

/** The names to try, in order: a Linux system has either glibc or musl, and trying is cheaper than asking. */
function packageNames(platform, arch) {
  const abis = { linux: ['-gnu', '-musl'], win32: ['-msvc'] }[platform] ?? [''];
  return abis.map((abi) => `@toolwire/${platform}-${arch}${abi}`);
}

module.exports = { packageNames };
