#!/usr/bin/env node
// A host with the SDK of Anthropic.
//
//     export ANTHROPIC_API_KEY=…
//     node examples/host/with-anthropic.mjs "Rename a to b." ./tools toolwire.toml …
import Anthropic from '@anthropic-ai/sdk';
import { createInterface } from 'node:readline/promises';
import { Tools } from 'toolwire';

const [task, ...sources] = process.argv.slice(2);
const model = process.env.MODEL ?? 'claude-sonnet-4-5';

async function answerer(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`${question.text} `);
  terminal.close();
  return /^y(es)?$/i.test(said);
}

const client = new Anthropic();
const messages = [{ role: 'user', content: task }];
const tools = new Tools({ answerer });
try {
  for (const source of sources) await tools.add(source);
  let reply, turn;
  do {
    reply = await client.messages.create({ model, max_tokens: 4096, messages, tools: tools.definitions('anthropic') });
    turn = await tools.respond('anthropic', reply);
    messages.push(...turn.messages);
  } while (turn.calls.length > 0);
  console.log(reply.content.map((block) => block.text ?? '').join(''));
} finally {
  await tools.close();
}
