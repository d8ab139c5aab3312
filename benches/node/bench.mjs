// The Node half of the benchmark: everybody in this process, in turns. Called by toolwire-bench with
// the folder of the corpus, the schema, the probes, the rounds and the milliseconds of a turn; prints
// one JSON object a line.

import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import Ajv2020 from 'ajv/dist/2020.js';
import canonicalize from 'canonicalize';
import * as toolwire from 'toolwire';

const [corpus, schemaPath, probesPath, rounds, turn] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const TURN = Number(turn) * 1000;

const ajv = new (Ajv2020.default ?? Ajv2020)({ strict: false, validateFormats: false });
const valid = ajv.compile(JSON.parse(readFileSync(schemaPath, 'utf8')));

/** From a Buffer, as it comes from a pipe. */
const JUDGES = {
  toolwire: (bytes) => toolwire.parse(bytes).verdict === 'valid',
  'MCP SDK (zod)': (bytes) => CallToolResultSchema.safeParse(JSON.parse(bytes.toString())).success,
  'JSON.parse': (bytes) => JSON.parse(bytes.toString()) !== undefined,
  'JSON.parse + ajv': (bytes) => valid(JSON.parse(bytes.toString())),
};
const CANONICAL = {
  toolwire: (bytes) => toolwire.canonicalize(bytes),
  canonicalize: (bytes) => Buffer.from(canonicalize(JSON.parse(bytes.toString()))),
};

function say(what) {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

function takes(judge, bytes) {
  try {
    return judge(bytes);
  } catch {
    return false;
  }
}

/** User and system time of the whole process, the collector's threads included, in microseconds. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Everybody runs in every round; the first run warms up and tells how often to repeat. */
function race(task, input, count, runs) {
  const contenders = Object.entries(runs).map(([peer, run]) => {
    run();
    const begun = cpu();
    run();
    const once = Math.max(cpu() - begun, 1);
    return { peer, run, repeats: Math.max(1, Math.round(TURN / once)), times: [] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const { run, repeats, times } = contenders[(round + turn) % contenders.length];
      const begun = cpu();
      for (let i = 0; i < repeats; i++) run();
      times.push((cpu() - begun) / repeats / count);
    }
  }
  for (const { peer, times } of contenders) {
    times.sort((a, b) => a - b);
    say({ language: 'Node', task, input, peer, micros: times[(times.length - 1) >> 1] });
  }
}

function over(documents, one) {
  return () => {
    for (const document of documents) one(document);
  };
}

function documentsOf(path, bytes) {
  if (extname(path) !== '.ndjson') return [bytes];
  const documents = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    documents.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return documents;
}

const require = createRequire(import.meta.url);
const versions = ['@modelcontextprotocol/sdk', 'zod', 'ajv', 'canonicalize'].map((name) => {
  const lock = require('./package-lock.json');
  return `${name} ${lock.packages[`node_modules/${name}`].version}`;
});
say({ versions: [`Node ${process.versions.node}`, ...versions] });
const probes = JSON.parse(readFileSync(probesPath, 'utf8')).map((probe) => Buffer.from(probe.text, 'base64'));
for (const [peer, judge] of Object.entries(JUDGES)) {
  say({ peer: `Node: ${peer}`, takes: probes.map((bytes) => takes(judge, bytes)) });
}
for (const name of readdirSync(corpus).filter((name) => name.endsWith('json')).sort()) {
  const bytes = readFileSync(join(corpus, name));
  const documents = documentsOf(name, bytes);
  const input = basename(name, extname(name));
  const judges = {};
  for (const [peer, judge] of Object.entries(JUDGES)) {
    // A regular expression over 8 MB may be more than the engine's stack takes.
    if (documents.slice(0, 2000).every((document) => takes(judge, document))) {
      judges[peer] = over(documents, judge);
    } else {
      say({ refused: `Node: ${peer} refuses ${input}` });
    }
  }
  for (const document of documents.slice(0, 2000)) {
    if (!Buffer.from(toolwire.canonicalize(document)).equals(CANONICAL.canonicalize(document))) {
      throw new Error(`the canonical bytes of a document of ${name} differ`);
    }
  }
  if (extname(name) === '.ndjson') judges['toolwire batch'] = () => toolwire.summarize(bytes);
  race('verdict', input, documents.length, judges);
  const canonical = Object.entries(CANONICAL).map(([peer, one]) => [peer, over(documents, one)]);
  race('canonical', input, documents.length, Object.fromEntries(canonical));
}
