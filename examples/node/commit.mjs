#!/usr/bin/env node
// Commit what is staged in a git repository; asks for the message, and before it commits.
//
//     toolwire run examples/node/commit.mjs
//     toolwire run examples/node/commit.mjs message="Fix the fence" repository=../other
//
// The same tool is there in Python, Rust and shell; the first three answer with the same bytes.

import { spawnSync } from 'node:child_process';
import * as tw from 'toolwire';

const input = {
  type: 'object',
  properties: {
    message: { type: ['string', 'null'], description: 'The message of the commit; asked for if it is left out.' },
    repository: { type: 'string', default: '.', description: 'The folder of the repository.' },
  },
};

const output = {
  type: 'object',
  properties: {
    committed: { type: 'boolean' },
    commit: { type: ['string', 'null'] },
    message: { type: 'string' },
  },
  required: ['committed', 'commit', 'message'],
};

function git(repository, ...args) {
  const ran = spawnSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
  if (ran.error) throw ran.error;
  if (ran.status !== 0) throw new Error(`git ${args[0]}: ${ran.stderr.trim()}`);
  return ran.stdout.trim();
}

tw.tool(
  {
    name: 'commit',
    title: 'Commit',
    description: 'Commit what is staged in a git repository.',
    input,
    output,
    destructive: false,
    openWorld: false,
    formatArguments: ({ message, repository = '.' }) => `git -C ${repository} commit -m “${message ?? '…'}”`,
  },
  async ({ message, repository = '.' }, ctx) => {
    const staged = git(repository, 'diff', '--cached', '--stat');
    if (!staged) throw new Error('nothing is staged; stage it with `git add` first');
    ctx.emit(staged);
    message ??= await ctx.answer('message', tw.string('What is the message of the commit?', { minLength: 1, maxLength: 72 }));
    if (!(await ctx.answer('confirm', tw.boolean(`Commit as “${message}”?`, { default: true })))) {
      ctx.emit('Left as it was.');
      return { committed: false, commit: null, message };
    }
    git(repository, 'commit', '--quiet', '-m', message);
    const head = git(repository, 'rev-parse', 'HEAD');
    ctx.emit(`Committed as ${head}.`);
    return { committed: true, commit: head, message };
  },
);

await tw.main();
