// Makes the npm tarball: `node bindings-node/pack.mjs <built> <folder>`, where <built> is the folder that
// cargo built the addon into, or the addon itself, and <folder> gets the tarball. Prints its path.
// The package is put together in a folder of its own, so that the checkout stays clean.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const { fileNames } = createRequire(import.meta.url)('./lib/platform.cjs');
const [built, folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node pack.mjs <built> <folder>');
  process.exit(2);
}
const library = { win32: 'toolwire_node.dll', darwin: 'libtoolwire_node.dylib' }[process.platform] ?? 'libtoolwire_node.so';
const addon = statSync(built).isDirectory() ? join(built, library) : built;

const stage = resolve(folder, 'package');
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const { files } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
for (const name of ['package.json', 'README.md', 'lib', ...files.filter((file) => !file.includes('*'))]) {
  const from = name.startsWith('LICENSE-') ? join(here, '..', name) : join(here, name);
  cpSync(from, join(stage, name), { recursive: true });
}
// A system with musl builds for musl; the report is slow to make, which does not matter here.
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
cpSync(addon, join(stage, fileNames(process.platform, process.arch)[musl ? 1 : 0]));

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const packed = execFileSync(npm, ['pack', '--json', '--pack-destination', resolve(folder)], {
  cwd: stage,
  shell: process.platform === 'win32',
});
console.log(join(folder, JSON.parse(packed)[0].filename));
