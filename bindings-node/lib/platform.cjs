'use strict';
// What the native library of a platform is called.

/** The file names to try, in order: a Linux system has either glibc or musl, and trying is cheaper than asking. */
function fileNames(platform, arch) {
  const abis = {
    linux: arch === 'arm' ? ['-gnueabihf', '-musleabihf'] : ['-gnu', '-musl'],
    win32: ['-msvc'],
  }[platform] ?? [''];
  return abis.map((abi) => `toolwire.${platform}-${arch}${abi}.node`);
}

module.exports = { fileNames };
