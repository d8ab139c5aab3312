#!/usr/bin/env node
// Check the links in Markdown files: does what they point to exist?
//
// Usage: links.mjs FILE.md…
//
// Links into the web are listed, not fetched. Dead links make the answer an error, with the file
// that holds them as a resource, so that whoever mends them has it at hand.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import * as tw from 'toolwire';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;

function linksOf(path) {
  const links = [];
  let fenced = false;
  readFileSync(path, 'utf8').split('\n').forEach((line, index) => {
    if (line.startsWith('```')) fenced = !fenced;
    if (fenced) return;
    for (const [, target] of line.matchAll(LINK)) {
      const web = /^[a-z][a-z0-9+.-]*:/i.test(target);
      const file = target.split('#')[0];
      const alive = web || file === '' || existsSync(resolve(dirname(path), decodeURI(file)));
      links.push({ path, line: index + 1, target, kind: web ? 'web' : 'local', alive });
    }
  });
  return links;
}

const paths = process.argv.slice(2);
if (paths.length === 0) {
  console.error('Usage: links.mjs FILE.md…');
  process.exitCode = 2;
} else {
  try {
    const links = paths.flatMap(linksOf);
    const dead = links.filter((link) => !link.alive);
    const lines = dead.map((link) => `${link.path}:${link.line}: ${link.target} does not exist`);
    const blocks = [tw.text([`${links.length} links, ${dead.length} dead`, ...lines].join('\n'))];
    for (const path of new Set(dead.map((link) => link.path))) {
      blocks.push(tw.resourceFromFile(path));
    }
    const isError = dead.length > 0;
    console.log(String(tw.envelope(blocks, { structuredContent: { links }, isError })));
    process.exitCode = isError ? 1 : 0;
  } catch (problem) {
    console.log(String(tw.error(problem)));
    process.exitCode = 1;
  }
}
