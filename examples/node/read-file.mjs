#!/usr/bin/env node
// Answer with a file, or with some of its lines, as a resource.
//
// Usage: read-file.mjs PATH [FIRST-LAST]

import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import * as tw from 'toolwire';

function read(path, lines) {
  if (lines === undefined) return tw.envelope([tw.resourceFromFile(path)]);
  const [first, last] = lines.split('-').map(Number);
  const text = readFileSync(path, 'utf8');
  const part = text.split(/(?<=\n)/).slice(first - 1, last).join('');
  return tw.envelope([
    tw.resource(`${pathToFileURL(resolve(path))}#L${first}-${last}`, {
      text: part,
      name: `${basename(path)}, lines ${first} to ${last}`,
    }),
  ]);
}

const [path, lines] = process.argv.slice(2);
if (path === undefined) {
  console.error('Usage: read-file.mjs PATH [FIRST-LAST]');
  process.exitCode = 2;
} else {
  try {
    console.log(String(read(path, lines)));
  } catch (problem) {
    console.log(String(tw.error(problem)));
    process.exitCode = 1;
  }
}
