// Makes the npm tarballs, and prints the path of each.
//
//   node bindings-node/pack.mjs package <folder>
//   node bindings-node/pack.mjs platform <built> <folder> [<platform>]
//   node bindings-node/pack.mjs lay-out <built> <node_modules>
//
// The first makes the package `toolwire`. The second makes the package that brings it the native library of
// one platform, by default of this one; <built> is the folder that cargo built the library into. The last puts both
// into a folder that is found as they are, without packing them.
// Each is put together in a folder of its own below <folder>, so that the checkout stays clean.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
const platforms = JSON.parse(readFileSync(join(here, 'platforms.json'), 'utf8'));
const packageName = (platform) => `@toolwire/${platform}`;

const [what, ...rest] = process.argv.slice(2);
if (what === 'package' && rest.length === 1) pack(assemblePackage(...rest), ...rest);
else if (what === 'platform' && (rest.length === 2 || rest.length === 3)) {
  const [built, folder, platform = thisPlatform()] = rest;
  pack(assemblePlatform(built, resolve(folder, platform), platform), folder);
} else if (what === 'lay-out' && rest.length === 2) {
  const [built, folder] = rest;
  assemblePackage(folder);
  assemblePlatform(built, resolve(folder, packageName(thisPlatform())), thisPlatform());
}
else {
  const forms = ['package <folder>', 'platform <built> <folder> [<platform>]', 'lay-out <built> <node_modules>'];
  console.error(`usage: node pack.mjs ${forms.join('\n       node pack.mjs ')}`);
  process.exit(2);
}

function assemblePackage(folder) {
  const stage = emptyStage(resolve(folder, 'toolwire'));
  for (const name of ['README.md', ...manifest.files]) copy(name, stage);
  for (const entry of ['index.cjs', 'command.cjs']) writeFileSync(join(stage, entry), bundle(entry));
  chmodSync(join(stage, 'command.cjs'), 0o755);
  // Of exactly this version, since the two halves know each other's inside.
  const optionalDependencies = Object.fromEntries(Object.keys(platforms).map((name) => [packageName(name), manifest.version]));
  writeJson(join(stage, 'package.json'), { ...manifest, optionalDependencies });
  return stage;
}

function assemblePlatform(built, folder, platform) {
  const target = platforms[platform];
  if (target === undefined) {
    console.error(`pack.mjs: there is no package for \`${platform}\`; add it to platforms.json`);
    process.exit(2);
  }
  const stage = emptyStage(folder);
  const [os] = target.os;
  const library = { win32: 'toolwire_node.dll', darwin: 'libtoolwire_node.dylib' }[os] ?? 'libtoolwire_node.so';
  cpSync(join(built, library), join(stage, 'toolwire.node'));
  const licenses = manifest.files.filter((file) => file.startsWith('LICENSE-'));
  for (const name of licenses) copy(name, stage);
  const { version, license, repository, homepage, bugs, engines } = manifest;
  writeFileSync(
    join(stage, 'README.md'),
    `# ${packageName(platform)}\n\nThe native library of \`toolwire\` for ${platform}. Install \`toolwire\`, which brings it.\n`,
  );
  writeJson(join(stage, 'package.json'), {
    name: packageName(platform),
    version,
    description: `The native library of toolwire for ${platform}.`,
    license,
    repository,
    homepage,
    bugs,
    engines,
    ...target,
    type: 'commonjs',
    main: './toolwire.node',
    files: ['toolwire.node', ...licenses],
    // Scoped packages are private unless they say otherwise.
    publishConfig: { access: 'public' },
  });
  return stage;
}

function thisPlatform() {
  const { packageNames } = createRequire(import.meta.url)('./lib/platform.cjs');
  // A system with musl builds for musl; the report is slow to make, which does not matter here.
  const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime;
  return basename(packageNames(process.platform, process.arch)[musl ? 1 : 0]);
}

function emptyStage(stage) {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  return stage;
}

function copy(name, stage) {
  const from = name.startsWith('LICENSE-') ? join(here, '..', name) : join(here, name);
  cpSync(from, join(stage, name), { recursive: true });
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

function pack(stage, folder) {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const packed = execFileSync(npm, ['pack', '--json', '--pack-destination', resolve(folder)], {
    cwd: stage,
    shell: process.platform === 'win32',
  });
  console.log(join(folder, JSON.parse(packed)[0].filename));
}

/** A CommonJS file with all it needs in one, because each file that Node loads costs a good part of a millisecond. */
function bundle(entry) {
  const modules = new Map();
  const add = (path) => {
    const name = basename(path);
    if (modules.has(name)) return;
    const source = readFileSync(join(here, path), 'utf8').replace(/^#!.*\n/, '');
    modules.set(name, source);
    for (const [, used] of source.matchAll(/require\('(?:\.\/lib|\.)\/(\w[\w.-]*\.cjs)'\)/g)) add(join('lib', used));
  };
  add(entry);
  const written = [...modules].map(([name, source]) => `${JSON.stringify(name)}(module, require) {\n${source}}`);
  const shebang = entry === 'index.cjs' ? '' : '#!/usr/bin/env node\n';
  return `${shebang}// Generated by pack.mjs from ${entry} and lib/ of the repository. Do not edit.
'use strict';
const modules = {
${written.join(',\n')},
};
const loaded = {};
function load(id) {
  const name = id.slice(id.lastIndexOf('/') + 1);
  if (!Object.hasOwn(modules, name)) return require(id);
  if (loaded[name] === undefined) {
    loaded[name] = { exports: {} };
    modules[name](loaded[name], load);
  }
  return loaded[name].exports;
}
module.exports = load(${JSON.stringify(entry)});
`;
}
