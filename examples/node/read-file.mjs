#!/usr/bin/env node
// Answer with a file, or with some of its lines, as a resource.
//
// Usage: read-file.mjs PATH [FIRST-LAST]

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import * as tw from 'toolwire';

function read(path, lines) {
  if (lines === undefined) return tw.envelope([tw.resourceFromFile(path)]);
  const [first, last] = (/^(\d{1,9})-(\d{1,9})$/.exec(lines) ?? []).slice(1).map(Number);
  if (!(first >= 1 && first <= last)) {
    throw new RangeError(`\`${lines}\` is no range of lines; give FIRST-LAST, such as 1-20`);
  }
  // Read as 'utf8', what is not UTF-8 would be replaced without a word.
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  const part = text.split(/(?<=\n)/).slice(first - 1, last).join('');
  return tw.envelope([
    tw.resource(`${tw.fileUri(path)}#L${first}-${last}`, {
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
