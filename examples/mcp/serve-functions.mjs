#!/usr/bin/env node
// Serve functions of this program, and programs on disk beside them, to MCP clients.
//
//   claude mcp add notes -- node examples/mcp/serve-functions.mjs examples/python/query.py
//   node examples/mcp/serve-functions.mjs --http 127.0.0.1:8080
//
// What a function keeps in memory stays there between calls, unlike in a tool that is a program of its own.

import { boolean, progress, serve, tool } from 'toolwire';

const notes = new Map();
const text = { type: 'string' };

tool(
  { name: 'note', description: 'Write down a note.', input: { properties: { title: text, text }, required: ['title', 'text'] } },
  ({ title, text }, ctx) => {
    if (notes.has(title) && !ctx.answer('replace', boolean(`Replace the note ${title}?`))) return 'Left as it was.';
    notes.set(title, text);
    console.log(`${notes.size} notes`); // on stderr, since stdout is for messages
    return 'Written down.';
  },
);

tool(
  { name: 'search', description: 'Find the notes that have a word in them.', input: { properties: { word: text }, required: ['word'] }, readOnly: true },
  async ({ word }, ctx) => {
    const found = [];
    for (const [done, [title, text]] of [...notes].entries()) {
      progress(done, notes.size, title);
      if (text.includes(word)) found.push(title);
      // Nobody waits for the rest of a call that was given up.
      if (ctx.signal.aborted) break;
    }
    return { found };
  },
);

const [first, ...rest] = process.argv.slice(2);
const serving = first === '--http' ? await serve({ http: rest[0], programs: rest.slice(1) }) : await serve({ programs: process.argv.slice(2) });
if (serving.url) console.error(`serving at ${serving.url}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => serving.close());
